"""Make the data of chapter 6 again: collect runs, learn from them, export both. Needs the extra ``rl``.

A command goes on where it was left, and passes over what another process is at: start it twice to use two cores.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from ...cli import Parser
from ...errors import TrustError
from ...extras import MissingExtra, need
from ..names import ENVIRONMENTS, SEEDS, SETTINGS
from .export import export
from .recipe import BASELINES, Recipe
from .store import InUse, TrainingRun, all_runs

__all__ = ["main"]

STORE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trust-helpers" / "rl"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for; the exit code."""
    # read when jax is first imported: one thread
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    try:
        asked = _parser().parse_args(arguments)
        for line in WORKS[asked.work](asked):
            print(line)
    except TrustError as error:
        print(f"trust_helpers.rl: {error}", file=sys.stderr)
        return 1 if isinstance(error, MissingExtra) else 2
    except KeyboardInterrupt:
        print("trust_helpers.rl: stopped; the same command goes on from the last checkpoint", file=sys.stderr)
        return 130
    return 0


def _parser() -> Parser:
    parser = Parser(prog="python -m trust_helpers.rl", description=__doc__, allow_abbrev=False)
    parser.add_argument("work", choices=WORKS, metavar="COMMAND", help=f"one of {', '.join(WORKS)}")
    parser.add_argument("--store", type=Path, default=STORE, help="where runs live (%(default)s)")
    parser.add_argument("--env", choices=ENVIRONMENTS, help="collect, learn: this environment only")
    parser.add_argument("--seed", type=int, choices=SEEDS, help="collect, learn: this seed only")
    parser.add_argument("--setting", choices=SETTINGS, help="collect, learn: this setting only")
    parser.add_argument("--method", choices=BASELINES, default="cql", help="learn: by this method (%(default)s)")
    return parser


def _collect(asked: argparse.Namespace) -> Iterator[str]:
    need("sbx", "rl", "collecting")
    from .collect import collect

    return _each(asked, collect)


def _learn(asked: argparse.Namespace) -> Iterator[str]:
    need("optax", "rl", "learning")
    from .baselines import learn

    return _each(asked, partial(learn, name=asked.method, baseline=BASELINES[asked.method]))


def _each(asked: argparse.Namespace, work: Callable[[TrainingRun, str, Any], None]) -> Iterator[str]:
    """Work on the data sets asked for: a seed's low settings before its high ones, which go on from there."""
    from tqdm import tqdm

    for setting, run in sorted(product(SETTINGS, all_runs(asked.store, Recipe())), key=lambda one: one[1].seed):
        wanted = ((asked.env, run.env), (asked.seed, run.seed), (asked.setting, setting))
        if all(given in (None, own) for given, own in wanted):
            try:
                work(run, setting, tqdm)
            except InUse as error:
                yield str(error)


WORKS: dict[str, Any] = {"collect": _collect, "learn": _learn, "export": lambda asked: export(asked.store)}
