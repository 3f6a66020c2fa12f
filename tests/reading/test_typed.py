"""Columns with types: names keep theirs, and what is missing is."""

import numpy as np
import pytest

from trust_helpers import DataError
from trust_helpers.reading.cells import Form
from trust_helpers.reading.source import Source
from trust_helpers.reading.typed import (
    frame_column,
    frame_headings,
    gather_cells,
    gather_json,
    is_json,
    wide_cells,
)


def json(content):
    return Source("t", "text", content.encode(), b"")


def test_cells_of_every_type_are_numbers_or_nan():
    rows = gather_cells([7, "7", True, None], [[1, "2.5", True, None]], Form())
    assert rows.keys == [7, "7", True]
    assert rows.arm.tolist() == [0, 1, 2, -1]
    np.testing.assert_array_equal(rows.numbers[0], [1, 2.5, 1, np.nan])
    assert np.isnan(gather_cells(["a"] * 3, [[1j, [1], 10**400]], Form()).numbers[0]).all()


def test_whole_numbers_are_numbered_at_once():
    rows = gather_cells(np.array([30, 4, 30]), [np.array([1, 2, 3])], Form())
    assert [rows.keys[i] for i in rows.arm] == [30, 4, 30]
    assert rows.numbers[0].dtype == float


def test_a_text_among_the_numbers_is_kept_for_the_complaint():
    rows = gather_cells(["a"] * 3, [[1, "x", "y"]], Form())
    assert rows.bad == {0: "x"}
    assert "yes and true" in gather_cells(["a"], [["yes"]], Form()).notices[0]


def test_json_lines_are_placed_and_fields_matched():
    rows = gather_json(json('{"Arm": "a", "reward": 1}\n\n{"Arm": "b"}\n'), ["arm", "reward"], Form())
    assert [rows.place(0), rows.place(1)] == [1, 3]
    np.testing.assert_array_equal(rows.numbers[0], [1, np.nan])
    assert rows.notices == ["the column 'Arm' is taken for 'arm'"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("[1]\n", "line 1 is not a JSON object"), ('{"arm": 1}\n{', "line 2 is not"), ("\n", "the file is empty")],
)
def test_json_that_is_no_table(content, complaint):
    with pytest.raises(DataError, match=complaint):
        gather_json(json(content), ["arm"], Form())


def test_what_begins_as_json():
    assert [is_json(json(text)) for text in (' {"a": 1}', "[", "arm,reward", "")] == [True, True, False, False]
    # blanks before it are passed over, but no more than 4,096 bytes are looked at
    assert [is_json(json(" " * blanks + "{")) for blanks in (4095, 4096)] == [True, False]


def test_columns_of_frames():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [1.0, None], "b": [2.0, 4.0]})
    assert isinstance(frame_column(frame, 1), np.ndarray)
    assert frame_column({"a": (1, None)}, 0) == [1, None]
    rows = wide_cells(frame, Form())
    assert [(rows.keys[i], x) for i, x in zip(rows.arm, rows.numbers[0], strict=True)] == [("a", 1), ("b", 2), ("b", 4)]


@pytest.mark.parametrize(("row", "value"), [(1000, 1.5), (1001, np.nan)])
def test_the_first_thousand_texts_decide_on_the_decimal_mark(row, value):
    cells = gather_cells(["a"] * row, [["1"] * (row - 1) + ["1,5"]], Form()).numbers[0]
    np.testing.assert_array_equal(cells[-1], value)


class Frame(dict):
    """A frame that says what its columns are called, as one library or another does."""


@pytest.mark.parametrize("said", ["column_names", "columns"])
def test_a_frame_is_asked_what_its_columns_are_called(said):
    frame = Frame(arm=["a"], reward=[1.0], hidden=[0])
    setattr(frame, said, ("reward", "arm"))
    assert frame_headings(frame) == ["reward", "arm"]
    assert frame_column(frame, 1) == ["a"]
    assert frame_headings(dict(frame)) == ["arm", "reward", "hidden"]


@pytest.mark.parametrize("table", ["arm", b"arm", ["arm"], ("arm",), np.zeros((2, 2)), 7, None, {"arm"}])
def test_what_has_no_columns_by_name_is_no_frame(table):
    with pytest.raises(DataError, match=f"^the frame: {type(table).__name__} is no frame and no mapping from names"):
        frame_headings(table)


def test_rows_of_a_wide_frame_are_counted_from_1_and_its_empty_cells_left_out():
    polars = pytest.importorskip("polars")
    rows = wide_cells(polars.DataFrame({"a": ["", "7", None], "b": ["1", "", "3"]}), Form())
    assert [rows.keys[i] for i in rows.arm] == ["a", "b", "b"]
    np.testing.assert_array_equal(rows.numbers[0], [7, 1, 3])
    assert [rows.place(i) for i in range(3)] == [2, 1, 3]


def test_an_object_that_has_a_key_twice_is_refused():
    with pytest.raises(DataError, match=r"^t: line 2 has 'reward' twice"):
        gather_json(json('{"arm": 1, "reward": 2}\n{"arm": 1, "reward": 2, "reward": 3}\n'), ["arm", "reward"], Form())


def test_a_field_may_be_missing_below_the_first_line_but_not_there():
    rows = gather_json(json('{"arm": 1, "x": 2}\n{"x": 3}\n{" ARM ": 4, "x": 5}\n'), ["arm", "x"], Form())
    assert [rows.keys[i] if i >= 0 else None for i in rows.arm] == [1, None, 4]
    with pytest.raises(DataError, match="no column 'arm'"):
        gather_json(json('{"x": 3}\n{"arm": 1, "x": 2}\n'), ["arm", "x"], Form())


@pytest.mark.parametrize("said", ["to_list", "to_pylist", "tolist"])
def test_a_column_is_listed_as_its_library_lists_it(said):
    column = type("Column", (), {said: lambda _: [1, None]})()
    assert frame_column({"a": column}, 0) == [1, None]


def test_a_column_of_no_library_is_gone_through():
    assert frame_column({"a": range(3)}, 0) == [0, 1, 2]
    assert frame_column({"a": np.array(["x", None], dtype=object)}, 0) == ["x", None]
    assert frame_column({"a": np.array([1, 2])}, 0).tolist() == [1, 2]
