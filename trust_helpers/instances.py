"""The bandit instances of the paper, with their true means."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from .checks import Array, counts_vector, finite_vector, positive_vector, whole_number
from .data import OfflineData
from .errors import TrustError

__all__ = ["Instance", "data_starved", "gaussian", "general", "strong_signal", "two_arm"]


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """A bandit whose truth is known.

    Attributes
    ----------
    means : (d,) array
        True mean rewards r.
    sigma : (d,) array
        The noise level the methods are told; an upper bound on the true one.
    rewards : callable
        ``rewards(rng, arms)`` draws one reward for each entry of an array of arm numbers.

    Examples
    --------
    >>> chance = np.array([0.2, 0.8])
    >>> coins = Instance(chance, 0.5, lambda rng, arms: (rng.random(arms.size) < chance[arms]) * 1.0)
    >>> log = coins.sample(np.random.default_rng(0), pulls=100)
    >>> log.counts, bool(abs(log.means - coins.means).max() < 0.1)
    (array([100, 100]), True)
    """

    means: Array
    sigma: Array
    rewards: Callable[[Generator, NDArray[np.intp]], Array]

    def __post_init__(self) -> None:
        means = finite_vector(self.means, "mean")
        object.__setattr__(self, "means", means)
        object.__setattr__(self, "sigma", positive_vector(self.sigma, means.size, "sigma"))

    def __repr__(self) -> str:
        return f"<Instance: {self.n_arms:,} arms, means {self.means.min():.4g} to {self.means.max():.4g}>"

    @property
    def n_arms(self) -> int:
        """The number of arms d."""
        return int(self.means.size)

    def value(self, weights: ArrayLike) -> float:
        """The true value of a stochastic policy."""
        return float(np.asarray(weights) @ self.means)

    def sample(self, rng: Generator, pulls: int | ArrayLike = 1) -> OfflineData:
        """A log with ``pulls`` samples of every arm, one number or one per arm."""
        counts = counts_vector(np.broadcast_to(pulls, self.means.shape), self.n_arms)
        arms = np.repeat(np.arange(self.n_arms), counts)
        totals = np.bincount(arms, weights=self.rewards(rng, arms), minlength=self.n_arms)
        return OfflineData(totals / counts, counts, self.sigma)


def gaussian(means: ArrayLike, sigma: ArrayLike) -> Instance:
    r"""Normal rewards :math:`N(r_i,\sigma_i^2)`: the model all guarantees are stated for.

    >>> gaussian([0.0, 1.0], 0.5).value([0.25, 0.75])
    0.75
    """
    mean = finite_vector(means, "mean")
    deviation = positive_vector(sigma, mean.size, "sigma")
    return Instance(mean, deviation, lambda rng, arms: rng.normal(mean[arms], deviation[arms]))


def data_starved(d: int = 10_000) -> Instance:
    """Section 3.3: the first half of the arms pay Uniform(0.5, 1.5), the rest N(0, 1/4); sigma = 1/2.

    >>> data_starved(4).means
    array([1., 1., 0., 0.])
    """
    good = whole_number(d, "d", least=2) // 2

    def rewards(rng: Generator, arms: NDArray[np.intp]) -> Array:
        return np.where(arms < good, rng.uniform(0.5, 1.5, arms.size), rng.normal(0, 0.5, arms.size))

    return Instance(np.where(np.arange(d) < good, 1.0, 0.0), np.full(d, 0.5), rewards)


def general(d: int = 1_000) -> Instance:
    """Section 6.1: arm i of d pays N(i/d, 1/4).

    >>> general(4).means
    array([0.25, 0.5 , 0.75, 1.  ])
    """
    return gaussian(np.arange(1, whole_number(d, "d") + 1) / d, 0.5)


def strong_signal(d: int, sigma: float) -> Instance:
    r"""Appendix A: 2d arms, the first d of mean 1 and the rest of mean 0, all with noise :math:`N(0,\sigma^2)`.

    >>> strong_signal(2, 0.1).means
    array([1., 1., 0., 0.])
    """
    return gaussian(np.repeat([1.0, 0.0], whole_number(d, "d")), sigma)


def two_arm(gap: float, better: bool) -> Instance:
    """Appendix C: Bernoulli(1/2) against Bernoulli(1/2 + gap) if ``better``, else Bernoulli(1/2 - gap).

    >>> two_arm(0.1, better=False).means
    array([0.5, 0.4])
    """
    if not 0 <= gap <= 0.25:
        raise TrustError(f"gap is {gap:g}: it must lie in [0, 1/4]")
    means = np.array([0.5, 0.5 + gap if better else 0.5 - gap])
    return Instance(means, np.full(2, 0.5), lambda rng, arms: (rng.random(arms.size) < means[arms]) * 1.0)
