r"""Choose a mixture on one part of the log, and bound that one mixture on the other: no supremum, no union over arms.

TRUST bounds the noise of every mixture at once and may then choose among them all. Here most of the samples choose and
the rest judge. The mixture is fixed before the judging samples are looked at, so they owe nothing to the choice, and
the sharpest bound for a single mixture applies (:mod:`trust_helpers.splitting.judging`). A poor choice costs promise,
never validity.

What it rests on, besides the law: rewards are independent and alike within an arm, counts do not depend on rewards, and
the seed was not chosen by looking at what it gives. It says nothing of other mixtures; claims about rivals need TRUST.

*One seed for many logs.* Fission adds noise, successes are dealt and coins are tossed at random, and the two parts are
independent over that randomness too. If every log had the same noise, because everybody leaves the seed at 0, then for
one design the promise would be missed far more often than said, or never: the noise would be a constant. So the random
stream comes from the seed and from a digest of the log. Another log, even by one reward, has another stream; the same
log and seed have the same. Where only few logs are possible that is not enough, and successes of few arms are promised
less (:mod:`trust_helpers.splitting.likelihood`). A single arm leaves nothing to choose: the whole log judges it.
"""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.random import Generator, default_rng

from .checks import frozen, probability, whole_number
from .data import OfflineData
from .decision import Decision
from .errors import TrustError
from .splitting.judges import Judgement

__all__ = ["SplitDecision", "split"]

# With a user's own default_rng(seed) having made the rewards, the same stream would deal them
SALT = 0x51BD1E


@dataclass(frozen=True, eq=False, repr=False)
class SplitDecision(Decision):
    """A mixture chosen on one part of the log and judged on the other.

    With one fold ``estimate`` is the mixture's value on the judging part, which the choice has not flattered.

    Attributes
    ----------
    seed : int
        What dealt the samples; with it the decision can be made again.
    share : float
        The share of the samples that chose.
    folds : int
        2 if each part also judged what the other chose.
    judge : str
        What found the bound.

    Examples
    --------
    >>> import numpy as np
    >>> from trust_helpers import instances, split
    >>> log = instances.data_starved(200).sample(np.random.default_rng(0))
    >>> decision = split(log, seed=3)
    >>> decision.seed, decision.folds, decision.lower_bound < decision.estimate
    (3, 1, True)
    """

    seed: int
    share: float
    folds: int
    judge: str


def split(data: OfflineData, delta: float = 0.1, *, seed: int = 0, share: float = 0.6, folds: int = 1) -> SplitDecision:
    """Choose a mixture on a random part of the log and judge it on the rest; the bound holds at 1 - delta.

    Parameters
    ----------
    data : OfflineData
        The log: samples, successes and trials, or Gaussian noise of known level, which can be split without either.
    delta : float
        Failure probability.
    seed : int
        What deals the samples, fixed in advance: the best of several seeds does not hold at 1 - delta.
    share : float
        The share of each arm's samples that chooses.
    folds : int
        With 2, each part judges by a bet what the other chose, and the two are mixed: for rewards in a range only. It
        depends less on the seed and promises a little less.

    Raises
    ------
    DataError
        If there is nothing to split: means and counts alone, without Gaussian noise of known level.

    Examples
    --------
    >>> log = OfflineData.from_counts([4] * 40 + [3] * 10 + [0] * 50, [4] * 100)
    >>> made = split(log, delta=0.1)
    >>> made.support, round(made.lower_bound, 2), made.judge
    (44, 0.89, "Clopper and Pearson's bound")
    """
    delta, share = probability(delta), probability(share, "share")
    seed, folds = whole_number(seed, "seed", least=0), whole_number(folds, "folds")
    if folds > 2:
        raise TrustError(f"folds is {folds}: it must be 1 or 2")
    made = _alone(data, delta) if data.n_arms == 1 else data.law.split(data, delta, share, folds, stream_of(data, seed))
    return SplitDecision(
        frozen(made.weights), made.estimate, made.bound, 1 - delta, "split", seed, share, folds, made.judge
    )


def _alone(data: OfflineData, delta: float) -> Judgement:
    """One arm, judged by the whole log."""
    weights = np.ones(1)
    return Judgement(weights, float(data.means[0]), data.law.mixture_bound(data, weights, delta), "the whole log")


def stream_of(data: OfflineData, seed: int) -> Generator:
    """The random numbers that split one log: another stream for another seed, and for any other log.

    Of the means in units of the largest, seven digits count: the last bits differ between processors.
    """
    means = np.float32(data.means / (np.abs(data.means).max() or 1.0))
    digest = sha256(means.tobytes() + data.counts.tobytes()).digest()
    return default_rng([SALT, seed, int.from_bytes(digest[:16], "little")])
