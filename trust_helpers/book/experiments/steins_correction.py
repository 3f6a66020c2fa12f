"""Chapter 7's experiments on Stein's correction: what it leaves, where it holds, and the three ways it breaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from scipy import stats

from ...algorithm import trust
from ...band import Band, band_for
from ...checks import Array, frozen
from ...instances import Instance
from ...region import TrustRegion
from ...stein import stein_estimate, stein_radius
from ...trials import Share, share
from ..table import number, plus_minus

__all__ = [
    "Corrected",
    "Looks",
    "SteinErrors",
    "correct_at_three_radii",
    "jacobian_rows",
    "jacobian_spectrum",
    "look_at_radii",
    "missed_at_chosen_radii",
    "misstated_rows",
    "plain_corrected_and_true",
    "radius_with_more_arms_than",
    "stein_errors",
]


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


def jacobian_rows(region: TrustRegion, x: Array, radius: float) -> tuple[list[dict[str, object]], int]:
    """Eigenvalues of the Jacobian times P h beside what theory says of them, and k, the number of arms played."""
    made = stein_estimate(region, x, radius)
    assert made is not None  # for mypy: the radius is one at which more than two arms are played
    k = made.support
    scaled = jacobian_spectrum(region, x, radius) * (k - 2) / made.correction
    found = {
        "the largest": (scaled[0], 1.0),
        f"number {k - 2}": (scaled[k - 3], 1.0),
        "largest of the rest, absolute": (np.abs(scaled[k - 2 :]).max(), 0.0),
        "their sum": (scaled.sum(), k - 2.0),
    }
    rows = [{"eigenvalues of J, times P h": n, "found": seen, "theory": said} for n, (seen, said) in found.items()]
    return rows, k


@dataclass(frozen=True, eq=False)
class Corrected:
    """Stein's correction on logs of one design, at one radius."""

    design: str
    seen: SteinErrors

    @property
    def away(self) -> float:
        """How many standard errors the remaining bias is from zero."""
        return abs(self.seen.bias[0] / self.seen.bias[1])

    def row(self, delta: float) -> dict[str, object]:
        """As a row of a table, with the misses of a normal bound at 1 - delta."""
        return {
            "design": self.design,
            "arms": round(self.seen.support.mean()),
            "optimism": float(self.seen.optimism.mean()),
            "left": plus_minus(*self.seen.bias, ".4f"),
            "deviation": float(self.seen.left.std()),
            "formula": float(np.sqrt((self.seen.error**2).mean())),
            "missed": number(self.seen.missed(delta), ".1%"),
        }


def correct_at_three_radii(
    cases: Mapping[str, tuple[TrustRegion, Array]], logs: int, rng: Generator
) -> list[Corrected]:
    """The correction on every design, at 0.1, 0.3 and 0.6 of the largest radius that the theorem allows."""
    return [
        Corrected(f"{name}, {part:g}", stein_errors(region, means, part * stein_radius(region), logs, rng))
        for name, (region, means) in cases.items()
        for part in (0.1, 0.3, 0.6)
    ]


Looks = dict[str, tuple[Share, Share, Share]]


def look_at_radii(
    instances: Mapping[str, Instance], delta: float, draws: int, logs: int, seed: int, rng: Generator
) -> Looks:
    """:func:`missed_at_chosen_radii` on several instances, each with a calibrated band of its own."""
    found: Looks = {}
    for name, instance in instances.items():
        band = band_for(TrustRegion(1 / instance.sigma**2), delta, "calibrated", seed, draws=draws)
        found[name] = missed_at_chosen_radii(instance, band, logs, rng)
    return found


def misstated_rows(
    region: TrustRegion, means: Array, radius: float, parts: Sequence[float], logs: int, rng: Generator
) -> list[dict[str, object]]:
    """The correction on logs whose noise is so many times what is stated."""
    rows: list[dict[str, object]] = []
    for part in parts:
        seen = stein_errors(region, means, radius, logs, rng, part)
        shown = {"optimism": float(seen.optimism.mean()), "left after the correction": plus_minus(*seen.bias, ".3f")}
        rows.append({"true noise over stated": number(part, ".2f"), **shown})
    return rows


def plain_corrected_and_true(instance: Instance, part: float, logs: int, rng: Generator) -> Array:
    """Mean plain and corrected estimate, and mean true value, at a radius of ``part`` of the largest."""
    region = TrustRegion(1 / instance.sigma**2)
    radius, three = part * region.largest_radius, np.zeros(3)
    for _ in range(logs):
        log = instance.sample(rng)
        guess = stein_estimate(region, log.means, radius)
        assert guess is not None  # for mypy: many arms are played
        true = instance.value(region.policy(log.means, radius))
        three += np.array([guess.value + guess.correction, guess.value, true]) / logs
    return three
