"""One verdict for each number the paper prints: what it is worth, and why, said by the numbers themselves.

Every page that judges a number asks here, so that no two pages can disagree. A verdict does not depend on the
parameters a page is run with: it is about the paper's own sizes, at delta = 0.1, on one grid (decay 1.2) and with one
seed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from math import isnan, nan
from typing import Literal

import numpy as np

from ..checks import Array
from ..errors import TrustError
from ..instances import data_starved
from . import exact, tables
from .claims import CLAIMS, Claim, claim
from .law import Law
from .reasons import reason

__all__ = ["WORDS", "Verdict", "count", "judge", "judged_again", "verdict", "verdicts"]

Word = Literal["reproduced", "within spread", "differs", "not comparable"]
WORDS: tuple[Word, ...] = ("reproduced", "within spread", "differs", "not comparable")
TAIL = 0.025


@dataclass(frozen=True)
class Verdict:
    """What became of one printed number.

    Attributes
    ----------
    claim : Claim
        What the paper prints.
    ours : float
        Our number: the mean over replications, or the value of a formula.
    low, high : float
        The 2.5 % and 97.5 % quantiles of what one experiment of the paper's size gives; of fewer than 40 replications
        the smallest and the largest; both equal to ``ours`` where nothing is random.
    word : str
        *Reproduced*: ours rounds to the printed digits. *Within spread*: the printed number, give or take its rounding,
        lies between low and high. *Differs* otherwise. *Not comparable*: hours of another machine,
        or a score that we have not made.
    reason : str
        A sentence filled with computed numbers.
    judge : str
        What decided: ``"exact"`` (a formula or an integral), ``"simulation"`` or ``"data"`` (our training runs).
    """

    claim: Claim
    ours: float
    low: float
    high: float
    word: Word
    reason: str
    judge: Literal["exact", "simulation", "data"]

    @property
    def met(self) -> bool:
        """Reproduced or within spread."""
        return self.word in ("reproduced", "within spread")


@dataclass(frozen=True)
class Ours:
    """Our side of a claim, before it is judged."""

    mean: float
    low: float
    high: float
    judge: Literal["exact", "simulation", "data"]


@cache
def verdict(key: str) -> Verdict:
    """The verdict on one claim; a KeyError lists the claims there are.

    Examples
    --------
    >>> one = verdict("text.lcb_width")
    >>> one.word, round(one.ours, 3), one.judge
    ('reproduced', 2.47, 'exact')
    """
    asked = claim(key)
    ours = _ours(asked)
    nothing = key.startswith("time.") or isnan(ours.mean)
    word = "not comparable" if nothing else judge(asked, ours.mean, ours.low, ours.high)
    return Verdict(asked, ours.mean, ours.low, ours.high, word, reason(key), ours.judge)


def judged_again(key: str, seed: int) -> Verdict:
    """The verdict that other logs would have given, for a claim that is judged by simulation; the band is the same."""
    if verdict(key).judge != "simulation":
        raise TrustError(f"{key} is not judged by simulation")
    if key == "table2.lcb_variance":
        values = exact.spread_of_eight(seed)
    else:
        values = (tables.table2(seed) if key.startswith("table2") else tables.table1(seed))[key]
    ours, asked = _spread(values, "simulation"), claim(key)
    word = judge(asked, ours.mean, ours.low, ours.high)
    return Verdict(asked, ours.mean, ours.low, ours.high, word, f"With the logs of seed {seed}.", "simulation")


def verdicts(prefix: str = "") -> tuple[Verdict, ...]:
    """The verdicts on all claims whose key begins with ``prefix``, in the order of the paper."""
    return tuple(verdict(asked.key) for asked in CLAIMS if asked.key.startswith(prefix))


def count(given: Iterable[Verdict]) -> dict[str, int]:
    """How many verdicts there are of each word, in the order of ``WORDS``."""
    words = [one.word for one in given]
    return {word: words.count(word) for word in WORDS}


def judge(asked: Claim, mean: float, low: float, high: float) -> Word:
    """The word for a printed number beside our mean and our spread; rounding is forgiven, and nothing else.

    >>> [judge(Claim("x", printed, "", ""), 1.02, 0.05, 1.99) for printed in ("1.0", "1.4", "2.1")]
    ['reproduced', 'within spread', 'differs']
    """
    slack = asked.rounding * (1 + 1e-9)
    if abs(mean - asked.value) <= slack:
        return "reproduced"
    return "within spread" if low - slack <= asked.value <= high + slack else "differs"


def _ours(asked: Claim) -> Ours:
    """Our number: exact where there is a formula or an integral, else from the tables made again."""
    key = asked.key
    if key in FORMULAS:
        value = FORMULAS[key]()
        return Ours(value, value, value, "exact")
    if key in LAWS:
        law = LAWS[key]()
        return Ours(law.mean, law.quantile(TAIL), law.quantile(1 - TAIL), "exact")
    if key == "table2.lcb_variance":
        return _spread(exact.spread_of_eight(), "simulation")
    if key.startswith(("time.", "table3.")):
        return _spread(tables.cql_hours() if key.startswith("time.cql") else tables.table3().get(key), "data")
    return _spread((tables.table2() | tables.table1())[key], "simulation")


def _spread(values: Array | None, by: Literal["simulation", "data"]) -> Ours:
    """Mean and middle 95 % of replications; NaN where we have none."""
    if values is None or not values.size:
        return Ours(nan, nan, nan, by)
    tail = TAIL if values.size >= 40 else 0.0
    low, high = np.quantile(values, [tail, 1 - tail])
    return Ours(float(values.mean()), float(low), float(high), by)


FORMULAS: dict[str, Callable[[], float]] = {
    "text.lcb_width": lambda: exact.lcb_half_width(10_000, tables.DELTA),
    "text.lcb_samples": lambda: float(exact.least_samples_for_lcb(tables.DELTA)),
    "text.bc_bound": lambda: exact.cloning_bound(10_000, tables.DELTA),
    "table1.behaviour": lambda: float(data_starved().means.mean()),
    "table1.max_reward": lambda: float(data_starved().means.max()),
}
LAWS: dict[str, Callable[[], Law]] = {
    "table1.greedy": lambda: exact.of_starved().value,
    "table1.lcb": lambda: exact.of_starved().value,  # equal counts: LCB is greedy
    "table1.lcb_bound": lambda: exact.of_starved().lcb_bound(tables.DELTA),
    "table2.lcb_mean": lambda: exact.lcb_eight("mean"),
    "table2.lcb_bound": lambda: exact.lcb_eight("bound"),
    "table2.lcb_min": lambda: exact.lcb_eight("min"),
}
