"""Rewards in a range: Hoeffding's inequality where it is the better one, another unit, and what a range refuses."""

from math import log

import numpy as np
import pytest

from trust_helpers import Bounded, DataError, OfflineData, TrustError, range_sigma, split


def test_hoeffdings_inequality_bounds_a_mixture_where_it_is_the_better_one():
    # at delta = 0.001 and a sample or two of each arm; all sixty weigh the same, and the range is 4 wide
    counts = np.repeat([1, 2], 20)
    data = OfflineData(np.full(40, 3.0), counts, "range:1:5")
    assert data.law.mixture_bound(data, counts / 60, 0.001) == pytest.approx(3 - 4 * np.sqrt(log(1000) / (2 * 60)))


def test_hoeffdings_inequality_bounds_an_arm_where_it_is_the_better_one():
    # one sample at the upper end, with a failure probability of 0.14; the other stays at the end
    data = OfflineData([5.0, 1.0], [1, 1], "range:1:5")
    np.testing.assert_allclose(data.law.arm_bounds(data, 0.14), [5 - 4 * np.sqrt(log(1 / 0.14) / 2), 1])


def test_the_dominating_law_bounds_a_mixture_and_an_arm_of_many_samples():
    # of a hundred samples: c = 0.5012, whose shortfall at delta = 0.1 is 1.7550 deviations
    data = OfflineData([3.0], [100], "range:1:5")
    width = 4 * 0.5012488 * 1.7549833 / 10
    assert data.law.mixture_bound(data, np.ones(1), 0.1) == pytest.approx(3 - width)
    assert data.law.arm_bounds(data, 0.1)[0] == pytest.approx(3 - width)


def test_a_split_in_another_unit_is_as_good():
    arm = np.repeat(np.arange(10), 12)
    share = np.round(64 * np.random.default_rng(1).beta(1 + arm, 3)) / 64  # to be scaled without rounding
    unit, scaled = (
        OfflineData.from_samples(arm, x, s) for x, s in ((share, "range:0:1"), (4 * share - 1, "range:-1:3"))
    )
    ours, theirs = (split(one, 0.1, splits=64) for one in (unit, scaled))  # of streams of their own
    assert 4 * ours.lower_bound - 1 == pytest.approx(
        theirs.lower_bound, abs=4 * 4 * np.hypot(ours.error, theirs.error / 4)
    )
    assert 0.5 < ours.lower_bound < ours.earned


@pytest.mark.parametrize(
    ("law", "rewards", "complaint"),
    [
        (Bounded(1.0, 5.0), [1.0, 5.0, 3.0], None),
        (Bounded(1.0, 5.0), [1.0, 0.5], r"the reward 0\.5 of row 1 is outside the stated range from 1 to 5$"),
        (Bounded(1.0, 5.0), [5.5, 0.0, 3.0, 6.0], r"5\.5 of row 0 is outside .* to 5, as are 2 more$"),
        (Bounded(0.0, 1234567.0), [1234568.0], r"the reward 1234568 of row 0 is outside .* from 0 to 1234567$"),
        (Bounded(0.0, 1.0, two_valued=True), [0.0, 1.0], None),
        (Bounded(0.0, 1.0, two_valued=True), [0.0, 0.5, 2.0], r"0\.5 of row 1 is neither 0 nor 1, as are 1 more$"),
    ],
)
def test_rewards_outside_their_range_are_refused_and_counted(law, rewards, complaint):
    if complaint is None:
        law.refute(np.array(rewards), "row {}".format)
        return
    with pytest.raises(DataError, match=complaint):
        law.refute(np.array(rewards), "row {}".format)


@pytest.mark.parametrize(
    "ends", [(1.0, 1.0), (2.0, 1.0), (-np.inf, 1.0), (0.0, np.inf), (0.0, np.nan), ("0", "1"), (None, 1)]
)
def test_a_range_has_two_ends_in_order(ends):
    for make in (range_sigma, Bounded):
        with pytest.raises(TrustError, match="needs finite LO < HI"):
            make(*ends)


def test_a_range_is_said_with_all_its_digits():
    assert "lie between 0 and 1234567," in Bounded(0, 1234567).assumes
    with pytest.raises(TrustError, match=r"got '0' and 1234567$"):
        Bounded("0", 1234567)
