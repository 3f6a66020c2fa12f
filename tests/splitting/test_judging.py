"""Bounds for one mixture fixed in advance: exact probabilities where they can be enumerated, and their refuters."""

from itertools import product
from math import log

import numpy as np
import pytest
from scipy import stats

from trust_helpers.splitting import judging
from trust_helpers.splitting.judging import (
    Bet,
    cantelli_width,
    clopper_pearson,
    convex_order_width,
    make_bet,
    normal_width,
    pooled_proportion_bound,
    student_width,
    two_fold,
)

DELTA = 0.1


def poisson_binomial(p):
    """The law of the number of successes of independent coins."""
    law = np.ones(1)
    for q in p:
        law = np.convolve(law, [1 - q, q])
    return law


def coins(trials):
    """Many ways for that many coins to differ, the nasty ones included."""
    rng = np.random.default_rng(trials)
    for size in range(1, trials + 1):
        for level in (0.02, 0.1001, 0.3, 0.6, 0.97):
            yield np.concatenate([np.full(size, level), np.zeros(trials - size)])
            yield np.concatenate([np.ones(trials - size), np.full(size, level)])
    yield from rng.beta(0.3, 0.6, (30, trials))


@pytest.mark.parametrize("delta", [0.02, 0.1, 0.25, 0.6])
def test_pooled_proportion_misses_at_most_delta_whatever_the_means(delta):
    for trials in (1, 2, 3, 6, 13, 40):
        bound = pooled_proportion_bound(np.arange(trials + 1), trials, delta)
        for p in coins(trials):
            assert poisson_binomial(p)[bound > p.mean() + 1e-12].sum() <= delta + 1e-12


def test_one_success_cannot_have_clopper_and_pearsons_bound():
    # one coin of ten has a chance just above delta, the others none: the value is below the bound of one success
    p = np.array([0.104] + [0.0] * 9)
    bound = clopper_pearson(np.arange(11), 10, DELTA)
    assert poisson_binomial(p)[bound > p.mean()].sum() > DELTA


def test_two_successes_can_but_only_up_to_a_quarter():
    # two coins of ten are nearly sure: at delta = 1/2 two successes would promise more than the value
    p = np.array([0.8] * 2 + [0.0] * 8)
    for delta, misses in ((0.25, False), (0.5, True)):
        bound = np.where(np.arange(11) >= 2, clopper_pearson(np.arange(11), 10, delta), 0.0)
        assert (poisson_binomial(p)[bound > p.mean()].sum() > delta) == misses


def test_clopper_pearson_is_the_binomial_tail_solved():
    for k, n in ((1, 5), (4, 9), (9, 9)):
        assert stats.binom.sf(k - 1, n, clopper_pearson(k, n, DELTA)) == pytest.approx(DELTA)
    assert clopper_pearson(0, 7, DELTA) == 0


def outcomes(counts, means):
    """Every number of successes per arm, with its probability."""
    laws = [stats.binom.pmf(np.arange(n + 1), n, p) for n, p in zip(counts, means, strict=True)]
    for k in product(*(range(n + 1) for n in counts)):
        yield np.array(k), np.prod([law[j] for law, j in zip(laws, k, strict=True)])


@pytest.mark.parametrize("guess", [(0.5, 0.5), (0.9, 0.1), (0.02, 0.3)])
@pytest.mark.parametrize("means", [(0.5, 0.5), (0.9, 0.1), (0.05, 0.02), (0.99, 0.6)])
def test_the_bet_against_exact_tails(means, guess):
    counts, weights, guess = np.array([9, 5]), np.array([0.7, 0.3]), np.array(guess)
    bet = make_bet(weights, counts, guess, guess * (1 - guess), DELTA)
    missed = sum(p for k, p in outcomes(counts, means) if bet.from_counts(k, DELTA) > weights @ np.array(means))
    assert missed <= DELTA


def test_a_bet_whose_guesses_touch_the_judging_part_misses():
    # the same bet with guesses drawn towards the very rewards that judge
    rng = np.random.default_rng(3)
    d, logs = 200, 600
    means, counts = np.full(d, 0.5), np.ones(d, dtype=np.int64)
    weights, honest, touched = np.full(d, 1 / d), 0, 0
    bet = make_bet(weights, counts, means, means * (1 - means), DELTA)
    for k in rng.binomial(1, 0.5, (logs, d)):
        honest += bet.from_counts(k, DELTA) > 0.5
        guess = 0.5 + 0.9 * (k - 0.5)
        touched += make_bet(weights, counts, guess, guess * (1 - guess), DELTA).from_counts(k, DELTA) > 0.5
    allowed = stats.binom.ppf(0.9999, logs, DELTA)
    assert honest <= allowed < touched


