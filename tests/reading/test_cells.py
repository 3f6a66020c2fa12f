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


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("1,5", "--decimal ,"),  # no groups of three digits
        ("1,200.5", "--thousands ,"),
        ("$3,50", "--currency --decimal , --thousands ."),  # without groups, but for want of a shorter one
        ("1.200,5", "--decimal , --thousands ."),
        ("1.200,5 EUR", "--currency --decimal , --thousands ."),
        ("0,25", "--decimal ,"),
    ],
)
def test_a_hint_is_the_least_that_has_to_be_said(text, option):
    assert hint(text, Form()) == f" ('{text}' would be one with {option})"


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_the_first_group_has_one_to_three_digits_and_the_others_three(digits):
    read = number_reader(Form(thousands=",", percent=True))
    for sign, factor in (("", 1), ("+", 1), ("-", -1)):
        assert read(f"{sign}{'7' * digits},000,250.5") == factor * (int("7" * digits) * 10**6 + 250.5)
        assert read(f"{sign}{'7' * digits},000%") == factor * int("7" * digits) * 10
    assert math.isnan(read("7" * digits + ",00"))
    assert math.isnan(read("7" * digits + ",0000"))
    assert read("1234567") == 1234567  # without a mark, any number


def test_signs_and_spaces_about_a_number_do_not_hide_its_decimal_comma():
    assert settle_decimal(Form(), [" 1,5 % ", "$2,25", "3"])[0].decimal == ","
    assert settle_decimal(Form(), ["1,234", "0,5"])[0].decimal == ","  # one of them cannot be groups
    assert settle_decimal(Form(), ["1,234", "1.5"])[0].decimal == "."
    assert settle_decimal(Form(), ["1,234", "a,b"])[0].decimal == "."
