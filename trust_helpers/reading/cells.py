"""Numbers as people write them in tables: each way of writing is said, or unmistakable and then mentioned."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ..errors import DataError, TrustError
from ..printable import quoted

__all__ = ["Form", "hint", "number_reader", "settle_decimal"]

WORDS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}
COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
CURRENCY = "$€£¥₹₩₽₺₴₫฿₪₱₦"


@dataclass(frozen=True)
class Form:
    r"""How a table is written; what is None is looked for in the table.

    Attributes
    ----------
    sep, decimal, encoding : str or None
        The separator of columns, the decimal mark ("." or ","), and the encoding of the text.
    thousands : str
        A mark between groups of digits, to be left out; none by default.
    percent : bool
        Whether 12% stands for 0.12.
    currency : bool
        Whether a currency sign or three-letter code before or after a number is left out.

    Examples
    --------
    >>> from trust_helpers.logs import Source, read_log
    >>> table = b"arm;reward\na;2,5%\n"
    >>> form = Form(sep=";", decimal=",", percent=True)
    >>> read_log(Source("a table", "text", table, table), "arm", "reward", form=form).rewards
    array([0.025])
    """

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    thousands: str = ""
    percent: bool = False
    currency: bool = False

    def __post_init__(self) -> None:
        if self.decimal not in (None, ".", ","):
            raise TrustError(f"the decimal mark is {self.decimal!r}: it must be . or ,")
        if self.sep is not None and (len(self.sep) != 1 or self.sep in '"\r\n'):
            raise TrustError(f"the separator is {self.sep!r}: it must be one character")
        if self.thousands and (len(self.thousands) != 1 or self.thousands.isalnum() or self.thousands in "+-"):
            raise TrustError(f"the thousands mark is {self.thousands!r}: it must be one character, no letter or digit")
        if self.thousands and self.thousands == (self.decimal or "."):
            raise TrustError(f"{self.thousands!r} cannot be both the decimal mark and the thousands mark")
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
            except (LookupError, ValueError, UnicodeError):
                raise TrustError(f"the encoding {self.encoding!r} is not known; try utf-8, utf-16 or latin-1") from None

    @property
    def plain(self) -> bool:
        """Whether numbers are written with nothing but a decimal mark."""
        return not (self.thousands or self.percent or self.currency)


def number_reader(form: Form, words: set[str] | None = None) -> Callable[[str], float]:
    """What turns a cell into a number: NaN if it is none. The words it meets are put into ``words``.

    >>> number_reader(Form())("2.5"), number_reader(Form(decimal=","))("2,5"), number_reader(Form())("yes")
    (2.5, 2.5, 1.0)
    >>> number_reader(Form(percent=True))("12%"), number_reader(Form(currency=True, thousands=","))("$1,200")
    (0.12, 1200.0)
    """
    met = set() if words is None else words

    def plain(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            word = text.strip().lower()
            if word in WORDS:
                met.add(word)
            return WORDS.get(word, math.nan)
        return value if text.isascii() and "_" not in text else math.nan  # float() reads 1_0 and digits of all scripts

    if form.plain and form.decimal != ",":
        return plain

    def dressed(text: str) -> float:
        text, unit = _undressed(text, form)
        return plain(text) / unit

    return dressed


def _undressed(text: str, form: Form) -> tuple[str, int]:
    """A number without its currency, groups, percent sign and decimal comma, and what to divide it by."""
    text, unit = text.strip(), 1
    if form.currency:
        text = re.sub(rf"^([+-]?)\s*(?:[{CURRENCY}]|[A-Z]{{3}}\b)\s*|\s*(?:[{CURRENCY}]|\b[A-Z]{{3}})$", r"\1", text)
    if form.percent and text.endswith("%"):
        text, unit = text[:-1].rstrip(), 100
    if form.thousands:
        whole, mark, rest = text.partition(form.decimal or ".")
        groups = whole.lstrip("+-").split(form.thousands)
        if len(groups) > 1 and not (1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])):
            return "", unit
        text = whole.replace(form.thousands, "") + mark + rest
    if form.decimal == ",":
        text = "" if "." in text else text.replace(",", ".")
    return text, unit


def settle_decimal(form: Form, cells: Iterable[str]) -> tuple[Form, tuple[str, ...]]:
    """The form with its decimal mark, and what to say about it, from the first cells of a column of numbers.

    A comma is taken for the decimal mark where some cells have one, none has a point, and not all of them could be
    whole numbers in groups of three; where they all could, DataError asks which is meant.

    >>> settle_decimal(Form(), ["1,5", "2"])[1]
    ('the decimal mark is a comma',)
    """
    if form.decimal is not None or form.thousands == ",":
        return replace(form, decimal=form.decimal or "."), ()
    texts = [text.strip().rstrip("%").strip(CURRENCY + " ") for text in cells]
    commas = [text for text in texts if "," in text]
    if not commas or any("." in text for text in texts) or not all(COMMA.fullmatch(text) for text in commas):
        return replace(form, decimal="."), ()
    if all(GROUPS.fullmatch(text) for text in commas):
        raise DataError(
            f"{quoted(commas[0])} may be a decimal comma or groups of thousands: say --decimal , or --thousands ,"
        )
    return replace(form, decimal=","), ("the decimal mark is a comma",)


def hint(text: str, form: Form) -> str:
    """Which option would make a number of a cell that is none.

    >>> hint("12%", Form())
    " ('12%' would be one with --percent)"
    """
    tries = {
        "--percent": replace(form, percent=True),
        "--currency": replace(form, currency=True),
        "--thousands ,": replace(form, decimal=".", thousands=","),
        "--decimal ,": replace(form, decimal=",", thousands=""),
        "--currency --thousands ,": replace(form, decimal=".", thousands=",", currency=True),
        "--decimal , --thousands .": replace(form, decimal=",", thousands="."),
        "--currency --decimal , --thousands .": replace(form, decimal=",", thousands=".", currency=True),
    }
    for option, other in tries.items():
        if text and other != form and math.isfinite(number_reader(other)(text)):
            return f" ({quoted(text)} would be one with {option})"
    return ""
