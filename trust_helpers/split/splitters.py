"""How a log is split under each assumption: its stream of random numbers, and what one deal with them says.

Arms are put in the order of what was seen of them, so that the order in which they came changes nothing. Each deal is
judged both ways round. With a baseline, what is judged is the mixture's value less that arm's: the mixture leaves the
arm out, and the arm's rewards, turned round within their range, are judged with weight 1 beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ..checks import Array
from ..errors import DataError
from ..samples import Samples
from .choose import choose
from .judge import Bet, Judged, judge_deviations, make_bet
from .parts import (
    Coins,
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
    """What is judged, at which failure probability, with which seed.

    ``beside`` is 1 for a baseline and 0 for every other arm; with ``fixed`` weights nothing is chosen.
    """

    delta: float
    seed: int
    beside: Array
    fixed: Array | None = None

    def hidden(self, counts: NDArray) -> NDArray:
        """The counts of the arms that may be chosen: the baseline's is zero."""
        return np.where(self.beside > 0, 0, counts)

    def turned(self, values: Array, arm: NDArray[np.intp] | slice = slice(None)) -> Array:
        """The values of the arms, with minus the baseline's."""
        return values * (1 - 2 * self.beside[arm])

    def origin(self, low: float) -> float:
        """What values are counted from; a difference of two arms is the same from anywhere."""
        return 0.0 if self.beside.any() else low

    def can_be_judged(self, counts: Counts) -> bool:
        """Whether a part has samples of what it must judge; it depends on counts alone."""
        needed = self.beside if self.fixed is None else self.fixed
        return bool((counts[needed > 0] > 0).all() and self.hidden(counts).any())

    def with_baseline(self, means: Array, own: Array) -> Array:
        """The guesses, and for the baseline, which was hidden, its own average."""
        return np.where(self.beside > 0, own, means)

    def pick(self, guesses: Guesses, counts: NDArray, variances: Array, factor: float, common: float = 0.0) -> Array:
        """The mixture to judge, where ``counts`` samples of these variances do."""
        if self.fixed is not None:
            return self.fixed
        common += float(self.beside @ (variances / np.maximum(counts, 1e-9)))
        return choose(guesses, self.hidden(counts), variances, CAUTION * factor, common)


@dataclass(frozen=True, eq=False)
class Splitter:
    """The random numbers of a log, how they part it, and what one part says of the mixture that the other chose.

    ``order`` is the one in which the parts have the arms; their rewards are ``width`` times smaller than the log's,
    counted from ``origin``. A part that cannot judge says None.
    """

    rng: Generator
    order: NDArray[np.intp]
    part: Callable[[Generator], tuple[Any, Any]]
    judge: Callable[[Any, Any], Judged | None]
    origin: float = 0.0
    width: float = 1.0

    def deal(self) -> list[Judged]:
        """One more deal of the log, judged both ways round, with the weights in the log's own order."""
        one, other = self.part(self.rng)
        judged, back = (self.judge(one, other), self.judge(other, one)), np.argsort(self.order)
        return [made._replace(weights=made.weights[back]).rescaled(self.origin, self.width) for made in judged if made]


def _ordered(aim: Aim, *columns: NDArray) -> tuple[Generator, NDArray[np.intp], Aim]:
    """The log's random numbers, the arms in the order of what was seen of them, and the aim in that order."""
    order, seen = by_what_was_seen(*columns)
    fixed = None if aim.fixed is None else aim.fixed[order]
    return stream_of(aim.seed, seen), order, replace(aim, beside=aim.beside[order], fixed=fixed)


def _samples_ordered(aim: Aim, samples: Samples) -> tuple[Generator, NDArray[np.intp], Aim, Samples]:
    """The same, and the samples with arms, and the rewards within an arm, in the order of what was seen."""
    rng, order, aim = _ordered(aim, seen_of_samples(samples), samples.counts)
    arm = np.argsort(order)[samples.arm]
    rows = np.lexsort((samples.reward, arm) if samples.item is None else (samples.reward, samples.item, arm))
    item = None if samples.item is None else samples.item[rows]
    return rng, order, aim, Samples(arm[rows], samples.reward[rows], samples.counts[order], item)


def split_coins(successes: Counts, trials: Counts, aim: Aim) -> Splitter:
    """0/1 rewards, by successes and trials, judged by bets."""
    rng, order, aim = _ordered(aim, successes, trials)
    tried = trials[order]
    won = np.where(aim.beside > 0, tried - successes[order], successes[order])
    return Splitter(rng, order, lambda rng: split_successes(won, tried, rng), partial(_coin_bet, aim))


def _coin_bet(aim: Aim, chooses: Coins, judges: Coins) -> Judged | None:
    (won, tried), (successes, trials) = chooses, judges
    if not aim.can_be_judged(trials):
        return None
    shown = aim.hidden(tried)
    guesses = coin_guesses(np.minimum(won, shown), shown)
    means = aim.with_baseline(guesses.middle, (won + 1) / (tried + 2))
    variances = means * (1 - means)  # the means are never 0 or 1, as the points of the free fit's grid are not
    weights = aim.pick(guesses, trials, variances, sqrt(2 * log(1 / aim.delta)))
    bet = make_bet(weights + aim.beside, trials, means, variances, aim.delta)
    return _won(aim, weights, bet, bet.from_counts(successes), successes / np.maximum(trials, 1))


