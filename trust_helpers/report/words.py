"""What every form of a report says, in the table's own words and units; nothing here decides anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..checks import Array
from ..data import OfflineData
from ..decision import Decision
from ..formatting import interval_text, percent_sure, rounded_down, rounded_off, visible
from ..quantiles import sidak
from ..split import SplitDecision
from ..split.parts import reward_variance
from ..split.posteriors import coin_guesses, normal_guesses

if TYPE_CHECKING:
    from . import Report

__all__ = [
    "DOUBTED",
    "About",
    "ArmRow",
    "MethodRow",
    "Words",
    "answers",
    "arm_intervals",
    "arm_rows",
    "drawn",
    "expected",
    "headline",
    "heaviest",
    "margin",
    "name_of",
    "odds",
    "policy_rows",
    "promise",
    "promised",
    "shortlist",
]  # fmt: skip

ODDS = {0.5: "every other time", 0.2: "four times in five", 0.1: "nine times in ten", 0.05: "19 times in 20"}
DOUBTED = "not to be relied on, the log speaks against it"
ODDS |= {0.01: "99 times in 100", 0.001: "999 times in 1,000"}
OTHERS, PLAYED, NAMED, WIDEST = 10, 25, 8, 40
GLOSSES = {
    "greedy": "the best mean so far, which flatters itself",
    "LCB": "the one whose own lower bound is the highest",
    "behaviour cloning": "all, as often as the log tried them",
    "TRUST": "a mixture near the steadiest one, with a bound that holds for all such mixtures",
    "split": "chosen on one half of the log and judged on the other, many times over",
    "mixture": "a mixture near the steadiest one, with a bound that holds for all such mixtures and every single one",
    "single arm": "one alone, with a bound that holds for every single one and all mixtures",
    "reference policy": "all, in the steadiest shares, or those that were given",
}


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
    arm, reward : str
        What an arm and its reward are called.
    everything : bool
        Whether every arm is listed.
    """

    log: str = ""
    notices: tuple[str, ...] = ()
    skipped: int = 0
    noise: str = ""
    command: str = ""
    seed: str = ""
    version: str = ""
    digest: str = ""
    arm: str = "arm"
    reward: str = "reward"
    everything: bool = False

    @property
    def notes(self) -> list[str]:
        """Everything to be said about how the log was read."""
        rows = "row" if self.skipped == 1 else "rows"
        left = [f"{self.skipped:,} unusable {rows} left out"] if self.skipped else []
        return [*left, *self.notices]

    @property
    def again(self) -> dict[str, str]:
        """How to get the same again."""
        known = {"command": self.command, "version": self.version, "seed": self.seed}
        known["SHA-256 of the log"] = self.digest
        return {what: visible(value, 500) for what, value in known.items() if value}


@dataclass(frozen=True)
class Words:
    """What arms and rewards are called, and whether rewards are said in per cent.

    >>> opens = Words("subject line", "opens", percent=True)
    >>> opens.many(6), opens.worth(0.19765)
    ('6 subject lines', 'at least 19.76 % opens')
    >>> Words("city", "rating", percent=False).worth(3.8), Words("city", "rating", False).plural
    ('a mean rating of at least 3.8', 'cities')
    """

    arm: str
    reward: str
    percent: bool

    @classmethod
    def of(cls, data: OfflineData, about: About) -> "Words":
        """The words of a report: a heading's underscores are spaces, and its first letter is small."""
        arm, reward = (visible(text.replace("_", " ").strip(), WIDEST) for text in (about.arm, about.reward))
        arm, reward = (text[:1].lower() + text[1:] if text[1:].islower() else text for text in (arm, reward))
        return cls(arm or "arm", reward or "reward", _coins(data))

    @property
    def plural(self) -> str:
        """Many arms."""
        if self.arm.endswith("y") and self.arm[-2:-1] not in "aeiou":
            return f"{self.arm[:-1]}ies"
        return self.arm + ("es" if self.arm.endswith(("s", "x", "ch", "sh")) else "s")

    def many(self, count: int) -> str:
        """So many arms."""
        return f"1 {self.arm}" if count == 1 else f"{count:,} {self.plural}"

    def number(self, value: float) -> str:
        """A value, rounded."""
        return f"{rounded_off(100 * value)} %" if self.percent else rounded_off(value)

    def bound(self, value: float) -> str:
        """A value, rounded down."""
        return f"{rounded_down(100 * value)} %" if self.percent else rounded_down(value)

    def interval(self, low: float, high: float) -> str:
        """An interval, rounded outwards."""
        return f"{interval_text(100 * low, 100 * high)} %" if self.percent else interval_text(low, high)

    def worth(self, value: float) -> str:
        """A promise."""
        if self.percent:
            return f"at least {self.bound(value)} {'success' if self.reward == 'reward' else self.reward}"
        return f"a mean {self.reward} of at least {self.bound(value)}"


