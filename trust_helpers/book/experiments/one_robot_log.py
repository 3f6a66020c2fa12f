"""Chapter 6 on one log of returns: what each method makes of it, and what each law of the noise lets it promise."""

from collections.abc import Callable, Mapping
from functools import partial
from math import ceil, floor, isfinite
from typing import Any

import numpy as np

from ...algorithm import trust
from ...baselines import behaviour_cloning
from ...data import OfflineData
from ...decision import Decision, TrustDecision
from ...errors import TrustError
from ...noise import neighbour_sigma
from ...rl import Truth
from ...rl.shipped import CLEAR
from ...split import split
from ...stein import stein_estimate
from ..table import number, plus_minus

__all__ = [
    "decision_rows",
    "laws_of_returns",
    "noise_level_rows",
    "promise_or_refusal",
    "promises_under_each_law",
    "words_of_one_log",
    "worth_if_known",
]

Row = dict[str, Any]
Reader = Callable[[float | str], OfflineData]


def worth_if_known(weights: Any, truth: Truth | None) -> str:
    """The true value of a mixture with its standard error, or that it is unknown."""
    return "unknown" if truth is None else plus_minus(*truth.of(weights), ",.0f")


def decision_rows(decisions: Mapping[str, Decision], truth: Truth | None) -> list[Row]:
    """How many policies each method plays, its estimate and its promise (a dash if none), and what that is worth."""
    return [
        {
            "method": method,
            "policies": one.support,
            "estimate": one.estimate,
            "promised": one.lower_bound if isfinite(one.lower_bound) else np.nan,
            "true value": worth_if_known(one.weights, truth),
        }
        for method, one in decisions.items()
    ]


def words_of_one_log(
    data: OfflineData, decisions: Mapping[str, Decision], mixture: TrustDecision, truth: Truth | None
) -> dict[str, str]:
    """What chapter 6 says of one log: values where they are known, and whether the promise of a mixture was kept."""
    stein = stein_estimate(data.region, data.means, mixture.radius)
    same = np.array_equal(decisions["greedy"].weights, decisions["LCB"].weights)
    return {
        "worth": worth_if_known(mixture.weights, truth),
        "greedy-worth": worth_if_known(decisions["greedy"].weights, truth),
        "stein": plus_minus(stein.value, stein.standard_error, ",.0f") if stein else "nothing",
        "kept-word": _whether_kept(mixture, truth),
        "lcb-word": "LCB plays greedy's policy" if same else "LCB differs from greedy",
    }


def _whether_kept(mixture: TrustDecision, truth: Truth | None) -> str:
    if truth is None:
        return "cannot be checked"
    value, error = truth.of(mixture.weights)
    if mixture.lower_bound <= value:
        return "was kept"
    clear = mixture.lower_bound - value > CLEAR * error
    return f"was missed, by {'more' if clear else 'less'} than two standard errors of the measurement"


def laws_of_returns(data: OfflineData, sigma: float) -> dict[str, float | str]:
    """What might be said of the returns' noise, in words and as the argument ``sigma`` takes it.

    The range is twice that of the log, with zero in it, in whole hundreds: a guess.
    """
    low = 100 * floor(min(0.0, 2 * data.means.min()) / 100)
    high = 100 * ceil(max(0.0, 2 * data.means.max()) / 100)
    near = neighbour_sigma(data.means)
    return {
        f"Gaussian, {sigma:g}": sigma,
        f"Gaussian, {near:.0f}, from neighbours": near,
        "Gaussian, pooled from repeats": "pooled",
        f"a deviation of at most {sigma:g}": f"sd:{sigma}",
        f"a range of {number(low, ',.0f')} to {number(high, ',.0f')}": f"range:{low}:{high}",
    }


def promises_under_each_law(read: Reader, laws: Mapping[str, float | str], delta: float, seed: int) -> list[Row]:
    """What cloning, TRUST and a split promise on the log that ``read`` gives under each law, or that they refuse."""
    rules: dict[str, Callable[[OfflineData], Decision]] = {
        "cloning": lambda log: behaviour_cloning(log, delta),
        "TRUST": lambda log: trust(log, delta, "calibrated", seed),
        "split": lambda log: split(log, delta, seed=seed),
    }
    rows = []
    for said, law in laws.items():
        asked = {name: partial(_ask, rule, read, law) for name, rule in rules.items()}
        promises = {name: promise_or_refusal(ask) for name, ask in asked.items()}
        rows.append({"what is said of the noise": said} | promises)
    return rows


def _ask(rule: Callable[[OfflineData], Decision], read: Reader, law: float | str) -> Decision:
    return rule(read(law))


def promise_or_refusal(method: Callable[[], Decision]) -> str:
    """The lower bound that a method promises, or that it refuses to.

    >>> promise_or_refusal(lambda: trust(OfflineData.from_samples([0, 1], [1.0, 2.0], "sd:1")))
    'refuses'
    """
    try:
        bound = method().lower_bound
    except TrustError:
        return "refuses"
    return number(bound, ",.0f") if isfinite(bound) else "none"


def noise_level_rows(read: Reader, sigma: float, delta: float, seed: int, truth: Truth | None) -> list[Row]:
    """Calibrated TRUST told a tenth to ten times the noise level."""
    rows = []
    for factor in (0.1, 0.5, 1, 2, 10):
        one = trust(read(factor * sigma), delta, "calibrated", seed)
        row = {"told": factor * sigma, "policies": one.support, "promised": one.lower_bound}
        rows.append(row | {"true value": worth_if_known(one.weights, truth)})
    return rows
