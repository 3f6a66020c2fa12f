"""Runs as the collector leaves them, with made-up returns."""

from pathlib import Path

from trust_helpers.rl.collector.cql import CqlRecipe, cql_path
from trust_helpers.rl.collector.progress import measured_path
from trust_helpers.rl.collector.recipe import Recipe, TrainingRun
from trust_helpers.rl.collector.store import opened, write_json
from trust_helpers.rl.names import READINGS

SMALL = Recipe(low=(1, 2), high=(2, 5), checkpoint_epochs=2, rollouts=3)
BUDGET = CqlRecipe(updates=60, score_every=30, rollouts=3)


def measure(store: Path, run: TrainingRun, segments: int = 3, recipe: Recipe = SMALL, shift: float = 0.0) -> None:
    """A run after some of its three segments; the mean reading earns 100 more."""
    with opened(store, run, recipe) as folder:
        for number, segment in enumerate(recipe.segments[:segments], 1):
            kept = [epoch for epoch in segment if epoch in recipe.policies]
            more = {"sampled": shift, "mean": shift + 100}
            logged = {r: {e: 10.0 * e + more[r] + 0.5 for e in kept} for r in READINGS}
            fresh = {r: {e: [10.0 * e + more[r] + x for x in (0, 1, 5)] for e in kept} for r in READINGS}
            notes = {"seconds": 1800.0, "versions": {"mujoco": "3"}}
            write_json(measured_path(folder, number), {"logged": logged, "evaluated": fresh, **notes})
            write_json(folder / "training.json", {"segments": number, "seconds": 3600.0 * number})


def score(store: Path, run: TrainingRun, setting: str, parts: int = 2) -> None:
    """CQL on a data set, at its end or before."""
    path = cql_path(store, run, setting, SMALL, BUDGET)
    done = [{"updates": 30 * k, "returns": [1.0 * k, 2.0 * k, 3.0 * k], "hours": 0.25} for k in range(1, parts + 1)]
    write_json(path, {"recipe": BUDGET.as_dict(), "parts": done})
