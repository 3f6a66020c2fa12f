"""Chapter 7's experiments on the calibrated band: its coverage, its width, what it buys, and around other centres."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import default_rng
from numpy.typing import ArrayLike
from scipy import stats

from ...band import band_for
from ...checks import Array, frozen
from ...instances import Instance
from ...quantiles import conformal_rank, draws_for
from ...region import TrustRegion
from ...simulate import noise_suprema
from ...trials import Played, Share, binomial_error, play, share
from ..table import number, plus_minus

__all__ = [
    "Bought",
    "Centred",
    "Coverage",
    "FewDraws",
    "curve_ranks",
    "least_to_largest",
    "play_around_centres",
    "play_either_band",
    "six_designs",
    "try_coverage",
    "try_few_draws",
]

FRESH = 7  # a stream of the seed that no band uses


def least_to_largest(values: ArrayLike, form: str) -> str:
    """The least and the largest of some numbers, in words.

    >>> least_to_largest([0.97, 0.6, 0.8], ".2f")
    '0.60 to 0.97'
    """
    return f"{number(np.min(values), form)} to {number(np.max(values), form)}"


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
    calibrated : Share
        Mean over several calibrated bands, and its standard error (bands and noise).
    value : float
        The same for their value widths.
    share, ratio, value_ratio : (n,) arrays
        The radii over the largest, and calibrated over paper's width there.
    """

    paper: Share
    calibrated: Share
    value: float
    share: Array
    ratio: Array
    value_ratio: Array

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        return {
            "paper's": number(self.paper.value, ".2%"),
            "calibrated": str(self.calibrated),
            "value widths": number(self.value, ".1%"),
            "width ratio": least_to_largest(self.ratio, ".2f"),
        }


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
        share(theirs.exceeded(suprema)), Share(float(each.mean()), float(error)), value,
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

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        return {
            "draws": self.draws,
            "exceeded": number(self.exceeded, ".1%"),
            "spread": number(self.spread, ".1%"),
            "Beta law": number(self.theory, ".1%"),
            "width": plus_minus(self.width, self.width_spread, ".2f"),
        }


def try_few_draws(region: TrustRegion, delta: float, draws: int, bands: int, noise: int, seed: int) -> FewDraws:
    r"""Bands of few draws; given its draws, the exceedance of a band is Beta(M + 1 - j, j) with j its rank."""
    made = [band_for(region, delta, "calibrated", seed + i, draws=draws) for i in range(bands)]
    suprema, _ = noise_suprema(region, made[0].radii, noise, seed, stream=FRESH)
    each = np.array([band.exceeded(suprema).mean() for band in made])
    widths, rank = np.array([band.widths[0] for band in made]), conformal_rank(draws, delta)
    theory = float(stats.beta(draws + 1 - rank, rank).std())
    return FewDraws(draws, float(each.mean()), float(each.std()), theory, float(widths.mean()), float(widths.std()))


@dataclass(frozen=True, eq=False)
class Bought:
    """TRUST on fresh logs of one instance, with one of the two bands."""

    instance: str
    band: str
    played: Played

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        bound, value = self.played.bound, self.played.value
        return {
            "instance": self.instance,
            "band": self.band,
            "lower bound": plus_minus(bound.mean(), bound.std(), ".3f"),
            "true value": plus_minus(value.mean(), value.std(), ".3f"),
            "missed": str(self.played.missed),
        }


def play_either_band(
    problems: Mapping[str, tuple[Instance, int]], delta: float, draws: int, replications: int, seed: int
) -> list[Bought]:
    """TRUST with the paper's band at delta / 2 and with the calibrated one at delta: both hold at 1 - delta.

    With each instance comes the rank of the order statistic for which the paper's band has draws.
    """
    found = []
    for name, (instance, rank) in problems.items():
        region, enough = TrustRegion(1 / instance.sigma**2), draws_for(delta / 2, 40, rank)
        pair = {
            "paper's": band_for(region, delta / 2, "paper", seed, draws=enough),
            "calibrated": band_for(region, delta, "calibrated", seed, draws=draws),
        }
        for kind, band in pair.items():
            found.append(Bought(name, kind, play(instance, ["trust"], replications, seed, band=band)["trust"]))
    return found


@dataclass(frozen=True, eq=False)
class Centred:
    """TRUST around one reference policy, its value, and whether a cone solver finds the same suprema."""

    name: str
    value: float
    played: Played
    agrees: bool

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        return {
            "reference policy": self.name,
            "its value": self.value,
            "lower bound": float(self.played.bound.mean()),
            "true value": float(self.played.value.mean()),
            "missed": str(self.played.missed),
        }


def play_around_centres(
    instance: Instance, centres: Mapping[str, Array | None], x: Array, delta: float, draws: int, logs: int, seed: int
) -> list[Centred]:
    """TRUST on fresh logs of an instance, in regions around each reference policy; ``x`` is for the cone solver."""
    found = []
    for name, reference in centres.items():
        region = TrustRegion(1 / instance.sigma**2, reference)
        radii = region.radii(2.0, 6)
        cone = [region.improvement_cvxpy(x, radius) @ x for radius in radii[::2]]
        agrees = bool(np.allclose(cone, region.suprema(x, radii[::2]), atol=1e-6))
        band = band_for(region, delta, None, seed, radii=radii, draws=draws)
        made = play(instance, ["trust"], logs, seed, band=band)["trust"]
        found.append(Centred(name, instance.value(region.reference), made, agrees))
    return found
