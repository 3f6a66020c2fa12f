"""What the laws share: normal draws, and bounds that are so many deviations wide."""

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ..checks import Array
from ..errors import DataError
from ..noise import Sampler
from ..samples import Samples

if TYPE_CHECKING:
    from ..data import OfflineData

__all__ = ["Deviations", "normal_sampler", "root_variance", "samples_to_split"]


class Deviations:
    """Bounds of a law whose noise, of any mixture fixed in advance, is bounded by so many of its deviations.

    >>> from trust_helpers import Gaussian, OfflineData
    >>> log = OfflineData([0.0, 1.0], counts=[4, 4], sigma=2.0)
    >>> Gaussian(2.0).arm_bounds(log, 0.1).round(3)
    array([-1.282, -0.282])
    """

    @property
    def least(self) -> float:
        """No policy is worth less than this."""
        return -inf

    def factor(self, delta: float) -> float:
        """How many deviations the noise of one mixture exceeds with probability at most delta."""
        raise NotImplementedError

    def deviations(self, counts: NDArray[np.int64]) -> Array:
        """The standard deviation of each arm's simulated mean."""
        raise NotImplementedError

    def sampler(self, counts: NDArray[np.int64]) -> Sampler:
        """Normal noise of these deviations."""
        return normal_sampler(self.deviations(counts))

    def row_factors(self, rng: Generator, draws: int) -> Array | None:
        """None: no level is estimated."""

    def mixture_bound(self, data: "OfflineData", weights: Array, delta: float) -> float:
        """A lower bound on the value of a mixture fixed without looking at the rewards."""
        width = self.factor(delta) * root_variance(weights, self.deviations(data.counts))
        return float(weights @ data.means) - width

    def arm_bounds(self, data: "OfflineData", delta: float) -> Array:
        """The same for every arm, looked at alone."""
        return data.means - self.factor(delta) * self.deviations(data.counts)


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
