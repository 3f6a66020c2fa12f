"""What a log shows: rewards, intervals around them, and the noise that a search can find in them."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...baselines import confidence_widths, lcb
from ...data import OfflineData
from ..style import COLOURS, line, readable, spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_lcb_intervals_of_sorted_arms",
    "draw_worst_mixture_of_noise",
]


def draw_lcb_intervals_of_sorted_arms(
    ax: "Axes", data: OfflineData, delta: float, means: ArrayLike, shown: int = 40
) -> None:
    """Arms sorted by sample, each with LCB's interval and its true mean; evenly spaced among all if there are more."""
    order = np.argsort(data.means)
    order = order[np.unique(np.linspace(0, order.size - 1, min(shown, order.size)).round().astype(int))]
    width, place = confidence_widths(data, delta)[order], np.arange(order.size)
    seen, truth = data.means[order], np.asarray(means, dtype=float)[order]
    ax.vlines(place, seen - width, seen + width, color=COLOURS["lcb"], linewidth=1.6, alpha=0.7)
    ax.plot(place, seen, **spot("estimate", markersize=4), label="sample")
    ax.plot(place, truth, **spot("truth", markersize=5), label="true mean")
    pick = np.flatnonzero(order == int(np.argmax(lcb(data, delta).weights)))
    ax.plot(place[pick], seen[pick], **spot("lcb", markersize=9), label="LCB's choice")
    ax.set(xlabel="arms, sorted by their sample", ylabel="reward", xticks=[])
    ax.grid(visible=False, axis="x")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=3, handletextpad=0.2, columnspacing=1)


def draw_worst_mixture_of_noise(ax: "Axes", noise: ArrayLike) -> None:
    r"""The noise of each arm as a bar, the positive ones coloured: the mixture of those collects them all.

    The dotted line is their mean, what an even mixture of the lucky arms would seem to earn from nothing.
    """
    bars = np.asarray(noise, dtype=float)
    lucky = bars > 0
    place = np.arange(bars.size)
    ax.bar(place[~lucky], bars[~lucky], color=COLOURS["bad"], width=0.8)
    ax.bar(place[lucky], bars[lucky], color=COLOURS["noise"], width=0.8, hatch="//", edgecolor="white", linewidth=0)
    ax.axhline(0, color=COLOURS["truth"], linewidth=1)
    if lucky.any():
        level = float(bars[lucky].mean())
        ax.axhline(level, **line("noise", linestyle="--"))
        text = "dashed: mean of the lucky ones, gained from nothing"
        ax.annotate(text, (0.02, 0.04), xycoords="axes fraction", color=readable("noise"))
    ax.set(xlabel="arms", ylabel="noise (reward units)", xticks=[])
    ax.set_ylim(ax.get_ylim()[0] - 0.16 * float(np.ptp(bars)), None)
    ax.grid(visible=False, axis="x")
