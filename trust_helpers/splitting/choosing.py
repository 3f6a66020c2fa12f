r"""Which mixture to have judged: the choice on the first part of a log.

Any rule will do, for what is promised is found on the other part. These look for the mixture whose promise there
should be highest, under each of two guesses of the means, and score a mixture by the smaller of its two predicted
promises, and a little of the larger: one arm far above all others is what a parametric guess never believes in.

*Flat mixtures* of 0/1 rewards: the arms of highest guessed mean, each played as often as it will be judged, so that all
judging samples weigh the same and Clopper and Pearson's bound applies.

*Smooth mixtures*, judged by a multiple of their deviation: :math:`w^\top x-q(\sum_iw_i^2/p_i)^{1/2}` has its maximum on
the trust region's path, :math:`w_i\propto p_i(x_i-\lambda)_+`; flat ones, :math:`w_i\propto p_i` among the top arms,
lose little and depend less on the guesses. Cumulative sums over the sorted guesses give the value of all of them, under
the other guess too. *Rehearsals* split the first part again, choose on the one half and judge on the other, and show
where the guesses promise too much: what a mixture of some size fell short by is taken off its prediction.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import Array
from .judging import clopper_pearson
from .parts import Counts
from .posteriors import Guesses

__all__ = ["Choice", "Rehearsal", "flat_choice", "smooth_choice"]

SIZES = 400  # how many sizes of a flat mixture, and how many levels of a smooth one, are compared at most


def _score(promises: list[Array]) -> Array:
    """Mostly the smaller of two predicted promises."""
    return 0.75 * np.minimum(*promises) + 0.25 * np.maximum(*promises)


class Choice(NamedTuple):
    """A mixture and its predicted promise.

    >>> sure = Guesses(np.array([0.9, 0.1]), np.array([0.9, 0.1]))
    >>> 0.5 < flat_choice(sure, np.array([50, 50]), 0.1).predicted < 0.9
    True
    """

    weights: Array
    predicted: float


def flat_choice(guesses: Guesses, counts: Counts, delta: float) -> Choice:
    """The best flat mixture of the arms of highest guessed mean, for 0/1 rewards judged on ``counts`` samples.

    Arms without a judging sample are left out.

    Examples
    --------
    >>> sure = Guesses(np.array([0.9, 0.88, 0.1]), np.array([0.9, 0.88, 0.1]))
    >>> flat_choice(sure, np.array([50, 50, 50]), 0.1).weights.tolist()
    [0.5, 0.5, 0.0]
    """
    return max((_best_prefix(x, guesses, counts, delta) for x in guesses), key=lambda choice: choice.predicted)


def _best_prefix(x: Array, guesses: Guesses, counts: Counts, delta: float) -> Choice:
    x = _settled(x)
    order = np.argsort(-x, kind="stable")
    order = order[counts[order] > 0]
    size = _sizes(x[order])
    trials = np.cumsum(counts[order])[size - 1]
    ones = [np.cumsum((counts * np.clip(guess, 0, 1))[order])[size - 1] for guess in guesses]
    predicted = _score([clopper_pearson(k, trials, delta) for k in ones])
    best = int(predicted.argmax())
    weights = np.zeros(x.size)
    weights[order[: size[best]]] = counts[order[: size[best]]] / trials[best]
    return Choice(weights, float(predicted[best]))


def _settled(x: Array) -> Array:
    """Guesses without their last digits, which differ between processors.

    Tied arms keep their order then. They may be judged on unlike numbers of samples, so it decides which mixtures are
    tried.
    """
    unit = np.abs(x).max() or 1.0
    return np.round(x / unit, 10) * unit


def _sizes(falling: Array) -> NDArray[np.int64]:
    """How many of the first arms to try: a geometric grid, the ends of ties, and all."""
    ends = np.append(np.flatnonzero(np.diff(falling)) + 1, falling.size)
    ends = ends[np.linspace(0, ends.size - 1, min(ends.size, SIZES)).astype(int)]
    return np.unique(np.concatenate([np.geomspace(1, falling.size, SIZES).astype(int), ends]))


class Rehearsal(NamedTuple):
    """Guesses from one part of the choosing part, and the averages of its other part.

    >>> sure = Guesses(np.array([0.9, 0.1]), np.array([0.9, 0.1]))
    >>> told = Rehearsal(sure, judged=np.array([0.3, 0.1]))
    >>> eager, careful = (smooth_choice(sure, np.full(2, 100.0), 1.28, r) for r in ((), (told,)))
    >>> careful.predicted < eager.predicted
    True
    """

    guesses: Guesses
    judged: Array


def smooth_choice(
    guesses: Guesses, precision: Array, factor: float, rehearsals: Sequence[Rehearsal] = (), flat: bool = False
) -> Choice:
    """The mixture of the largest guessed value less ``factor`` deviations, flat or on the path of either guess.

    Parameters
    ----------
    guesses : Guesses
        Two guesses of the means.
    precision : (d,) array
        The inverse variance of the average that judges each arm; zero for an arm that cannot be judged.
    factor : float
        How many deviations the judge subtracts.
    rehearsals : sequence of Rehearsal
        What happened when the same was tried inside the choosing part.
    flat : bool
        Whether only flat mixtures will do.

    Examples
    --------
    >>> sure = Guesses(np.array([0.9, 0.88, 0.1]), np.array([0.9, 0.88, 0.1]))
    >>> smooth_choice(sure, np.full(3, 100.0), 1.28).weights.round(1).tolist()
    [0.5, 0.5, 0.0]
    """
    used = np.flatnonzero(precision > 0)
    p = precision[used]
    best = Choice(np.zeros(0), -np.inf)
    for which in range(2):
        path = _path(guesses.of(used)[which], p)
        width = factor * path.deviation
        predicted = _score([path.values(guess) for guess in guesses.of(used)])
        predicted = predicted - np.maximum(_disappointment(which, used, p, rehearsals), 0) - width
        top = int(np.where(np.isinf(path.level) | (not flat), predicted, -np.inf).argmax())
        if predicted[top] > best.predicted:
            weights = np.zeros(precision.size)
            weights[used] = path.weights(top)
            best = Choice(weights, float(predicted[top]))
    return best


def _disappointment(which: int, used: NDArray[np.intp], p: Array, rehearsals: Sequence[Rehearsal]) -> Array | float:
    """By how much the mixtures of each size fell short of what was guessed, on average over the rehearsals."""
    short = []
    for inner, judged in rehearsals:
        path = _path(inner.of(used)[which], p)
        guessed = _score([path.values(guess) for guess in inner.of(used)])
        short.append(guessed - path.values(judged[used]))
    return np.mean(short, axis=0) if short else 0.0


class _Path(NamedTuple):
    """Mixtures of more and more of the top arms, p (x - level) each; flat ones where the level is infinite."""

    order: NDArray[np.intp]
    p: Array
    x: Array
    size: NDArray[np.int64]
    level: Array

    def values(self, y: Array) -> Array:
        """The value of every mixture when the arms are worth ``y``."""
        return self._sums(y[self.order]) / self._sums(np.ones(self.x.size))

    @property
    def deviation(self) -> Array:
        """The standard deviation of every mixture's judging average."""
        flat = np.isinf(self.level)
        level = np.where(flat, 0.0, self.level)
        squares = self._sums(self.x) - level * self._sums(np.ones(self.x.size))
        return np.sqrt(np.where(flat, np.cumsum(self.p)[self.size - 1], squares)) / self._sums(np.ones(self.x.size))

    def weights(self, index: int) -> Array:
        """One of the mixtures."""
        k, level = self.size[index], self.level[index]
        weights = np.zeros(self.x.size)
        weights[self.order[:k]] = self.p[:k] * (1.0 if np.isinf(level) else self.x[:k] - level)
        return weights / weights.sum()

    def _sums(self, y: Array) -> Array:
        """Sums of p (x - level) y over the arms of every mixture, of p y for flat ones."""
        plain = np.cumsum(self.p * y)[self.size - 1]
        level = np.where(np.isinf(self.level), 0.0, self.level)
        return np.where(np.isinf(self.level), plain, np.cumsum(self.p * self.x * y)[self.size - 1] - level * plain)


def _path(x: Array, p: Array) -> _Path:
    """Flat mixtures of the top k arms, those of the path that end at arm k + 1, and some that hold every arm."""
    x = _settled(x)
    order = np.argsort(-x, kind="stable")
    top = x[order] - x[order[0]]  # gaps, so that ties at the top do not cancel
    size = np.unique(np.geomspace(1, x.size, min(x.size, SIZES)).astype(np.int64))
    ends = top[size[:-1]]
    below = top[-1] - max(-top[-1], 1e-12) * np.geomspace(0.03, 30, 20)
    level = np.concatenate([np.where(ends < 0, ends, -np.inf), below])
    sizes = np.concatenate([size, size[:-1], np.full(below.size, x.size)])
    return _Path(order, p[order], top, sizes, np.concatenate([np.full(size.size, -np.inf), level]))
