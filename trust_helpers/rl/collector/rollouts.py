"""Policies as plain arrays, and episodes run with them in the simulator."""

from dataclasses import dataclass
from typing import NamedTuple

import gymnasium
import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from ...checks import Array

__all__ = ["Episode", "GaussianPolicy", "Layers", "Simulators"]

Float32 = NDArray[np.float32]
Layers = tuple[tuple[Float32, Float32], ...]  # kernel and bias of each


@dataclass(frozen=True)
class GaussianPolicy:
    """SAC's policy: a rectified network gives mean and log standard deviation, tanh squashes the normal draw.

    Every environment here has actions between -1 and 1, so the squashed draw is the action. Read as ``"mean"``, the
    policy takes the squashed mean every time. The last two of its layers are mean and log deviation.
    """

    layers: Layers
    reading: str = "sampled"

    def act(self, observations: Array, rng: Generator) -> Float32:
        """One action for each row of observations."""
        h = observations.astype(np.float32)
        *hidden, (to_mean, mean), (to_log_std, log_std) = self.layers
        for kernel, bias in hidden:
            h = np.maximum(h @ kernel + bias, 0)
        mean = h @ to_mean + mean
        if self.reading == "mean":
            return np.asarray(np.tanh(mean))
        deviation = np.exp(np.clip(h @ to_log_std + log_std, -20, 2))
        return np.tanh(mean + deviation * rng.standard_normal(mean.shape, dtype=np.float32))


class Episode(NamedTuple):
    """The transitions of one episode."""

    observations: Array
    actions: Float32
    rewards: Array
    terminated: bool

    @property
    def total(self) -> float:
        """Its return."""
        return float(self.rewards.sum())


class Simulators:
    """Several copies of one environment, stepped together so that a policy is asked once for all of them."""

    def __init__(self, env: str, version: str, copies: int) -> None:
        self._copies = [gymnasium.make(f"{env}-{version}", disable_env_checker=True) for _ in range(copies)]

    def episodes(self, policy: GaussianPolicy, entropy: list[int]) -> list[Episode]:
        """One episode in each copy."""
        states, actions = SeedSequence(entropy).spawn(2)
        seeds, rng = states.generate_state(len(self._copies)), default_rng(actions)
        now = np.stack([c.reset(seed=int(s))[0] for c, s in zip(self._copies, seeds, strict=True)])
        kept: list[list[tuple[Array, Float32, float]]] = [[] for _ in self._copies]
        terminated = [False] * len(self._copies)
        running = list(range(len(self._copies)))
        while running:
            going = []
            for k, action in zip(running, policy.act(now[running], rng), strict=True):
                after, reward, terminated[k], truncated, _ = self._copies[k].step(action)
                kept[k].append((now[k].copy(), action, float(reward)))
                now[k] = after
                if not (terminated[k] or truncated):
                    going.append(k)
            running = going
        columns = [[np.array(column) for column in zip(*steps, strict=True)] for steps in kept]
        return [Episode(s, a, r, end) for (s, a, r), end in zip(columns, terminated, strict=True)]
