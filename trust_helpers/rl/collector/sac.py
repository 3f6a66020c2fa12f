"""Train soft actor-critic with checkpoints, and keep its policies.

A run is cut into segments. Each begins by resetting the simulators and every random stream from the run's seed and
the number of the segment, whether the process has just started or has been going for an hour. So a run that was
stopped and resumed at a checkpoint gives, bit for bit, the policies of one that was not.
"""

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .recipe import Recipe, TrainingRun
from .store import read_json, write_arrays, write_json

__all__ = ["segment_policies", "train"]

BUFFERS = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")


def train(run: TrainingRun, recipe: Recipe, folder: Path, last: int) -> Iterator[int]:
    """Train to the end of segment ``last``, giving the number of each segment once its policies are stored.

    Those stored in earlier sittings are given too, so that what else is made of them can be caught up with. The hours
    of the processor are counted in ``training.json``, over all sittings.
    """
    state, model = read_json(folder / "training.json", {"segments": 0, "seconds": 0.0}), None
    for number, segment in enumerate(recipe.segments[:last], 1):
        if number > state["segments"]:
            start = time.process_time()
            model = model or _model(run, recipe, folder, number - 1)
            _begin_segment(model, run, number)
            write_arrays(_policies_path(folder, number), _learn(model, segment, recipe))
            _store_model(model, recipe, folder, number)
            state = {"segments": number, "seconds": state["seconds"] + time.process_time() - start}
            write_json(folder / "training.json", state)
            _forget_model(folder, number - 1)
        yield number
    if last == len(recipe.segments):
        for leftover in [*folder.glob("replay-*"), *folder.glob("model-*")]:
            leftover.unlink()


def segment_policies(folder: Path, number: int) -> dict[int, dict[str, np.ndarray]]:
    """The policies of a segment by epoch, each as the arrays of its layers."""
    policies: dict[int, dict[str, np.ndarray]] = {}
    with np.load(_policies_path(folder, number)) as arrays:
        for key, array in arrays.items():
            epoch, layer = key.split(".")
            policies.setdefault(int(epoch), {})[layer] = array
    return policies


def _policies_path(folder: Path, number: int) -> Path:
    return folder / f"policies-{number:03}.npz"


def _model(run: TrainingRun, recipe: Recipe, folder: Path, segments: int) -> Any:
    """A new model, or the one stored after so many segments with its replay buffer filled again."""
    # Read when jax is first imported: one core each, so that two runs side by side do not get in each other's way.
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    import gymnasium
    from sbx import SAC
    from stable_baselines3.common.vec_env import DummyVecEnv

    make = partial(gymnasium.make, f"{run.env}-{recipe.version}", disable_env_checker=True)
    simulators = DummyVecEnv([make])
    if segments:
        model = SAC.load(folder / f"model-{segments:03}.zip", env=simulators)
        _fill_buffer(model, recipe, folder, segments)
        return model
    return SAC(
        "MlpPolicy",
        simulators,
        seed=run.seed,
        learning_rate=recipe.learning_rate,
        gamma=recipe.discount,
        batch_size=recipe.batch,
        buffer_size=recipe.epochs * recipe.epoch_steps,
        learning_starts=recipe.learning_starts,
        train_freq=recipe.block,
        gradient_steps=recipe.block,
        target_entropy=recipe.target_entropy * simulators.action_space.shape[0],
        policy_kwargs={"net_arch": list(recipe.hidden)},
    )


def _begin_segment(model: Any, run: TrainingRun, number: int) -> None:
    """Reset simulators and random streams to a state that depends on the run and the segment alone."""
    model.set_random_seed(int(np.random.SeedSequence(run.entropy(0, number)).generate_state(1)[0] >> 1))
    model.set_env(model.get_env(), force_reset=True)


def _learn(model: Any, segment: range, recipe: Recipe) -> dict[str, np.ndarray]:
    """Train for the epochs of a segment; the layers of the policies to keep."""
    kept = {}
    for epoch in segment:
        model.learn(recipe.epoch_steps, reset_num_timesteps=False, log_interval=None)
        if epoch in recipe.policies:
            layers = model.policy.actor_state.params["params"]
            for k, name in enumerate(sorted(layers)):
                kept[f"{epoch}.kernel{k}"] = np.array(layers[name]["kernel"])
                kept[f"{epoch}.bias{k}"] = np.array(layers[name]["bias"])
    return kept


def _rows(recipe: Recipe, segments: int) -> int:
    """How many rows of the replay buffer, one for each simulator step, are filled after so many segments."""
    epochs = min(segments * recipe.checkpoint_epochs, recipe.epochs)
    return epochs * recipe.epoch_steps


def _fill_buffer(model: Any, recipe: Recipe, folder: Path, segments: int) -> None:
    buffer = model.replay_buffer
    for number in range(1, segments + 1):
        rows = slice(_rows(recipe, number - 1), _rows(recipe, number))
        with np.load(folder / f"replay-{number:03}.npz") as part:
            for name in BUFFERS:
                getattr(buffer, name)[rows] = part[name]
    buffer.pos = _rows(recipe, segments)


def _store_model(model: Any, recipe: Recipe, folder: Path, number: int) -> None:
    """The networks, and the part of the replay buffer that is new."""
    rows = slice(_rows(recipe, number - 1), _rows(recipe, number))
    part = {name: getattr(model.replay_buffer, name)[rows] for name in BUFFERS}
    write_arrays(folder / f"replay-{number:03}.npz", part)
    model.save(folder / f"model-{number:03}.zip")


def _forget_model(folder: Path, number: int) -> None:
    (folder / f"model-{number:03}.zip").unlink(missing_ok=True)
