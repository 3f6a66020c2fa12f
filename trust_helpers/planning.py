"""Before paying for tries: which promise to expect of a design, and after them which arms to try again, how often."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from .checks import Array, positive_vector, probability, whole_number
from .combined import best_promise, shares_for, simulate_log
from .data import OfflineData
from .errors import TrustError
from .noise import Noise, read_noise
from .noise.base import NoiseLaw
from .quantiles import normal_quantile, sidak
from .simulation import seed_number
from .split.parts import reward_variance
from .split.posteriors import normal_by_moments
from .values import axes

__all__ = [
    "Pilot", "Planned", "arm_intervals", "expect", "may_be_alike", "pilot", "plan", "plot_plan", "shortlist",
    "tries_to_tell",
]  # fmt: skip

SPREADS = (1.0, 0.5, 2.0)  # in units of the spread that was said, which is a guess
DESIGNS = 3  # each with half of the arms, twice as often


class Pilot(NamedTuple):
    """What a small log tells: average and standard deviation of the true means, and the level of each arm's noise."""

    average: float
    spread: float
    level: Array


def pilot(data: OfflineData) -> Pilot:
    """Average and spread of the arms' true means, by moments, and the standard deviation of one reward of each arm.

    The level is the stated one of Gaussian noise, and otherwise that of the rewards; without rewards, the most that the
    law allows.

    >>> seen = pilot(OfflineData.from_counts([9, 1] * 20, [10, 10] * 20))
    >>> round(seen.average, 2), round(seen.spread, 2), round(float(seen.level[0]), 2)
    (0.5, 0.39, 0.32)
    """
    level: Array = data.sigma
    samples = None if data.law.exact else data.samples
    if samples is not None:
        level = np.full(data.n_arms, sqrt(reward_variance(samples.centred())))
    average, variance = normal_by_moments(data.means, data.counts / level**2)
    return Pilot(average, sqrt(variance), level)


def may_be_alike(data: OfflineData, delta: float) -> bool:
    """Whether all arms may have one mean: neither the scatter of their averages nor the farthest one speaks against it.

    Two approximate tests, each at half of ``delta``: the sum of squares in units of the noise, and the largest of them.

    >>> may_be_alike(OfflineData.from_counts([5, 6] * 20, [10, 10] * 20), 0.1)
    True
    >>> may_be_alike(OfflineData.from_counts([9, 1] * 20, [10, 10] * 20), 0.1)
    False
    """
    precision = data.counts / pilot(data).level ** 2
    squares = precision * (data.means - np.average(data.means, weights=precision)) ** 2
    far = normal_quantile(sidak(delta / 2, data.n_arms) / 2) ** 2
    return bool(scipy.special.chdtrc(data.n_arms - 1, squares.sum()) > delta / 2 and squares.max() < far)


def tries_to_tell(level: float, gap: float, arms: int, delta: float) -> int | None:
    """How many tries of each of so many arms tell two apart that differ by ``gap``, with probability 1 - delta.

    Intervals that hold for all of them at once then lie apart. None if the gap is none.

    >>> tries_to_tell(0.5, 0.1, 10, 0.1), tries_to_tell(0.5, 0.0, 10, 0.1)
    (1202, None)
    """
    deviations = 2 * normal_quantile(sidak(delta, arms) / 2) + sqrt(2) * normal_quantile(delta)
    return ceil((deviations * level / gap) ** 2) if gap > 1e-6 * level else None


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
        What the average arm is thought to be worth.
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


@dataclass(frozen=True)
class Belief:
    """What is thought of the arms: the law of the noise, and average and spread of the true means.

    True means have a beta distribution where rewards lie in a range, and a normal one otherwise. ``level`` is the
    standard deviation of a reward in a range; None is the most it can be, rewards at the two ends.
    """

    law: NoiseLaw
    average: float
    spread: float
    level: float | None = None

    def log(self, arms: int, tries: int, rng: Generator) -> tuple[Array, OfflineData]:
        """True means of so many arms, and a log of so many tries of each."""
        counts, law = np.full(arms, tries), self.law
        if law.ends is None:
            means, level = rng.normal(self.average, self.spread, arms), float(law.levels(1)[0])
            return means, OfflineData(rng.normal(means, level / sqrt(tries)), counts, level)
        low, width = law.ends[0], law.ends[1] - law.ends[0]
        p = _beta(np.full(arms, (self.average - low) / width), self.spread / width, rng)
        truth: Array = low + width * p
        if self.level is None and law.ends == (0, 1):
            return truth, OfflineData.from_counts(rng.binomial(tries, p), counts)
        each = np.repeat(p, tries)
        paid = 1.0 * (rng.random(each.size) < each) if self.level is None else _beta(each, self.level / width, rng)
        return truth, OfflineData.from_samples(np.repeat(np.arange(arms), tries), low + width * paid, law)


def _beta(mean: NDArray, deviation: float, rng: Generator) -> Array:
    """Numbers between 0 and 1 with these means and this standard deviation, or as much as there can be."""
    mean = np.clip(mean, 1e-6, 1 - 1e-6)
    size = np.maximum(mean * (1 - mean) / deviation**2 - 1, 0.01)
    return rng.beta(mean * size, (1 - mean) * size)


