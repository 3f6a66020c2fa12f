"""How far to trust: the water level, signal minus noise, the draws behind the band, and the flat top of the promise."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...band import Band
from ...checks import Array
from ...data import OfflineData
from ...decision import Decision, TrustDecision
from ...quantiles import order_statistic
from ...region import TrustRegion
from ..style import COLOURS, label_line, line, readable, spot
from .rewards import stacked_rewards

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..experiments.radius import FlatTop

__all__ = [
    "draw_band_beside_single_arms",
    "draw_flat_top_of_the_guarantee",
    "draw_noise_of_regions",
    "draw_signal_minus_noise",
    "draw_suprema_on_a_line",
    "draw_water_level",
    "draw_weights_over_rewards",
    "water_level",
]


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


def draw_water_level(ax: "Axes", data: OfflineData, radius: float) -> None:
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


def draw_signal_minus_noise(ax: "Axes", decision: TrustDecision, data: OfflineData, zoom: float = 12.0) -> None:
    """The paper's central idea: what the log offers, what noise alone could offer, and the radius of the widest gap.

    Shown are the radii within a factor ``zoom`` below and half of it above the critical one.
    """
    band, best = decision.band, int(np.argmax(decision.objective))
    near = (band.radii >= decision.radius / zoom) & (band.radii <= decision.radius * zoom / 2)
    share, signal = band.radii[near] / band.radii[0], band.region.suprema(data.means, band.radii[near])
    noise, critical = band.widths[near], band.radii[best] / band.radii[0]
    ax.plot(share, signal, **line("estimate", linewidth=2.4))
    ax.plot(share, noise, **line("noise", linestyle="-", linewidth=2.4))
    ax.plot(share, signal - noise, **line("bound", linewidth=2.4))
    ax.fill_between(share, noise, signal, where=signal > noise, color=COLOURS["bound"], alpha=0.25, lw=0)
    ax.fill_between(share, 0, signal - noise, where=signal > noise, color=COLOURS["bound"], alpha=0.25, lw=0)
    ax.axhline(0, color=COLOURS["truth"], linewidth=1)
    ax.axvline(critical, **line("quiet", linewidth=1.2))
    _beside(ax, share, signal, critical, "signal: what the log offers ", "estimate", above=True)
    _beside(ax, share, noise, critical * zoom / 7, "noise: what\nchance could offer", "noise", above=False)
    top = {"xycoords": ("data", "axes fraction"), "ha": "center", "va": "bottom", "color": readable("quiet")}
    ax.annotate("critical radius", (critical, 1.0), **top)
    words = {"ha": "left", "va": "top", "color": readable("bound")}
    ax.annotate("signal minus noise", (float(share[-1]), 0.0), (0, -4), textcoords="offset points", **words)
    low = float((signal - noise).min())
    ax.set(xscale="log", xlabel="radius / largest radius", ylabel="improvement (reward units)")
    ax.set_ylim(max(low, -0.25 * float(noise.max())), None)


def draw_suprema_on_a_line(
    ax: "Axes", suprema: ArrayLike, delta: float, quantile: float | None = None, name: str = r"X_\varepsilon"
) -> None:
    """Simulated suprema as dots on a line, the order statistic that bounds their quantile, and the quantile if known.

    ``delta`` is the share of one radius, so that the rank is Q(M, delta) of Appendix B.
    """
    values = np.sort(np.asarray(suprema, dtype=float))
    rank = order_statistic(values.size, delta)
    chosen = float(values[values.size - rank])
    height = _pile(values)
    dots = spot("noise", marker="o", markersize=3.5, markeredgewidth=0)
    ax.plot(values, height, **dots, rasterized=values.size > 2000)
    ax.axvline(chosen, color=COLOURS["bound"], linewidth=2)
    ordinal = "largest draw" if rank == 1 else f"{rank}th largest of {values.size:,}"
    ax.annotate(f" {ordinal}", (chosen, 0.92), xycoords=("data", "axes fraction"), color=readable("bound"))
    if quantile is not None:
        ax.axvline(quantile, **line("truth", linestyle="--", linewidth=1.5))
        ax.annotate(r"quantile $q$ ", (quantile, 0.78), xycoords=("data", "axes fraction"), ha="right")
    ax.set(xlabel=f"supremum of the noise, ${name}$ (reward units)", yticks=[], ylim=(0, 1.25 * height.max() + 1))
    ax.grid(visible=False, axis="y")
    ax.spines["left"].set_visible(False)


def draw_noise_of_regions(ax: "Axes", shares: ArrayLike, suprema: Array) -> None:
    """A histogram of the noise supremum for each radius, a share of the largest, all of the same height.

    ``suprema`` has a column for each radius. Every second label stands higher, so that neighbours keep apart.
    """
    bins = np.linspace(0, 1.05 * suprema.max(), 160)
    for i, (part, x) in enumerate(zip(np.asarray(shares, dtype=float), suprema.T, strict=True)):
        bars = np.histogram(x, bins)[0]
        ax.stairs(bars / bars.max(), bins, fill=True, color=COLOURS["noise"])
        ax.annotate(f"radius {part:g}", (x.mean(), 1.2 if i % 2 else 1.03), ha="center", va="bottom")
    ax.set(xlabel="largest noise in the region (reward units)", yticks=[], ylim=(0, 1.35))


def draw_band_beside_single_arms(ax: "Axes", band: Band, single: float) -> None:
    r"""The band against the radius, what it would be without the walls of the simplex, and LCB's half width.

    Without walls the supremum over the ball is the radius times :math:`\chi_{d-1}`, about :math:`\varepsilon\sqrt d`.
    """
    share, ball = band.radii / band.radii[0], band.radii * np.sqrt(band.region.n_arms)
    ax.loglog(share, band.widths, **line("noise", linestyle="-", linewidth=2.6))
    ax.loglog(share, ball, **line("quiet"))
    ax.axhline(single, **line("lcb"))
    bend = float(np.sqrt(share[0] * share[-1]))
    label_line(ax, share, band.widths, "the band", "noise", at=share[0] / 4, above=False)
    label_line(ax, share, ball, "radius \N{MULTIPLICATION SIGN} \N{SQUARE ROOT}d", "quiet", at=bend / 2, ha="right")
    label_line(ax, [bend, 1], [single, single], "LCB's half width", "lcb", at=bend / 2)
    ax.set(xlabel="radius / largest radius", ylabel="noise bound (reward units)")
    ax.set_ylim(band.widths[-1] / 2, 3 * single)


def draw_flat_top_of_the_guarantee(ax: "Axes", top: "FlatTop", printed: float) -> None:
    """True and guaranteed value near the critical radius, the range where the guarantee hardly changes shaded.

    A line marks the radius that the paper prints, a share of the largest.
    """
    ax.plot(top.share, top.truth, **line("truth"))
    ax.plot(top.share, top.guarantee, **line("bound"))
    ax.axvspan(*top.flat, color=COLOURS["bound"], alpha=0.15, lw=0)
    ax.axvline(printed, **line("quiet", linewidth=1.5))
    label_line(ax, top.share, top.truth, "true value", "truth", at=0.017, above=False)
    label_line(ax, top.share, top.guarantee, "guaranteed value", "bound", at=0.016)
    ax.annotate(" paper's radius", (printed, 0.03), xycoords=("data", "axes fraction"))
    ax.set(xlabel="radius / largest radius", ylabel="mean over logs (reward per play)")
    ax.locator_params(axis="x", nbins=5)


def draw_weights_over_rewards(ax: "Axes", data: OfflineData, decision: Decision, means: ArrayLike) -> None:
    """The rewards seen, good and bad arms stacked, and over them how often the mixture plays an arm of each reward."""
    truth = np.asarray(means, dtype=float)
    stacked_rewards(ax, data, truth > (truth.max() + truth.min()) / 2)
    ax.set_ylim(0, 1.35 * ax.get_ylim()[1])
    order = np.argsort(data.means)
    share = ax.twinx()
    x, y = data.means[order], data.n_arms * decision.weights[order]
    keep = np.unique(np.r_[0, np.flatnonzero(y > 0)[:1] - 1, np.flatnonzero(y > 0)[:1], y.size - 1].clip(0))
    keep = keep if _is_one_line(x, y) else np.arange(y.size)
    share.plot(x[keep], y[keep], color="white", linewidth=5)
    share.plot(x[keep], y[keep], **line("trust", linewidth=2.5))
    share.set(yticks=[], ylim=(0, 1.25 * max(float(y.max()), 1e-12)))
    share.grid(visible=False)
    share.spines[:].set_visible(False)
    ax.plot([], [], **line("trust", linewidth=2.5), label="how often it is played")
    ax.set(xlabel="the reward seen (reward units)", ylabel="number of arms")
    ax.legend(loc="upper left")


def _is_one_line(x: Array, y: Array) -> bool:
    """Whether the played arms lie on one straight line, as they do when all precisions are equal."""
    played = y > 0
    if played.sum() < 3 or np.ptp(x[played]) == 0:
        return False
    fitted = np.polyval(np.polyfit(x[played], y[played], 1), x[played])
    return bool(np.abs(fitted - y[played]).max() <= 1e-6 * y.max())


def _beside(ax: "Axes", x: Array, y: Array, at: float, text: str, meaning: str, above: bool) -> None:
    """A label beside a curve on a logarithmic axis."""
    order = np.argsort(x)
    height = float(np.interp(np.log(at), np.log(x[order]), y[order]))
    words = {"ha": "right" if above else "left", "va": "bottom" if above else "top", "color": readable(meaning)}
    ax.annotate(text, (at, height), (-4 if above else 6, 2 if above else -4), textcoords="offset points", **words)


def _pile(values: Array, columns: int = 110) -> Array:
    """A height for each dot, so that dots that would cover each other lie on top of each other."""
    span = float(np.ptp(values)) or 1.0
    column = ((values - values.min()) / span * columns).astype(int)
    return np.array([np.count_nonzero(column[:i] == column[i]) for i in range(values.size)], dtype=float) + 0.5
