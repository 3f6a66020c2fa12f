"""What comes in at the door: made a number or a read-only vector, or refused by name."""

import numpy as np
import pytest

from trust_helpers import DataError, TrustError, checks


def test_a_frozen_array_is_a_copy_that_cannot_be_changed():
    given = np.array([1.0, 2.0])
    kept = checks.frozen(given)
    given[0] = 9
    assert kept.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 3


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.1, float("nan"), "much", None])
def test_what_is_no_probability(value):
    with pytest.raises(TrustError, match=r"delta is .*: it must"):
        checks.probability(value)


@pytest.mark.parametrize("value", [1e-300, 0.5, np.float32(0.25), 1 - 1e-16])
def test_probabilities_are_numbers_of_python(value):
    assert type(checks.probability(value)) is float


def test_whole_numbers_have_a_least():
    assert checks.whole_number(np.int64(2), "draws", least=2) == 2
    with pytest.raises(TrustError, match="draws is 1: it must be at least 2"):
        checks.whole_number(1, "draws", least=2)
    with pytest.raises(TrustError, match=r"draws is 2.0: it must be a whole number"):
        checks.whole_number(2.0, "draws")


def test_radii_may_repeat_and_one_is_a_grid():
    assert checks.radii_grid(0.5).tolist() == [0.5]
    assert checks.radii_grid([1.0, 1.0, 0.0]).tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    ("radii", "complaint"),
    [
        ([], "at least one"),
        ([[1.0]], "a vector"),
        ([1.0, np.inf], "finite"),
        ([1.0, -0.5], "radius -0.5 is negative"),
        ([1.0, 0.5, 0.7], "0.7 follows 0.5"),
        (["wide"], "must be numbers"),
    ],
)
def test_radii_that_are_no_grid(radii, complaint):
    with pytest.raises(TrustError, match=complaint):
        checks.radii_grid(radii)


def test_weights_that_sum_to_one_up_to_rounding_are_mended():
    off = np.array([0.1] * 10) * (1 + 5e-10)
    assert checks.simplex_vector(off, 10, "policy").sum() == pytest.approx(1, abs=1e-15)
    assert checks.simplex_vector([1.0, 0.0], 2, "policy").tolist() == [1, 0]
    with pytest.raises(DataError, match=r"sums to 1\.00000001"):
        checks.simplex_vector([0.5, 0.50000001], 2, "policy")
    with pytest.raises(DataError, match=r"policy of arm 1 is -0\.1: weights cannot be negative"):
        checks.simplex_vector([1.1, -0.1], 2, "policy")


def test_one_level_or_one_each():
    assert checks.positive_vector([2.0], 3, "sigma").tolist() == [2, 2, 2]
    with pytest.raises(DataError, match=r"shape \(2,\) but there are 3 arms"):
        checks.positive_vector([1.0, 2.0], 3, "sigma")
    with pytest.raises(DataError, match="sigma of arm 'b' is 0: it must be positive"):
        checks.positive_vector([1.0, 0.0], 2, "sigma", ["a", "b"])


@pytest.mark.parametrize("level", [0, -1, -0.5, np.nan, np.inf])
def test_one_level_for_all_is_no_fault_of_an_arm(level):
    with pytest.raises(DataError, match=f"^sigma is {level:g}: it must be positive and finite"):
        checks.positive_vector(level, 3, "sigma")


def test_counts_are_whole_numbers_of_at_least_one():
    assert checks.counts_vector([1.0, 3.0], 2).dtype == np.int64
    with pytest.raises(DataError, match=r"count of arm 0 is 0\.5: it must be whole"):
        checks.counts_vector([0.5, 3.0], 2)
