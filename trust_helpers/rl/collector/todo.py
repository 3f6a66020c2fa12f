"""What is still to do, as commands of ``python -m trust_helpers.rl`` in the order in which they are wanted."""

from pathlib import Path

from ..names import SEEDS, SETTINGS
from .cql import CqlRecipe, cql_score
from .measured import finished, settings_done
from .recipe import Recipe, Run, all_runs

__all__ = ["collect_commands", "cql_commands", "queue_commands"]

Command = list[str]


def collect_commands(store: Path, recipe: Recipe) -> list[Command]:
    """A command for each run of the paper's table that has not been collected."""
    return [_collect(run) for run in all_runs() if not finished(store, run, recipe)]


def cql_commands(store: Path, recipe: Recipe, cql: CqlRecipe) -> list[Command]:
    """A command for each complete data set on which CQL has not been trained."""
    sets = [(run, setting) for run in all_runs() for setting in settings_done(store, run, recipe)]
    return [_cql(run, setting) for run, setting in sets if cql_score(store, run, setting, recipe, cql) is None]


def queue_commands(store: Path, recipe: Recipe, cql: CqlRecipe) -> list[Command]:
    """Everything that is missing: SAC with two seeds, CQL with the first, SAC with the other seeds, CQL with them."""
    sac = {seed: [r for r in all_runs() if r.seed == seed and not finished(store, r, recipe)] for seed in SEEDS}
    sets = [(run, s) for run in all_runs() for s in SETTINGS if cql_score(store, run, s, recipe, cql) is None]
    first = [_cql(run, s) for run, s in sets if run.seed == SEEDS[0]]
    others = [_cql(run, s) for run, s in sets if run.seed != SEEDS[0]]
    early, late = ([_collect(run) for seed in part for run in sac[seed]] for part in (SEEDS[:2], SEEDS[2:]))
    return [*early, *first, *late, *others]


def _collect(run: Run) -> Command:
    return ["collect", "--env", run.env, "--seed", str(run.seed)]


def _cql(run: Run, setting: str) -> Command:
    return ["cql", "--env", run.env, "--seed", str(run.seed), "--setting", setting]
