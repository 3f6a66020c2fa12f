r"""Exact lower bounds for proportions: of one success probability, and of the average of many.

*Independent trials with unequal probabilities.* Let S be the number of ones among n and p the average probability.
Hoeffding (1956): :math:`P(S\ge k)\le P(\mathrm{Bin}(n,p)\ge k)` for every whole :math:`k\ge np+1`. Let :math:`L_k`
solve :math:`P(\mathrm{Bin}(n,L_k)\ge k)=\delta` (Clopper and Pearson). The bound is missed when S reaches the least k
with :math:`L_k>p`. Either :math:`k\ge np+1`, and Hoeffding gives at most :math:`\delta`; or :math:`k<np+1`, and for
:math:`k\ge2` then :math:`np>1`, where a binomial reaches its mean with probability above 1/4 (Greenberg and Mohri,
2014), against :math:`P(\mathrm{Bin}(n,p)\ge k)<\delta\le1/4`. One success gives :math:`\delta/n`, for
:math:`P(S\ge1)\le np` (Markov); none gives 0. Mattner and Tasto (2015) have the same result.
"""

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.typing import ArrayLike

from .checks import Array

__all__ = ["clopper_pearson", "pooled_proportion_bound"]


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
