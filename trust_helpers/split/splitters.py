"""How a log is split under each assumption: its stream of random numbers, and what one deal with them says.

Arms are put in the order of what was seen of them, so that the order in which they came changes nothing. Each deal is
judged both ways round. With a ``baseline``, an arm's number, what is judged is the mixture's value less that arm's: the
mixture leaves the arm out, and the arm's rewards, turned round within their range, are judged with weight 1 beside it.
With ``fixed`` weights nothing is chosen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ..checks import Array
from ..errors import DataError
from ..samples import Samples
from .choose import choose
from .judge import Bet, Judged, judge_deviations, make_bet
from .parts import (
    Counts,
    by_what_was_seen,
    deal,
    deal_counts,
    deal_items,
    fission,
    line_variances,
    reward_variance,
    seen_of_samples,
    split_successes,
    stream_of,
)
from .posteriors import Guesses, coin_guesses, normal_guesses

__all__ = ["Aim", "Splitter", "split_coins", "split_deviation", "split_gaussian", "split_pooled", "split_range"]

CAUTION = 1.5  # the judge's width, as the choice expects it, is so much wider: the highest guesses are flattered
SPARE = 2  # samples beyond the first of each arm without which a part cannot judge by Student's distribution


@dataclass(frozen=True, eq=False)
class Aim:
    """What is judged, at which failure probability, with which seed."""

    delta: float
    seed: int = 0
    baseline: int | None = None
    fixed: Array | None = None

    def in_order(self, order: NDArray[np.intp]) -> "Aim":
        """The same where the arms come in this order."""
        baseline = None if self.baseline is None else int(np.flatnonzero(order == self.baseline)[0])
        return replace(self, baseline=baseline, fixed=None if self.fixed is None else self.fixed[order])

    def hidden(self, counts: NDArray) -> NDArray:
        """The counts of the arms that may be chosen: the baseline's is zero."""
        shown = np.array(counts)
        if self.baseline is not None:
            shown[self.baseline] = 0
        return shown

    def pick(self, guesses: Guesses, counts: NDArray, variances: Array, factor: float, common: float = 0.0) -> Array:
        """The mixture to judge, where ``counts`` samples of these variances do."""
        if self.fixed is not None:
            return self.fixed
        if self.baseline is not None:
            common += float(variances[self.baseline] / max(counts[self.baseline], 1e-9))
        return choose(guesses, self.hidden(counts), variances, factor, common)

    def joined(self, weights: Array) -> Array:
        """The weights of all that is judged: the mixture's, and 1 for the baseline."""
        both = weights.copy()
        if self.baseline is not None:
            both[self.baseline] += 1.0
        return both

    def judged(self, weights: Array, made: Judged, turned: float) -> Judged:
        """What was judged, told of the mixture; the baseline's rewards were turned round as ``turned`` less them."""
        less = 0.0 if self.baseline is None else turned
        return made._replace(weights=weights, value=made.value - less, earned=made.earned - less)


@dataclass(frozen=True, eq=False)
class Splitter:
    """The random numbers of a log, what one deal with them says, and in which order it has the arms."""

    rng: Generator
    judge: Callable[[Generator], list[Judged]]
    order: NDArray[np.intp]

    def deal(self) -> list[Judged]:
        """One more deal of the log, judged both ways round, with the weights in the log's own order."""
        back = np.argsort(self.order)
        return [one._replace(weights=one.weights[back]) for one in self.judge(self.rng)]


def split_coins(successes: Counts, trials: Counts, aim: Aim) -> Splitter:
    """0/1 rewards, by successes and trials, judged by bets."""
    order, seen = by_what_was_seen(successes, trials)
    won, tried, aim = successes[order], trials[order], aim.in_order(order)
    if aim.baseline is not None:
        won = won.copy()
        won[aim.baseline] = tried[aim.baseline] - won[aim.baseline]

    def judge(rng: Generator) -> list[Judged]:
        parts = split_successes(won, tried, rng)
        return [one for i in (0, 1) if (one := _coin_bet(parts[i], parts[1 - i], aim))]

    return Splitter(stream_of(aim.seed, seen), judge, order)


