"""Collect a run: segment by segment train, log an episode with each policy, and find the policies' true values.

Everything made is stored at the end of a segment and skipped when it is there, so a run can be stopped at any time
and taken up again with the same command: a cut loses a segment at most.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..names import SETTINGS
from .processes import needs
from .progress import settings_done
from .recipe import Recipe, TrainingRun
from .store import opened

__all__ = ["collect"]


def collect(
    run: TrainingRun, recipe: Recipe, store: Path, bar: Callable[..., Any], settings: Sequence[str] = SETTINGS
) -> None:
    """Collect a run, from wherever it was left, until the settings are complete.

    ``bar(total=, desc=)`` makes a progress bar.
    """
    needs("gymnasium", "mujoco", "sbx")
    with opened(store, run, recipe) as folder:
        if set(settings) <= set(settings_done(store, run, recipe)):
            return
        from . import sac
        from .measure import measure
        from .rollouts import Simulators

        last = max(recipe.segments_of(setting)[-1] for setting in settings)
        simulators = Simulators(run.env, recipe.version, 1 + recipe.rollouts)
        with bar(total=recipe.epochs, desc=run.name) as progress:
            for number in sac.train(run, recipe, folder, last):
                progress.set_postfix_str(_last_values(measure(run, recipe, folder, number, simulators)))
                progress.update(len(recipe.segments[number - 1]))


def _last_values(done: dict[str, Any]) -> str:
    """What the last policy of a segment is worth under each reading, to be seen while it trains."""
    values = {reading: np.mean(list(returns.values())[-1]) for reading, returns in done["evaluated"].items()}
    return ", ".join(f"{reading} {value:,.0f}" for reading, value in values.items())
