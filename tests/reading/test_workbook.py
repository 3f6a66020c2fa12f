"""Workbooks: the first sheet as it stands, with arms of one kind under headings that do not repeat."""

import io

import openpyxl
import pytest

from trust_helpers import DataError
from trust_helpers.reading.workbook import read_workbook, rows_in_use


def workbook(*rows):
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream


MIXED = workbook(["reward", "note", "arm"], [1, "x", "a"], [0, 7, "b"])


def test_only_the_arms_have_to_be_of_one_kind():
    # asked for are the third column and the first; the second has texts and numbers
    assert read_workbook(MIXED, "t", ["arm", "reward"]).rows() == [(1, "x", "a"), (0, "7", "b")]
    with pytest.raises(DataError, match="t: arm names must be all of one kind, not texts and numbers"):
        read_workbook(MIXED, "t", ["note", "reward"])
    assert read_workbook(MIXED, "t").height == 2


@pytest.mark.parametrize("wanted", [("arm", "reward"), ()])
def test_a_heading_that_repeats_is_refused(wanted):
    with pytest.raises(DataError, match="2 columns are called 'arm'"):
        read_workbook(workbook(["arm", "reward", "arm"], ["a", 1, "b"]), "t", wanted)


def test_headings_may_be_numbers_or_missing():
    assert read_workbook(workbook([1, None, 2], [5, 6, 7]), "t").height == 1
    with pytest.raises(DataError, match="t: the file is empty"):
        read_workbook(workbook(), "t", ["arm"])


def test_what_is_no_workbook_is_said_in_one_line():
    with pytest.raises(DataError, match=r"^t: cannot be read as xlsx: [^\n]+$"):
        read_workbook(io.BytesIO(b"PK\3\4 and no more"), "t")


def test_rows_are_numbered_as_a_spreadsheet_shows_them():
    assert rows_in_use(workbook(["arm", "reward"], ["a", 1], [], [None, 0], [], ["b", 2])) == [1, 2, 4, 6]
    assert rows_in_use(workbook([], [], ["arm"])) == [3]


def test_a_heading_that_is_a_number_is_what_the_sheet_shows_whatever_stands_below():
    # a year, above fractions and above words
    years = workbook([2023, 2024], ["a", 0.5], ["b", 0.25])
    assert read_workbook(years, "t", ["2023", "2024"]).rows() == [("a", 0.5), ("b", 0.25)]
    with pytest.raises(DataError, match=r"t: no column '2022' \(did you mean '202[34]'\?\); it has '2023', '2024'$"):
        read_workbook(years, "t", ["2022", "2024"])
