"""Chapter 6's tables over all data sets: the paper's scores and ours, CQL and its way there, methods, promises."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...checks import Array
from ...paper import claim
from ...rl import ENVIRONMENTS, CqlScore
from ..table import number, plus_minus, verdict
from .robots import BANDS, Row, first_columns

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

    A curve still rises if its last score is above the one before by more than two standard errors of the difference.
    """
    scored = [(run, run.cql) for row in rows for run in row.runs if run.cql]
    high = [(run, run.cql) for row in rows for run in row.runs if run.cql and row.setting == "high"]
    printed = [_printed(f"{env}.high") for env in ENVIRONMENTS]
    updates = max((cql.updates for _, cql in scored), default=0)
    ends = [cql.curve[-2:] for _, cql in scored]
    rising = sum(b.value - a.value > 2 * np.hypot(a.standard_error, b.standard_error) for a, b in ends)
    return {
        "cql-scored": str(len(scored)),
        "cql-seeds": ", ".join(map(str, sorted({run.seed for run, _ in scored}))) or "no",
        "cql-updates": f"{updates:,}" if scored else "no",
        "cql-budget": number(updates / PAPER_UPDATES, ".1%"),
        "cql-behind": str(sum(run.worth(BANDS["paper"]) > cql.value for run, cql in scored)),
        "cql-stitched": str(sum(cql.value > run.best for run, cql in scored)),
        "cql-rising": str(rising),
        "cql-high": str(len(high)),
        "cql-high-poor": str(sum(cql.value < run.worth("cloning") for run, cql in high)),
        "cql-paper-share": number(min(cql / trust for cql, trust in printed), ".0%"),
        "cql-minutes": f"{60 * np.mean([cql.hours for _, cql in scored]):.0f}" if scored else "no",
    }


def _printed(place: str) -> tuple[float, float]:
    """The paper's scores of CQL and of TRUST."""
    return claim(f"table3.{place}.CQL").value, claim(f"table3.{place}.TRUST").value


def last_policy_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The last policy, calibrated TRUST and the best policy of each data set, and whether the last is a mistake."""
    ours = BANDS["calibrated"]
    return [
        {
            "data": f"{row.name}, {run.seed}",
            "actions": row.reading,
            "last": run.worth("last"),
            "TRUST": run.worth(ours),
            "best": run.best,
            "the last is": verdict("a mistake", "bad")
            if run.worth("last") < run.worth(ours)
            else verdict("no worse", "good"),
        }
        for row in rows
        for run in row.runs
    ]


def _spread(values: Sequence[float] | Array) -> str:
    """Mean over runs, with the standard deviation between them where there are several."""
    mean = float(np.mean(values))
    return number(mean, ",.0f") if len(values) == 1 else plus_minus(mean, np.std(values, ddof=1), ",.0f")
