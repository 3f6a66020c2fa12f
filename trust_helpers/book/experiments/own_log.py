"""What chapter 9 says of a log and of the scores on hidden ratings: rows of its tables, words of its prose."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data import OfflineData
from ...reports import Report, report
from ...trials import Played
from ..notebook import number, plus_minus
from .counts import Count
from .hidden_ratings import Ratings

__all__ = ["Read", "promise_rows", "reading_rows", "score_rows", "score_words", "stein_value"]


class Read(NamedTuple):
    """What was said of a log, the report under that sentence, and what its policy is worth on hidden ratings."""

    said: str
    made: Report
    worth: float

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        chosen = self.made.recommended
        return {
            "said": self.said,
            "promised": chosen.lower_bound,
            "worth": self.worth,
            "arms played": chosen.support,
            "what the log says to it": self.made.doubts[0] if self.made.doubts else "no objection",
        }


def score_rows(played: Mapping[str, Played]) -> list[dict[str, object]]:
    """What each method earned on average and at worst, what it promised on average, how often it missed."""
    return [
        {
            "method": name,
            "earns": plus_minus(one.value.mean(), one.value.std() / np.sqrt(one.value.size), ".3f"),
            "worst log": float(one.value.min()),
            "promised": float(one.bound.mean()) if np.isfinite(one.bound).all() else None,
            "missed": str(one.missed) if np.isfinite(one.bound).all() else "",
        }
        for name, one in played.items()
    ]


def reading_rows(ratings: Ratings, seen: NDArray[np.intp], said: Sequence[str], delta: float, seed: int) -> list[Read]:
    """One log of ratings under several sentences."""
    truth, log = ratings.hidden_means(seen), ratings.log(seen)
    made = [report(OfflineData.from_log(log, one), delta, seed=seed) for one in said]
    return [Read(name, one, float(one.recommended.weights @ truth)) for name, one in zip(said, made, strict=True)]


def promise_rows(made: Report) -> list[dict[str, object]]:
    """Each decision of a report, with its promise where there is one."""
    return [
        {
            "method": one.method,
            "arms played": one.support,
            "estimate": one.estimate,
            "promised": one.lower_bound if np.isfinite(one.lower_bound) else None,
        }
        for one in made.decisions
    ]


def score_words(played: Mapping[str, Played], delta: float) -> dict[str, str]:
    """What the prose says of the scores: who is first in what, each method's numbers, whether promises were kept."""
    mean, worst, bound = (
        {name: float(pick(one)) for name, one in played.items()}
        for pick in (lambda one: one.value.mean(), lambda one: one.value.min(), lambda one: one.bound.mean())
    )
    tables = {"earns": mean, "worst": worst, "promises": bound}
    words = {f"{what}-most": max(row, key=row.__getitem__) for what, row in tables.items()}
    words |= {f"{name}-{what}": number(x, ".2f") for what, row in tables.items() for name, x in row.items()}
    missed = max(one.missed.value for one in played.values())
    logs = next(iter(played.values())).value.size
    ahead = (played["greedy"].value > played["combined"].value).mean()
    return words | {
        "greedy-ahead": number(ahead, ".0%"),
        "most-missed": number(missed, ".1%"),
        "kept": Count("the worst of them", round(missed * logs), logs, delta).verdict,
    }


def stein_value(made: Report) -> str:
    """Stein's correction of the estimate of TRUST's mixture with its standard error; ``none`` where there is none."""
    return "none" if made.stein is None else plus_minus(made.stein.value, made.stein.standard_error, ".3g")
