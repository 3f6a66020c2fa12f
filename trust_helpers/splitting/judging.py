r"""Lower bounds for one mixture that was fixed before the samples which judge it were looked at.

There is no supremum here and no union over arms: a mixture :math:`w`, chosen on other data, is worth
:math:`w^\top r`, and independent samples say how much that is at least. All rewards lie in [0, 1] unless said otherwise
(a range is shifted and scaled by the caller); arms may all have different means.

*Flat mixtures of 0/1 rewards.* If every sample weighs the same, the successes S are a sum of independent coins with
unequal means, whose average p is the value. Hoeffding (1956): :math:`P(S\ge k)\le P(\mathrm{Bin}(n,p)\ge k)` for every
whole :math:`k\ge np+1`. Let :math:`L_k` solve :math:`P(\mathrm{Bin}(n,L_k)\ge k)=\delta` (Clopper and Pearson). The
bound is missed when S reaches the least k with :math:`L_k>p`. Either :math:`k\ge np+1`, and Hoeffding gives at most
:math:`\delta`; or :math:`k<np+1`, and for :math:`k\ge2` then :math:`np>1`, where a binomial reaches its mean with
probability above 1/4 (Greenberg and Mohri, 2014), against :math:`P(\mathrm{Bin}(n,p)\ge k)<\delta\le1/4`. One success
is worth :math:`\delta/n`, for :math:`P(S\ge1)\le np` (Markov); none is worth 0.

*The bet.* With :math:`c_t=w_i/n_i` the weight of sample t, guesses :math:`m_i` and a stake :math:`\theta` fixed before,
and :math:`\theta c_tm_i<1`,

.. math:: \sum_i w_im_i+\frac{L-\log(1/\delta)}\theta

is below :math:`w^\top r` with probability at least :math:`1-\delta`, where L is the sum over all t of
:math:`\log(1+\theta c_t(X_t-m_i))`. For the product of these factors has mean
:math:`\prod_t(1+\theta c_t(r_i-m_i))`, at most :math:`\exp(\theta\sum_iw_i(r_i-m_i))`, and Markov's inequality does the
rest. The upper end of the range is not used. As :math:`\log(1+\lambda x)\ge\lambda x-\psi(\lambda)x^2` for
:math:`x\ge-1`, :math:`\psi(\lambda)=-\log(1-\lambda)-\lambda` (Fan, Grama and Liu, 2015), it is never below the
empirical Bernstein form :math:`\sum_tc_tX_t-\frac1\theta(\log\frac1\delta+\psi(\theta b)V)` with
:math:`V=\sum_t(c_t/b)^2(X_t-m_i)^2` and :math:`b=\max c_tm_i`. No other product does better for 0/1 rewards: a factor
whose mean, linear in :math:`r_i`, stays below :math:`e^{\theta c_tr_i}` stays below a tangent, and the tangents are
these factors.

*By convex order.* The noise of the mixture is below a normal law of deviation :math:`(\sum_iw_i^2c_{n_i}^2/n_i)^{1/2}`
(see :mod:`trust_helpers.dominating`). The expected shortfall of that law is :math:`\varphi(z_\delta)/\delta`
deviations, and what dominates a law in convex order bounds its quantiles by its shortfalls.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.typing import ArrayLike, NDArray

from ..checks import Array
from ..dominating import normal_factor
from ..quantiles import cantelli_factor, normal_quantile, shortfall_factor, student_quantile

__all__ = [
    "Bet",
    "cantelli_width",
    "clopper_pearson",
    "convex_order_width",
    "make_bet",
    "normal_width",
    "pooled_proportion_bound",
    "student_width",
    "two_fold",
]

LARGEST = 1_000  # times all a bet has: beyond that no stake promises more by a thousandth


def clopper_pearson(successes: ArrayLike, trials: ArrayLike, delta: float) -> Array:
    """The exact lower bound for one success probability (Clopper and Pearson, 1934).

    Examples
    --------
    >>> clopper_pearson(9, 10, 0.1).round(4).item()
    0.6632
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    return np.where(k > 0, scipy.special.betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, delta), 0.0)


