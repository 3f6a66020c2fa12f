"""Mixtures: what the search for a good one costs."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from ..experiments.mixtures import luck_quantile, single_arm_multiplier
from ..figures import label_line, line, readable, spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_multipliers_needed"]


def draw_multipliers_needed(ax: "Axes", dimensions: ArrayLike, delta: float, simulated: ArrayLike) -> None:
    """How many standard errors cover one fixed mixture, all single arms, all mixtures (``simulated`` as dots), and
    what the ellipsoid charges, against the number of arms."""
    d, level = np.asarray(dimensions, dtype=int), 1 - delta
    curves = {
        "ellipsoid ": (np.sqrt(stats.chi2.ppf(level, d)), "quiet", "right"),
        "  all mixtures": (np.array([luck_quantile(int(n), level) for n in d]), "bound", "left"),
        "all single arms": (np.array([single_arm_multiplier(int(n), level) for n in d]), "lcb", "left"),
    }
    for text, (values, meaning, side) in curves.items():
        ax.plot(d, values, **line(meaning, linestyle="--" if side == "right" else line(meaning)["linestyle"]))
        label_line(ax, d, values, text, meaning, float(d[len(d) // 2]), above=side == "right", ha=side)
    ax.plot(d, np.asarray(simulated), **spot("noise", marker="o", markersize=5))
    one = float(stats.norm.ppf(level))
    ax.axhline(one, **line("behaviour"))
    ax.annotate("one fixed mixture", (d[0], one), (0, 4), textcoords="offset points", color=readable("behaviour"))
    ax.set(xscale="log", yscale="log", xlabel="number of arms, d", ylabel="multiplier needed")
