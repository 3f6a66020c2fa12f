"""Slips and gaps of the paper, each checked by a formula or a small simulation: rows for the errata page."""

from math import ceil, e, exp, log, sqrt
from typing import Any

import numpy as np
from numpy.random import default_rng
from scipy import stats

from .. import bounds
from ..band import band_for
from ..calibration import gaussian_width
from ..data import OfflineData
from ..instances import strong_signal
from ..quantiles import order_statistic
from ..region import TrustRegion
from ..simulate import noise_suprema
from ..trials import share
from . import exact, tables
from .claims import claim
from .reasons import most_variance

__all__ = [
    "best_radius_between_grid_points",
    "chernoff",
    "constants",
    "diameter",
    "largest_radius_both_ways",
    "least_weight_of_the_printed_optimum",
    "order_statistic_below_its_quantile",
    "simplex",
    "strong_signal_gain",
    "table1_bound",
    "tails",
    "two_bands",
    "variance",
    "where_claim_2_begins",
    "width_at_the_root",
]

Row = dict[str, Any]


def chernoff(samples: tuple[int, ...] = (10, 40, 160)) -> list[Row]:
    """Lemma C.7 for two equally likely arms: the probability, and the formula that is printed as its upper bound."""
    rows = []
    for n in samples:
        least = ceil(n / 4)
        both = stats.binom.cdf(n - least, n, 0.5) - stats.binom.cdf(least - 1, n, 0.5)
        rows.append({"samples": n, "probability": float(both), "formula": 1 - 2 * exp(-n / 16)})
    return rows


def width_at_the_root(arms: tuple[int, ...] = (100, 1_000), seed: int = 2024) -> list[Row]:
    r"""Equation (18) at radius :math:`1/\sqrt d`, where its logarithm is zero: the width, and Lemma C.5."""
    rows = []
    for d in arms:
        region, radius = TrustRegion(np.ones(d)), 1 / sqrt(d)
        mean, error = gaussian_width(region, radius, 400, seed)
        row = {"arms": d, "printed": 0.0, "width": float(mean[0]), "error": float(error[0])}
        rows.append(row | {"Lemma C.5": float(bounds.width_bound(region, radius)[0])})
    return rows


def simplex(d: int = 1_000, seed: int = 2024) -> list[Row]:
    """The width over the shifted simplex, over the hyperplane, and whether the unshifted simplex has a point there."""
    region = TrustRegion(np.ones(d))
    radii = np.array([1.0, 0.3, 0.1, 0.01]) * region.largest_radius
    mean, _ = gaussian_width(region, radii, 400, seed)
    return [
        {"radius": r, "shifted simplex": width, "hyperplane": r * sqrt(d - 1), "unshifted is empty": r < 1 / sqrt(d)}
        for r, width in zip(radii, mean, strict=True)
    ]


def table1_bound(delta: float = tables.DELTA) -> dict[str, float]:
    """LCB's bound in Table 1: its mean and middle 95 %, the chance of the printed one, and a guess at its source."""
    law, printed = exact.of_starved().lcb_bound(delta), claim("table1.lcb_bound")
    return {
        "mean": exact.of_starved().mean_lcb_bound(delta),
        "low": law.quantile(0.025),
        "high": law.quantile(0.975),
        "chance": law.at_most(printed.value + printed.rounding),
        "guess": 1 - exact.lcb_half_width(10_000, delta),
    }


def variance() -> list[Row]:
    """Table 2's "variance" against the largest variance, and standard deviation, that its mean and minimum allow."""
    rows = []
    for name in ("lcb", "trust"):
        mean, least, printed = (claim(f"table2.{name}_{what}").value for what in ("mean", "min", "variance"))
        most = most_variance(mean, least)
        rows.append({"method": name.upper(), "printed": printed, "variance at most": most, "deviation": sqrt(most)})
    return rows


