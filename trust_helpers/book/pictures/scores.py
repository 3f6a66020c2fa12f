"""Methods side by side: what their choices are worth, and what was promised."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...checks import Array
from ...paper import claim
from ..style import COLOURS, readable, spot
from ..table import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_table3_as_dots"]


def draw_table3_as_dots(ax: "Axes", runs: Mapping[str, Array]) -> None:
    """The paper's Table 3 (hollow) beside ours (filled, with the range over training runs), a row for each data set.

    ``runs`` are those of :func:`trust_helpers.paper.tables.table3`. The axis is logarithmic; a mean that is not
    positive has no place on it, and stands at its left edge with its number.
    """
    sets = list(dict.fromkeys(key.rsplit(".", 1)[0] for key in runs))
    ax.set_xscale("log")
    for y, name in enumerate(sets):
        for method, meaning, lift in (("CQL", "cql", -0.17), ("TRUST", "trust", 0.17)):
            key = f"{name}.{method}"
            ax.plot(claim(key).value, y + lift, **spot(meaning, markersize=9, markerfacecolor="white"))
            if key in runs:
                _draw_our_score(ax, runs[key], y + lift, meaning)
    for method, meaning in (("CQL", "cql"), ("TRUST", "trust")):
        ax.plot([], [], **spot(meaning, markerfacecolor="white"), label=f"{method}, paper")
        ax.plot([], [], **spot(meaning), label=f"{method}, ours")
    labels = [f"{env}, {setting}" for _, env, setting in (name.split(".") for name in sets)]
    ax.set(yticks=np.arange(len(sets)), yticklabels=labels, ylim=(len(sets) - 0.5, -0.5))
    ax.set_xlabel("score (return of an episode)")
    ax.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=2, handletextpad=0.2)


def _draw_our_score(ax: "Axes", ours: Array, y: float, meaning: str) -> None:
    mean, positive = float(ours.mean()), ours[ours > 0]
    if positive.size:
        ax.plot([positive.min(), positive.max()], [y, y], color=COLOURS[meaning], linewidth=2)
    if mean > 0:
        ax.plot(mean, y, **spot(meaning, markersize=8))
    else:
        edge = ax.get_yaxis_transform()
        ax.plot(0.03, y, **spot(meaning, markersize=8, transform=edge))
        words = {"va": "center", "fontsize": 10, "color": readable(meaning)}
        ax.annotate(number(mean, ",.0f"), (0.03, y), (8, 0), xycoords=edge, textcoords="offset points", **words)