def pooled_proportion_bound(successes: ArrayLike, trials: ArrayLike, delta: float) -> Array:
    """A lower bound for the average of the success probabilities of independent trials that need not be alike.

    Clopper and Pearson's from two successes on, by Hoeffding (1956); one success is worth delta / trials, none is worth
    nothing. Above delta = 1/4, where the argument ends, the bound at 1/4 is used. ``successes`` are those among all
    ``trials``, each trial counted once.

    Examples
    --------
    >>> pooled_proportion_bound([0, 1, 2, 9], 10, 0.1).round(4).tolist()
    [0.0, 0.01, 0.0545, 0.6632]
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    level = min(delta, 0.25)
    return np.where(k >= 2, clopper_pearson(k, n, level), np.where(k >= 1, level / n, 0.0))


@dataclass(frozen=True, eq=False)
class Bet:
    r"""A bet on one mixture: everything that must be fixed before the judging samples are seen.

    Attributes
    ----------
    weights, counts, guesses : (d,) arrays
        The mixture, how many samples of each arm will judge it, and the guessed means :math:`m_i`.
    stake : float
        :math:`\theta`, in units of one over the reward.

    Examples
    --------
    >>> bet = Bet(np.array([1.0]), np.array([10]), guesses=np.array([0.5]), stake=10.0)
    >>> bet.sample_stakes, round(bet.from_counts([9], 0.1), 4)
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

    def from_counts(self, successes: ArrayLike, delta: float) -> float:
        """The bound from the number of ones of each arm, for 0/1 rewards."""
        k, u = np.asarray(successes), self.sample_stakes
        wealth = k * np.log1p(u * (1 - self.guesses)) + (self.counts - k) * np.log1p(-u * self.guesses)
        return self._bound(float(wealth.sum()), delta)

    def from_samples(self, arm: NDArray[np.intp], rewards: Array, delta: float) -> float:
        """The bound from the arm and the reward of each judging sample; rewards are at least 0."""
        u = self.sample_stakes
        return self._bound(float(np.log1p(u[arm] * (rewards - self.guesses[arm])).sum()), delta)

    def _bound(self, log_wealth: float, delta: float) -> float:
        return float(self.weights @ self.guesses) + (log_wealth - log(1 / delta)) / self.stake


def make_bet(weights: Array, counts: NDArray[np.int64], means: Array, variances: Array, delta: float) -> Bet:
    r"""The bet that promises most if the rewards have these means and variances.

    For a given stake the best guess solves :math:`\mathbb E[1/(1+u(X-m))]=1`, :math:`u=\theta c_t`; in closed form for
    rewards that are 0 or h, with h the one that gives the mean and the variance (1 for 0/1 rewards). The stake is
    found by search around :math:`(2\log(1/\delta)/\sum_iw_i^2v_i/n_i)^{1/2}`, where the normal approximation puts it,
    and above that where too few samples judge for the approximation to mean much.

    Arms of weight zero are ignored; an arm of positive weight must have a judging sample.

    >>> bet = make_bet(np.array([1.0]), np.array([100]), np.array([0.9]), np.array([0.09]), 0.1)
    >>> 0.8 < bet.from_counts([90], 0.1) < 0.9
    True
    """
    used = weights > 0
    w, n, mean, variance = weights[used], counts[used], np.maximum(means[used], 1e-12), variances[used]
    height = np.maximum(variance / mean + mean, 1e-12)
    centre = 0.5 * log(2 * log(1 / delta) / max(float((w**2 * variance / n).sum()), 1e-18))

    def loss(log_stake: float) -> float:
        return -_predicted(np.exp(log_stake), w, n, mean, height, delta)

    # a bet near all it has (u h = 1) is the largest worth making, wherever the variance would put it
    whole, end = -log(float((w / n * height).max())), centre + 1.0
    best = _smallest(loss, min(centre - 1.5, whole - log(2)), end)
    if end - best < 0.05:  # few judging samples: the less a bet can win, the more it stakes
        best = _smallest(loss, end, max(end, whole) + log(LARGEST))
    stake = float(np.exp(best))
    guesses = np.zeros(weights.size)
    guesses[used] = (1 - _room(stake * w / n * height, mean / height)) / (stake * w / n)
    return Bet(weights, counts, guesses, stake)


