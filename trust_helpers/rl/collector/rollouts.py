"""Policies as plain arrays, and episodes run with them in the simulator."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from ...checks import Array

__all__ = ["Episode", "GaussianPolicy", "Simulators", "streams"]

Float32 = NDArray[np.float32]


@dataclass(frozen=True)
class GaussianPolicy:
    """SAC's policy: a rectified network gives mean and log standard deviation, tanh squashes the normal draw.

    Every environment here has actions between -1 and 1, so the squashed draw is the action. Read as ``"mean"``, the
    policy takes the squashed mean every time.
    """

    hidden: tuple[tuple[Float32, Float32], ...]
    mean: tuple[Float32, Float32]
    log_std: tuple[Float32, Float32]
    reading: str = "sampled"

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Float32], reading: str = "sampled") -> "GaussianPolicy":
        """The policy whose layers are stored as ``kernel0, bias0, ...``; the last two are mean and log deviation."""
        layers = [(arrays[f"kernel{k}"], arrays[f"bias{k}"]) for k in range(len(arrays) // 2)]
        return cls(tuple(layers[:-2]), layers[-2], layers[-1], reading)

    def act(self, observations: Array, rng: Generator) -> Float32:
        """One action for each row of observations."""
        h = observations.astype(np.float32)
        for kernel, bias in self.hidden:
            h = np.maximum(h @ kernel + bias, 0)
        mean = h @ self.mean[0] + self.mean[1]
        if self.reading == "mean":
            return np.asarray(np.tanh(mean))
        deviation = np.exp(np.clip(h @ self.log_std[0] + self.log_std[1], -20, 2))
        return np.tanh(mean + deviation * rng.standard_normal(mean.shape, dtype=np.float32))


@dataclass
class Episode:
    """The transitions of one episode."""

    observations: Array
    actions: Float32
    rewards: Array
    terminated: bool

    @property
    def total(self) -> float:
        """Its return."""
        return float(self.rewards.sum())


def streams(entropy: list[int], episodes: int) -> tuple[list[int], Generator]:
    """Seeds for that many simulators, and a generator for the actions."""
    states, actions = SeedSequence(entropy).spawn(2)
    return [int(s) for s in states.generate_state(episodes)], default_rng(actions)


class Simulators:
    """Several copies of one environment, stepped together so that a policy is asked once for all of them."""

    def __init__(self, env: str, version: str, copies: int) -> None:
        self._copies = [gymnasium.make(f"{env}-{version}", disable_env_checker=True) for _ in range(copies)]

    def returns(self, policy: Any, entropy: list[int]) -> Array:
        """The return of one episode in each copy."""
        return np.array([e.total for e in self.episodes(policy, entropy)])

    def episodes(self, policy: Any, entropy: list[int]) -> list[Episode]:
        """One episode in each copy, all its transitions kept."""
        seeds, rng = streams(entropy, len(self._copies))
        now = np.stack([c.reset(seed=s)[0] for c, s in zip(self._copies, seeds, strict=True)])
        kept: list[list[tuple[Array, Float32, float]]] = [[] for _ in self._copies]
        terminated = [False] * len(self._copies)
        running = list(range(len(self._copies)))
        while running:
            actions = policy.act(now[running], rng)
            going = []
            for k, action in zip(running, actions, strict=True):
                after, reward, terminated[k], truncated, _ = self._copies[k].step(action)
                kept[k].append((now[k].copy(), action, float(reward)))
                now[k] = after
                if not (terminated[k] or truncated):
                    going.append(k)
            running = going
        return [_episode(steps, end) for steps, end in zip(kept, terminated, strict=True)]


def _episode(steps: list[tuple[Array, Float32, float]], terminated: bool) -> Episode:
    observations, actions, rewards = zip(*steps, strict=True)
    return Episode(np.array(observations), np.array(actions), np.array(rewards), terminated)
