"""Bets, and the average of many splits: e-values by enumeration, closed forms by hand."""

from itertools import product
from math import exp, log

import numpy as np
import pytest
from scipy import stats

from trust_helpers.quantiles import shortfall_factor, student_quantile, student_shortfall
from trust_helpers.samples import Samples
from trust_helpers.split.judge import Average, Bet, Judged, _predicted, judge_deviations, make_bet


def test_a_bet_is_an_e_value():
    # two arms of 0/1 rewards, all 2^5 logs: the mean of exp(theta (v - w.r)) is at most 1, whatever the true means
    counts, weights = np.array([3, 2]), np.array([0.7, 0.3])
    bet = Bet(weights, counts, np.array([0.6, 0.2]), 3.0)
    for truth in product([0.05, 0.3, 0.6, 0.95], repeat=2):
        total = 0.0
        for won in product(range(4), range(3)):
            chance = np.prod(stats.binom.pmf(won, counts, truth))
            total += chance * exp(bet.stake * (bet.from_counts(np.array(won)) - weights @ np.array(truth)))
        assert total <= 1 + 1e-12
        assert total > 0.5


def test_a_bet_on_items_is_an_e_value_however_their_rewards_depend():
    # one item decides both arms' rewards at once; four items, each easy with probability q
    weights, counts = np.array([0.5, 0.5]), np.array([4, 4])
    bet = Bet(weights, counts, np.array([0.5, 0.5]), 3.0)
    arm, item = np.tile([0, 1], 4), np.repeat(np.arange(4), 2)
    by_item = by_cell = 0.0
    q = 0.4
    for easy in product([0.0, 1.0], repeat=4):
        chance = np.prod(np.where(easy, q, 1 - q))
        part = Samples(arm, np.repeat(easy, 2), counts, item)
        by_item += chance * exp(bet.stake * (bet.from_samples(part) - q))
        by_cell += chance * exp(bet.stake * (bet.from_samples(Samples(arm, part.reward, counts)) - q))
    assert by_item <= 1 + 1e-12
    assert by_cell > 1.02  # the refuter: cells of one item are not independent


def test_from_counts_is_from_samples():
    bet = make_bet(np.array([0.4, 0.6]), np.array([3, 2]), np.array([0.5, 0.7]), np.array([0.25, 0.21]), 0.1)
    part = Samples(np.array([0, 0, 0, 1, 1]), np.array([1.0, 0, 1, 1, 0]), np.array([3, 2]))
    assert bet.from_samples(part) == pytest.approx(bet.from_counts(np.array([2, 1])), rel=1e-12)


@pytest.mark.parametrize("count", [1, 3, 20, 400])
@pytest.mark.parametrize("mean", [0.02, 0.5, 0.98])
def test_no_other_stake_promises_a_hundredth_more(count, mean):
    one = np.ones(1)
    made = make_bet(one, np.array([count]), mean * one, mean * (1 - mean) * one, 0.1)
    stakes = made.stake * np.array([1, 0.7, 0.9, 1.1, 1.4])
    predicted = [_predicted(stake, one, np.array([count]), mean * one, one, 0.1) for stake in stakes]
    assert predicted[0] >= max(predicted) - 0.01 * mean


def test_the_average_of_many_splits_by_hand():
    made = Average(2)
    made.add([Judged(np.array([1.0, 0]), 2.0, 0.9, 0.8), Judged(np.array([0, 1.0]), 6.0, 0.5, 0.4)])
    made.add([Judged(np.array([0.5, 0.5]), 2.0, 0.7, 0.6, spare=7)])
    made.add([])  # neither part could judge
    np.testing.assert_allclose(made.weights, [1 / 3, 2 / 3])
    assert made.bound(log(10)) == pytest.approx(((1.8 + 3.0) / 2 + 1.4 - 2 * log(10)) / 6)
    assert made.earned == pytest.approx(((1.6 + 2.4) / 2 + 1.2) / 6)
    assert (made.splits, made.deals, made.spare) == (3, 3, 7)


def test_averages_of_normal_variables_exceed_the_shortfall_rarely():
    # worst known case: all splits equal with probability one; then Z itself is held against the shortfall
    assert stats.norm.sf(shortfall_factor(0.1)) < 0.1
    rng = np.random.default_rng(1)
    shared = rng.normal(size=(200_000, 1))
    mixed = np.where(rng.random((200_000, 6)) < 0.5, shared, rng.normal(size=(200_000, 6)))
    assert (mixed.mean(axis=1) > shortfall_factor(0.1)).mean() <= 0.1


@pytest.mark.parametrize("spare", [2, 3, 10])
def test_the_shortfall_of_students_variable_is_the_mean_of_its_worst(spare):
    quantile = student_quantile(spare, 0.1)
    tail = stats.t.expect(lambda x: x, (spare,), lb=quantile) / 0.1
    assert student_shortfall(spare, 0.1) == pytest.approx(tail, rel=1e-5)


def test_a_mixture_of_averages_by_hand():
    made = judge_deviations(np.array([0.5, 0.5, 0.0]), np.array([1.0, 3.0, 9.0]), np.array([3.0, 4.0, np.inf]))
    assert (made.value, made.earned) == (2.0, 2.0)
    assert made.stake == pytest.approx(1 / 2.5)
