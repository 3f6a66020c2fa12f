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


@pytest.mark.parametrize("count", [2**53, 2**53 + 1, 2**63, 1e19])
def test_more_samples_than_can_be_counted_are_refused_naming_the_arm(count):
    with pytest.raises(DataError, match=r"^count of arm 'b' is .*: at most 9,007,199,254,740,991 samples"):
        checks.counts_vector([1, count], 2, ["a", "b"])


def test_counts_have_a_sum_that_can_be_counted():
    assert checks.counts_vector([2**53 - 2, 1], 2).sum() == 2**53 - 1
    with pytest.raises(
        DataError, match=r"sum to more than 9,007,199,254,740,991 .*: arm 'b', with 9,007,199,254,740,9"
    ):
        checks.counts_vector([1, 2**53 - 1], 2, ["a", "b"])


def test_a_complaint_has_all_digits_of_a_value():
    with pytest.raises(DataError, match=r"^mean of arm 0 is 1234568: too much$"):
        checks.refuse_first(np.array([True]), np.array([1234568.0]), "mean", "too much")


@pytest.mark.parametrize(("off", "refused"), [(0.95e-9, False), (-0.95e-9, False), (1.05e-9, True), (-1.05e-9, True)])
def test_a_sum_may_be_off_by_a_billionth(off, refused):
    weights = [0.25, 0.75 + off]
    if refused:
        with pytest.raises(DataError, match=r"policy sums to .*: it must sum to 1"):
            checks.simplex_vector(weights, 2, "policy")
    else:
        assert checks.simplex_vector(weights, 2, "policy").sum() == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(("won", "refused"), [(0, False), (4, False), (-1, True), (5, True), (2.5, True)])
def test_successes_are_whole_from_none_to_all(won, refused):
    if refused:
        with pytest.raises(DataError, match=f"successes of arm 1 is {won}: it must be whole, from 0 to its 4 trials"):
            checks.successes_vector([1, won], np.array([1, 4]))
    else:
        assert checks.successes_vector([1, won], np.array([1, 4])).tolist() == [1, won]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([], r"mean must be a vector with one entry per arm, got shape \(0,\)"),
        (1.0, r"got shape \(\)"),
        ([[1.0]], r"got shape \(1, 1\)"),
        (["much"], "mean must be numbers"),
        ([1.0, np.inf], "mean of arm 1 is inf: every value must be finite"),
    ],
)
def test_what_is_no_vector_of_numbers(values, complaint):
    with pytest.raises(DataError, match=complaint):
        checks.finite_vector(values, "mean")


def test_there_is_an_entry_for_each_arm():
    with pytest.raises(DataError, match="count has 1 entries but there are 2 arms"):
        checks.counts_vector([1], 2)
    with pytest.raises(DataError, match="policy has 3 entries but there are 2 arms"):
        checks.simplex_vector([0.5, 0.25, 0.25], 2, "policy")
    with pytest.raises(DataError, match="count of arm 'b' is 0: drop arms without a sample"):
        checks.counts_vector([1, 0], 2, ["a", "b"])
    assert checks.arm_label(0, None) == "arm 0"