def _coin_bet(chooses: tuple[Counts, Counts], judges: tuple[Counts, Counts], aim: Aim) -> Judged | None:
    (won, tried), (successes, trials) = chooses, judges
    if not _can_judge(trials, aim):
        return None
    shown = aim.hidden(tried)
    guesses = coin_guesses(np.minimum(won, shown), shown)
    means = _with_baseline(guesses.middle, (won + 1) / (tried + 2), aim)
    variances = means * (1 - means)  # the means are never 0 or 1, as the points of the free fit's grid are not
    weights = aim.pick(guesses, trials, variances, CAUTION * sqrt(2 * log(1 / aim.delta)))
    both = aim.joined(weights)
    bet = make_bet(both, trials, means, variances, aim.delta)
    earned = float(both @ (successes / np.maximum(trials, 1)))
    return aim.judged(weights, Judged(both, bet.stake, bet.from_counts(successes), earned), 1.0)


def _can_judge(counts: Counts, aim: Aim) -> bool:
    """Whether the part has samples of what it must judge; it depends on counts alone."""
    if aim.fixed is not None:
        return bool((counts[aim.fixed > 0] > 0).all())
    return bool(aim.hidden(counts).any()) and (aim.baseline is None or bool(counts[aim.baseline] > 0))


def _with_baseline(means: Array, own: Array, aim: Aim) -> Array:
    """The guesses, and for the baseline, which was hidden, its own average."""
    if aim.baseline is None:
        return means
    means = means.copy()
    means[aim.baseline] = own[aim.baseline]
    return means


def split_range(samples: Samples, low: float, width: float, aim: Aim) -> Splitter:
    """Rewards in an interval of this width, judged by bets, item by item where arms met the same items."""
    ordered, aim, order, seen = _in_order(samples, aim)
    scaled = (ordered.reward - low) / width  # bets are made in [0, 1]
    ordered = replace(ordered, reward=np.where(ordered.arm == aim.baseline, 1 - scaled, scaled))
    start = low if aim.baseline is None else 0.0

    def judge(rng: Generator) -> list[Judged]:
        parts = _two_parts(ordered, rng)
        made = [one for i in (0, 1) if (one := _range_bet(parts[i], parts[1 - i], aim))]
        return [one.rescaled(start, width) for one in made]

    return Splitter(stream_of(aim.seed, seen), judge, order)


def _two_parts(samples: Samples, rng: Generator) -> tuple[Samples, Samples]:
    return deal(samples, deal_counts(samples.counts, rng), rng) if samples.item is None else deal_items(samples, rng)


def _in_order(samples: Samples, aim: Aim) -> tuple[Samples, Aim, NDArray[np.intp], NDArray[np.uint64]]:
    """The samples with arms, and the rewards within an arm, in the order of what was seen."""
    order, seen = by_what_was_seen(seen_of_samples(samples), samples.counts)
    arm = np.argsort(order)[samples.arm]
    rows = np.lexsort((samples.reward, arm) if samples.item is None else (samples.reward, samples.item, arm))
    item = None if samples.item is None else samples.item[rows]
    return Samples(arm[rows], samples.reward[rows], samples.counts[order], item), aim.in_order(order), order, seen


def _range_bet(chooses: Samples, judges: Samples, aim: Aim) -> Judged | None:
    if not _can_judge(judges.counts, aim):
        return None
    shown = chooses.without(aim.baseline).centred()
    level = reward_variance(shown)
    guesses = normal_guesses(shown.means, shown.counts / level)
    own = (chooses.means * chooses.counts + 0.5) / (chooses.counts + 1)
    means = np.clip(_with_baseline(guesses.middle, own, aim), 1e-6, 1.0)
    variances = line_variances(shown, means, level)
    common = shown.item_variance / max(judges.n_items, 1)
    weights = aim.pick(guesses, judges.counts, variances, CAUTION * sqrt(2 * log(1 / aim.delta)), common)
    both = aim.joined(weights)
    if judges.item is None:
        bet = make_bet(both, judges.counts, means, variances, aim.delta)
    else:
        bet = _item_bet(both, chooses, judges, means, aim.delta)
    made = Judged(both, bet.stake, bet.from_samples(judges), float(both @ judges.means))
    return aim.judged(weights, made, 1.0)


def _item_bet(weights: Array, chooses: Samples, judges: Samples, means: Array, delta: float) -> Bet:
    """A bet on the mixture's score on each item: its stake is that of a bet on one arm with these scores."""
    scores = chooses.item_scores(weights)
    mean, variance = float(np.clip(scores.mean(), 1e-3, None)), max(float(scores.var()), 1e-3)
    one = np.ones(1)
    alone = make_bet(one, np.array([judges.n_items]), mean * one, variance * one, delta)
    guesses = means * float(alone.guesses[0] / (weights @ means))
    staked = np.bincount(judges.items, (weights / np.maximum(judges.counts, 1) * guesses)[judges.arm])
    stake = min(alone.stake, 0.95 / float(staked.max()))  # no item may lose all: it depends on counts alone
    return Bet(weights, judges.counts, guesses, stake)


