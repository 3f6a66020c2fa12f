"""What is still to do, as commands of ``python -m trust_helpers.rl`` in the order in which they are wanted."""

from collections.abc import Sequence
from pathlib import Path

from ..names import SEEDS, SETTINGS
from .cql import CqlRecipe, finished_cql
from .progress import settings_done
from .recipe import Recipe, TrainingRun, all_runs

__all__ = ["collect_commands", "cql_commands", "queue_commands"]

Command = list[str]


def collect_commands(store: Path, recipe: Recipe, seeds: Sequence[int] = SEEDS) -> list[Command]:
    """A command for each data set that has not been collected, in the order that completes a row of the table early.

    The low setting is the first tenth of a run, so a seed's four come before its long runs, which go on from there.
    """
    sets = [(run, s) for seed in seeds for s in SETTINGS for run in all_runs() if run.seed == seed]
    return [_command("collect", run, s) for run, s in sets if s not in settings_done(store, run, recipe)]


def cql_commands(store: Path, recipe: Recipe, cql: CqlRecipe) -> list[Command]:
    """A command for each complete data set on which CQL has not been trained."""
    sets = [(run, setting) for run in all_runs() for setting in settings_done(store, run, recipe)]
    return [_command("cql", *one) for one in sets if finished_cql(store, *one, recipe, cql) is None]


def queue_commands(store: Path, recipe: Recipe, cql: CqlRecipe) -> list[Command]:
    """Everything that is missing: SAC with two seeds, CQL with the first, SAC with the other seeds, CQL with them."""
    sets = [(run, s) for run in all_runs() for s in SETTINGS if finished_cql(store, run, s, recipe, cql) is None]
    first = [_command("cql", *one) for one in sets if one[0].seed == SEEDS[0]]
    others = [_command("cql", *one) for one in sets if one[0].seed != SEEDS[0]]
    early, late = (collect_commands(store, recipe, part) for part in (SEEDS[:2], SEEDS[2:]))
    return [*early, *first, *late, *others]


def _command(name: str, run: TrainingRun, setting: str) -> Command:
    return [name, "--env", run.env, "--seed", str(run.seed), "--setting", setting]
