"""What is kept of the policies of a segment: one logged episode and the returns of fresh ones, under both readings."""

import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from ..names import READINGS
from .progress import logged_path, measured_path
from .recipe import Recipe, TrainingRun
from .rollouts import Episode, GaussianPolicy, Simulators
from .sac import segment_policies
from .store import read_json, write_arrays, write_json

__all__ = ["library_versions", "measure"]

PACKAGES = ("gymnasium", "mujoco", "sbx-rl", "stable-baselines3", "jax", "numpy", "d3rlpy", "torch")
# The random stream of a run's episodes; its training takes 0.
EPISODES = 1


def library_versions() -> dict[str, str]:
    """The versions of what makes the numbers."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def measure(run: TrainingRun, recipe: Recipe, folder: Path, number: int, simulators: Simulators) -> dict[str, Any]:
    """Run the policies of a segment and store what they earned, unless that is done; what is stored.

    There is one copy of the environment more than episodes to value a policy by: the first episode is the logged one.
    """
    path = measured_path(folder, number)
    if not path.exists():
        start = time.process_time()
        done: dict[str, Any] = {"logged": {}, "evaluated": {}}
        for reading in READINGS:
            logged, evaluated = _run_policies(run, folder, number, reading, simulators)
            write_arrays(logged_path(folder, number, reading), _transitions(logged))
            done["logged"][reading] = {epoch: e.total for epoch, e in logged.items()}
            done["evaluated"][reading] = evaluated
        write_json(path, {**done, "seconds": time.process_time() - start, "versions": library_versions()})
    return dict(read_json(path, {}))


def _run_policies(
    run: TrainingRun, folder: Path, number: int, reading: str, simulators: Simulators
) -> tuple[dict[int, Episode], dict[int, list[float]]]:
    """The logged episode of each policy of a segment, and the returns of the others."""
    logged, evaluated = {}, {}
    for epoch, arrays in segment_policies(folder, number).items():
        entropy = run.entropy(EPISODES, epoch, READINGS.index(reading))
        first, *others = simulators.episodes(GaussianPolicy.from_arrays(arrays, reading), entropy)
        logged[epoch], evaluated[epoch] = first, [e.total for e in others]
    return logged, evaluated


def _transitions(episodes: dict[int, Episode]) -> dict[str, np.ndarray]:
    return {
        "epochs": np.array(list(episodes)),
        "lengths": np.array([len(e.rewards) for e in episodes.values()]),
        "terminated": np.array([e.terminated for e in episodes.values()]),
        "observations": np.concatenate([e.observations for e in episodes.values()]).astype(np.float32),
        "actions": np.concatenate([e.actions for e in episodes.values()]),
        "rewards": np.concatenate([e.rewards for e in episodes.values()]).astype(np.float32),
    }
