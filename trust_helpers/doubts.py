"""What in a log speaks against an assumption about its noise.

Repeats of an arm share its mean, so their residuals show the noise alone. Each check compares a statistic of the
residuals with the same statistic of Gaussian residuals of the same counts, and speaks up only where it lies many
standard errors away: a log that fits its assumption is doubted in well under one case of a hundred.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc

from .checks import Array

if TYPE_CHECKING:
    from .data import OfflineData

__all__ = ["about_known_level", "about_one_level", "about_second_moment"]

# Samples looked at, Gaussian logs compared with, and how many of their standard deviations away is far.
LOOKED_AT, COMPARED, FAR = 5_000, 100, 5.0
# The share of samples with one and the same value that no Gaussian law, rounded as logs are, comes near.
ONE_VALUE, FEWEST = 0.1, 8
SURE = 1e-4


@dataclass(frozen=True, eq=False)
class Repeats:
    """The samples of arms that have two or more, arm by arm: where each arm starts, its size, and residuals."""

    starts: NDArray[np.intp]
    sizes: NDArray[np.int64]
    residuals: Array

    @property
    def squares(self) -> Array:
        """The sum of squared residuals of each arm."""
        return np.add.reduceat(self.residuals**2, self.starts)

    @property
    def spare(self) -> NDArray[np.int64]:
        """The degrees of freedom of each arm."""
        return self.sizes - 1


def about_known_level(data: "OfflineData") -> tuple[str, ...]:
    """Doubts about Gaussian noise of the stated level."""
    repeats = _repeats(data, data.sigma)
    found = _discrete(data)
    if repeats is not None:
        ratio = float(repeats.squares.sum() / repeats.spare.sum())
        if gammaincc(repeats.spare.sum() / 2, repeats.squares.sum() / 2) < SURE:
            found += (f"repeats of an arm differ {sqrt(ratio):.3g} times as much as the stated sigma says",)
        found += _shape(repeats)
    return found


def about_one_level(data: "OfflineData") -> tuple[str, ...]:
    """Doubts about Gaussian noise of one level in all arms."""
    repeats = _repeats(data, np.ones(data.n_arms))
    return _discrete(data) + (() if repeats is None else _shape(repeats))


def about_second_moment(data: "OfflineData") -> tuple[str, ...]:
    """Doubts about the stated standard deviation, whatever the shape of the noise."""
    repeats = _repeats(data, data.sigma)
    if repeats is None or repeats.sizes.size < 2:
        return ()
    share = repeats.spare / repeats.spare.mean()
    variances = repeats.squares / repeats.spare * share
    mean, error = float(variances.mean()), float(variances.std(ddof=1) / sqrt(variances.size))
    if mean - FAR * error <= 1:
        return ()
    return (f"repeats of an arm differ {sqrt(mean):.3g} times as much as the stated sd says",)


def _repeats(data: "OfflineData", levels: Array) -> Repeats | None:
    """Residuals in units of the levels; of a long log, those of some arms."""
    samples = data.samples
    if samples is None or data.counts.max() < 2:
        return None
    several = np.flatnonzero(data.counts > 1)
    kept = several[np.cumsum(data.counts[several]) <= max(LOOKED_AT, int(data.counts[several[0]]))]
    place = np.full(data.n_arms, -1)
    place[kept] = np.arange(kept.size)
    where = place[samples.arm]
    order = np.argsort(where[where >= 0], kind="stable")
    arm, reward = samples.arm[where >= 0][order], samples.reward[where >= 0][order]
    sizes = data.counts[kept]
    residuals = (reward - data.means[arm]) / levels[arm]
    return Repeats(np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes, residuals)


def _discrete(data: "OfflineData") -> tuple[str, ...]:
    """Whether one value comes up so often that the noise cannot be continuous."""
    if data.samples is None:
        return ()
    values, times = np.unique(data.samples.reward, return_counts=True)
    most = int(times.max())
    if most < FEWEST or most < ONE_VALUE * data.n_samples:
        return ()
    share = most / data.n_samples
    return (f"rewards are not continuous: {100 * share:.0f} % of them are {values[times.argmax()]:g}",)


def _shape(repeats: Repeats) -> tuple[str, ...]:
    """Whether residuals are skewed, heavy-tailed or unequally spread between arms."""
    if repeats.residuals.size < FEWEST or not repeats.squares.any():
        return ()
    far = (
        abs(statistic(repeats) - mean) > FAR * spread
        for (statistic, _), (mean, spread) in zip(CHECKS, _usual(repeats.sizes.tobytes()), strict=True)
    )
    return tuple(sentence for (_, sentence), away in zip(CHECKS, far, strict=True) if away)


@lru_cache(maxsize=8)
def _usual(sizes: bytes) -> tuple[tuple[float, float], ...]:
    """Mean and spread of each statistic over Gaussian logs of these counts."""
    counts, rng = np.frombuffer(sizes, dtype=np.int64), np.random.default_rng(0)
    logs = [_gaussian(counts, rng) for _ in range(COMPARED)]
    values = np.array([[statistic(log) for log in logs] for statistic, _ in CHECKS])
    # pairs have no skewness at all, so a spread may be nothing but rounding
    spreads = np.maximum(values.std(axis=1, ddof=1), 1e-6)
    return tuple(zip(values.mean(axis=1).tolist(), spreads.tolist(), strict=True))


def _gaussian(sizes: NDArray[np.int64], rng: np.random.Generator) -> Repeats:
    """Gaussian residuals of these counts."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    noise = rng.standard_normal(int(sizes.sum()))
    means = np.add.reduceat(noise, starts) / sizes
    return Repeats(starts, sizes, noise - np.repeat(means, sizes))


def _skewness(repeats: Repeats) -> float:
    return float((repeats.residuals**3).mean() / (repeats.residuals**2).mean() ** 1.5)


def _kurtosis(repeats: Repeats) -> float:
    """The logarithm, whose law under Gaussian noise is nearer to normal."""
    return float(np.log((repeats.residuals**4).mean() / (repeats.residuals**2).mean() ** 2))


def _unequal(repeats: Repeats) -> float:
    """The spread of the arms' variances about the pooled one, on a logarithmic scale."""
    pooled = repeats.squares.sum() / repeats.spare.sum()
    return float(np.log1p((repeats.spare * (repeats.squares / repeats.spare / pooled - 1) ** 2).mean()))


CHECKS: tuple[tuple[Callable[[Repeats], float], str], ...] = (
    (_skewness, "the noise is skewed: repeats of an arm are not spread evenly about their mean"),
    (_kurtosis, "the noise is not Gaussian: its tails are heavier or lighter"),
    (_unequal, "the noise differs between arms more than one common level explains"),
)
