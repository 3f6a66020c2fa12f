"""From the runs in progress to the bundled files: two tables and how they were made."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import TrustError
from ..names import ENVIRONMENTS, READINGS, SETTINGS
from .cql import CqlRecipe, finished_cql
from .progress import gathered, settings_done, spent
from .recipe import Recipe, TrainingRun, all_runs
from .store import read_json, run_folder, write_json, write_text

__all__ = ["COLUMNS", "CQL_COLUMNS", "export"]

DATA = Path(__file__).parents[1] / "tables"
NAMES = ("environment", "seed", "setting", "reading")
NUMBERS = ("value", "standard_error", "rollouts", "deviation")
COLUMNS = (*NAMES, "policy", "epoch", "logged_return", *NUMBERS)
CQL_COLUMNS = (*NAMES, "updates", *NUMBERS, "hours", "hidden", "batch")
DEVIATIONS = [
    "Environments are -v4 on MuJoCo's own bindings; the paper's are -v3, whose simulator is no longer distributed.",
    "The paper trains for 1,000 episodes and keeps the policy of each. Here an episode is read as an epoch of 1,000 "
    "environment steps, as in the code it cites for CQL: policy j is the network after j epochs.",
    "The paper does not say whether a policy is run with sampled or with mean actions. Here it is run with both, and "
    "each reading is a data set of its own.",
    "The paper gives CQL 2,000 episodes, two million updates if an episode is read as an epoch of 1,000 updates. Here "
    "it has far fewer, batches of 128 instead of 256, and two layers of 128 instead of 256; it learns from the "
    "episodes with sampled actions, and the last network is evaluated with its mean actions.",
    "SAC's hyper-parameters are not printed in the paper. Here: one environment, one update for each of its steps (100 "
    "steps, then 100 updates), two layers of 256, batches of 128, 10,000 random steps first, automatic temperature "
    "with a target entropy of minus half the number of the action's dimensions. Every 25 epochs the simulator starts a "
    "new episode, so that an interrupted run can be resumed exactly.",
]
COMMANDS = [
    "python -m trust_helpers.rl collect --all",
    "python -m trust_helpers.rl cql --all",
    "python -m trust_helpers.rl export",
]


def export(store: Path, data: Path = DATA, recipe: Recipe | None = None, cql: CqlRecipe | None = None) -> Iterator[str]:
    """Write every complete setting of the store's runs to the data folder, keeping what is there already.

    Yields a line for each run written. Raises TrustError, before anything is written, if a run or the data that are
    there were made with other settings than those of the recipe, or if a part of another run of the same name would
    stay.
    """
    recipe, cql = recipe or Recipe(), cql or CqlRecipe()
    runs = [run for run in all_runs() if settings_done(store, run, recipe)]
    notes = read_json(data / "provenance.json", {})
    settings_of = {"sac": recipe.as_dict(), "cql": cql.as_dict()}
    _refuse_other_settings(store, runs, recipe)
    if any(notes.get(name, used) != used for name, used in settings_of.items()):
        raise TrustError(f"{data} was made with other settings than these runs: choose another folder")
    data.mkdir(exist_ok=True)
    rows, scores, made = _read(data / "mujoco.csv"), _read(data / "cql.csv"), notes.get("runs", {})
    for run in runs:
        settings = settings_done(store, run, recipe)
        fresh = [row for s in settings for row in _policies(store, run, recipe, s)]
        trained = [row for s in settings for row in _scores(store, run, recipe, cql, s)]
        if _differ(rows, fresh) and (_left(run, rows, fresh) or _left(run, scores, trained)):
            raise TrustError(
                f"{data} holds another run named {run.name}, of which a part would stay: "
                "collect this one whole, CQL included, or choose another folder"
            )
        rows, scores = _replaced(rows, fresh), _replaced(scores, trained)
        made[run.name] = spent(store, run, recipe)
        yield f"{run.name}: {' and '.join(settings)}, CQL on {len({r['setting'] for r in trained})} of {len(SETTINGS)}"
    _write(data / "mujoco.csv", COLUMNS, rows)
    _write(data / "cql.csv", CQL_COLUMNS, scores)
    said = {"commands": COMMANDS, "differs_from_the_paper": DEVIATIONS, **settings_of}
    write_json(data / "provenance.json", {**said, "runs": {name: made[name] for name in sorted(made, key=_order)}})


def _refuse_other_settings(store: Path, runs: list[TrainingRun], recipe: Recipe) -> None:
    for run in runs:
        folder = run_folder(store, run, recipe)
        if read_json(folder / "recipe.json", None) != recipe.as_dict():
            raise TrustError(f"{folder} was made with other settings than the bundled data")


def _policies(store: Path, run: TrainingRun, recipe: Recipe, setting: str) -> Iterator[dict[str, Any]]:
    """A row for each policy of a setting under each reading."""
    for reading in READINGS:
        logged, evaluated = (gathered(store, run, recipe, kind, reading) for kind in ("logged", "evaluated"))
        for policy, epoch in enumerate(recipe.epochs_of(setting), 1):
            place = {"policy": policy, "epoch": epoch, "logged_return": f"{logged[epoch]:.3f}"}
            yield {**_names(run, setting, reading), **place, **_mean(evaluated[epoch])}


def _scores(store: Path, run: TrainingRun, recipe: Recipe, cql: CqlRecipe, setting: str) -> Iterator[dict[str, Any]]:
    """A row for each time CQL was scored, if it has come to the end of its updates."""
    score = finished_cql(store, run, setting, recipe, cql) or {"parts": []}
    hours = 0.0
    for part in score["parts"]:
        hours += part["hours"]
        size = {"hidden": "-".join(map(str, cql.hidden)), "batch": cql.batch}
        names = _names(run, setting, cql.reading)
        yield {**names, "updates": part["updates"], "hours": f"{hours:.4f}", **size, **_mean(part["returns"])}


def _names(run: TrainingRun, setting: str, reading: str) -> dict[str, Any]:
    return dict(zip(NAMES, (run.env, str(run.seed), setting, reading), strict=True))


def _mean(returns: list[float]) -> dict[str, Any]:
    deviation = float(np.std(returns, ddof=1))
    return {
        "value": f"{np.mean(returns):.3f}",
        "standard_error": f"{deviation / np.sqrt(len(returns)):.3f}",
        "rollouts": len(returns),
        "deviation": f"{deviation:.3f}",
    }


def _replaced(rows: list[dict[str, Any]], fresh: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, with those of the same data sets replaced."""
    again = {_key(row) for row in fresh}
    return [row for row in rows if _key(row) not in again] + fresh


