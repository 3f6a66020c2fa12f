"""What chapter 6 tabulates: every method on every bundled data set, one row for each recipe and reading.

A row never mixes recipes or readings, and everything is made from the tables that are shipped, however many runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from ...algorithm import trust
from ...band import Band, band_for
from ...baselines import behaviour_cloning, greedy, lcb
from ...checks import Array
from ...data import OfflineData
from ...decision import Decision
from ...errors import TrustError
from ...paper import claim
from ...rl import (
    ENVIRONMENTS,
    RECIPES,
    SETTINGS,
    CqlScore,
    Logged,
    collected_readings,
    collected_seeds,
    cql_score,
    logged_returns,
    recipe_of,
)
from ..table import number, plus_minus

__all__ = [
    *(
        "BANDS",
        "Row",
        "DataSet",
        "bands_for",
        "cql_rows",
        "decisions_of",
        "method_rows",
        "play_all_runs",
        "promise_or_refusal",
    ),
    *("promise_rows", "reading_rows", "recipe_with_seed", "times"),
]

BANDS = {"paper": "TRUST, paper's band", "calibrated": "TRUST, calibrated"}
PROMISING = ("cloning", "LCB", *BANDS.values())


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
    """

    seed: int
    log: Logged
    decisions: Mapping[str, Decision]
    cql: CqlScore | None

    @property
    def best(self) -> float:
        """The value of the best logging policy: no mixture is worth more."""
        return float(self.log.truth.values.max())

    def worth(self, method: str) -> float:
        """The true value of what a method plays; ``"last"`` is the last policy of the log, ``"best"`` the best."""
        if method in ("last", "best"):
            return self.best if method == "best" else float(self.log.truth.values[-1])
        return self.log.truth.of(self.decisions[method].weights)[0]

    def kept(self, method: str) -> bool:
        """Whether the true value is at least what was promised."""
        return self.decisions[method].lower_bound <= self.worth(method)


@dataclass(frozen=True, eq=False)
class Row:
    """All runs of a robot and a setting under one reading and one recipe."""

    env: str
    setting: str
    reading: str
    recipe: str
    runs: tuple[DataSet, ...]

    @property
    def name(self) -> str:
        """The robot and the setting."""
        return f"{self.env}\N{NO-BREAK SPACE}{self.setting}"

    @property
    def made(self) -> str:
        """How it was made: recipe, actions, seeds."""
        return f"{self.recipe}, {self.reading}, {len(self.runs)}".replace(" ", "\N{NO-BREAK SPACE}")

    @property
    def printed(self) -> float:
        """The paper's score of TRUST."""
        return claim(f"table3.{self.env}.{self.setting}.TRUST").value

    def mean(self, method: str) -> float:
        """What a method earns, on average over the runs."""
        return float(np.mean([run.worth(method) for run in self.runs]))


def play_all_runs(delta: float, band_seed: int, sigma: float) -> tuple[Row, ...]:
    """Every method on every bundled data set, both readings where there are both; all logs share the two bands."""
    places = [(env, setting) for env in ENVIRONMENTS for setting in SETTINGS]
    keys = [(*place, reading) for place in places for reading in collected_readings(*place)]
    first = logged_returns(*places[0], collected_seeds(*places[0])[0], sigma=sigma).data
    bands = bands_for(first, delta, band_seed)
    return tuple(_row(*key, bands=bands, delta=delta, sigma=sigma) for key in keys)


def _row(env: str, setting: str, reading: str, bands: Mapping[str, Band], delta: float, sigma: float) -> Row:
    recipe = recipe_of(env, setting, reading)
    runs = []
    for seed in collected_seeds(env, setting, reading, recipe):
        log = logged_returns(env, setting, seed, sigma, reading, recipe)
        score = cql_score(env, setting, seed, reading, recipe)
        runs.append(DataSet(seed, log, decisions_of(log.data, delta, bands), score))
    return Row(env, setting, reading, recipe, tuple(runs))


def bands_for(data: OfflineData, delta: float, seed: int) -> dict[str, Band]:
    """The paper's and the calibrated band of a log's design."""
    return {"paper": band_for(data, delta, "paper", seed), "calibrated": band_for(data, delta, "calibrated", seed)}


