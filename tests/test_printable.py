"""What data may do to a screen: nothing."""

from hypothesis import given
from hypothesis import strategies as st

from trust_helpers.printable import WIDEST, quoted, visible


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
