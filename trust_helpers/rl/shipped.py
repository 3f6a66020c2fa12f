"""The bundled data: what each logging policy returned once, and what it is truly worth."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import Array, frozen, simplex_vector
from ..data import OfflineData
from ..errors import DataError
from .collector.recipe import ENVIRONMENTS, SETTINGS

__all__ = ["CqlScore", "Logged", "Truth", "collected_seeds", "cql_score", "logged_returns", "provenance"]

SIGMA = 150.0


@dataclass(frozen=True, eq=False)
class Truth:
    """What the logging policies are worth: the mean return of fresh episodes, none of which is in the log.

    All arrays have one entry per policy, in the order of the log.
    """

    epochs: NDArray[np.int64]
    values: Array
    standard_errors: Array
    deviations: Array
    rollouts: NDArray[np.int64]

    def of(self, weights: Sequence[float] | Array) -> tuple[float, float]:
        r"""The value of a mixture, and its standard error.

        A stochastic policy draws one logging policy for a whole episode, so it earns :math:`w\cdot v`. The values of
        different policies come from different episodes, so the errors add in squares.
        """
        w = simplex_vector(weights, self.values.size, "weights")
        return float(w @ self.values), float(np.sqrt(w**2 @ self.standard_errors**2))


class Logged(NamedTuple):
    """A data set of Section 6.2: the log a method may see, and the truth it is judged by."""

    data: OfflineData
    truth: Truth


@dataclass(frozen=True)
class CqlScore:
    """What CQL's policy earned after its budget of updates, with the standard error over its episodes."""

    value: float
    standard_error: float
    rollouts: int
    updates: int
    hours: float


def logged_returns(env: str, setting: str, seed: int, sigma: float = SIGMA) -> Logged:
    """One logged return from each of 100 policies of a SAC run, and the policies' true values.

    Parameters
    ----------
    env : str
        One of Hopper, Ant, Walker2d, HalfCheetah.
    setting : str
        ``"low"``, the run's first 100 policies, or ``"high"``, every tenth of its first thousand.
    seed : int
        The seed of the run; see :func:`collected_seeds`.
    sigma : float
        The noise level the methods are told. The paper says 150 for all.

    Raises
    ------
    DataError
        Naming the environments, settings or seeds there are.
    """
    _refuse_unknown(env, setting)
    rows = _runs().get((env, setting, seed))
    if rows is None:
        raise DataError(f"seed is {seed!r}: {env} was collected with {_listed(collected_seeds(env)) or 'none'}")
    table = {name: [row[name] for row in rows] for name in rows[0]}
    epochs, rollouts = (frozen(table[name], np.int64) for name in ("epoch", "rollouts"))
    values, errors, deviations = (frozen(table[name]) for name in ("value", "standard_error", "deviation"))
    returns = frozen(table["logged_return"])
    data = OfflineData(returns, np.ones(returns.size), sigma, epochs.tolist())
    return Logged(data, Truth(epochs, values, errors, deviations, rollouts))


def collected_seeds(env: str) -> tuple[int, ...]:
    """The seeds with which an environment has been collected."""
    _refuse_unknown(env, "low")
    return tuple(sorted({seed for name, _, seed in _runs() if name == env}))


def cql_score(env: str, setting: str, seed: int) -> CqlScore | None:
    """CQL's score on a data set, or None if it has not been trained on it."""
    _refuse_unknown(env, setting)
    for row in read_rows("cql.csv"):
        if (row["environment"], row["setting"], int(row["seed"])) == (env, setting, seed):
            counts = (int(row["rollouts"]), int(row["updates"]))
            return CqlScore(float(row["value"]), float(row["standard_error"]), *counts, float(row["hours"]))
    return None


def provenance() -> dict[str, Any]:
    """How the data were made: settings, versions, commands, hours, and what differs from the paper."""
    return dict(json.loads((files("trust_helpers.rl") / "tables" / "provenance.json").read_text()))


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of a bundled CSV file."""
    with (files("trust_helpers.rl") / "tables" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def _runs() -> dict[tuple[str, str, int], list[dict[str, str]]]:
    """The rows of each data set, in the order of the policies."""
    runs: dict[tuple[str, str, int], list[dict[str, str]]] = {}
    for row in read_rows("mujoco.csv"):
        runs.setdefault((row["environment"], row["setting"], int(row["seed"])), []).append(row)
    return runs


def _refuse_unknown(env: str, setting: str) -> None:
    if env not in ENVIRONMENTS:
        raise DataError(f"env is {env!r}: it must be one of {_listed(ENVIRONMENTS)}")
    if setting not in SETTINGS:
        raise DataError(f"setting is {setting!r}: it must be one of {_listed(SETTINGS)}")


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))
