"""Laws on evenly spaced points: averages by convolution, minima, quantiles."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from ..checks import Array
from ..trials import binomial_error

__all__ = ["Law", "quantile_error"]


@dataclass(frozen=True, eq=False)
class Law:
    """A law on evenly spaced points.

    Attributes
    ----------
    points, chances : (n,) arrays
        The points, increasing, and their probabilities.

    Examples
    --------
    >>> die = Law(np.arange(1.0, 7.0), np.full(6, 1 / 6))
    >>> round(die.average(2).at_most(1.5), 4), round(die.least(2).at_most(1.0), 4)
    (0.0833, 0.3056)
    """

    points: Array
    chances: Array

    @property
    def mean(self) -> float:
        """Its mean."""
        return float(self.points @ self.chances)

    def at_most(self, value: float) -> float:
        """The probability of ``value`` or less."""
        return float(self.chances[self.points <= value + 1e-9].sum())

    def quantile(self, level: float) -> float:
        """The least point with at least this probability at or below it."""
        below = np.cumsum(self.chances)
        return float(self.points[min(int(np.searchsorted(below, level - 1e-12)), self.points.size - 1)])

    def average(self, size: int) -> "Law":
        """The law of the average of ``size`` independent copies, by convolution."""
        chances = self.chances
        for _ in range(size - 1):
            chances = np.convolve(chances, self.chances)
        return Law(np.linspace(self.points[0], self.points[-1], chances.size), chances)

    def least(self, size: int) -> "Law":
        """The law of the smallest of ``size`` independent copies."""
        beyond = np.append(np.cumsum(self.chances[::-1])[::-1], 0.0)
        return Law(self.points, -np.diff(beyond**size))

    def draw(self, rng: Generator, shape: tuple[int, ...]) -> Array:
        """Independent draws."""
        return self.points[np.searchsorted(np.cumsum(self.chances)[:-1], rng.random(shape), side="right")]


def quantile_error(ordered: Array, level: float) -> float:
    r"""The standard error of a quantile of sorted draws: that of its rank, :math:`\sqrt{p(1-p)/n}`, over the density.

    >>> round(quantile_error(np.linspace(0, 1, 10_001), 0.5), 4)
    0.005
    """
    rank = binomial_error(level, ordered.size)
    low, high = np.quantile(ordered, [max(level - rank, 0.0), min(level + rank, 1.0)])
    return float(high - low) / 2