def test_the_bet_is_never_below_its_empirical_bernstein_form():
    rng = np.random.default_rng(1)
    counts, weights = np.array([3, 8, 20]), np.array([0.5, 0.3, 0.2])
    arm = np.repeat(np.arange(3), counts)
    for _ in range(50):
        x, m = rng.beta(0.5, 0.5, arm.size), rng.uniform(0.05, 0.9, 3)
        c = (weights / counts)[arm]
        b = (c * m[arm]).max()
        share = rng.uniform(0.05, 0.95)
        psi = -log(1 - share) - share
        bernstein = c @ x - b * (log(10) + psi * ((c / b) ** 2 * (x - m[arm]) ** 2).sum()) / share
        assert Bet(weights, counts, m, share / b).from_samples(arm, x, DELTA) >= bernstein - 1e-12


def test_counts_and_samples_of_a_bet_agree():
    counts, k = np.array([4, 7, 0]), np.array([1, 6, 0])
    bet = make_bet(np.array([0.4, 0.6, 0.0]), counts, np.full(3, 0.6), np.full(3, 0.24), DELTA)
    arm = np.repeat(np.arange(3), counts)
    x = np.array([1.0, 0, 0, 0] + [1.0] * 6 + [0.0])
    assert bet.from_counts(k, DELTA) == pytest.approx(bet.from_samples(arm, x, DELTA))


def test_a_good_bet_is_near_the_normal_width():
    # with the right guesses the width is the Chernoff one, sqrt(2 log(1/delta) V), up to the skewness
    d, p = 2000, 0.3
    weights, counts, means = np.full(d, 1 / d), np.ones(d, dtype=np.int64), np.full(d, p)
    bet = make_bet(weights, counts, means, means * (1 - means), DELTA)
    k = np.arange(d) < d * p
    width = p - bet.from_counts(k, DELTA)
    assert width == pytest.approx(np.sqrt(2 * log(1 / DELTA) * p * (1 - p) / d), rel=0.02)


@pytest.mark.parametrize(("mean", "deviation"), [(0.88, 0.006), (0.5, 0.3), (0.05, 0.2)])
@pytest.mark.parametrize("count", [6, 60, 600])
def test_no_other_stake_promises_more(count, mean, deviation):
    # rewards of mean m and variance v as a coin of height h = v / m + m; where they hardly vary all is at stake
    height, weight, trials = deviation**2 / mean + mean, np.ones(1), np.array([count])
    bet = make_bet(weight, trials, np.array([mean]), np.array([deviation**2]), DELTA)

    def expected(stake):
        guess = make_guess(stake)
        share, u = mean / height, stake / count
        wealth = share * np.log1p(u * (height - guess)) + (1 - share) * np.log1p(-u * guess)
        return guess + (count * wealth - log(1 / DELTA)) / stake

    def make_guess(stake):  # E 1 / (1 + u (X - m)) = 1
        u, share = stake / count, mean / height
        half = (1 - u * height) / 2
        return (1 - half - np.sqrt(half**2 + (1 - share) * u * height)) / u

    assert bet.guesses[0] == pytest.approx(make_guess(bet.stake), rel=1e-6)
    best = max(expected(stake) for stake in np.geomspace(0.01, 10_000, 3_001) * count)
    assert expected(bet.stake) == pytest.approx(best, abs=1e-3)


def test_the_stake_is_searched_for_where_the_normal_approximation_puts_it(monkeypatch):
    # 10,000 fair coins: a variance of 0.25 / 10,000 and, at delta = 0.1, a stake of sqrt(2 log 10 / variance) = 429.2
    searched = []
    search = judging._smallest
    monkeypatch.setattr(judging, "_smallest", lambda loss, *ends: searched.append(ends) or search(loss, *ends))
    bet = make_bet(np.ones(1), np.array([10_000]), np.array([0.5]), np.array([0.25]), DELTA)
    assert bet.stake == pytest.approx(429.2, rel=0.02)  # to which the search is accurate
    ((low, high),) = searched  # once is enough
    assert [np.exp(low + 1.5), np.exp(high - 1)] == pytest.approx([429.2, 429.2], rel=1e-4)


def test_two_fold_is_the_mixture_by_stakes():
    bound, shares = two_fold((0.2, 0.5), (1.0, 3.0))
    assert bound == pytest.approx(0.425)
    assert shares == (0.25, 0.75)


@pytest.mark.parametrize("means", [(0.5, 0.5), (0.6, 0.4), (0.3, 0.3)])
def test_the_root_of_two_crossed_bets_is_a_fair_game_and_their_product_is_not(means):
    # each part picks the arm that paid it more and the other judges it; all outcomes of two tosses of either arm
    counts, r, theta = np.array([2, 2]), np.array(means), 3.0

    def e_value(chooses, judges):
        bet = Bet(np.eye(2)[np.argmax(chooses)], counts, np.full(2, 0.5), theta)
        return np.exp(theta * (bet.from_counts(judges, DELTA) - bet.weights @ r)) / DELTA

    parts = list(outcomes(counts, means))
    chance, one, other = np.array([(p * q, e_value(a, b), e_value(b, a)) for a, p in parts for b, q in parts]).T
    assert max(chance @ one, chance @ np.sqrt(one * other)) <= 1 + 1e-12
    assert chance @ (one * other) > 1.05


