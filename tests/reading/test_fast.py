"""The fast reader hands on whatever it doubts, and reads the rest as the exact one does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trust_helpers import DataError
from trust_helpers.reading import fast
from trust_helpers.reading.cells import Form
from trust_helpers.reading.columns import finish
from trust_helpers.reading.fast import gather_fast
from trust_helpers.reading.source import Source
from trust_helpers.reading.text import gather_rows, heading, in_utf8

cell = st.one_of(
    st.integers(-5, 5).map(str),
    st.floats(allow_nan=True).map(repr),
    st.sampled_from(
        ["", "a", "a ", "true", '"', '"x"', '"a\nb"', "nan", "\r", "é", "1e400", " 3 ", " 3", "1,5", "2.", "+1"]
    ),
)


tables = st.lists(st.lists(cell, min_size=1, max_size=3), max_size=6)


@given(tables, st.sampled_from([",", ";", "\t"]), st.booleans())
@settings(max_examples=400)
def test_the_fast_reader_agrees_with_the_exact_one(rows, sep, clean):
    """Whatever it does not hand on to the exact reader, it reads alike."""
    if clean:
        rows = [[f"arm {len(row)}", repr(float(i))] for i, row in enumerate(rows)]
    text = "\n".join(sep.join(row) for row in [["arm", "reward", "more"], *rows])
    source = in_utf8(Source("t", "text", text.encode(), b""), Form())
    try:
        head = heading(source, ["arm", "reward"], Form())
    except DataError:
        return
    quick = gather_fast(source, head)
    if quick is None:
        assert not (clean and rows)
        return
    one, other = (finish(g, "t", "arm", ["reward"], head.form) for g in (quick, gather_rows(source, head)))
    assert (one.names, one.arm.tolist(), one.numbers[0].tolist()) == (
        other.names,
        other.arm.tolist(),
        other.numbers[0].tolist(),
    )


@pytest.mark.parametrize(
    "text", ["a,yes\n", "a,1 \n", "a,nan\n", "a,\n", ",1\n", " ,1\n", '"a\r",1\n', "a,1e400\n", "a,1_0\n"]
)
def test_whatever_is_not_plain_is_left_to_the_exact_reader(text):
    source = Source("t", "text", f"arm,reward\nb,2\n{text}".encode(), b"")
    assert gather_fast(source, heading(source, ["arm", "reward"], Form())) is None


def test_numbers_are_those_of_the_exact_reader_to_the_last_bit():
    rng = np.random.default_rng(0)
    cells = [repr(x) for x in (rng.normal(size=3_000) * 10.0 ** rng.integers(-300, 300, 3_000)).tolist()]
    cells += ["9007199254740993", "5e-324", "1e-400", "8.41e21", "1e23", "-0", ".5", "2.", "+1", "0." + "3" * 40]
    text = "arm,reward\n" + "".join(f"a,{cell}\n" for cell in cells)
    source = Source("t", "text", text.encode(), b"")
    head = heading(source, ["arm", "reward"], Form())
    quick, exact = gather_fast(source, head), gather_rows(source, head)
    assert np.asarray(quick.numbers[0]).tobytes() == np.asarray(exact.numbers[0]).tobytes()


def test_a_row_that_is_complained_of_later_is_named_by_its_line():
    source = Source("t", "text", b'arm,reward\n"b",2\na,1\n', b"")
    rows = gather_fast(source, heading(source, ["arm", "reward"], Form()))
    assert [rows.place(i) for i in range(2)] == [2, 3]


def test_decimal_commas_are_read_fast_too():
    source = Source("t", "text", b"arm;reward\na;1,5\nb;-2\n", b"")
    rows = gather_fast(source, heading(source, ["arm", "reward"], Form()))
    assert rows.numbers[0].tolist() == [1.5, -2]


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        (Form(percent=True), ["arm", "reward"]),
        (Form(currency=True), ["arm", "reward"]),
        (Form(thousands="'"), ["arm", "reward"]),
        (Form(), ["reward", "reward"]),
    ],
    ids=["percent", "currency", "thousands", "one column for two"],
)
def test_numbers_that_may_be_dressed_and_a_column_asked_for_twice_are_left_to_the_exact_reader(form, wanted):
    source = Source("t", "text", b"arm,reward\na,1\nb,2\n", b"")
    assert gather_fast(source, heading(source, wanted, form)) is None
    assert gather_rows(source, heading(source, wanted, form)).numbers[0].tolist() == [1, 2]


def test_where_polars_is_not_installed_everything_is(monkeypatch):
    source = Source("t", "text", b"arm,reward\na,1\nb,2\n", b"")
    assert gather_fast(source, heading(source, ["arm", "reward"], Form())).keys == ["a", "b"]
    monkeypatch.setattr(fast, "has", lambda name: name != "polars")
    assert gather_fast(source, heading(source, ["arm", "reward"], Form())) is None


def test_columns_come_in_the_order_they_were_asked_for():
    source = Source("t", "text", b"x,reward,s,arm\n9,1,3,b\n8,2,4,a\n7,5,6,b\n", b"")
    rows = gather_fast(source, heading(source, ["arm", "s", "reward"], Form()))
    assert [rows.keys[i] for i in rows.arm] == ["b", "a", "b"]
    assert [column.tolist() for column in rows.numbers] == [[3, 4, 6], [1, 2, 5]]
