"""Pictures that two pages share; what one page draws stands in that page.

Every function draws on an Axes that it is given, with the colours of :mod:`trust_helpers.book.style`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..data import OfflineData
from ..decision import TrustDecision
from ..region import TrustRegion
from .style import COLOURS, label_line, line, readable

Boxes = Mapping[str, tuple[float, float, str, str]]


def draw_worst_mixture_of_noise(ax: Axes, noise: ArrayLike) -> None:
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


def water_level(region: TrustRegion, x: ArrayLike, radius: float) -> float:
    r"""The level :math:`\lambda` of the best mixture, :math:`w_i\propto p_i(x_i-\lambda)_+`; -infinity at radius 0.

    Where a single arm is played, or several of the same reward, the level is that of the best arm left out.

    >>> region = TrustRegion([1.0, 1.0, 1.0, 1.0])
    >>> level, rewards = water_level(region, [0.0, 1.0, 2.0, 3.0], 0.5), np.arange(4.0)
    >>> weights = np.maximum(rewards - level, 0)
    >>> bool(np.allclose(weights / weights.sum(), region.policy(rewards, 0.5)))
    True
    """
    rewards = np.asarray(x, dtype=float)
    share = region.policy(rewards, radius) / region.precision  # proportional to the height above the water
    played = share > 0
    low, high = (int(i) for i in (np.argmin(np.where(played, rewards, np.inf)), np.argmax(rewards)))
    slope = (share[high] - share[low]) / (rewards[high] - rewards[low]) if rewards[high] > rewards[low] else 0.0
    if slope > 0:
        return float(rewards[high] - share[high] / slope)
    return float(rewards[~played].max()) if not played.all() else -np.inf


def draw_water_level(ax: Axes, data: OfflineData, radius: float) -> None:
    """Rewards as bars over a common floor, and the water level; what stands above it is the weight of an arm."""
    order = np.argsort(data.means)[::-1]
    seen, place = data.means[order], np.arange(data.n_arms)
    level = max(water_level(data.region, data.means, radius), float(seen.min()) - 0.1 * float(np.ptp(seen)))
    floor = min(level, float(seen.min())) - 0.1 * float(np.ptp(seen))
    under = np.minimum(seen, level) - floor
    ax.bar(place, under, bottom=floor, color=COLOURS["bad"], width=0.8, label="under water: not played")
    above = np.maximum(seen - level, 0)
    ax.bar(place, above, bottom=level, color=COLOURS["trust"], width=0.8, label="above: the weight of the arm")
    ax.axhline(level, **line("noise", linestyle="-", linewidth=2.5))
    text = {"ha": "right", "va": "bottom", "color": readable("noise")}
    ax.annotate(r"level $\lambda$", (place[-1] + 0.5, level), (0, 3), textcoords="offset points", **text)
    ax.set(xlabel="arms, sorted by their reward", ylabel="reward seen", xticks=[], ylim=(floor, None))
    ax.grid(visible=False, axis="x")
    ax.legend(loc="upper right")


def draw_signal_minus_noise(ax: Axes, decision: TrustDecision, data: OfflineData) -> None:
    """The paper's central idea: what the log offers, what noise alone could offer, and the radius of the widest gap.

    Shown are the radii from a twelfth of the critical one to six times it.
    """
    band, best = decision.band, int(np.argmax(decision.objective))
    near = (band.radii >= decision.radius / 12) & (band.radii <= decision.radius * 6)
    share, signal = band.radii[near] / band.radii[0], band.region.suprema(data.means, band.radii[near])
    noise, critical = band.widths[near], band.radii[best] / band.radii[0]
    ax.plot(share, signal, **line("estimate", linewidth=2.4))
    ax.plot(share, noise, **line("noise", linestyle="-", linewidth=2.4))
    ax.plot(share, signal - noise, **line("bound", linewidth=2.4))
    ax.fill_between(share, noise, signal, where=signal > noise, color=COLOURS["bound"], alpha=0.25, lw=0)
    ax.fill_between(share, 0, signal - noise, where=signal > noise, color=COLOURS["bound"], alpha=0.25, lw=0)
    ax.axhline(0, color=COLOURS["truth"], linewidth=1)
    ax.axvline(critical, **line("quiet", linewidth=1.2))
    label_line(ax, share, signal, "signal: what the log offers ", "estimate", critical, ha="right")
    label_line(ax, share, noise, "noise: what\nchance could offer", "noise", critical * 12 / 7, False, ha="left")
    top = {"xycoords": ("data", "axes fraction"), "ha": "center", "va": "bottom", "color": readable("quiet")}
    ax.annotate("critical radius", (critical, 1.0), **top)
    words = {"ha": "left", "va": "top", "color": readable("bound")}
    ax.annotate("signal minus noise", (float(share[-1]), 0.0), (0, -4), textcoords="offset points", **words)
    low = float((signal - noise).min())
    ax.set(xscale="log", xlabel="radius / largest radius", ylabel="improvement (reward units)")
    ax.set_ylim(max(low, -0.25 * float(noise.max())), None)


def draw_boxes_and_arrows(ax: Axes, boxes: Boxes, arrows: Sequence[tuple[str, str, str]]) -> None:
    """Boxes ``name: (x, y, text, meaning)`` and arrows ``(from, to, label)`` between them, on an empty Axes."""
    drawn = {}
    for name, (x, y, text, meaning) in boxes.items():
        style = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": COLOURS[meaning], "linewidth": 1.8}
        drawn[name] = ax.text(x, y, text, ha="center", va="center", bbox=style, fontsize=11, zorder=3)
    for start, end, label in arrows:  # above the boxes, whose edges are known only once they are drawn
        way = {"arrowstyle": "-|>", "color": COLOURS["quiet"], "linewidth": 1.5}
        ends = {"patchA": drawn[start].get_bbox_patch(), "patchB": drawn[end].get_bbox_patch()}
        (x0, y0, *_), (x1, y1, *_) = boxes[start], boxes[end]
        ax.annotate("", (x1, y1), (x0, y0), arrowprops=way | ends | {"shrinkA": 0, "shrinkB": 2}, zorder=5)
        if label:
            middle = ((x0 + x1) / 2, (y0 + y1) / 2)
            pad = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
            ax.text(*middle, label, ha="center", va="center", bbox=pad, fontsize=11, zorder=6)
    xs, ys = [box[0] for box in boxes.values()], [box[1] for box in boxes.values()]
    ax.set(xlim=(min(xs) - 0.95, max(xs) + 0.95), ylim=(min(ys) - 0.6, max(ys) + 0.6))
    ax.set_axis_off()