def _smallest(loss: Callable[[float], float], low: float, high: float) -> float:
    """Where a function of one valley is smallest."""
    from scipy import optimize  # takes longer to import than all the rest

    return float(optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 0.02}).x)


def _room(stake: Array, share: Array) -> Array:
    """1 - u m for the best guess m, for rewards that are 0 or 1 with a share of ones."""
    half = (1 - stake) / 2
    return half + np.sqrt(half**2 + np.maximum(1 - share, 1e-9) * stake)


def _predicted(theta: float, w: Array, n: NDArray[np.int64], mean: Array, height: Array, delta: float) -> float:
    """The bound to be expected at a stake, with the best guesses."""
    u, share = theta * w / n * height, mean / height
    room = _room(u, share)
    wealth = share * np.log(room + u) + (1 - share) * np.log(room) + (1 - room)
    return (float((n * wealth).sum()) - log(1 / delta)) / theta


def two_fold(bounds: tuple[float, float], stakes: tuple[float, float]) -> tuple[float, tuple[float, float]]:
    r"""Two bets, each judged on the part that chose the other, joined at full delta.

    The root of a product of two e-values is an e-value (Cauchy and Schwarz). Each bet's e-value is
    :math:`\exp(\theta_k(\ell_k-w_k^\top r))/\delta`, so with probability at least :math:`1-\delta` the mixture of the
    two with shares :math:`\theta_k/(\theta_1+\theta_2)` is worth at least the same mixture of their bounds. Returns
    that bound and the shares.

    Examples
    --------
    >>> round(two_fold((0.6, 0.9), (100.0, 200.0))[0], 6)
    0.8
    """
    first, second = (stake / sum(stakes) for stake in stakes)
    return first * bounds[0] + second * bounds[1], (first, second)


def _deviation(weights: Array, counts: NDArray[np.int64], sigma: ArrayLike) -> float:
    used = weights > 0
    level = np.broadcast_to(sigma, weights.shape)[used]
    return sqrt(float((weights[used] ** 2 * level**2 / counts[used]).sum()))


def convex_order_width(weights: Array, counts: NDArray[np.int64], delta: float) -> float:
    """What is to be subtracted from the mean of rewards in [0, 1] of which nothing else is known.

    >>> round(convex_order_width(np.array([1.0]), np.array([100]), 0.1), 4)
    0.088
    """
    factor = normal_factor(np.maximum(counts, 1))
    return shortfall_factor(delta) * _deviation(weights, counts, factor)


def normal_width(weights: Array, counts: NDArray[np.int64], sigma: ArrayLike, delta: float) -> float:
    """What is to be subtracted from the mean of Gaussian rewards of known level.

    >>> round(normal_width(np.array([1.0]), np.array([100]), 0.5, 0.1), 4)
    0.0641
    """
    return normal_quantile(delta) * _deviation(weights, counts, sigma)


def student_width(weights: Array, counts: NDArray[np.int64], sigma: float, spare: int, delta: float) -> float:
    """What is to be subtracted where the common level of Gaussian rewards is estimated from ``spare`` residuals.

    >>> round(student_width(np.array([1.0]), np.array([100]), 0.5, 5, 0.1), 4)
    0.0738
    """
    return student_quantile(spare, delta) * _deviation(weights, counts, sigma)


def cantelli_width(weights: Array, counts: NDArray[np.int64], sigma: ArrayLike, delta: float) -> float:
    """What is to be subtracted where only a standard deviation of the rewards is known (Cantelli's inequality).

    >>> round(cantelli_width(np.array([1.0]), np.array([100]), 0.5, 0.1), 4)
    0.15
    """
    return cantelli_factor(delta) * _deviation(weights, counts, sigma)
