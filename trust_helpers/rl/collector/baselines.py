"""Train a method on the logged transitions of a data set, and value what it has learned along the way.

It learns from episodes of sampled actions and is valued by its mean actions. The score that counts is the last, at a
number of updates fixed in advance: the best one would use the simulator, which an offline method does not have.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ...checks import Array
from ..names import READINGS, SETTINGS
from . import cql
from .recipe import Baseline, as_stored
from .rollouts import Simulators
from .store import TrainingRun, write

__all__ = ["learn", "logged_transitions"]

# The random streams of a run's baselines and of their episodes; SAC's take 0 and 1.
TRAINED, EVALUATED = 2, 3


def learn(run: TrainingRun, setting: str, bar: Callable[..., Any], name: str, baseline: Baseline) -> None:
    """Train on a data set if it is complete, from wherever it was left; the scores are stored in the run's folder."""
    path = run.scores(setting, name)
    with run.opened(path.stem):
        parts, finished = run.learned(setting, name, baseline)
        if finished or setting not in run.settings_done():
            return
        with bar(total=baseline.updates, desc=f"{run.name} {setting} {name}") as progress:
            for part in _parts(run, setting, path, baseline, len(parts)):
                parts.append(part)
                write(path, json.dumps({"recipe": as_stored(baseline), "parts": parts}))
                progress.update(part["updates"] - progress.n)
        _checkpoint(path, len(parts)).unlink()


def logged_transitions(run: TrainingRun, setting: str, reading: str) -> dict[str, Array]:
    """The transitions logged by the policies of a setting, as the columns of :class:`.cql.Batch`.

    The last of an episode that was cut has no state after it, and is left out.
    """
    parts = []
    for number in run.recipe.segments_of(setting):
        with np.load(run.logged(number, reading)) as stored:
            parts.append(_of_epochs(dict(stored), run.recipe.epochs_of(setting)))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _of_epochs(logged: dict[str, np.ndarray], epochs: tuple[int, ...]) -> dict[str, Array]:
    of_step, last = np.repeat(logged["epochs"], logged["lengths"]), np.cumsum(logged["lengths"]) - 1
    going, kept = np.ones(of_step.size), np.isin(of_step, epochs)
    going[last] = ~logged["terminated"]
    kept[last] &= logged["terminated"]
    states = logged["observations"]
    # what comes after an episode's end is multiplied by going, which is 0 there
    steps = {"states": states, "actions": logged["actions"], "rewards": logged["rewards"]}
    return {name: x[kept] for name, x in {**steps, "after": np.roll(states, -1, axis=0), "going": going}.items()}


def _parts(run: TrainingRun, setting: str, path: Path, baseline: Baseline, done: int) -> Iterator[dict[str, Any]]:
    """The parts that are missing, each with random streams and a checkpoint of its own: a cut loses a part at most."""

    def key(part: int) -> Any:
        return jax.random.key(np.random.SeedSequence(entropy(TRAINED, part)).generate_state(1)[0])

    def entropy(purpose: int, part: int) -> list[int]:
        return run.entropy(purpose, SETTINGS.index(setting), part)

    columns, mean, deviation = _normalised(logged_transitions(run, setting, READINGS[0]), baseline)
    data = cql.Batch(**columns)
    state = cql.untrained(baseline, (data.states.shape[1], data.actions.shape[1]), key(0))
    if done:
        with np.load(_checkpoint(path, done)) as stored:
            state = jax.tree.unflatten(jax.tree.structure(state), [*stored.values()])
    simulators = Simulators(run.env, run.recipe.version, baseline.rollouts)
    for part in range(done + 1, baseline.updates // baseline.score_every + 1):
        start = time.process_time()
        state = cql.train(baseline, data, state, key(part), baseline.score_every)
        write(_checkpoint(path, part), {f"{k:03}": np.array(x) for k, x in enumerate(jax.tree.leaves(state))})
        episodes = simulators.episodes(cql.averaged_policy(state, mean, deviation), entropy(EVALUATED, part))
        hours = round((time.process_time() - start) / 3600, 4)
        yield {"updates": part * baseline.score_every, "returns": [e.total for e in episodes], "hours": hours}
        _checkpoint(path, part - 1).unlink(missing_ok=True)


def _checkpoint(path: Path, part: int) -> Path:
    return path.with_name(f"{path.stem}-{part:03}.npz")


def _normalised(data: dict[str, Array], baseline: Baseline) -> tuple[dict[str, Array], Array, Array]:
    """The transitions with states of mean 0 and deviation 1, if the recipe says so; and what was taken off."""
    states = data["states"].astype(float)
    found, plain = (states.mean(axis=0), states.std(axis=0) + 1e-3), (np.zeros_like(states[0]), np.ones_like(states[0]))
    mean, deviation = found if baseline.normalised else plain
    scaled = {name: (data[name] - mean) / deviation for name in ("states", "after")}
    columns = {**data, **scaled, "actions": np.clip(data["actions"], -0.999, 0.999)}  # as in the code the paper cites
    return {name: x.astype(np.float32) for name, x in columns.items()}, mean, deviation
