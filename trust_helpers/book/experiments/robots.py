"""What chapter 6 is about: every method on every bundled data set, one row for each reading.

Everything is made from the tables that are shipped, however many runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algorithm import trust
from ...band import Band, band_for
from ...baselines import behaviour_cloning, greedy, lcb
from ...checks import Array
from ...data import OfflineData
from ...decision import Decision
from ...paper import claim
from ...rl import (
    ENVIRONMENTS,
    SETTINGS,
    CqlScore,
    Logged,
    collected_readings,
    collected_seeds,
    cql_score,
    logged_returns,
)
from ...rl.shipped import CLEAR

__all__ = [
    "BANDS",
    "DataSet",
    "Row",
    "bands_for",
    "count_data_sets",
    "count_rows_beside_the_paper",
    "decisions_of",
    "first_columns",
    "play_all_runs",
    "seeds_of_a_row",
    "times",
    "whole_runs",
]

BANDS = {"paper": "TRUST, paper's band", "calibrated": "TRUST, calibrated"}


@dataclass(frozen=True, eq=False)
class DataSet:
    """One data set: the log, what each method decides on it, and CQL's score if it was trained.

    Attributes
    ----------
    seed : int
        That of the training run.
    log : Logged
        The returns the methods see, and the truth they do not.
    decisions : mapping
        By method; see :func:`decisions_of`.
    cql : CqlScore or None
        What CQL scored on it; None if it was not trained.
    """

    seed: int
    log: Logged
    decisions: Mapping[str, Decision]
    cql: CqlScore | None

    @property
    def best(self) -> float:
        """The value of the best logging policy; no mixture is worth more."""
        return float(self.log.truth.values.max())

    def weights(self, method: str) -> Array:
        """What a method plays; ``"last"`` is the last policy of the log, ``"best"`` the one of the largest value."""
        if method not in ("last", "best"):
            return self.decisions[method].weights
        values = self.log.truth.values
        return np.eye(values.size)[-1 if method == "last" else values.argmax()]

    def worth(self, method: str) -> float:
        """The true value of what a method plays."""
        return self.log.truth.of(self.weights(method))[0]

    def ahead(self, first: str, second: str, clearly: bool = False) -> bool:
        """Whether one method earns more than another; clearly: by more than ``CLEAR`` standard errors of that."""
        lead, error = self.log.truth.lead(self.weights(first), self.weights(second))
        return lead > CLEAR * error * clearly

    def missed(self, method: str, clearly: bool = False) -> bool:
        """Whether the true value is less than was promised; clearly: by more than ``CLEAR`` standard errors."""
        value, error = self.log.truth.of(self.weights(method))
        return self.decisions[method].lower_bound - value > CLEAR * error * clearly

    def kept(self, method: str) -> bool:
        """Whether the true value is at least what was promised."""
        return not self.missed(method)


@dataclass(frozen=True, eq=False)
class Row:
    """All runs of a robot and a setting under one reading."""

    env: str
    setting: str
    reading: str
    runs: tuple[DataSet, ...]

    @property
    def name(self) -> str:
        """The robot and the setting."""
        return f"{self.env}\N{NO-BREAK SPACE}{self.setting}"

    @property
    def printed(self) -> float:
        """The paper's score of TRUST."""
        return claim(f"table3.{self.env}.{self.setting}.TRUST").value

    def mean(self, method: str) -> float:
        """What a method earns, on average over the runs."""
        return float(np.mean([run.worth(method) for run in self.runs]))

    @property
    def off(self) -> float:
        """How far TRUST with the paper's band is from the paper's score."""
        return abs(self.mean(BANDS["paper"]) - self.printed)


def first_columns(row: Row) -> dict[str, str]:
    """The first columns of a table over rows: the data, and how they were made."""
    return {"data": row.name, "actions, seeds": f"{row.reading},\N{NO-BREAK SPACE}{len(row.runs)}"}


def play_all_runs(delta: float, band_seed: int, sigma: float) -> tuple[Row, ...]:
    """Every method on every bundled data set, both readings where there are both; all logs share the two bands."""
    places = [(env, setting) for env in ENVIRONMENTS for setting in SETTINGS]
    keys = [(*place, reading) for place in places for reading in collected_readings(*place)]
    first = logged_returns(*places[0], collected_seeds(*places[0])[0], sigma=sigma).data
    bands = bands_for(first, delta, band_seed)
    return tuple(_row(*key, bands=bands, delta=delta, sigma=sigma) for key in keys)


