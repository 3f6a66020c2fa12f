r"""Choose a mixture on one part of the log, and bound that one mixture on the other; do so many times, and average.

TRUST bounds the noise of every mixture at once and may then choose among them all. Here half of the samples choose and
the other half judge, and the reverse. A mixture is fixed before its judging samples are looked at, so they owe nothing
to the choice and there is no supremum to pay for. A poor choice costs promise, never validity. This is High Confidence
Policy Improvement (Thomas, Theocharous and Ghavamzadeh, 2015) with mixtures of arms for policies.

One split is a lottery: another seed chooses another mixture and promises something else. So the log is split many times
over, and the promises are averaged at no price in confidence (:mod:`trust_helpers.split.judge`). As the number of
splits grows nothing is left of the seed, the mixture is an average over choices, and every sample both chooses and
judges.

What it rests on, besides the assumption about the noise: rewards are independent, and alike within an arm; counts do
not depend on rewards; and the seed was not chosen by looking at what it gives. Where every arm met the same items,
items are independent and alike, and rewards of one item may depend on each other. It says nothing of other mixtures;
claims about rivals need TRUST.
"""

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ..checks import frozen, probability, whole_number
from ..decision import Decision, single_arm
from ..errors import DataError, TrustError
from .judge import Average
from .splitters import Aim

if TYPE_CHECKING:
    from ..data import OfflineData

__all__ = ["Gain", "SplitDecision", "average_splits", "outperform", "split"]

FIRST, LEAST, MOST, WORK = 16, 4, 64, 2**17  # deals at first, at least, at most; and arms in all deals
PRECISION = 0.01  # the standard deviation over seeds to reach, in units of the distance from cloning's promise


@dataclass(frozen=True, eq=False, repr=False)
class SplitDecision(Decision):
    """A mixture chosen on parts of the log and judged on the other parts.

    Attributes
    ----------
    seed : int
        What dealt the samples; with it the decision can be made again.
    splits : int
        How many splits were averaged; each deal of the samples gives two.
    earned : float
        What the mixtures earned on the samples that judged them: an estimate which the choice has not flattered.
    error : float
        The standard deviation of the promise over seeds, as the splits show it.

    Examples
    --------
    >>> import numpy as np
    >>> from trust_helpers import instances, split
    >>> log = instances.data_starved(200).sample(np.random.default_rng(0))
    >>> decision = split(log, seed=3)
    >>> decision.seed, decision.lower_bound < decision.earned < decision.estimate
    (3, True)
    """

    seed: int
    splits: int
    earned: float
    error: float


def split(data: "OfflineData", delta: float = 0.1, *, seed: int = 0, splits: int | None = None) -> SplitDecision:
    """Choose a mixture on parts of the log and judge it on the others; the bound holds at 1 - delta.

    Parameters
    ----------
    data : OfflineData
        The log: samples, successes and trials, or Gaussian noise of known level, which can be split without either.
    delta : float
        Failure probability.
    seed : int
        What deals the samples, fixed in advance.
    splits : int, optional
        How many splits are averaged, an even number; by default as many as bring the promise's standard deviation over
        seeds below a hundredth of its distance from behaviour cloning's promise, and at most 128.

    Raises
    ------
    DataError
        If there is nothing to split: means and counts alone, without Gaussian noise of known level.

    Examples
    --------
    >>> from trust_helpers import OfflineData
    >>> log = OfflineData.from_counts([4] * 40 + [3] * 10 + [0] * 50, [4] * 100)
    >>> made = split(log, delta=0.1)
    >>> round(made.lower_bound, 1), bool(made.weights[0] > made.weights[45] > made.weights[99] - 1e-9)
    (0.9, True)
    """
    delta, seed = probability(delta), whole_number(seed, "seed", least=0)
    own = data.counts / data.n_samples
    alone = data.law.mixture_bound(data, own, delta)
    if data.n_arms == 1:  # nothing to choose: the whole log judges
        return SplitDecision(
            frozen(own), float(data.means[0]), alone, 1 - delta, "split", seed, 0, float(data.means[0]), 0.0
        )
    made, bound, error = average_splits(data, Aim(delta, seed, np.zeros(data.n_arms)), alone, splits)
    weights = frozen(made.weights)
    return SplitDecision(
        weights, float(weights @ data.means), bound, 1 - delta, "split", seed, made.splits, made.earned, error
    )


