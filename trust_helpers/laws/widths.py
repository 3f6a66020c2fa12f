"""What the laws share: normal draws, and bounds that are so many deviations wide."""

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ..checks import Array
from ..errors import DataError, TrustError
from ..noise import Sampler

if TYPE_CHECKING:
    from ..data import OfflineData

__all__ = ["Deviations", "normal_sampler", "refuse_folds", "root_variance", "samples_to_split"]


class Deviations:
    """Bounds of a law whose noise, of any mixture fixed in advance, is bounded by so many of its deviations."""

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
        """The same for every arm, with a union bound."""
        return data.means - self.factor(delta / data.n_arms) * self.deviations(data.counts)


def root_variance(weights: Array, deviations: Array) -> float:
    """The standard deviation of a mixture of independent means."""
    return sqrt(float(((weights * deviations) ** 2).sum()))


def normal_sampler(deviations: Array) -> Sampler:
    """Standard normal rows in a common unit where all deviations are one number, scaled rows where they are not."""
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


def samples_to_split(data: "OfflineData") -> tuple[NDArray[np.intp], Array]:
    """The arm and the reward of each sample, or a complaint that there are none to split."""
    if data.samples is None:
        raise DataError(
            "nothing can be split: the log holds means and counts alone. Give samples (from_samples, from_csv), "
            "successes and trials (from_counts), or Gaussian noise of known level"
        )
    return data.samples.arm, data.samples.reward


def refuse_folds(folds: int) -> None:
    """Two folds join two bets, and only rewards in a range are bet on."""
    if folds != 1:
        raise TrustError("folds is 2: only rewards in a range ('range:LO:HI') can be judged both ways round")
