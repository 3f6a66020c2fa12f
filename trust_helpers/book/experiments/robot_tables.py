"""Chapter 6's tables over all data sets: the paper's scores and ours, CQL and its way there, methods, promises."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...checks import Array
from ...paper import claim
from ...rl import ENVIRONMENTS, CqlScore
from ...rl.shipped import CLEAR
from ..table import Cell, number, plus_minus, verdict
from .robots import BANDS, DataSet, Row, first_columns

__all__ = ["cql_rows", "cql_words", "last_policy_rows", "method_rows", "promise_rows", "reading_rows"]

# 2,000 episodes (the paper's appendix on experiments), read as epochs of 1,000 updates as in the code it cites.
PAPER_UPDATES = 2_000 * 1_000
PROMISING = ("cloning", "LCB", *BANDS.values())


def reading_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """TRUST's score, the paper's and ours, by data set and reading."""
    return [
        first_columns(row)
        | {
            "paper": row.printed,
            "TRUST": _spread([run.worth(BANDS["paper"]) for run in row.runs]),
            "off by": number(row.mean(BANDS["paper"]) / row.printed - 1, "+.0%").replace("-", "\N{MINUS SIGN}"),
            "best policy": _spread([run.best for run in row.runs]),
        }
        for row in rows
    ]


def cql_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """CQL's score with its budget and its way there, for each data set that it was trained on."""
    return [
        {"data": f"{row.name}, {run.seed}", "paper": claim(f"table3.{row.env}.{row.setting}.CQL").value} | _cql(run.cql)
        for row in rows
        for run in row.runs
        if run.cql
    ]


def _cql(score: CqlScore) -> dict[str, Any]:
    way = [number(point.value, ",.0f") for point in score.curve[:-1]]
    return {
        "ours": plus_minus(score.value, score.standard_error, ",.0f"),
        "updates": score.updates,
        "networks": " by ".join(map(str, score.hidden)),
        "on the way": "; ".join(way),
    }


def method_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What each method earns, on average over the runs of a row."""
    columns = {"cloning": "cloning", "greedy, LCB": "greedy", "paper's band": BANDS["paper"]}
    columns |= {"calibrated": BANDS["calibrated"], "last": "last", "best": "best"}
    return [first_columns(row) | {column: row.mean(method) for column, method in columns.items()} for row in rows]


def promise_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What each method promised on average, and on how many of the data sets it was kept."""
    found: list[dict[str, Any]] = []
    for row in rows:
        cells = {}
        for method in PROMISING:
            low = np.mean([run.decisions[method].lower_bound for run in row.runs])
            kept = sum(run.kept(method) for run in row.runs)
            cells[method] = f"{number(low, ',.0f')} ({kept}/{len(row.runs)})"
        found.append(first_columns(row) | cells)
    runs = [run for row in rows for run in row.runs]
    total = {method: f"{sum(run.kept(method) for run in runs)} of {len(runs)}" for method in PROMISING}
    return [*found, dict.fromkeys(first_columns(rows[0]), "") | {"data": "kept"} | total]


def cql_words(rows: Sequence[Row]) -> dict[str, str]:
    """What chapter 6 says of CQL: on how many data sets it was trained, with what budget, and how it compares.

    It is ahead of TRUST or behind, and its curve rises or falls at its end, by more than ``CLEAR`` standard errors of
    the difference. It beats all policies if it scores more than each does under either reading.
    """
    scored = [(row, run, run.cql) for row in rows for run in row.runs if run.cql]
    high = [(run, cql) for row, run, cql in scored if row.setting == "high"]
    printed = [_printed(f"{env}.high") for env in ENVIRONMENTS]
    updates = max((cql.updates for _, _, cql in scored), default=0)
    leads = [_clear((cql.value, cql.standard_error), _earned(run)) for _, run, cql in scored]
    ends = [_clear(cql.curve[-1][1:], cql.curve[-2][1:]) for _, _, cql in scored if len(cql.curve) > 1]
    return {
        "cql-scored": str(len(scored)),
        "cql-seeds": ", ".join(map(str, sorted({run.seed for _, run, _ in scored}))) or "no",
        "cql-updates": f"{updates:,}" if scored else "no",
        "cql-budget": number(updates / PAPER_UPDATES, ".1%"),
        "cql-behind": str(leads.count(-1)),
        "cql-ahead": str(leads.count(1)),
        "cql-stitched": str(sum(cql.value > _best(rows, row, run.seed) for row, run, cql in scored) or "none"),
        "cql-rising": str(ends.count(1)),
        "cql-falling": str(ends.count(-1)),
        "cql-high": str(len(high)),
        "cql-high-poor": str(sum(cql.value < run.worth("cloning") for run, cql in high)),
        "cql-paper-share": number(min(cql / trust for cql, trust in printed), ".0%"),
        "cql-minutes": f"{60 * np.mean([cql.hours for _, _, cql in scored]):.0f}" if scored else "no",
    }


def _earned(run: DataSet) -> tuple[float, float]:
    """What TRUST with the paper's band earns, with its standard error."""
    return run.log.truth.of(run.weights(BANDS["paper"]))


def _clear(first: tuple[float, float], second: tuple[float, float]) -> int:
    """1 or -1 if the first of two measured values is clearly above or below the second, 0 otherwise."""
    apart, error = first[0] - second[0], np.hypot(first[1], second[1])
    return int(apart > CLEAR * error) - int(apart < -CLEAR * error)


def _best(rows: Sequence[Row], row: Row, seed: int) -> float:
    """What the best policy of a training run is worth, however it acts."""
    alike = [other for other in rows if (other.env, other.setting) == (row.env, row.setting)]
    return max(run.best for other in alike for run in other.runs if run.seed == seed)


def _printed(place: str) -> tuple[float, float]:
    """The paper's scores of CQL and of TRUST."""
    return claim(f"table3.{place}.CQL").value, claim(f"table3.{place}.TRUST").value


def last_policy_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The last policy, calibrated TRUST and the best policy of each data set, and whether the last is a mistake.

    It is one, or it is better, by more than ``CLEAR`` standard errors of the difference.
    """
    ours = BANDS["calibrated"]
    return [
        {
            "data": f"{row.name}, {run.seed}",
            "actions": row.reading,
            "last": run.worth("last"),
            "TRUST": run.worth(ours),
            "best": run.best,
            "the last is": _last_is(run, ours),
        }
        for row in rows
        for run in row.runs
    ]


def _last_is(run: DataSet, ours: str) -> Cell:
    if run.ahead("last", ours, clearly=True):
        return verdict("better", "good")
    return verdict("a mistake", "bad") if run.ahead(ours, "last", clearly=True) else verdict("not clear", "fair")


def _spread(values: Sequence[float] | Array) -> str:
    """Mean over runs, with the standard deviation between them where there are several."""
    mean = float(np.mean(values))
    return number(mean, ",.0f") if len(values) == 1 else plus_minus(mean, np.std(values, ddof=1), ",.0f")
