"""What every form of a report says, in the table's own words and units; nothing here decides anything."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..data import OfflineData
from ..decision import Decision
from ..formatting import interval_text, percent_sure, rounded_down, rounded_off, visible
from ..noise.base import COUNTS
from ..planning import arm_intervals, pilot, shortlist, tries_to_tell

if TYPE_CHECKING:
    from . import Report

__all__ = [
    "ARMS", "About", "ArmRow", "Words", "alone", "answers", "arm_rows", "assumption", "headline", "method_rows",
    "name_of", "odds", "plural", "promised", "why",
]  # fmt: skip

ODDS = {0.5: "every other time", 0.2: "four times in five", 0.1: "nine times in ten", 0.05: "19 times in 20"}
ODDS |= {0.01: "99 times in 100", 0.001: "999 times in 1,000"}
DOUBTED = "not to be relied on, the log speaks against it"
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
    """What is known of a report beyond its numbers: the log's name, how it was read, and how to get the same again.

    ``noise`` is why this is assumed of the noise, where nobody said; ``arm``, ``reward`` and ``item`` are what they are
    called; ``everything`` asks for every arm.
    """

    log: str = ""
    notices: tuple[str, ...] = ()
    noise: str = ""
    command: str = ""
    seed: str = ""
    version: str = ""
    digest: str = ""
    arm: str = "arm"
    reward: str = "reward"
    item: str = "item"
    everything: bool = False

    @property
    def read(self) -> list[str]:
        """How the log was read."""
        noise = [f"Nothing was said about the noise: {self.noise}"] if self.noise else []
        return noise + [f"Note: {visible(note, 300)}" for note in self.notices]

    @property
    def again(self) -> dict[str, str]:
        """How to get the same again."""
        known = {"command": self.command, "version": self.version, "seed": self.seed}
        known["SHA-256 of the log"] = self.digest
        return {what: visible(value, 500) for what, value in known.items() if value}


@dataclass(frozen=True)
class Words:
    """What arms, rewards and items are called, and whether rewards are said in per cent.

    >>> opens = Words("subject line", "opens", percent=True)
    >>> opens.many(6), opens.worth(0.19765), opens.gain(0.02)
    ('6 subject lines', 'at least 19.76 % opens', 'at least 2 percentage points more opens')
    >>> Words("city", "rating").worth(3.8), Words("ad", "clicks").worth(3.8), Words("site").called("site 37")
    ('a mean rating of at least 3.8', 'mean clicks of at least 3.8', 'site 37')
    """

    arm: str = "arm"
    reward: str = "reward"
    item: str = "item"
    percent: bool = False

    @classmethod
    def of(cls, data: OfflineData, about: About) -> "Words":
        """The words of a report: a heading's underscores are spaces, and its first letter is small."""
        said = [visible(text.replace("_", " ").strip(), WIDEST) for text in (about.arm, about.reward, about.item)]
        arm, reward, item = (text[:1].lower() + text[1:] if text[1:].islower() else text for text in said)
        return cls(arm or "arm", reward or "reward", item or "item", _coins(data))

    def many(self, count: int) -> str:
        """So many arms."""
        return f"1 {self.arm}" if count == 1 else f"{count:,} {plural(self.arm)}"

    def extent(self, data: OfflineData) -> str:
        """How large the log is."""
        least, most = f"{data.counts.min():,}", f"{data.counts.max():,}"
        each = least if least == most else f"{least} to {most}"
        tries = "1 try" if data.n_samples == 1 else f"{data.n_samples:,} tries"
        return f"{self.many(data.n_arms)}, {tries} ({each} each)"

    def called(self, name: str) -> str:
        """An arm by its name, with what it is unless the name says so."""
        return name if name.lower().startswith(self.arm.lower()) else f"the {self.arm} {name}"

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
        return f"{self._mean} of at least {self.bound(value)}"

    def gain(self, value: float) -> str:
        """A promised difference."""
        if self.percent:
            return f"at least {rounded_down(100 * value)} percentage points more {self.reward}"
        return f"{self._mean} higher by at least {rounded_down(value)}"

    @property
    def _mean(self) -> str:
        return f"{'' if self.reward == plural(self.reward) else 'a '}mean {self.reward}"


def plural(noun: str) -> str:
    """Many of them.

    >>> plural("city"), plural("box"), plural("day"), plural("opens"), plural("glass")
    ('cities', 'boxes', 'days', 'opens', 'glasses')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith(("ss", "x", "ch", "sh")):
        return f"{noun}es"
    return noun if noun.endswith("s") else f"{noun}s"


ARMS = Words()  # where nobody said what they are called


def _coins(data: OfflineData) -> bool:
    """Whether all rewards are 0 or 1, and could not be anything else."""
    if data.successes is not None:
        return True
    made = data.samples if data.law.ends == (0, 1) else None
    return made is not None and bool(np.isin(made.reward, (0, 1)).all())


def name_of(data: OfflineData, arm: int) -> str:
    """What an arm is called; its number if it has no name."""
    return str(arm if data.names is None else data.names[arm])


def odds(delta: float) -> str:
    """How often a promise holds, in words.

    >>> odds(0.1), odds(0.025)
    ('nine times in ten', '97.5 % of the time')
    """
    return ODDS.get(round(delta, 12), f"{percent_sure(1 - delta)} of the time")


def alone(method: str) -> str:
    """A method's name without the combination it won."""
    return method.removeprefix("combined (").removesuffix(")")


