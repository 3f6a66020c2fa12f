"""Collect a run: train, log one episode with each policy, find the policies' true values.

Each stage stores what it has made in the run's folder and skips what is there, so a run can be stopped at any time
and taken up again with the same command.
"""

import platform
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from .processes import needs
from .recipe import ENVIRONMENTS, SEEDS, Recipe, Run
from .store import opened, read_json, write_json

__all__ = ["collect", "finished", "missing_runs"]

PACKAGES = ("gymnasium", "mujoco", "sbx-rl", "stable-baselines3", "jax", "numpy", "d3rlpy", "torch")
# The random streams of a run: its training takes 0.
LOGGED, EVALUATED = 1, 2


def versions() -> dict[str, str]:
    """The versions of what makes the numbers."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def finished(store: Path, run: Run) -> bool:
    """Whether the run has been collected."""
    return (store / run.name / "finished.json").exists()


def collect(run: Run, recipe: Recipe, store: Path, bar: Callable[..., Any]) -> None:
    """Collect a run, from wherever it was left; ``bar(total=, desc=)`` makes a progress bar."""
    needs("gymnasium", "mujoco", "sbx-rl")
    with opened(store, run, recipe) as folder:
        if finished(store, run):
            return
        from . import sac
        from .rollouts import GaussianPolicy

        with bar(total=recipe.epochs, desc=f"{run.name} training") as progress:
            trained = sac.train(run, recipe, folder, progress)
        policies = {e: GaussianPolicy.from_arrays(a) for e, a in sac.trained_policies(folder, recipe).items()}
        with bar(total=len(policies), desc=f"{run.name} logging") as progress:
            _log(run, recipe, folder, policies, progress)
        with bar(total=len(policies), desc=f"{run.name} evaluating") as progress:
            evaluated = _evaluate(run, recipe, folder, policies, progress)
        hours = {"training_hours": round(trained / 3600, 3), "evaluation_hours": round(evaluated / 3600, 3)}
        write_json(folder / "finished.json", {**hours, "versions": versions()})


def _log(run: Run, recipe: Recipe, folder: Path, policies: dict[int, Any], progress: Any) -> None:
    """One episode with each policy, its transitions kept; done again from the start if it was interrupted."""
    from .rollouts import Simulators

    if (folder / "returns.json").exists():
        progress.update(len(policies))
        return
    simulator, episodes = Simulators(run.env, recipe.version, 1), {}
    for epoch, policy in policies.items():
        [episodes[epoch]] = simulator.episodes(policy, run.entropy(LOGGED, epoch))
        progress.update(1)
    arrays = {
        "epochs": np.array(list(episodes)),
        "lengths": np.array([len(e.rewards) for e in episodes.values()]),
        "terminated": np.array([e.terminated for e in episodes.values()]),
        "observations": np.concatenate([e.observations for e in episodes.values()]).astype(np.float32),
        "actions": np.concatenate([e.actions for e in episodes.values()]),
        "rewards": np.concatenate([e.rewards for e in episodes.values()]).astype(np.float32),
    }
    np.savez_compressed(folder / "logged.npz", allow_pickle=False, **arrays)
    write_json(folder / "returns.json", {epoch: e.total for epoch, e in episodes.items()})


def _evaluate(run: Run, recipe: Recipe, folder: Path, policies: dict[int, Any], progress: Any) -> float:
    """Fresh episodes with each policy, stored as they come; the seconds it took, over all sittings."""
    from .rollouts import Simulators

    path = folder / "evaluated.json"
    done = read_json(path, {"seconds": 0.0, "returns": {}})
    progress.update(len(done["returns"]))
    simulators = Simulators(run.env, recipe.version, recipe.rollouts)
    for epoch, policy in policies.items():
        if str(epoch) not in done["returns"]:
            start = time.monotonic()
            done["returns"][str(epoch)] = simulators.returns(policy, run.entropy(EVALUATED, epoch)).tolist()
            done["seconds"] += time.monotonic() - start
            write_json(path, done)
            progress.update(1)
    return float(done["seconds"])


def missing_runs(store: Path) -> list[Run]:
    """The runs of the paper's table that have not been collected, in the order that completes a column at a time."""
    runs = [Run(env, seed) for seed in SEEDS for env in ENVIRONMENTS]
    return [run for run in runs if not finished(store, run)]
