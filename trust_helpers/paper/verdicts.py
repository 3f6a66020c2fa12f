"""Every number that the paper prints, and one verdict on each: what it is worth, and why, said by computed numbers.

Every page that judges a number asks here, so that no two pages can disagree. A verdict does not depend on the
parameters a page is run with: it is about the paper's own sizes, at delta = 0.1, on one grid (decay 1.2) and with one
seed.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isnan, log, nan
from typing import Literal

import numpy as np
from numpy.random import SeedSequence, default_rng

from ..band import band_for
from ..checks import Array
from ..extras import need
from ..instances import data_starved
from ..quantiles import least_draws
from ..rl import logged_returns
from . import exact, tables
from .exact import Law

Word = Literal["reproduced", "within spread", "differs", "not comparable"]
Judge = Literal["exact", "simulation", "data"]
Ours = tuple[float, float, float, Judge]
WORDS: tuple[Word, ...] = ("reproduced", "within spread", "differs", "not comparable")
TAIL = 0.025
LOGS = 100


@dataclass(frozen=True)
class Claim:
    """One printed number, by a key such as ``table1.trust``: its digits, where they stand, and of what they are.

    ``page`` is the page of the book about it, without ``.md``. ``decimals`` says to how many the number is given, where
    the digits do not: a bare 0 in a table of decimals.
    """

    key: str
    printed: str
    where: str
    meaning: str
    page: str = ""
    decimals: int | None = None

    @property
    def value(self) -> float:
        """The printed digits as a number."""
        return float(self.printed)

    @property
    def text(self) -> str:
        """The printed digits with a true minus sign, and commas in thousands."""
        whole = f"{int(self.printed):,}" if self.printed.isdigit() else self.printed
        return whole.replace("-", "\N{MINUS SIGN}")

    @property
    def about_trust(self) -> bool:
        """Whether it is about TRUST on the simulated bandits, its policy, its bound or its radius."""
        ours = ("table1.improvement", "text.critical_radius")
        return self.key in ours or self.key.startswith(("table1.trust", "table2.trust"))

    @property
    def digits(self) -> int:
        """How many decimals are printed."""
        return len(self.printed.partition(".")[2]) if self.decimals is None else self.decimals

    @property
    def rounding(self) -> float:
        """Half a unit of the last printed digit."""
        return 0.5 * 10.0**-self.digits


@cache
def claims() -> tuple[Claim, ...]:
    """Every number that the paper prints as a result, in its order.

    >>> len(claims()), claims()[0].printed
    (40, '2.5')
    """
    listed = need("yaml", "book").safe_load((files("trust_helpers.paper") / "claims.yml").read_text(encoding="utf-8"))
    return tuple(
        Claim(key, where=group["where"], page=group["page"], **said)
        for group in listed
        for key, said in group["numbers"].items()
    )


def claim(key: str) -> Claim:
    """The printed number called ``key``; a KeyError lists the keys there are.

    >>> claim("table1.trust").value
    0.92
    """
    known = {one.key: one for one in claims()}
    if key not in known:
        raise KeyError(f"no claim {key!r}; there are {', '.join(known)}")
    return known[key]


@dataclass(frozen=True)
class Verdict:
    """What became of one printed number.

    ``ours`` is our number: the mean over replications, or the value of a formula. ``low`` and ``high`` are the 2.5 and
    97.5 % quantiles of what one experiment of the paper's size gives; of fewer than 40 replications the smallest and
    the largest; both ``ours`` where nothing is random. The word is *reproduced* where ours rounds to the printed
    digits, *within spread* where the printed number, give or take its rounding, lies between low and high, *differs*
    otherwise, and *not comparable* for hours of another machine, the score of a training with another number of
    updates, or one that we have not made. ``reason`` is a sentence filled with computed numbers, ``judge`` what
    decided: a formula or an integral, a simulation, or our training runs.
    """

    claim: Claim
    ours: float
    low: float
    high: float
    word: Word
    reason: str
    judge: Judge

    @property
    def form(self) -> str:
        """How our side is written, with one digit more than the paper prints, and none for counts and returns.

        >>> verdict("table1.max_reward").form, verdict("text.lcb_samples").form
        ('.2f', ',.0f')
        """
        if self.claim.key.startswith("time."):
            return ".2f"
        return f".{self.claim.digits + 1}f" if self.claim.digits else ",.0f"

    @property
    def met(self) -> bool:
        """Reproduced or within spread."""
        return self.word in ("reproduced", "within spread")


@cache
def verdict(key: str, seed: int = tables.SEED) -> Verdict:
    """The verdict on one claim, by the simulated logs of ``seed``; a KeyError lists the claims there are.

    >>> one = verdict("text.lcb_width")
    >>> one.word, round(one.ours, 3), one.judge
    ('reproduced', 2.47, 'exact')
    """
    asked = claim(key)
    mean, low, high, by = _ours(asked, seed)
    word = judge(asked, mean, low, high) if _comparable(asked, mean) else "not comparable"
    why = reason(key) if seed == tables.SEED else f"By the logs of seed {seed}."
    return Verdict(asked, mean, low, high, word, why, by)


def verdicts(prefix: str = "") -> tuple[Verdict, ...]:
    """The verdicts on all claims whose key begins with ``prefix``, in the order of the paper."""
    return tuple(verdict(asked.key) for asked in claims() if asked.key.startswith(prefix))


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


def _comparable(asked: Claim, ours: float) -> bool:
    """Whether ours is the same amount of work: no hours elsewhere, no training with another number of updates."""
    if asked.key.startswith("time.") or isnan(ours):
        return False
    return not asked.key.endswith(".CQL") or _updates(asked) == {tables.PAPER_UPDATES}


def _updates(asked: Claim) -> set[int]:
    """How many updates our trainings of CQL had on a data set."""
    runs = dict(tables.data_sets())[asked.key.removeprefix("table3.").removesuffix(".CQL")]
    return {score.updates for run in runs if (score := tables.cql_score(*run))}


def _ours(asked: Claim, seed: int) -> Ours:
    """Our number, low, high, and what decided: a formula or an integral where there is one, else our tables."""
    key = asked.key
    if key in FORMULAS:
        value = FORMULAS[key]()
        return value, value, value, "exact"
    if key in LAWS:
        law = LAWS[key]()
        return law.mean, law.quantile(TAIL), law.quantile(1 - TAIL), "exact"
    if key == "table2.lcb_variance":
        return _spread(exact.spread_of_eight(seed), "simulation")
    if key.startswith(("time.", "table3.")):
        return _spread(tables.cql_hours() if key.startswith("time.cql") else tables.table3().get(key), "data")
    return _spread((tables.table2(seed) | tables.table1(seed))[key], "simulation")


def _spread(values: Array | None, by: Judge) -> Ours:
    """Mean and middle 95 % of replications; NaN where we have none."""
    if values is None or not values.size:
        return nan, nan, nan, by
    tail = TAIL if values.size >= 40 else 0.0
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(values.mean()), float(low), float(high), by


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


def reason(key: str) -> str:
    """One sentence or two on our number beside the printed one, with true minus signs."""
    said = SENTENCES[key]() if key in SENTENCES else _robots(key) if key.startswith("table3.") else _hours(key)
    return re.sub(r"(?<![\w-])-(?=\d)", "\N{MINUS SIGN}", said).replace(" %", "\N{NO-BREAK SPACE}%")


def most_variance(mean: float, least: float) -> float:
    r"""The largest sample variance of eight numbers between ``least`` and 1 with this mean: :math:`\frac87(1-m)(m-a)`.

    >>> round(most_variance(0.718, 0.239), 3)
    0.154
    """
    return 8 / 7 * (1 - mean) * (mean - least)


@cache
def value_at_the_printed_radius() -> Array:
    """What the best-looking mixture at the paper's critical radius earns, one entry per log of Table 1."""
    region, instance = tables.grid_band("starved").region, tables.instance_of("starved")
    radius = claim("text.critical_radius").value * region.largest_radius
    return np.array([instance.value(region.policy(means, radius)) for means in _means(LOGS)])


