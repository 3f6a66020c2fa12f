"""Rewards of a known standard deviation, with nothing else assumed of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..checks import Array, positive_vector
from ..errors import TrustError
from ..formatting import plain_number
from ..quantiles import cantelli_factor
from .base import COUNTS, Counts, NoiseLaw, Sampler, samples_to_split
from .diagnostics import about_second_moment

if TYPE_CHECKING:
    from ..data import OfflineData
    from ..split.splitters import Aim, Splitter

__all__ = ["StandardDeviation"]


@dataclass(frozen=True)
class StandardDeviation(NoiseLaw):
    """Rewards of standard deviation at most s, and nothing else assumed of them.

    Nothing useful bounds every mixture at once; a mixture fixed in advance has Cantelli's inequality.

    >>> StandardDeviation(2.0).uniform
    False
    """

    s: float
    exact: ClassVar[bool] = False
    symmetric: ClassVar[bool] = False
    uniform: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "s", float(positive_vector(self.s, 1, "sd")[0]))

    @property
    def assumes(self) -> str:
        """The sentence printed with every promise."""
        return f"rewards are independent with a standard deviation of at most {plain_number(self.s)}, {COUNTS}"

    def levels(self, size: int) -> Array:
        """The stated standard deviation."""
        return np.full(size, float(self.s))

    def sampler(self, counts: Counts) -> Sampler:
        """Refused: no simulated law stands for all of these."""
        raise TrustError(
            "knowing only a standard deviation, nothing bounds every mixture at once: use split, behaviour_cloning or "
            "combined, or say 'range:LO:HI' if rewards are bounded"
        )

    def factor(self, delta: float) -> float:
        """How many deviations a bound for one mixture subtracts: by Cantelli's inequality."""
        return cantelli_factor(delta)

    def key(self, counts: Counts) -> tuple[object, ...]:
        """The deviation and the counts."""
        return "sd", self.s, counts.tobytes()

    def splitter(self, data: "OfflineData", aim: "Aim") -> "Splitter":
        """By samples, judged by Cantelli's inequality."""
        from ..split.splitters import split_deviation

        return split_deviation(samples_to_split(data), self.s, aim, self.factor(aim.delta))

    def split_factor(self, delta: float, spare: float) -> float:
        """Cantelli's inequality again: an average has no larger variance."""
        return cantelli_factor(delta)

    def doubts(self, data: "OfflineData") -> tuple[str, ...]:
        """Repeats that are clearly more spread."""
        return about_second_moment(data)
