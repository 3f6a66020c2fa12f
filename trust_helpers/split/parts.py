r"""Two independent parts of one log, one to choose on and one to judge on, and the random numbers that make them.

*Samples* of an arm that are independent and alike may be dealt into two parts by any rule that does not look at the
rewards; where every arm met the same items, whole items are dealt. *Successes and trials* are enough for 0/1 rewards:
given all, the successes among the trials dealt to the first part are hypergeometric. *Gaussian averages of known level*
need not even repeat: with Z of x's own variance, :math:`x+Z` and :math:`x-Z` are uncorrelated, so independent (Tian and
Taylor, 2018; Rasines and Young, 2023), each with twice the variance of x.

*Random numbers* come from the seed and from all that was logged, exactly: another log has another stream, however
little it differs. The order of rows and of arms does not matter: arms are put in the order of what was seen of them.
"""

from hashlib import sha256

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from ..checks import Array
from ..errors import DataError
from ..samples import Samples

__all__ = [
    "Coins",
    "Counts",
    "by_what_was_seen",
    "deal",
    "deal_counts",
    "deal_items",
    "fission",
    "line_variances",
    "reward_variance",
    "split_successes",
    "stream_of",
]

Counts = NDArray[np.int64]
Coins = tuple[Counts, Counts]  # successes and trials
MOST = 10**9  # the generator of hypergeometric numbers goes no further
ALIKE = 1e-9  # of the largest: the average of a million equal rewards is off by less
SALT = 0x51BD1E  # with default_rng(seed) having made the rewards, the same stream would deal them


def by_what_was_seen(*columns: NDArray) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """The arms in an order that depends on their columns alone, and a number for what was seen of each.

    >>> order, seen = by_what_was_seen(np.array([3.0, 1.0, 3.0]), np.array([1, 2, 1]))
    >>> sorted(order.tolist()), bool(seen[0] == seen[2] != seen[1])
    ([0, 1, 2], True)
    """
    seen = np.zeros(columns[0].size, dtype=np.uint64)
    for column in columns:
        seen = _mixed(seen + _mixed(_bits(column)))
    return np.argsort(seen, kind="stable"), seen


def seen_of_samples(samples: Samples) -> NDArray[np.uint64]:
    """A number for the rewards of each arm, whatever their order, and for the items they were seen on."""
    each = _mixed(_bits(samples.reward))
    if samples.item is not None:
        each = _mixed(each + _bits(samples.item))
    seen = np.zeros(samples.counts.size, dtype=np.uint64)
    np.add.at(seen, samples.arm, each)
    return seen


def stream_of(seed: int, seen: NDArray[np.uint64]) -> Generator:
    """The random numbers that deal one log: another stream for another seed, and for any other log.

    >>> first, again = (stream_of(0, np.array([7, 1], dtype=np.uint64)) for _ in range(2))
    >>> bool(first.random() == again.random())
    True
    """
    digest = sha256(np.sort(seen).tobytes()).digest()
    return default_rng([SALT, seed, int.from_bytes(digest[:16], "little")])


def _bits(column: NDArray) -> NDArray[np.uint64]:
    """Numbers as they are stored, zero without its sign."""
    if column.dtype.kind == "f":
        return (column.astype(np.float64) + 0.0).view(np.uint64)
    return column.astype(np.uint64)


def _mixed(number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers well mixed, no two alike (the last step of splitmix64)."""
    number = number + np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


def deal_counts(counts: Counts, rng: Generator) -> Counts:
    """How many samples of each arm go to the first part: half of them, rounded up or down at random.

    >>> deal_counts(np.array([4, 10]), np.random.default_rng(0)).tolist()
    [2, 5]
    """
    first = (counts + (rng.random(counts.size) < 0.5)) // 2
    if first.sum() in (0, counts.sum()):  # neither part is empty
        first[np.argmax(counts)] += 1 if first.sum() == 0 else -1
    return first


def deal(samples: Samples, first: Counts, rng: Generator) -> tuple[Samples, Samples]:
    """Both parts of a log of samples sorted by arm, ``first`` of each arm in the first, at random.

    >>> whole = Samples(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0]), np.array([2, 1]))
    >>> first, second = deal(whole, np.array([1, 0]), np.random.default_rng(0))
    >>> first.counts.tolist(), second.counts.tolist()
    ([1, 0], [1, 1])
    """
    order = np.lexsort((rng.random(samples.arm.size), samples.arm))
    rank = np.arange(order.size) - np.repeat(np.cumsum(samples.counts) - samples.counts, samples.counts)
    chosen = np.empty(order.size, dtype=bool)
    chosen[order] = rank < first[samples.arm[order]]
    return samples.part(chosen), samples.part(~chosen)


def deal_items(samples: Samples, rng: Generator) -> tuple[Samples, Samples]:
    """Both parts of a log in which arms met the same items: each item with all its rewards goes to one of them.

    >>> arm, item = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> whole = Samples(arm, np.array([1.0, 1.0, 0.0, 0.0]), np.array([2, 2]), item)
    >>> [part.n_items for part in deal_items(whole, np.random.default_rng(0))]
    [1, 1]
    """
    if samples.item is None or samples.n_items < 2:
        raise DataError("nothing can be split by item: all rewards are of one item")
    first = np.zeros(samples.n_items, dtype=bool)
    first[rng.permutation(samples.n_items)[: (samples.n_items + int(rng.random() < 0.5)) // 2]] = True
    return samples.part(first[samples.item]), samples.part(~first[samples.item])


def split_successes(successes: Counts, trials: Counts, rng: Generator) -> tuple[Coins, Coins]:
    """Both parts of a log of 0/1 rewards, from successes and trials alone.

    >>> (won, tried), (rest, others) = split_successes(np.array([3]), np.array([4]), np.random.default_rng(0))
    >>> (won + rest).tolist(), (tried + others).tolist()
    ([3], [4])
    """
    if trials.max() >= MOST:
        raise DataError(f"nothing is dealt where an arm has {MOST:,} trials or more: it needs no splitting")
    dealt = deal_counts(trials, rng)
    ones = rng.hypergeometric(successes, trials - successes, dealt)
    return (ones, dealt), (successes - ones, trials - dealt)


def fission(means: Array, deviation: Array, rng: Generator) -> tuple[Array, Array]:
    """Two independent copies of Gaussian averages of these deviations, each as of half of the samples.

    >>> rng = np.random.default_rng(0)
    >>> first, second = fission(rng.normal(size=50_000), np.ones(50_000), rng)
    >>> round(first.var(), 1), round(second.var(), 1), bool(abs((first * second).mean()) < 0.05)
    (np.float64(2.0), np.float64(2.0), True)
    """
    noise = rng.normal(size=means.size) * deviation
    return means + noise, means - noise


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
