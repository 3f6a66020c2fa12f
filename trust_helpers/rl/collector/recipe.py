"""What is collected and how: the settings of a run, and the names of the runs."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from ...errors import TrustError
from ..names import ENVIRONMENTS, SEEDS

__all__ = ["Recipe", "TrainingRun", "all_runs"]

# The slowest learner and the fastest first, so that what a recipe can do is known early.
ORDER = ("Ant", "HalfCheetah", "Walker2d", "Hopper")


@dataclass(frozen=True)
class Recipe:
    """The settings of a run: soft actor-critic, the policies kept of it, and the rollouts made with each.

    The paper prints none of SAC's hyper-parameters. These are usual: one environment, one update for each of its steps,
    two layers of 256, random actions first. The target entropy is minus half the number of the action's dimensions,
    where minus their number is usual too. Two choices are for speed on a single core: batches of 128 instead of 256,
    and a block of steps before as many updates.
    """

    name: str = "standard"
    version: str = "v4"
    epoch_steps: int = 1000
    low: tuple[int, ...] = tuple(range(1, 101))
    high: tuple[int, ...] = tuple(range(11, 1002, 10))
    hidden: tuple[int, ...] = (256, 256)
    batch: int = 128
    block: int = 100
    learning_starts: int = 10_000
    learning_rate: float = 3e-4
    discount: float = 0.99
    target_entropy: float = -0.5
    checkpoint_epochs: int = 25
    rollouts: int = 20

    @property
    def policies(self) -> tuple[int, ...]:
        """The epochs after which a policy is kept, in either setting."""
        return tuple(sorted({*self.low, *self.high}))

    @property
    def epochs(self) -> int:
        """How long the run is, up to its last policy."""
        return max(self.policies)

    @property
    def segments(self) -> tuple[range, ...]:
        """The epochs between one checkpoint and the next."""
        starts = range(1, self.epochs + 1, self.checkpoint_epochs)
        return tuple(range(s, min(s + self.checkpoint_epochs, self.epochs + 1)) for s in starts)

    def epochs_of(self, setting: str) -> tuple[int, ...]:
        """The epochs whose policies make up a setting."""
        return self.low if setting == "low" else self.high

    def segments_of(self, setting: str) -> range:
        """The numbers of the segments that a setting needs, counted from 1."""
        return range(1, -(-max(self.epochs_of(setting)) // self.checkpoint_epochs) + 1)

    def as_dict(self) -> dict[str, Any]:
        """The settings as they read back from a JSON file, to be stored beside what they made."""
        return dict(json.loads(json.dumps(asdict(self))))


@dataclass(frozen=True)
class TrainingRun:
    """One training run: an environment and a seed."""

    env: str
    seed: int

    def __post_init__(self) -> None:
        if self.env not in ENVIRONMENTS:
            raise TrustError(f"environment is {self.env!r}: choose one of {', '.join(ENVIRONMENTS)}")
        if self.seed not in SEEDS:
            raise TrustError(f"seed is {self.seed!r}: the paper's are {', '.join(map(str, SEEDS))}")

    @property
    def name(self) -> str:
        """The name of the run's folder."""
        return f"{self.env}-{self.seed}"

    def entropy(self, *purpose: int) -> list[int]:
        """What seeds a random stream of this run, one for each purpose."""
        return [self.seed, ENVIRONMENTS.index(self.env), *purpose]


def all_runs() -> list[TrainingRun]:
    """Every run of the paper's table, in the order that completes a seed at a time."""
    return [TrainingRun(env, seed) for seed in SEEDS for env in ORDER]
