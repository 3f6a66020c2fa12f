r"""What needs no simulation: the law of the largest sample, and the formulas behind the numbers in the paper's text.

With equal counts and one noise level all of LCB's intervals have one width, so LCB plays the arm with the largest
sample, as greedy does. Which arm that is, and how large the sample, follows by integrating
:math:`\sum_i f_i(x)\prod_{j\ne i}F_j(x)` over x. Of LCB's numbers only the spread over eight seeds has no such
integral; it is simulated from the exact law, with its error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, log
from typing import Literal

import numpy as np
from numpy.random import default_rng

from ..bounds import hoeffding_width
from ..checks import Array, frozen, probability, whole_number

SIGMA = 0.5
PANELS, NODES = 40, 12


@dataclass(frozen=True, eq=False)
class Law:
    """A law on evenly spaced points: the points, increasing, and their probabilities, two arrays (n,).

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


@dataclass(frozen=True, eq=False)
class LargestSample:
    """The largest of one sample per arm.

    ``value`` is the true mean of the arm it belongs to: what greedy earns, and LCB where all intervals are equally
    wide. ``size`` is the sample itself, on the midpoints of small cells, and ``expected`` its mean, by quadrature.
    """

    value: Law
    size: Law
    expected: float
    n_arms: int

    def lcb_bound(self, delta: float) -> Law:
        """LCB's lower bound: the largest sample less the half width."""
        return Law(self.size.points - lcb_half_width(self.n_arms, delta), self.size.chances)

    def mean_lcb_bound(self, delta: float) -> float:
        """The mean of LCB's lower bound, by quadrature.

        >>> round(of_starved().mean_lcb_bound(0.1), 3), round(of_general().mean_lcb_bound(0.1), 3)
        (-0.632, 0.107)
        """
        return self.expected - lcb_half_width(self.n_arms, delta)