def _coins(data: OfflineData) -> bool:
    """Whether all rewards are 0 or 1, and could not be anything else."""
    if data.successes is not None:
        return True
    made = data.samples
    return data.law.ends == (0, 1) and made is not None and set(made.reward) <= {0, 1}


@dataclass(frozen=True)
class MethodRow:
    """One policy, the methods that play it, what they do, and what it is so far, should earn and is promised."""

    methods: str
    gloss: str
    support: int
    estimate: str
    expected: str
    promise: str
    recommended: bool


@dataclass(frozen=True)
class ArmRow:
    """One arm as it is listed, and the numbers behind."""

    name: str
    texts: tuple[str, str, str, str]
    values: tuple[float, float, float, float]


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


def promise(made: Decision, words: Words) -> str:
    """A decision's lower bound, rounded down; none where nothing is promised or nothing would be kept."""
    return words.bound(made.lower_bound) if promised(made) else "none"


def promised(made: Decision) -> bool:
    """Whether anything is promised that would be kept."""
    return isfinite(made.lower_bound) and made.confidence > 0


def _only(made: Decision, data: OfflineData) -> str:
    return visible(name_of(data, int(np.argmax(made.weights))), WIDEST)


def headline(made: "Report", about: About) -> str:
    """What to do and what that is promised to be worth, up to the assumption: the first half of one sentence."""
    words, chosen, data = Words.of(made.data, about), made.advised, made.data
    doubted = f" ({DOUBTED})" if made.doubts else ""
    sure = odds(1 - chosen.confidence)
    if made.gain is not None:
        return _against(made, words) + f", {sure}{doubted}"
    what = f"Use these {words.many(chosen.support)} in these shares"
    if data.n_arms == 1 or chosen.support == 1:
        what = f"Use the {words.arm} {_only(chosen, data)}"
    elif made.untold and promised(chosen):
        what = f"Nothing can be told apart: all {words.many(data.n_arms)} {_alike(made)} are worth"
        return f"{what} {words.worth(chosen.lower_bound)}, {sure}{doubted}"
    if not promised(chosen):
        return f"{what}: nothing can be promised"
    return f"{what}: {words.worth(chosen.lower_bound)}, {sure}{doubted}"


def _alike(made: "Report") -> str:
    if made.data.reference is not None and "reference" in made.recommended.method:
        return "in the shares that were given"
    counts = made.data.counts
    return "alike" if counts.min() == counts.max() else "in the log's own shares"


def _against(made: "Report", words: Words) -> str:
    """What is promised to be better than the baseline, and by how much."""
    gain = made.gain
    assert gain is not None  # for mypy
    baseline = visible(name_of(made.data, gain.baseline), WIDEST)
    if gain.lower_bound <= 0:
        return f"Stay with {baseline}: nothing is promised to be better"
    several = f"these {words.many(gain.support)} in these shares"
    what = _only(gain, made.data) if gain.support == 1 else several
    points = f"{rounded_down(100 * gain.lower_bound)} points of {words.reward}" if words.percent else ""
    return f"Instead of {baseline} use {what}: at least {points or rounded_down(gain.lower_bound)} better"


