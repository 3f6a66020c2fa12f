r"""Which mixture to have judged: the choice on one part of a log.

Any rule will do, for what is promised is found on the other part. This one looks for the mixture whose promise there
should be highest: the guessed value less some deviations of the average that will judge it,
:math:`w^\top x-q\,(\sum_iw_i^2v_i/n_i)^{1/2}`, with :math:`n_i` judging samples of variance :math:`v_i`. Candidates are
the mixtures :math:`w_i\propto n_i(x_i-\lambda)_+` of the trust region's path, and the flat ones,
:math:`w_i\propto n_i` among the arms guessed best, under each of two guesses x of the means; a mixture is scored by the
smaller of its two predicted promises, and a little of the larger. Cumulative sums over the sorted guesses give all of
them at once.

The rule is *monotone*: at equal counts an arm that is guessed lower never gets more weight, for weights depend on
counts and guesses alone, and a flat mixture never ends between arms that are guessed alike.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import Array
from .posteriors import Guesses

__all__ = ["choose"]

SIZES = 400  # how many flat mixtures, and how many levels, are compared at most
SMALLER = 0.75  # the weight of the smaller of the two predicted promises


def choose(guesses: Guesses, counts: NDArray, variances: Array, factor: float, common: float = 0.0) -> Array:
    """The mixture of the highest predicted promise.

    Parameters
    ----------
    guesses : Guesses
        Two guesses of the means.
    counts, variances : (d,) arrays
        How many samples will judge each arm, none perhaps, and the guessed variance of one of them. Weights are
        proportional to counts; of averages known by their precision alone, that is the count and the variance is 1.
    factor : float
        How many deviations the judge is expected to subtract.
    common : float
        A variance that the average of every mixture has in common.

    Examples
    --------
    >>> sure = Guesses(np.array([0.9, 0.88, 0.1]), np.array([0.9, 0.88, 0.1]))
    >>> choose(sure, np.full(3, 50), np.full(3, 0.1), 2.0).round(2).tolist()
    [0.51, 0.49, 0.0]
    """
    used = np.flatnonzero(counts > 0)
    n, v, seen = counts[used].astype(float), variances[used], Guesses(*(guess[used] for guess in guesses))
    best, weights = -np.inf, np.zeros(counts.size)
    for guess in seen:
        path = _path(guess, n)
        promises = [path.values(other) for other in seen]
        score = SMALLER * np.minimum(*promises) + (1 - SMALLER) * np.maximum(*promises)
        score -= factor * np.sqrt(path.variances(v) + common)
        top = int(score.argmax())
        if score[top] > best:
            best, weights[used] = float(score[top]), path.weights(top)
    return weights


class _Path(NamedTuple):
    """Mixtures of more and more of the top arms: n (x - level) each with a slope of 1, flat with a slope of 0."""

    order: NDArray[np.intp]
    n: Array
    x: Array
    size: NDArray[np.int64]
    slope: Array
    level: Array

    def values(self, y: Array) -> Array:
        """The value of every mixture when the arms are worth ``y``."""
        return self._sloped(y[self.order]) / self._sloped(1.0)

    def variances(self, v: Array) -> Array:
        """The variance of every mixture's judging average, of samples of variance ``v``."""
        nv = self.n * v[self.order]
        squares = self.slope * self._sums(nv * self.x**2) - 2 * self.slope * self.level * self._sums(nv * self.x)
        return np.maximum(squares + self.level**2 * self._sums(nv), 0.0) / self._sloped(1.0) ** 2

    def weights(self, index: int) -> Array:
        """One of the mixtures."""
        k, weights = self.size[index], np.zeros(self.x.size)
        weights[self.order[:k]] = self.n[:k] * (self.slope[index] * self.x[:k] - self.level[index])
        return weights / weights.sum()

    def _sloped(self, y: Array | float) -> Array:
        return self.slope * self._sums(self.n * self.x * y) - self.level * self._sums(self.n * y)

    def _sums(self, y: Array) -> Array:
        return np.cumsum(y)[self.size - 1]


def _path(x: Array, n: Array) -> _Path:
    """Flat mixtures down to each distinct guess, mixtures that end at it, and some that hold every arm."""
    unit = np.abs(x).max() or 1.0
    x = np.round(x / unit, 10) * unit  # the last digits differ between processors
    order = np.argsort(-x, kind="stable")
    top = x[order] - x[order[0]]  # gaps, so that ties at the top do not cancel
    ends = np.append(np.flatnonzero(np.diff(top)) + 1, x.size)
    ends = ends[np.unique(np.geomspace(1, ends.size, SIZES).astype(int)) - 1]
    below = top[-1] - max(-top[-1], 1e-12) * np.geomspace(0.03, 30, 20)
    level = np.concatenate([np.full(ends.size, -1.0), top[ends[:-1]], below])
    sizes = np.concatenate([ends, ends[:-1], np.full(below.size, x.size)])
    return _Path(order, n[order], top, sizes, (np.arange(level.size) >= ends.size) * 1.0, level)
