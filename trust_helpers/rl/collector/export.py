"""From the runs in progress to the bundled files: two tables and how they were made."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import TrustError
from .collect import finished
from .cql import CqlRecipe, cql_path
from .recipe import ENVIRONMENTS, SEEDS, SETTINGS, Recipe, Run
from .store import read_json, write_json

__all__ = ["COLUMNS", "CQL_COLUMNS", "export"]

DATA = Path(__file__).parents[1] / "tables"
COLUMNS = (
    *("environment", "seed", "setting", "policy", "epoch"),
    *("logged_return", "value", "standard_error", "rollouts", "deviation"),
)
CQL_COLUMNS = (
    *("environment", "seed", "setting", "updates", "value", "standard_error", "rollouts", "deviation", "hours"),
)
DEVIATIONS = [
    "Environments are -v4 on MuJoCo's own bindings; the paper's are -v3, whose simulator is no longer distributed.",
    "The paper trains for 1,000 episodes and keeps the policy of each. Here an episode is read as an epoch of 1,000 "
    "environment steps, as in the code it cites for CQL: policy j is the network after j epochs.",
    "SAC's hyper-parameters are not printed in the paper. Here: two layers of 128, batches of 128, ten environments "
    "side by side, one update for each environment step, automatic temperature.",
    "Every 50 epochs the simulators start new episodes, so that an interrupted run can be resumed exactly.",
    "Logged and evaluation episodes follow SAC's stochastic policy, which is the policy that would be deployed.",
    "CQL is trained for far fewer updates than the paper's two million, with smaller networks; the last network is "
    "evaluated with deterministic actions.",
]
COMMANDS = [
    "python -m trust_helpers.rl collect --all",
    "python -m trust_helpers.rl cql --all",
    "python -m trust_helpers.rl export",
]


def export(store: Path, data: Path = DATA, recipe: Recipe | None = None) -> Iterator[str]:
    """Write every finished run of the store to the data folder, keeping the runs that are there already.

    Yields a line for each run written. Raises TrustError, before anything is written, if a run was made with other
    settings than those of the recipe.
    """
    recipe = recipe or Recipe()
    runs = [run for seed in SEEDS for env in ENVIRONMENTS if finished(store, run := Run(env, seed))]
    for run in runs:
        if read_json(store / run.name / "recipe.json", None) != recipe.as_dict():
            raise TrustError(f"{store / run.name} was made with other settings than the bundled data")
    data.mkdir(exist_ok=True)
    rows, scores, notes = _read(data / "mujoco.csv"), _read(data / "cql.csv"), read_json(data / "provenance.json", {})
    made = notes.get("runs", {})
    for run in runs:
        rows = [row for row in rows if not _is(row, run)] + list(_policies(run, recipe, store / run.name))
        trained = list(_scores(run, store))
        if trained:
            scores = [row for row in scores if not _is(row, run)] + trained
        made[run.name] = read_json(store / run.name / "finished.json", {})
        policies = f"{len(recipe.low)} + {len(recipe.high)} policies"
        yield f"{run.name}: {policies}, CQL on {len(trained)} of {len(SETTINGS)} settings"
    _write(data / "mujoco.csv", COLUMNS, rows)
    _write(data / "cql.csv", CQL_COLUMNS, scores)
    sac, cql = recipe.as_dict(), CqlRecipe().as_dict()
    ordered = {name: made[name] for name in sorted(made, key=_order)}
    write_json(
        data / "provenance.json",
        {"commands": COMMANDS, "differs_from_the_paper": DEVIATIONS, "sac": sac, "cql": cql, "runs": ordered},
    )


def _policies(run: Run, recipe: Recipe, folder: Path) -> Iterator[dict[str, Any]]:
    """A row for each policy of each setting."""
    logged = read_json(folder / "returns.json", {})
    evaluated = read_json(folder / "evaluated.json", {})["returns"]
    for setting in SETTINGS:
        for policy, epoch in enumerate(recipe.epochs_of(setting), 1):
            place = {"setting": setting, "policy": policy, "epoch": epoch}
            yield {**_names(run), **place, "logged_return": f"{logged[str(epoch)]:.3f}", **_mean(evaluated[str(epoch)])}


def _scores(run: Run, store: Path) -> Iterator[dict[str, Any]]:
    """A row for each setting on which CQL was trained."""
    for setting in SETTINGS:
        score = read_json(cql_path(store, run, setting), None)
        if score:
            spent = {"updates": score["recipe"]["updates"], "hours": score["hours"]}
            yield {**_names(run), "setting": setting, **spent, **_mean(score["returns"])}


def _names(run: Run) -> dict[str, Any]:
    return {"environment": run.env, "seed": str(run.seed)}


def _mean(returns: list[float]) -> dict[str, Any]:
    deviation = float(np.std(returns, ddof=1))
    return {
        "value": f"{np.mean(returns):.3f}",
        "standard_error": f"{deviation / np.sqrt(len(returns)):.3f}",
        "rollouts": len(returns),
        "deviation": f"{deviation:.3f}",
    }


def _is(row: dict[str, Any], run: Run) -> bool:
    return (row["environment"], int(row["seed"])) == (run.env, run.seed)


def _order(name: str) -> tuple[int, int]:
    env, seed = name.split("-")
    return int(seed), ENVIRONMENTS.index(env)


def _read(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, columns: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    key = SETTINGS.index
    writer.writerows(sorted(rows, key=lambda r: (*_order(f"{r['environment']}-{r['seed']}"), key(r["setting"]))))
    path.write_text(text.getvalue(), encoding="utf-8")
