"""Chapter 9's pictures: a report at a glance, and methods scored by what they have not seen."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import default_rng
from numpy.typing import ArrayLike

from ...reports import Report
from ...trials import Played
from ..notebook import number
from ..style import COLOURS, line, readable, spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_earned_against_size", "draw_hidden_scores", "draw_report_of_methods"]

MEANINGS = {"greedy": "greedy", "LCB": "lcb", "behaviour cloning": "behaviour", "TRUST": "trust", "split": "split"}
MEANINGS |= {"combined": "truth"}


def draw_report_of_methods(ax: "Axes", made: Report, truth: ArrayLike | None = None) -> None:
    """For each method what the log says of its choice, what may be promised and, with ``truth``, what it is worth.

    A promise too low to be shown is an arrow at the left edge, with its number.
    """
    rows, near = made.decisions, made.recommended.lower_bound
    seen = [one.estimate for one in rows] + ([near] if isfinite(near) else [])
    left = min(seen) - 0.6 * max(float(np.ptp(seen)), 1e-9 + 0.1 * abs(seen[0]))
    for y, one in enumerate(rows):
        ax.plot(one.estimate, y, **spot("estimate", markersize=9))
        if not isfinite(one.lower_bound):
            ax.annotate("no promise", (one.estimate, y), (-10, 0), textcoords="offset points", ha="right", va="center")
        elif one.lower_bound >= left:
            ax.plot([one.lower_bound, one.estimate], [y, y], color=COLOURS["quiet"], linewidth=1.2, zorder=0)
            ax.plot(one.lower_bound, y, **spot("bound", markersize=18, markeredgewidth=3.5))
        else:
            words = {"color": readable("bound"), "va": "center", "textcoords": "offset points"}
            ax.annotate(f"\N{LEFTWARDS ARROW} {number(one.lower_bound, '.3g')}", (left, y), (2, 0), **words)
        if truth is not None:
            ax.plot(one.weights @ np.asarray(truth, dtype=float), y, **spot("truth", markersize=9))
    _finish(ax, [one.method for one in rows], truth is not None)
    ax.set_xlim(left=left)


def draw_hidden_scores(ax: "Axes", played: Mapping[str, Played], low: float, seed: int = 0) -> None:
    """A dot for each log and method at its value on hidden rewards, a ring at the mean, a bar at the mean promise."""
    from matplotlib.ticker import MaxNLocator

    rng = default_rng(seed)
    for y, (name, one) in enumerate(played.items()):
        heights = y + rng.uniform(-0.28, 0.28, one.value.size)
        ax.plot(one.value, heights, ".", color=COLOURS[MEANINGS[name]], markersize=5, alpha=0.6, rasterized=True)
        bound = float(one.bound.mean())
        if isfinite(bound):
            ax.plot(max(bound, low), y, **spot("bound", markersize=18, markeredgewidth=3.5))
        ax.plot(one.value.mean(), y, **spot("truth", markersize=8))
    _finish(ax, list(played), hidden=True, estimates=False)
    ax.set_xlim(left=low)
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))


def draw_earned_against_size(
    above: "Axes", below: "Axes", sizes: Sequence[int], played: Sequence[Mapping[str, Played]]
) -> None:
    """Against the size of the log, what each method earns on average and what it promises on average."""
    for ax, label, pick in (
        (above, "earned, on average", lambda one: one.value.mean()),
        (below, "promised, on average", lambda one: one.bound.mean()),
    ):
        lines = {name: [float(pick(each[name])) for each in played] for name in played[0]}
        _lines(ax, sizes, {name: heights for name, heights in lines.items() if np.isfinite(heights).all()})
        ax.set(xscale="log", ylabel=label)
        ax.set_xticks(list(sizes), [f"{size:,}" for size in sizes])
        ax.minorticks_off()
    below.set_xlabel("ratings in the log")


def _lines(ax: "Axes", sizes: Sequence[int], lines: Mapping[str, Sequence[float]]) -> None:
    """A line for each method, with its name at the right end; names that would touch are moved apart."""
    least = 0.08 * float(np.ptp([height for heights in lines.values() for height in heights]))
    place = -np.inf
    for name in sorted(lines, key=lambda name: lines[name][-1]):
        ax.plot(sizes, lines[name], marker="o", markersize=4, **line(MEANINGS[name]))
        place = max(lines[name][-1], place + least)
        style = {"textcoords": "offset points", "va": "center", "color": readable(MEANINGS[name])}
        ax.annotate(name, (sizes[-1], place), (7, 0), annotation_clip=False, **style)


def _finish(ax: "Axes", names: Sequence[str], hidden: bool, estimates: bool = True) -> None:
    """Names on the left, a legend above, and what the axis means."""
    if estimates:
        ax.plot([], [], **spot("estimate", markersize=8), label="the log's estimate")
    ax.plot([], [], **spot("bound", markersize=12), label="promised")
    if hidden:
        ax.plot([], [], **spot("truth", markersize=8), label="worth on hidden ratings")
    ax.set(yticks=np.arange(len(names)), yticklabels=list(names), ylim=(len(names) - 0.5, -0.5))
    ax.set_xlabel("reward per play")
    ax.grid(visible=False, axis="y")
    ax.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=3, handletextpad=0.1, columnspacing=1.0)
