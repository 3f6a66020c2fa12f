"""Each judge against its own two parts, dealt again from the same seed: the first chooses, the second judges."""

import numpy as np
import pytest

from trust_helpers import DataError
from trust_helpers.samples import Samples
from trust_helpers.splitting import judges
from trust_helpers.splitting.choosing import flat_choice, smooth_choice
from trust_helpers.splitting.judges import (
    Judgement,
    judge_bounded,
    judge_bounded_twice,
    judge_coins,
    judge_coins_twice,
    judge_deviation,
    judge_gaussian,
    judge_pooled,
)
from trust_helpers.splitting.judging import Bet, cantelli_width, normal_width, pooled_proportion_bound, student_width
from trust_helpers.splitting.parts import deal, deal_counts, fission, split_successes
from trust_helpers.splitting.posteriors import coin_guesses

DELTA, SHARE, SEED = 0.1, 0.4, 5


def rng():
    return np.random.default_rng(SEED)


def samples(low=0.0, scale=1.0):
    """Twenty arms of rising worth, twelve rewards each."""
    arm = np.repeat(np.arange(20), 12)
    reward = low + scale * np.random.default_rng(1).beta(1 + arm / 5, 2)
    return Samples(arm, reward, np.bincount(arm))


def test_coins_are_judged_by_those_of_the_second_part():
    ones, trials = np.arange(0, 40, 2), np.full(20, 40)
    made = judge_coins(ones, trials, DELTA, SHARE, rng())
    _, second = split_successes(ones, trials, SHARE, rng())
    played = made.weights > 0
    won, tried = second.successes[played].sum(), second.trials[played].sum()
    assert made.estimate == won / tried
    assert made.bound == pooled_proportion_bound(won, tried, DELTA)
    np.testing.assert_allclose(made.weights[played], second.trials[played] / tried)


def test_gaussian_means_are_judged_by_the_other_half_of_a_fission():
    means, counts, sigma = np.linspace(0, 2, 20), np.arange(1, 21), np.linspace(0.5, 1.5, 20)
    made = judge_gaussian(means, counts, sigma, DELTA, SHARE, rng())
    _, second = fission(means, sigma / np.sqrt(counts), SHARE, rng())
    assert made.estimate == made.weights @ second
    width = normal_width(made.weights, counts, sigma / np.sqrt(1 - SHARE), DELTA)
    assert made.bound == pytest.approx(made.estimate - width, rel=1e-12)


def test_an_unknown_level_is_estimated_on_the_second_part():
    log = samples()
    made = judge_pooled(log, DELTA, SHARE, rng())
    again = rng()
    _, second = deal(log, again.binomial(log.counts, SHARE), again)
    assert made.estimate == made.weights @ second.means
    level = np.sqrt(second.residual_variance)
    width = student_width(made.weights, second.counts, level, second.spare, DELTA)
    assert made.bound == pytest.approx(made.estimate - width, rel=1e-12)


def test_a_deviation_is_judged_by_cantelli():
    log = samples()
    made = judge_deviation(log, np.full(20, 0.3), DELTA, SHARE, rng())
    again = rng()
    _, second = deal(log, deal_counts(log.counts, SHARE, again), again)
    assert made.estimate == made.weights @ second.means
    assert made.bound == pytest.approx(made.estimate - cantelli_width(made.weights, second.counts, 0.3, DELTA))


def test_two_bets_are_worth_what_their_mixture_earned_on_the_whole_log():
    ones, trials = np.arange(0, 40, 2), np.full(20, 40)
    coins = judge_coins_twice(ones, trials, DELTA, SHARE, rng())
    assert coins.estimate == pytest.approx(coins.weights @ (ones / trials))
    log = samples()
    bounded = judge_bounded_twice(log, DELTA, SHARE, rng())
    assert bounded.estimate == pytest.approx(bounded.weights @ (np.bincount(log.arm, log.reward) / log.counts))
    for made in (coins, bounded):
        assert made.judge == "two bets"
        assert 0.3 < made.bound < made.estimate


def test_two_bets_are_joined_by_their_stakes():
    # a quarter and three quarters of two arms, of their bounds and of what they earned; and no promise below the range
    one, other = (Bet(np.eye(2)[i], np.array([4, 4]), np.full(2, 0.5), stake) for i, stake in ((0, 1.0), (1, 3.0)))
    made = judges._joined([one, other], [0.2, 0.5], np.array([0.4, 0.8]))
    assert made.weights.tolist() == [0.25, 0.75]
    assert (made.bound, made.estimate) == pytest.approx((0.425, 0.7))
    assert judges._joined([one, other], [-0.2, -0.5], np.array([0.4, 0.8])).bound == 0


@pytest.mark.parametrize(
    ("spread", "judge"), [(0.02, "a bet"), (1.0, "Clopper and Pearson's bound on tossed coins")], ids=["little", "much"]
)
def test_rewards_that_vary_little_are_not_tossed(spread, judge):
    arm = np.repeat(np.arange(20), 120)
    draws = np.random.default_rng(1).random(arm.size)
    reward = np.where(spread == 1, draws < arm / 20, 0.5 + 0.4 * (arm / 20) + spread * (draws - 0.5))
    made = judge_bounded(Samples(arm, reward.astype(float), np.bincount(arm)), DELTA, 0.5, rng())
    assert made.judge == judge
    assert made.weights.sum() == pytest.approx(1)
    assert 0.8 < made.bound <= made.estimate


def test_no_promise_is_below_the_range():
    log = Samples(np.array([0, 0, 1, 1]), np.zeros(4), np.array([2, 2]))
    for judge in (judge_bounded, judge_bounded_twice):
        assert judge(log, DELTA, 0.5, rng()).bound == 0
    assert judge_coins_twice(np.zeros(2, int), np.array([2, 2]), DELTA, 0.5, rng()).bound == 0


