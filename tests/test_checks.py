"""What comes in at the door: made a number or a read-only vector, or refused by name."""

import numpy as np
import pytest

from trust_helpers import DataError, TrustError
from trust_helpers.checks import (
    arm_label,
    counts_vector,
    finite_vector,
    frozen,
    positive_vector,
    probability,
    radii_grid,
    refuse_first,
    simplex_vector,
    successes_vector,
    whole_number,
)

AB = ["a", "b"]
MOST = "9,007,199,254,740,991"


def test_a_frozen_array_is_a_copy_that_cannot_be_changed():
    given = np.array([1.0, 2.0])
    kept = frozen(given)
    given[0] = 9
    assert kept.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 3


MADE = [
    (whole_number, (np.int64(2), "draws", 2), 2),
    (radii_grid, (0.5,), [0.5]),
    (radii_grid, ([1.0, 1.0, 0.0],), [1, 1, 0]),
    (positive_vector, ([2.0], 3, "sigma"), [2, 2, 2]),
    (simplex_vector, ([1.0, 0.0], 2, "policy"), [1, 0]),
    (counts_vector, ([1.0, 3.0], 2), [1, 3]),
    (counts_vector, ([2**53 - 2, 1], 2), [2**53 - 2, 1]),
    (successes_vector, ([1, 0], np.array([1, 4])), [1, 0]),
    (successes_vector, ([1, 4], np.array([1, 4])), [1, 4]),
    (arm_label, (0, None), "arm 0"),
]


@pytest.mark.parametrize(("check", "given", "expected"), MADE)
def test_what_is_let_in(check, given, expected):
    made = check(*given)
    assert (made.tolist() if isinstance(made, np.ndarray) else made) == expected


def test_counts_are_integers_and_probabilities_are_numbers_of_python():
    assert counts_vector([1.0, 3.0], 2).dtype == np.int64
    assert {type(probability(value)) for value in (1e-300, 0.5, np.float32(0.25), 1 - 1e-16)} == {float}


@pytest.mark.parametrize("off", [0.95e-9, -0.95e-9, 0.0])
def test_weights_that_sum_to_one_up_to_a_billionth_are_mended(off):
    assert simplex_vector([0.25, 0.75 + off], 2, "policy").sum() == pytest.approx(1, abs=1e-15)


REFUSED = [
    (counts_vector, ([-2, 1], 2), "count of arm 0 is -2: drop"),
    *((probability, (one,), r"delta is .*: it must") for one in (0, 1, -0.1, 1.1, np.nan, "much", None)),
    (whole_number, (1, "draws", 2), "draws is 1: it must be at least 2"),
    (whole_number, (2.0, "draws"), r"draws is 2\.0: it must be a whole number"),
    (radii_grid, ([],), "at least one"),
    (radii_grid, ([[1.0]],), "a vector"),
    (radii_grid, ([1.0, np.inf],), "finite"),
    (radii_grid, ([1.0, -0.5],), "radius -0.5 is negative"),
    (radii_grid, ([1.0, 0.5, 0.7],), "0.7 follows 0.5"),
    (radii_grid, (["wide"],), "must be numbers"),
    (simplex_vector, ([0.25, 0.75 + 1.05e-9], 2, "policy"), "policy sums to .*: it must sum to 1"),
    (simplex_vector, ([0.25, 0.75 - 1.05e-9], 2, "policy"), "policy sums to .*: it must sum to 1"),
    (simplex_vector, ([0.5, 0.50000001], 2, "policy"), r"sums to 1\.00000001"),
    (simplex_vector, ([1.1, -0.1], 2, "policy"), r"policy of arm 1 is -0\.1: weights cannot be negative"),
    (simplex_vector, ([0.5, 0.25, 0.25], 2, "policy"), "policy has 3 entries but there are 2 arms"),
    (positive_vector, ([1.0, 2.0], 3, "sigma"), r"shape \(2,\) but there are 3 arms"),
    (positive_vector, ([1.0, 0.0], 2, "sigma", AB), "sigma of arm 'b' is 0: it must be positive"),
    # one level for all is no fault of an arm
    *((positive_vector, (x, 3, "sigma"), f"^sigma is {x:g}: it must be pos") for x in (0, -1, -0.5, np.nan, np.inf)),
    (counts_vector, ([0.5, 3.0], 2), r"count of arm 0 is 0\.5: it must be whole"),
    (counts_vector, ([1], 2), "count has 1 entries but there are 2 arms"),
    (counts_vector, ([1, 1, np.nan], 2, AB), "count has 3 entries but there are 2 arms"),  # the third has no name
    (counts_vector, ([1, 0], 2, AB), "count of arm 'b' is 0: drop arms without a sample"),
    *(
        (counts_vector, ([1, n], 2, AB), f"^count of arm 'b' is .*: at most {MOST}")
        for n in (2**53, 2**53 + 1, 2**63, 1e19)
    ),
    (counts_vector, ([1, 2**53 - 1], 2, AB), f"sum to more than {MOST} .*: arm 'b', with 9,007,199,254,740,9"),
    *(
        (successes_vector, ([1, k], np.array([1, 4])), f"of arm 1 is {k}: .*from 0 to its 4 trials")
        for k in (-1, 5, 2.5)
    ),
    (finite_vector, ([], "mean"), r"mean must be a vector with one entry per arm, got shape \(0,\)"),
    (finite_vector, (1.0, "mean"), r"got shape \(\)"),
    (finite_vector, ([[1.0]], "mean"), r"got shape \(1, 1\)"),
    (finite_vector, (["much"], "mean"), "mean must be numbers"),
    (finite_vector, ([1.0, np.inf], "mean"), "mean of arm 1 is inf: every value must be finite"),
    (
        refuse_first,
        (np.array([True]), np.array([1234568.0]), "mean", "too much"),
        "^mean of arm 0 is 1234568: too much$",
    ),
]


@pytest.mark.parametrize(("check", "given", "complaint"), REFUSED)
def test_what_is_refused_names_the_culprit(check, given, complaint):
    with pytest.raises(TrustError if check in {probability, whole_number, radii_grid} else DataError, match=complaint):
        check(*given)
