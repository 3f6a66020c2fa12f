"""The samples of a log: numbered by name, checked, and what varies within arms."""

import numpy as np
import pandas as pd
import pytest

from trust_helpers import DataError
from trust_helpers.samples import Samples, arm_labels, distinct_names, number_arms


def test_an_arm_without_a_sample_has_no_spare_and_averages_nothing():
    part = Samples(np.array([2, 0, 2]), np.array([1.0, 7.0, 4.0]), np.array([1, 0, 2]))
    assert part.means.tolist() == [7, 0, 2.5]
    assert (part.spare, part.residual_squares, part.residual_variance) == (1, 4.5, 4.5)


def test_without_a_repeat_nothing_is_known_of_the_variance():
    assert np.isnan(Samples(np.array([0, 1]), np.array([1.0, 2.0]), np.array([1, 1])).residual_variance)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_arm_is_named_by_its_sample(missing):
    arms = ["a", "b", missing]
    with pytest.raises(DataError, match="arm of sample 2 is missing"):
        number_arms(arms, np.array(arms, dtype=object))


def test_arms_are_numbered_in_the_order_of_their_names():
    names, arm = number_arms([30, 4, 30], np.array([30, 4, 30]))
    assert names == (4, 30)
    assert arm.tolist() == [1, 0, 1]


def test_names_keep_their_order_and_numbers_are_of_one_kind():
    assert distinct_names(["b", "a"], 2) == ("b", "a")
    assert distinct_names([1, 2.5, np.int32(7)], 3) == (1, 2.5, 7)
    assert distinct_names([], 0) == ()


def test_what_varies_within_arms_is_shared_by_all_repeats():
    # 1 3 5 are 8 off their mean in squares and 0 2 are 2, with two repeats and one; the 9 stands alone
    part = Samples(np.array([0, 1, 0, 2, 1, 0]), np.array([1.0, 0, 3, 9, 2, 5]), np.array([3, 2, 1]))
    assert part.means.tolist() == [3, 1, 9]
    assert (part.spare, part.residual_squares) == (3, 10)
    assert part.residual_variance == pytest.approx(10 / 3)


@pytest.mark.parametrize(("arms", "kind"), [(["a", "b"], "U"), ([1, 2], "i"), ([1, 0.5], "f"), (range(3), "i")])
def test_arms_that_an_array_keeps_are_one(arms, kind):
    assert arm_labels(arms).dtype.kind == kind
    given = np.array(list(arms))
    assert arm_labels(given) is given


def test_arms_that_an_array_would_change_stay_what_they_are():
    assert arm_labels(["a", "a\0"]).tolist() == ["a", "a\0"]
    assert arm_labels([2**53 + 1, 0.5]).tolist() == [2**53 + 1, 0.5]
    with pytest.raises(DataError, match="arms must be a vector with one name per sample"):
        arm_labels([(1, 2), (1,)])
