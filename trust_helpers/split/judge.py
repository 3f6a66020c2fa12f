r"""What one mixture is worth at least, judged by samples that did not choose it; and the average over many splits.

There is no supremum here and no union over arms. Split k gives a mixture :math:`w_k`, a *stake* :math:`\theta_k`, and a
number :math:`v_k` from the judging part, such that the random variable :math:`T_k=\theta_k(v_k-w_k^\top r)` is bounded
in a way that survives averaging over splits, however they depend on each other:

*Rewards in a range* (here scaled to begin at 0). With :math:`c_t=w_i/n_i` the weight of sample t and guesses
:math:`m_i`, fixed by the choosing part, and :math:`\theta c_tm_i<1`,

.. math:: \theta v=\theta\sum_iw_im_i+\sum_t\log(1+\theta c_t(X_t-m_i)).

Then :math:`e^T` is an *e-value*: :math:`\mathbb E\prod_t(1+\theta c_t(X_t-m_i))=\prod_t(1+\theta c_t(r_i-m_i))` is at
most :math:`\exp(\theta\sum_iw_i(r_i-m_i))`. The geometric mean of K e-values is at most their arithmetic mean, which is
an e-value again, so by Markov's inequality the average of the :math:`T_k` exceeds :math:`\log(1/\delta)` with
probability at most :math:`\delta`. Where arms met the same items, the factors of one item are one,
:math:`1+\theta\sum_{t\in j}c_t(X_t-m_i)`: rewards of one item may depend on each other in any way.

*Gaussian noise.* :math:`v=w^\top x` and :math:`\theta` is one over its standard deviation, so each :math:`T_k` is
standard normal; their average is below that law in convex order, and exceeds its expected shortfall with probability at
most :math:`\delta`. The same with the level estimated in the judging part, and Student's distribution.

*A standard deviation alone.* Each :math:`T_k` has mean 0 and variance at most 1, and so has the average: Cantelli.

So in each case the average of the :math:`T_k` exceeds a number q with probability at most :math:`\delta`, and

.. math:: \frac{\sum_k\theta_kv_k-Kq}{\sum_k\theta_k}\le\Big(\frac{\sum_k\theta_kw_k}{\sum_k\theta_k}\Big)^\top r .

Each deal of the samples gives two splits, or one where a part cannot judge, which counts decide; the average of its
:math:`T` stands for the deal. The number of deals may be chosen by looking at them: they are exchangeable, and for
averages of exchangeable variables Markov's inequality holds at all K at once (Ramdas and Manole, 2023).
"""

from dataclasses import dataclass
from math import inf, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import Array
from ..samples import Samples

__all__ = ["Average", "Bet", "Judged", "judge_deviations", "make_bet"]

LARGEST = 1_000  # times all a bet has: beyond that no stake promises more by a thousandth


class Judged(NamedTuple):
    """What one split says: a mixture, its stake, v, what it earned on the judging part, and spare samples there."""

    weights: Array
    stake: float
    value: float
    earned: float
    spare: float = inf

    def rescaled(self, low: float, width: float) -> "Judged":
        """The same for rewards in [low, low + width] instead of [0, 1]."""
        return self._replace(stake=self.stake / width, value=low + width * self.value, earned=low + width * self.earned)


class Average:
    """The deals so far, each a judgement or two made of the same random numbers; a deal counts once.

    >>> made = Average(1)
    >>> made.add([Judged(np.ones(1), 2.0, 0.9, 0.8), Judged(np.ones(1), 2.0, 0.7, 0.6)])
    >>> made.weights, round(made.bound(0.5), 3), made.splits
    (array([1.]), 0.55, 2)
    """

    def __init__(self, n_arms: int) -> None:
        self.deals, self.splits, self.spare = 0, 0, inf
        self._weights = np.zeros(n_arms)
        self._rows: list[Array] = []  # of each deal that was judged: stake, stake times value, stake times earnings

    def add(self, judged: list[Judged]) -> None:
        """What one deal said: of both parts, of one that could judge the other's choice, or nothing."""
        self.deals += 1
        self.splits += len(judged)
        for one in judged:
            self._weights += one.stake * one.weights / len(judged)
            self.spare = min(self.spare, one.spare)
        if judged:
            rows = [(one.stake, one.stake * one.value, one.stake * one.earned) for one in judged]
            self._rows.append(np.mean(rows, axis=0))

    @property
    def weights(self) -> Array:
        """The mixture of the mixtures."""
        return self._weights / self._weights.sum()

    @property
    def earned(self) -> float:
        """What the mixtures earned on the samples that judged them."""
        stakes, _, earned = np.transpose(self._rows)
        return float(earned.sum() / stakes.sum())

    def bound(self, factor: float) -> float:
        """The promise, if the average of the T exceeds ``factor`` with probability at most delta."""
        stakes, values, _ = np.transpose(self._rows)
        return float((values.sum() - factor * values.size) / stakes.sum())

    def error(self, factor: float) -> float:
        """The promise's standard deviation over the random numbers."""
        stakes, values, _ = np.transpose(self._rows)
        rest = values - factor - self.bound(factor) * stakes
        return float(sqrt(rest @ rest) / stakes.sum())


