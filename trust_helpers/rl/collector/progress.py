"""What a store holds of a run: which settings are complete, and their returns. Needs none of the tools."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..names import SETTINGS
from .recipe import Recipe, TrainingRun
from .store import read_json, run_folder

__all__ = ["finished", "gathered", "last_segment", "logged_path", "measured_path", "settings_done", "spent"]


def measured_path(folder: Path, number: int) -> Path:
    """Where the returns of a segment's policies are stored."""
    return folder / f"measured-{number:03}.json"


def logged_path(folder: Path, number: int, reading: str) -> Path:
    """Where the transitions of a segment's logged episodes are stored."""
    return folder / f"logged-{number:03}-{reading}.npz"


def last_segment(store: Path, run: TrainingRun, recipe: Recipe) -> int:
    """The number of the last segment up to which all are measured; 0 if there is none."""
    folder = run_folder(store, run, recipe)
    numbers = range(1, len(recipe.segments) + 1)
    return next((n - 1 for n in numbers if not measured_path(folder, n).exists()), len(numbers))


def settings_done(store: Path, run: TrainingRun, recipe: Recipe) -> tuple[str, ...]:
    """The settings whose policies are all measured; the low one is long before the run ends."""
    last = last_segment(store, run, recipe)
    return tuple(s for s in SETTINGS if recipe.segments_of(s)[-1] <= last)


def finished(store: Path, run: TrainingRun, recipe: Recipe) -> bool:
    """Whether the run has been collected to its end."""
    return last_segment(store, run, recipe) == len(recipe.segments)


def gathered(store: Path, run: TrainingRun, recipe: Recipe, kind: str, reading: str) -> dict[int, Any]:
    """What was ``"logged"`` or ``"evaluated"`` by epoch, from all segments measured."""
    found: dict[int, Any] = {}
    for done in _segments(store, run, recipe):
        found |= {int(epoch): value for epoch, value in done[kind][reading].items()}
    return found


def spent(store: Path, run: TrainingRun, recipe: Recipe) -> dict[str, Any]:
    """The hours of one core a run has taken so far, and the versions of what made it."""
    done = _segments(store, run, recipe)
    training = read_json(run_folder(store, run, recipe) / "training.json", {"seconds": 0.0})
    return {
        "epochs": recipe.segments[len(done) - 1][-1] if done else 0,
        "training_hours": round(training["seconds"] / 3600, 3),
        "evaluation_hours": round(sum(d["seconds"] for d in done) / 3600, 3),
        "versions": _together([d["versions"] for d in done]),
    }


def _segments(store: Path, run: TrainingRun, recipe: Recipe) -> list[dict[str, Any]]:
    folder = run_folder(store, run, recipe)
    numbers = range(1, last_segment(store, run, recipe) + 1)
    return [read_json(measured_path(folder, n), {}) for n in numbers]


def _together(sittings: Sequence[dict[str, str]]) -> dict[str, str]:
    """Each package with its version, or its versions if they changed between two sittings."""
    packages = sorted({package for sitting in sittings for package in sitting})
    return {p: ", ".join(dict.fromkeys(s[p] for s in sittings if p in s)) for p in packages}
