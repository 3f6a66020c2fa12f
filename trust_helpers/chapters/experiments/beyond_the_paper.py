"""Chapter 7's experiments: the calibrated band beside the paper's, and Stein's correction where it holds and breaks."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import ArrayLike
from scipy import stats

from ...algorithm import trust
from ...band import Band, band_for
from ...checks import Array, frozen
from ...instances import Instance
from ...quantiles import conformal_rank, draws_for
from ...region import TrustRegion
from ...simulate import noise_suprema
from ...stein import stein_estimate, stein_radius
from ...trials import Share, binomial_error, share

__all__ = [
    "Coverage",
    "FewDraws",
    "SteinErrors",
    "curve_ranks",
    "jacobian_spectrum",
    "missed_at_chosen_radii",
    "radius_with_more_arms_than",
    "six_designs",
    "stein_errors",
    "try_coverage",
    "try_few_draws",
]

FRESH = 7  # a stream of the seed that no band uses


def six_designs(seed: int) -> dict[str, TrustRegion]:
    """Equal precisions, and counts from 1 to 20 with noise levels that differ by a factor of four."""
    rng, sizes = default_rng(seed), (50, 200, 1_000)
    designs = {f"equal, {d:,} arms": np.ones(d) for d in sizes}
    for d in sizes:
        designs[f"unequal, {d:,} arms"] = rng.integers(1, 21, d) / rng.permutation(np.geomspace(0.5, 2, d)) ** 2
    return {name: TrustRegion(precision) for name, precision in designs.items()}


def curve_ranks(region: TrustRegion, seed: int, rivals: int = 99, trials: int = 400) -> Array:
    """How many of ``rivals`` fresh noise curves one more beats, by its largest standardised excess, in each trial.

    Its rank is uniform: the step of the rank argument to watch.
    """
    radii = region.radii()
    pilot, _ = noise_suprema(region, radii, 512, seed, stream=FRESH + 1)
    fresh, _ = noise_suprema(region, radii, (rivals + 1) * trials, seed, stream=FRESH)
    scores = ((fresh - pilot.mean(axis=0)) / pilot.std(axis=0)).max(axis=1).reshape(trials, rivals + 1)
    return (scores[:, 1:] < scores[:, :1]).sum(axis=1).astype(float)


@dataclass(frozen=True, eq=False)
class Coverage:
    """How often fresh noise exceeds a band anywhere, and how wide the calibrated band is beside the paper's.

    Attributes
    ----------
    paper : Share
        Of the paper's band.
    calibrated, error : float
        Mean over several calibrated bands, and its standard error (bands and noise).
    value : float
        The same for their value widths.
    share, ratio, value_ratio : (n,) arrays
        The radii over the largest, and calibrated over paper's width there.
    """

    paper: Share
    calibrated: float
    error: float
    value: float
    share: Array
    ratio: Array
    value_ratio: Array


def try_coverage(region: TrustRegion, delta: float, draws: int, bands: int, noise: int, seed: int) -> Coverage:
    """One band of the paper's and several calibrated ones on the same fresh noise."""
    theirs = band_for(region, delta, "paper", seed, draws=draws_for(delta, 40, rank=3))
    ours = [band_for(region, delta, "calibrated", seed + i, draws=draws) for i in range(bands)]
    suprema, reference = noise_suprema(region, theirs.radii, noise, seed, stream=FRESH)
    each = np.array([band.exceeded(suprema).mean() for band in ours])
    value = float(np.mean([band.exceeded(suprema, reference).mean() for band in ours]))
    error = np.hypot(each.std(ddof=1) / np.sqrt(bands), binomial_error(delta, noise))
    ratio = np.mean([band.widths for band in ours], axis=0) / theirs.widths
    value_ratio = np.mean([band.value_widths for band in ours], axis=0) / theirs.value_widths
    return Coverage(
        share(theirs.exceeded(suprema)), float(each.mean()), float(error), value,
        frozen(theirs.radii / theirs.radii[0]), frozen(ratio), frozen(value_ratio),
    )  # fmt: skip


@dataclass(frozen=True)
class FewDraws:
    """Calibrated bands of so many draws: how often exceeded, how that varies and should vary, width at the largest."""

    draws: int
    exceeded: float
    spread: float
    theory: float
    width: float
    width_spread: float