def answers(made: "Report", about: About) -> dict[str, str]:
    """The three answers: what to mix, which one to take, and which to try again."""
    words = Words.of(made.data, about)
    if made.data.n_arms == 1:
        return {}
    return {"Mix": headline(made, about), "Only one": _one(made, words), "Try again": _again(made, words)}


def _one(made: "Report", words: Words) -> str:
    alone, least = made.one, made.decisions[2].lower_bound
    if promised(alone) and np.array_equal(alone.weights, made.advised.weights):
        return f"It is one {words.arm}: had one been the plan before looking, {words.worth(alone.lower_bound)}"
    if made.one_is_useful:
        sure = odds(1 - alone.confidence)
        return f"If you can take only one: {_only(alone, made.data)}, {words.worth(alone.lower_bound)}, {sure}"
    best = _only(made.decisions[0], made.data)
    believed = words.number(expected(made, made.decisions[0]))
    return (
        f"If you can take only one: no single {words.arm} has a useful promise, none above the {words.bound(least)} of "
        f"taking all {_alike(made)}; the best so far is {best}, from which to expect about {believed}"
    )


def _again(made: "Report", words: Words) -> str:
    data, left = made.data, shortlist(made.data, made.delta)
    if len(left) == 1:
        return f"Nothing need be tried again: {visible(name_of(data, left[0]), WIDEST)} is the best, {odds(made.delta)}"
    if len(left) == data.n_arms:
        return f"To find the best, try again: none of the {words.many(data.n_arms)} is ruled out"
    shown = [visible(name_of(data, arm), WIDEST) for arm in left[:NAMED]]
    names = ("; " if any("," in name for name in shown) else ", ").join(shown)
    more = f" and {len(left) - NAMED:,} more" if len(left) > NAMED else ""
    return (
        f"To find the best, try again: {len(left):,} of {words.many(data.n_arms)} are not ruled out, by mean so far "
        f"{names}{more}"
    )


def margin(made: "Report", about: About) -> str:
    """What the alternatives promise, each by itself."""
    words, own, alone = Words.of(made.data, about), made.decisions[2], made.one
    if made.data.n_arms == 1 or not promised(made.recommended):
        return ""
    single = f", and the safest single {words.arm} {words.bound(alone.lower_bound)}" if promised(alone) else ""
    shares = "alike" if made.data.counts.min() == made.data.counts.max() else "as often as the log did"
    return f"Taking all {shares} promises {promise(own, words)}{single}, each by itself."


def shortlist(data: OfflineData, delta: float) -> list[int]:
    """The arms not ruled out as the best, highest mean first: the upper bound reaches the highest lower bound.

    All intervals hold at once with probability 1 - delta, and then the best arm is among these.

    >>> shortlist(OfflineData.from_counts([90, 10, 85], [100, 100, 100]), 0.1)
    [0, 2]
    """
    each = delta / data.n_arms if data.by_item else sidak(delta, data.n_arms)
    low, high = arm_intervals(data, each)
    order = np.argsort(-data.means, kind="stable")
    return [int(arm) for arm in order[high[order] >= low.max()]]


def expected(made: "Report", one: Decision) -> float:
    """What a policy should be expected to earn: an estimate that having chosen has not flattered.

    A split's is what its mixtures earned on the samples that judged them, and TRUST's is Stein's where it exists; any
    other is the mean of shrunken means (empirical Bayes).
    """
    if isinstance(one, SplitDecision):
        return one.earned
    if one is made.mixture and made.stein is not None:
        return made.stein.value
    if np.array_equal(one.weights, made.decisions[2].weights):
        return one.estimate
    return float(one.weights @ _shrunken(made.data))