def _row(env: str, setting: str, reading: str, bands: Mapping[str, Band], delta: float, sigma: float) -> Row:
    runs = []
    for seed in collected_seeds(env, setting, reading):
        log = logged_returns(env, setting, seed, sigma, reading)
        score = cql_score(env, setting, seed, reading)
        runs.append(DataSet(seed, log, decisions_of(log.data, delta, bands), score))
    return Row(env, setting, reading, tuple(runs))


def bands_for(data: OfflineData, delta: float, seed: int) -> dict[str, Band]:
    """The paper's and the calibrated band of a log's design."""
    return {"paper": band_for(data, delta, "paper", seed), "calibrated": band_for(data, delta, "calibrated", seed)}


def decisions_of(data: OfflineData, delta: float, bands: Mapping[str, Band]) -> dict[str, Decision]:
    """What each method plays on a log."""
    single = {"cloning": behaviour_cloning(data, delta), "greedy": greedy(data), "LCB": lcb(data, delta)}
    return single | {name: trust(data, delta, bands[kind]) for kind, name in BANDS.items()}


def times(rows: Sequence[Row], first: str, second: str, clearly: bool = False) -> int:
    """On how many data sets one method earns more than another, or clearly more; see :meth:`DataSet.ahead`."""
    return sum(run.ahead(first, second, clearly) for row in rows for run in row.runs)


def count_rows_beside_the_paper(rows: Sequence[Row]) -> dict[str, int]:
    """How many rows there are of each kind: in reach of the paper's score, above it, with both readings.

    *Out of reach*: no policy of any run is worth the paper's score. *Near*: the best policies are worth at least 80 %
    of it, on average over the runs.
    """
    sampled = {(row.env, row.setting): row for row in rows if row.reading == "sampled"}
    both = [(sampled[row.env, row.setting], row) for row in rows if row.reading == "mean"]
    return {
        "rows": len(rows),
        "out-of-reach": sum(row.printed > max(run.best for run in row.runs) for row in rows),
        "near-reach": sum(row.mean("best") >= 0.8 * row.printed for row in rows),
        "above-paper": sum(row.mean(BANDS["paper"]) > row.printed for row in rows),
        "both": len(both),
        "mean-closer": sum(mean.off < other.off for other, mean in both),
    }


def seeds_of_a_row(rows: Sequence[Row]) -> str:
    """How many seeds the rows have, in words: one number, or the least and the most."""
    seeds = [len(row.runs) for row in rows]
    return f"{min(seeds)} to {max(seeds)}" if min(seeds) < max(seeds) else str(min(seeds))


def whole_runs(made: Mapping[str, Any]) -> str:
    """How many of the training runs of a provenance go as far as the high setting needs, or "all"."""
    whole = [run["epochs"] >= max(made["sac"]["high"]) for run in made["runs"].values()]
    return "all" if all(whole) else str(sum(whole))


def count_data_sets(rows: Sequence[Row]) -> dict[str, int]:
    """On how many data sets one method earns more than another, a promise was kept, or values spread beyond noise.

    *Clear* is what more than two standard errors separate. *Spread out*: the deviation of the policies' values is more
    than three times the median deviation of a policy's returns.
    """
    runs, ours = [run for row in rows for run in row.runs], BANDS["calibrated"]
    spread_out = [run for run in runs if run.log.truth.values.std() > 3 * np.median(run.log.truth.deviations)]
    return {
        "datasets": len(runs),
        "beats-cloning": times(rows, ours, "cloning"),
        "paper-beats-cloning": times(rows, BANDS["paper"], "cloning"),
        "greedy-beats": times(rows, "greedy", ours),
        "greedy-beats-clearly": times(rows, "greedy", ours, clearly=True),
        "greedy-loses-clearly": times(rows, ours, "greedy", clearly=True),
        "last-beats": times(rows, "last", ours),
        "last-beats-clearly": times(rows, "last", ours, clearly=True),
        "last-loses-clearly": times(rows, ours, "last", clearly=True),
        "last-not-best": times(rows, "best", "last"),
        "last-not-best-clearly": times(rows, "best", "last", clearly=True),
        "spread-out": len(spread_out),
        "spread-out-greedy": sum(run.ahead("greedy", ours) for run in spread_out),
        "trust-kept": sum(run.kept(ours) for run in runs),
        "trust-missed-clearly": sum(run.missed(ours, clearly=True) for run in runs),
        "lcb-kept": sum(run.kept("LCB") for run in runs),
        "lcb-missed-clearly": sum(run.missed("LCB", clearly=True) for run in runs),
    }