def promised(made: Decision) -> bool:
    """Whether anything is promised that would be kept."""
    return bool(np.isfinite(made.lower_bound)) and made.confidence > 0


def headline(made: "Report", about: About) -> str:
    """What to do and what that is promised to be worth, up to the assumption: the first half of one sentence."""
    words, chosen = Words.of(made.data, about), made.advised
    sure = odds(1 - chosen.confidence) + (f" ({DOUBTED})" if made.doubts else "")
    if made.gain is not None:
        return f"{_against(made, words)}, {sure}" if made.gain.lower_bound > 0 else _against(made, words)
    if not promised(chosen):
        return f"{_to_do(made, words)}: nothing can be promised"
    if made.untold and chosen.support > 1:
        everything = f"all {words.many(made.data.n_arms)} {_alike(made)} are worth"
        return f"Nothing stands out: {everything} {words.worth(chosen.lower_bound)}, {sure}"
    return f"{_to_do(made, words)}: {words.worth(chosen.lower_bound)}, {sure}"


def _to_do(made: "Report", words: Words) -> str:
    """The policy in words: what is taken, or what is left out where that is less."""
    taken, every = made.advised.support, made.data.n_arms
    if taken == 1:
        return f"Use {_called(made, words, made.advised)}"
    if taken == every:
        return f"Use all {words.many(every)} in these shares"
    if 2 * taken > every:
        return f"Leave out these {every - taken:,} of {words.many(every)}, use the others in these shares"
    return f"Use these {words.many(taken)} in these shares"


def _called(made: "Report", words: Words, one: Decision) -> str:
    return words.called(_named(made, [int(np.argmax(one.weights))]))


def _named(made: "Report", arms: list[int], most: int = NAMED) -> str:
    """Some of the arms by name, and how many more."""
    shown = [visible(name_of(made.data, arm), WIDEST) for arm in arms[:most]]
    more = f" and {len(arms) - most:,} more" if len(arms) > most else ""
    return ("; " if any("," in name for name in shown) else ", ").join(shown) + more


def _alike(made: "Report") -> str:
    if made.data.reference is not None and "reference" in made.recommended.method:
        return "in the shares that were given"
    return "alike" if np.ptp(made.data.counts) == 0 else "in the log's own shares"


def _against(made: "Report", words: Words) -> str:
    """What is promised to be better than the baseline, and by how much."""
    assert made.gain is not None  # for mypy
    baseline, gain = _named(made, [made.gain.baseline]), made.gain
    if gain.lower_bound <= 0:
        return f"Stay with {baseline}: nothing is promised to be better"
    what = f"these {words.many(gain.support)} in these shares" if gain.support > 1 else _called(made, words, gain)
    return f"Instead of {baseline} use {what}: {words.gain(gain.lower_bound)}"


def answers(made: "Report", about: About) -> list[str]:
    """What else there is to do: which one to take if it must be one, which to try again, and what was left out."""
    words, unused = Words.of(made.data, about), np.flatnonzero(made.advised.weights == 0)
    if made.data.n_arms == 1:
        return []
    wide = made.gain is None and 0 < 2 * unused.size < made.data.n_arms and made.advised.support > 1
    worst = unused[np.argsort(made.data.means[unused], kind="stable")].tolist() if wide else []
    out = [f"Left out, the worst so far first: {_named(made, worst, PLAYED)}"] if wide else []
    return [*out, _one(made, words), _again(made, words)]


def _one(made: "Report", words: Words) -> str:
    alone, least = made.one, made.own.lower_bound
    before = f"{words.worth(alone.lower_bound)}, for whoever wanted one {words.arm} before looking"
    if promised(alone) and np.array_equal(alone.weights, made.advised.weights):
        return f"It is one {words.arm}: there is nothing to mix"
    if alone.lower_bound > least:
        return f"If you can take only one: {_called(made, words, alone)}, {before}"
    best = int(np.argmax(made.believed))
    return (
        f"If you can take only one: no single {words.arm} has a useful promise, none above that of taking all "
        f"{_alike(made)}; most is to be expected of {_named(made, [best])}, about "
        f"{words.number(float(made.believed[best]))}"
    )


