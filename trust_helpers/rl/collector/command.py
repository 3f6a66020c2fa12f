"""Make the data of chapter 6 again: ``python -m trust_helpers.rl COMMAND``. Needs the extra ``rl``."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...cli import Parser
from ...errors import TrustError
from ...extras import MissingExtra
from ..names import ENVIRONMENTS, SEEDS, SETTINGS
from .collect import collect
from .cql import CqlRecipe, train_cql
from .export import export
from .missing import collect_commands, cql_commands, queue_commands
from .processes import Missing, needs, side_by_side, take_core
from .recipe import Recipe, TrainingRun
from .status import status
from .store import default_store

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for; the exit code."""
    try:
        asked = _parser().parse_args(arguments)
        asked.work(asked)
    except TrustError as error:
        print(f"trust_helpers.rl: {error}", file=sys.stderr)
        return 1 if isinstance(error, Missing | MissingExtra) else 2
    except KeyboardInterrupt:
        print("trust_helpers.rl: stopped; the same command goes on from the last checkpoint", file=sys.stderr)
        return 130
    return 0


def _parser() -> Parser:
    parser = Parser(prog="python -m trust_helpers.rl", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_collect(commands)
    _add_cql(commands)
    _add_queue(commands)
    _add_export(commands)
    _add_status(commands)
    return parser


def _add_collect(commands: Any) -> None:
    command = _command(commands, "collect", "train, log and evaluate the policies of a run; goes on where it was left")
    _add_run(command, "every run that is missing")
    command.set_defaults(work=_collect)


def _add_cql(commands: Any) -> None:
    command = _command(commands, "cql", "train and evaluate the baseline on the logged transitions of a run")
    _add_run(command, "every complete data set that is missing")
    command.set_defaults(work=_cql)


def _add_queue(commands: Any) -> None:
    command = _command(commands, "queue", "everything that is missing: two seeds, CQL on the first, then the others")
    _add_jobs(command)
    command.set_defaults(work=_queue)


def _add_export(commands: Any) -> None:
    command = _command(commands, "export", "write what has been collected to the package's data files")
    command.set_defaults(work=_export)


def _add_status(commands: Any) -> None:
    command = _command(commands, "status", "how far the runs of the store are, and what their policies are worth")
    command.set_defaults(work=_status)


def _command(commands: Any, name: str, text: str) -> Any:
    command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    command.add_argument(
        "--store", type=Path, default=default_store(), help="where runs in progress live (%(default)s)"
    )
    return command


def _add_run(command: Any, every: str) -> None:
    command.add_argument("--env", choices=ENVIRONMENTS, help="the environment")
    command.add_argument("--seed", type=int, choices=SEEDS, help="the seed")
    command.add_argument("--setting", choices=SETTINGS, help="one of the run's data sets (default: both)")
    command.add_argument("--all", action="store_true", help=every)
    command.add_argument("--place", type=int, default=None, help=argparse.SUPPRESS)
    _add_jobs(command)


def _add_jobs(command: Any) -> None:
    command.add_argument("--jobs", type=_at_least_one, default=2, help="processes at a time (default: %(default)s)")


def _at_least_one(text: str) -> int:
    jobs = int(text)
    if jobs < 1:
        raise argparse.ArgumentTypeError(f"--jobs is {jobs}: it must be at least 1")
    return jobs


def _asked_run(asked: argparse.Namespace) -> TrainingRun | None:
    """The run asked for, or None for all of them."""
    given = [asked.env is not None, asked.seed is not None]
    if any([*given, asked.setting]) if asked.all else not all(given):
        raise TrustError("give --env and --seed, or --all")
    return None if asked.all else TrainingRun(asked.env, asked.seed)


def _collect(asked: argparse.Namespace) -> None:
    run = _asked_run(asked)
    needs("gymnasium", "mujoco", "sbx", "tqdm")
    if run:
        collect(run, Recipe(), asked.store, _bar(asked.place), _settings(asked))
    else:
        side_by_side(collect_commands(asked.store, Recipe()), asked.store, asked.jobs)


def _cql(asked: argparse.Namespace) -> None:
    run = _asked_run(asked)
    needs("gymnasium", "mujoco", "d3rlpy", "tqdm")
    if run:
        for setting in _settings(asked):
            train_cql(run, setting, asked.store, Recipe(), CqlRecipe(), _bar(asked.place))
    else:
        side_by_side(cql_commands(asked.store, Recipe(), CqlRecipe()), asked.store, asked.jobs)


def _settings(asked: argparse.Namespace) -> tuple[str, ...]:
    return (asked.setting,) if asked.setting else SETTINGS


def _queue(asked: argparse.Namespace) -> None:
    needs("gymnasium", "mujoco", "sbx", "d3rlpy", "tqdm")
    side_by_side(queue_commands(asked.store, Recipe(), CqlRecipe()), asked.store, asked.jobs)


def _export(asked: argparse.Namespace) -> None:
    for line in export(asked.store):
        print(line)


def _status(asked: argparse.Namespace) -> None:
    for line in status(asked.store, Recipe(), CqlRecipe()):
        print(line)


def _bar(place: int | None) -> Any:
    """A progress bar; of several processes, each has its own line and its own core."""
    from tqdm import tqdm

    if place is not None:
        take_core(place)
    return partial(tqdm, position=place, mininterval=1)
