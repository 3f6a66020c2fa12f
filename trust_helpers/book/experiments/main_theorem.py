"""Chapter 5's experiments on the main theorem: its proof on one log, and its claims on many."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import ArrayLike, NDArray

from ... import bounds
from ...algorithm import trust, trust_many
from ...band import Band, band_for
from ...checks import Array, frozen
from ...data import OfflineData
from ...instances import Instance, gaussian
from ..pictures.counts import Count

__all__ = [
    "ClaimsTried",
    "KnownTruth",
    "OneLog",
    "counts_of_all_designs",
    "how_generous_the_claims_are",
    "noise_on_both_sides",
    "proof_on_one_log",
    "proof_step_by_step",
    "setting",
    "try_claims",
    "two_settings",
]

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class KnownTruth:
    """An instance whose truth is known, the counts of its logs, and the paper's band for them."""

    instance: Instance
    counts: NDArray[np.intp]
    band: Band

    def rewards(self, rng: Generator, logs: int) -> Array:
        """The arms' empirical means in so many fresh logs, one a row."""
        return np.stack([self.instance.sample(rng, self.counts).means for _ in range(logs)])

    @property
    def ratio(self) -> float:
        r"""Signal to noise per arm, the root of the mean of :math:`p_i(r_i-\hat\mu^\top r)^2`."""
        p, r = self.band.region.precision, self.instance.means
        return float(np.sqrt((p * (r - self.band.region.reference @ r) ** 2).mean()))


def setting(means: ArrayLike, counts: ArrayLike, sigma: ArrayLike, delta: float, seed: int) -> KnownTruth:
    """A Gaussian instance with its counts and the paper's band.

    >>> setting([0.0, 1.0], [4, 4], 1.0, 0.1, seed=0).ratio
    1.0
    """
    log = OfflineData(means, counts, sigma)
    return KnownTruth(gaussian(means, sigma), log.counts, band_for(log, delta, "paper", seed))


