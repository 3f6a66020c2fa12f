"""Two parts of a log: nothing lost, dealt without looking, independent."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import DataError, OfflineData, combined
from trust_helpers.samples import Samples
from trust_helpers.splitting.parts import (
    deal_counts,
    deal_samples,
    fission,
    line_variances,
    reward_variance,
    split_successes,
    toss,
)


def test_counts_are_their_share_rounded_at_random():
    counts = np.repeat([1, 2, 5, 10], 5000)
    first = deal_counts(counts, 0.65, np.random.default_rng(0))
    assert (np.abs(first - 0.65 * counts) < 1).all()
    for n in (1, 2, 5, 10):
        # a mean of 5,000 roundings, each of variance at most 1/4
        assert first[counts == n].mean() == pytest.approx(0.65 * n, abs=4 * 0.5 / np.sqrt(5000))


def test_something_is_always_left_to_judge_with():
    dealt = np.array([deal_counts(np.array([1, 1]), 0.99, np.random.default_rng(seed)) for seed in range(20)])
    assert dealt.sum(axis=1).max() == 1
    assert dealt.min() == 0  # one is taken back, no more


def test_every_sample_of_an_arm_is_as_likely_to_choose():
    arm, first = np.array([0, 1, 1, 1, 1, 0, 2]), np.array([1, 3, 0])
    rng = np.random.default_rng(1)
    chosen = np.array([deal_samples(arm, first, rng) for _ in range(4000)])
    assert (np.array([chosen[:, arm == i].sum(axis=1) for i in range(3)]) == first[:, None]).all()
    share = np.array([0.5, 0.75, 0])[arm]
    assert (np.abs(chosen.mean(axis=0) - share) <= 4 * np.sqrt(share * (1 - share) / 4000)).all()


def test_successes_of_the_two_parts_are_independent_binomials():
    # 4 trials of a coin of 0.3, two in each part: all nine joint probabilities
    rng = np.random.default_rng(2)
    wins = rng.binomial(4, 0.3, 100_000)
    first, second = split_successes(wins, np.full(wins.size, 4), 0.5, rng)
    law = stats.binom.pmf(np.arange(3), 2, 0.3)
    table = np.histogram2d(first.successes, second.successes, bins=(range(4), range(4)))[0]
    assert stats.chisquare(table.ravel(), np.outer(law, law).ravel() * wins.size).pvalue > 1e-4


@pytest.mark.parametrize("share", [0.5, 0.65])
def test_fission_makes_independent_parts_of_the_right_variance(share):
    rng = np.random.default_rng(3)
    x = rng.normal(2.0, 0.5, 200_000)
    first, second = fission(x, np.full(x.size, 0.5), share, rng)
    assert abs(np.corrcoef(first, second)[0, 1]) < 4 / np.sqrt(x.size)
    assert first.var() == pytest.approx(0.25 / share, rel=0.02)
    assert second.var() == pytest.approx(0.25 / (1 - share), rel=0.02)
    # with the level stated too small the parts depend on each other
    low, high = fission(x, np.full(x.size, 0.45), share, rng)
    assert np.corrcoef(low, high)[0, 1] > 10 / np.sqrt(x.size)


def test_more_trials_than_can_be_dealt_are_said_and_combined_does_without():
    with pytest.raises(DataError, match="1,000,000,000 trials or more"):
        split_successes(np.array([5]), np.array([2 * 10**9]), 0.5, np.random.default_rng(0))
    made = combined(OfflineData.from_counts([5 * 10**8, 10], [2 * 10**9, 1000]))
    assert made.lower_bound == pytest.approx(0.25, abs=1e-4)


def test_variances_that_lie_on_a_line_are_found():
    # arm i has 2 (i + 1) rewards at its mean and a distance on either side of it: any variance one likes
    mean, wanted, counts = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 1.5, 2.0, 2.5]), np.array([2, 4, 6, 8])
    arm = np.repeat(np.arange(4), counts)
    sign = np.concatenate([np.tile([1.0, -1.0], n // 2) for n in counts])
    part = Samples(arm, mean[arm] + sign * np.sqrt(wanted * (counts - 1) / counts)[arm], counts)
    np.testing.assert_allclose(line_variances(part, mean, 1.5), wanted)
    # no arm is taken for less than a third or more than ten times the level
    np.testing.assert_allclose(line_variances(part, mean, 6.0), np.maximum(wanted, 2))
    np.testing.assert_allclose(line_variances(part, mean, 0.15), np.minimum(wanted, 1.5))


def test_arms_that_repeat_must_differ_for_a_line():
    arm = np.repeat([0, 1, 2], [8, 8, 1])
    part = Samples(arm, np.random.default_rng(7).normal(size=17), np.bincount(arm))
    assert line_variances(part, np.array([1.0, 1.0, 2.0]), 1.5).tolist() == [1.5] * 3


@pytest.mark.parametrize(("pulls", "found"), [(9, [3, 3]), (10, [2, 40 / 9])])
def test_ten_spare_samples_are_enough_for_a_line(pulls, found):
    # 1 and -1 of one arm are one spare sample, of variance 2; ten of 2 and -2 are nine, of variance 40 / 9
    arm = np.repeat([0, 1], [2, pulls])
    part = Samples(arm, np.concatenate([[1.0, -1.0], np.resize([2.0, -2.0], pulls)]), np.bincount(arm))
    np.testing.assert_allclose(line_variances(part, np.array([1.0, 2.0]), 3.0), found)


def test_without_repeats_the_variance_is_half_of_all():
    part = Samples(np.arange(4), np.array([0.0, 2.0, 0.0, 2.0]), np.ones(4, dtype=int))
    assert reward_variance(part) == 0.5
    assert reward_variance(Samples(np.arange(2), np.ones(2), np.ones(2, dtype=int))) == 1e-9


def test_a_tossed_coin_has_the_mean_of_its_reward():
    arm = np.repeat([0, 1], 40_000)
    made = toss(Samples(arm, np.where(arm == 0, 0.3, 0.9), np.bincount(arm)), np.random.default_rng(6))
    share = np.array([0.3, 0.9])
    assert made.trials.tolist() == [40_000, 40_000]
    assert (np.abs(made.successes / made.trials - share) < 4 * np.sqrt(share * (1 - share) / 40_000)).all()


def test_arms_without_repeats_take_no_part_in_the_line_of_variances():
    rng = np.random.default_rng(5)
    arm, guess = np.repeat(np.arange(4), (1, 30, 30, 30)), np.array([0.5, 0.2, 0.4, 0.8])
    reward = guess[arm] + rng.normal(size=arm.size) * np.sqrt(0.1 * guess[arm])
    some = line_variances(Samples(arm, reward, np.bincount(arm)), guess, 0.05)
    without = line_variances(Samples(arm[1:] - 1, reward[1:], np.bincount(arm[1:] - 1)), guess[1:], 0.05)
    np.testing.assert_allclose(some[1:], without)


def test_arms_that_differ_by_rounding_alone_are_alike():
    # 0.1 added up n times and divided by n is 0.1 or one of its neighbours
    counts = np.array([7, 13, 29, 31, 5])
    part = Samples(np.repeat(np.arange(5), counts), np.full(85, 0.1), counts)
    assert 0 < np.ptp(part.means) < 1e-15
    assert line_variances(part, part.means, 0.5).tolist() == [0.5] * 5


def test_a_line_of_variances_is_found_far_from_zero():
    mean, wanted, counts = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 1.5, 2.0, 2.5]), np.array([2, 4, 6, 8])
    arm = np.repeat(np.arange(4), counts)
    sign = np.concatenate([np.tile([1.0, -1.0], n // 2) for n in counts])
    part = Samples(arm, mean[arm] + sign * np.sqrt(wanted * (counts - 1) / counts)[arm], counts)
    np.testing.assert_allclose(line_variances(part, 2.0**29 + mean, 1.5), wanted, rtol=1e-12)
