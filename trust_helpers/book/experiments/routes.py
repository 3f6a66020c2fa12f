"""Chapter 8's comparisons: TRUST's band beside a split log, and a split judged once beside one judged both ways."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import ArrayLike, NDArray

from ...algorithm import trust_many
from ...band import band_for
from ...baselines import behaviour_cloning
from ...checks import Array, frozen
from ...data import OfflineData
from ...instances import data_starved, gaussian, general
from ...split import split
from ...trials import Share, share
from ..table import form_for, plus_minus

__all__ = [
    "KindOfLog",
    "Mean",
    "Routes",
    "Turns",
    "coin_designs",
    "coins",
    "fresh_coin_designs",
    "gaussian_designs",
    "halves",
    "routes",
    "streams_of",
    "turn_words",
    "turns",
]


class Mean(NamedTuple):
    """A mean over logs, and its standard error."""

    value: float
    error: float


def mean_of(values: ArrayLike) -> Mean:
    """The mean of independent values, with the standard error of their spread.

    >>> mean_of([1.0, 2.0, 3.0])
    Mean(value=2.0, error=0.5773502691896258)
    """
    seen = np.asarray(values, dtype=float)
    return Mean(float(seen.mean()), float(seen.std(ddof=1) / np.sqrt(seen.size)) if seen.size > 1 else np.nan)


@dataclass(frozen=True, eq=False)
class KindOfLog:
    """A kind of log on which promises are compared."""

    name: str
    means: Array
    sample: Callable[[Generator], OfflineData]


@dataclass(frozen=True)
class Routes:
    """Mean promises of cloning, TRUST's band and split on one kind of log, and how often the last two missed."""

    name: str
    cloning: Mean
    trust: Mean
    split: Mean
    trust_missed: Share
    split_missed: Share

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        promised = {"cloning": self.cloning, "TRUST's band": self.trust, "split": self.split}
        form = form_for(*(one.value for one in promised.values()))
        missed = {"band missed": str(self.trust_missed), "split missed": str(self.split_missed)}
        return {"log": self.name, **{name: plus_minus(*one, form) for name, one in promised.items()}, **missed}


def routes(design: KindOfLog, logs: int, seed: int, delta: float, whole: bool = True) -> Routes:
    """Both routes on fresh logs of one design, each at the whole of delta; unless ``whole``, nothing is split."""
    data = [design.sample(rng) for rng in streams_of(seed, logs)]
    mixed = trust_many(band_for(data[0], delta, seed=seed), np.array([one.means for one in data]))
    cloned = mean_of([behaviour_cloning(one, delta).lower_bound for one in data])
    missed = share(mixed.lower_bound > mixed.weights @ design.means + 1e-12)
    if not whole:
        none = Mean(np.nan, np.nan)
        return Routes(design.name, cloned, mean_of(mixed.lower_bound), none, missed, Share(np.nan, np.nan))
    apart = [split(one, delta, seed=k) for k, one in enumerate(data)]
    lost = share([one.lower_bound > one.weights @ design.means + 1e-12 for one in apart])
    judged = mean_of([one.lower_bound for one in apart])
    return Routes(design.name, cloned, mean_of(mixed.lower_bound), judged, missed, lost)


@dataclass(frozen=True, eq=False)
class Turns:
    """What a split promised on each log of a kind when one part judged, and when the parts took turns."""

    name: str
    once: Array
    twice: Array

    @property
    def lead(self) -> Mean:
        """How much more was promised with one turn, log by log."""
        return mean_of(self.once - self.twice)


def turns(design: KindOfLog, logs: int, seed: int, delta: float) -> Turns:
    """One turn and two on the same fresh logs, dealt by the same seeds."""
    data = [design.sample(rng) for rng in streams_of(seed, logs)]
    both = [[split(one, delta, seed=k, folds=folds).lower_bound for folds in (1, 2)] for k, one in enumerate(data)]
    return Turns(design.name, *(frozen(column) for column in np.array(both).T))