def try_few_draws(region: TrustRegion, delta: float, draws: int, bands: int, noise: int, seed: int) -> FewDraws:
    r"""Bands of few draws; given its draws, the exceedance of a band is Beta(M + 1 - j, j) with j its rank."""
    made = [band_for(region, delta, "calibrated", seed + i, draws=draws) for i in range(bands)]
    suprema, _ = noise_suprema(region, made[0].radii, noise, seed, stream=FRESH)
    each = np.array([band.exceeded(suprema).mean() for band in made])
    widths, rank = np.array([band.widths[0] for band in made]), conformal_rank(draws, delta)
    theory = float(stats.beta(draws + 1 - rank, rank).std())
    return FewDraws(draws, float(each.mean()), float(each.std()), theory, float(widths.mean()), float(widths.std()))


def radius_with_more_arms_than(region: TrustRegion, arms: int) -> float:
    """The largest radius at which every mixture plays more than so many arms, or so many at the very edge.

    >>> region = TrustRegion(np.ones(20))
    >>> bool(np.isclose(radius_with_more_arms_than(region, 3), stein_radius(region)))
    True
    """
    most = np.sort(region.precision)[-arms:].sum()
    return float(np.sqrt(max(1 / most - region.reference_variance, 0.0)))


@dataclass(frozen=True, eq=False)
class SteinErrors:
    """Per log: the optimism of the chosen mixture, what the correction leaves of it, its standard error, and k."""

    optimism: Array
    left: Array
    error: Array
    support: Array

    @property
    def bias(self) -> tuple[float, float]:
        """The mean of what is left, and its standard error."""
        return float(self.left.mean()), float(self.left.std(ddof=1) / np.sqrt(self.left.size))

    def missed(self, delta: float) -> float:
        """How often a normal lower bound at 1 - delta lies above the truth."""
        return float((self.left > stats.norm.isf(delta) * self.error).mean())


def stein_errors(
    region: TrustRegion, means: ArrayLike, radius: float, logs: int, rng: Generator, scale: float = 1.0, law: str = ""
) -> SteinErrors:
    """Stein's correction at one radius, on logs whose noise is ``scale`` times what is stated.

    With ``law="student N"`` the noise is the mean of N Student variables of five degrees of freedom, of the same
    variance. Where the correction does not exist (two arms or fewer) nothing is subtracted.
    """
    r, root, rows = np.asarray(means, dtype=float), np.sqrt(region.precision), np.empty((4, logs))
    for i in range(logs):
        eta = scale * _unit_noise(rng, r.size, law) / root
        made, optimism = stein_estimate(region, r + eta, radius), float(region.policy(r + eta, radius) @ eta)
        correction = made.correction if made else 0.0
        error = made.standard_error if made else np.sqrt(radius**2 + region.reference_variance)
        rows[:, i] = optimism, optimism - correction, error, made.support if made else 2
    return SteinErrors(*(frozen(row) for row in rows))


def _unit_noise(rng: Generator, size: int, law: str) -> Array:
    """Noise of variance one."""
    if not law:
        return rng.standard_normal(size)
    pulls = int(law.removeprefix("student "))
    return rng.standard_t(5, (pulls, size)).mean(axis=0) * np.sqrt(3 / 5 * pulls)


def jacobian_spectrum(region: TrustRegion, x: Array, radius: float, step: float = 1e-6) -> Array:
    """Eigenvalues of the policy's Jacobian in whitened coordinates, by central differences, largest first."""
    root = np.sqrt(region.precision)
    moves = [step * unit / root for unit in np.eye(x.size)]
    change = np.array([region.policy(x + move, radius) - region.policy(x - move, radius) for move in moves])
    jacobian = change / (2 * step * root)
    return np.linalg.eigvalsh((jacobian + jacobian.T) / 2)[::-1]


def missed_at_chosen_radii(instance: Instance, band: Band, logs: int, rng: Generator) -> tuple[Share, Share, Share]:
    """How often a normal bound on Stein's estimate is too high: at a fixed radius, at TRUST's, and at its own best."""
    region, quantile = band.region, float(stats.norm.isf(band.delta))
    grid = band.radii[band.radii < stein_radius(region)][::2]
    over = np.zeros((logs, 3), dtype=bool)
    for i in range(logs):
        log = instance.sample(rng)
        radii = [*grid, trust(log, band.delta, band).radius]
        made = [stein_estimate(region, log.means, radius) for radius in radii]
        low = np.array([-np.inf if one is None else one.value - quantile * one.standard_error for one in made])
        high = low > [instance.value(region.policy(log.means, radius)) for radius in radii]
        over[i] = high[grid.size // 2], high[-1], high[low[:-1].argmax()]
    return share(over[:, 0]), share(over[:, 1]), share(over[:, 2])
