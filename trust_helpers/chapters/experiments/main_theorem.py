"""Chapter 5's experiments on the main theorem: its proof on one log, its claims on many, its closed forms."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import ArrayLike, NDArray

from ... import bounds
from ...algorithm import trust, trust_many
from ...band import Band, band_for
from ...checks import Array, frozen
from ...data import OfflineData
from ...instances import Instance, gaussian
from ...paper import tables
from ..pictures.counts import Count

__all__ = [
    "ClaimsTried",
    "Hidden",
    "KnownTruth",
    "OneLog",
    "fine_grained_step_by_step",
    "hide_a_signal_from_the_printed_bound",
    "noise_on_both_sides",
    "proof_on_one_log",
    "setting",
    "try_claims",
    "two_settings",
]


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
        r"""Signal to noise per arm: the root of the mean of :math:`p_i(r_i-\hat\mu^\top r)^2`."""
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


def fine_grained_step_by_step(delta: float, seed: int, arms: int = 20, logs: int = 200) -> dict[str, float]:
    """Each step from the measured gap to the closed forms of Theorem C.1, with counts drawn from an uneven policy.

    Means run evenly from 0 to 1, so that the gap to the best arm is measured on the same scale.
    """
    rng, mu = default_rng(seed), np.linspace(1, 3, arms) / np.linspace(1, 3, arms).sum()
    samples = int(np.ceil(8 / mu.min() * np.log(arms / delta)))
    drawn = rng.multinomial(samples, mu, 5_000)
    enough = (drawn >= samples * mu / 2).all(axis=1)
    where = setting(np.linspace(0, 1, arms), drawn[enough][0], 1.0, delta, seed)
    band, best = where.band, np.eye(arms)[-1]
    made = trust_many(band, where.rewards(rng, logs))
    found = {
        "enough": float(enough.mean()),
        "enough promised": bounds.all_arms_sampled(mu, samples),
        "measured": float(1 - (made.weights @ where.instance.means).mean()),
        "simulated band": bounds.suboptimality_gap(band, best),
    }
    for name, printed in (("corrected", False), ("printed", True)):
        one = bounds.fine_grained_gap(band.region, band.radii, delta, best, printed=printed)
        two = bounds.fine_grained_gap_to_best(mu, arms - 1, samples, band.radii.size, delta, printed=printed)
        found |= {f"claim 1, {name}": one, f"claim 2, {name}": two}
    return found


@dataclass(frozen=True, eq=False)
class Hidden:
    """A signal just too large for the printed bound: gaps to the mixture of the good arms, and what bounds them."""

    gaps: Array
    printed: float
    corrected: float


def hide_a_signal_from_the_printed_bound(seed: int, logs: int = 300) -> Hidden:
    """A counterexample to claim 1 of Theorem C.1 as printed, on the thousand arms of Table 2 with one sample each.

    Means are plus and minus c, with c large enough for the mixture of the good arms to beat TRUST by more than the
    printed bound unless TRUST finds some of it, and too small to be told from noise.
    """
    band = tables.grid_band("general")
    signs = 1.0 - 2 * (np.arange(band.region.n_arms) % 2)
    rival = (signs > 0) / (signs > 0).sum()
    printed, corrected = (
        bounds.fine_grained_gap(band.region, band.radii, band.delta, rival, printed=old) for old in (True, False)
    )
    where = KnownTruth(gaussian(1.08 * printed * signs, 0.5), np.ones(signs.size, dtype=int), band)
    made = trust_many(band, where.rewards(default_rng(seed), logs))
    gaps = (rival - made.weights) @ where.instance.means
    return Hidden(frozen(gaps), printed, corrected)