@cache
def of_starved(d: int = 10_000) -> LargestSample:
    """The data-starved instance (Section 3.3) with one sample per arm.

    >>> round(of_starved(1_000).value.mean, 2)
    0.5
    """
    from scipy import stats  # takes longer to import than all the rest

    d = whole_number(d, "d", least=2)
    arms = [(d // 2, stats.uniform(0.5, 1.0)), (d - d // 2, stats.norm(0, SIGMA))]

    def laws(x: Array) -> tuple[Array, Array]:
        return np.stack([law.logcdf(x) for _, law in arms]), np.stack([law.logpdf(x) for _, law in arms])

    counts = np.array([count for count, _ in arms], dtype=float)
    near = (1.4, 1.49, 1.499, 1.4999, 1.5)  # the best of thousands of uniform samples lies just below 1.5
    return _largest(np.array([1.0, 0.0]), counts, laws, (0.5, *near, SIGMA * stats.norm.isf(1e-18)), 5e-4)


@cache
def of_general(d: int = 1_000) -> LargestSample:
    """The instance of Table 2, arm i paying N(i/d, 1/4), with one sample per arm.

    >>> law = of_general().value
    >>> round(law.mean, 4), round(law.quantile(0.05), 3)
    (0.8455, 0.554)
    """
    from scipy import stats  # takes longer to import than all the rest

    means = np.arange(1, whole_number(d, "d") + 1) / d

    def laws(x: Array) -> tuple[Array, Array]:
        z = (x - means[:, None]) / SIGMA
        return stats.norm.logcdf(z), stats.norm.logpdf(z) - log(SIGMA)

    reach = SIGMA * stats.norm.isf(1e-18)
    return _largest(means, np.ones(d), laws, (-reach, 0.5, 1.0, 1.0 + reach), 4e-3)


def greedy_value(d: int) -> float:
    """What greedy earns on average on the data-starved instance with d arms, one sample each.

    >>> [round(greedy_value(d), 2) for d in (20, 100, 1_000, 2_000, 5_000)]
    [0.97, 0.93, 0.5, 0.26, 0.03]
    """
    return of_starved(d).value.mean


def lcb_half_width(d: int, delta: float) -> float:
    r"""Equation (1), :math:`\sqrt{2\sigma^2\log(2d/\delta)/N_i}`, with one sample of each arm.

    >>> round(lcb_half_width(10_000, 0.1), 3)
    2.47
    """
    return hoeffding_width(SIGMA, 1, probability(delta) / whole_number(d, "d"))


def least_samples_for_lcb(delta: float) -> int:
    r"""Section 3.3: :math:`\lceil8\log(2/\delta)\rceil`, the least samples per arm for which claim 2 of Theorem 3.1
    says anything with confidence 1 - delta, when arms are drawn uniformly.

    >>> least_samples_for_lcb(0.1)
    24
    """
    return ceil(8 * log(2 / probability(delta)))


def cloning_bound(d: int, delta: float) -> float:
    """Section 3.4: behaviour cloning's guaranteed value around its true value 1/2, one sample per arm.

    >>> round(cloning_bound(10_000, 0.1), 4)
    0.4878
    """
    return 0.5 - hoeffding_width(SIGMA, d, delta)


@cache
def lcb_eight(what: Literal["mean", "min", "bound"]) -> Law:
    """LCB's column of Table 2 over eight logs: the mean value, the smallest value, the mean lower bound at 90 %.

    >>> round(lcb_eight("mean").at_most(0.718), 3), round(lcb_eight("min").quantile(0.025), 3)
    (0.015, 0.224)
    """
    law = of_general()
    if what == "bound":
        return law.lcb_bound(0.1).average(8)
    return law.value.average(8) if what == "mean" else law.value.least(8)


@cache
def spread_of_eight(seed: int = 2024, groups: int = 1_000_000) -> Array:
    """The standard deviation (ddof 1) of what greedy earns on eight logs of Table 2's instance, many times, sorted.

    The one number of LCB's column without an integral: simulated from the exact law.
    """
    law = of_general().value
    return frozen(np.sort(default_rng(seed).choice(law.points, (groups, 8), p=law.chances).std(axis=1, ddof=1)))


def _largest(
    means: Array, counts: Array, laws: Callable[[Array], tuple[Array, Array]], breaks: tuple[float, ...], step: float
) -> LargestSample:
    """Integrate over the size of the largest sample, by Gauss-Legendre on panels between the ``breaks``.

    ``laws(x)`` gives the logarithms of distribution functions and densities, one row for each kind of arm. ``step`` is
    the width of the cells of the size's law.
    """
    x, weights = _nodes(breaks)
    cdf, pdf = laws(x)
    with np.errstate(invalid="ignore"):  # -inf less -inf, where no sample can be
        ratio = np.nan_to_num(np.exp(pdf - cdf + counts @ cdf), nan=0.0)
    mass = counts[:, None] * ratio * weights
    order = np.argsort(means)
    edges = np.arange(breaks[0] - step, breaks[-1] + step, step)
    with np.errstate(divide="ignore"):
        below = np.exp(counts @ laws(edges)[0])
    size = Law(frozen((edges[1:] + edges[:-1]) / 2), frozen(np.diff(below)))
    value = Law(frozen(means[order]), frozen(mass.sum(axis=1)[order]))
    return LargestSample(value, size, float(mass.sum(axis=0) @ x), int(counts.sum()))


def _nodes(breaks: tuple[float, ...]) -> tuple[Array, Array]:
    """Quadrature nodes and weights: each stretch between breaks in panels, each panel with a Gauss-Legendre rule."""
    edges = np.unique(np.concatenate([np.linspace(a, b, PANELS + 1) for a, b in pairwise(breaks)]))
    node, weight = np.polynomial.legendre.leggauss(NODES)
    half = np.diff(edges)[:, None] / 2
    return ((edges[:-1, None] + half) + half * node).ravel(), (half * weight).ravel()
