"""What is assumed of the noise: one object that a log carries, and that every method asks.

The four laws stand in :mod:`trust_helpers.noise`. A new law is a class with these members, there and nowhere else.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from ..checks import Array
from ..errors import DataError
from ..samples import Samples

if TYPE_CHECKING:
    from ..data import OfflineData
    from ..split.splitters import Aim, Splitter

__all__ = [
    "Design",
    "NoiseLaw",
    "Sampler",
    "neighbour_sigma",
    "normal_sampler",
    "root_variance",
    "samples_to_split",
]

# Fills rows with noise and returns the unit they are in: the noise is that number times what was filled in.
Sampler = Callable[[Generator, Array], float]
Names = tuple[object, ...] | None
Counts = NDArray[np.int64]

COUNTS = (
    "how often an arm was tried did not depend on its rewards (dropping arms after failures would), and the "
    "chances of what an arm pays stay the same, throughout the log and afterwards"
)
ITEMS = (
    "items are independent and alike, now and in the future, rewards of one item depend on each other in any way, and "
    "whether an arm met an item did not depend on its rewards there"
)


class NoiseLaw(ABC):
    """An assumption about the noise, and everything that follows from it.

    A law says how noise is simulated and how many of its deviations bound a mixture fixed in advance; what stands here
    is so for most laws.

    Attributes
    ----------
    exact : bool
        Whether the draws have the log's own law, so that a rank of simulated scores is a bound; otherwise they only
        dominate it in convex order, and the expected shortfall is.
    symmetric : bool
        Whether minus the simulated noise has the same law.
    uniform : bool
        Whether the law bounds the noise of every mixture at once (route 1).
    known_level : bool
        Whether the noise is Gaussian of known level, as in the paper.

    Examples
    --------
    >>> from trust_helpers import Bounded, Gaussian, OfflineData
    >>> Bounded(0.0, 1.0).exact, Bounded(0.0, 1.0).uniform, Bounded(0.0, 1.0).ends
    (False, True, (0.0, 1.0))
    >>> log = OfflineData([0.0, 1.0], counts=[4, 4], sigma=2.0)
    >>> Gaussian(2.0).arm_bounds(log, 0.1).round(3)
    array([-1.282, -0.282])
    """

    exact: ClassVar[bool]
    symmetric: ClassVar[bool] = True
    uniform: ClassVar[bool] = True
    known_level: ClassVar[bool] = False

    @property
    @abstractmethod
    def assumes(self) -> str:
        """The assumption as a sentence, printed with every promise."""

    @abstractmethod
    def levels(self, size: int) -> Array:
        """The largest standard deviation of one reward that the law allows, for each of ``size`` arms."""

    @abstractmethod
    def factor(self, delta: float) -> float:
        """How many deviations the noise of one mixture exceeds with probability at most delta."""

    @abstractmethod
    def key(self, counts: Counts) -> tuple[object, ...]:
        """What a band depends on: two designs with the same key have the same noise, up to its unit."""

    @abstractmethod
    def splitter(self, data: "OfflineData", aim: "Aim") -> "Splitter":
        """How a log is split to choose on one part and judge on the other (route 2)."""

    @abstractmethod
    def split_factor(self, delta: float, spare: float) -> float:
        """What the average over splits exceeds with probability at most delta (:mod:`trust_helpers.split.judge`)."""

    @abstractmethod
    def doubts(self, data: "OfflineData") -> tuple[str, ...]:
        """What in the log speaks against the assumption, a sentence each."""

    def notices(self, data: "OfflineData") -> tuple[str, ...]:
        """What the silence of the doubts is worth, where that is little."""
        return ()

    @property
    def ends(self) -> tuple[float, float] | None:
        """The range of the rewards, where one is known."""
        return None

    @property
    def assumes_of_items(self) -> str:
        """The assumption where arms met the same items, which only rewards in a range may do."""
        return self.assumes

    def deviations(self, counts: Counts) -> Array:
        """The standard deviation of each arm's simulated mean: one over the root of its precision."""
        return 1 / np.sqrt(counts / self.levels(counts.size) ** 2)

    def sampler(self, counts: Counts) -> Sampler:
        """What fills rows with the noise of the arms' means, prepared once for a design: normal noise."""
        return normal_sampler(self.deviations(counts))

    def of_arms(self, order: NDArray[np.intp]) -> "NoiseLaw":
        """The same law of the arms in another order."""
        return self

    def row_factors(self, rng: Generator, draws: int) -> Array | None:
        """What every simulated row is multiplied by, where the level itself is estimated; None where it is not."""
        return None

    def mixture_bound(self, data: "OfflineData", weights: Array, delta: float) -> float:
        """A lower bound at 1 - delta on the value of a mixture fixed without looking at the rewards."""
        width = self.factor(delta) * root_variance(weights, self.deviations(data.counts))
        return float(weights @ data.means) - width

    def arm_bounds(self, data: "OfflineData", delta: float) -> Array:
        """A lower bound on each arm, valid at 1 - delta for that arm looked at alone."""
        return data.means - self.factor(delta) * self.deviations(data.counts)

    def refute(self, rewards: Array, where: Callable[[int], str]) -> None:
        """Raise DataError if a single reward contradicts the assumption; ``where`` names a sample."""
        return

    def refuse_totals(self, means: Array, counts: Counts, squares: Array | None, names: Names) -> None:
        """Raise DataError for means, or sums of squared differences from them, that no rewards of the law have."""
        return

    def mirrored(self) -> "NoiseLaw":
        """The law of minus the rewards."""
        return self


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

    def of_arms(self, order: NDArray[np.intp]) -> "Design":
        """The design with its arms in another order."""
        return Design(self.counts[order], self.law.of_arms(order))

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


def root_variance(weights: Array, deviations: Array) -> float:
    """The standard deviation of a mixture of independent means.

    >>> root_variance(np.array([0.5, 0.5]), np.array([3.0, 4.0]))
    2.5
    """
    return sqrt(float(((weights * deviations) ** 2).sum()))


def normal_sampler(deviations: Array) -> Sampler:
    """Standard normal rows in a common unit where all deviations are one number, scaled rows where they are not.

    >>> normal_sampler(np.full(3, 0.5))(np.random.default_rng(0), np.empty((2, 3)))
    0.5
    """
    if (deviations == deviations[0]).all():

        def fill_alike(rng: Generator, out: Array) -> float:
            rng.standard_normal(out=out)
            return float(deviations[0])

        return fill_alike

    def fill(rng: Generator, out: Array) -> float:
        rng.standard_normal(out=out)
        out *= deviations
        return 1.0

    return fill


def samples_to_split(data: "OfflineData") -> Samples:
    """The samples of a log, or a complaint that there are none to split.

    >>> from trust_helpers import OfflineData
    >>> samples_to_split(OfflineData.from_samples(["b", "a"], [2.0, 1.0], sigma=1.0)).arm
    array([1, 0])
    """
    if data.samples is None:
        raise DataError(
            "nothing can be split: the log holds means and counts alone. Give samples (from_samples, from_csv), "
            "successes and trials (from_counts), or Gaussian noise of known level"
        )
    return data.samples
