"""Numbers as they are shown: bounds and confidences never above what they are, and nothing cut so that it lies.

What data may do to a screen: nothing.
"""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trust_helpers.formatting import (
    WIDEST,
    interval_text,
    percent_sure,
    plain_number,
    quoted,
    rounded_down,
    rounded_off,
    visible,
)

# numbers below the normal range have fewer digits than they show, and no log has any: its unit would be refused
VALUES = st.floats(-1e30, 1e30, allow_subnormal=False)


def read(text):
    return Decimal(text.replace(",", ""))


@given(VALUES)
def test_a_bound_is_never_shown_above_what_it_is_and_hardly_below(value):
    exact, shown = Decimal(repr(value)), read(rounded_down(value))
    assert shown <= exact
    assert exact - shown <= abs(exact) / 1000
    if 1000 <= abs(value) < 1e15:
        assert exact - shown < 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.9999954, "0.9999"),
        (0.3, "0.3"),  # which a computer keeps as a little less
        (0.6138, "0.6138"),
        (-0.12341, "-0.1235"),
        (-999.99, "-1,000"),
        (1234.9, "1,234"),
        (-1234.1, "-1,235"),
        (1235437.2, "1,235,437"),
        (123456789012345.6, "123,456,789,012,345"),
        (1.23456e20, "1.234e+20"),
        (1.23456e-7, "1.234e-07"),
        (0.0, "0"),
        (-0.0, "0"),
    ],
)
def test_bounds_that_are_known(value, text):
    assert rounded_down(value) == text


@given(st.floats(-999, 999))
def test_small_numbers_are_shown_as_they_always_were(value):
    assert rounded_off(value) == f"{value + 0.0:.4g}"


def test_large_numbers_have_all_their_whole_digits():
    assert [rounded_off(value) for value in (999.94, 999.96, 1234.6, -1235437.9)] == [
        "999.9", "1,000", "1,235", "-1,235,438",
    ]  # fmt: skip


@given(VALUES, VALUES)
def test_an_interval_is_never_shown_narrower(one, other):
    low, high = sorted((one, other))
    shown = [read(text) for text in interval_text(low, high).split(" to ")]
    assert shown[0] <= Decimal(repr(low))
    assert shown[1] >= Decimal(repr(high))


def test_both_ends_of_an_interval_are_rounded_outwards():
    assert interval_text(-0.12341, 0.99991) == "-0.1235 to 1"
    assert interval_text(-0.12349, -0.12341) == "-0.1235 to -0.1234"
    assert interval_text(0.0, 0.0) == "0 to 0"


@given(st.floats(1e-15, 1 - 1e-9))
def test_a_confidence_below_one_is_never_shown_as_one(delta):
    confidence = 1 - delta
    shown = Fraction(percent_sure(confidence).removesuffix(" %")) / 100
    assert shown < 1
    assert shown <= Fraction(repr(confidence)) + Fraction(1, 10**9) * (1 - shown)


@pytest.mark.parametrize(
    ("confidence", "text"),
    [
        (0.9, "90 %"),
        (0.975, "97.5 %"),
        (0.9 + 0.8 - 1, "70 %"),
        (0.95 + 0.9 - 1, "85 %"),
        (0.99999, "99.999 %"),
        (1 - 1.5e-5, "99.998 %"),
        (1 - 1e-9, "99.9999999 %"),
        (1 - 1e-17, "99.99999999999999 %"),  # 1 to a computer
        (0.12349, "12.34 %"),
        (1e-5, "0.001 %"),
    ],
)
def test_confidences_that_are_known(confidence, text):
    assert percent_sure(confidence) == text


@given(st.floats(allow_nan=False))
def test_a_plain_number_is_read_back_as_it_was(value):
    assert float(plain_number(value)) == value
    assert not plain_number(value).endswith(".0")


@given(st.text(max_size=400), st.integers(5, 80))
def test_shown_text_is_printable_and_no_wider_than_allowed(text, width):
    shown = visible(text, width)
    assert shown.isprintable()
    assert len(shown) <= width


@given(st.text(st.characters(categories=["L", "N"]), max_size=WIDEST))
def test_short_plain_text_is_shown_as_it_is(text):
    assert visible(text) == text


def test_long_text_keeps_both_its_ends():
    text = "".join(chr(ord("a") + i % 26) for i in range(1000))
    shown = visible(text, 20)
    assert len(shown) == 20
    start, end = shown.split("...")
    assert text.startswith(start)
    assert text.endswith(end)
    assert len(start) == 9


def test_a_name_takes_sixty_characters_at_most():
    assert visible("x" * 60) == "x" * 60
    assert len(visible("x" * 61)) == len(visible("x" * 1000)) == len(quoted("x" * 70)) == 60


def test_what_turns_text_around_is_written_out():
    assert visible("a\u202eb\x1b[0m\n") == r"a\u202eb\x1b[0m\n"
    assert quoted("a\n") == r"'a\n'"
    assert quoted(7.5) == "7.5"
