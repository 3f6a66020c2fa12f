"""Delimited text: every row has the line on which it begins."""

import csv

import pytest

from trust_helpers import DataError
from trust_helpers.reading.cells import Form
from trust_helpers.reading.source import Source
from trust_helpers.reading.text import gather_rows, gather_wide, heading, in_utf8


def text(content):
    content = content if isinstance(content, bytes) else content.encode()
    return Source("t", "text", content, content)


def rows_of(content):
    source = text(content)
    return gather_rows(source, heading(source, ["arm", "reward"], Form()))


def test_rows_are_placed_where_they_begin():
    rows = rows_of('arm,reward\na,1\n"b\nb",2\nc,3\n\nd,4\n"e\n\n",5\nf,6\n')
    assert rows.keys == ["a", "b\nb", "c", "", "d", "e\n\n", "f"]
    places = [rows.place(i) for i in range(len(rows.arm))]
    assert [places[i] for i in (0, 1, 2, 4, 5, 6)] == [2, 3, 5, 7, 8, 11]


def test_a_header_of_two_lines_shifts_all_places():
    source = text('"arm\nhere",reward\na,1\nb,2\n')
    rows = gather_rows(source, heading(source, ["arm\nhere", "reward"], Form()))
    assert [rows.place(0), rows.place(1)] == [3, 4]


@pytest.mark.parametrize(
    ("content", "sep"),
    [("arm;reward;a,b\n", ";"), ("arm\treward\n", "\t"), ("a|arm|reward\n", "|"), ("arm,reward;x\n,\n", ",")],
)
def test_the_separator_is_the_one_that_has_the_columns(content, sep):
    if sep == ",":  # only one of the wanted columns is there
        with pytest.raises(DataError, match="no column 'reward'"):
            heading(text(content), ["arm", "reward"], Form())
        return
    assert heading(text(content), ["arm", "reward"], Form()).form.sep == sep


def test_the_first_cell_that_is_no_number_is_kept_for_the_complaint():
    rows = rows_of("arm,reward\na,1\nb, 12% \nc,x\n")
    assert rows.bad == {0: "12%"}


def test_a_row_wider_than_the_header_is_refused_and_a_shorter_one_has_empty_cells():
    with pytest.raises(DataError, match="line 3 has 3 cells, the header 2"):
        rows_of("arm,reward\na,1\nb,2,3\n")
    assert rows_of("arm,reward\na\n").bad == {0: ""}


def test_a_wide_table_has_a_try_in_every_cell_that_is_not_empty():
    source = text("a,b\n1,2\n,4\n5,\n")
    rows = gather_wide(source, heading(source, [], Form()))
    assert list(zip(rows.arm, rows.numbers[0], strict=True)) == [(0, 1), (1, 2), (1, 4), (0, 5)]
    assert [rows.place(i) for i in range(4)] == [2, 2, 3, 4]


@pytest.mark.parametrize(("header", "complaint"), [("a,a", "2 columns are called 'a'"), ("a, ", "has no name")])
def test_a_wide_table_with_columns_that_are_no_arms(header, complaint):
    source = text(f"{header}\n1,2\n")
    with pytest.raises(DataError, match=complaint):
        gather_wide(source, heading(source, [], Form()))


PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


@pytest.mark.parametrize("content", [PICTURE, "arm,reward\n".encode("utf-16-le")], ids=["a picture", "no mark"])
def test_what_is_no_text_is_not_taken_for_another_encoding_of_it(content):
    with pytest.raises(DataError, match=r"^t: it is no text, or UTF-16 without a mark"):
        heading(text(content), ["arm", "reward"], Form())


def test_a_stray_zero_in_a_text_does_not_make_it_binary():
    assert rows_of("arm,reward\na\x00,1\nb,2\n").keys == ["a\x00", "b"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "latin-1"])
def test_text_of_any_encoding_becomes_utf_8(encoding):
    said = Form() if encoding in ("utf-8-sig", "utf-16") else Form(encoding=encoding)
    assert in_utf8(text("ärm,x".encode(encoding)), said).open().read() == "ärm,x".encode()