def average_splits(
    data: "OfflineData", aim: Aim, rival: float, splits: int | None = None
) -> tuple[Average, float, float]:
    """Splits of one log, as many as were asked for or as the distance from a ``rival`` needs; promise and error."""
    splitter, made, (low, high) = data.law.splitter(data, aim), Average(data.n_arms), data.law.ends or (-inf, inf)
    least = low - high if aim.beside.any() else low
    most = min(max(WORK // data.n_arms, LEAST), MOST)
    deals = min(FIRST, most)
    if splits is not None:
        if whole_number(splits, "splits", least=2) % 2:
            raise TrustError(f"splits is {splits}: it must be even, for each deal of the samples gives two")
        deals = most = splits // 2
    while True:
        while made.deals < deals:
            made.add(splitter.deal())
        if not made.splits:
            raise DataError("nothing can be split: no part of the log can judge what the other chose")
        factor = data.law.split_factor(aim.delta, made.spare)
        bound, error = made.bound(factor), made.error(factor)
        if deals >= most or error <= PRECISION * abs(bound - rival):
            return made, max(bound, least), error
        deals = min(2 * deals, most)


@dataclass(frozen=True, eq=False, repr=False)
class Gain(SplitDecision):
    """A mixture that is promised to be better than an arm: its numbers are those of the difference.

    Attributes
    ----------
    baseline : int
        The number of the arm to beat.

    Examples
    --------
    >>> from trust_helpers import OfflineData
    >>> made = outperform(OfflineData.from_counts([60, 20, 90], [100, 100, 100]), 0)
    >>> isinstance(made, Gain), made.baseline, made.confidence
    (True, 0, 0.9)
    """

    baseline: int


def outperform(
    data: "OfflineData", baseline: object, delta: float = 0.1, *, seed: int = 0, splits: int | None = None
) -> Gain:
    """A mixture of the other arms, and by how much it is better than one arm at least, with probability 1 - delta.

    The difference itself is judged, so what both have in common cancels: on shared items, how hard each of them is.

    Parameters
    ----------
    data : OfflineData
        The log.
    baseline
        The name of the arm to beat, or its number where arms have no names.
    delta, seed, splits
        As those of :func:`~trust_helpers.split`.

    Examples
    --------
    >>> from trust_helpers import OfflineData
    >>> log = OfflineData.from_counts([60, 20, 90], [100, 100, 100], ["a", "b", "c"])
    >>> made = outperform(log, "a")
    >>> made.weights.round(2).tolist(), bool(0.1 < made.lower_bound < made.earned)
    ([0.0, 0.0, 1.0], True)
    """
    delta, seed, arm = probability(delta), whole_number(seed, "seed", least=0), _numbered(data, baseline)
    made, bound, error = average_splits(data, Aim(delta, seed, single_arm(arm, data.n_arms)), 0.0, splits)
    weights = frozen(made.weights)
    gained = float(weights @ data.means - data.means[arm])
    return Gain(weights, gained, bound, 1 - delta, "outperform", seed, made.splits, made.earned, error, arm)


def _numbered(data: "OfflineData", arm: object) -> int:
    """The number of an arm that is called by its name."""
    names = tuple(range(data.n_arms)) if data.names is None else data.names
    if arm not in names:
        known = ", ".join(map(repr, names[:5])) + ", ..." * (len(names) > 5)
        raise DataError(f"there is no arm {arm!r}; there is {known}")
    if data.n_arms < 2:
        raise DataError("there is one arm: nothing can be better than it")
    return names.index(arm)