def _means(count: int) -> list[Array]:
    """The rewards of the first logs of Table 1."""
    streams = SeedSequence(tables.SEED).spawn(count)
    return [tables.instance_of("starved").sample(default_rng(stream)).means for stream in streams]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _flat(key: str) -> str:
    ours, there = tables.table1()[key].mean(), value_at_the_printed_radius().mean()
    shift = tables.table1()["table1.trust"].mean() - ours
    return (
        f"At the printed radius our policies have {there - shift:.3f}, at the radius that our grid picks {ours:.3f}: "
        "the number follows the radius."
    )


def _radius() -> str:
    band, printed = tables.grid_band("starved"), claim("text.critical_radius").value
    share = band.radii / band.radii[0]
    above, below = share[share >= printed].min(), share[share < printed].max()
    objective = band.region.suprema(np.array(_means(LOGS)), band.radii) - band.widths
    loss = (objective.max(axis=1) - objective[:, share == above][:, 0]).mean()
    return (
        f"Our grid has {below:.4f} and {above:.4f} on either side. The optimum is flat: at the larger of the two the "
        f"objective is lower by {loss:.3f} on average."
    )


def _lcb_bound() -> str:
    width, largest = exact.lcb_half_width(10_000, tables.DELTA), exact.of_starved().expected
    return (
        f"The largest sample is {largest:.2f} on average and the half width {width:.2f}. A good arm's mean less the "
        f"width is {1 - width:.2f}, which may be the source."
    )


