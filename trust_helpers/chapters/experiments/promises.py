"""Experiments on promises: coins that break a Gaussian band, promises against samples, the two routes compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from ...algorithm import trust
from ...band import Band, band_for
from ...baselines import behaviour_cloning
from ...checks import Array
from ...data import OfflineData
from ...decision import Decision
from ...instances import data_starved, gaussian, general
from ...split import split
from ...trials import Share, share

__all__ = [
    "KindOfLog",
    "Routes",
    "dropped_after_failures",
    "fair_coins_exceed",
    "halves",
    "promises_against_samples",
    "routes",
    "shared_shocks",
    "two_routes",
]


def fair_coins_exceed(arms: int, pulls: int, logs: int, seed: int, delta: float) -> dict[str, Share]:
    """How often fair coins exceed, anywhere, a Gaussian band of their deviation 1/2, and the band of their range."""
    rng = default_rng([seed, arms, pulls])
    noise = rng.binomial(pulls, 0.5, (logs, arms)) / pulls - 0.5
    found = {}
    for name, said in (("gaussian", 0.5), ("range", "range:0:1")):
        band = band_for(OfflineData(np.full(arms, 0.5), np.full(arms, pulls), said), delta, seed=seed)
        found[name] = share(band.exceeded(band.region.suprema(noise, band.radii)))
    return found


def halves(arms: int, high: float = 0.9, low: float = 0.1) -> Array:
    """True means: the first half of the arms at ``high``, the rest at ``low``."""
    return np.where(np.arange(arms) < arms // 2, high, low)


def promises_against_samples(
    means: Array, pulls: Sequence[int], kind: str, logs: int, seed: int, delta: float
) -> dict[str, Array]:
    """Mean promises of cloning, TRUST and split at each number of samples per arm.

    ``kind`` is "coins" (nothing known but 0 or 1) or "gaussian" (deviation 1/2, known). One coin per arm cannot be
    split: the promise is then NaN.
    """
    rows: dict[str, list[float]] = {"cloning": [], "trust": [], "split": []}
    for count in pulls:
        found = routes(_alike(means, count, kind), logs, seed, delta, whole=kind == "gaussian" or count > 1)
        for name, row in rows.items():
            row.append(getattr(found, name))
    return {name: np.array(row) for name, row in rows.items()}


def _alike(means: Array, pulls: int, kind: str) -> "KindOfLog":
    """Logs with so many samples of every arm."""
    counts = np.full(means.size, pulls)
    if kind == "coins":
        return _coins(f"coins, {pulls} each", means, counts)
    return KindOfLog(f"Gaussian, {pulls} each", means, lambda rng: gaussian(means, 0.5).sample(rng, pulls))


@dataclass(frozen=True, eq=False)
class KindOfLog:
    """A kind of log on which the two routes are compared."""

    name: str
    means: Array
    sample: Callable[[Generator], OfflineData]


@dataclass(frozen=True)
class Routes:
    """Mean promises of cloning, TRUST's band and split on one kind of log, and how often the last two missed."""

    name: str
    cloning: float
    trust: float
    split: float
    trust_missed: Share
    split_missed: Share


def two_routes(designs: Sequence[KindOfLog], logs: int, seed: int, delta: float) -> list[Routes]:
    """Both routes on fresh logs of every design, each at the whole of delta."""
    return [routes(design, logs, seed, delta) for design in designs]


def routes(design: KindOfLog, logs: int, seed: int, delta: float, whole: bool = True) -> Routes:
    """Both routes on fresh logs of one design; TRUST's band is made once. Unless ``whole``, nothing is split."""
    streams = _streams(seed, logs)
    data = [design.sample(rng) for rng in streams]
    band = band_for(data[0], delta, seed=seed)
    rules: Mapping[str, Callable[[OfflineData, int], Decision]] = {
        "cloning": lambda one, _: behaviour_cloning(one, delta),
        "trust": lambda one, _: trust(one, delta, band),
        "split": lambda one, k: split(one, delta, seed=k),
    }
    played = rules if whole else {name: rule for name, rule in rules.items() if name != "split"}
    made = {name: [rule(one, k) for k, one in enumerate(data)] for name, rule in played.items()}
    mean = {"split": np.nan} | {name: float(np.mean([one.lower_bound for one in row])) for name, row in made.items()}
    missed = {"split": Share(np.nan, np.nan)} | {
        name: share([one.lower_bound > one.weights @ design.means + 1e-12 for one in row]) for name, row in made.items()
    }
    return Routes(design.name, mean["cloning"], mean["trust"], mean["split"], missed["trust"], missed["split"])


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


def coin_designs() -> list[KindOfLog]:
    """Rewards of 0 and 1, nothing else known of them."""
    clicks = np.where(np.arange(1_500) < 150, 0.08, 0.01)
    few, many = (default_rng(5).integers(low, high, 1_500) for low, high in ((4, 61), (100, 401)))
    return [
        _coins("half at 0.9, half at 0.1, 2,000 arms, 2 each", halves(2_000), np.full(2_000, 2)),
        _coins("half at 0.9, half at 0.1, 2,000 arms, 16 each", halves(2_000), np.full(2_000, 16)),
        _coins("spread over [0, 1], 2,000 arms, 4 each", np.linspace(0, 1, 2_000), np.full(2_000, 4)),
        _coins("no signal, 2,000 arms, 4 each", np.full(2_000, 0.5), np.full(2_000, 4)),
        _coins("clicks, a tenth at 8 %, the rest at 1 %, 4 to 60 tries", clicks, few),
        _coins("the same, 100 to 400 tries", clicks, many),
    ]


def _coins(name: str, means: Array, counts: NDArray[np.int64]) -> KindOfLog:
    return KindOfLog(name, means, lambda rng: OfflineData.from_counts(rng.binomial(counts, means), counts))


def shared_shocks(arms: int, pulls: int, size: float, logs: int, seed: int, delta: float, drift: float = 0.0) -> Share:
    """How often TRUST's promise is missed when all rewards of a log share one shock: rewards are not independent.

    After the log every arm pays ``drift`` less.
    """
    design = OfflineData(np.zeros(arms), np.full(arms, pulls), 1.0)
    band = band_for(design, delta, seed=seed)
    promised = [_shocked(design, band, size, rng) for rng in _streams(seed, logs)]
    return share([one > -drift for one in promised])


def _shocked(design: OfflineData, band: Band, size: float, rng: Generator) -> float:
    means = size * rng.standard_normal() + rng.standard_normal(design.n_arms) / np.sqrt(design.counts)
    return trust(OfflineData(means, design.counts, 1.0), band.delta, band).lower_bound


def dropped_after_failures(arms: int, logs: int, seed: int, delta: float) -> dict[str, Share]:
    """How often a promise is missed when arms that fail at their first two tries of four are dropped from the log.

    Whether an arm is in the log then depends on its rewards. All arms are fair coins.
    """
    missed: dict[str, list[bool]] = {"trust": [], "split": []}
    for rng in _streams(seed, logs):
        tries = rng.integers(0, 2, (arms, 4))
        kept = tries[tries[:, :2].any(axis=1)]
        data = OfflineData.from_counts(kept.sum(axis=1), np.full(len(kept), 4))
        missed["trust"].append(trust(data, delta, seed=seed).lower_bound > 0.5)
        missed["split"].append(split(data, delta, seed=seed).lower_bound > 0.5)
    return {name: share(row) for name, row in missed.items()}


def _streams(seed: int, logs: int) -> list[Generator]:
    return [default_rng(stream) for stream in SeedSequence([seed, 8]).spawn(logs)]