def strong_signal_gain(d: int = 400, sigma: float = 0.1, delta: float = 0.1, logs: int = 200, seed: int = 2024) -> Row:
    r"""Appendix A with d arms, half of them good, at radius :math:`1/\sqrt d`: the bound, and the least gain seen."""
    instance, region, rng = strong_signal(d // 2, sigma), TrustRegion(np.ones(d)), default_rng(seed)
    gains = [region.improvement(instance.sample(rng).means, 1 / sqrt(d)) @ instance.means for _ in range(logs)]
    bound = bounds.strong_signal_improvement(1 / sqrt(d), d // 2, sigma, delta)
    return {"bound": bound, "least gain": float(min(gains))}


def least_weight_of_the_printed_optimum(d: int = 400) -> float:
    r"""With 2d arms the printed optimum steps :math:`1/(\sqrt2\,d)` down from :math:`1/(2d)`: its smallest weight."""
    return 1 / (2 * d) - 1 / (sqrt(2) * d)


def tails(arms: tuple[int, ...] = (1, 5, 400), delta: float = 1e-6) -> list[Row]:
    """The two steps of Appendix A's tail bound, by the exact chi-square law, against the share each may use."""
    a, rows = log(2 / delta), []
    for d in arms:
        first = stats.chi2.sf(d + sqrt(8 * a * d), d)
        second = stats.chi2.sf((sqrt(d) + sqrt(2 * a)) ** 2, d)
        rows.append({"arms": d, "allowed": delta / 2, "printed step": float(first), "our step": float(second)})
    return rows


def constants(delta: float = 0.1) -> list[Row]:
    """Theorem C.1, claim 2, on fifty equally likely arms and 50,000 samples: printed and with the constants it has."""
    uniform = np.full(50, 1 / 50)
    gaps = [bounds.fine_grained_gap_to_best(uniform, 0, 50_000, 40, delta, printed=p) for p in (True, False)]
    return [{"constants": name, "bound": gap} for name, gap in zip(("printed", "mended"), gaps, strict=True)]


def diameter(seed: int = 2024) -> list[Row]:
    """D as printed, the true one, and the largest ratio of the width to Lemma C.5 with the printed D."""
    rows = []
    for sigma in (np.ones(2), np.array([10.0, 0.1]), np.geomspace(0.1, 10, 20)):
        log_ = OfflineData(np.zeros(sigma.size), np.ones(sigma.size, int), sigma)
        wrong, radii = bounds.printed_diameter(log_), log_.region.radii(1.5, 12)
        inside = np.minimum((radii / wrong) ** 2, 1)
        second = 4 * wrong * np.sqrt(bounds.log_plus(4 * e * sigma.size * inside))
        mean, _ = gaussian_width(log_.region, radii, 2_000, seed)
        ratio = float((mean / np.minimum(radii * sqrt(sigma.size), second)).max())
        rows.append(
            {"arms": sigma.size, "printed D": wrong, "true D": log_.region.largest_radius, "width / bound": ratio}
        )
    return rows


def two_bands(delta: float = 0.1, seed: int = 2024) -> list[Row]:
    """Two bands that both cover, neither of which can be lowered by a factor: higher at one end, lower at the other."""
    region = TrustRegion(np.ones(50))
    radii = region.radii()
    pilot, curves, fresh = (noise_suprema(region, radii, n, seed, s)[0] for n, s in ((512, 8), (4_000, 9), (4_000, 7)))
    centre, unit, rows = pilot.mean(axis=0), pilot.std(axis=0), []
    for tilt in (-0.1, 0.1):
        scale = unit * (radii / radii[0]) ** tilt
        excess = np.quantile(((curves - centre) / scale).max(axis=1), 1 - delta) * scale / unit
        over = share((fresh > centre + excess * unit).any(axis=1))
        rows.append({"exceeded in": str(over), "at the largest radius": excess[0], "at the smallest": excess[-1]})
    return rows


def best_radius_between_grid_points(seed: int = 2024) -> tuple[float, float]:
    """Lemma 5.2: the best objective over 2,000 radii, and over the grid alone."""
    instance = tables.instance_of("general")
    region = TrustRegion(1 / instance.sigma**2)
    band = band_for(region, tables.DELTA, seed=seed, draws=400)
    means = instance.sample(default_rng(seed)).means
    radii = np.union1d(np.linspace(0, 1, 2_001)[1:] * band.radii[0], band.radii)
    gain = region.suprema(means, radii[::-1])[::-1]
    swept = (gain - band.widths[[band.at(r) for r in radii]]).max()
    return float(swept), float((region.suprema(means, band.radii) - band.widths).max())


def where_claim_2_begins(d: int = 10_000, delta: float = 0.1, sigma: float = 0.5) -> float:
    """What claim 2 of Theorem 3.1, with 16, lets LCB lose at the fewest samples per arm that it needs at 1 - delta.

    >>> round(where_claim_2_begins(), 2)
    1.47
    """
    samples = d * exact.least_samples_for_lcb(delta)
    return sigma * bounds.lcb_gap_to_best(d, samples, d, delta / 2)


def order_statistic_below_its_quantile(draws: int = 500, delta: float = 0.05) -> float:
    """Appendix B: the probability that the order statistic lies below the quantile it must exceed, by the binomial."""
    return float(stats.binom.cdf(order_statistic(draws, delta) - 1, draws, delta))


def largest_radius_both_ways(seed: int = 2024) -> tuple[float, float]:
    r"""Section 4's :math:`\varepsilon_0` as printed, and :math:`\sqrt{\max_i1/p_i-1/S}`, on thirty uneven arms."""
    rng = default_rng(seed)
    p = rng.integers(1, 9, 30) / rng.uniform(0.5, 2, 30) ** 2
    printed = sqrt(float(((np.eye(30) - p / p.sum()) ** 2 / p).sum(axis=1).max()))
    return printed, TrustRegion(p).largest_radius
