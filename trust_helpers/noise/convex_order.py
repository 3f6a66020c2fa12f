r"""The normal law that dominates every bounded reward, and every mean of bounded rewards, in convex order.

:math:`X\preceq Y` in *convex order* when :math:`\mathbb E f(X)\le\mathbb E f(Y)` for every convex :math:`f`. For
centred variables that is :math:`\mathbb E(X-s)_+\le\mathbb E(Y-s)_+` for every :math:`s`, the *stop-loss*. The order
survives scaling and independent sums (Shaked and Shanthikumar).

*One reward.* Of all laws on an interval of length 1 the largest stop-loss at :math:`s` is :math:`(1-s)^2/4`, reached by
two-point laws on the ends: a reward below a chord is replaced by its ends, which keeps the mean and raises every convex
function; then :math:`\max_p\,p(1-p-s)` is at :math:`p=(1-s)/2`.

*The mean of N rewards.* Each reward may be replaced by a coin of its own mean, and Hoeffding (1956) puts coins of one
common mean on top: for a convex :math:`f`, :math:`\mathbb E f(B)` of a sum of independent coins with means :math:`p_j`
is largest when all are equal to their average. So the least law above all means of N rewards in [0, 1] has the
stop-loss :math:`\max_p\mathbb E(\mathrm{Bin}(N,p)/N-p-s)_+`, and :math:`c_N/\sqrt N` is the smallest deviation of a
normal law whose stop-loss is above that envelope everywhere.

*Facts used here.* For odd N the two touch at :math:`s=0`, :math:`p=1/2`, so
:math:`c_N=\sqrt{2\pi N}\binom{N-1}{(N-1)/2}2^{-(N+1)}`. For even N they touch at some :math:`s>0`; the
factors up to N = 100 were computed from the envelope and rounded up. A mean over N = a + b rewards is a mixture of two
means, and sums keep the order, so :math:`N c_N^2\le a\,c_a^2+b\,c_b^2`: that bounds every larger N. A test computes all
of it again.
"""

from functools import cache

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.typing import ArrayLike

from ..checks import Array, frozen

__all__ = ["normal_factor"]

# c_2, c_4, ..., c_100, rounded up in the seventh digit
# fmt: off
_EVEN = np.array([
    0.5585741, 0.5303268, 0.5204405, 0.5154102, 0.5123653, 0.5103245, 0.5088616, 0.5077617, 0.5069046, 0.5062179,
    0.5056554, 0.5051862, 0.5047889, 0.5044482, 0.5041527, 0.5038940, 0.5036656, 0.5034626, 0.5032808, 0.5031172,
    0.5029692, 0.5028345, 0.5027115, 0.5025988, 0.5024951, 0.5023993, 0.5023106, 0.5022282, 0.5021515, 0.5020799,
    0.5020130, 0.5019502, 0.5018911, 0.5018356, 0.5017832, 0.5017338, 0.5016870, 0.5016426, 0.5016006, 0.5015606,
    0.5015226, 0.5014864, 0.5014519, 0.5014189, 0.5013874, 0.5013573, 0.5013284, 0.5013008, 0.5012743, 0.5012488,
])
# fmt: on


def _odd(n: Array) -> Array:
    """The exact factor at odd N."""
    log_binomial = scipy.special.gammaln(n) - 2 * scipy.special.gammaln((n + 1) / 2)
    return np.sqrt(2 * np.pi * n) * np.exp(log_binomial - (n + 1) * np.log(2))


@cache
def _squared() -> Array:
    """N c_N^2 for N = 0, 1, 2, ... as far as c_N was computed."""
    table = np.empty(2 * _EVEN.size)
    table[1::2] = _EVEN
    table[::2] = _odd(np.arange(1.0, table.size, 2))
    return frozen(np.concatenate([[0.0], np.arange(1, table.size + 1) * table**2]))


def normal_factor(counts: ArrayLike) -> Array:
    r"""The factor :math:`c_N` for which N(0, :math:`c_N^2R^2/N`) dominates the mean of N rewards of range R.

    "Dominates" is in convex order, after centring. The factor falls from 0.627 at N = 1 to 1/2, which is the price of
    knowing a standard deviation of R/2 and nothing else. Exact up to N = 100; beyond, an upper bound by subadditivity
    of :math:`Nc_N^2`.

    Parameters
    ----------
    counts : array of int
        N, at least one each.

    Examples
    --------
    >>> normal_factor([1, 2, 3, 10, 1000]).round(4).tolist()
    [0.6267, 0.5586, 0.5427, 0.5124, 0.5012]
    """
    n = np.asarray(counts, dtype=np.int64)
    squared = _squared()
    whole, rest = np.divmod(n, squared.size - 1)
    return np.sqrt((whole * squared[-1] + squared[rest]) / n)
