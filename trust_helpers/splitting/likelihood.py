r"""What a promise about coins may be if it is to hold for a seed that everybody leaves alone.

Successes are dealt at random, and the promise is missed with probability at most delta over the log *and* the deal.
Each log has a stream of its own, so over many possible logs the deals are as good as fresh. But twenty tosses of each
of two arms have only 441 possible logs, some of them likely, each with its one deal for ever: then one seed is lucky,
and another misses far too often.

Let m be the probability over deals that the promise on a log is false. Over seeds the share of logs missed,
:math:`\sum_{\text{log}}P(\text{log})\,1\{\text{missed}\}`, has mean :math:`\sum P\,m\le\delta` and variance
:math:`\sum P^2m(1-m)`. If no log on which the promise is false is likelier than :math:`\delta/100`, the variance is at
most :math:`\delta^2/100`. A promise v on a mixture w is false only if :math:`w\cdot p<v`, so such a log is at most as
likely as the likeliest such p makes it. Promises are lowered until that is a hundredth of delta: over seeds the share
missed is then at most delta on average, with a standard deviation of at most a tenth of delta. Logs of more than a few
arms are not touched, unless hardly any of their arms both won and lost.
"""

from math import log

import numpy as np
import scipy  # which loads its parts when they are first needed

from ..checks import Array
from .parts import Counts

__all__ = ["largest_log_likelihood", "promise_for_a_fixed_seed"]

# How many times less likely than delta a log must be on which a promise may be false.
LESS = 100


def promise_for_a_fixed_seed(successes: Counts, trials: Counts, weights: Array, bound: float, delta: float) -> float:
    """The bound, or what is left of it when no log with a false promise may be likelier than a hundredth of delta.

    >>> won, tried = np.array([34]), np.array([40])
    >>> round(promise_for_a_fixed_seed(won, tried, np.array([1.0]), 0.75, 0.1), 3)
    0.62
    >>> promise_for_a_fixed_seed(np.full(9, 34), np.full(9, 40), np.full(9, 1 / 9), 0.8, 0.1)
    0.8
    """
    rarely = log(delta / LESS)

    def likely(value: float) -> float:
        return largest_log_likelihood(successes, trials, weights, value)

    # first whatever the mixture is worth, which needs no multiplier and settles every large log
    if bound <= 0 or likely(1.0) <= rarely or likely(bound) <= rarely:
        return bound
    return float(scipy.optimize.brentq(lambda v: max(likely(v), 2 * rarely) - rarely, 1e-12 * bound, bound, xtol=1e-12))


def largest_log_likelihood(successes: Counts, trials: Counts, weights: Array, value: float) -> float:
    r"""How likely the successes can be, on a logarithmic scale, if a mixture is worth at most ``value`` > 0.

    Lagrange's condition :math:`k_i/p_i-(n_i-k_i)/(1-p_i)=\lambda w_i` is a quadratic equation for each arm, whose
    solution falls as the multiplier grows.

    >>> won, tried = np.array([4]), np.array([4])
    >>> bool(np.isclose(largest_log_likelihood(won, tried, np.array([1.0]), 0.5), 4 * np.log(0.5)))
    True
    """
    won, tried = successes.astype(float), trials.astype(float)

    def chances(multiplier: float) -> Array:
        pull = multiplier * weights
        root = np.sqrt(np.maximum((tried + pull) ** 2 - 4 * pull * won, 0))  # (n - a)^2 if all were won
        return 2 * won / (tried + pull + root)

    def beyond(multiplier: float) -> float:
        return float(weights @ chances(multiplier)) - value

    p = won / tried
    if beyond(0.0) > 0:
        top = float(won.sum()) / value  # each chance is at most k / (lambda w), so a mixture at most their sum
        p = chances(scipy.optimize.brentq(beyond, 0.0, 2 * top, xtol=1e-9 * top))
    lost = tried - won
    ways = scipy.special.gammaln(tried + 1) - scipy.special.gammaln(won + 1) - scipy.special.gammaln(lost + 1)
    return float((ways + scipy.special.xlogy(won, p) + scipy.special.xlog1py(lost, -p)).sum())
