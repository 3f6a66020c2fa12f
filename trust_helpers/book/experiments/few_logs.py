"""Chapter 8's count of every log that two coins can make: what a seed that everybody leaves alone costs."""

from itertools import product

import numpy as np
from scipy import stats

from ...checks import Array
from ...data import OfflineData
from ...split import split, stream_of
from ...splitting.judges import judge_coins

__all__ = ["two_coins_missed"]

SHARE = 0.6


def two_coins_missed(tosses: int, delta: float, seed: int = 0, lowered: bool = True) -> float:
    """The largest probability, over the means of two arms, that a split at one seed promises too much.

    Nothing is simulated: every log is split, and its probability added where the promise is false. With ``lowered``
    False the promise is that of the judge, as if logs with few possible values were like others.
    """
    logs = [OfflineData.from_counts(won, [tosses, tosses]) for won in product(range(tosses + 1), repeat=2)]
    made = [_promise(log, delta, seed, lowered) for log in logs]
    bounds, weights = np.array([bound for _, bound in made]), np.array([w for w, _ in made])
    means = np.linspace(0.02, 0.98, 25)
    chances = stats.binom.pmf(np.arange(tosses + 1), tosses, means[:, None])
    return max(
        float(np.outer(chances[i], chances[j]).ravel()[bounds > weights @ means[[i, j]] + 1e-12].sum())
        for i, j in product(range(means.size), repeat=2)
    )


def _promise(log: OfflineData, delta: float, seed: int, lowered: bool) -> tuple[Array, float]:
    if lowered:
        made = split(log, delta, seed=seed, share=SHARE)
        return made.weights, made.lower_bound
    assert log.successes is not None  # for mypy
    judged = judge_coins(log.successes, log.counts, delta, SHARE, stream_of(log, seed))
    return judged.weights, judged.bound