def decisions_of(data: OfflineData, delta: float, bands: Mapping[str, Band]) -> dict[str, Decision]:
    """What each method plays on a log."""
    single = {"cloning": behaviour_cloning(data, delta), "greedy": greedy(data), "LCB": lcb(data, delta)}
    return single | {name: trust(data, delta, bands[kind]) for kind, name in BANDS.items()}


def times(rows: Sequence[Row], first: str, second: str) -> int:
    """On how many data sets one method earns more than another."""
    return sum(run.worth(first) > run.worth(second) for row in rows for run in row.runs)


def recipe_with_seed(env: str, setting: str, seed: int) -> str | None:
    """The preferred recipe with which a seed was collected; None if there is none, for loading to say so.

    >>> recipe_with_seed("Hopper", "low", 2023) in RECIPES
    True
    """
    for recipe in RECIPES:
        try:
            if seed in collected_seeds(env, setting, recipe=recipe):
                return recipe
        except TrustError:  # nothing of this recipe
            continue
    return None


def reading_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """TRUST's score, the paper's and ours, by data set and reading."""
    return [
        {
            "data": row.name,
            "recipe, actions, seeds": row.made,
            "paper": row.printed,
            "TRUST": _spread([run.worth(BANDS["paper"]) for run in row.runs]),
            "off by": number(row.mean(BANDS["paper"]) / row.printed - 1, "+.0%").replace("-", "\N{MINUS SIGN}"),
            "best policy": _spread([run.best for run in row.runs]),
        }
        for row in rows
    ]


def cql_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """CQL's score with its budget and its way there; only the data sets' own reading of sampled actions has one."""
    found = []
    for row in (row for row in rows if row.reading == "sampled"):
        printed = claim(f"table3.{row.env}.{row.setting}.CQL").value
        for run in row.runs:
            head = {"data": f"{row.name}, {run.seed}", "recipe": row.recipe, "paper": printed}
            found.append(head | _cql(run.cql))
    return found


def _cql(score: CqlScore | None) -> dict[str, Any]:
    if score is None:
        return {"ours": None, "updates": None, "networks": None, "on the way": "not trained yet"}
    way = [number(point.value, ",.0f") for point in score.curve[:-1]]
    return {
        "ours": plus_minus(score.value, score.standard_error, ",.0f"),
        "updates": score.updates,
        "networks": " by ".join(map(str, score.hidden)),
        "on the way": "; ".join(way) or "not kept",
    }


def method_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What each method earns, on average over the runs of a row."""
    columns = {"cloning": "cloning", "greedy, LCB": "greedy", "paper's band": BANDS["paper"]}
    columns |= {"calibrated": BANDS["calibrated"], "last": "last", "best": "best"}
    heads = [{"data": row.name, "recipe, actions, seeds": row.made} for row in rows]
    return [
        head | {column: row.mean(method) for column, method in columns.items()}
        for head, row in zip(heads, rows, strict=True)
    ]


def promise_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What each method promised on average, and on how many of the data sets it was kept."""
    found: list[dict[str, Any]] = []
    for row in rows:
        cells = {}
        for method in PROMISING:
            low = np.mean([run.decisions[method].lower_bound for run in row.runs])
            kept = sum(run.kept(method) for run in row.runs)
            cells[method] = f"{number(low, ',.0f')} ({kept}/{len(row.runs)})"
        found.append({"data": row.name, "recipe, actions, seeds": row.made} | cells)
    runs = [run for row in rows for run in row.runs]
    total = {method: f"{sum(run.kept(method) for run in runs)} of {len(runs)}" for method in PROMISING}
    return [*found, {"data": "kept", "recipe, actions, seeds": ""} | total]


def promise_or_refusal(method: Callable[[], Decision]) -> str:
    """The lower bound that a method promises, or that it refuses to.

    >>> promise_or_refusal(lambda: trust(OfflineData.from_samples([0, 1], [1.0, 2.0], "sd:1")))
    'refuses'
    """
    try:
        bound = method().lower_bound
    except TrustError:
        return "refuses"
    return number(bound, ",.0f") if isfinite(bound) else "none"


def _spread(values: Sequence[float] | Array) -> str:
    """Mean over runs, with the standard deviation between them where there are several."""
    mean = float(np.mean(values))
    return number(mean, ",.0f") if len(values) == 1 else plus_minus(mean, np.std(values, ddof=1), ",.0f")
