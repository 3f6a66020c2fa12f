"""The baseline: conservative Q-learning on the logged transitions, by d3rlpy.

The last network is the one evaluated, at a number of updates fixed in advance: picking the best of several by their
returns would use the simulator, which an offline method does not have.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...checks import Array
from .collect import finished
from .processes import Missing, needs
from .recipe import ENVIRONMENTS, SEEDS, SETTINGS, Recipe, Run
from .store import opened, read_json, write_json

__all__ = ["CqlRecipe", "cql_path", "logged_transitions", "train_cql", "untrained_runs"]

# The random stream of a run's CQL episodes, one for each setting; training and logging take 0 to 2.
CQL = 3


@dataclass(frozen=True)
class CqlRecipe:
    """CQL's settings: the defaults of the code the paper cites, with smaller networks and far fewer updates."""

    updates: int = 10_000
    batch: int = 128
    hidden: tuple[int, ...] = (128, 128)
    learning_rate: float = 3e-4
    discount: float = 0.99
    conservative_weight: float = 5.0
    action_samples: int = 10
    rollouts: int = 50

    def as_dict(self) -> dict[str, Any]:
        """The settings as they read back from a JSON file."""
        return dict(json.loads(json.dumps(asdict(self))))


def cql_path(store: Path, run: Run, setting: str) -> Path:
    """Where the score of a data set is stored."""
    return store / run.name / f"cql-{setting}.json"


def train_cql(
    run: Run, setting: str, store: Path, recipe: Recipe, cql: CqlRecipe, bar: Callable[..., Any]
) -> dict[str, Any]:
    """Train on one data set and evaluate; what it earned, stored in the run's folder."""
    needs("gymnasium", "mujoco", "d3rlpy")
    with opened(store, run, recipe) as folder:
        if not (folder / "logged.npz").exists():
            raise Missing(f"{run.name} has no logged transitions: collect it first")
        path = cql_path(store, run, setting)
        score = read_json(path, None)
        if score is None or score["recipe"] != cql.as_dict():
            score = _train(run, setting, folder, recipe, cql, bar)
            write_json(path, score)
        return dict(score)


def untrained_runs(store: Path) -> list[Run]:
    """The collected runs with a setting on which CQL has not been trained."""
    runs = [Run(env, seed) for seed in SEEDS for env in ENVIRONMENTS]
    return [
        run
        for run in runs
        if finished(store, run) and not all(cql_path(store, run, setting).exists() for setting in SETTINGS)
    ]


def logged_transitions(folder: Path, epochs: tuple[int, ...]) -> dict[str, Array]:
    """The transitions logged by the policies of these epochs, episode after episode, with the ends marked."""
    with np.load(folder / "logged.npz") as stored:
        logged = dict(stored)
    of_step = np.repeat(np.arange(logged["epochs"].size), logged["lengths"])
    last = np.cumsum(logged["lengths"]) - 1
    terminals, timeouts = np.zeros(of_step.size), np.zeros(of_step.size)
    terminals[last] = logged["terminated"]
    timeouts[last] = ~logged["terminated"]
    kept = np.isin(logged["epochs"], epochs)[of_step]
    steps = {name: logged[name][kept] for name in ("observations", "actions", "rewards")}
    return {**steps, "terminals": terminals[kept], "timeouts": timeouts[kept]}


def _train(
    run: Run, setting: str, folder: Path, recipe: Recipe, cql: CqlRecipe, bar: Callable[..., Any]
) -> dict[str, Any]:
    import d3rlpy
    import torch

    from .rollouts import Simulators

    start = time.monotonic()
    torch.set_num_threads(1)
    d3rlpy.seed(run.seed)
    dataset = d3rlpy.dataset.MDPDataset(**logged_transitions(folder, recipe.epochs_of(setting)))
    algorithm = _algorithm(cql)
    epoch = max(1, cql.updates // 100)
    fitter = algorithm.fitter(
        dataset,
        n_steps=cql.updates,
        n_steps_per_epoch=epoch,
        logger_adapter=d3rlpy.logging.NoopAdapterFactory(),
        show_progress=False,
    )
    with bar(total=cql.updates, desc=f"{run.name} {setting} CQL") as progress:
        for _ in fitter:
            progress.update(epoch)
    trained = time.monotonic() - start
    entropy = run.entropy(CQL, SETTINGS.index(setting))
    returns = Simulators(run.env, recipe.version, cql.rollouts).returns(_Greedy(algorithm), entropy)
    return {"returns": returns.tolist(), "hours": round(trained / 3600, 4), "recipe": cql.as_dict()}


def _algorithm(cql: CqlRecipe) -> Any:
    import d3rlpy

    layers = d3rlpy.models.VectorEncoderFactory(list(cql.hidden))
    return d3rlpy.algos.CQLConfig(
        actor_learning_rate=cql.learning_rate,
        critic_learning_rate=cql.learning_rate,
        temp_learning_rate=cql.learning_rate,
        alpha_learning_rate=0.0,  # a fixed weight of the conservative term, as the cited code has it by default
        conservative_weight=cql.conservative_weight,
        n_action_samples=cql.action_samples,
        batch_size=cql.batch,
        gamma=cql.discount,
        actor_encoder_factory=layers,
        critic_encoder_factory=layers,
    ).create(device=False)


@dataclass(frozen=True)
class _Greedy:
    """CQL's deterministic policy, for the simulators."""

    algorithm: Any

    def act(self, observations: Array, rng: object) -> Array:
        return np.asarray(self.algorithm.predict(observations.astype(np.float32)))
