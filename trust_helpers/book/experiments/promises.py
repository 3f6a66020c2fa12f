"""Chapter 8's experiments on promises: coins that break a band, what more samples buy, what no sentence mends."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np
from numpy.random import default_rng

from ...algorithm import trust, trust_many
from ...band import band_for
from ...baselines import behaviour_cloning, lcb
from ...checks import Array
from ...combination import combined
from ...data import OfflineData
from ...instances import gaussian
from ...split import split
from ...trials import Share, share
from .routes import KindOfLog, coins, routes, streams_of

__all__ = [
    "Broken",
    "best_of_seeds_missed",
    "coin_rows",
    "dropped_after_failures",
    "fair_coins_exceed",
    "known_rows",
    "promises_against_samples",
    "shared_shocks",
    "ways_to_break",
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


def coin_rows(found: Mapping[tuple[int, int], Mapping[str, Share]]) -> list[dict[str, object]]:
    """:func:`fair_coins_exceed` by the number of coins and of tosses, as rows of a table.

    >>> sure = Share(1.0, 0.0)
    >>> list(coin_rows({(200, 1): {"gaussian": sure, "range": sure}})[0].values())
    [200, 1, '100.0 %', '100.0 %']
    """
    return [
        {
            "coins": arms,
            "tosses each": pulls,
            "Gaussian, \N{GREEK SMALL LETTER SIGMA} = 1/2": str(one["gaussian"]),
            "range [0, 1]": str(one["range"]),
        }
        for (arms, pulls), one in found.items()
    ]


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
            row.append(getattr(found, name).value)
    return {name: np.array(row) for name, row in rows.items()}


def _alike(means: Array, pulls: int, kind: str) -> KindOfLog:
    """Logs with so many samples of every arm."""
    if kind == "coins":
        return coins(f"coins, {pulls} each", means, np.full(means.size, pulls))
    return KindOfLog(f"Gaussian, {pulls} each", means, lambda rng: gaussian(means, 0.5).sample(rng, pulls))


def known_rows(log: OfflineData, said: Mapping[str, str], delta: float, seed: int) -> list[dict[str, object]]:
    """One log under several sentences, each with a name: what every method may promise."""
    assert log.samples is not None  # for mypy
    rows: list[dict[str, object]] = []
    for name, sentence in said.items():
        read = OfflineData.from_samples(log.samples.arm, log.samples.reward, sentence)
        band = trust(read, delta, seed=seed).lower_bound if read.law.uniform else None
        rows.append(
            {
                "known of one reward": name,
                "cloning": behaviour_cloning(read, delta).lower_bound,
                "LCB": lcb(read, delta).lower_bound,
                "TRUST's band": band,
                "split": split(read, delta, seed=seed).lower_bound,
                "combined": combined(read, delta, seed=seed).lower_bound,
            }
        )
    return rows


def shared_shocks(arms: int, pulls: int, size: float, logs: int, seed: int, delta: float, drift: float = 0.0) -> Share:
    """How often TRUST's promise is missed when all rewards of a log share one shock: rewards are not independent.

    After the log every arm pays ``drift`` less.
    """
    band = band_for(OfflineData(np.zeros(arms), np.full(arms, pulls), 1.0), delta, seed=seed)
    means = [
        size * rng.standard_normal() + rng.standard_normal(arms) / np.sqrt(pulls) for rng in streams_of(seed, logs)
    ]
    return share(trust_many(band, means).lower_bound > -drift)


def dropped_after_failures(arms: int, logs: int, seed: int, delta: float) -> dict[str, Share]:
    """How often a promise is missed when arms that fail at their first two tries of four are dropped from the log.

    Whether an arm is in the log then depends on its rewards. All arms are fair coins, and so many are left.
    """
    counts, rows = np.full(arms, 4), []
    for rng in streams_of(seed, logs):
        tries = rng.integers(0, 2, (4 * arms, 4))
        rows.append(tries[tries[:, :2].any(axis=1)][:arms].sum(axis=1))
    data = [OfflineData.from_counts(row, counts) for row in rows]
    made = trust_many(band_for(data[0], delta, seed=seed), np.array(rows) / 4)
    apart = [split(one, delta, seed=seed).lower_bound > 0.5 for one in data]
    return {"trust": share(made.lower_bound > 0.5), "split": share(apart)}


class Broken(NamedTuple):
    """Something that no law helps against, and how often TRUST's band and a split then miss; NaN where not tried."""

    what: str
    band: Share
    split: Share = Share(np.nan, np.nan)

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        missed = {"TRUST's band": str(self.band), "split": "" if isnan(self.split.value) else str(self.split)}
        return {"what happens": self.what, **missed}


def ways_to_break(logs: int, seed: int, delta: float) -> list[Broken]:
    """Nothing; shocks that all rewards share; a drift after the log; arms that are dropped after failures."""
    words = {0.0: "nothing", 0.1: "a shared shock of 0.1 deviations", 0.3: "a shared shock of 0.3 deviations"}
    found = [Broken(what, shared_shocks(200, 4, size, logs, seed, delta)) for size, what in words.items()]
    drifted = shared_shocks(200, 4, 0.0, logs, seed, delta, drift=0.1)
    dropped = dropped_after_failures(400, logs // 4, seed, delta)
    return [
        *found,
        Broken("after the log every arm pays 0.1 deviations less", drifted),
        Broken("arms that fail twice at first are dropped from the log", dropped["trust"], dropped["split"]),
    ]


def best_of_seeds_missed(arms: int, pulls: int, seeds: int, logs: int, seed: int, delta: float) -> tuple[Share, Share]:
    """On fair coins, how often the promise of a split is missed with one seed, and with the best of several."""
    rng, counts = default_rng(seed), np.full(arms, pulls)
    fair = [OfflineData.from_counts(rng.binomial(pulls, 0.5, arms), counts) for _ in range(logs)]
    over = np.array([[split(one, delta, seed=k).lower_bound > 0.5 for k in range(seeds)] for one in fair])
    return share(over[:, 0]), share(over.any(axis=1))