def _won(aim: Aim, weights: Array, bet: Bet, value: float, means: Array) -> Judged:
    """What a bet on a mixture won; the baseline's rewards x were turned round as 1 - x."""
    turned = aim.beside.sum()
    return Judged(weights, bet.stake, value - turned, float(bet.weights @ means) - turned)


def split_range(samples: Samples, low: float, width: float, aim: Aim) -> Splitter:
    """Rewards in an interval of this width, judged by bets, item by item where arms met the same items."""
    rng, order, aim, ordered = _samples_ordered(aim, samples)
    scaled = (ordered.reward - low) / width  # bets are made in [0, 1]
    ordered = replace(ordered, reward=np.where(aim.beside[ordered.arm] > 0, 1 - scaled, scaled))

    def part(rng: Generator) -> tuple[Samples, Samples]:
        return (
            deal(ordered, deal_counts(ordered.counts, rng), rng) if ordered.item is None else deal_items(ordered, rng)
        )

    return Splitter(rng, order, part, partial(_range_bet, aim), aim.origin(low), width)


def _range_bet(aim: Aim, chooses: Samples, judges: Samples) -> Judged | None:
    if not aim.can_be_judged(judges.counts):
        return None
    shown = chooses.part(aim.beside[chooses.arm] == 0).centred()
    level = reward_variance(shown)
    guesses = normal_guesses(shown.means, shown.counts / level)
    own = (chooses.means * chooses.counts + 0.5) / (chooses.counts + 1)
    means = np.clip(aim.with_baseline(guesses.middle, own), 1e-6, 1.0)
    variances = line_variances(shown, means, level)
    common = shown.item_variance / max(judges.n_items, 1)
    weights = aim.pick(guesses, judges.counts, variances, sqrt(2 * log(1 / aim.delta)), common)
    if judges.item is None:
        bet = make_bet(weights + aim.beside, judges.counts, means, variances, aim.delta)
    else:
        bet = _item_bet(weights + aim.beside, chooses, judges, means, aim.delta)
    return _won(aim, weights, bet, bet.from_samples(judges), judges.means)


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
    rng, order, aim = _ordered(aim, logged, counts, sigma)
    centre = float(means.mean())  # far from zero, differences would lose their digits
    around, deviation = aim.turned(means[order] - centre), (sigma / np.sqrt(counts))[order]
    precision, deviations = 1 / deviation**2 / 2, deviation * sqrt(2)

    def judge(chooses: Array, judges: Array) -> Judged:
        return _by_averages(aim, chooses, precision, judges, precision, deviations, factor)

    return Splitter(rng, order, lambda rng: fission(around, deviation, rng), judge, aim.origin(centre))


def _by_averages(
    aim: Aim, means: Array, precision: Array, judges: Array, judging: Array, deviations: Array, factor: float
) -> Judged:
    """A mixture chosen by averages of some precision, and judged by others of these deviations."""
    guesses = normal_guesses(means, aim.hidden(precision))
    weights = aim.pick(guesses, judging, np.ones(judging.size), factor)
    return judge_deviations(weights + aim.beside, judges, deviations)._replace(weights=weights)


def split_pooled(samples: Samples, aim: Aim, factor: Callable[[float], float]) -> Splitter:
    """Gaussian rewards of one unknown level, which the judging part estimates from its own repeats."""

    def judge(aim: Aim, chooses: Samples, judges: Samples) -> Judged | None:
        if judges.spare < SPARE or not aim.can_be_judged(judges.counts):
            return None
        level = sqrt(judges.residual_variance)
        if level == 0:
            raise DataError("the repeats that should judge are all alike: they say nothing of the noise level")
        made = _by_deviation(aim, chooses, judges, reward_variance(chooses), level, factor(judges.spare))
        return made._replace(spare=judges.spare)

    return _by_sample(samples, aim, judge, lambda counts, rng: rng.binomial(counts, 0.5))  # so that some repeat


def split_deviation(samples: Samples, sigma: float, aim: Aim, factor: float) -> Splitter:
    """Rewards of which only the largest standard deviation is known."""

    def judge(aim: Aim, chooses: Samples, judges: Samples) -> Judged | None:
        able = aim.can_be_judged(judges.counts)
        return _by_deviation(aim, chooses, judges, sigma**2, sigma, factor) if able else None

    return _by_sample(samples, aim, judge, deal_counts)


def _by_sample(
    samples: Samples,
    aim: Aim,
    judge: Callable[[Aim, Samples, Samples], Judged | None],
    first: Callable[[Counts, Generator], Counts],
) -> Splitter:
    """Samples dealt one by one, and judged by averages."""
    rng, order, aim, ordered = _samples_ordered(aim, samples)
    centre = float(ordered.reward.mean())
    around = replace(ordered, reward=aim.turned(ordered.reward - centre, ordered.arm))
    return Splitter(
        rng, order, lambda rng: deal(around, first(around.counts, rng), rng), partial(judge, aim), aim.origin(centre)
    )


def _by_deviation(aim: Aim, chooses: Samples, judges: Samples, variance: float, level: float, factor: float) -> Judged:
    deviations = level / np.sqrt(np.maximum(judges.counts, 1))
    known, judging = chooses.counts / variance, judges.counts / variance
    return _by_averages(aim, chooses.means, known, judges.means, judging, deviations, factor)