def split_gaussian(
    means: Array, counts: Counts, sigma: Array, samples: Samples | None, aim: Aim, factor: float
) -> Splitter:
    """Gaussian rewards of known level: the averages are taken apart, which needs no samples."""
    logged = means if samples is None else seen_of_samples(samples)  # averages hang on the order of rows by rounding
    order, seen = by_what_was_seen(logged, counts, sigma)
    aim, deviation = aim.in_order(order), (sigma / np.sqrt(counts))[order]
    centre = float(means.mean())  # far from zero, differences would lose their digits
    around = _turned(means[order] - centre, aim)
    precision, deviations = 1 / deviation**2 / 2, deviation * sqrt(2)

    def judge(rng: Generator) -> list[Judged]:
        parts = fission(around, deviation, rng)
        made = [_by_averages(parts[i], precision, parts[1 - i], precision, deviations, factor, aim) for i in (0, 1)]
        shift = centre if aim.baseline is None else 0.0
        return [one._replace(value=one.value + shift, earned=one.earned + shift) for one in made]

    return Splitter(stream_of(aim.seed, seen), judge, order)


def _turned(means: Array, aim: Aim) -> Array:
    """The averages, with minus the baseline's."""
    turned = means.copy()
    if aim.baseline is not None:
        turned[aim.baseline] *= -1
    return turned


def _by_averages(
    means: Array, precision: Array, judges: Array, judging: Array, deviations: Array, factor: float, aim: Aim
) -> Judged:
    """A mixture chosen by averages of some precision, and judged by others of these deviations."""
    guesses = normal_guesses(means, aim.hidden(precision))
    weights = aim.pick(guesses, judging, np.ones(judging.size), CAUTION * factor)
    return judge_deviations(aim.joined(weights), judges, deviations)._replace(weights=weights)


def split_pooled(samples: Samples, aim: Aim, factor: Callable[[float], float]) -> Splitter:
    """Gaussian rewards of one unknown level, which the judging part estimates from its own repeats."""

    def judge(chooses: Samples, judges: Samples, inner: Aim) -> Judged | None:
        if judges.spare < SPARE or not _can_judge(judges.counts, inner):
            return None
        level = sqrt(judges.residual_variance)
        if level == 0:
            raise DataError("the repeats that should judge are all alike: they say nothing of the noise level")
        made = _by_deviation(chooses, judges, reward_variance(chooses), level, factor(judges.spare), inner)
        return made._replace(spare=judges.spare)

    return _by_sample(samples, aim, judge, lambda counts, rng: rng.binomial(counts, 0.5))  # so that some repeat


def split_deviation(samples: Samples, sigma: float, aim: Aim, factor: float) -> Splitter:
    """Rewards of which only the largest standard deviation is known."""

    def judge(chooses: Samples, judges: Samples, inner: Aim) -> Judged | None:
        if not _can_judge(judges.counts, inner):
            return None
        return _by_deviation(chooses, judges, sigma**2, sigma, factor, inner)

    return _by_sample(samples, aim, judge, deal_counts)


def _by_sample(
    samples: Samples,
    aim: Aim,
    judge: Callable[[Samples, Samples, Aim], Judged | None],
    first: Callable[[Counts, Generator], Counts],
) -> Splitter:
    """Samples dealt one by one, and judged by averages."""
    ordered, inner, order, seen = _in_order(samples, aim)
    centre = float(ordered.reward.mean())
    around = replace(ordered, reward=_sign(ordered, inner) * (ordered.reward - centre))
    shift = centre if aim.baseline is None else 0.0

    def both(rng: Generator) -> list[Judged]:
        parts = deal(around, first(around.counts, rng), rng)
        made = [one for i in (0, 1) if (one := judge(parts[i], parts[1 - i], inner))]
        return [one._replace(value=one.value + shift, earned=one.earned + shift) for one in made]

    return Splitter(stream_of(aim.seed, seen), both, order)


def _sign(samples: Samples, aim: Aim) -> Array:
    """Minus one for the baseline's rewards."""
    return np.where(samples.arm == aim.baseline, -1.0, 1.0)


def _by_deviation(chooses: Samples, judges: Samples, variance: float, level: float, factor: float, aim: Aim) -> Judged:
    deviations = level / np.sqrt(np.maximum(judges.counts, 1))
    known, judging = chooses.counts / variance, judges.counts / variance
    return _by_averages(chooses.means, known, judges.means, judging, deviations, factor, aim)
