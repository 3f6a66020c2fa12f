"""Gaussian noise: of known level, or of one unknown level that repeats let estimate."""

from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ..checks import Array, frozen, positive_vector, whole_number
from ..errors import DataError
from ..quantiles import normal_quantile, shortfall_factor, student_quantile, student_shortfall
from .base import COUNTS, Counts, Design, NoiseLaw, samples_to_split
from .diagnostics import about_known_level, about_one_level, what_checks_see

if TYPE_CHECKING:
    from ..data import OfflineData
    from ..split.splitters import Aim, Splitter

__all__ = ["Gaussian", "Pooled", "gaussian_design"]


@dataclass(frozen=True, eq=False)
class Gaussian(NoiseLaw):
    """Gaussian noise of known level: one standard deviation for all arms, or one each.

    >>> Gaussian(0.5).levels(3)
    array([0.5, 0.5, 0.5])
    """

    sigma: Array | float
    exact: ClassVar[bool] = True
    known_level: ClassVar[bool] = True

    def __post_init__(self) -> None:
        levels = positive_vector(self.sigma, max(np.size(self.sigma), 1), "sigma")
        object.__setattr__(self, "sigma", levels if np.ndim(self.sigma) else float(levels[0]))  # nobody else's array

    @property
    def assumes(self) -> str:
        """The sentence printed with every promise."""
        low, high = np.min(self.sigma), np.max(self.sigma)
        level = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}, as stated for each arm"
        return f"rewards are independent, the noise of one reward is Gaussian with standard deviation {level}, {COUNTS}"

    def levels(self, size: int) -> Array:
        """The stated standard deviations."""
        return positive_vector(self.sigma, size, "sigma")

    def factor(self, delta: float) -> float:
        """How many deviations a bound for one mixture subtracts: the normal quantile, exact."""
        return normal_quantile(delta)

    def of_arms(self, order: NDArray[np.intp]) -> "Gaussian":
        """The levels in another order, where there is one each."""
        return Gaussian(self.sigma[order]) if isinstance(self.sigma, np.ndarray) else self

    def key(self, counts: Counts) -> tuple[object, ...]:
        """The precisions: counts and levels matter through them alone."""
        return "gaussian", (counts / self.levels(counts.size) ** 2).tobytes()

    def splitter(self, data: "OfflineData", aim: "Aim") -> "Splitter":
        """By taking the means apart, which needs no samples."""
        from ..split.splitters import split_gaussian

        factor = self.split_factor(aim.delta, inf)
        return split_gaussian(data.means, data.counts, self.levels(data.n_arms), data.samples, aim, factor)

    def split_factor(self, delta: float, spare: float) -> float:
        """The shortfall of a normal variable, which an average of dependent ones is below in convex order."""
        return shortfall_factor(delta)

    def doubts(self, data: "OfflineData") -> tuple[str, ...]:
        """Repeats that are too spread, discrete, skewed or unequally spread."""
        return about_known_level(data)


@dataclass(frozen=True, eq=False)
class _OfPrecision(Gaussian):
    """Gaussian noise told by the precisions of the means alone, one sample each."""

    precision: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "precision", frozen(self.precision))

    def of_arms(self, order: NDArray[np.intp]) -> "_OfPrecision":
        return _OfPrecision(1 / np.sqrt(self.precision[order]), self.precision[order])

    def deviations(self, counts: Counts) -> Array:
        return 1 / np.sqrt(self.precision)

    def key(self, counts: Counts) -> tuple[object, ...]:
        return "gaussian", self.precision.tobytes()


def gaussian_design(precision: Array) -> Design:
    """The design of Gaussian means with these precisions.

    >>> gaussian_design(np.array([4.0, 1.0])).deviations
    array([0.5, 1. ])
    """
    law = _OfPrecision(1 / np.sqrt(precision), precision)
    return Design(np.ones(precision.size, dtype=np.int64), law)


@dataclass(frozen=True)
class Pooled(NoiseLaw):
    r"""Gaussian noise of one unknown level, estimated within arms from ``spare`` samples beyond the first of each.

    The estimate is independent of the means, and noise over estimate has a known law: standard normal rows divided by
    :math:`\sqrt{\chi^2_\nu/\nu}`. So the calibrated band is exact with the level estimated.

    >>> Pooled(1.2, 30).levels(2)
    array([1.2, 1.2])
    """

    level: float
    spare: int
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        whole_number(self.spare, "spare samples")
        object.__setattr__(self, "level", float(positive_vector(self.level, 1, "pooled sigma")[0]))

    @classmethod
    def estimated(cls, squares: float, spare: int) -> "Pooled":
        """The level of so many squared residuals with so many degrees of freedom.

        >>> Pooled.estimated(8.0, 2)
        Pooled(level=2.0, spare=2)
        """
        if spare < 1:
            raise DataError(
                "sigma cannot be pooled: no arm has two samples. Give sigma as a number, or a reward range as "
                "'range:LO:HI'"
            )
        level = float(np.sqrt(squares / spare))
        if level == 0:
            raise DataError("sigma cannot be pooled: the repeated samples of every arm are all alike")
        return cls(level, spare)

    @property
    def assumes(self) -> str:
        """The sentence printed with every promise."""
        return (
            f"rewards are independent, the noise of one reward is Gaussian with one standard deviation in all arms "
            f"(estimated as {self.level:.4g} from {self.spare:,} spare samples, which the promise allows for), {COUNTS}"
        )

    def levels(self, size: int) -> Array:
        """The estimated standard deviation, as if it were right; :meth:`row_factors` allows for its error."""
        return np.full(size, float(self.level))

    def row_factors(self, rng: Generator, draws: int) -> Array | None:
        """True over estimated level, of as many logs."""
        return np.sqrt(self.spare / rng.chisquare(self.spare, draws))

    def factor(self, delta: float) -> float:
        """How many deviations a bound for one mixture subtracts: Student's quantile, exact."""
        return student_quantile(self.spare, delta)

    def key(self, counts: Counts) -> tuple[object, ...]:
        """Counts and spare samples; the level is a unit."""
        return "pooled", self.spare, counts.tobytes()

    def splitter(self, data: "OfflineData", aim: "Aim") -> "Splitter":
        """By samples; the level comes from the judging part's own repeats."""
        from ..split.splitters import split_pooled

        return split_pooled(samples_to_split(data), aim, partial(self.split_factor, aim.delta))

    def split_factor(self, delta: float, spare: float) -> float:
        """The shortfall of Student's variable of the least spare samples that a part judged with."""
        return student_shortfall(spare, delta)

    def doubts(self, data: "OfflineData") -> tuple[str, ...]:
        """Repeats that are discrete, skewed or unequally spread."""
        return about_one_level(data)

    def notices(self, data: "OfflineData") -> tuple[str, ...]:
        """What the checks can see in a log of this size."""
        return (what_checks_see(data),)
