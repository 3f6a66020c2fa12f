"""Numbers as people write them."""

import math

import pytest

from trust_helpers import DataError, TrustError
from trust_helpers.reading.cells import Form, hint, number_reader, settle_decimal


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (Form(), " 2.5 ", 2.5),
        (Form(), "No", 0.0),
        (Form(decimal=","), "-2,5", -2.5),
        (Form(thousands=","), "1,234,567.5", 1234567.5),
        (Form(thousands=".", decimal=","), "1.234,5", 1234.5),
        (Form(percent=True), "12.5 %", 0.125),
        (Form(currency=True), "USD 3", 3.0),
        (Form(currency=True), "-€3", -3.0),
        (Form(currency=True), "3 kr", None),
        (Form(), "1_0", None),
        (Form(), "\u0663", None),
        (Form(decimal=","), "2.5", None),
        (Form(thousands=","), "12,34", None),
        (Form(thousands=","), "1234,567", None),
        (Form(thousands=","), ",123", None),
    ],
)
def test_a_cell_is_the_number_it_stands_for_or_none(form, text, value):
    read = number_reader(form)(text)
    assert math.isnan(read) if value is None else read == pytest.approx(value)


def test_words_that_count_as_numbers_are_told():
    met = set()
    read = number_reader(Form(), met)
    assert [read("Yes"), read("false")] == [1, 0]
    assert met == {"yes", "false"}


@pytest.mark.parametrize(
    ("cells", "mark"),
    [(["1,5", "2"], ","), (["1.5", "2"], "."), (["1,5", "2.5"], "."), (["12"], "."), (["0,125"], ","), (["a,b"], ".")],
)
def test_a_comma_is_the_decimal_mark_where_it_can_be_nothing_else(cells, mark):
    form, said = settle_decimal(Form(), cells)
    assert form.decimal == mark
    assert bool(said) == (mark == ",")


def test_what_may_be_either_is_asked():
    with pytest.raises(DataError, match="may be a decimal comma or groups of thousands"):
        settle_decimal(Form(), ["1,234", "2,500"])
    assert settle_decimal(Form(thousands=","), ["1,234"])[0].decimal == "."
    assert settle_decimal(Form(decimal=","), ["1,234"])[0].decimal == ","


@pytest.mark.parametrize(
    ("text", "option"),
    [("12%", "--percent"), ("$3", "--currency"), ("$1,200", "--currency --thousands ,"), ("word", ""), ("", "")],
)
def test_a_hint_names_the_option_that_would_do(text, option):
    assert hint(text, Form()).endswith(f"{option})" if option else "")
    assert bool(hint(text, Form())) == bool(option)


@pytest.mark.parametrize(
    "said",
    [{"thousands": mark} for mark in ("..", "a", "7", "+", "-", ".")]
    + [{"sep": sep} for sep in ("", "ab", '"', "\n", "\r")]
    + [{"decimal": ":"}, {"decimal": ",", "thousands": ","}, {"encoding": "utf-9"}],
    ids=str,
)
def test_a_form_that_cannot_be_is_refused(said):
    with pytest.raises(TrustError):
        Form(**said)


def test_marks_that_can_be_are_taken():
    for said in ({"thousands": "'"}, {"thousands": ".", "decimal": ","}, {"sep": "^"}, {"encoding": "latin-1"}):
        assert Form(**said) == Form(**said)
