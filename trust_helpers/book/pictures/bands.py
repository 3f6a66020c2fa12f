"""Chapter 7's pictures: noise under the bands, and Stein's correction along the radius."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import default_rng
from numpy.typing import ArrayLike

from ...band import Band
from ...data import OfflineData
from ...stein import stein_estimate
from ..style import COLOURS, line, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_bias_left_beside_where_it_ends",
    "draw_corrected_value_along_radius",
    "draw_noise_curves_under_bands",
    "draw_ranks_beside_what_chance_allows",
    "draw_width_ratios_by_design",
]

MEAN_DRAWS = 400


def draw_noise_curves_under_bands(ax: "Axes", bands: Mapping[str, Band], seed: int, curves: int = 50) -> None:
    """Suprema of fresh Gaussian noise against the radius, as multiples of their mean, and a design's bands over them.

    A curve that leaves a band anywhere counts against it, so the tightest honest band just holds most of the curves.
    """
    first = next(iter(bands.values()))
    region, radii, rng = first.region, first.radii, default_rng(seed)
    noise = rng.standard_normal((max(curves, MEAN_DRAWS), region.n_arms)) / np.sqrt(region.precision)
    suprema = region.suprema(noise, radii)
    mean, share = suprema.mean(axis=0), radii / radii[0]
    ax.plot(share, (suprema[:curves] / mean).T, color=COLOURS["noise"], linewidth=0.7, alpha=0.6)
    dashes = ("-", (0, (5, 2)), (0, (1, 1)), (0, (6, 2, 1, 2)))
    for (name, band), dash in zip(bands.items(), dashes, strict=False):
        ratio = band.widths / mean
        ax.plot(share, ratio, color=COLOURS["truth"], linestyle=dash, linewidth=2, label=name)
    ax.plot([], [], color=COLOURS["noise"], label=f"{curves} noise curves")
    ax.legend(loc="upper left")
    ax.set(xscale="log", xlabel="radius / largest radius", ylabel="supremum / its mean")


def draw_corrected_value_along_radius(ax: "Axes", data: OfflineData, means: ArrayLike, radii: ArrayLike) -> None:
    """Against the radius, the plain estimate of the best mixture's value, Stein's correction of it, and the truth."""
    region, truth = data.region, np.asarray(means, dtype=float)
    grid = np.asarray(radii, dtype=float)
    share = grid / region.largest_radius
    weights = [region.policy(data.means, radius) for radius in grid]
    made = [stein_estimate(region, data.means, radius) for radius in grid]
    value = np.array([np.nan if one is None else one.value for one in made])
    error = np.array([np.nan if one is None else one.standard_error for one in made])
    ax.plot(share, [w @ data.means for w in weights], **line("estimate"), label="plain estimate")
    ax.fill_between(share, value - error, value + error, color=COLOURS["stein"], alpha=0.2, lw=0)
    ax.plot(share, value, **line("stein"), label="corrected, with its standard error")
    ax.plot(share, [w @ truth for w in weights], **line("truth"), label="true value")
    ax.set(xscale="log", xlabel="radius / largest radius", ylabel="value (reward per play)")
    ax.legend(labelcolor=[readable(m) for m in ("estimate", "stein", "truth")])


def draw_ranks_beside_what_chance_allows(ax: "Axes", beaten: ArrayLike, bins: int = 10, curves: int = 100) -> None:
    """How many other curves one noise curve beat, in bins, beside the expected number give or take two deviations."""
    trials = np.asarray(beaten).size
    expected, spread = trials / bins, 2 * np.sqrt(trials / bins * (1 - 1 / bins))
    ax.hist(beaten, np.linspace(0, curves, bins + 1).tolist(), color=COLOURS["noise"], rwidth=0.9)
    ax.axhspan(expected - spread, expected + spread, color=COLOURS["quiet"], alpha=0.2, lw=0)
    ax.axhline(expected, **line("quiet"))
    ax.set(xlabel=f"curves beaten, of {curves - 1}", ylabel="trials")


def draw_width_ratios_by_design(ax: "Axes", ratios: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> None:
    """Calibrated over paper's width against the radius: thicker with more arms, dashed for unequal precisions."""
    thick = {"50": 0.9, "200": 1.8, "1,000": 3.0}
    for name, (share, ratio) in ratios.items():
        dash = "--" if name.startswith("unequal") else "-"
        ax.semilogx(share, ratio, **line("noise", linestyle=dash, linewidth=thick[name.split()[1]]), label=name)
    ax.axhline(1, **line("quiet"))
    ax.set(xlabel="radius / largest radius", ylabel="calibrated / paper's width")
    ax.legend(loc="lower left")


def draw_bias_left_beside_where_it_ends(
    ax: "Axes", parts: ArrayLike, bias: ArrayLike, error: ArrayLike, ends: Sequence[float]
) -> None:
    """Optimism left after Stein's correction with two standard errors; where its variance ends, and where its bias."""
    ax.errorbar(parts, bias, 2 * np.asarray(error), **line("stein", marker="o", capsize=3))
    for end, words, side in zip(ends, ("variance ends ", " bias ends"), ("right", "left"), strict=True):
        ax.axvline(end, **line("quiet"))
        ax.annotate(words, (end, 0.9), xycoords=("data", "axes fraction"), ha=side)
    ax.set(xlabel="radius / largest radius", ylabel="bias (noise deviations)")