@pytest.mark.parametrize("counts", [(1, 1), (3, 2), (12, 1)])
@pytest.mark.parametrize("means", [(0.1, 0.1), (0.5, 0.5), (0.3, 0.05), (0.9, 0.4)])
def test_convex_order_against_exact_tails(counts, means):
    weights, counts, means = np.array([0.6, 0.4]), np.array(counts), np.array(means)
    width = convex_order_width(weights, counts, DELTA)
    missed = sum(p for k, p in outcomes(counts, means) if weights @ (k / counts) - width > weights @ means)
    assert missed <= DELTA


def test_a_standard_deviation_is_no_substitute_for_a_law():
    # one coin of chance 0.3: the normal width with sigma = 1/2 promises 0.36 whenever it pays
    one = np.ones(1)
    assert one[0] - normal_width(one, one.astype(int), 0.5, DELTA) > 0.3
    assert one[0] - convex_order_width(one, one.astype(int), DELTA) < 0


def test_cantelli_is_sharp_where_the_normal_width_fails():
    # the two-point law for which Cantelli is an equality: up by sqrt((1-d)/d) with probability d
    one, n = np.ones(1), np.ones(1, dtype=int)
    jump = np.sqrt((1 - DELTA) / DELTA)
    assert cantelli_width(one, n, 1.0, DELTA) == pytest.approx(jump)
    assert normal_width(one, n, 1.0, DELTA) < jump


def test_student_covers_where_the_plugged_in_level_does_not():
    rng = np.random.default_rng(0)
    logs, spare, n = 20_000, 3, np.ones(4, dtype=int)
    weights = np.full(4, 0.25)
    noise = rng.normal(size=(logs, 4)) @ weights
    level = np.sqrt(rng.chisquare(spare, logs) / spare)
    allowed = stats.binom.ppf(0.9999, logs, DELTA)
    student = sum(noise > level * student_width(weights, n, 1.0, spare, DELTA))
    plugged = sum(noise > level * normal_width(weights, n, 1.0, DELTA))
    assert student <= allowed < plugged


def test_the_best_guess_makes_the_reciprocal_fair():
    # E 1 / (1 + u (X - m)) = 1 for a coin X, with 1 - u m for the room
    stake, share = np.meshgrid([0.01, 0.5, 1.0, 7.0], [0.02, 0.5, 0.9])
    room = judging._room(stake, share)
    np.testing.assert_allclose(share / (room + stake) + (1 - share) / room, 1)
    # of a coin that is sure to pay a billionth is doubted: all of it staked, the room is the root of that
    np.testing.assert_allclose(judging._room(np.ones(1), np.ones(1)), np.sqrt(1e-9), rtol=1e-6)


def test_rewards_that_never_vary_are_bet_on_from_half_of_all_there_is(monkeypatch):
    # four samples of 0.5 each: u h = 1 at a stake of 8, and a variance of 1e-18 stands for none
    searched = []
    search = judging._smallest
    monkeypatch.setattr(judging, "_smallest", lambda loss, *ends: searched.append(ends) or search(loss, *ends))
    make_bet(np.ones(1), np.array([4]), np.array([0.5]), np.zeros(1), DELTA)
    low, high = searched[0]
    assert np.exp(low) == pytest.approx(4)
    assert np.exp(high - 1) == pytest.approx(1e9 * np.sqrt(2 * log(10)))
    # one coin of a hundredth: the variance puts the stake far below all there is, and a thousand times more is tried
    searched.clear()
    bet = make_bet(np.ones(1), np.ones(1, int), np.array([0.01]), np.array([0.0099]), DELTA)
    assert len(searched) == 2
    assert searched[1][0] == searched[0][1]
    assert searched[1][1] == pytest.approx(searched[0][1] + log(1000))
    assert bet.stake > np.exp(searched[1][0])


def test_a_mixtures_deviation_is_that_of_its_arms_and_those_of_weight_zero_are_ignored():
    # (0.5^2 2^2 / 4 + 0.5^2 6^2 / 9) ^ (1/2) = (0.25 + 1) ^ (1/2), whatever the third arm is
    weights, counts, sigma = np.array([0.5, 0.5, 0.0]), np.array([4, 9, 0]), np.array([2.0, 6.0, 1.0])
    deviation = np.sqrt(1.25)
    assert normal_width(weights, counts, sigma, DELTA) == pytest.approx(deviation * stats.norm.isf(DELTA))
    assert cantelli_width(weights, counts, sigma, DELTA) == pytest.approx(deviation * 3)
    even = np.sqrt(0.25 * 9 / 4 + 0.25 * 9 / 9)
    assert student_width(weights, counts, 3.0, 5, DELTA) == pytest.approx(even * stats.t.isf(DELTA, 5))
