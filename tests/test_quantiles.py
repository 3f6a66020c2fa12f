"""Ranks and shortfalls against their definitions."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trust_helpers import NotEnoughDraws, draws_for, least_draws, order_statistic
from trust_helpers.quantiles import (
    SAFETY,
    cantelli_factor,
    conformal_rank,
    expected_shortfall,
    normal_quantile,
    shortfall_draws,
    shortfall_factor,
    student_quantile,
)


def exact_q(draws, delta):
    """Q(M, delta) by the paper's definition, in rational arithmetic."""
    total, rank = Fraction(0), 0
    for j in range(draws, 0, -1):
        total += comb(draws, j) * (1 - delta) ** j * delta ** (draws - j)
        if total > delta:
            return rank
        rank += 1
    return rank


@given(st.integers(1, 120), st.integers(1, 60), st.integers(61, 400))
def test_order_statistic_is_the_papers_q(draws, numerator, denominator):
    delta = Fraction(numerator, denominator)
    expected = exact_q(draws, delta)
    if expected == 0:
        with pytest.raises(NotEnoughDraws) as caught:
            order_statistic(draws, float(delta))
        assert exact_q(caught.value.least, delta) == 1
        assert exact_q(caught.value.least - 1, delta) == 0
    else:
        assert order_statistic(draws, float(delta)) == expected


@pytest.mark.parametrize("draws", [22, 50, 999, 17_834])
@pytest.mark.parametrize("delta", [0.3, 0.1, 0.00125])
def test_the_order_statistic_is_the_largest_rank_that_qualifies(draws, delta):
    qualifying = [m for m in range(1, draws + 1) if stats.binom.cdf(m - 1, draws, delta) <= delta][-1:]
    if qualifying:
        assert order_statistic(draws, delta) == qualifying[0]
    else:
        with pytest.raises(NotEnoughDraws):
            order_statistic(draws, delta)


def test_a_new_score_exceeds_the_conformal_rank_with_probability_delta():
    # among M + 1 exchangeable scores each rank is equally likely for the new one
    for draws, delta in ((9, 0.1), (99, 0.1), (1_000, 0.03)):
        rank = conformal_rank(draws, delta)
        assert (draws + 1 - rank) / (draws + 1) <= delta
        assert (draws + 2 - rank) / (draws + 1) > delta - 1e-12
    with pytest.raises(NotEnoughDraws, match="at least 9 are needed"):
        conformal_rank(8, 0.1)


def test_the_shortfall_of_normal_scores_is_the_closed_form():
    scores = np.random.default_rng(0).standard_normal(400_000)
    for delta in (0.3, 0.1, 0.02):
        simulated = expected_shortfall(scores, normal_quantile(delta), delta)
        excess = np.maximum(scores - normal_quantile(delta), 0)
        error = excess.std() / np.sqrt(scores.size) / delta
        # three errors are added on purpose; the simulation itself is within four
        assert -error < simulated - shortfall_factor(delta) < 7 * error


def test_the_shortfall_at_any_threshold_bounds_what_is_dominated():
    # a fair coin is below the uniform law on (-1, 1) in convex order: its upper end, 1/2, is reached half of the time
    uniform = np.random.default_rng(1).uniform(-1, 1, 100_000)
    assert all(expected_shortfall(uniform, s, 0.49) >= 0.5 for s in (-0.5, 0.0, 0.3))
    assert np.quantile(uniform, 0.51) < 0.5  # the quantile would not do


def test_quantiles_are_those_of_scipy():
    assert normal_quantile(0.1) == pytest.approx(stats.norm.isf(0.1))
    assert student_quantile(3, 0.05) == pytest.approx(stats.t.isf(0.05, 3))
    assert cantelli_factor(0.1) == pytest.approx(3)


def misses_on_average(excesses, runs=20_000):
    """The mean over runs of delta-hat / delta: what a simulated shortfall allows, if scores have exponential tails."""
    rng = np.random.default_rng(2)
    found = rng.poisson(excesses, runs)
    sizes, run = rng.exponential(size=found.sum()), np.repeat(np.arange(runs), found)
    raised = np.bincount(run, sizes, runs) + SAFETY * np.sqrt(np.bincount(run, sizes**2, runs))
    with np.errstate(divide="ignore"):
        return np.minimum(excesses / raised, 1 / 0.02).mean()


def test_a_simulated_shortfall_holds_on_average_over_its_draws_and_with_half_the_draws_it_does_not():
    least = shortfall_draws(0.02) * 0.02
    assert misses_on_average(least) < 0.8
    assert misses_on_average(4 * least) < 0.8
    assert misses_on_average(least / 2) > 1


def test_with_forty_excesses_a_simulated_shortfall_is_too_small_in_about_one_run_of_a_hundred():
    rng, delta, true = np.random.default_rng(3), 0.02, shortfall_factor(0.02)
    low = [expected_shortfall(rng.standard_normal(2_000), normal_quantile(delta), delta) < true for _ in range(1_500)]
    assert sum(low) <= stats.binom.ppf(0.9999, 1_500, 0.015)


@pytest.mark.parametrize("delta", [0.5, 0.3, 0.1, 0.01, 0.00125])
def test_the_least_draws_are_the_first_whose_largest_will_do(delta):
    least = least_draws(delta)
    assert (1 - delta) ** least <= delta < (1 - delta) ** (least - 1)
    assert order_statistic(least, delta) == 1
    if least > 1:
        with pytest.raises(NotEnoughDraws, match=f"at least {least} are needed"):
            order_statistic(least - 1, delta)


@pytest.mark.parametrize("delta", [0.2, 0.1])
@pytest.mark.parametrize("rank", [1, 2, 4, 10, 25])
def test_draws_for_any_rank_are_the_fewest(rank, delta):
    count = draws_for(delta, 40, rank)
    assert order_statistic(count, delta / 80) == rank
    assert stats.binom.cdf(rank - 1, count - 1, delta / 80) > delta / 80
    assert (count == least_draws(delta / 80)) == (rank == 1)
    assert draws_for(delta, 40) == draws_for(delta, 40, 10)


def test_how_many_draws_would_do_is_said():
    # (1 - 0.3) / 0.3 = 2.3 draws to calibrate; ten excesses of 0.03 each are 333.3 draws
    assert conformal_rank(3, 0.3) == 3
    with pytest.raises(NotEnoughDraws, match="at least 3 are needed"):
        conformal_rank(2, 0.3)
    assert [shortfall_draws(delta) for delta in (0.5, 0.1, 0.03)] == [20, 100, 334]


def test_a_simulated_shortfall_by_hand():
    # excesses 0, 0, 1, 2: a mean of 3/4, and three errors of (11/12)^(1/2) / 2
    found = expected_shortfall(np.array([0.0, 1.0, 2.0, 3.0]), 1.0, 0.5)
    assert found == pytest.approx(1 + (0.75 + 3 * np.sqrt(11 / 12) / 2) / 0.5)