def _eight(key: str, lead: str = "") -> str:
    values, printed = tables.table2()[key], claim(key).value
    side = values >= printed if printed >= values.mean() else values <= printed
    return f"{lead}{_percent(side.mean())} of groups of eight logs lie at least as far out."


def _trust_bound() -> str:
    band, few = tables.grid_band("general"), least_draws(tables.DELTA / 80)
    fewest = band_for(band.region, tables.DELTA, "paper", tables.SEED, draws=few)
    played = [band.at(radius) for radius in tables.trust_on("general").radius]
    wider = (fewest.widths - band.widths)[played].mean()
    return (
        f"{_eight('table2.trust_bound')} The band has {band.draws:,} draws; with the fewest allowed, {few:,}, the "
        f"bound would be lower by {wider:.3f}. The paper does not print its number of draws."
    )


def _lcb_spread() -> str:
    printed = claim("table2.lcb_variance")
    most = most_variance(claim("table2.lcb_mean").value, claim("table2.lcb_min").value)
    reach = (exact.spread_of_eight() >= printed.value - printed.rounding).mean()
    return (
        f"As a variance it would exceed the largest possible, {most:.3f}; read as a standard deviation. Eight seeds "
        f"reach it with probability {_percent(reach)}."
    )


def _robots(key: str) -> str:
    name, method = key.removeprefix("table3.").rsplit(".", 1)
    runs = dict(tables.data_sets())[name]
    if method == "CQL":
        if not (updates := _updates(claim(key))):
            return "CQL has not been trained on this data set."
        ours = ", ".join(f"{n:,}" for n in sorted(updates))
        return f"Ours had {ours} updates; the paper's 2,000 episodes may be {tables.PAPER_UPDATES:,}."
    best = max(float(logged_returns(*run).truth.values.max()) for run in runs)
    said = (
        "Out of reach of our logging policies" if claim(key).value > best else "Other logging policies than the paper's"
    )
    return f"{said}: the best of all our runs has the value {best:,.0f}."


def _hours(key: str) -> str:
    if key.startswith("time.cql"):
        hours = tables.cql_hours()
        if not hours.size:
            return "CQL has not been trained on any of these data sets."
        return f"Ours took {hours.min():.2f} to {hours.max():.2f} hours of one core, for other numbers of updates."
    band = tables.robots_band()
    return (
        f"Ours sorts each of {band.draws:,} draws of a hundred numbers once, where a cone solver has "
        f"{band.draws * band.radii.size:,} programs to solve; make bench measures it on other sizes."
    )


def _eight_lcb(what: Literal["mean", "min", "bound"], lead: str) -> str:
    law, printed = exact.lcb_eight(what), claim(f"table2.lcb_{what}").value
    below, chance = printed <= law.mean, law.at_most(printed)
    return f"{lead} this or {'less' if below else 'more'} with probability {_percent(chance if below else 1 - chance)}."


SENTENCES: dict[str, Callable[[], str]] = {
    "text.lcb_width": lambda: f"Equation (1) gives {exact.lcb_half_width(10_000, tables.DELTA):.3f}.",
    "text.lcb_samples": lambda: f"The logarithm gives {8 * log(2 / tables.DELTA):.2f}, rounded up.",
    "text.bc_bound": lambda: f"Hoeffding's bound around 1/2 gives {exact.cloning_bound(10_000, tables.DELTA):.4f}.",
    "table1.behaviour": lambda: (
        f"{_percent(tables.instance_of('starved').means.mean())} of the arms have mean 1, the rest mean 0."
    ),
    "table1.greedy": lambda: f"The largest sample is a good arm's in {_percent(exact.greedy_value(10_000))} of logs.",
    "table1.lcb": lambda: "With equal counts LCB plays the arm that greedy plays.",
    "table1.lcb_bound": _lcb_bound,
    "table1.max_reward": lambda: "The mean of a good arm.",
    "table1.improvement": lambda: _flat("table1.improvement"),
    "table1.trust": lambda: _flat("table1.trust"),
    "table1.trust_bound": lambda: f"Claim 3 of the main theorem; {tables.grid_band('starved').draws:,} draws.",
    "text.critical_radius": _radius,
    "table2.lcb_mean": lambda: _eight_lcb("mean", "Eight seeds average"),
    "table2.lcb_bound": lambda: _eight_lcb("bound", "Eight seeds average"),
    "table2.lcb_min": lambda: _eight_lcb("min", "The smallest of eight is"),
    "table2.lcb_variance": _lcb_spread,
    "table2.trust_mean": lambda: _eight("table2.trust_mean"),
    "table2.trust_min": lambda: _eight("table2.trust_min"),
    "table2.trust_variance": lambda: _eight("table2.trust_variance", "Read as a standard deviation. "),
    "table2.trust_bound": _trust_bound,
}
