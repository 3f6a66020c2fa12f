"""Logs: what is computed from them, and every way they can be wrong."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trust_helpers import DataError, OfflineData, TrustError, range_sigma
from trust_helpers.data import Log, Totals


def test_all_that_is_derived_agrees():
    log = OfflineData([0.5, 1.0], [4, 9], [0.5, 3.0], ["x", "y"])
    assert (log.n_arms, log.n_samples, log.sigma.tolist(), log.precision.tolist()) == (2, 13, [0.5, 3], [16, 1])
    np.testing.assert_allclose(log.region.reference, [16 / 17, 1 / 17])
    np.testing.assert_allclose(log.design.deviations, [0.25, 1.0])
    assert log.columns()["arm"] == ["x", "y"]
    assert OfflineData([1.0, 2.0], [1, 1], 0.5).sigma.tolist() == [0.5, 0.5]  # one serves all arms


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(-1e3, 1e3)), min_size=1, max_size=60))
def test_samples_are_averaged_per_arm(samples):
    arms, rewards = zip(*samples, strict=True)
    data = OfflineData.from_samples(arms, rewards, sigma=1.0)
    assert data.names == tuple(sorted(set(arms)))
    for name, mean, count in zip(data.names, data.means, data.counts, strict=True):
        own = [reward for arm, reward in samples if arm == name]
        assert count == len(own)
        assert mean == pytest.approx(np.mean(own), abs=1e-9)


def test_sigma_by_name_by_arm_and_by_range():
    arms, rewards = ["b", "a", "b"], [1.0, 0.0, 0.5]
    np.testing.assert_array_equal(OfflineData.from_samples(arms, rewards, {"a": 1.0, "b": 2.0}).sigma, [1, 2])
    np.testing.assert_array_equal(OfflineData.from_samples(arms, rewards, [1.0, 2.0]).sigma, [1, 2])
    np.testing.assert_array_equal(OfflineData.from_samples(arms, rewards, "range:-1:4").sigma, [2.5, 2.5])


def test_half_the_range_bounds_every_standard_deviation():
    # the two-point law at the ends is the worst case
    assert range_sigma(0, 1) == pytest.approx(np.std([0, 1]))


def test_pooled_sigma_estimates_sigma():
    rng = np.random.default_rng(0)
    arms = np.repeat(np.arange(2000), 3)
    data = OfflineData.from_samples(arms, rng.normal(arms, 0.7), "pooled")
    # a standard deviation from 4,000 degrees of freedom has relative error 1 / sqrt(8000)
    assert data.sigma[0] == pytest.approx(0.7, rel=4 / np.sqrt(8000))


BAD = {
    "mean of arm 1 is nan": lambda: OfflineData([0.0, np.nan], [1, 1], 1.0),
    "mean of arm 'b' is nan": lambda: OfflineData([0.0, np.nan], [1, 1], 1.0, ["a", "b"]),
    "count of arm 1 is 0": lambda: OfflineData([0.0, 1.0], [1, 0], 1.0),
    "count has 3 entries but there are 2 arms": lambda: OfflineData([0.0, 1.0], [1, 1, 1], 1.0),
    "sigma is 0: it must be positive": lambda: OfflineData([0.0, 1.0], [1, 1], 0.0),
    "sigma has shape (3,) but there are 2 arms": lambda: OfflineData([0.0, 1.0], [1, 1], [1.0, 1.0, 1.0]),
    "names has 1 entries but there are 2 arms": lambda: OfflineData([0.0, 1.0], [1, 1], 1.0, ["a"]),
    "two arms are named 'a'": lambda: OfflineData([0.0, 1.0], [1, 1], 1.0, ["a", "a"]),
    "mean must be a vector with one entry per arm": lambda: OfflineData([], [], 1.0),
    "the log is empty": lambda: OfflineData.from_samples([], [], 1.0),
    "arms has shape (2,) but rewards has shape (3,)": lambda: OfflineData.from_samples([1, 2], [1, 2, 3], 1.0),
    "reward of sample 1 is nan": lambda: OfflineData.from_samples([1, 2], [1, np.nan], 1.0),
    "reward of sample 0 is -inf": lambda: OfflineData.from_samples([1, 2], [-np.inf, 0], 1.0),
    "rewards must be numbers": lambda: OfflineData.from_samples([1, 2], ["good", "bad"], 1.0),
    "arm of sample 1 is missing": lambda: OfflineData.from_samples(["a", None], [1, 2], 1.0),
    "arm names must be all of one kind": lambda: OfflineData.from_samples(
        np.array(["a", 3], dtype=object), [1, 2], 1.0
    ),
    "sigma has no entry for arm 'b'": lambda: OfflineData.from_samples(["a", "b"], [1, 2], {"a": 1.0}),
    "no arm has two samples": lambda: OfflineData.from_samples(["a", "b"], [1, 2], "pooled"),
    "repeated samples of every arm are all alike": lambda: OfflineData.from_samples(["a", "a"], [1, 1], "pooled"),
    "it must be a number, 'pooled', 'range:LO:HI', 'sd:S' or, of a table, 'column:NAME'": lambda: (
        OfflineData.from_samples(["a"], [1], "poled")
    ),
    "'range:1': it must be a number, 'pooled'": lambda: OfflineData.from_samples(["a"], [1], "range:1"),
    "the reward 7 of sample 1 is outside the stated range from 1 to 5, as are 1 more": lambda: OfflineData.from_samples(
        ["a", "b", "b"], [1, 7, 9], "range:1:5"
    ),
    "mean of arm 'b' is 2: outside the range from 0 to 1": lambda: OfflineData(
        [0.5, 2.0], [1, 1], "range:0:1", ["a", "b"]
    ),
    "sigma cannot be pooled without samples": lambda: OfflineData([0.5, 2.0], [2, 2], "pooled"),
    "sd is -1": lambda: OfflineData([0.5], [2], "sd:-1"),
    "successes of arm 1 is 5: it must be whole, from 0 to its 4 trials": lambda: OfflineData.from_counts(
        [1, 5], [4, 4]
    ),
    "arm names must be all of one kind, not 2 and '1'": lambda: OfflineData.from_samples([1, "1", 2], [0, 1, 2], 1.0),
    "arm names must be all of one kind, not 2 and True": lambda: OfflineData.from_samples([1, True, 2], [0, 1, 2], 1.0),
    "arm names must be all of one kind, not 1 and '1'": lambda: OfflineData([0.0, 1.0], [1, 1], 1.0, [1, "1"]),
    "the name of arm 1 is missing": lambda: OfflineData([0.0, 1.0], [1, 1], 1.0, ["a", pd.NA]),
    "the name of arm 0 is missing": lambda: OfflineData.from_counts([0, 1], [1, 1], [None, "b"]),
    "an arm is named [2]: a name is a text or a number": lambda: OfflineData([0.0, 1.0], [1, 1], 1.0, [[1], [2]]),
    "reference sums to 0.9": lambda: OfflineData([0.5, 0.5], [1, 1], 1.0, reference=[0.5, 0.4]),
    "finite LO < HI, got 5 and 1": lambda: OfflineData.from_samples(["a"], [1], "range:5:1"),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_logs_are_refused_by_name(message):
    assert issubclass(DataError, TrustError)
    assert issubclass(TrustError, ValueError)
    with pytest.raises(TrustError) as caught:
        BAD[message]()
    assert message in str(caught.value)


def test_rewards_of_0_and_1_are_kept_as_successes():
    data = OfflineData.from_samples(["b", "a", "b", "b"], [1, 0, 0, 1], "range:0:1")
    same = OfflineData.from_counts([0, 2], [1, 3], ["a", "b"])
    np.testing.assert_array_equal(data.successes, same.successes)
    assert data.law == same.law
    assert data.law.assumes.startswith("rewards are independent and are 0 or 1")
    np.testing.assert_array_equal(np.bincount(same.samples.arm, weights=same.samples.reward), [0, 2])


def test_other_rewards_in_a_range_are_kept_as_samples():
    data = OfflineData.from_samples(["a", "a", "b"], [1.0, 5.0, 5.0], "range:1:5")
    assert data.successes is None
    np.testing.assert_array_equal(data.samples.reward, [1, 5, 5])
    assert "lie between 1 and 5" in data.law.assumes


def test_a_mean_off_its_range_by_rounding_is_no_error():
    data = OfflineData.from_samples(["a"] * 3, [0.1] * 3, "range:0:0.1")
    assert data.means[0] > 0.1


@pytest.mark.parametrize("sigma", [1.0, "range:0:1"])
def test_arrays_are_copies_that_cannot_be_changed(sigma):
    means = np.array([1.0, 0.5])
    log = Log(("a", "b"), np.array([0, 1, 0]), np.array([1.0, 0.0, 0.0]))
    made = [OfflineData(means, [1, 1], sigma), OfflineData.from_counts([1, 2], [3, 4])]
    made += [OfflineData.from_log(log, sigma), OfflineData.from_samples(["a", "b", "a"], [1, 0, 0], sigma)]
    for data in made:
        samples = [] if data.samples is None else [data.samples.arm, data.samples.reward, data.samples.counts]
        for array in (data.means, data.counts, *samples):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
    means[0] = log.arm[0] = 99  # the caller's arrays are his own
    assert made[0].means[0] == 1
    assert made[2].samples.arm.tolist() in ([0, 1, 0], [0, 0, 1])  # as given, or told from successes


@pytest.mark.parametrize(
    "arms", [[2**53, 2**53 + 1, 0.5], [2**63, 2**63 + 1, -1], ["a", "a\0", "b"], ("a\0", "a", "a\0\0")]
)
def test_arms_that_an_array_would_merge_are_kept_apart(arms):
    data = OfflineData.from_samples(arms, [1.0, 2.0, 3.0], 1.0)
    assert data.names == tuple(sorted(arms))
    assert dict(zip(data.names, data.means, strict=True)) == dict(zip(arms, [1.0, 2.0, 3.0], strict=True))


@pytest.mark.parametrize("names", [["", "  "], ["a", "\t"]])
def test_blank_names_are_no_names(names):
    blank = names.index("a") + 1 if "a" in names else 0
    with pytest.raises(DataError, match=f"the name of arm {blank} is missing"):
        OfflineData.from_counts([1, 2], [3, 4], names=names)
    with pytest.raises(DataError, match=f"arm of sample {blank} is missing"):
        OfflineData.from_samples(names, [1.0, 2.0], 1.0)


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


READ = Totals(("a", "b"), np.array([2, 2]), np.array([0.5, 1.0]), None, np.array([1, 2]))
RANGED = ["b", "a", "b"], [0.2, 1.0, 0.7], "range:0:1"


@pytest.mark.parametrize(
    ("log", "arm", "reward"),
    [
        (OfflineData.from_counts([2, 0], [3, 2]), [0, 0, 0, 1, 1], [1, 1, 0, 0, 0]),  # told from successes
        (OfflineData.from_log(READ, "range:0:1"), [0, 0, 1, 1], [1, 0, 1, 1]),
        (OfflineData.from_log(READ, 0.5), None, None),  # of rewards that need not have two ends
        (OfflineData.from_samples(*RANGED), [1, 0, 1], [0.2, 1.0, 0.7]),
        (OfflineData([0.5], [2], "range:0:1"), None, None),
        (OfflineData([0.5], [2], 1.0), None, None),
    ],
)
def test_samples_are_those_that_were_given_or_are_told_from_successes(log, arm, reward):
    assert log.has_samples == (arm is not None)
    assert (None if arm is None else log.samples.arm.tolist()) == arm
    assert (None if arm is None else log.samples.reward.tolist()) == reward
    assert (log.samples is None) == (arm is None)
