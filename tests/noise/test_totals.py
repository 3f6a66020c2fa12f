"""Totals against their law: one level pooled within arms, and what no log of the law can show."""

import numpy as np
import pytest

from trust_helpers import Bounded, DataError, Gaussian, OfflineData
from trust_helpers.checks import MOST, refuse_extreme
from trust_helpers.data import Totals

ARM = np.array([0, 1, 0, 1, 1, 2])
REWARD = np.array([1.0, 4.0, 3.0, 5.0, 9.0, 100.0])


def totals(arm, reward):
    groups = [reward[arm == i] for i in range(arm.max() + 1)]
    squares = np.array([((g - g.mean()) ** 2).sum() for g in groups])
    return Totals(tuple("abc"), np.bincount(arm), np.array([g.mean() for g in groups]), squares)


def test_the_pooled_level_is_the_variance_within_arms_from_samples_and_from_totals():
    # residuals -1, 1 and -2, -1, 3; the single sample adds nothing: (2 + 14) / (6 - 3)
    samples = OfflineData.from_samples(ARM, REWARD, "pooled")
    for law in (samples.law, OfflineData.from_log(totals(ARM, REWARD), "pooled").law):
        assert law.level == pytest.approx(np.sqrt(16 / 3))
        assert law.spare == 3


def test_totals_without_deviations_cannot_be_pooled():
    with pytest.raises(DataError, match="the standard deviations are needed too"):
        OfflineData.from_log(Totals(("a",), np.array([4]), np.array([1.0])), "pooled")


def test_squares_of_coins_are_those_of_their_samples():
    ones, trials = np.array([3, 0]), np.array([4, 5])
    coins = np.array([1, 1, 1, 0.0])
    log = OfflineData.from_log(Totals(("a", "b"), trials, ones / trials, successes=ones), 1.0)
    np.testing.assert_allclose(log.squares, [((coins - coins.mean()) ** 2).sum(), 0])


@pytest.mark.parametrize(
    ("levels", "means", "complaint"),
    [
        ([1.0], [MOST], None),
        ([MOST], [0.0], None),
        ([1 / MOST], [0.0], None),
        ([1.0], [-1.1 * MOST], "mean of arm 0"),
        ([1.1 * MOST], [0.0], "sigma of arm 0"),
        ([0.9 / MOST], [0.0], "sigma of arm 0"),
    ],
)
def test_numbers_whose_squares_are_no_numbers(levels, means, complaint):
    given = np.array(levels), np.array(means), None
    if complaint is None:
        refuse_extreme(*given)
        return
    with pytest.raises(DataError, match=complaint):
        refuse_extreme(*given)


COUNTS = np.array([4])


def test_a_mean_may_leave_its_range_by_rounding_only():
    law = Bounded(-2.0, 1.0)
    law.refuse_totals(np.array([1 + 1e-9, -2 - 1e-9]), COUNTS, None, None)
    Gaussian(1.0).refuse_totals(np.array([7.0]), COUNTS, None, None)
    for mean in (1 + 1e-8, -2 - 1e-8):
        with pytest.raises(DataError, match=r"mean of arm 0 is .*outside the range from -2 to 1"):
            law.refuse_totals(np.array([mean]), COUNTS, None, None)


def test_rewards_at_the_two_ends_are_the_most_spread():
    for ends in ([1.0, 1, 1, 5], [1.0, 5, 5, 5], [1.0, 1, 5, 5]):  # of a range from 1 to 5
        means, squares = np.mean(ends, keepdims=True), 4 * np.var(ends, keepdims=True)
        Bounded(1.0, 5.0).refuse_totals(means, COUNTS, squares, None)
        with pytest.raises(DataError, match="deviation of arm 'x'"):
            Bounded(1.0, 5.0).refuse_totals(means, COUNTS, 1.1 * squares, ("x",))


@pytest.mark.parametrize(("mean", "most"), [(1.0, 0.0064), (3.0, 16.8064)])
def test_a_spread_may_be_off_by_a_twentieth_and_a_hundredth_of_the_range(mean, most):
    # four rewards from 1 to 5: 4 (5 - m) (m - 1) is the most, 1.05 times that is let pass, and 4 * 0.04^2 more
    law, means = Bounded(1.0, 5.0), np.array([mean])
    law.refuse_totals(means, COUNTS, np.array([0.999 * most]), None)
    with pytest.raises(DataError, match="deviation of arm 0"):
        law.refuse_totals(means, COUNTS, np.array([1.001 * most]), None)
