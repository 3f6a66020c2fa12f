"""From draws to a bound: the paper's order statistic, the conformal rank, and the expected shortfall."""

from math import ceil, exp, expm1, log, log1p, pi, sqrt

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.typing import ArrayLike

from .checks import Array, probability, whole_number
from .errors import NotEnoughDraws

__all__ = [
    "cantelli_factor",
    "clopper_pearson",
    "conformal_rank",
    "draws_for",
    "expected_shortfall",
    "least_draws",
    "normal_quantile",
    "order_statistic",
    "pooled_proportion_bound",
    "shortfall_draws",
    "shortfall_factor",
    "sidak",
    "student_quantile",
    "student_shortfall",
]

# Standard errors added to a simulated mean excess. It then falls below the true one in about one run of a hundred with
# forty excesses or more, and in six with EXCESSES of them: excesses are skewed, so more often than a normal mean. What
# counts is the probability of a miss, which is at most delta times true over simulated excess; averaged over runs, with
# exponential tails, that was 0.55 to 0.78 delta at 10 to 200 excesses, and above delta at 5.
SAFETY, EXCESSES = 3.0, 10


def sidak(delta: float, size: int) -> float:
    r"""The level at which each of ``size`` independent bounds may be missed if all are to hold at :math:`1-\delta`.

    >>> round(sidak(0.1, 1), 12), round(sidak(0.19, 2), 12)
    (0.1, 0.1)
    """
    return -expm1(log1p(-delta) / size)


def least_draws(delta: float) -> int:
    r"""The least M for which :math:`Q(M,\delta)` exists: the first with :math:`(1-\delta)^M\le\delta`.

    >>> least_draws(0.1)
    22
    """
    delta = probability(delta)
    return ceil(log(delta) / log1p(-delta))


def order_statistic(draws: int, delta: float) -> int:
    r""":math:`Q(M,\delta)` of Appendix B: the largest :math:`M_0` with :math:`P(\mathrm{Bin}(M,\delta)<M_0)\le\delta`.

    The :math:`M_0`-th largest of M draws then exceeds their :math:`(1-\delta)`-quantile with probability at least
    :math:`1-\delta`. Raises NotEnoughDraws, which says how many would do, when not even :math:`M_0=1` qualifies.

    >>> order_statistic(1_000, 0.1)
    88
    """
    draws, delta = whole_number(draws, "draws"), probability(delta)
    low, high = 0, draws  # rank 0 always qualifies, rank M + 1 never does
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if scipy.special.bdtr(middle - 1, draws, delta) <= delta else (low, middle - 1)
    if low == 0:
        raise NotEnoughDraws(draws, least_draws(delta), f"for an order statistic at delta = {delta:g}")
    return low


def draws_for(delta: float, radii: int, rank: int = 10) -> int:
    """The least number of draws with which the paper's band uses at least the ``rank``-th largest supremum.

    >>> draws_for(0.1, 40)
    17834
    """
    share = probability(delta) / (2 * radii)
    low, high = least_draws(share) - 1, 4 * rank * least_draws(share)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if scipy.special.bdtr(rank - 1, middle, share) <= share else (middle, high)
    return high


def conformal_rank(draws: int, delta: float) -> int:
    r"""The rank :math:`\lceil(1-\delta)(M+1)\rceil` of the score that one more exchangeable score exceeds with
    probability at most delta.

    Raises NotEnoughDraws, which says how many would do, with fewer than (1 - delta) / delta draws.

    >>> conformal_rank(99, 0.1)
    90
    """
    draws, delta = whole_number(draws, "draws"), probability(delta)
    rank = ceil((1 - delta) * (draws + 1) - 1e-9)
    if rank > draws:
        raise NotEnoughDraws(draws, ceil((1 - delta) / delta - 1e-9), f"to calibrate at delta = {delta:g}")
    return rank


