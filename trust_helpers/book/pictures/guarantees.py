"""Chapter 5's pictures: the proof on one log, the width and its bound, two arms, strong signals."""

from typing import TYPE_CHECKING

import numpy as np

from ... import bounds
from ..experiments.closed_forms import Widths
from ..experiments.main_theorem import OneLog
from ..experiments.special_instances import StrongSignals, TwoArms, two_arm_upper_bound
from ..style import label_line, line, spot
from ..table import TIMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_how_loose_the_closed_forms_are",
    "draw_loss_against_the_gap_of_two_arms",
    "draw_proof_on_one_log",
    "draw_strong_signals",
    "draw_width_and_its_bound",
    "draw_worst_losses_on_two_arms",
]

METHODS = (("TRUST", "trust"), ("LCB", "lcb"))  # as the columns of a TwoArms


def draw_proof_on_one_log(ax: "Axes", proof: OneLog) -> None:
    """Against the radius TRUST's objective with its peaks on the grid, what TRUST gains, and the best rival less
    twice the band."""
    ax.axhline(proof.gain, **line("truth"))
    ax.plot(proof.share, proof.objective, **line("estimate", linewidth=1.2))
    ax.plot(proof.grid, proof.peaks, **spot("estimate", marker=".", markersize=8))
    ax.plot(proof.share, proof.rival, **line("bound"))
    label_line(ax, [1e-3, 1], [proof.gain] * 2, "what TRUST truly gains", at=0.006)
    label_line(ax, proof.grid, proof.peaks, "objective", "estimate", at=0.008)
    label_line(ax, proof.share, proof.rival, f"best rival less\n2 {TIMES} band", "bound", 0.008, False)
    low, high = proof.objective[proof.share > 0.01].min(), proof.gain
    ax.set(xscale="log", xlim=(1e-3, 1.1), ylim=(max(low, -high) - 0.3, high + 0.4))
    ax.set(xlabel="radius / largest radius", ylabel="improvement (reward units)")


def draw_width_and_its_bound(ax: "Axes", found: Widths) -> None:
    """The paper's Figure 2, the two-stage bound on the localised width, with the width itself."""
    at = found.share
    ax.loglog(at, found.ball, **line("quiet"))
    ax.loglog(at, found.bound, **line("bound"))
    ax.loglog(at, found.width, **line("noise", linestyle="-"))
    label_line(ax, at, found.ball, f"radius {TIMES} √d ", "quiet", at=0.03, ha="right")
    label_line(ax, at, found.bound, "bound", "bound", at=0.5)
    label_line(ax, at, found.width, "simulated width", "noise", at=0.3, above=False)
    ax.set(ylabel="width (noise of one arm)", ylim=(found.width[-1] / 1.5, 40))


def draw_how_loose_the_closed_forms_are(ax: "Axes", found: Widths) -> None:
    """How many times the bound exceeds the width, and Lemma C.3's closed form the simulated band."""
    ax.semilogx(found.share, found.ratio, **line("bound"))
    ax.semilogx(found.grid, found.looser, **line("truth", linestyle="--"))
    label_line(ax, found.share, found.ratio, "bound / width", "bound", at=0.004)
    label_line(ax, found.grid, found.looser, " closed form / band", at=0.13, above=False, ha="left")
    ax.set(ylabel="ratio", xlabel="radius / largest radius", ylim=(0.8, None))


def draw_worst_losses_on_two_arms(ax: "Axes", pair: TwoArms) -> None:
    """The worst mean loss of TRUST and LCB against the number of samples, between Corollary C.2's two bounds."""
    sizes = [int(total) for total in pair.sizes]
    floor = [bounds.two_arm_lower_bound((8 * total) ** -0.5, total // 2) for total in sizes]
    ceiling = [two_arm_upper_bound(total) for total in sizes]
    ax.loglog(sizes, floor, **line("quiet"))
    ax.loglog(sizes, ceiling, **line("bound"))
    label_line(ax, sizes, floor, "lower bound for any rule", "quiet", at=500, above=False)
    label_line(ax, sizes, ceiling, "TRUST's bound", "bound", at=800)
    for k, (name, meaning) in enumerate(METHODS):
        ax.loglog(sizes, pair.worst[:, k], **line(meaning, marker=spot(meaning)["marker"]))
        label_line(ax, sizes, pair.worst[:, k], name, meaning)
    ax.set(xlabel="samples N", ylabel="worst mean loss (reward units)")


def draw_loss_against_the_gap_of_two_arms(ax: "Axes", pair: TwoArms) -> None:
    """The mean loss of TRUST, LCB and the uniform mixture at the most samples, all in units of one over root N."""
    for k, (name, meaning) in enumerate(METHODS):
        ax.plot(pair.scales, pair.scaled[:, k], **line(meaning))
        label_line(ax, pair.scales, pair.scaled[:, k], name, meaning, 4.2, name == "LCB")
    ax.plot(pair.scales, pair.scales / 2, **line("behaviour"))
    label_line(ax, pair.scales, pair.scales / 2, "uniform mixture", "behaviour", 4.8, ha="right")
    ax.set(xlabel=f"gap {TIMES} √N", ylabel=f"mean loss {TIMES} √N")


def draw_strong_signals(ax: "Axes", strong: StrongSignals) -> None:
    """Against the noise of one sample what the fixed radius and TRUST gain, Proposition A.1's bound, and the cosine."""
    cosine = 0.5 / np.sqrt(1 + 4 * strong.levels**2)
    ax.plot(strong.levels, cosine, **line("quiet"))
    ax.plot(strong.levels, strong.bound, **line("bound"))
    ax.plot(strong.levels, strong.trust, **line("trust", marker="o"))
    ax.plot(strong.levels, strong.fixed, **spot("estimate"))
    label_line(ax, strong.levels, cosine, "fixed radius", "quiet", at=0.86, ha="left")
    label_line(ax, strong.levels, strong.trust, "TRUST", "trust", at=0.5, ha="left")
    label_line(ax, strong.levels, strong.bound, " the bound", "bound", 0.2, False, ha="left")
    ax.set(xlabel="noise of one sample (good minus bad arm = 1)", ylim=(-0.3, 0.56))
    ax.set(ylabel="true improvement (reward units)")
