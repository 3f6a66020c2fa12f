"""Numbers and names as they may be shown.

No promise and no confidence is rounded up, no number is cut so that it lies, and no name moves the cursor, turns the
text around, or fills the screen.
"""

from decimal import ROUND_FLOOR, Decimal
from math import nextafter

__all__ = ["interval_text", "percent_sure", "plain_number", "quoted", "rounded_down", "rounded_off", "visible"]

DIGITS = 4
THOUSAND, HUGE = 1_000, 1e15  # from here all whole digits are shown, and from here an exponent
WIDEST = 60
SLACK = Decimal("1e-9")  # of the last digit shown: 0.9 + 0.8 - 1 is 0.7, and a little less to a computer


def rounded_down(value: float) -> str:
    """A lower bound to four digits, never above what it is; from a thousand on, all its whole digits.

    >>> rounded_down(0.9999954), rounded_down(-0.12341), rounded_down(1235437.9)
    ('0.9999', '-0.1235', '1,235,437')
    """
    exact = Decimal(repr(float(value)))  # the digits that JSON shows: 0.3 is not 0.29999999999999998
    if not exact.is_finite() or exact == 0:
        return rounded_off(value)
    whole = THOUSAND <= abs(exact) < Decimal(HUGE)
    step = Decimal(1).scaleb(0 if whole else exact.adjusted() - DIGITS + 1)
    return rounded_off(float((exact / step).to_integral_value(ROUND_FLOOR) * step))


def rounded_off(value: float) -> str:
    """The nearest number of four digits; from a thousand on, all its whole digits.

    >>> rounded_off(0.9999954), rounded_off(1235437.9)
    ('1', '1,235,438')
    """
    return f"{value:,.0f}" if THOUSAND - 0.05 <= abs(value) < HUGE else f"{value + 0.0:.{DIGITS}g}"


def interval_text(low: float, high: float) -> str:
    """An interval that is never shown narrower than it is.

    >>> interval_text(0.12349, 0.45671)
    '0.1234 to 0.4568'
    """
    mirrored = rounded_down(-high)
    return f"{rounded_down(low)} to {mirrored.removeprefix('-') if high >= 0 else f'-{mirrored}'}"


def percent_sure(confidence: float) -> str:
    """A confidence in per cent, rounded down, with digits enough that it is not 100.

    Nothing learned from a log is certain: what a computer takes for 1 is just below.

    >>> percent_sure(0.9), percent_sure(0.99999), percent_sure(1 - 1.5e-5)
    ('90 %', '99.999 %', '99.998 %')
    """
    percent = 100 * Decimal(repr(min(float(confidence), nextafter(1, 0))))
    places = max(DIGITS - 1 - percent.adjusted(), -(100 - percent).adjusted())
    shown = (percent.scaleb(places) + SLACK).to_integral_value(ROUND_FLOOR).scaleb(-places)
    text = f"{shown:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def plain_number(value: float) -> str:
    """A number with all its digits, so that two that differ look different.

    >>> plain_number(1234567.0), plain_number(0.5), plain_number(1e300)
    ('1234567', '0.5', '1e+300')
    """
    return repr(float(value)).removesuffix(".0")


def visible(text: object, width: int = WIDEST) -> str:
    r"""A text with control, escape and direction characters written out, and cut in the middle if it is long.

    >>> print(visible("red\x1b[31m and \u202eback"))
    red\x1b[31m and \u202eback
    >>> visible("abcdefghijklmnopqrstuvwxyz", 11)
    'abcd...wxyz'
    """
    plain = str(text)
    if len(plain) > width:  # escaping makes it longer still, and both ends are all that is shown
        plain = plain[:width] + plain[-width:]
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in plain)
    if len(plain) <= width:
        return plain
    rest = width - 3
    return f"{plain[: (rest + 1) // 2]}...{plain[len(plain) - rest // 2 :]}"


def quoted(text: object) -> str:
    """The same in quotes, as Python writes it; what is no text stays as it is.

    >>> quoted("a"), quoted(7)
    ("'a'", '7')
    """
    return visible(repr(text))
