"""Collect a run: train SAC, log an episode with each policy kept, and find the policies' true values.

A run is cut into segments. Each begins by resetting the simulators and every random stream from the run's seed and
the number of the segment, whether the process has just started or has been going for an hour, and ends with a
checkpoint. So a run that was stopped and resumed gives, bit for bit, what one that was not gives.
"""

import json
import platform
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from sbx import SAC
from stable_baselines3.common.vec_env import DummyVecEnv

from ..names import READINGS
from .rollouts import Episode, GaussianPolicy, Layers, Simulators
from .store import TrainingRun, write

__all__ = ["collect"]

PACKAGES = ("gymnasium", "mujoco", "sbx-rl", "stable-baselines3", "jax", "optax", "numpy", "torch")
# The random streams of a run: of its training, and of its episodes.
TRAINED, EPISODES = 0, 1


def collect(run: TrainingRun, setting: str, bar: Callable[..., Any]) -> None:
    """Collect a run, from wherever it was left, until the setting is complete; ``bar`` makes a progress bar."""
    with run.opened("collect"):
        done, last = run.last_segment(), run.recipe.segments_of(setting)[-1]
        if done >= last:
            return
        model = _model(run, done)
        # one copy more than episodes to value a policy by: the first episode is the logged one
        simulators = Simulators(run.env, run.recipe.version, 1 + run.recipe.rollouts)
        versions = {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}}
        for number in bar(range(done + 1, last + 1), total=last, initial=done, desc=run.name):
            start = time.process_time()
            policies = _train(model, run, number)
            model.save(_checkpoint(run, number, "model.zip"))
            model.save_replay_buffer(_checkpoint(run, number, "replay.pkl"))
            trained = time.process_time() - start
            made = _measure(run, number, policies, simulators)
            hours = {"training": trained / 3600, "evaluation": (time.process_time() - start - trained) / 3600}
            write(run.measured(number), json.dumps({**made, "hours": hours, "versions": versions}))
            spent = "*" if number == len(run.recipe.segments) else f"{number - 1:03}-*"
            for file in run.path.glob(f"checkpoint-{spent}"):
                file.unlink()


def _model(run: TrainingRun, segments: int) -> Any:
    """A new model, or the one stored after so many segments with its replay buffer."""
    recipe = run.recipe
    make = partial(gymnasium.make, f"{run.env}-{recipe.version}", disable_env_checker=True)
    simulators = DummyVecEnv([make])
    if segments:
        model = SAC.load(_checkpoint(run, segments, "model.zip"), env=simulators)
        model.load_replay_buffer(_checkpoint(run, segments, "replay.pkl"))
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


def _train(model: Any, run: TrainingRun, number: int) -> dict[int, Layers]:
    """Train for the epochs of a segment; the policies to keep, by epoch."""
    model.set_random_seed(int(np.random.SeedSequence(run.entropy(TRAINED, number)).generate_state(1)[0] >> 1))
    model.set_env(model.get_env(), force_reset=True)
    kept = {}
    for epoch in run.recipe.segments[number - 1]:
        model.learn(run.recipe.epoch_steps, reset_num_timesteps=False, log_interval=None)
        if epoch in run.recipe.policies:
            layers = model.policy.actor_state.params["params"]
            kept[epoch] = tuple((np.array(one["kernel"]), np.array(one["bias"])) for _, one in sorted(layers.items()))
    return kept


def _measure(run: TrainingRun, number: int, policies: dict[int, Layers], simulators: Simulators) -> dict[str, Any]:
    """Run the policies of a segment under both readings, and store their logged episodes; all returns."""
    done: dict[str, Any] = {"logged": {}, "evaluated": {}}
    for place, reading in enumerate(READINGS):
        logged, fresh = {}, {}
        for epoch, layers in policies.items():
            entropy = run.entropy(EPISODES, epoch, place)
            logged[epoch], *others = simulators.episodes(GaussianPolicy(layers, reading), entropy)
            fresh[epoch] = [episode.total for episode in others]
        write(run.logged(number, reading), _transitions(logged))
        done["logged"][reading] = {epoch: episode.total for epoch, episode in logged.items()}
        done["evaluated"][reading] = fresh
    return done


def _transitions(episodes: dict[int, Episode]) -> dict[str, np.ndarray]:
    observations, actions, rewards, terminated = zip(*episodes.values(), strict=True)
    steps = {"observations": observations, "actions": actions, "rewards": rewards}
    notes = {"epochs": [*episodes], "lengths": [len(one) for one in rewards], "terminated": terminated}
    arrays = {name: np.array(one) for name, one in notes.items()}
    return arrays | {name: np.concatenate(parts).astype(np.float32) for name, parts in steps.items()}


def _checkpoint(run: TrainingRun, number: int, part: str) -> Path:
    return run.path / f"checkpoint-{number:03}-{part}"
