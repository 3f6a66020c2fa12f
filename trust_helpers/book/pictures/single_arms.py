"""Chapter 1's pictures: what the rules that play one arm are worth, and what they promise."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...trials import Played
from ..style import COLOURS, label_line, line, readable, spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...paper.law import Law

__all__ = ["draw_lcb_as_samples_grow", "draw_lower_bounds_under_their_law", "draw_worth_of_greedy_against_arms"]

CELL = 0.02  # of a law's density, in reward units


def draw_worth_of_greedy_against_arms(
    ax: "Axes", sizes: ArrayLike, uniform: ArrayLike, normal: ArrayLike, here: tuple[float, float]
) -> None:
    """What greedy's arm is worth against the number of arms, for good arms of two laws; ``here`` marks a point."""
    arms = np.asarray(sizes)
    ax.plot(arms, np.asarray(normal), **line("quiet", linestyle="--"))
    ax.plot(arms, np.asarray(uniform), **line("greedy"))
    ax.plot(*here, **spot("greedy"))
    ax.annotate("good arms normal", (10**5, 0.96), ha="center", va="top")
    ax.annotate("good arms uniform", (900, 0.45), ha="right", color=readable("greedy"))
    ax.set(xscale="log", xlabel="number of arms", ylabel="worth of greedy's arm")


def draw_lower_bounds_under_their_law(ax: "Axes", bounds: ArrayLike, law: "Law", printed: float) -> None:
    """A histogram of simulated lower bounds, the density of their law over it, and a line at the paper's number."""
    seen = np.asarray(bounds, dtype=float)
    ax.hist(seen, 40, density=True, color=COLOURS["lcb"], alpha=0.5)
    cells = np.arange(seen.min() - 0.1, seen.max() + 0.1, CELL)
    density, edges = np.histogram(law.points, cells, weights=law.chances, density=True)
    ax.stairs(density, edges, color=COLOURS["bound"], linewidth=2)
    ax.axvline(printed, **line("quiet"))
    ax.annotate(" the paper's", (printed, 0.15))
    ax.set(xlabel="LCB's lower bound (reward units)", ylabel="density")


def draw_lcb_as_samples_grow(
    ax: "Axes", per_arm: Sequence[int], played: Sequence[Played], ahead: Sequence[float]
) -> None:
    """Against the samples per arm: what LCB's arm is worth, what LCB promises, what claim 1 promises ``ahead``."""
    promised = [float(run.bound.mean()) for run in played]
    ax.plot(per_arm, [float(run.value.mean()) for run in played], **spot("truth"))
    ax.plot(per_arm, promised, **line("bound"))
    ax.plot(per_arm, ahead, **line("lcb"))
    ax.axhline(0, color=COLOURS["truth"], linewidth=1)
    label_line(ax, per_arm, promised, "promised from the log", "bound", at=6.0)
    label_line(ax, per_arm, ahead, "promised by claim 1", "lcb", 9.0, False, ha="left")
    ax.set(xscale="log", xlabel="samples per arm", ylabel="reward", ylim=(-2.2, 1.2))
    ax.set(xticks=per_arm[::2], xticklabels=per_arm[::2])
    ax.minorticks_off()
