r"""Guesses of the arms' means from one part of a log, by empirical Bayes (Robbins 1956; Efron).

They only *choose*: what is promised is judged on other samples, so a poor guess costs promise and never validity. Each
pair holds a parametric guess and a nonparametric one; where they disagree the data do not say which is right, and
whoever believes mostly the smaller promise of the two is rarely disappointed. At equal counts a higher average has a
higher guess, under either.

*0/1 rewards.* Arm means come from a beta distribution, fitted by moments, or from any distribution on a grid, fitted by
a hundred steps of EM from the first. The steps are few on purpose: run to the end, EM puts all mass on a few points.

*Other rewards.* The arms' averages are taken as normal around their means, which come from a normal distribution,
fitted by moments (DerSimonian and Laird, 1986), or from any distribution on a grid.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import Array

__all__ = ["Guesses", "coin_guesses", "normal_by_moments", "normal_guesses"]

STEPS, GRID = 100, 60
LEARN = 2_000  # EM learns from at most this many arms, or distinct pairs of successes and trials
CHUNK = 20_000


class Guesses(NamedTuple):
    """The posterior mean of every arm, under the parametric and the nonparametric fit.

    >>> Guesses(np.array([0.2, 0.4]), np.array([0.4, 0.4])).middle.round(6)
    array([0.3, 0.4])
    """

    parametric: Array
    free: Array

    @property
    def middle(self) -> Array:
        """Halfway between the two."""
        return (self.parametric + self.free) / 2


def coin_guesses(successes: NDArray[np.int64], trials: NDArray[np.int64]) -> Guesses:
    """Guesses of success probabilities; an arm without a trial gets the mean of the others, or 1/2 if none has any.

    Examples
    --------
    >>> sure = coin_guesses(np.array([8] * 50 + [0] * 50), np.full(100, 8))
    >>> [bool(g[0] > 0.95 and g[-1] < 0.05) for g in sure]
    [True, True]
    """
    if not trials.any():
        return Guesses(np.full(trials.size, 0.5), np.full(trials.size, 0.5))
    base = int(trials.max()) + 1
    pairs, back, times = np.unique(trials * base + successes, return_inverse=True, return_counts=True)
    n, k = (pairs // base).astype(float), (pairs % base).astype(float)
    a, b = _beta_by_moments(k, n, times)
    grid = np.sin(np.pi / 2 * (np.arange(GRID) + 0.5) / GRID) ** 2  # finer towards 0 and 1
    logs = np.outer(k, np.log(grid)) + np.outer(n - k, np.log1p(-grid))
    likelihood, learn = _relative(logs), _some(k.size)
    start = (a - 0.5) * np.log(grid) + (b - 0.5) * np.log1p(-grid)  # the density in the angle, where the grid is even
    prior = _em(likelihood[learn], times[learn], _relative(start))
    return Guesses(((k + a) / (n + a + b))[back], _posterior_means(grid, prior, likelihood)[back])


def normal_guesses(means: Array, precision: Array) -> Guesses:
    """Guesses of the means behind averages that are normal with these precisions; a precision may be zero.

    Examples
    --------
    >>> same = normal_guesses(np.array([0.9, 1.0, 1.1, 1.0]), np.ones(4))
    >>> same.parametric.round(2).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    known = precision > 0
    if not known.any():
        return Guesses(np.zeros(means.size), np.zeros(means.size))
    centre, variance = normal_by_moments(means[known], precision[known])
    shrunk = (precision * means * variance + centre) / (precision * variance + 1)
    grid = np.linspace(means[known].min(), means[known].max(), GRID)
    learn = _some(means.size)
    start = np.exp(-((grid - centre) ** 2) / (2 * (max(variance, np.ptp(grid) ** 2 / GRID) or 1.0)))
    prior = _em(_normal_likelihood(means[learn], precision[learn], grid), np.ones(learn.size, np.int64), start)
    parts = np.array_split(np.arange(means.size), -(-means.size // CHUNK))
    free = [_posterior_means(grid, prior, _normal_likelihood(means[i], precision[i], grid)) for i in parts]
    return Guesses(shrunk, np.concatenate(free))


def _normal_likelihood(x: Array, p: Array, grid: Array) -> Array:
    return _relative(-0.5 * p[:, None] * (x[:, None] - grid) ** 2)


def _relative(logs: Array) -> Array:
    """Numbers by their logarithms, in each row relative to the largest."""
    return np.exp(logs - logs.max(axis=-1, keepdims=True))


def _some(size: int) -> NDArray[np.intp]:
    """All positions, or evenly spaced ones."""
    return np.arange(size) if size <= LEARN else np.linspace(0, size - 1, LEARN).astype(np.intp)


def _beta_by_moments(k: Array, n: Array, times: NDArray[np.int64]) -> tuple[float, float]:
    """The beta distribution with the mean of these counts, and their spread beyond that of coins."""
    total = float(times @ n)
    p = min(max(float(times @ k) / total, 0.5 / (total + 1)), 1 - 0.5 / (total + 1))
    arms = float(times[n > 0].sum())
    excess = float(times @ np.where(n > 0, (k - n * p) ** 2 / np.maximum(n, 1), 0.0)) - (arms - 1) * p * (1 - p)
    norm = total - float(times @ n**2) / total - (arms - 1)
    alike = excess / (p * (1 - p) * norm) if norm > 0 else 1 / 3  # the intraclass correlation 1 / (a + b + 1)
    size = 1 / min(max(alike, 1e-4), 0.95) - 1
    return p * size, (1 - p) * size


def normal_by_moments(x: Array, p: Array) -> tuple[float, float]:
    """Mean and variance of the normal distribution of means behind averages x of precision p."""
    total = float(p.sum())
    norm = total - float(p @ p) / total
    excess = float(p @ (x - p @ x / total) ** 2) - (x.size - 1)
    variance = max(excess / norm, 0.0) if norm > 0 else 0.0
    weights = 1 / (1 / p + variance)
    return float(weights @ x / weights.sum()), variance


def _em(likelihood: Array, times: NDArray[np.int64], start: Array) -> Array:
    """The distribution on the grid after a fixed number of EM steps."""
    prior = start / start.sum()
    prior = (prior + 1e-9) / (1 + 1e-9 * prior.size)
    frequency = times / times.sum()
    for _ in range(STEPS):
        prior = prior * (likelihood.T @ (frequency / (likelihood @ prior)))
    return prior


def _posterior_means(grid: Array, prior: Array, likelihood: Array) -> Array:
    joint = likelihood * prior
    return joint @ grid / joint.sum(axis=1)
