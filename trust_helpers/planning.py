"""Before paying for tries: which promise to expect of a design, and of others of equal cost, by simulation."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.random import Generator, default_rng

from .checks import positive_vector, probability, whole_number
from .combined import combined
from .data import OfflineData
from .errors import TrustError
from .noise import Noise, read_noise
from .noise.base import NoiseLaw
from .simulation import seed_number

__all__ = ["Planned", "expect", "plan"]

SPREADS = (0.5, 1.0, 2.0)  # in units of the spread that was said, which is a guess
DESIGNS = 3


@dataclass(frozen=True)
class Planned:
    """One design under one spread of the arms' true means.

    Attributes
    ----------
    arms, tries : int
        How many arms are tried, and how often each.
    spread : float
        The standard deviation of the true means.
    average : float
        What the average arm is worth: the middle of the range, or zero.
    promise, error : float
        The mean promise of :func:`~trust_helpers.combined` on simulated logs, and its standard error.
    earned : float
        What its mixtures were truly worth, on average.

    Examples
    --------
    >>> Planned(200, 4, 0.1, 0.5, 0.53, 0.01, 0.56).earned
    0.56
    """

    arms: int
    tries: int
    spread: float
    average: float
    promise: float
    error: float
    earned: float


def plan(
    arms: int, tries: int, spread: float, noise: Noise, delta: float = 0.1, *, logs: int = 8, seed: int | Generator = 0
) -> tuple[Planned, ...]:
    """What to expect of so many arms and tries of each, and of fewer arms tried more often at equal cost.

    True means are normal around the average arm with half of ``spread``, all of it, and twice as much, for nobody knows
    it before. Rewards in a range are drawn at its two ends, which is the most they can vary; their means are kept in
    it.

    Parameters
    ----------
    arms, tries : int
        The design: so many arms, each tried so often.
    spread : float
        What the standard deviation of the true means is thought to be.
    noise
        A range such as ``"range:0:1"``, or a number, the standard deviation of Gaussian noise.
    delta : float
        Failure probability of the promise.
    logs : int
        How many logs are simulated of each design and spread.
    seed : int or Generator
        Seed of the logs.

    Examples
    --------
    >>> made = plan(8, 4, 0.2, "range:0:1", logs=2)
    >>> [(one.arms, one.tries, one.spread) for one in made[::3]]
    [(8, 4, 0.2), (4, 8, 0.2), (2, 16, 0.2)]
    """
    arms, tries = whole_number(arms, "arms", least=1), whole_number(tries, "tries", least=1)
    logs, delta = whole_number(logs, "logs", least=2), probability(delta)
    spread = float(positive_vector([spread], 1, "spread")[0])
    law = read_noise(noise, 1)
    if law.ends is None and not law.known_level:
        raise TrustError("a plan needs noise that can be simulated: say range:LO:HI, or a number")
    rng = default_rng(seed_number(seed))
    designs = list(_designs(arms, tries))
    return tuple(
        expect(n, k, factor * spread, law, delta, logs, rng)
        for n, k in designs
        for factor in sorted(SPREADS, key=lambda factor: factor != 1)
    )


def _designs(arms: int, tries: int) -> Iterator[tuple[int, int]]:
    """Half of the arms twice as often, and again, while there is something to choose."""
    for halving in range(DESIGNS):
        if halving == 0 or arms // 2**halving >= 2:
            yield arms // 2**halving, tries * 2**halving


def expect(arms: int, tries: int, spread: float, law: NoiseLaw, delta: float, logs: int, rng: Generator) -> Planned:
    """What to expect of one design under one spread.

    >>> from trust_helpers import Bounded
    >>> expect(4, 9, 0.2, Bounded(0.0, 1.0), 0.1, 2, default_rng(0)).average
    0.5
    """
    average = 0.0 if law.ends is None else sum(law.ends) / 2
    promises, earned = [], []
    for _ in range(logs):
        truth = rng.normal(average, spread, arms)
        truth = truth if law.ends is None else np.clip(truth, *law.ends)
        made = combined(_log(truth, tries, law, rng), delta, seed=int(rng.integers(2**32)))
        promises.append(made.lower_bound)
        earned.append(float(made.weights @ truth))
    error = float(np.std(promises, ddof=1)) / sqrt(logs)
    return Planned(arms, tries, spread, average, float(np.mean(promises)), error, float(np.mean(earned)))


def _log(truth: np.ndarray, tries: int, law: NoiseLaw, rng: Generator) -> OfflineData:
    """A log of arms with these means, each tried so often."""
    if law.ends is not None:
        low, high = law.ends
        won = rng.binomial(tries, (truth - low) / (high - low))
        if law.ends == (0, 1):
            return OfflineData.from_counts(won, np.full(truth.size, tries))
        place = np.tile(np.arange(tries), truth.size)
        arm = np.repeat(np.arange(truth.size), tries)
        return OfflineData.from_samples(arm, np.where(place < won[arm], high, low), law)
    level = float(law.levels(1)[0])
    return OfflineData(rng.normal(truth, level / sqrt(tries)), np.full(truth.size, tries), level)
