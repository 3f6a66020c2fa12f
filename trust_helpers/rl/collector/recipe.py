"""What is collected and learned, and how: the settings of the runs and of the methods that learn from them."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

__all__ = ["BASELINES", "Baseline", "Recipe", "as_stored"]


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


@dataclass(frozen=True)
class Baseline:
    """The settings of a method that learns from the logged transitions: CQL, or cloning with the same network.

    CQL's are those of the code that the paper cites, except these. Observations are normalised and the critics have
    layer normalisation: without both, the policy leaves the data within 5,000 updates. The score is that of an
    average of the policy over its updates, which swings less. Networks, batches and updates are for a single core.
    """

    method: str = "cql"
    updates: int = 50_000
    score_every: int = 5_000
    batch: int = 128
    hidden: tuple[int, ...] = (128, 128)
    learning_rate: float = 3e-4
    discount: float = 0.99
    target_rate: float = 5e-3
    conservative_weight: float = 5.0
    action_samples: int = 10
    normalised: bool = True
    layer_norm: bool = True
    averaging: float = 2e-4
    rollouts: int = 50


# What is trained on every data set, and, on one, CQL without what sets it apart from the cited code.
_SHORT = Baseline(updates=20_000, score_every=2_000)
BASELINES = {
    "cql": Baseline(),
    "cloning": Baseline("cloning"),
    "plain observations": replace(_SHORT, normalised=False),
    "no layer norm": replace(_SHORT, layer_norm=False),
    "neither": replace(_SHORT, normalised=False, layer_norm=False),
    "last policy": replace(_SHORT, averaging=1.0),
}


def as_stored(settings: Recipe | Baseline) -> dict[str, Any]:
    """Settings as they read back from a JSON file, to be stored beside what they made."""
    return dict(json.loads(json.dumps(asdict(settings))))