def plan(
    arms: int,
    tries: int,
    spread: float,
    noise: Noise,
    delta: float = 0.1,
    *,
    average: float | None = None,
    level: float | None = None,
    logs: int = 8,
    seed: int | Generator = 0,
) -> tuple[Planned, ...]:
    """What to expect of so many arms and tries of each, and of fewer arms tried more often at equal cost.

    True means scatter around the average with half of ``spread``, all of it, and twice as much, for nobody knows it
    before; :func:`~trust_helpers.planning.pilot` estimates average, spread and level from a small log.

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
    average : float, optional
        What the average arm is thought to be worth: the middle of the range, or zero, if not said.
    level : float, optional
        The standard deviation of a reward in a range; if not said, rewards are at its two ends, the most they can vary.
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
    if average is None:
        average = 0.0 if law.ends is None else sum(law.ends) / 2
    if law.ends is not None and not law.ends[0] < average < law.ends[1]:
        raise TrustError(f"average is {average:g}: it must be between {law.ends[0]:g} and {law.ends[1]:g}")
    rng, believed = default_rng(seed_number(seed)), Belief(law, average, spread, level)
    designs = [(arms // 2**k, tries * 2**k) for k in range(DESIGNS) if k == 0 or arms // 2**k >= 2]
    return tuple(
        expect(*design, replace(believed, spread=factor * spread), delta, logs, rng)
        for design in designs
        for factor in SPREADS
    )


def expect(arms: int, tries: int, believed: Belief, delta: float, logs: int, rng: Generator) -> Planned:
    """What to expect of one design under one belief; the noise of a design is simulated once.

    >>> from trust_helpers import Bounded
    >>> expect(4, 9, Belief(Bounded(0.0, 1.0), 0.5, 0.2), 0.1, 2, default_rng(0)).average
    0.5
    """
    drawn = [believed.log(arms, tries, rng) for _ in range(logs)]
    first, seed = drawn[0][1], int(rng.integers(2**32))
    shares = shares_for(first)
    noise = simulate_log(first, delta * shares.joint, seed) if shares.joint else None
    made = [(truth, best_promise(log, delta, shares, noise, seed)) for truth, log in drawn]
    promises = np.array([one.lower_bound for _, one in made])
    earned = float(np.mean([one.weights @ truth for truth, one in made]))
    error = float(promises.std(ddof=1)) / sqrt(logs)
    return Planned(arms, tries, believed.spread, believed.average, float(promises.mean()), error, earned)


def plot_plan(planned: Sequence[Planned], ax: Any = None) -> Any:
    """The promise of each design under each spread, and two standard errors, on matplotlib's axes; it returns them."""
    target, sizes = axes(ax), list(dict.fromkeys((one.arms, one.tries) for one in planned))
    for spread in sorted({one.spread for one in planned}):
        row = [one for one in planned if one.spread == spread]
        place, errors = [sizes.index((one.arms, one.tries)) for one in row], [2 * one.error for one in row]
        heights = [one.promise for one in row]
        target.errorbar(place, heights, errors, marker="o", capsize=4, label=f"spread {spread:.3g}")
    target.set_xticks(range(len(sizes)), [f"{arms:,} x {tries:,}" for arms, tries in sizes])
    target.set(xlabel="arms x tries of each, at equal cost", ylabel="promise to expect")
    target.legend()
    return target


def shortlist(data: OfflineData, delta: float) -> list[int]:
    """The arms not ruled out as the best, highest mean first: the upper bound reaches the highest lower bound.

    All intervals hold at once with probability 1 - delta, and then the best arm is among these.

    >>> shortlist(OfflineData.from_counts([90, 10, 85], [100, 100, 100]), 0.1)
    [0, 2]
    """
    each = delta / data.n_arms if data.by_item else sidak(delta, data.n_arms)
    low, high = arm_intervals(data, each)
    order = np.argsort(-data.means, kind="stable")
    return [int(arm) for arm in order[high[order] >= low.max()]]


def arm_intervals(data: OfflineData, delta: float) -> tuple[Array, Array]:
    """Ends of an interval for each arm's mean that holds for one arm looked at alone, with probability 1 - delta.

    Half of delta on either side; proportions have Clopper and Pearson's interval. Looked at all together, and the best
    picked out, they do not hold: that is what the report's promise is for.

    >>> low, high = arm_intervals(OfflineData.from_counts([3, 0], [10, 10]), 0.1)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.087, 0.0], [0.607, 0.259])
    """
    mirrored = _mirrored(data)
    low, high = data.law.arm_bounds(data, delta / 2), -mirrored.law.arm_bounds(mirrored, delta / 2)
    return np.minimum(low, data.means), np.maximum(high + (data.successes is not None), data.means)


def _mirrored(data: OfflineData) -> OfflineData:
    """The log of minus the rewards; of proportions, that of failures."""
    if data.successes is not None:
        return OfflineData.from_counts(data.counts - data.successes, data.counts)
    return OfflineData(-data.means, data.counts, data.law.mirrored())
