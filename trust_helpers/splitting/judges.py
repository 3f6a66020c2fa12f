"""Choose on one part of a log, judge on the other: one function for each kind of reward.

Each takes what is known of the log, the failure probability, the share of the samples that choose, and the generator
that deals them. Rewards in a range come scaled to [0, 1].
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from ..checks import Array
from ..errors import DataError
from ..quantiles import cantelli_factor, normal_quantile, student_quantile
from ..samples import Samples
from .choosing import Choice, Rehearsal, flat_choice, smooth_choice
from .judging import Bet, cantelli_width, make_bet, normal_width, pooled_proportion_bound, student_width, two_fold
from .parts import Coins, Counts, deal, deal_counts, fission, line_variances, reward_variance, split_successes, toss
from .posteriors import Guesses, coin_guesses, normal_guesses

__all__ = [
    "Judgement",
    "judge_bounded",
    "judge_bounded_twice",
    "judge_coins",
    "judge_coins_twice",
    "judge_deviation",
    "judge_gaussian",
    "judge_pooled",
]


REHEARSALS = 3


class Judgement(NamedTuple):
    """A mixture chosen on one part, what it earned on the other, the bound and what found it.

    >>> Judgement(np.array([1.0]), estimate=0.5, bound=0.25, judge="a bet").rescaled(1.0, 4.0).bound
    2.0
    """

    weights: Array
    estimate: float
    bound: float
    judge: str

    def rescaled(self, low: float, width: float) -> "Judgement":
        """The same for rewards in [low, low + width]."""
        return self._replace(estimate=low + width * self.estimate, bound=low + width * self.bound)


def judge_coins(successes: Counts, trials: Counts, delta: float, share: float, rng: Generator) -> Judgement:
    """0/1 rewards: a flat mixture, judged by Clopper and Pearson's bound for unequal means.

    >>> won, tried = np.array([90, 10]), np.array([100, 100])
    >>> made = judge_coins(won, tried, 0.1, 0.5, np.random.default_rng(0))
    >>> made.weights.tolist(), made.judge
    ([1.0, 0.0], "Clopper and Pearson's bound")
    """
    first, second = split_successes(successes, trials, share, rng)
    # a wider width than the judge's: the highest guesses are the most flattered
    weights = flat_choice(coin_guesses(*first), second.trials, delta / 2).weights
    return _pooled(weights, second, delta, "Clopper and Pearson's bound")


def _pooled(weights: Array, part: Coins, delta: float, judge: str) -> Judgement:
    played = weights > 0
    ones, trials = int(part.successes[played].sum()), int(part.trials[played].sum())
    return Judgement(weights, ones / trials, float(pooled_proportion_bound(ones, trials, delta)), judge)


def judge_coins_twice(successes: Counts, trials: Counts, delta: float, share: float, rng: Generator) -> Judgement:
    """0/1 rewards, both ways round at full delta: each part chooses a mixture that the other judges by a bet.

    >>> won, tried = np.array([90, 10]), np.array([100, 100])
    >>> made = judge_coins_twice(won, tried, 0.1, 0.5, np.random.default_rng(0))
    >>> bool(0.7 < made.bound < made.estimate), made.judge
    (True, 'two bets')
    """
    parts = split_successes(successes, trials, share, rng)
    bets = [_coin_bet(*pair, delta) for pair in (parts, parts[::-1])]
    bounds = [bet.from_counts(part.successes, delta) for bet, part in zip(bets, parts[::-1], strict=True)]
    return _joined(bets, bounds, successes / trials)


def _joined(bets: list[Bet], bounds: list[float], means: Array) -> Judgement:
    bound, shares = two_fold((bounds[0], bounds[1]), (bets[0].stake, bets[1].stake))
    weights = shares[0] * bets[0].weights + shares[1] * bets[1].weights
    return Judgement(weights, float(weights @ means), max(bound, 0.0), "two bets")


def _coin_bet(first: Coins, second: Coins, delta: float) -> Bet:
    guesses = coin_guesses(*first)
    means = guesses.middle  # never 0 or 1, as the points of the free fit's grid are not
    variance = means * (1 - means)
    weights = smooth_choice(guesses, second.trials / variance, sqrt(2 * log(1 / delta))).weights
    return make_bet(weights, second.trials, means, variance, delta)


def judge_bounded(samples: Samples, delta: float, share: float, rng: Generator) -> Judgement:
    """Rewards in [0, 1]: a smooth mixture judged by a bet, or a flat one by tossing a coin for every judging reward.

    A coin of chance X has the mean of X, so the tossed log is one of 0/1 rewards with the same means; its bound is
    exact, which outweighs the noise of the tosses unless rewards vary little. The first part decides.

    >>> rng, arm = np.random.default_rng(0), np.repeat([0, 1], 100)
    >>> log = Samples(arm, rng.beta([9, 1], [1, 9], (100, 2)).T.ravel(), np.array([100, 100]))
    >>> made = judge_bounded(log, 0.1, 0.5, rng)
    >>> made.weights.round(6).tolist(), bool(0.8 < made.bound < 0.9)
    ([1.0, 0.0], True)
    """
    first, second = deal(samples, deal_counts(samples.counts, share, rng), rng)
    plan = _plan(first, share, rng)
    smooth = _for_bet(plan, second.counts, delta)
    flat = _for_coins(plan, second.counts, delta, float(np.clip(smooth.predicted, 0.01, 0.99)))
    if flat.predicted >= smooth.predicted:
        return _pooled(flat.weights, toss(second, rng), delta, "Clopper and Pearson's bound on tossed coins")
    bet = make_bet(smooth.weights, second.counts, plan.guessed, plan.variances, delta)
    bound = max(bet.from_samples(second.arm, second.reward, delta), 0.0)
    return Judgement(bet.weights, float(bet.weights @ second.means), bound, "a bet")


def judge_bounded_twice(samples: Samples, delta: float, share: float, rng: Generator) -> Judgement:
    """Rewards in [0, 1], both ways round at full delta: each part chooses a mixture that the other judges by a bet.

    >>> rng, arm = np.random.default_rng(0), np.repeat([0, 1], 100)
    >>> log = Samples(arm, rng.beta([9, 1], [1, 9], (100, 2)).T.ravel(), np.array([100, 100]))
    >>> made = judge_bounded_twice(log, 0.1, 0.5, rng)
    >>> made.judge, bool(0.8 < made.bound < 0.9)
    ('two bets', True)
    """
    parts = deal(samples, deal_counts(samples.counts, share, rng), rng)
    bets = []
    for chooses, judges in (parts, parts[::-1]):
        plan = _plan(chooses, share, rng)
        weights = _for_bet(plan, judges.counts, delta).weights
        bets.append(make_bet(weights, judges.counts, plan.guessed, plan.variances, delta))
    bounds = [bet.from_samples(part.arm, part.reward, delta) for bet, part in zip(bets, parts[::-1], strict=True)]
    return _joined(bets, bounds, samples.means)


class _Plan(NamedTuple):
    """All that the choosing part says of rewards in [0, 1]."""

    guesses: Guesses
    variances: Array
    rehearsals: list[Rehearsal]

    @property
    def guessed(self) -> Array:
        """The middle of the two guesses, above 0; guesses are averages of rewards, and no larger."""
        return np.maximum(self.guesses.middle, 1e-6)


def _plan(part: Samples, share: float, rng: Generator) -> _Plan:
    level = reward_variance(part)
    means, precision = part.means, part.counts / level
    guesses = normal_guesses(means, precision)
    return _Plan(guesses, line_variances(part, guesses.middle, level), _rehearse(means, precision, share, rng))


def _for_bet(plan: _Plan, counts: Counts, delta: float) -> Choice:
    return smooth_choice(plan.guesses, counts / plan.variances, sqrt(2 * log(1 / delta)), plan.rehearsals)


def _for_coins(plan: _Plan, counts: Counts, delta: float, value: float) -> Choice:
    """A flat mixture, for a judge whose width is about that of so many coins of a chance near ``value``."""
    precision = counts / (value * (1 - value))
    return smooth_choice(plan.guesses, precision, normal_quantile(delta), plan.rehearsals, flat=True)


def _choose(means: Array, precision: Array, judging: Array, factor: float, share: float, rng: Generator) -> Choice:
    """The mixture for averages of some precision, to be judged by others, after a few rehearsals."""
    guesses = normal_guesses(means, precision)
    return smooth_choice(guesses, judging, factor, _rehearse(means, precision, share, rng))


def _rehearse(means: Array, precision: Array, share: float, rng: Generator) -> list[Rehearsal]:
    """Fissions of the choosing part; an arm without a sample there has nothing to rehearse."""
    known = precision > 0
    deviation = 1 / np.sqrt(np.where(known, precision, 1.0))
    rehearsals = []
    for _ in range(REHEARSALS):
        first, second = fission(means, deviation, share, rng)
        guesses = normal_guesses(first, share * precision)
        rehearsals.append(Rehearsal(guesses, np.where(known, second, guesses.parametric)))
    return rehearsals


def judge_gaussian(means: Array, counts: Counts, sigma: Array, delta: float, share: float, rng: Generator) -> Judgement:
    """Gaussian rewards of known level: fission of the averages, judged by the normal quantile.

    >>> means, counts, rng = np.array([1.0, 0.0]), np.array([100, 100]), np.random.default_rng(0)
    >>> made = judge_gaussian(means, counts, np.ones(2), 0.1, 0.5, rng)
    >>> made.weights.tolist(), bool(made.bound < made.estimate)
    ([1.0, 0.0], True)
    """
    deviation = sigma / np.sqrt(counts)
    first, second = fission(means, deviation, share, rng)
    factor = normal_quantile(delta)
    weights = _choose(first, share / deviation**2, (1 - share) / deviation**2, factor, share, rng).weights
    estimate = float(weights @ second)
    width = normal_width(weights, counts, sigma / sqrt(1 - share), delta)
    return Judgement(weights, estimate, estimate - width, "the normal quantile")


def judge_pooled(samples: Samples, delta: float, share: float, rng: Generator) -> Judgement:
    """Gaussian rewards of one unknown level: samples dealt one by one, judged by Student's quantile.

    The level comes from the residuals of the judging part alone; those of the first part have chosen.

    >>> rng, arm = np.random.default_rng(0), np.repeat([0, 1], 50)
    >>> judge_pooled(Samples(arm, rng.normal(1 - arm), np.array([50, 50])), 0.1, 0.5, rng).judge
    "Student's quantile"
    """
    first, second = deal(samples, rng.binomial(samples.counts, share), rng)
    if not second.spare:
        raise DataError("no arm has two samples left to judge with: the noise level cannot be estimated there")
    variance, factor = reward_variance(first), student_quantile(second.spare, delta)
    weights = _choose(first.means, first.counts / variance, second.counts / variance, factor, share, rng).weights
    estimate, level = float(weights @ second.means), sqrt(second.residual_variance)
    width = student_width(weights, second.counts, level, second.spare, delta)
    return Judgement(weights, estimate, estimate - width, "Student's quantile")


def judge_deviation(samples: Samples, sigma: Array, delta: float, share: float, rng: Generator) -> Judgement:
    """Rewards of which only the largest standard deviation is known: judged by Cantelli's inequality.

    >>> rng, arm = np.random.default_rng(0), np.repeat([0, 1], 50)
    >>> log = Samples(arm, rng.normal(1 - arm), np.array([50, 50]))
    >>> judge_deviation(log, np.ones(2), 0.1, 0.5, rng).judge
    "Cantelli's inequality"
    """
    first, second = deal(samples, deal_counts(samples.counts, share, rng), rng)
    factor = cantelli_factor(delta)
    weights = _choose(first.means, first.counts / sigma**2, second.counts / sigma**2, factor, share, rng).weights
    estimate = float(weights @ second.means)
    width = cantelli_width(weights, second.counts, sigma, delta)
    return Judgement(weights, estimate, estimate - width, "Cantelli's inequality")