@dataclass(frozen=True, eq=False)
class Bet:
    r"""A bet on one mixture of rewards that are at least 0: all that must be fixed before the judging samples are seen.

    Attributes
    ----------
    weights, counts, guesses : (d,) arrays
        The mixture, how many samples of each arm will judge it, and the guessed means :math:`m_i`.
    stake : float
        :math:`\theta`, in units of one over the reward.

    Examples
    --------
    >>> bet = Bet(np.array([1.0]), np.array([10]), guesses=np.array([0.5]), stake=10.0)
    >>> bet.sample_stakes, round(bet.from_counts(np.array([9])) - log(10) / 10, 4)
    (array([1.]), 0.5653)
    """

    weights: Array
    counts: NDArray[np.int64]
    guesses: Array
    stake: float

    @property
    def sample_stakes(self) -> Array:
        r""":math:`\theta w_i/n_i`, what is staked on one sample of each arm."""
        return self.stake * self.weights / np.maximum(self.counts, 1)

    def from_counts(self, successes: NDArray[np.int64]) -> float:
        """v from the number of ones of each arm, for 0/1 rewards."""
        u = self.sample_stakes
        wealth = successes * np.log1p(u * (1 - self.guesses)) + (self.counts - successes) * np.log1p(-u * self.guesses)
        return self._value(float(wealth.sum()))

    def from_samples(self, part: Samples) -> float:
        """v from the judging samples, item by item where arms met the same items."""
        won = self.sample_stakes[part.arm] * (part.reward - self.guesses[part.arm])
        if part.item is not None:
            won = np.bincount(part.item, won).astype(float)
        return self._value(float(np.log1p(won).sum()))

    def _value(self, log_wealth: float) -> float:
        return float(self.weights @ self.guesses) + log_wealth / self.stake


def make_bet(weights: Array, counts: NDArray[np.int64], means: Array, variances: Array, delta: float) -> Bet:
    r"""The bet that promises most if the rewards have these means and variances.

    For a given stake the best guess solves :math:`\mathbb E[1/(1+u(X-m))]=1`, :math:`u=\theta c_t`; in closed form for
    rewards that are 0 or h, with h the one that gives the mean and the variance (1 for 0/1 rewards). The stake is the
    best of some around :math:`(2\log(1/\delta)/\sum_iw_i^2v_i/n_i)^{1/2}`, where the normal approximation puts it, and
    above that where too few samples judge for the approximation to mean much.

    Arms of weight zero are ignored; an arm of positive weight must have a judging sample.

    >>> bet = make_bet(np.array([1.0]), np.array([100]), np.array([0.9]), np.array([0.09]), 0.1)
    >>> 0.8 < bet.from_counts(np.array([90])) - log(10) / bet.stake < 0.9
    True
    """
    used = weights > 0
    w, n, mean, variance = weights[used], counts[used], np.maximum(means[used], 1e-12), variances[used]
    height = np.maximum(variance / mean + mean, 1e-12)
    centre = sqrt(2 * log(1 / delta) / max(float((w**2 * variance / n).sum()), 1e-18))
    whole = 1 / float((w / n * height).max())  # a bet that may lose all it has
    low, high = min(0.2 * centre, 0.5 * whole), 3 * centre
    stake = _best_stake(low, high, w, n, mean, height, delta)
    if stake >= high * (1 - 1e-9):  # few judging samples: the less a bet can win, the more it stakes
        stake = _best_stake(high, LARGEST * max(high, whole), w, n, mean, height, delta)
    guesses = np.zeros(weights.size)
    guesses[used] = (1 - _left(stake * w / n * height, mean / height)) / (stake * w / n)
    return Bet(weights, counts, guesses, stake)


def _best_stake(
    low: float, high: float, w: Array, n: NDArray[np.int64], mean: Array, height: Array, delta: float
) -> float:
    """The stake of the highest predicted bound, of some an eighth apart: the promise is flat around the best of them.

    Of those that differ by rounding alone it is the smallest.
    """
    stakes = np.geomspace(low, high, 2 + int(log(high / low) / log(1.125)))
    predicted = np.array([_predicted(stake, w, n, mean, height, delta) for stake in stakes])
    return float(stakes[int(np.argmax(predicted >= predicted.max() - 1e-12 * max(1.0, abs(predicted.max()))))])


def _left(stake: Array, ones: Array) -> Array:
    """1 - u m for the best guess m, for rewards of which a fraction is 1 and the others are 0."""
    half = (1 - stake) / 2
    return half + np.sqrt(half**2 + np.maximum(1 - ones, 1e-9) * stake)


def _predicted(stake: float, w: Array, n: NDArray[np.int64], mean: Array, height: Array, delta: float) -> float:
    """The bound to be expected at a stake, with the best guesses."""
    u, ones = stake * w / n * height, mean / height
    left = _left(u, ones)
    wealth = ones * np.log(left + u) + (1 - ones) * np.log(left) + (1 - left)
    return (float((n * wealth).sum()) - log(1 / delta)) / stake


def judge_deviations(weights: Array, means: Array, deviations: Array, spare: float = inf) -> Judged:
    """A mixture judged by independent averages with these standard deviations, zero where nothing is played.

    >>> judge_deviations(np.array([1.0, 0.0]), np.array([3.0, 1.0]), np.array([0.5, np.inf])).stake
    2.0
    """
    used = weights != 0
    value = float(weights[used] @ means[used])
    return Judged(weights, 1 / sqrt(float(((weights[used] * deviations[used]) ** 2).sum())), value, value, spare)
