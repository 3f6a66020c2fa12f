"""What is assumed of the noise: one object that a log carries, and that every method asks.

The four laws stand in :mod:`trust_helpers.laws`. A new law is a class with these members, there and nowhere else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from .checks import Array
from .errors import DataError

if TYPE_CHECKING:
    from .data import OfflineData
    from .split.splitters import Aim, Splitter

__all__ = ["Design", "NoiseLaw", "Sampler", "neighbour_sigma"]

# Fills rows with noise and returns the unit they are in: the noise is that number times what was filled in.
Sampler = Callable[[Generator, Array], float]

COUNTS = (
    "how often an arm was tried did not depend on its rewards (dropping arms after failures would), and the "
    "chances of what an arm pays stay the same, throughout the log and afterwards"
)
ITEMS = (
    "items are independent and alike, now and in the future, rewards of one item depend on each other in any way, and "
    "whether an arm met an item did not depend on its rewards there"
)


class NoiseLaw(Protocol):
    """An assumption about the noise, and everything that follows from it.

    Attributes
    ----------
    exact : bool
        Whether the draws have the log's own law, so that a rank of simulated scores is a bound; otherwise they only
        dominate it in convex order, and the expected shortfall is.
    symmetric : bool
        Whether minus the simulated noise has the same law.
    uniform : bool
        Whether the law bounds the noise of every mixture at once (route 1).
    assumes : str
        The assumption as a sentence, printed with every promise.

    Examples
    --------
    >>> from trust_helpers import Bounded
    >>> law: NoiseLaw = Bounded(0.0, 1.0)
    >>> law.exact, law.uniform
    (False, True)
    """

    exact: ClassVar[bool]
    symmetric: ClassVar[bool]
    uniform: ClassVar[bool]

    @property
    def assumes(self) -> str:
        """The sentence printed with every promise."""

    def levels(self, size: int) -> Array:
        """The largest standard deviation of one reward that the law allows, for each of ``size`` arms."""

    def deviations(self, counts: NDArray[np.int64]) -> Array:
        """The standard deviation of each arm's simulated mean."""

    def sampler(self, counts: NDArray[np.int64]) -> Sampler:
        """What fills rows with the noise of the arms' means; prepared once for a design."""

    def row_factors(self, rng: Generator, draws: int) -> Array | None:
        """What every simulated row is multiplied by, where the level itself is estimated; None where it is not."""

    def key(self, counts: NDArray[np.int64]) -> tuple[object, ...]:
        """What a band depends on: two designs with the same key have the same noise, up to its unit."""

    def mixture_bound(self, data: "OfflineData", weights: Array, delta: float) -> float:
        """A lower bound at 1 - delta on the value of a mixture fixed without looking at the rewards."""

    def arm_bounds(self, data: "OfflineData", delta: float) -> Array:
        """A lower bound on each arm, valid at 1 - delta for that arm looked at alone."""

    def splitter(self, data: "OfflineData", aim: "Aim") -> "Splitter":
        """How a log is split to choose on one part and judge on the other (route 2)."""

    @property
    def least(self) -> float:
        """What no policy can be worth less than."""

    def split_factor(self, delta: float, spare: float) -> float:
        """What the average over splits exceeds with probability at most delta (:mod:`trust_helpers.split.judge`)."""

    def refute(self, rewards: Array, where: Callable[[int], str]) -> None:
        """Raise DataError if a reward contradicts the assumption; ``where`` names a sample."""

    def doubts(self, data: "OfflineData") -> tuple[str, ...]:
        """What in the log speaks against the assumption, a sentence each."""


@dataclass(frozen=True, eq=False)
class Design:
    """Counts and a law: all that a band depends on, and never the rewards.

    >>> from trust_helpers import Gaussian
    >>> few, many = np.array([4, 1]), np.array([16, 4])
    >>> Design(few, Gaussian(1.0)).same_noise(Design(many, Gaussian(2.0)))
    True
    """

    counts: NDArray[np.int64]
    law: NoiseLaw

    @cached_property
    def deviations(self) -> Array:
        """The standard deviation of each arm's simulated mean."""
        return self.law.deviations(self.counts)

    def same_noise(self, other: "Design") -> bool:
        """Whether both have the same noise, up to its unit where the level is estimated."""
        return self.law.key(self.counts) == other.law.key(other.counts)

    def unit_of(self, other: "Design") -> float:
        """How much larger the other's unit is; 1 unless the level is estimated. Raises DataError for other noise."""
        if not self.same_noise(other):
            raise DataError("the band belongs to another design: its counts or its noise law differ from the log's")
        ours, theirs = (getattr(law, "level", 1.0) for law in (self.law, other.law))
        return float(theirs / ours)


def neighbour_sigma(rewards: ArrayLike) -> float:
    r"""The noise level that neighbouring arms suggest, one sample each, in an order that means something.

    :math:`\hat\sigma^2=\frac1{2(d-1)}\sum_i(\hat r_{i+1}-\hat r_i)^2` (Rice, 1984). Its mean is the average noise
    variance plus half the mean squared difference of neighbouring means: on average not too small. On one log it may
    be: with equal means it is below the true level about half of the time.

    >>> round(neighbour_sigma([0.0, 2.0, 4.0, 6.0]) ** 2, 9)
    2.0
    """
    steps = np.diff(np.asarray(rewards, dtype=float))
    if not steps.size or not steps.any():
        raise DataError("sigma cannot be taken from neighbours: it needs two arms or more whose rewards differ")
    return float(np.sqrt(np.mean(steps**2) / 2))