def two_settings(arms: int, delta: float, seed: int) -> dict[str, KnownTruth]:
    """Means between 0 and 2; *equal*: one sample each; *unequal*: 1 to 50 samples, every other arm with half the noise.

    The number of arms is made even.
    """
    d, rng = 2 * (arms // 2), default_rng(seed)
    tries = np.rint(np.geomspace(1, 50, d)).astype(int)
    return {
        "equal": setting(rng.uniform(0, 2, d), np.ones(d, dtype=int), 1.0, delta, seed),
        "unequal": setting(rng.uniform(0, 2, d), tries, 1 - np.arange(d) % 2 / 2, delta, seed),
    }


@dataclass(frozen=True, eq=False)
class OneLog:
    r"""The proof of the main theorem on one log.

    Attributes
    ----------
    share : (n,) array
        Many radii over the largest, largest first.
    objective, rival : (n,) arrays
        :math:`\sup\Delta^\top\hat r-\mathcal G(\lceil\varepsilon\rceil)`, and
        :math:`\sup\Delta^\top r-2\mathcal G(\lceil\varepsilon\rceil)`.
    grid, peaks : (m,) arrays
        The radii of the band over the largest, and the objective there.
    gain : float
        What TRUST truly gains over the reference policy.
    noise : float
        The largest ratio of the noise to the band.
    beaten : int
        How many of the radii, and of 500 random mixtures, have a higher objective than TRUST.
    """

    share: Array
    objective: Array
    rival: Array
    grid: Array
    peaks: Array
    gain: float
    noise: float
    beaten: int


def proof_on_one_log(where: KnownTruth, seed: int, size: int = 1_000) -> OneLog:
    """Steps (a), (b) and (c) of the proof in numbers."""
    band, region, r, rng = where.band, where.band.region, where.instance.means, default_rng(seed)
    log = where.instance.sample(rng, where.counts)
    made = trust(log, band.delta, band)
    radii = band.radii[0] * np.geomspace(1, 1e-3, size)
    price = band.widths[[band.at(radius) for radius in radii]]
    objective = region.suprema(log.means, radii) - price
    mixtures = rng.dirichlet(np.full(r.size, 0.05), 500) - region.reference
    tried = [step @ log.means - band.widths[band.at(region.norm(step))] for step in mixtures]
    noise = region.suprema(log.means - r, band.radii) / band.widths
    return OneLog(
        frozen(radii / radii[0]), frozen(objective), frozen(region.suprema(r, radii) - 2 * price),
        frozen(band.radii / radii[0]), frozen(made.objective), float((made.weights - region.reference) @ r),
        float(noise.max()), int((np.r_[objective, tried] > made.objective.max() + 1e-12).sum()),
    )  # fmt: skip


def proof_step_by_step(proof: OneLog) -> list[Row]:
    """The proof as a table: the ratio must be at most one, the rest not negative, and nothing may beat TRUST."""
    found = {
        ("event", "largest ratio of noise to band"): proof.noise,
        ("(a)", "gain less objective"): proof.gain - proof.peaks.max(),
        ("(b)", "radii and mixtures that beat TRUST"): proof.beaten,
        ("(c)", "least of objective less rival"): (proof.objective - proof.rival).min(),
    }
    return [{"step": step, "what": what, "found": value} for (step, what), value in found.items()]


def noise_on_both_sides(band: Band, seed: int, draws: int = 5_000) -> tuple[int, int, int]:
    """Of fresh Gaussian draws, how many leave the band above, how many below, and how many on both sides."""
    region = band.region
    noise = default_rng(seed).normal(size=(draws, region.n_arms)) / np.sqrt(region.precision)
    above, below = (band.exceeded(region.suprema(sign * noise, band.radii)) for sign in (1, -1))
    return int(above.sum()), int(below.sum()), int((above & below).sum())


@dataclass(frozen=True)
class ClaimsTried:
    """The main theorem on fresh logs of one setting.

    Attributes
    ----------
    counts : tuple of Count
        How often the event and the three claims were broken, and how often they may be.
    gap, allowed : float
        How far TRUST falls short of the best arm, on average; and what claim 2 allows.
    promised : float
        The improvement that claim 1 promises.
    slack : float
        How far claim 3 is below the truth, on average.
    extra : float
        The probability that the mended claims 1 and 2 pay beside delta.
    """

    counts: tuple[Count, ...]
    gap: float
    allowed: float
    promised: float
    slack: float
    extra: float


def try_claims(where: KnownTruth, replications: int, seed: int) -> ClaimsTried:
    """All claims at once; rivals of claim 2 are the best arm and the best mixture within each radius."""
    band, region, r = where.band, where.band.region, where.instance.means
    rivals = np.array([np.eye(r.size)[r.argmax()], *(region.policy(r, radius) for radius in band.radii)])
    allowed = np.array([bounds.suboptimality_gap(band, rival) for rival in rivals])
    promised, extra = bounds.guaranteed_improvement(band, r), bounds.repair_probability(band, r)
    rewards = where.rewards(default_rng(seed), replications)
    made = trust_many(band, rewards)
    value = made.weights @ r
    gaps = rivals @ r - value[:, None]
    broken = {
        "event": (band.exceeded(region.suprema(rewards - r, band.radii)), band.delta),
        "claim 1": (value - region.reference @ r < promised, band.delta + extra),
        "claim 2": ((gaps > allowed).any(axis=1), band.delta + extra),
        "claim 3": (value < made.lower_bound, 1 - band.confidence),
    }
    counts = tuple(Count(name, int(hit.sum()), replications, rate) for name, (hit, rate) in broken.items())
    slack = float((value - made.lower_bound).mean())
    return ClaimsTried(counts, float(gaps[:, 0].mean()), float(allowed[0]), promised, slack, extra)


def counts_of_all_designs(claims: Mapping[str, ClaimsTried]) -> list[Count]:
    """The event and the claims of each design, named after both."""
    return [replace(count, name=f"{count.name}, {name}") for name, its in claims.items() for count in its.counts]


def how_generous_the_claims_are(designs: Mapping[str, KnownTruth], claims: Mapping[str, ClaimsTried]) -> list[Row]:
    """What each claim promises or allows beside what happens, a column for each design."""
    found = {
        "signal to noise per arm": {name: its.ratio for name, its in designs.items()},
        "claim 1: improvement promised": {name: its.promised for name, its in claims.items()},
        "claim 2: allowed gap to the best arm": {name: its.allowed for name, its in claims.items()},
        "its mean gap": {name: its.gap for name, its in claims.items()},
        "claim 3: mean distance below the truth": {name: its.slack for name, its in claims.items()},
    }
    return [{"": text} | columns for text, columns in found.items()]
