"""Columns: found by name, checked row by row, bad rows named by their place."""

import numpy as np
import pytest

from trust_helpers import DataError
from trust_helpers.reading.cells import Form
from trust_helpers.reading.columns import Gathered, arm_key, finish, match_column, missing


def made(keys, arm, numbers, **options):
    return finish(Gathered(keys, arm, [numbers]), "t", "arm", ["reward"], Form(), **options)


@pytest.mark.parametrize(
    ("wanted", "header", "found", "said"),
    [
        ("arm", ["ARM", "arm"], 1, 0),  # the name itself before others like it
        ("arm", [" arm ", "x"], 0, 1),
        ("arm", ["x", "Arm"], 1, 1),
    ],
)
def test_the_nearest_name_is_meant(wanted, header, found, said):
    position, notices = match_column(wanted, header, "t")
    assert (position, len(notices)) == (found, said)


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        (["arm", "arm"], "2 columns are called 'arm'"),
        (["ARM", "Arm"], "2 columns are called 'arm'"),
        ([], "no column 'arm'; it has no columns$"),
        (["arms"], r"did you mean 'arms'\?"),
        ([str(i) for i in range(13)], r"'11', \.\.\.$"),
        ([str(i) for i in range(12)], "'11'$"),
    ],
)
def test_a_column_that_cannot_be_told(header, complaint):
    with pytest.raises(DataError, match=complaint):
        match_column("arm", header, "t")


def test_arms_come_out_sorted_and_spaces_around_names_are_said():
    columns = made(["b", " a", "a"], [0, 1, 2, 0], [1, 2, 3, 4])
    assert columns.names == ("a", "b")
    assert columns.arm.tolist() == [1, 0, 0, 1]
    assert columns.notices == ("spaces around names are left out: 'a' and ' a' are one arm",)


def test_bad_rows_are_named_up_to_five():
    with pytest.raises(DataError, match="'reward' is not a finite number in row 1, 3, 4, 5, 6 and 2 more"):
        made(["a"], [0] * 8, [np.nan, 1, *[np.inf] * 6])
    with pytest.raises(DataError, match=r"in row 1, 2, 3, 4, 5$"):
        made(["a"], [0] * 6, [*[np.inf] * 5, 1])
    with pytest.raises(DataError, match=r"'arm' is missing an arm in row 2$"):
        made(["a"], [0, -1], [1, 2])


def test_skipped_rows_take_their_arms_along_and_places_stay():
    columns = made(["a", "b", "c"], [0, 1, 2], [np.nan, 5, 6], skip_bad_rows=True)
    assert columns.names == ("b", "c")
    assert (columns.arm.tolist(), columns.numbers[0].tolist(), columns.skipped) == ([0, 1], [5, 6], 1)
    assert columns.where(0) == "row 2 of t"


def test_rules_are_asked_of_rows_that_are_numbers():
    rule = ("it is negative", lambda x: x < 0)
    with pytest.raises(DataError, match="t: it is negative in row 2"):
        made(["a"], [0, 0], [1, -1], rules=[rule])
    assert made(["a"], [0, 0], [1, -1], rules=[rule], skip_bad_rows=True).skipped == 1


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [(["a", 1], "all of one kind, not 'a' and 1"), ([(1,), (1, "x"), ("y",)], "cannot be sorted")],
)
def test_names_of_two_kinds(keys, complaint):
    with pytest.raises(DataError, match=complaint):
        made(keys, range(len(keys)), np.ones(len(keys)))


def test_what_tells_arms_apart():
    assert arm_key(1) == arm_key(1.0) == arm_key(np.int32(1))
    assert len({arm_key(1), arm_key("1"), arm_key(True)}) == 3
    with pytest.raises(DataError, match="a name is a text or a number"):
        arm_key([1])
    assert [missing(x) for x in (None, float("nan"), "", 0, False)] == [True, True, False, False, False]


def test_each_name_that_trimming_joins_to_another_is_counted():
    notices = {
        n: made(["a", *(" " * k + "a" for k in range(1, n + 1))], range(n + 1), np.ones(n + 1)).notices
        for n in (1, 2, 3)
    }
    first = "spaces around names are left out: ' a' and 'a' are one arm"
    assert notices == {1: (first,), 2: (f"{first} and 1 more",), 3: (f"{first} and 2 more",)}


def test_a_table_that_has_no_log_in_it():
    with pytest.raises(DataError, match=r"t: column 'arm' has 2 cells, column 'reward' has 1$"):
        made(["a"], [0, 0], [1])
    with pytest.raises(DataError, match=r"t: the log is empty, it has a header and no rows$"):
        made([], [], [])
    with pytest.raises(DataError, match=r"t: the log is empty, none of its 2 rows is usable$"):
        made(["a", ""], [0, 1], [np.nan, 1], skip_bad_rows=True)


def test_an_empty_name_is_no_arm_and_a_broken_one_no_name():
    with pytest.raises(DataError, match=r"'arm' is missing an arm in row 2$"):
        made(["a", "  "], [0, 1], [1, 2])
    with pytest.raises(DataError, match=r"t: the arm '.*' is no valid text$"):
        made(["a", "b\udc80"], [0, 1], [1, 2])
    assert made(["é", "a"], [0, 1], [1, 2]).names == ("a", "é")
    assert made([7, 5], [0, 1], [1, 2]).names == (5, 7)


def test_a_row_is_refused_for_the_first_thing_that_is_wrong_with_it():
    # a rule that would refuse what is no number either is asked only of the others
    rules = [("it is no good", lambda x: ~(x > 0)), ("it is large", lambda x: ~(x < 9))]
    kept = made(["a", "b"], [0, 0, 1, 1, -1], [np.nan, -1, 5, 10, 3], rules=rules, skip_bad_rows=True)
    assert (kept.names, kept.numbers[0].tolist(), kept.skipped) == (("b",), [5], 4)
    assert kept.where(0) == "row 3 of t"
    with pytest.raises(DataError, match=r"t: it is large in row 2$"):
        made(["a"], [0, 0], [1, 10], rules=rules)


def test_what_is_true_or_will_not_say_is_told_from_numbers():
    class Unsure:
        def __ne__(self, other):
            raise TypeError("it may be, and may not")

    assert missing(Unsure())
    assert arm_key(np.bool_(True)) != arm_key(1)
    assert arm_key(np.bool_(True))[0] is np.bool_
    assert arm_key((1, 2)) == (tuple, (1, 2))