def test_without_a_repeat_in_the_second_part_there_is_no_level():
    with pytest.raises(DataError, match="the noise level cannot be estimated there"):
        judge_pooled(Samples(np.array([0, 1, 2]), np.zeros(3), np.ones(3, int)), DELTA, SHARE, rng())


def test_a_range_is_scaled_back():
    made = Judgement(np.ones(1), 0.5, 0.25, "a bet").rescaled(1.0, 4.0)
    assert (made.estimate, made.bound, made.judge) == (3.0, 2.0, "a bet")


def test_judges_take_plain_arrays():
    assert judge_coins(np.array([3, 0]), np.array([4, 4]), DELTA, 0.5, rng()).bound >= 0
    assert judge_gaussian(np.zeros(3), np.ones(3, dtype=int), np.ones(3), DELTA, 0.5, rng()).bound < 3


UNITS = {
    "gaussian": lambda c: judge_gaussian(
        c * np.linspace(0, 2, 20), np.arange(1, 21), c * np.full(20, 2.0), DELTA, SHARE, rng()
    ),
    "pooled": lambda c: judge_pooled(samples(scale=c), DELTA, SHARE, rng()),
    "deviation": lambda c: judge_deviation(samples(scale=c), np.full(20, 0.3 * c), DELTA, SHARE, rng()),
}


@pytest.mark.parametrize("law", UNITS)
def test_another_unit_chooses_the_same_mixture(law):
    made, scaled = (UNITS[law](c) for c in (1, 1024))
    np.testing.assert_allclose(made.weights, scaled.weights, atol=1e-4)
    assert 1024 * made.bound == pytest.approx(scaled.bound, rel=1e-3)


def test_coins_are_chosen_at_half_the_failure_probability():
    # the highest guesses are the most flattered, and a smaller failure probability plays more arms
    draws = np.random.default_rng(2)
    trials = draws.integers(5, 30, 20)
    ones = draws.binomial(trials, np.linspace(0.2, 0.8, 20))
    made = judge_coins(ones, trials, DELTA, SHARE, rng())
    first, second = split_successes(ones, trials, SHARE, rng())
    at = [flat_choice(coin_guesses(*first), second.trials, DELTA / k).weights for k in (1, 2, 3)]
    assert [int((weights > 0).sum()) for weights in at] == [6, 7, 8]
    np.testing.assert_array_equal(made.weights, at[1])


@pytest.fixture
def asked(monkeypatch):
    """What the judges ask of the choice: the precisions of the judging averages, how many deviations, and if flat."""
    calls = []

    def choice(guesses, precision, factor, rehearsals=(), flat=False):
        calls.append((precision, factor, flat))
        return smooth_choice(guesses, precision, factor, rehearsals, flat)

    monkeypatch.setattr(judges, "smooth_choice", choice)
    return calls


def test_a_mixture_is_chosen_for_as_many_deviations_as_its_judge_takes_off(asked):
    # at delta = 1/10: the quantile of a Gaussian; (1/delta - 1) ** (1/2); and of a bet (2 log(1/delta)) ** (1/2)
    judge_gaussian(np.linspace(0, 2, 20), np.arange(1, 21), np.ones(20), DELTA, SHARE, rng())
    judge_deviation(samples(), np.full(20, 0.3), DELTA, SHARE, rng())
    judge_coins_twice(np.arange(0, 40, 2), np.full(20, 40), DELTA, SHARE, rng())
    judge_bounded_twice(samples(), DELTA, SHARE, rng())
    factors = [factor for _, factor, _ in asked]
    assert factors == pytest.approx([1.281552, 3.0] + 4 * [2.145966], rel=1e-6)
    assert not any(flat for *_, flat in asked)


def test_a_gaussian_mixture_is_chosen_for_the_precision_of_the_other_half(asked):
    judge_gaussian(np.zeros(3), np.array([4, 5, 10]), np.array([1.0, 0.5, 2.0]), DELTA, 0.4, rng())
    np.testing.assert_allclose(asked[0][0], 0.6 * np.array([4, 20, 2.5]))


def test_a_mixture_is_chosen_for_the_samples_that_will_judge_it(asked):
    log = samples()
    judge_deviation(log, np.full(20, 0.5), DELTA, SHARE, rng())
    again = rng()
    _, second = deal(log, deal_counts(log.counts, SHARE, again), again)
    np.testing.assert_allclose(asked[0][0], 4 * second.counts)
    # of coins, against the guessed variances: both ways round, one part guesses and the other has the trials
    ones, trials = np.arange(0, 40, 2), np.full(20, 40)
    judge_coins_twice(ones, trials, DELTA, SHARE, rng())
    parts = split_successes(ones, trials, SHARE, rng())
    for (precision, *_), first, other in zip(asked[1:], parts, parts[::-1], strict=True):
        chance = coin_guesses(*first).middle
        np.testing.assert_allclose(precision, other.trials / (chance - chance**2))


def test_tossed_rewards_are_chosen_for_as_coins_near_the_value_of_the_smooth_mixture(asked):
    log = samples()
    judge_bounded(log, DELTA, SHARE, rng())
    again = rng()
    _, second = deal(log, deal_counts(log.counts, SHARE, again), again)
    (_, bet, smooth), (precision, factor, flat) = asked
    assert (bet, factor, smooth, flat) == (pytest.approx(2.145966), pytest.approx(1.281552), False, True)
    variance = second.counts / precision
    assert np.ptp(variance) < 1e-12
    assert 0.01 * 0.99 <= variance[0] <= 0.25