def test_text_that_is_not_in_the_encoding_that_was_said():
    with pytest.raises(DataError, match="it is not utf-16"):
        in_utf8(text(b"\xff\xfea"), Form())


@pytest.mark.parametrize(("row", "mark"), [(1000, ","), (1001, ".")])
def test_the_first_thousand_rows_decide_on_the_decimal_mark(row, mark):
    source = text("arm;reward\n" + "a;1\n" * (row - 1) + "a;1,5\n")
    assert heading(source, ["arm", "reward"], Form()).form.decimal == mark


@pytest.mark.parametrize(("blanks", "empty"), [(65_535, False), (65_536, True)])
def test_what_begins_with_64_kilobytes_of_nothing_is_empty(blanks, empty):
    source = text(" " * blanks + "arm,reward\na,1\n")
    if not empty:
        assert heading(source, ["arm", "reward"], Form()).positions == [0, 1]
        return
    with pytest.raises(DataError, match="the file is empty"):
        heading(source, ["arm", "reward"], Form())


def test_bytes_without_meaning_are_no_text():
    with pytest.raises(DataError, match="it is no text"):
        heading(text("arm,reward\na,1\n".encode("utf-16-le")), ["arm", "reward"], Form())
    assert heading(text("arm,reward\na\0,1\n"), ["arm", "reward"], Form()).positions == [0, 1]  # the header is text


@pytest.mark.parametrize("byte", [b"\x80", b"\xff"])
def test_a_byte_that_is_no_utf_8_is_refused_in_headings_and_names(byte):
    for content in (b"arm,reward," + byte + b"\na,1,2\n", b"arm,reward\n" + byte + b",1\n"):
        with pytest.raises(DataError, match="is not UTF-8: say --encoding"):
            rows_of(content)


@pytest.fixture
def short_cells():
    """The limit on cells that whoever uses the csv module may have set, here to eight characters."""
    limit = csv.field_size_limit(8)
    yield
    csv.field_size_limit(limit)


def test_a_separator_that_makes_cells_too_long_to_read_is_not_taken(short_cells):
    # under every other separator the header is one cell of eleven characters, which has none of the columns
    source = text("aaaa|bbbb|c\n1|2|1234567890\n")
    assert heading(source, [], Form()).form.sep == "|"
    assert gather_wide(source, heading(source, [], Form())).numbers[0].tolist() == [1, 2, 1234567890]
    assert csv.field_size_limit() == 8
    # a quote that a comma opens runs on over the lines; any other separator makes one cell of the first
    single = heading(text('a,"b\n1234567890\n'), [], Form())
    assert (single.form.sep, single.columns) == (";", ['a,"b'])


def test_a_row_without_the_column_of_arms_has_an_empty_name():
    source = text("x,reward,arm\n1,2,a\n1,3\n")
    rows = gather_rows(source, heading(source, ["arm", "reward"], Form()))
    assert [rows.keys[i] for i in rows.arm] == ["a", ""]
    assert rows.numbers[0].tolist() == [2, 3]


def test_a_cell_of_a_wide_table_that_is_no_finite_number_is_kept_for_the_complaint():
    source = text("a,b\n1, inf \nx,2\n")
    assert gather_wide(source, heading(source, [], Form())).bad == {0: "inf"}


def test_a_separator_other_than_a_comma_is_mentioned_unless_it_was_said():
    for sep, word in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        source = text(f"arm{sep}reward\na{sep}1\n")
        assert heading(source, ["arm", "reward"], Form()).notices == [f"columns are separated by {word}"]
        assert heading(source, ["arm", "reward"], Form(sep=sep)).notices == []
    assert heading(text("arm,reward\na,1\n"), ["arm", "reward"], Form()).notices == []


@pytest.mark.parametrize("first", ["", "  ", ",", '""', " , \t"])
@pytest.mark.parametrize("wanted", [["arm", "reward"], []])
def test_a_first_line_that_is_blank_is_said_to_be(first, wanted):
    with pytest.raises(DataError, match=r"^t: the first line is blank, and has to name the columns$"):
        heading(text(f"{first}\narm,reward\na,1\n"), wanted, Form())
