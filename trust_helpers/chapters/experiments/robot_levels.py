"""Chapter 6's experiment on the noise level, over all data sets: what TRUST is told, how often promises hold."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import stats

from ...rl.levels import Told, kept_with_estimated_deviations, tell
from ...trials import Share, share
from ..table import number, plus_minus
from .robots import Row, first_columns

__all__ = [
    "count_levels",
    "few_episode_rows",
    "level_rows",
    "returns_far_from_their_value",
    "tell_every_data_set",
    "try_few_episodes",
    "with_error",
]

WAYS = {"same": "told {}", "neighbours": "neighbours", "measured": "measured"}
ROUNDING = 1e-9  # of a value: two ways may lead to one mixture, up to the last digits of its weights
PLACES = (("Walker2d", "low"), ("Hopper", "high"), ("HalfCheetah", "high"))

Heard = list[list[dict[str, Told]]]
Few = dict[int, Share]


def returns_far_from_their_value(rows: Sequence[Row], deviations: float = 4.0) -> tuple[Share, float]:
    r"""How many logged returns lie so many deviations off their policy's value, and how many Gaussian ones would.

    Value and deviation come from n fresh episodes, so the distance of a Gaussian return, over the deviation, is
    :math:`\sqrt{1+1/n}` times a variable of Student's law with n - 1 degrees of freedom.
    """
    logs = [run.log for row in rows for run in row.runs]
    away = np.concatenate([np.abs(log.data.means - log.truth.values) / log.truth.deviations for log in logs])
    n = np.concatenate([log.truth.rollouts for log in logs])
    return share(away > deviations), float(2 * stats.t.sf(deviations / np.sqrt(1 + 1 / n), n - 1).mean())


def tell_every_data_set(rows: Sequence[Row], delta: float, seed: int, logs: int, rng: Generator) -> Heard:
    """For each data set of each row what comes of the three ways to set the level; ``seed`` is that of the bands."""
    return [[tell(run.log, delta, seed, logs, rng) for run in row.runs] for row in rows]


def level_rows(rows: Sequence[Row], heard: Heard, sigma: float) -> list[dict[str, Any]]:
    """How often the promise was kept in simulated logs by what TRUST was told, averaged over the seeds of a row."""
    found = []
    for row, many in zip(rows, heard, strict=True):
        kept = {way: number(np.mean([one[way].kept.value for one in many]), ".0%") for way in WAYS}
        found.append(first_columns(row) | {name.format(f"{sigma:g}"): kept[way] for way, name in WAYS.items()})
    return found


def count_levels(heard: Heard, delta: float) -> dict[str, dict[str, float]]:
    """By what TRUST was told: the least and the largest share kept, on how many data sets it was short, held, better.

    *Short*: kept less often than asked for in simulated logs, by more than three standard errors of the share.
    *Held*: on the real log. *Better*: a higher value there than when told one level for all, by more than rounding.
    """
    every = [one for many in heard for one in many]
    found = {}
    for way in WAYS:
        kept = [one[way].kept for one in every]
        found[way] = {
            "worst": min(kept).value,
            "best": max(kept).value,
            "short": sum(one.value + 3 * one.error < 1 - delta for one in kept),
            "held": sum(one[way].promised <= one[way].earned for one in every),
            "better": sum(_is_more(one[way].earned, one["same"].earned) for one in every),
        }
    return found


def _is_more(value: float, than: float) -> bool:
    return value - than > ROUNDING * abs(than)


def try_few_episodes(
    rows: Sequence[Row], episodes: Sequence[int], delta: float, logs: int, rng: Generator
) -> dict[str, Few]:
    """How often the promise holds with each deviation estimated from so many more episodes, on three data sets.

    Sampled actions, the first seed there is; by data set, and then by the number of episodes.
    """
    sampled = {(row.env, row.setting): row for row in rows if row.reading == "sampled"}
    first = {f"{row.name}, {row.runs[0].seed}": row.runs[0].log for row in map(sampled.get, PLACES) if row}
    return {
        name: {k: kept_with_estimated_deviations(log, k, delta, logs, rng) for k in episodes}
        for name, log in first.items()
    }


def few_episode_rows(found: dict[str, Few]) -> list[dict[str, str]]:
    """The shares with their standard errors, a row for each data set."""
    rows = []
    for data, shares in found.items():
        rows.append({"data": data} | {f"{k} episodes": with_error(one) for k, one in shares.items()})
    return rows


def with_error(one: Share) -> str:
    r"""A share in whole per cent with its standard error, where the formula knows one.

    >>> with_error(Share(0.54, 0.07)), with_error(Share(1.0, 0.0))
    ('54\xa0±\xa07\xa0%', '100\xa0%')
    """
    if not one.error:
        return number(one.value, ".0%")
    return f"{plus_minus(100 * one.value, 100 * one.error, '.0f')}\N{NO-BREAK SPACE}%"
