"""The sentences and rows that every form of a report shares."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..data import OfflineData
from ..decision import Decision
from ..formatting import percent_sure, rounded_down, rounded_off, visible

if TYPE_CHECKING:
    from ..reports import Report

__all__ = ["DOUBTED", "About", "MethodRow", "advice", "heaviest", "name_of", "odds", "policy_rows", "promise"]

ODDS = {0.5: "every other time", 0.2: "four times in five", 0.1: "nine times in ten", 0.05: "19 times in 20"}
DOUBTED = "not to be relied on, the log speaks against it"
ODDS |= {0.01: "99 times in 100", 0.001: "999 times in 1,000"}


@dataclass(frozen=True)
class About:
    """What is known of a report beyond its numbers.

    Attributes
    ----------
    log : str
        What the log is called.
    notices : tuple of str
        What was taken for granted when it was read.
    skipped : int
        Rows left out.
    noise : str
        Why this is assumed of the noise, where nobody said.
    command, seed, version, digest : str
        How to get the same again: the command, the seed, the package's version, the SHA-256 of the log.
    """

    log: str = ""
    notices: tuple[str, ...] = ()
    skipped: int = 0
    noise: str = ""
    command: str = ""
    seed: str = ""
    version: str = ""
    digest: str = ""

    @property
    def notes(self) -> list[str]:
        """Everything to be said about how the log was read."""
        rows = "row" if self.skipped == 1 else "rows"
        left = [f"{self.skipped:,} unusable {rows} left out"] if self.skipped else []
        return [*left, *self.notices]


@dataclass(frozen=True)
class MethodRow:
    """One policy and the methods that play it."""

    methods: str
    support: int
    estimate: str
    promise: str
    recommended: bool


def name_of(data: OfflineData, arm: int) -> str:
    """What an arm is called; its number if it has no name."""
    return str(arm if data.names is None else data.names[arm])


def heaviest(made: Decision, top: int) -> list[int]:
    """The arms played most, heaviest first, at most ``top`` of them; ties in the order of the arms."""
    order = np.argsort(-made.weights, kind="stable")[: max(top, 0)]
    return [int(arm) for arm in order if made.weights[arm] > 0]


def odds(delta: float) -> str:
    """How often a promise holds, in words.

    >>> odds(0.1), odds(0.025)
    ('nine times in ten', '97.5 % of the time')
    """
    return ODDS.get(round(delta, 12), f"{percent_sure(1 - delta)} of the time")


def promise(made: Decision) -> str:
    """A decision's lower bound, rounded down; none where nothing is promised or nothing would be kept."""
    return rounded_down(made.lower_bound) if isfinite(made.lower_bound) and made.confidence > 0 else "none"


def advice(made: "Report") -> str:
    """What to play and what that is promised to be worth, up to the assumption: the first half of one sentence."""
    chosen, doubted = made.advised, f" ({DOUBTED})" if made.doubts else ""
    if made.gain is not None:
        return _against(made) + doubted
    if chosen.support == 1:
        what = f"Play {visible(name_of(made.data, int(np.argmax(chosen.weights))))}"
    else:
        what = f"Play these {chosen.support:,} arms with these weights"
    if promise(chosen) == "none":
        return f"{what}: nothing can be promised"
    return f"{what}: worth at least {promise(chosen)} per try, {odds(1 - chosen.confidence)}{doubted}"


def _against(made: "Report") -> str:
    """What is promised to be better than the baseline, and by how much."""
    gain = made.gain
    assert gain is not None  # for mypy
    baseline, sure = visible(name_of(made.data, gain.baseline)), odds(1 - gain.confidence)
    if gain.lower_bound <= 0:
        return f"Stay with {baseline}: nothing is promised to be better, {sure}"
    what = f"these {gain.support:,} arms with these weights"
    if gain.support == 1:
        what = visible(name_of(made.data, int(np.argmax(gain.weights))))
    return f"Instead of {baseline} play {what}: at least {rounded_down(gain.lower_bound)} better per try, {sure}"


def policy_rows(made: "Report") -> list[MethodRow]:
    """One row for each policy, never two for one, with what its method alone would promise.

    Those promises are for a method chosen before looking at the log; the recommended one was chosen after.
    """
    return [_row(made, alike) for alike in _groups(made.decisions[:-1])]


def _groups(decisions: tuple[Decision, ...]) -> Iterator[list[Decision]]:
    """Decisions that play the same policy, together."""
    groups: list[list[Decision]] = []
    for one in decisions:
        same = next((group for group in groups if np.array_equal(group[0].weights, one.weights)), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    yield from groups


def _row(made: "Report", alike: list[Decision]) -> MethodRow:
    best = max(alike, key=lambda one: (promise(one) != "none", one.confidence, one.lower_bound))
    usual = promise(best) == "none" or abs(best.confidence - (1 - made.delta)) < 1e-9
    return MethodRow(
        methods=", ".join(one.method for one in alike),
        support=best.support,
        estimate=rounded_off(best.estimate),
        promise=promise(best) + ("" if usual else f" ({percent_sure(best.confidence)})"),
        recommended=bool(np.array_equal(best.weights, made.recommended.weights)),
    )
