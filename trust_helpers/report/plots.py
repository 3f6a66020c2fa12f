"""The picture of a report: what each choice has earned so far, should earn, and is promised."""

import io
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ..values import axes
from .words import ARMS, Words, promised

if TYPE_CHECKING:
    from . import Report

__all__ = ["as_svg", "draw"]

DESCRIBED = "One row for each method: what its choice has earned so far, should earn, and is promised, as in the table."
MARKS = {"so far": ("D", "#767676", 7), "to expect": ("o", "#0072B2", 8), "promised": ("|", "#D55E00", 18)}


def draw(made: "Report", ax: Any = None, words: Words = ARMS) -> Any:
    """What each choice earned so far, should earn and is promised, on matplotlib's axes; it returns them.

    A promise far below everything else is written, not drawn.
    """
    target, unit, place = axes(ax), 100 if words.percent else 1, np.arange(len(made.choices))
    each = [
        (one.weights @ made.data.means, made.expected(one), one.lower_bound if promised(one) else np.nan)
        for _, one in made.choices
    ]
    values = unit * np.array(each, dtype=float)
    shown = np.append(values[:, :2], values[0, 2] if np.isfinite(values[0, 2]) else values[0, 0])
    span = np.ptp(shown) or 1
    low = max(np.nanmin(values), shown.min() - 0.6 * span) - 0.05 * span
    for column, (label, (marker, colour, size)) in zip(values.T, MARKS.items(), strict=True):
        seen = np.where(column >= low, column, np.nan)
        target.plot(seen, place, marker, color=colour, markersize=size, markeredgewidth=2, linestyle="", label=label)
    for row in np.flatnonzero(values[:, 2] < low):
        target.annotate(f" ← {words.bound(each[row][2])}", (low, row), va="center", color=MARKS["promised"][1])
    target.set(yticks=place, yticklabels=[names for names, _ in made.choices], xlim=(low, None))
    target.set(ylim=(place.size - 0.5, -0.5), xlabel=f"{words.reward}, %" if words.percent else f"mean {words.reward}")
    target.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=3, frameon=False, handletextpad=0.1)
    return target


def as_svg(made: "Report", words: Words) -> str:
    """The picture as SVG, to be put into a page."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure, text = Figure(figsize=(5, 1.1 + 0.35 * len(made.choices)), layout="constrained"), io.StringIO()
    draw(made, figure.add_subplot(), words)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "report"}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    start = f'<svg role="img" aria-label="{escape(DESCRIBED)}" '
    return start + text.getvalue().partition("<svg ")[2]
