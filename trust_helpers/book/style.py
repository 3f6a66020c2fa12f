"""The style of the book's figures: one colour, line and marker for each meaning, on every page.

Colours are Okabe and Ito's, which colour-blind readers can tell apart, and a few more for what their eight do not
cover. Lines and markers differ too, so that a page printed in grey says the same.
"""

from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation, Text
from numpy.typing import ArrayLike

from ..checks import Array
from ..data import OfflineData
from ..decision import TrustDecision

# Colour, dashes and marker, by what they stand for.
STYLES: dict[str, tuple[str, Any, str]] = {
    "trust": ("#0072B2", "-", "o"),  # the method, and what its mixture weighs
    "bound": ("#D55E00", "-", "|"),  # what is promised
    "lcb": ("#CC79A7", (0, (6, 2, 1, 2)), "s"),
    "greedy": ("#E69F00", (0, (3, 1, 1, 1)), "^"),
    "behaviour": ("#009E73", (0, (8, 3)), "D"),  # cloning the log, the reference policy
    "split": ("#882255", (0, (4, 1, 1, 1, 1, 1)), "P"),  # chosen on one part, judged on the other
    "cql": ("#999933", (0, (2, 2)), "X"),
    "truth": ("#000000", "-", "o"),  # what only we know: true means and values
    "estimate": ("#5f5f5f", (0, (5, 2)), "d"),  # what the log says: samples, signal
    "noise": ("#56B4E9", (0, (1, 1)), "."),  # noise, and the bands that bound it
    "stein": ("#8C5109", "-", "*"),  # Stein's correction
    "good": ("#5D3A9B", "-", "o"),  # good arms
    "bad": ("#C4C4C4", "-", "v"),  # bad arms
    "quiet": ("#767676", (0, (1, 2)), ""),  # guides
}
COLOURS = {meaning: colour for meaning, (colour, _, _) in STYLES.items()}


def use_style() -> None:
    """Set matplotlib's defaults for every figure that follows."""
    mpl.rcParams.update(
        {
            "figure.figsize": (6.0, 3.8),
            "figure.dpi": 100,
            "figure.facecolor": "white",
            "savefig.facecolor": "white",
            "savefig.bbox": "tight",
            "svg.hashsalt": "trust",
            "axes.facecolor": "white",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler(color=list(COLOURS.values())),
            "axes.grid": True,
            "grid.color": "#e5e5e5",
            "grid.linewidth": 0.8,
            "axes.axisbelow": True,
            "font.size": 12,
            "legend.frameon": False,
            "lines.linewidth": 2.0,
        }
    )


def line(meaning: str, **more: Any) -> dict[str, Any]:
    """How a line of this meaning is drawn: ``ax.plot(x, y, **line("truth"))``."""
    return {"color": COLOURS[meaning], "linestyle": STYLES[meaning][1]} | more


def spot(meaning: str, **more: Any) -> dict[str, Any]:
    """How a point of this meaning is drawn: ``ax.plot(x, y, **spot("trust"))``; what is true is a hollow ring."""
    filled = "white" if meaning == "truth" else COLOURS[meaning]
    style = {"color": COLOURS[meaning], "linestyle": "none", "marker": STYLES[meaning][2], "markerfacecolor": filled}
    return style | {"markersize": 7, "markeredgewidth": 3 if meaning == "bound" else 1.2} | more


def label_line(
    ax: Axes,
    x: ArrayLike,
    y: ArrayLike,
    text: str,
    meaning: str = "truth",
    at: float | None = None,
    above: bool = True,
    **more: Any,
) -> None:
    """Write ``text`` beside a line, in its colour: at the abscissa ``at``, or at its right end.

    At an abscissa the whole of the text keeps clear of the line, whatever limits and scales the Axes gets afterwards.
    """
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    order = np.argsort(xs, kind="stable")
    place = float(xs.max()) if at is None else at
    height = float(np.interp(place, xs[order], ys[order]))
    words = {"color": readable(meaning), "path_effects": [withStroke(linewidth=3, foreground="white")]}
    if at is None:
        words |= {"ha": "left", "va": "center"} | more
        ax.annotate(text, (place, height), (5, 0), textcoords="offset points", **words)
    else:
        words |= {"ha": "center", "va": "bottom" if above else "top", "clip_on": False} | more
        ax.add_artist(_clear_of(ax, np.column_stack([xs, ys])[order], text, (place, height), above, words))


def _clear_of(
    ax: Axes, points: Array, text: str, place: tuple[float, float], above: bool, words: dict[str, Any]
) -> Annotation:
    """A label at ``place`` that moves off the line through ``points`` when it is drawn, and sizes are known."""
    side = 1.0 if above else -1.0

    class Label(Annotation):
        def update_positions(self, renderer: Any) -> None:
            self.set_position((0.0, 4 * side))
            super().update_positions(renderer)
            box = Text.get_window_extent(self, renderer)
            line = ax.transData.transform(points)
            gap = _into(line, box.y0 if above else box.y1, box.x0, box.x1, side)
            self.set_position((0.0, side * (4 + (gap + 3 if gap > 0 else 0.0) * 72 / ax.figure.dpi)))
            super().update_positions(renderer)

    return Label(text, place, (0.0, 4 * side), textcoords="offset points", **words)


def _into(line: Array, edge: float, left: float, right: float, side: float) -> float:
    """How far a line reaches past the lower ``edge`` of a box (``side`` 1) or its upper one (-1), in its width."""
    x, y = line[np.isfinite(line).all(axis=1)].T
    near = np.r_[left, right, x[(x > left) & (x < right)]]
    heights = np.interp(near, x, y)
    inside = (near >= x.min()) & (near <= x.max())
    return float((side * (heights - edge))[inside].max(initial=-np.inf))


def readable(meaning: str) -> Any:
    """The colour of a meaning, dark enough for words on white (a contrast of at least 4.5)."""
    rgb = np.array(to_rgb(COLOURS[meaning]))
    while 1.05 / (_luminance(rgb) + 0.05) < 4.5:
        rgb = rgb * 0.96
    return tuple(float(part) for part in rgb)


def _luminance(rgb: Array) -> float:
    """Relative luminance of a colour, as the accessibility guidelines define it."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def plot_value_and_bound(ax: Axes, decision: TrustDecision, data: OfflineData, means: Array | None = None) -> None:
    """Figure 3 of the paper: against the radius, what the best mixture is estimated to earn and guaranteed to earn.

    With the true ``means`` known, also what it does earn.
    """
    band = decision.band
    share = band.radii / band.radii[0] if band.radii[0] > 0 else band.radii
    estimate = band.region.suprema(data.means, band.radii) + band.region.reference @ data.means
    curves = {"estimated": (estimate, "estimate"), "guaranteed": (estimate - band.value_widths, "bound")}
    if means is not None:
        curves["true"] = (np.array([band.region.policy(data.means, r) @ means for r in band.radii]), "truth")
    for name, (values, meaning) in curves.items():
        ax.plot(share, values, **line(meaning), label=f"{name} value")
    best = int(np.argmax(decision.objective))
    ax.axvline(share[best], **line("quiet", linewidth=1.2), label="critical radius")
    ax.set(xscale="log" if share[0] > 0 else "linear")  # one arm has no radius
    ax.set(xlabel="radius / largest radius", ylabel="value (reward per play)")
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)  # above: on this plot any corner may have a curve
    if np.abs(estimate).max() >= 1_000:
        ax.yaxis.set_major_formatter("{x:,.0f}")