def expected_shortfall(scores: Array, threshold: float, delta: float) -> float:
    r"""A bound that any score below these in increasing convex order exceeds with probability at most delta.

    :math:`s+\mathbb E(T-s)_+/\delta` for a threshold s fixed without looking at the scores (Rockafellar and Uryasev):
    Markov's inequality for :math:`(T-s)_+`. The simulated mean excess is raised by three of its standard errors.

    >>> expected_shortfall(np.array([0.0, 1.0, 2.0, 3.0]), 1.0, 0.5) > 2.5  # 1 + 0.75 / 0.5 without the errors
    True
    """
    excess = np.maximum(scores - threshold, 0.0)
    mean = excess.mean() + SAFETY * excess.std(ddof=1) / sqrt(excess.size)
    return float(threshold + mean / probability(delta))


def shortfall_draws(delta: float) -> int:
    """The least number of draws for an expected shortfall: ten excesses are to be expected among them.

    >>> shortfall_draws(0.1)
    100
    """
    return ceil(EXCESSES / probability(delta) - 1e-9)


def normal_quantile(delta: float) -> float:
    """What a standard normal variable exceeds with probability delta.

    >>> round(normal_quantile(0.05), 4)
    1.6449
    """
    return float(-scipy.special.ndtri(delta))


def student_quantile(spare: float, delta: float) -> float:
    """What Student's variable with ``spare`` degrees of freedom exceeds with probability delta.

    >>> round(student_quantile(5, 0.05), 4)
    2.015
    """
    return float(-scipy.special.stdtrit(spare, delta))


def shortfall_factor(delta: float) -> float:
    r"""The expected shortfall of the standard normal law, :math:`\varphi(z_\delta)/\delta`: what a variable below it in
    convex order exceeds with probability at most delta.

    >>> round(shortfall_factor(0.1), 4)
    1.755
    """
    return exp(-(normal_quantile(delta) ** 2) / 2) / sqrt(2 * pi) / delta


def cantelli_factor(delta: float) -> float:
    """What a variable of mean 0 and variance 1 exceeds with probability at most delta (Cantelli).

    >>> cantelli_factor(0.2)
    2.0
    """
    return sqrt((1 - delta) / delta)


def student_shortfall(spare: float, delta: float) -> float:
    r"""The expected shortfall of Student's variable, :math:`f(t_\delta)(\nu+t_\delta^2)/((\nu-1)\delta)`, with nu > 1.

    >>> round(student_shortfall(5, 0.1), 4), round(student_shortfall(1e9, 0.1), 4)
    (2.3022, 1.755)
    """
    from scipy import stats  # takes longer to import than all the rest

    quantile = student_quantile(spare, delta)
    return float(stats.t.pdf(quantile, spare) * (spare + quantile**2) / ((spare - 1) * delta))


def clopper_pearson(successes: ArrayLike, trials: ArrayLike, delta: float) -> Array:
    """The exact lower bound for one success probability (Clopper and Pearson, 1934).

    >>> clopper_pearson(9, 10, 0.1).round(4).item()
    0.6632
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    return np.where(k > 0, scipy.special.betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, delta), 0.0)


def pooled_proportion_bound(successes: ArrayLike, trials: ArrayLike, delta: float) -> Array:
    r"""A lower bound for the average of the success probabilities of independent trials that need not be alike.

    Clopper and Pearson's :math:`L_k` from two successes on; one success is worth delta / trials, none is worth nothing.
    Above delta = 1/4, where the argument ends, the bound at 1/4 is used. ``successes`` are those among all ``trials``,
    each trial counted once.

    *Why.* Let S be the number of ones among n, and p the average probability. The bound is missed when S reaches the
    least k with :math:`L_k>p`. Hoeffding (1956): :math:`P(S\ge k)\le P(\mathrm{Bin}(n,p)\ge k)` for whole
    :math:`k\ge np+1`, which is at most :math:`\delta`. If :math:`k<np+1` and :math:`k\ge2`, then :math:`np>1`, where a
    binomial reaches its mean with probability above 1/4 (Greenberg and Mohri, 2014), against
    :math:`P(\mathrm{Bin}(n,p)\ge k)<\delta\le1/4`. One success gives :math:`\delta/n` by Markov's inequality. Mattner
    and Tasto (2015) have the same result.

    >>> pooled_proportion_bound([0, 1, 2, 9], 10, 0.1).round(4).tolist()
    [0.0, 0.01, 0.0545, 0.6632]
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    level = min(delta, 0.25)
    return np.where(k >= 2, clopper_pearson(k, n, level), np.where(k >= 1, level / n, 0.0))
