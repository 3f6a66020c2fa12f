"""Where runs in progress live: outside the repository, one folder each, safe to be killed at any time."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import TrustError
from .recipe import Recipe, TrainingRun

__all__ = ["default_store", "opened", "read_json", "run_folder", "write_arrays", "write_json", "write_text"]


def default_store() -> Path:
    """The folder for runs in progress: ``trust-helpers/rl`` in the user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trust-helpers" / "rl"


def read_json(path: Path, otherwise: Any) -> Any:
    """The content of a JSON file, or ``otherwise`` if there is none."""
    return json.loads(path.read_text()) if path.exists() else otherwise


def write_json(path: Path, content: Any) -> None:
    """Replace a JSON file in one step."""
    write_text(path, json.dumps(content, indent=1))


def write_text(path: Path, text: str) -> None:
    """Replace a file in one step, so that a kill leaves the old one or the new one, never half of it."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8", newline="\n")
    fresh.replace(path)


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Replace an ``.npz`` file in one step."""
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    fresh.replace(path)


def run_folder(store: Path, run: TrainingRun, recipe: Recipe) -> Path:
    """Where a run lives: runs of two recipes never meet."""
    return store / recipe.name / run.name


@contextmanager
def opened(store: Path, run: TrainingRun, recipe: Recipe, work: str = "collect") -> Iterator[Path]:
    """The folder of a run, with the settings it was begun with; no other process does the same work there.

    Different works write different files: CQL may be trained on one data set of a run beside the other.
    """
    folder = run_folder(store, run, recipe)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / f"lock-{work}").open("w")
    except OSError as error:
        raise TrustError(f"cannot write to {folder}: {error.strerror}") from error
    with lock:
        _lock(lock, folder, work)
        begun_with = read_json(folder / "recipe.json", None)
        if begun_with is None:
            write_json(folder / "recipe.json", recipe.as_dict())
        elif begun_with != recipe.as_dict():
            raise TrustError(f"{folder} was begun with other settings: choose another --store, or delete it")
        yield folder


def _lock(file: Any, folder: Path, work: str) -> None:
    """Held until the process ends, however it ends. Where there is no fcntl (Windows) there is no lock."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise TrustError(f"{folder} is in use: another process is at the same work ({work})") from error
