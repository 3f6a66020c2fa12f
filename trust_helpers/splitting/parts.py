r"""Two independent parts of one log: one to choose on, one to judge on.

*Samples* of an arm that are independent and alike may be dealt into two parts by any rule that does not look at the
rewards. *Successes and trials* are enough for 0/1 rewards: given all, the successes among the trials dealt to the first
part are hypergeometric. *Gaussian averages of known level* need not even repeat: with Z of x's own variance,
:math:`x+gZ` and :math:`x-Z/g` are uncorrelated, so independent (data fission; Leiner et al., Neufeld et al.). With
:math:`g^2=(1-a)/a` their variances are those of shares a and 1 - a of the samples.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ..checks import Array
from ..errors import DataError
from ..samples import Samples

__all__ = [
    "Coins",
    "Counts",
    "deal",
    "deal_counts",
    "deal_samples",
    "fission",
    "line_variances",
    "reward_variance",
    "split_successes",
    "toss",
]

Counts = NDArray[np.int64]
MOST = 10**9  # the generator of hypergeometric numbers goes no further
ALIKE = 1e-9  # of the largest: the average of a million equal rewards is off by less


def deal_counts(counts: Counts, share: float, rng: Generator) -> Counts:
    """How many samples of each arm go to the first part: its share, rounded up or down at random.

    Examples
    --------
    >>> deal_counts(np.array([4, 10]), 0.5, np.random.default_rng(0)).tolist()
    [2, 5]
    """
    due = counts * share
    whole = np.floor(due)
    first = (whole + (rng.random(counts.size) < due - whole)).astype(np.int64)
    return _leave_one(first, counts)


def _leave_one(first: Counts, counts: Counts) -> Counts:
    """Never all samples: where nothing would be left to judge with, the most sampled arm keeps one."""
    if (first == counts).all():
        first[np.argmax(counts)] -= 1
    return first


def deal_samples(arm: NDArray[np.intp], first: Counts, rng: Generator) -> NDArray[np.bool_]:
    """Which samples go to the first part, ``first`` of each arm at random.

    >>> chosen = deal_samples(np.array([0, 1, 0, 1]), np.array([1, 2]), np.random.default_rng(0))
    >>> int(chosen[[0, 2]].sum()), int(chosen[[1, 3]].sum())
    (1, 2)
    """
    order = np.lexsort((rng.random(arm.size), arm))
    starts = np.concatenate([[0], np.cumsum(np.bincount(arm, minlength=first.size))[:-1]])
    rank = np.arange(arm.size) - starts[arm[order]]
    chosen = np.empty(arm.size, dtype=bool)
    chosen[order] = rank < first[arm[order]]
    return chosen


class Coins(NamedTuple):
    """Successes and trials of each arm.

    >>> Coins(np.array([3]), np.array([4])).trials
    array([4])
    """

    successes: Counts
    trials: Counts


def split_successes(successes: Counts, trials: Counts, share: float, rng: Generator) -> tuple[Coins, Coins]:
    """Both parts of a log of 0/1 rewards, from successes and trials alone.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> chosen, judged = split_successes(np.array([3]), np.array([4]), 0.5, rng)
    >>> (chosen.trials + judged.trials).tolist(), (chosen.successes + judged.successes).tolist()
    ([4], [3])
    """
    if trials.max() >= MOST:
        raise DataError(f"nothing is dealt where an arm has {MOST:,} trials or more: it needs no splitting")
    dealt = deal_counts(trials, share, rng)
    ones = rng.hypergeometric(successes, trials - successes, dealt)
    return Coins(ones, dealt), Coins(successes - ones, trials - dealt)


def fission(means: Array, deviation: Array, share: float, rng: Generator) -> tuple[Array, Array]:
    """Two independent copies of Gaussian averages, as of shares ``share`` and ``1 - share`` of the samples.

    ``deviation`` is that of each average. Their variances are the average's divided by the share.

    >>> rng = np.random.default_rng(0)
    >>> first, second = fission(rng.normal(size=50_000), np.ones(50_000), 0.5, rng)
    >>> round(first.var(), 1), round(second.var(), 1), bool(abs((first * second).mean()) < 0.05)
    (np.float64(2.0), np.float64(2.0), True)
    """
    g = np.sqrt((1 - share) / share)
    noise = rng.normal(size=means.size) * deviation
    return means + g * noise, means - noise / g


def deal(samples: Samples, first: Counts, rng: Generator) -> tuple[Samples, Samples]:
    """Both parts of a log of samples, ``first`` of each arm in the first.

    >>> whole = Samples(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0]), np.array([2, 1]))
    >>> first, second = deal(whole, np.array([1, 0]), np.random.default_rng(0))
    >>> first.counts.tolist(), second.counts.tolist()
    ([1, 0], [1, 1])
    """
    arm, reward, chosen = samples.arm, samples.reward, deal_samples(samples.arm, first, rng)
    return Samples(arm[chosen], reward[chosen], first), Samples(arm[~chosen], reward[~chosen], samples.counts - first)


def toss(samples: Samples, rng: Generator) -> Coins:
    """A coin for every reward in [0, 1], with the reward as its chance: 0/1 rewards of the same means.

    >>> log = Samples(np.array([0, 0, 1]), np.array([1.0, 1.0, 0.0]), np.array([2, 1]))
    >>> toss(log, np.random.default_rng(0))
    Coins(successes=array([2, 0]), trials=array([2, 1]))
    """
    heads = rng.random(samples.reward.size) < samples.reward
    return Coins(np.bincount(samples.arm, heads, samples.counts.size).astype(np.int64), samples.counts)


def reward_variance(part: Samples) -> float:
    """The variance of one reward: within arms, or half of all variance where no arm repeats.

    >>> part = Samples(np.zeros(4, int), np.array([1.0, 3.0, 1.0, 3.0]), np.array([4]))
    >>> round(reward_variance(part), 4)
    1.3333
    """
    variance = part.residual_variance if part.spare >= 3 else float(np.var(part.reward)) / 2 if part.reward.size else 0
    return max(variance, 1e-9)


def line_variances(part: Samples, guess: Array, level: float) -> Array:
    """The variance of a reward of each arm, as a straight line in the guessed mean: small rewards vary less.

    With fewer than ten spare samples, or where all arms that repeat are guessed alike but for rounding, it is the level
    for all.

    >>> part = Samples(np.array([0, 1]), np.array([1.0, 3.0]), np.array([1, 1]))
    >>> line_variances(part, np.array([1.0, 3.0]), 2.0)
    array([2., 2.])
    """
    spare = np.maximum(part.counts - 1, 0)
    if part.spare < 10 or np.ptp(guess[spare > 0]) <= ALIKE * abs(guess).max():
        return np.full(guess.size, level)
    squares = np.bincount(part.arm, (part.reward - part.means[part.arm]) ** 2, guess.size) / np.maximum(spare, 1)
    from_centre = guess - guess[spare > 0].mean()  # far from zero, a line through zero is poorly determined
    slope, at_centre = np.polyfit(from_centre[spare > 0], squares[spare > 0], 1, w=np.sqrt(spare[spare > 0]))
    return np.clip(at_centre + slope * from_centre, level / 3, level * 10)
