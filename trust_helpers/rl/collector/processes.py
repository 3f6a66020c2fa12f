"""Several runs side by side: what they need, and a process on a core of its own for each."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ...errors import TrustError
from ...extras import MissingExtra, has

__all__ = ["Missing", "needs", "ready", "side_by_side", "take_core"]


class Missing(TrustError):
    """Something a command needs is not there, or a run failed."""


def needs(*modules: str) -> None:
    """Raise, with the way out, unless the modules of the extra ``rl`` are installed; none of them is imported."""
    for module in modules:
        if not has(module):
            raise MissingExtra(module, "rl", "collecting")


def side_by_side(commands: Sequence[Sequence[str]], store: Path, jobs: int) -> None:
    """Run ``python -m trust_helpers.rl`` with each of the arguments, so many at a time; raise if any failed.

    A command waits while a run that it needs is under way; see :func:`ready`.
    """
    waiting = list(commands)
    places: dict[int, tuple[Sequence[str], subprocess.Popen[bytes]]] = {}
    failed = []
    while waiting or places:
        for place in set(range(jobs)) - set(places):
            free = ready(waiting, [command for command, _ in places.values()])
            if free is not None:
                places[place] = (waiting[free], _begin(waiting.pop(free), store, place))
        time.sleep(0.2)
        for place, (command, process) in list(places.items()):
            if process.poll() is not None:
                failed += [" ".join(command)] * bool(process.returncode)
                del places[place]
    if failed:
        raise Missing(f"{len(failed)} of {len(commands)} failed: {'; '.join(failed)}")


def ready(waiting: Sequence[Sequence[str]], going: Sequence[Sequence[str]]) -> int | None:
    """The place of the first command that can begin beside those that are going, or None.

    The settings of a run are collected one after the other, and CQL needs what was collected; it may be trained on both
    settings at a time.
    """
    for place, command in enumerate(waiting):
        same_run = [other for other in going if _run_of(other) == _run_of(command)]
        if all(other[0] == command[0] == "cql" for other in same_run):
            return place
    return None


def _run_of(command: Sequence[str]) -> tuple[str, ...]:
    """The environment and the seed that a command is about."""
    return tuple(word for k, word in enumerate(command) if command[max(k - 1, 0)] in ("--env", "--seed"))


def take_core(place: int) -> None:
    """Keep this process to one core, where the system allows it."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[place % len(cores)]})


def _begin(command: Sequence[str], store: Path, place: int) -> "subprocess.Popen[bytes]":
    arguments = [*command, "--store", str(store), "--place", str(place)]
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, "-m", "trust_helpers.rl", *arguments], env={**os.environ, **threads})