def _differ(rows: list[dict[str, Any]], fresh: list[dict[str, Any]]) -> bool:
    """Whether a policy that is there already has another logged return: the rows come from another run."""
    there = {(*_key(row), str(row["policy"])): row["logged_return"] for row in rows}
    return any(
        there.get((*_key(row), str(row["policy"])), row["logged_return"]) != row["logged_return"] for row in fresh
    )


def _left(run: TrainingRun, rows: list[dict[str, Any]], fresh: list[dict[str, Any]]) -> bool:
    """Whether data sets of the run are there that the fresh rows do not replace."""
    mine = {_key(row) for row in rows if (row["environment"], str(row["seed"])) == (run.env, str(run.seed))}
    return bool(mine - {_key(row) for row in fresh})


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in NAMES)


def _order(run: str) -> tuple[int, int]:
    env, seed = run.split("-")
    return int(seed), ENVIRONMENTS.index(env)


def _place(row: Mapping[str, Any]) -> tuple[int, ...]:
    """The rows of one data set stay together, in the order of its policies or updates."""
    run = _order(f"{row['environment']}-{row['seed']}")
    return (*run, SETTINGS.index(row["setting"]), READINGS.index(row["reading"]))


def _read(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, columns: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(sorted(rows, key=_place))
    write_text(path, text.getvalue())
