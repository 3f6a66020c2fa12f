"""From the runs in progress to the bundled files: two tables and how they were made."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import TrustError
from ..names import ENVIRONMENTS, READINGS, SETTINGS
from .recipe import BASELINES, Baseline, Recipe, as_stored
from .store import TrainingRun, all_runs, read_json, write

__all__ = ["COLUMNS", "CQL_COLUMNS", "export"]

DATA = Path(__file__).parents[1] / "tables"
NAMES = ("environment", "seed", "setting", "reading")
NUMBERS = ("value", "standard_error", "rollouts", "deviation")
COLUMNS = (*NAMES, "policy", "epoch", "logged_return", *NUMBERS)
CQL_COLUMNS = (*NAMES, "method", "updates", *NUMBERS, "hours", "hidden", "batch")
Row = dict[str, Any]


def export(
    store: Path, data: Path = DATA, recipe: Recipe | None = None, baselines: Mapping[str, Baseline] = BASELINES
) -> Iterator[str]:
    """Write every complete setting of the store's runs to the data folder, keeping what is there of other runs.

    Yields a line for each run written. Raises TrustError, before anything is written, if a run or the data that are
    there were made with other settings than these, or if there is more of a run than in the store: the parts of two
    runs of one name are never mixed.
    """
    recipe = recipe or Recipe()
    runs = [run for run in all_runs(store, recipe) if run.settings_done()]
    notes = read_json(data / "provenance.json", {"baselines": {}, "runs": {}})
    sac, used = as_stored(recipe), {name: as_stored(baseline) for name, baseline in baselines.items()}
    made_with = [notes.get("sac", sac), *(read_json(run.path / "recipe.json", None) for run in runs)]
    if any(one != sac for one in made_with) or any(notes["baselines"].get(n, used[n]) != used[n] for n in used):
        raise TrustError(f"{store} or {data} was made with other settings than these: choose another folder")
    rows, scores = _read(data / "mujoco.csv"), _read(data / "cql.csv")
    for run in runs:
        rows = _replaced(run, rows, [row for s in run.settings_done() for row in _policies(run, s)])
        learned = [row for s in run.settings_done() for row in _scores(run, s, baselines)]
        scores, notes["runs"][run.name] = _replaced(run, scores, learned), run.spent()
        methods = dict.fromkeys(f"{row['method']} ({row['setting']})" for row in learned)
        yield f"{run.name}: {' and '.join(run.settings_done())}; learned: {', '.join(methods) or 'nothing'}"
    data.mkdir(exist_ok=True)
    _write(data / "mujoco.csv", COLUMNS, rows)
    _write(data / "cql.csv", CQL_COLUMNS, scores)
    kept = {row["method"]: (notes["baselines"] | used)[row["method"]] for row in scores}
    write(data / "provenance.json", json.dumps({**notes, "sac": sac, "baselines": kept}, indent=1))


def _policies(run: TrainingRun, setting: str) -> Iterator[Row]:
    """A row for each policy of a setting under each reading."""
    for reading in READINGS:
        logged, evaluated = (run.gathered(kind, reading) for kind in ("logged", "evaluated"))
        for policy, epoch in enumerate(run.recipe.epochs_of(setting), 1):
            place = {"policy": policy, "epoch": epoch, "logged_return": f"{logged[epoch]:.3f}"}
            yield {**_names(run, setting, reading), **place, **_mean(evaluated[epoch])}


def _scores(run: TrainingRun, setting: str, baselines: Mapping[str, Baseline]) -> Iterator[Row]:
    """A row for each time a baseline was scored, if it has come to the end of its updates."""
    for method, baseline in baselines.items():
        parts, finished = run.learned(setting, method, baseline)
        names, hours = {**_names(run, setting, READINGS[0]), "method": method}, 0.0
        size = {"hidden": "-".join(map(str, baseline.hidden)), "batch": baseline.batch}
        for part in parts if finished else []:
            hours += part["hours"]
            yield {**names, "updates": part["updates"], "hours": f"{hours:.4f}", **size, **_mean(part["returns"])}


def _names(run: TrainingRun, setting: str, reading: str) -> Row:
    return dict(zip(NAMES, (run.env, str(run.seed), setting, reading), strict=True))


def _mean(returns: list[float]) -> Row:
    deviation, n = float(np.std(returns, ddof=1)), len(returns)
    mean, error, spread = (f"{x:.3f}" for x in (np.mean(returns), deviation / np.sqrt(n), deviation))
    return dict(zip(NUMBERS, (mean, error, n, spread), strict=True))


def _replaced(run: TrainingRun, rows: list[Row], fresh: list[Row]) -> list[Row]:
    """The rows, with those of a run replaced."""
    others = [row for row in rows if (row["environment"], row["seed"]) != (run.env, str(run.seed))]
    sets = [{" ".join(row[n] for n in (*NAMES, "method") if n in row) for row in x} for x in (rows, others, fresh)]
    if lost := sets[0].difference(*sets[1:]):
        raise TrustError(f"the data have {min(lost)}, which the store does not: make the run whole")
    return others + fresh


def _place(row: Mapping[str, Any]) -> tuple[int, ...]:
    """The rows of one data set stay together, in the order of its policies or updates."""
    orders = (ENVIRONMENTS, SETTINGS, READINGS)
    places = [order.index(row[name]) for order, name in zip(orders, ("environment", *NAMES[2:]), strict=True)]
    return (int(row["seed"]), *places)


def _read(path: Path) -> list[Row]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []


def _write(path: Path, columns: tuple[str, ...], rows: list[Row]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(sorted(rows, key=_place))
    write(path, text.getvalue())
