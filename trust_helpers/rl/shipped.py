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
from .names import ENVIRONMENTS, METHODS, READINGS, SETTINGS

__all__ = [
    *("CqlPoint", "CqlScore", "Logged", "Truth", "collected_readings", "collected_seeds"),
    *("cql_score", "logged_returns", "provenance"),
]

SIGMA = 150.0
# A difference of measured values is called clear beyond so many of its standard errors.
CLEAR = 2.0


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
        return self._measured(simplex_vector(weights, self.values.size, "weights"))

    def lead(self, first: Sequence[float] | Array, second: Sequence[float] | Array) -> tuple[float, float]:
        """How much more one mixture is worth than another, and the standard error of that: what both play cancels."""
        one, other = (simplex_vector(w, self.values.size, "weights") for w in (first, second))
        return self._measured(one - other)

    def _measured(self, w: Array) -> tuple[float, float]:
        return float(w @ self.values), float(np.sqrt(w**2 @ self.standard_errors**2))


class Logged(NamedTuple):
    """A data set of Section 6.2: the log a method may see, and the truth it is judged by."""

    data: OfflineData
    truth: Truth


class CqlPoint(NamedTuple):
    """What a learned policy earned after so many updates, with the standard error over its episodes."""

    updates: int
    value: float
    standard_error: float


@dataclass(frozen=True)
class CqlScore:
    """What a policy learned from transitions, CQL's or another, earned after its whole budget of updates, and before.

    Attributes
    ----------
    value, standard_error, rollouts :
        The mean return at the end, its standard error, over so many episodes.
    updates, hours, hidden, batch :
        The budget: updates, hours of one core, layers and batch.
    curve : tuple of CqlPoint
        The scores along the way, the last one included.
    """

    value: float
    standard_error: float
    rollouts: int
    updates: int
    hours: float
    hidden: tuple[int, ...]
    batch: int
    curve: tuple[CqlPoint, ...]


def logged_returns(
    env: str,
    setting: str,
    seed: int,
    sigma: float = SIGMA,
    reading: str = READINGS[0],
) -> Logged:
    """One logged return from each of 100 policies of a SAC run, and the policies' true values.

    Parameters
    ----------
    env : str
        One of Hopper, Ant, Walker2d, HalfCheetah.
    setting : str
        ``"low"``, the run's first 100 policies, or ``"high"``, its policies 11, 21 and so on up to 1,001.
    seed : int
        The seed of the run; see :func:`collected_seeds`.
    sigma : float
        The noise level the methods are told. The paper says 150 for all.
    reading : str
        ``"sampled"``, actions drawn from the policy, or ``"mean"``, its mean actions.

    Raises
    ------
    DataError
        Naming the environments, settings, readings or seeds there are.

    Examples
    --------
    >>> data, truth = logged_returns("Hopper", "low", 2023)
    >>> data.n_arms, bool(truth.values.max() > truth.values[0])
    (100, True)
    """
    _refuse_unknown(env, setting, reading)
    rows = _runs().get((env, setting, reading, seed))
    if rows is None:
        seeds = _listed(collected_seeds(env, setting, reading))
        raise DataError(f"seed is {seed!r}: {env} ({setting}, {reading}) was collected with {seeds}")
    table = {name: [row[name] for row in rows] for name in rows[0]}
    epochs, rollouts = (frozen(table[name], np.int64) for name in ("epoch", "rollouts"))
    values, errors, deviations = (frozen(table[name]) for name in ("value", "standard_error", "deviation"))
    returns = frozen(table["logged_return"])
    data = OfflineData(returns, np.ones(returns.size), sigma, epochs.tolist())
    return Logged(data, Truth(epochs, values, errors, deviations, rollouts))


def collected_readings(env: str, setting: str) -> tuple[str, ...]:
    """The readings under which a data set can be had.

    >>> "sampled" in collected_readings("Hopper", "low")
    True
    """
    return tuple(reading for reading in READINGS if collected_seeds(env, setting, reading))


def collected_seeds(env: str, setting: str | None = None, reading: str = READINGS[0]) -> tuple[int, ...]:
    """The seeds with which an environment has been collected, in a setting or in both.

    >>> 2023 in collected_seeds("Hopper")
    True
    """
    settings = SETTINGS if setting is None else (setting,)
    for one in settings:
        _refuse_unknown(env, one, reading)
    found = [{key[3] for key in _runs() if key[:3] == (env, one, reading)} for one in settings]
    return tuple(sorted(set.intersection(*found)))


def cql_score(
    env: str, setting: str, seed: int, reading: str = READINGS[0], method: str = METHODS[0]
) -> CqlScore | None:
    """CQL's score on a data set, or None if it has not been trained on it.

    ``method`` may be another that learns from the same transitions: ``"cloning"`` of the actions with the same network,
    or CQL without something it was found to need. ``provenance()["baselines"]`` has the settings of each that is there.

    >>> cql_score("HalfCheetah", "low", 2023).updates
    50000
    """
    _refuse_unknown(env, setting, reading, method)
    mine = (row for row in read_rows("cql.csv") if row["method"] == method)
    rows = [row for row in mine if _names(row) == (env, setting, reading, seed)]
    if not rows:
        return None
    curve = tuple(CqlPoint(int(r["updates"]), float(r["value"]), float(r["standard_error"])) for r in rows)
    last, hidden = rows[-1], tuple(map(int, rows[-1]["hidden"].split("-")))
    updates, value, error = curve[-1]
    return CqlScore(
        value, error, int(last["rollouts"]), updates, float(last["hours"]), hidden, int(last["batch"]), curve
    )


def provenance() -> dict[str, Any]:
    """How the data were made: settings, versions, commands, hours, and what differs from the paper.

    ``"sac"`` and ``"baselines"`` have the settings, ``"runs"`` the hours and versions of each run.

    >>> sorted(provenance())
    ['baselines', 'commands', 'differs_from_the_paper', 'runs', 'sac']
    """
    return dict(json.loads((files("trust_helpers.rl") / "tables" / "provenance.json").read_text(encoding="utf-8")))


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of a bundled CSV file."""
    with (files("trust_helpers.rl") / "tables" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


Key = tuple[str, str, str, int]


@cache
def _runs() -> dict[Key, list[dict[str, str]]]:
    """The rows of each data set, in the order of the policies."""
    runs: dict[Key, list[dict[str, str]]] = {}
    for row in read_rows("mujoco.csv"):
        runs.setdefault(_names(row), []).append(row)
    return runs


def _names(row: dict[str, str]) -> Key:
    return row["environment"], row["setting"], row["reading"], int(row["seed"])


def _refuse_unknown(env: str, setting: str, reading: str, method: str = METHODS[0]) -> None:
    known = {"env": ENVIRONMENTS, "setting": SETTINGS, "reading": READINGS, "method": METHODS}
    for (name, names), given in zip(known.items(), (env, setting, reading, method), strict=True):
        if given not in names:
            raise DataError(f"{name} is {given!r}: it must be one of {_listed(names)}")


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(str, names)) or "none"
