"""The baseline: conservative Q-learning on the logged transitions, by d3rlpy.

Training is cut into parts, each with random streams of its own and a checkpoint at its end, as SAC's is. The network
is evaluated after each part, so that a reader sees whether the score still rises. The score that counts is the last, at
a number of updates fixed in advance: picking the best by its returns would use the simulator, which an offline method
does not have.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...checks import Array
from ..names import READINGS, SETTINGS
from .processes import Missing, needs
from .progress import logged_path, settings_done
from .recipe import Recipe, TrainingRun
from .store import opened, read_json, run_folder, write_json

__all__ = ["CqlRecipe", "cql_path", "finished_cql", "logged_transitions", "train_cql"]

# The random streams of a run's CQL training and of its episodes; SAC's take 0 and 1.
TRAINED, EVALUATED = 2, 3


@dataclass(frozen=True)
class CqlRecipe:
    """CQL's settings: those of the code the paper cites, with smaller networks and batches and far fewer updates."""

    updates: int = 50_000
    score_every: int = 10_000
    reading: str = "sampled"
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


def cql_path(store: Path, run: TrainingRun, setting: str, recipe: Recipe, cql: CqlRecipe) -> Path:
    """Where the scores on a data set are stored."""
    return run_folder(store, run, recipe) / f"cql-{setting}-{cql.reading}.json"


def finished_cql(store: Path, run: TrainingRun, setting: str, recipe: Recipe, cql: CqlRecipe) -> dict[str, Any] | None:
    """The scores on a data set if training has come to its end, each with its returns; None otherwise."""
    score = read_json(cql_path(store, run, setting, recipe, cql), None)
    done = score is not None and score["recipe"] == cql.as_dict() and score["parts"][-1]["updates"] == cql.updates
    return dict(score) if done else None


def train_cql(
    run: TrainingRun, setting: str, store: Path, recipe: Recipe, cql: CqlRecipe, bar: Callable[..., Any]
) -> None:
    """Train on one data set, from wherever it was left, and evaluate; the scores are stored in the run's folder."""
    needs("gymnasium", "mujoco", "d3rlpy")
    with opened(store, run, recipe, f"cql-{setting}"):
        if setting not in settings_done(store, run, recipe):
            raise Missing(f"{run.name} has no logged transitions for the {setting} setting: collect it first")
        with bar(total=cql.updates, desc=f"{run.name} {setting} CQL") as progress:
            _train(_Training(run, setting, recipe, cql, cql_path(store, run, setting, recipe, cql)), progress)


def logged_transitions(folder: Path, recipe: Recipe, setting: str, reading: str) -> dict[str, Array]:
    """The transitions logged by the policies of a setting, episode after episode, with the ends marked."""
    parts = []
    for number in recipe.segments_of(setting):
        with np.load(logged_path(folder, number, reading)) as stored:
            parts.append(_of_epochs(dict(stored), recipe.epochs_of(setting)))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _of_epochs(logged: dict[str, np.ndarray], epochs: tuple[int, ...]) -> dict[str, Array]:
    of_step = np.repeat(np.arange(logged["epochs"].size), logged["lengths"])
    last = np.cumsum(logged["lengths"]) - 1
    terminals, timeouts = np.zeros(of_step.size), np.zeros(of_step.size)
    terminals[last] = logged["terminated"]
    timeouts[last] = np.logical_not(logged["terminated"])
    kept = np.isin(logged["epochs"], epochs)[of_step]
    steps = {name: logged[name][kept] for name in ("observations", "actions", "rewards")}
    return {**steps, "terminals": terminals[kept], "timeouts": timeouts[kept]}


@dataclass(frozen=True)
class _Training:
    """CQL on one data set: what names its files and its random streams."""

    run: TrainingRun
    setting: str
    recipe: Recipe
    cql: CqlRecipe
    path: Path

    def checkpoint(self, part: int) -> Path:
        return self.path.with_name(f"{self.path.stem}-{part:03}.pt")

    def entropy(self, purpose: int, part: int) -> list[int]:
        return self.run.entropy(purpose, SETTINGS.index(self.setting), READINGS.index(self.cql.reading), part)

    def begun(self) -> dict[str, Any]:
        """What earlier sittings have stored, if they had the same settings."""
        score = read_json(self.path, {"recipe": None})
        return dict(score) if score["recipe"] == self.cql.as_dict() else {"recipe": self.cql.as_dict(), "parts": []}


def _train(training: _Training, bar: Any) -> None:
    """The parts that are missing; the checkpoint of a part is named after it, so that a cut loses a part at most."""
    from .rollouts import Simulators

    cql, score = training.cql, training.begun()
    bar.update(len(score["parts"]) * cql.score_every)
    algorithm, dataset = _built(training)
    simulators = Simulators(training.run.env, training.recipe.version, cql.rollouts)
    for part in range(len(score["parts"]) + 1, cql.updates // cql.score_every + 1):
        start = time.process_time()
        _fit(training, algorithm, dataset, part)
        returns = simulators.returns(_Greedy(algorithm), training.entropy(EVALUATED, part))
        hours = round((time.process_time() - start) / 3600, 4)
        score["parts"].append({"updates": part * cql.score_every, "returns": returns.tolist(), "hours": hours})
        write_json(training.path, score)
        training.checkpoint(part - 1).unlink(missing_ok=True)
        bar.update(cql.score_every)
    training.checkpoint(len(score["parts"])).unlink(missing_ok=True)


def _built(training: _Training) -> tuple[Any, Any]:
    """The networks before the first update, and the data set."""
    import d3rlpy
    import torch

    torch.set_num_threads(1)
    d3rlpy.seed(training.run.seed)
    folder, cql = training.path.parent, training.cql
    transitions = logged_transitions(folder, training.recipe, training.setting, cql.reading)
    dataset, algorithm = d3rlpy.dataset.MDPDataset(**transitions), _algorithm(cql)
    algorithm.build_with_dataset(dataset)
    return algorithm, dataset


def _fit(training: _Training, algorithm: Any, dataset: Any, part: int) -> None:
    """One part, from the checkpoint of the part before, whether the process has just started or not."""
    import d3rlpy

    if part > 1:
        algorithm.load_model(training.checkpoint(part - 1))
    d3rlpy.seed(int(np.random.SeedSequence(training.entropy(TRAINED, part)).generate_state(1)[0] >> 1))
    algorithm.fit(
        dataset,
        n_steps=training.cql.score_every,
        n_steps_per_epoch=training.cql.score_every,
        logger_adapter=d3rlpy.logging.NoopAdapterFactory(),
        show_progress=False,
    )
    algorithm.save_model(training.checkpoint(part))


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
