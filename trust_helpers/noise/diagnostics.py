"""What in a log speaks against an assumption about its noise.

Repeats of an arm share its mean, so their residuals show the noise alone. Each check compares a statistic of the
residuals with the same statistic of Gaussian residuals of the same counts, and speaks up only where it lies many
standard errors away: a log that fits its assumption is doubted in well under one case of a hundred. Totals have no
residuals; the spread of each arm is then all that can be looked at.

Rewards that all lie on one side of zero, such as payments, counts and times, are held against the Gaussian law itself:
given the means of the arms its residuals would have carried some reward across.

A stated standard deviation is tested without a law: half the squared difference of two repeats has the variance for its
mean, so a bet that it is larger multiplies one's money by ten thousand with probability at most one in ten thousand.
Totals give one bet an arm, so of them an average variance of a hundred times the stated one is enough.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.typing import NDArray

from ..checks import Array

if TYPE_CHECKING:
    from ..data import OfflineData

__all__ = ["about_known_level", "about_one_level", "about_second_moment", "what_checks_see"]

# Samples looked at, Gaussian logs compared with, and how many of their standard deviations away is far.
LOOKED_AT, COMPARED, FAR = 5_000, 100, 5.0
# The share of samples with one and the same value that no Gaussian law, rounded as logs are, comes near.
ONE_VALUE, FEWEST = 0.1, 8
# Samples beyond the first of each arm from which on most logs of skewed noise are doubted: lognormal, exponential.
SEES_GROSS, SEES_SKEWED = 30, 150
SURE, RARE = 1e-4, 1e-2
# Stakes of the bet that a variance is larger than stated; their gains are averaged.
STAKES = np.array([0.02, 0.1, 0.3, 0.6, 0.9])


@dataclass(frozen=True, eq=False)
class Spreads:
    """For each arm that has repeats, the sum of squared residuals and its degrees of freedom."""

    squares: Array
    spare: NDArray[np.int64]

    @property
    def variances(self) -> Array:
        """Of each arm."""
        return self.squares / self.spare


@dataclass(frozen=True, eq=False)
class Repeats:
    """The samples of arms that have two or more, arm by arm: where each arm starts, its size, and residuals."""

    starts: NDArray[np.intp]
    sizes: NDArray[np.int64]
    residuals: Array

    @property
    def spreads(self) -> Spreads:
        """The spread of each arm."""
        return Spreads(np.add.reduceat(self.residuals**2, self.starts), self.sizes - 1)

    @property
    def variances(self) -> Array:
        """Half the squared difference of every pair of neighbours, no sample in two pairs."""
        place = np.arange(self.residuals.size) - np.repeat(self.starts, self.sizes)
        first = np.flatnonzero((place % 2 == 0) & (place + 1 < np.repeat(self.sizes, self.sizes)))
        return (self.residuals[first] - self.residuals[first + 1]) ** 2 / 2


def about_known_level(data: "OfflineData") -> tuple[str, ...]:
    """Doubts about Gaussian noise of the stated level.

    >>> from trust_helpers import OfflineData
    >>> loud = np.random.default_rng(0).normal(0, 3, 400)
    >>> about_known_level(OfflineData.from_samples(["a", "b"] * 200, loud, sigma=1.0))
    ('repeats of an arm differ 2.99 times as much as the stated sigma says',)
    """
    seen = _seen(data, data.sigma)
    found = _discrete(data)
    if seen is None:
        return found
    spreads = seen.spreads if isinstance(seen, Repeats) else seen
    squares, spare = float(spreads.squares.sum()), int(spreads.spare.sum())
    found += _one_sided(data, data.sigma, np.inf)
    if scipy.special.gammaincc(spare / 2, squares / 2) < SURE:
        found += (f"repeats of an arm differ {sqrt(squares / spare):.3g} times as much as the stated sigma says",)
    return found + _shape(seen)


def about_one_level(data: "OfflineData") -> tuple[str, ...]:
    """Doubts about Gaussian noise of one level in all arms.

    >>> from trust_helpers import OfflineData
    >>> log = OfflineData.from_samples(["a", "b"] * 20, [1, 2, 2, 1, 1] * 8, sigma="pooled")
    >>> about_one_level(log)[0]
    'rewards are not continuous: 60 % of them are 1'
    """
    seen, spare = _seen(data, np.ones(data.n_arms)), data.n_samples - data.n_arms
    return _discrete(data) + _one_sided(data, data.sigma, spare) + (() if seen is None else _shape(seen))


def what_checks_see(data: "OfflineData") -> str:
    """What silence of :func:`about_one_level` is worth on a log of this size, in words.

    >>> from trust_helpers import OfflineData
    >>> what_checks_see(OfflineData.from_samples(["a", "b"] * 4, [1, 2, 4, 3, 5, 5, 2, 1], sigma="pooled"))
    'with 6 repeats the checks of one Gaussian level see next to nothing: most logs of grossly skewed noise pass them'
    """
    spare = data.n_samples - data.n_arms
    seen = f"with {spare:,} repeats the checks of one Gaussian level see"
    if data.samples is None:
        return f"{seen} only how much arms differ in spread: totals do not show the shape of the noise"
    if spare < SEES_GROSS:
        return f"{seen} next to nothing: most logs of grossly skewed noise pass them"
    if spare < SEES_SKEWED:
        return f"{seen} grossly skewed noise: most logs of exponential noise pass them"
    return f"{seen} noise as skewed as exponential: levels that differ between arms may need several times as many"


def about_second_moment(data: "OfflineData") -> tuple[str, ...]:
    """Doubts about the stated standard deviation, whatever the shape of the noise.

    >>> from trust_helpers import OfflineData
    >>> loud = np.random.default_rng(0).normal(0, 3, 400)
    >>> about_second_moment(OfflineData.from_samples(list(range(40)) * 10, loud, sigma="sd:1"))
    ('repeats of an arm differ 3.12 times as much as the stated sd says',)
    """
    seen = _seen(data, data.sigma)
    if seen is None:
        return ()
    gains = np.log1p(STAKES * (seen.variances[:, None] - 1)).sum(axis=0)
    won = scipy.special.logsumexp(gains) - log(STAKES.size) >= log(1 / SURE)
    # Markov: variances of mean 1 average so much in one log of a hundred; totals give one bet an arm, however long
    far = isinstance(seen, Spreads) and seen.variances.mean() >= 1 / RARE
    if not (won or far):
        return ()
    return (f"repeats of an arm differ {sqrt(float(seen.variances.mean())):.3g} times as much as the stated sd says",)


def _seen(data: "OfflineData", levels: Array) -> Repeats | Spreads | None:
    """What repeats show, in units of the levels: single samples, or the spread of each arm."""
    several = np.flatnonzero(data.counts > 1)
    if not several.size:
        return None
    if data.samples is not None:
        return _repeats(data, levels, several)
    if data.squares is None:
        return None
    return Spreads(data.squares[several] / levels[several] ** 2, data.counts[several] - 1)


def _repeats(data: "OfflineData", levels: Array, several: NDArray[np.intp]) -> Repeats:
    """Residuals in units of the levels; of a long log, those of some samples of every arm, or of every so many arms."""
    samples = data.samples
    assert samples is not None  # for mypy
    each = max(2, LOOKED_AT // several.size)
    kept = several[np.linspace(0, several.size - 1, min(several.size, LOOKED_AT // 2)).astype(np.intp)]
    place = np.full(data.n_arms, -1)
    place[kept] = np.arange(kept.size)
    # in an order of its own: the log may be sorted by its rewards
    there = np.random.default_rng(0).permutation(np.flatnonzero(place[samples.arm] >= 0))
    there = there[np.argsort(place[samples.arm[there]], kind="stable")]
    counts, sizes = data.counts[kept], np.minimum(data.counts[kept], each)
    there = there[np.arange(there.size) - np.repeat(np.cumsum(counts) - counts, counts) < each]
    starts, reward = np.cumsum(sizes) - sizes, samples.reward[there]
    means = np.add.reduceat(reward, starts) / sizes
    return Repeats(starts, sizes, (reward - np.repeat(means, sizes)) / levels[samples.arm[there]])


def _discrete(data: "OfflineData") -> tuple[str, ...]:
    """Whether one value comes up so often that the noise cannot be continuous."""
    if data.samples is None:
        return _discrete_totals(data)
    values, times = np.unique(data.samples.reward, return_counts=True)
    most = int(times.max())
    if most < FEWEST or most < ONE_VALUE * data.n_samples:
        return ()
    often = most / data.n_samples
    return (f"rewards are not continuous: {100 * often:.0f} % of them are {values[times.argmax()]:g}",)


def _discrete_totals(data: "OfflineData") -> tuple[str, ...]:
    """Whether totals can only be those of rewards of 0 and 1, which alone have a variance of m (1 - m)."""
    m = data.means
    if data.squares is None or data.n_samples < FEWEST or m.min() < 0 or m.max() > 1:
        return ()
    ends = np.isclose(data.squares, data.counts * m * (1 - m), rtol=1e-6, atol=1e-12)
    return ("rewards are not continuous: all of them are 0 or 1",) if ends.all() else ()


def _one_sided(data: "OfflineData", levels: Array, spare: float) -> tuple[str, ...]:
    r"""Whether rewards stay on one side of zero where Gaussian ones with the same means would have crossed it.

    Given its arm's mean m a reward is Gaussian about m with variance :math:`\sigma^2(1-1/n)`, and repeats of an arm are
    negatively correlated, so by Slepian's inequality all of them stay at least as rarely as if they were independent.
    With the level estimated from ``spare`` residuals, a residual in its units has Thompson's law, of lighter tails.
    """
    if data.samples is None or not data.samples.reward.any():
        return ()
    low, high = float(data.samples.reward.min()), float(data.samples.reward.max())
    several = data.counts > 1
    if low < 0 < high or not several.any():
        return ()
    n = data.counts[several]
    away = np.abs(data.means[several]) / (levels[several] * np.sqrt(1 - 1 / n))
    crossed = _thompson_tail(away, spare)
    if float(n @ np.log1p(-crossed)) > log(SURE):
        return ()
    side, other = ("below", "negative") if low >= 0 else ("above", "positive")
    some = f"of Gaussian ones with the same means {float(n @ crossed):,.0f} would be {other}"
    return (f"no reward is {side} zero: {some}",)


def _thompson_tail(away: Array, spare: float) -> Array:
    """How often a residual, in units of its deviation estimated from so many spare samples, is beyond ``away``."""
    if np.isinf(spare):
        return np.asarray(scipy.special.ndtr(-away))
    squared = np.minimum(away**2 / spare, 1)
    return np.asarray(scipy.special.betaincc(0.5, max((spare - 1) / 2, 0.5), squared) / 2)


def _shape(seen: Repeats | Spreads) -> tuple[str, ...]:
    """Whether residuals are skewed or heavy-tailed, and whether arms are unequally spread."""
    spreads = seen.spreads if isinstance(seen, Repeats) else seen
    if spreads.spare.sum() + spreads.spare.size < FEWEST or not spreads.squares.any():
        return ()
    found: tuple[str, ...] = ()
    if isinstance(seen, Repeats):
        usual = _usual(seen.sizes.tobytes())
        found = tuple(
            sentence
            for (statistic, sentence), (mean, deviation) in zip(CHECKS, usual, strict=True)
            if abs(statistic(seen) - mean) > FAR * deviation
        )
    mean, deviation = _usually_unequal(spreads.spare.tobytes())
    return found + ((UNEQUAL,) if _unequal(spreads) - mean > FAR * deviation else ())


@lru_cache(maxsize=8)
def _usual(sizes: bytes) -> tuple[tuple[float, float], ...]:
    """Mean and deviation of each statistic over Gaussian logs of these counts."""
    counts, rng = np.frombuffer(sizes, dtype=np.int64), np.random.default_rng(0)
    logs = [_gaussian(counts, rng) for _ in range(COMPARED)]
    values = np.array([[statistic(log) for log in logs] for statistic, _ in CHECKS])
    # pairs have no skewness at all, so a deviation may be nothing but rounding
    spreads = np.maximum(values.std(axis=1, ddof=1), 1e-6)
    return tuple(zip(values.mean(axis=1).tolist(), spreads.tolist(), strict=True))


@lru_cache(maxsize=8)
def _usually_unequal(spare: bytes) -> tuple[float, float]:
    """Mean and deviation of the inequality of the arms over Gaussian logs with these degrees of freedom."""
    freedom, rng = np.frombuffer(spare, dtype=np.int64), np.random.default_rng(1)
    values = [_unequal(Spreads(rng.chisquare(freedom), freedom)) for _ in range(COMPARED)]
    return float(np.mean(values)), max(float(np.std(values, ddof=1)), 1e-6)


def _gaussian(sizes: NDArray[np.int64], rng: np.random.Generator) -> Repeats:
    """Gaussian residuals of these counts."""
    starts = np.cumsum(sizes) - sizes
    noise = rng.standard_normal(int(sizes.sum()))
    means = np.add.reduceat(noise, starts) / sizes
    return Repeats(starts, sizes, noise - np.repeat(means, sizes))


def _skewness(repeats: Repeats) -> float:
    return float((repeats.residuals**3).mean() / (repeats.residuals**2).mean() ** 1.5)


def _kurtosis(repeats: Repeats) -> float:
    """The logarithm, whose law under Gaussian noise is nearer to normal."""
    return float(np.log((repeats.residuals**4).mean() / (repeats.residuals**2).mean() ** 2))


def _unequal(spreads: Spreads) -> float:
    """The spread of the arms' variances about the pooled one, on a logarithmic scale."""
    pooled = spreads.squares.sum() / spreads.spare.sum()
    return float(np.log1p((spreads.spare * (spreads.variances / pooled - 1) ** 2).mean()))


CHECKS: tuple[tuple[Callable[[Repeats], float], str], ...] = (
    (_skewness, "the noise is skewed: repeats of an arm are not spread evenly about their mean"),
    (_kurtosis, "the noise is not Gaussian: its tails are heavier or lighter"),
)
UNEQUAL = "the noise differs between arms more than one common level explains"