def turn_words(found: Sequence[Turns]) -> dict[str, str]:
    """On how many kinds of log one turn promised more, and clearly more or less: by two standard errors.

    >>> sure = Turns("a kind", np.array([0.5, 0.6, 0.7]), np.array([0.4, 0.5, 0.5]))
    >>> turn_words([sure])["turns-clearly-more"]
    '1'
    """
    leads = [one.lead for one in found]
    return {
        "turns-designs": str(len(leads)),
        "turns-more": str(sum(one.value > 0 for one in leads)),
        "turns-clearly-more": str(sum(one.value > 2 * one.error for one in leads)),
        "turns-clearly-less": str(sum(one.value < -2 * one.error for one in leads)),
    }


def halves(arms: int, high: float = 0.9, low: float = 0.1) -> Array:
    """True means: the first half of the arms at ``high``, the rest at ``low``."""
    return np.where(np.arange(arms) < arms // 2, high, low)


def coins(name: str, means: Array, counts: NDArray[np.int64]) -> KindOfLog:
    """Rewards of 0 and 1 with these means, so many of each arm."""
    return KindOfLog(name, means, lambda rng: OfflineData.from_counts(rng.binomial(counts, means), counts))


def coin_designs() -> list[KindOfLog]:
    """Rewards of 0 and 1, nothing else known of them."""
    clicks = np.where(np.arange(1_500) < 150, 0.08, 0.01)
    few, many = (default_rng(5).integers(low, high, 1_500) for low, high in ((4, 61), (100, 401)))
    return [
        coins("half at 0.9, half at 0.1, 2,000 arms, 2 each", halves(2_000), np.full(2_000, 2)),
        coins("half at 0.9, half at 0.1, 2,000 arms, 16 each", halves(2_000), np.full(2_000, 16)),
        coins("spread over [0, 1], 2,000 arms, 4 each", np.linspace(0, 1, 2_000), np.full(2_000, 4)),
        coins("no signal, 2,000 arms, 4 each", np.full(2_000, 0.5), np.full(2_000, 4)),
        coins("clicks, a tenth at 8 %, the rest at 1 %, 4 to 60 tries", clicks, few),
        coins("the same, 100 to 400 tries", clicks, many),
    ]


def fresh_coin_designs() -> list[KindOfLog]:
    """Rewards of 0 and 1 on which the choice of a split was not found."""
    rng = default_rng(77)
    return [
        coins("three levels", np.repeat([0.2, 0.5, 0.8], 100), np.full(300, 3)),
        coins("one good of 300", np.where(np.arange(300) == 0, 0.95, 0.3), np.full(300, 6)),
        coins("skewed, uneven counts", rng.beta(0.3, 3, 500), rng.integers(1, 20, 500)),
        coins("a weak spread", np.linspace(0.45, 0.55, 800), np.full(800, 5)),
        coins("rare and alike", np.full(400, 0.004), rng.integers(20, 200, 400)),
        coins("nearly all pay", np.linspace(0.9, 1, 200), np.full(200, 10)),
        coins("alike", np.full(600, 0.3), rng.integers(1, 10, 600)),
        coins("few arms", np.linspace(0.2, 0.5, 12), np.full(12, 20)),
    ]


def gaussian_designs() -> list[KindOfLog]:
    """Gaussian noise of known level, a few samples each: where either route wins."""
    starved, second = data_starved(2_000), general(1_000)
    spread, one_good = gaussian(np.linspace(0, 1, 20), 0.5), gaussian(np.where(np.arange(200) == 0, 2.0, 0.0), 0.5)
    weak = gaussian(np.linspace(0, 0.3, 500), 0.5)
    return [
        KindOfLog("the paper's first instance, 2,000 arms, 1 each", starved.means, starved.sample),
        KindOfLog("the paper's second, 1,000 arms, 1 each", second.means, second.sample),
        KindOfLog("the paper's second, 1,000 arms, 4 each", second.means, lambda rng: second.sample(rng, 4)),
        KindOfLog("20 arms spread over [0, 1], 1 each", spread.means, spread.sample),
        KindOfLog("one good arm of 200, 1 each", one_good.means, one_good.sample),
        KindOfLog("a weak spread, 500 arms, 4 each", weak.means, lambda rng: weak.sample(rng, 4)),
    ]


def streams_of(seed: int, logs: int) -> list[Generator]:
    """Random numbers for so many logs; the first logs of a longer trial are those of a shorter one."""
    return [default_rng(stream) for stream in SeedSequence([seed, 8]).spawn(logs)]
