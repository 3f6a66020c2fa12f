"""Runs as the collector leaves them, with made-up returns."""

import json
from pathlib import Path

from trust_helpers.rl.collector.recipe import Baseline, Recipe, as_stored
from trust_helpers.rl.collector.store import TrainingRun, write
from trust_helpers.rl.names import READINGS

SMALL = Recipe(low=(1, 2), high=(2, 5), checkpoint_epochs=2, rollouts=3)
BUDGET = {"cql": Baseline(updates=60, score_every=30, rollouts=3)}


def run_in(store: Path, env: str = "Hopper", seed: int = 2023, recipe: Recipe = SMALL) -> TrainingRun:
    return TrainingRun(store, env, seed, recipe)


def measure(run: TrainingRun, segments: int = 3, shift: float = 0.0) -> None:
    """A run after some of its three segments; the mean reading earns 100 more."""
    with run.opened("collect"):
        for number, segment in enumerate(run.recipe.segments[:segments], 1):
            kept = [epoch for epoch in segment if epoch in run.recipe.policies]
            more = {"sampled": shift, "mean": shift + 100}
            logged = {r: {e: 10.0 * e + more[r] + 0.5 for e in kept} for r in READINGS}
            fresh = {r: {e: [10.0 * e + more[r] + x for x in (0, 1, 5)] for e in kept} for r in READINGS}
            notes = {"hours": {"training": 1.0, "evaluation": 0.5}, "versions": {"mujoco": "3"}}
            write(run.measured(number), json.dumps({"logged": logged, "evaluated": fresh, **notes}))


def score(run: TrainingRun, setting: str, parts: int = 2) -> None:
    """CQL on a data set, at its end or before."""
    done = [{"updates": 30 * k, "returns": [1.0 * k, 2.0 * k, 3.0 * k], "hours": 0.25} for k in range(1, parts + 1)]
    write(run.scores(setting, "cql"), json.dumps({"recipe": as_stored(BUDGET["cql"]), "parts": done}))
