"""Where runs in progress live: outside the repository, one folder each, safe to be killed at any time."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import TrustError
from ..names import ENVIRONMENTS, SEEDS, SETTINGS
from .recipe import Baseline, Recipe, as_stored

__all__ = ["InUse", "TrainingRun", "all_runs", "read_json", "write"]


class InUse(TrustError):
    """Another process is at the same work."""


def read_json(path: Path, otherwise: Any) -> Any:
    """The content of a JSON file, or ``otherwise`` if there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else otherwise


def write(path: Path, content: str | Mapping[str, np.ndarray]) -> None:
    """Replace a text or an ``.npz`` file in one step: a kill leaves the old one or the new one, never half of it."""
    fresh = path.with_name(f"new-{path.name}")
    if isinstance(content, str):
        fresh.write_text(content, encoding="utf-8", newline="\n")
    else:
        np.savez_compressed(fresh, allow_pickle=False, **content)
    fresh.replace(path)


@dataclass(frozen=True)
class TrainingRun:
    """A training run and its folder in a store: where its files are, and how far it has come."""

    store: Path
    env: str
    seed: int
    recipe: Recipe

    @property
    def name(self) -> str:
        """The robot and the seed."""
        return f"{self.env}-{self.seed}"

    @property
    def path(self) -> Path:
        """The folder; runs of two recipes never meet."""
        return self.store / self.recipe.name / self.name

    def entropy(self, *purpose: int) -> list[int]:
        """What seeds a random stream of this run, one for each purpose."""
        return [self.seed, ENVIRONMENTS.index(self.env), *purpose]

    def measured(self, number: int) -> Path:
        """Where the returns of a segment's policies are stored."""
        return self.path / f"measured-{number:03}.json"

    def logged(self, number: int, reading: str) -> Path:
        """Where the transitions of a segment's logged episodes are stored."""
        return self.path / f"logged-{number:03}-{reading}.npz"

    def scores(self, setting: str, method: str) -> Path:
        """Where a method's scores on a data set are stored."""
        return self.path / f"{method.replace(' ', '-')}-{setting}.json"

    def learned(self, setting: str, method: str, baseline: Baseline) -> tuple[list[dict[str, Any]], bool]:
        """A method's scores, each with its updates, returns and hours; and whether it has come to its end."""
        scores = read_json(self.scores(setting, method), {"recipe": None})
        parts = scores["parts"] if scores["recipe"] == as_stored(baseline) else []
        return parts, len(parts) * baseline.score_every == baseline.updates

    def last_segment(self) -> int:
        """The number of the last segment up to which all are measured; 0 if there is none."""
        numbers = range(1, len(self.recipe.segments) + 1)
        return next((n - 1 for n in numbers if not self.measured(n).exists()), len(numbers))

    def settings_done(self) -> tuple[str, ...]:
        """The settings whose policies are all measured; the low one is long before the run ends."""
        return tuple(s for s in SETTINGS if self.recipe.segments_of(s)[-1] <= self.last_segment())

    def gathered(self, kind: str, reading: str) -> dict[int, Any]:
        """What was ``"logged"`` or ``"evaluated"`` by epoch, from all segments measured."""
        return {int(epoch): value for one in self._measured() for epoch, value in one[kind][reading].items()}

    def spent(self) -> dict[str, Any]:
        """The hours of one core so far, and the versions of what made the run: several if they changed."""
        done = self._measured()
        packages = sorted({package for one in done for package in one["versions"]})
        return {
            "epochs": self.recipe.segments[len(done) - 1][-1] if done else 0,
            **{f"{w}_hours": round(sum(one["hours"][w] for one in done), 3) for w in ("training", "evaluation")},
            "versions": {p: ", ".join(dict.fromkeys(o["versions"][p] for o in done)) for p in packages},
        }

    def _measured(self) -> list[dict[str, Any]]:
        return [read_json(self.measured(number), {}) for number in range(1, self.last_segment() + 1)]

    @contextmanager
    def opened(self, work: str) -> Iterator[None]:
        """The folder made, with the settings it was begun with, and no other process at the same work there.

        Different works write different files: what is learned from one data set does not wait for the other.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / f"lock-{work}").open("w")
        except OSError as error:
            raise TrustError(f"cannot write to {self.path}: {error.strerror}") from error
        with lock:
            with suppress(ImportError):  # where there is no fcntl (Windows) there is no lock
                import fcntl

                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    raise InUse(f"{self.path} is in use: another process is at the same work ({work})") from error
            settings = as_stored(self.recipe)
            if read_json(self.path / "recipe.json", settings) != settings:
                raise TrustError(f"{self.path} was begun with other settings: choose another --store, or delete it")
            write(self.path / "recipe.json", json.dumps(settings))
            yield


def all_runs(store: Path, recipe: Recipe) -> list[TrainingRun]:
    """Every run of the paper's table, in the order that completes a seed at a time."""
    return [TrainingRun(store, env, seed, recipe) for seed in SEEDS for env in ENVIRONMENTS]