def _again(made: "Report", words: Words) -> str:
    data, left = made.data, shortlist(made.data, made.delta)
    if len(left) == 1:
        return f"Nothing need be tried again: {_named(made, left)} is the best, {odds(made.delta)}"
    seen, settle = pilot(data), "as far as the log tells they may all be alike"
    level = float(np.sqrt(np.mean(seen.level**2)))
    if tries := tries_to_tell(level, seen.spread, len(left), made.delta):
        apart = f"{rounded_off(100 * seen.spread)} percentage points" if words.percent else rounded_off(seen.spread)
        settle = f"about {tries:,} tries of each tell apart two that differ by {apart}, as they typically do"
    every = words.many(data.n_arms)
    few = f"none of the {every} is" if len(left) == data.n_arms else f"{len(left):,} of {every} are not"
    first = sorted(left, key=lambda arm: -made.believed[arm])[:NAMED]
    return f"To find the best, try again: {few} ruled out, most is to be expected of {_named(made, first)}; {settle}"


def why(made: "Report", words: Words = ARMS) -> str:
    """Why it is recommended, in one sentence that fits the policy recommended."""
    chosen = made.recommended
    if made.gain is not None:
        return "the difference to the baseline itself was judged"
    if made.data.n_arms == 1:
        return f"there is one {words.arm}, so there is nothing to choose"
    if chosen.confidence <= 0:
        return "its lower bound is the highest, but at this delta the bounds compared need not hold together"
    if chosen.support == 1 and not made.untold:
        return f"this one {words.arm} has the highest promise; no mixture that was tried promises more"
    if made.untold or made.stays or "cloning" in chosen.method or "reference" in chosen.method:
        given = "reference" in chosen.method and made.data.reference is not None
        place = "the reference that was given" if given else "the log's own proportions"
        return f"no improvement stands out from the noise, so the policy stays with {place}"
    shares = "a share grows with the mean and with the tries behind it"
    return f"this mixture has the highest promise, for any single {words.arm} is too uncertain; {shares}"


def assumption(made: "Report", words: Words) -> str:
    """What every promise rests on, in two sentences with the log's own nouns and numbers."""
    data, tries = made.data, "tries" if words.percent else plural(words.reward)
    arm, item, claim = _a(words.arm), _a(words.item), data.assumes.split(f", {COUNTS}")[0]
    if data.by_item:
        each = "every try is 0 or 1" if words.percent else claim.split(", items are")[0].replace("rewards", tries)
        like = f"the {plural(words.item)} are like those still to come, one telling nothing about another"
        met = f"Whether {arm} met {item} did not depend on how it fared there"
        return f"All of it assumes that {each}, and that {like}. {met}."
    claim = claim.replace("rewards are independent", f"{tries} are independent (one tells nothing about another)")
    claim = claim.replace("one reward", f"one {words.reward}")
    counted = f"How often {arm} was tried did not depend on how it fared (dropping some after failures would)"
    return f"All of it assumes that {claim}. {counted}, and each goes on as it was."


def _a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def method_rows(made: "Report", words: Words) -> list[tuple[list[str], str]]:
    """Of each policy its methods, how many arms, so far, expect and promise; and what the methods do.

    Promises are each method's alone, chosen before looking at the log; the recommended one's allows for having looked.
    """
    rows = []
    for names, one in made.choices:
        usual = not promised(one) or abs(one.confidence - (1 - made.delta)) < 1e-9
        least = words.bound(one.lower_bound) if promised(one) else "none"
        values = [words.number(float(one.weights @ made.data.means)), words.number(made.expected(one))]
        texts = [names, f"{one.support:,}", *values, least + ("" if usual else f" ({percent_sure(one.confidence)})")]
        rows.append((texts, "; ".join(GLOSSES[name] for name in names.split(", "))))
    return rows


class ArmRow(NamedTuple):
    """One arm as it is listed, and the numbers behind: share, mean, lower end and tries."""

    name: str
    texts: tuple[str, str, str, str]
    values: tuple[float, float, float, float]


def arm_rows(made: "Report", about: About, top: int) -> list[ArmRow]:
    """The arms played, heaviest first and at most ``top``, and of the others the ten with the best means; or all."""
    weights, data, words, untold = made.advised.weights, made.data, Words.of(made.data, about), made.untold
    low, high = arm_intervals(data, made.delta)
    heaviest, best = (np.argsort(-by, kind="stable") for by in (weights, data.means))
    played = [] if untold else heaviest[weights[heaviest] > 0].tolist()
    rest = (best if untold else best[weights[best] == 0]).tolist()
    rows = []
    for arm in played + rest if about.everything else played[: max(top, 0)] + rest[:OTHERS]:
        share, mean, least, count = (float(v[arm]) for v in (weights, data.means, low, data.counts))
        texts = (f"{100 * share:.3g} %", words.number(mean), words.interval(least, float(high[arm])), f"{count:,.0f}")
        rows.append(ArmRow(visible(name_of(data, arm)), texts, (share, mean, least, count)))
    return rows
