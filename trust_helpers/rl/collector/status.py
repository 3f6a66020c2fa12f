"""How far the runs of a store are, to be seen while they train."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..names import READINGS, SETTINGS
from .cql import CqlRecipe, cql_path
from .progress import gathered, last_segment, spent
from .recipe import Recipe, TrainingRun, all_runs
from .store import read_json

__all__ = ["status"]

CHECKS = (100, 200, 300, 400, 600, 800, 1001)


def status(store: Path, recipe: Recipe, cql: CqlRecipe) -> Iterator[str]:
    """A line for each run begun, with the values of policies along the way, and for each CQL."""
    for run in all_runs():
        if last_segment(store, run, recipe):
            hours = spent(store, run, recipe)
            used = hours["training_hours"] + hours["evaluation_hours"]
            yield f"{run.name}: {hours['epochs']} of {recipe.epochs} epochs measured, {used:.2f} hours of one core"
            for reading in READINGS:
                yield f"  {reading:8} {_curve(gathered(store, run, recipe, 'evaluated', reading))}"
        yield from _cql_lines(store, run, recipe, cql)


def _curve(returns: dict[int, list[float]]) -> str:
    """The values at the policies nearest below the check points, and the last one."""
    epochs = sorted({max(e for e in returns if e <= c) for c in CHECKS})
    return ", ".join(f"{e}: {np.mean(returns[e]):,.0f}" for e in epochs)


def _cql_lines(store: Path, run: TrainingRun, recipe: Recipe, cql: CqlRecipe) -> Iterator[str]:
    for setting in SETTINGS:
        score = read_json(cql_path(store, run, setting, recipe, cql), {"parts": []})
        parts = [f"{part['updates']:,}: {np.mean(part['returns']):,.0f}" for part in score["parts"]]
        if parts:
            yield f"{run.name} {setting} CQL: {', '.join(parts)}"
