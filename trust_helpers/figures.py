"""The book's figures: one style, colours that colour-blind readers can tell apart, white background."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .checks import Array
from .data import OfflineData
from .decision import Decision

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "plot_value_and_bound", "simplex_xy", "slider_html", "use_style"]

# Okabe and Ito's palette, by what it stands for.
COLOURS = {
    "trust": "#0072B2",
    "bound": "#D55E00",
    "lcb": "#CC79A7",
    "greedy": "#E69F00",
    "behaviour": "#009E73",
    "truth": "#000000",
    "quiet": "#999999",
    "light": "#56B4E9",
}


def use_style() -> None:
    """Set matplotlib's defaults for every figure that follows."""
    import matplotlib as mpl
    from cycler import cycler

    mpl.rcParams.update(
        {
            "figure.figsize": (7.0, 4.2),
            "figure.dpi": 110,
            "figure.facecolor": "white",
            "savefig.facecolor": "white",
            "savefig.bbox": "tight",
            "axes.facecolor": "white",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler(color=list(COLOURS.values())),
            "axes.grid": True,
            "grid.color": "#e5e5e5",
            "grid.linewidth": 0.8,
            "axes.axisbelow": True,
            "font.size": 11,
            "legend.frameon": False,
            "lines.linewidth": 2.0,
        }
    )


def plot_value_and_bound(ax: "Axes", decision: Decision, data: OfflineData, means: Array | None = None) -> None:
    """Figure 3 of the paper: against the radius, what the best mixture is estimated to earn and guaranteed to earn.

    With the true ``means`` known, also what it does earn.
    """
    if decision.band is None or decision.objective is None:
        raise ValueError(f"a decision by {decision.method} has no radius to plot against")
    band = decision.band
    share = band.radii / band.radii[0] if band.radii[0] > 0 else band.radii
    estimate = band.region.suprema(data.means, band.radii) + band.region.reference @ data.means
    ax.plot(share, estimate, color=COLOURS["quiet"], label="estimated value")
    if means is not None:
        truth = [band.region.policy(data.means, r) @ means for r in band.radii]
        ax.plot(share, truth, color=COLOURS["trust"], label="true value")
    ax.plot(share, estimate - band.value_widths, color=COLOURS["bound"], label="guaranteed value")
    best = int(np.argmax(decision.objective))
    ax.axvline(share[best], color=COLOURS["truth"], linestyle=":", linewidth=1.2, label="critical radius")
    ax.set(xscale="log", xlabel="radius / largest radius", ylabel="value (reward per play)")
    ax.legend()


def simplex_xy(weights: Array) -> Array:
    """Mixtures of three arms, (..., 3), as points of an equilateral triangle, (..., 2)."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
    return np.asarray(weights) @ corners


def slider_html(figure: Any, draw: Any, frames: int, dpi: int = 80) -> str:
    """A figure with a slider and a play button that work in a static page, with no network.

    ``draw(i)`` draws frame i. Matplotlib's page asks for an icon font from the web; the buttons get text instead.
    """
    import re

    from matplotlib.animation import FuncAnimation

    figure.set_dpi(dpi)
    html = FuncAnimation(figure, draw, frames=frames).to_jshtml(default_mode="once")
    html = re.sub(r'<link rel="stylesheet"\s+href="[^"]*font-awesome[^"]*">', "", html)
    icons = {
        "fa-minus": "&minus;", "fa-fast-backward": "&#9198;", "fa-step-backward": "&#9664;",
        "fa-play fa-flip-horizontal": "&#9668;", "fa-pause": "&#10074;&#10074;", "fa-play": "&#9658;",
        "fa-step-forward": "&#9654;", "fa-fast-forward": "&#9197;", "fa-plus": "+",
    }  # fmt: skip
    for icon, text in icons.items():
        html = html.replace(f'<i class="fa {icon}"></i>', text)
    return html