def _shrunken(data: OfflineData) -> Array:
    """Every arm's mean, drawn to those of the others as far as the noise tells."""
    if data.n_arms == 1:
        return data.means
    if data.successes is not None:
        return coin_guesses(data.successes, data.counts).middle
    samples = data.samples if data.law.ends else None
    known = data.precision if samples is None else data.counts / reward_variance(samples.centred())
    return normal_guesses(data.means, known).middle


def policy_rows(made: "Report", words: Words) -> list[MethodRow]:
    """One row for each policy, never two for one, the recommended one first.

    Promises are each method's alone, chosen before looking at the log; the recommended one's allows for having looked.
    """
    others = [one for one in (*made.decisions[:-1], made.split) if one is not None]
    groups: list[list[Decision]] = [[made.recommended]]
    for one in others:
        same = next((group for group in groups if np.array_equal(group[0].weights, one.weights)), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    return [_row(made, words, alike, place == 0) for place, alike in enumerate(groups)]


def _row(made: "Report", words: Words, alike: Sequence[Decision], recommended: bool) -> MethodRow:
    best = max(alike, key=lambda one: (promise(one, words) != "none", one.confidence, one.lower_bound))
    if recommended:
        best = alike[0]
    usual = not promised(best) or abs(best.confidence - (1 - made.delta)) < 1e-9
    names = list(dict.fromkeys(_plain(one.method) for one in alike))
    return MethodRow(
        methods=", ".join(names),
        gloss="; ".join(GLOSSES[name] for name in names),
        support=best.support,
        estimate=words.number(float(best.weights @ made.data.means)),
        expected=words.number(expected(made, best)),
        promise=promise(best, words) + ("" if usual else f" ({percent_sure(best.confidence)})"),
        recommended=recommended,
    )


def drawn(made: "Report") -> bool:
    """Whether what is recommended is one of the mixtures that the picture shows."""
    return made.gain is None and not made.untold and _plain(made.recommended.method) in ("TRUST", "mixture")


def _plain(method: str) -> str:
    """A method's name without the combination it won."""
    return method.removeprefix("combined (").removesuffix(")")


def arm_rows(made: "Report", about: About, most: int) -> list[ArmRow]:
    """The arms played, heaviest first and at most 25, and of the others the ten with the best means; or all."""
    weights, data, words = made.advised.weights, made.data, Words.of(made.data, about)
    low, high = arm_intervals(data, made.delta)
    played = [] if made.untold else heaviest(made.advised, data.n_arms)
    best = np.argsort(-data.means, kind="stable")
    rest = (best if made.untold else best[weights[best] == 0]).tolist()
    order = (played + rest if about.everything else played[:PLAYED] + rest[:OTHERS])[:most]
    rows = []
    for arm in order:
        share, mean, least, count = (float(v[arm]) for v in (weights, data.means, low, data.counts))
        texts = (f"{100 * share:.3g} %", words.number(mean), words.interval(least, float(high[arm])), f"{count:,.0f}")
        rows.append(ArmRow(visible(name_of(data, arm)), texts, (share, mean, least, count)))
    return rows


def arm_intervals(data: OfflineData, delta: float) -> tuple[Array, Array]:
    """Ends of an interval for each arm's mean that holds for one arm looked at alone, with probability 1 - delta.

    Half of delta on either side; proportions have Clopper and Pearson's interval. Looked at all together, and the best
    picked out, they do not hold: that is what the report's promise is for.

    >>> low, high = arm_intervals(OfflineData.from_counts([3, 0], [10, 10]), 0.1)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.087, 0.0], [0.607, 0.259])
    """
    low = data.law.arm_bounds(data, delta / 2)
    high = -_mirrored(data).law.arm_bounds(_mirrored(data), delta / 2)
    if data.successes is not None:
        high = 1 + high
    return np.minimum(low, data.means), np.maximum(high, data.means)


def _mirrored(data: OfflineData) -> OfflineData:
    """The log of minus the rewards; of proportions, that of failures."""
    if data.successes is not None:
        return OfflineData.from_counts(data.counts - data.successes, data.counts)
    return OfflineData(-data.means, data.counts, data.law.mirrored())
