"""What follows from means, counts and law."""

import numpy as np
import pytest

from trust_helpers import OfflineData
from trust_helpers.tables import Totals


@pytest.mark.parametrize(
    ("counts", "extent"),
    [
        ([1], "1 arm, 1 sample (1 each)"),
        ([2, 2], "2 arms, 4 samples (2 each)"),
        ([1, 3], "2 arms, 4 samples (1 to 3 per arm)"),
        ([1] * 1200, "1,200 arms, 1,200 samples (1 each)"),
    ],
)
def test_how_large_a_log_is(counts, extent):
    log = OfflineData(np.zeros(len(counts)), counts, 1.0)
    assert log.extent == extent
    assert repr(log) == f"<OfflineData: {extent}, means 0 to 0>"
    assert extent in log._repr_html_()


def test_samples_told_from_successes_are_theirs():
    log = OfflineData.from_counts([2, 0, 3], [3, 2, 3])
    assert log.has_samples
    assert np.bincount(log.samples.arm).tolist() == [3, 2, 3]
    assert np.bincount(log.samples.arm, log.samples.reward).tolist() == [2, 0, 3]
    assert set(log.samples.reward) == {0.0, 1.0}


def test_means_and_counts_have_no_samples():
    log = OfflineData([0.5], [2], 1.0)
    assert not log.has_samples
    assert log.samples is None


def test_all_that_is_derived_agrees():
    log = OfflineData([0.5, 1.0], [4, 9], [1.0, 3.0], ["x", "y"])
    assert log.sigma.tolist() == [1, 3]
    assert log.precision.tolist() == [4, 1]
    assert log.region.reference.tolist() == [0.8, 0.2]
    np.testing.assert_allclose(log.design.deviations, [0.5, 1.0])
    assert log.columns()["arm"] == ["x", "y"]


def test_samples_of_rewards_in_a_range_are_those_that_were_given():
    log = OfflineData.from_samples(["b", "a", "b"], [0.2, 1.0, 0.7], "range:0:1")
    assert log.has_samples
    assert (log.samples.arm.tolist(), log.samples.reward.tolist()) == ([1, 0, 1], [0.2, 1.0, 0.7])
    assert OfflineData([0.5], [2], "range:0:1").samples is None


def test_successes_are_samples_only_where_rewards_have_two_ends():
    won, counts = np.array([1, 2]), np.array([2, 2])
    read = Totals(("a", "b"), counts, won / counts, None, won)
    assert OfflineData.from_log(read, 0.5).samples is None
    ranged = OfflineData.from_log(read, "range:0:1").samples
    assert (ranged.arm.tolist(), ranged.reward.tolist()) == ([0, 0, 1, 1], [1, 0, 1, 1])


def test_samples_told_from_successes_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        OfflineData.from_counts([1, 2], [3, 4]).samples.arm[0] = 1
