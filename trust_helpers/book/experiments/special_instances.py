"""Chapter 5's experiments on special instances: two arms, where TRUST is a test, and strong signals."""

from dataclasses import dataclass
from math import exp, sqrt

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray
from scipy import stats

from ... import bounds
from ...algorithm import trust_many
from ...band import Band, band_for
from ...checks import Array, frozen, whole_number
from ...data import OfflineData
from ...instances import strong_signal, two_arm
from ..pictures.counts import Count

__all__ = [
    "StrongSignals",
    "TwoArms",
    "bernoulli_means",
    "losses_of_test_and_lcb",
    "threshold",
    "trust_and_test_differ_by",
    "try_strong_signals",
    "try_two_arms",
    "two_arm_upper_bound",
]

SIZES = tuple(4**k for k in range(3, 8))
SCALES = tuple(np.linspace(0.25, 6, 24))
LEVELS = (0.05, 0.15, 0.25, 0.35, 0.5, 0.6, 0.75, 1.0)


def threshold(samples: int, size: int = 40) -> float:
    r"""How many standard errors apart two arms must look before TRUST with :math:`\delta=1/N` moves.

    The band over a grid of ``size`` radii is this number times the radius: the :math:`(1-\delta/(2|E|))`-quantile of
    the absolute value of a standard normal variable.

    >>> round(threshold(1_000), 2)
    4.37
    """
    return float(stats.norm.isf(1 / (4 * whole_number(size, "size") * whole_number(samples, "samples"))))


def two_arm_upper_bound(samples: int, size: int = 40) -> float:
    r"""Corollary C.2, claim 2, with its constants: :math:`2q/\sqrt N+\frac12e^{-q^2/2}` bounds TRUST's mean loss.

    The standardised difference of two Bernoulli averages is sub-Gaussian with proxy 1. While its noise stays within q,
    the loss is at most :math:`2q/\sqrt N`; beyond, which has probability at most :math:`2e^{-q^2/2}`, at most 1/4.
    """
    q = threshold(samples, size)
    return 2 * q / sqrt(samples) + exp(-(q**2) / 2) / 2


def bernoulli_means(total: int, gap: float, better: bool, logs: int, rng: Generator) -> Array:
    """The averages of ``total`` / 2 samples of either arm, one log a row."""
    return rng.binomial(total // 2, two_arm(gap, better).means, (logs, 2)) / (total // 2)


def losses_of_test_and_lcb(seen: Array, total: int, gap: float, better: bool, q: float) -> Array:
    """Per log the loss of TRUST as a test with threshold q, and of LCB, which with equal counts is greedy."""
    r = two_arm(gap, better).means
    lead = r[seen.argmax(axis=1)]
    apart = sqrt(total) * np.abs(seen[:, 0] - seen[:, 1])
    return r.max() - np.array([np.where(apart > q, lead, r.mean()), lead])


def trust_and_test_differ_by(total: int, delta: float, seed: int, logs: int = 100) -> float:
    """The largest difference in loss between the test and TRUST itself, on logs where the decision is close."""
    design = OfflineData([0.0, 0.0], [total // 2] * 2, 0.5)
    band = band_for(design, delta, "paper", seed)
    q = float(band.widths[0] / band.radii[0])
    gap = q / sqrt(total)
    seen = bernoulli_means(total, gap, False, logs, default_rng(seed))
    weights = trust_many(band, seen).weights
    return float(np.abs(gap * weights[:, 1] - losses_of_test_and_lcb(seen, total, gap, False, q)[0]).max())


@dataclass(frozen=True, eq=False)
class TwoArms:
    """Worst mean loss over the gap, and mean loss against the gap at the most samples; TRUST first, LCB second."""

    sizes: NDArray[np.intp]
    worst: Array
    scales: Array
    scaled: Array

    @property
    def times(self) -> float:
        """How many times larger TRUST's worst loss is, on average over the sizes."""
        return float((self.worst[:, 0] / self.worst[:, 1]).mean())


def try_two_arms(seed: int, logs: int = 1_000) -> TwoArms:
    """Bernoulli arms, the gap in units of one over root N up to 1/4, the worse of the two instances."""
    rng, mean = default_rng(seed), np.zeros((len(SIZES), len(SCALES), 2))
    for i, j in np.ndindex(mean.shape[:2]):
        total, gap = SIZES[i], min(SCALES[j] / sqrt(SIZES[i]), 0.25)
        for better in (True, False):
            seen = bernoulli_means(total, gap, better, logs, rng)
            lost = losses_of_test_and_lcb(seen, total, gap, better, threshold(total)).mean(axis=1)
            mean[i, j] = np.maximum(mean[i, j], lost)
    return TwoArms(np.array(SIZES), frozen(mean.max(axis=1)), frozen(SCALES), frozen(mean[-1] * sqrt(SIZES[-1])))


@dataclass(frozen=True, eq=False)
class StrongSignals:
    """Mean true improvements against the noise level, the bound of Proposition A.1, and how often it was broken."""

    levels: Array
    fixed: Array
    trust: Array
    bound: Array
    broken: Count


def try_strong_signals(band: Band, seed: int, logs: int = 150) -> StrongSignals:
    """Half of the arms pay 1, half 0: the fixed radius of Proposition A.1, and TRUST.

    ``band`` is that of one sample per arm with unit noise. Rewards divided by the noise level have this design and the
    same policy, so one band serves all levels.
    """
    arms, region, rng = band.region.n_arms, band.region, default_rng(seed)
    radius, fixed, ours, bound, broken = 1 / sqrt(arms), [], [], [], 0
    for sigma in LEVELS:
        instance = strong_signal(arms // 2, sigma)
        unit = np.stack([instance.sample(rng).means for _ in range(logs)]) / sigma
        gains = np.array([region.policy(row, radius) for row in unit]) @ instance.means - 0.5
        bound.append(bounds.strong_signal_improvement(radius, arms // 2, sigma, band.delta))
        broken += int((gains < bound[-1]).sum())
        fixed.append(gains.mean())
        ours.append((trust_many(band, unit).weights @ instance.means).mean() - 0.5)
    count = Count("strong signals", broken, logs * len(LEVELS), band.delta)
    return StrongSignals(frozen(LEVELS), frozen(fixed), frozen(ours), frozen(bound), count)
