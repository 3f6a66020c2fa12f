r"""What every chapter does the same way: begin, record the numbers its prose quotes, show tables, end.

Recorded numbers travel inside the executed notebook, under the ``scrapbook`` key that papermill's users know. A table
has three faces: MyST for the page, where Sphinx numbers it; HTML for a notebook; aligned text for a terminal. Text is
escaped in each. What should be more than text is a :class:`Cell`: :func:`formula`, :func:`link`, :func:`verdict`.
"""

import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from math import isfinite, isnan
from typing import Any, SupportsFloat

import numpy as np

from ..errors import TrustError

PREFIX = "application/papermill.record/"  # of values that MyST-NB does not show where they are made
ELLIPSIS = "\u2026"
MINUS, PLUS_MINUS, TIMES, NARROW, DASH = "\u2212", "\u00b1", "\u00d7", "\u00a0", "\u2013"
SUPERSCRIPT = str.maketrans("0123456789-", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b")
# What may stand in a column of numbers.
NUMERIC = re.compile(rf"[{MINUS}+~<>\u2264\u2265]?[{NARROW}]?[\d.,]*\d.*|[{DASH}]|{MINUS}?\u221e|refuses|")
# The colour of a verdict.
TONES = {
    "reproduced": "good",
    "within spread": "fair",
    "differs": "bad",
    "not comparable": "fair",
    "false": "bad",
    "not proved as printed": "fair",
    "a slip": "fair",
    "right": "good",
}


class Quoted(str):
    """A text that shows itself without quotes, so that ``{eval}`` in JupyterLab shows what the page shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Said(dict[str, Quoted]):
    """What a notebook has recorded, by name; what is not recorded yet is an ellipsis, for cells run one at a time."""

    def __missing__(self, name: str) -> Quoted:
        return Quoted(ELLIPSIS)


said = Said()
table_numbers: dict[str, int] = {}  # of the tables shown, for a notebook: Sphinx has its own


def begin() -> None:
    """Hold the parameters to their ranges, set the figures' style, and have them drawn as SVG, always in one way."""
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    from .style import use_style

    use_style()
    check_parameters()
    set_matplotlib_formats("svg", metadata={"Date": None})


def check_parameters() -> None:
    """Raise TrustError if a parameter is not what the comment beside it allows, whether papermill set it or a hand."""
    from IPython import get_ipython

    from .chapters import declares_parameters, read_parameters

    shell = get_ipython()
    cells = [source for source in shell.user_ns["In"] if declares_parameters(source)] if shell else []
    for parameter in read_parameters(cells[-1]) if cells else ():
        parameter.checked(shell.user_ns[parameter.name])


def versions() -> None:
    """Print what a chapter ran on: its last line."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("trust-helpers", "numpy", "scipy"))
    print(f"versions: Python {platform.python_version()}, {packages}")


def record(name: str, value: SupportsFloat | str, form: str = ".3f", key: bool = False) -> None:
    """Keep a number under ``name``, for the prose (formatted by ``form``) and for :func:`recorded` (in full).

    The ``key`` numbers are the few that a sweep over other parameters shows.
    """
    from IPython.display import display

    text = value if isinstance(value, str) else number(value, form)
    raw = value if isinstance(value, str) else float(f"{float(value):.10g}")
    said[name] = Quoted(text)
    scrap = {"name": name, "mime_prefix": PREFIX, "value": raw} | ({"key": True} if key else {})
    display({PREFIX + "text/plain": repr(text)}, raw=True, metadata={"scrapbook": scrap})


def recorded(notebook: Mapping[str, Any], key: bool = False) -> dict[str, float | str]:
    """The numbers an executed notebook recorded, by name, in order; the ``key`` ones only if there are any."""
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    scraps = [output.get("metadata", {}).get("scrapbook", {}) for output in outputs]
    chosen = [scrap for scrap in scraps if scrap.get("key")] if key else []
    return {scrap["name"]: scrap["value"] for scrap in chosen or scraps if "value" in scrap}


@dataclass(frozen=True)
class Cell:
    """What stands in one cell, in each of the three faces of a table."""

    markdown: str
    html: str
    plain: str


def number(value: SupportsFloat, form: str = ".3f") -> str:
    r"""A number as the book prints it: a true minus sign, powers of ten written out, a space before the per cent.

    Twelve digits count: the last ones differ between processors, and would decide how a half is rounded.

    >>> number(12345, ",d"), number(0.9, ".0%"), number(-0.6321, ".2f") == "\N{MINUS SIGN}0.63"
    ('12,345', '90\xa0%', True)
    """
    real = float(value)
    if not isfinite(real):
        return DASH if isnan(real) else ("\u221e" if real > 0 else f"{MINUS}\u221e")
    text = format(value if form.endswith("d") else float(f"{real:.12g}"), form)
    mantissa, e, power = text.partition("e")
    if e:
        ten = f"10{str(int(power)).translate(SUPERSCRIPT)}"
        text = ten if mantissa == "1" else f"{mantissa}{NARROW}{TIMES}{NARROW}{ten}"
    if float(re.sub(r"[^\d.]", "", mantissa.replace("%", "")) or 0) == 0:
        text = text.replace("-", "", 1) if text.startswith("-") else text  # no minus zero
    return re.sub(r"^-", MINUS, text).replace("%", f"{NARROW}%")


def plus_minus(value: SupportsFloat, error: SupportsFloat, form: str = ".3f") -> str:
    r"""A number with its error, never broken over two lines.

    >>> plus_minus(1636.2, 127.4, ",.0f")
    '1,636\xa0±\xa0127'
    """
    return f"{number(value, form)}{NARROW}{PLUS_MINUS}{NARROW}{number(error, form)}"


def formula(tex: str) -> Cell:
    """A formula."""
    return Cell(f"${tex}$", f"${escape(tex)}$", tex)


def link(text: str, target: str) -> Cell:
    """A link to a page of the book, such as ``04_critical_radius.md``; plain text outside of the book."""
    return Cell(f"[{escaped(text)}]({target})", escape(text), text)


def verdict(word: str) -> Cell:
    """A verdict in its colour."""
    if word not in TONES:
        raise TrustError(f"no colour for the verdict {word!r}: it must be one of {', '.join(TONES)}")
    names = "verdict", f"verdict-{TONES[word]}"
    html = f'<span class="{" ".join(names)}">{escape(word)}</span>'
    return Cell(f"[{escaped(word)}]{{.{' .'.join(names)}}}", html, word)


@dataclass(frozen=True)
class Table:
    """A table that shows itself in a page, in a notebook and in a terminal."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    right: tuple[bool, ...]
    caption: str
    name: str
    key: int | None
    number: int

    @property
    def markdown(self) -> str:
        """The table for Sphinx, numbered and captioned if it has a caption."""
        rule = ["---:" if right else ":---" for right in self.right]
        cells = [[cell.markdown for cell in row] for row in (self.head, *self.rows)]
        lines = [f"| {' | '.join(row)} |" for row in (cells[0], rule, *cells[1:])]
        if not self.caption and self.key is None:
            return "\n".join(lines)
        options = [f":name: {self.name}"] if self.name else []
        head = f":::{{table}} {self.caption}".rstrip()
        return "\n".join([head, *options, f":class: {self._classes}", "", *lines, ":::"])

    @property
    def html(self) -> str:
        """The table for a notebook."""
        text = re.sub(r"\{[\w:]+\}(`[^`]+`)|\[([^\]]+)\]\([^)]*\)", r"\1\2", self.caption)
        caption = f"\n<caption>Table {self.number}. {escape(text, quote=False)}</caption>" if text else ""
        head = self._line("th", self.head)
        body = "\n".join(self._line("td", row) for row in self.rows)
        return f'<table class="{self._classes}">{caption}\n{head}\n{body}\n</table>'

    @property
    def plain(self) -> str:
        """The table for a terminal."""
        texts = [[cell.plain for cell in row] for row in (self.head, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        just = [str.rjust if right else str.ljust for right in self.right]
        lines = ["  ".join(j(t, w) for j, t, w in zip(just, row, widths, strict=True)).rstrip() for row in texts]
        return "\n".join(lines)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/markdown": self.markdown, "text/html": self.html, "text/plain": self.plain}

    def __str__(self) -> str:
        return self.plain

    @property
    def _classes(self) -> str:
        return "book-table" if self.key is None else f"book-table key-{self.key + 1}"

    def _line(self, tag: str, row: Sequence[Cell]) -> str:
        sides = ["right" if right else "left" for right in self.right]
        cells = (f'<{tag} style="text-align: {s}">{c.html}</{tag}>' for s, c in zip(sides, row, strict=True))
        return f"<tr>{''.join(cells)}</tr>"


def table(
    rows: Sequence[Mapping[Any, object]],
    caption: str = "",
    name: str = "",
    key: object | None = None,
    form: str | Mapping[Any, str] | None = None,
) -> Table:
    """Rows as a table, the last expression of its cell.

    A row maps columns to values; all have the columns of the first. A column is a text or a :class:`Cell`; so is a
    value, or it is a number, or None for an empty cell. With a ``caption`` in MyST the table has a number, and
    ``{numref}`` calls it by its ``name``. The column ``key`` stays in sight on a narrow screen. ``form`` is how numbers
    are written, everywhere or by column; by default ``,d`` if they are whole and ``.3f`` if not.

    >>> rows = [{"method": "cloning", "bound": 0.4878}, {"method": "TRUST", "bound": 0.6}]
    >>> print(table(rows, form=".2f"))
    method   bound
    cloning   0.49
    TRUST     0.60
    """
    if not rows:
        raise TrustError("a table needs at least one row")
    columns = list(rows[0])
    forms = {c: form.get(c) if isinstance(form, Mapping) else form for c in columns}
    cells = tuple(tuple(_cell(row[c], forms[c]) for c in columns) for row in rows)
    right = tuple(all(NUMERIC.fullmatch(cell.plain) for cell in column) for column in zip(*cells, strict=True))
    head = tuple(_cell(c, None) for c in columns)
    place = table_numbers.setdefault(name or caption, len(table_numbers) + 1) if caption else 0
    return Table(head, cells, right, " ".join(caption.split()), name, columns.index(key) if key else None, place)


def _cell(value: object, form: str | None) -> Cell:
    """A value with its three faces."""
    if isinstance(value, Cell):
        return value
    if value is None:
        text = ""
    elif isinstance(value, SupportsFloat) and not isinstance(value, str):
        text = number(value, form or (".3f" if np.asarray(value).dtype.kind == "f" else ",d"))
    else:
        text = str(value)
    return Cell(escaped(text), escape(text), text)


def escaped(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_{}\[\]<>$|~&#!])", r"\\\1", text.replace("\n", " "))


def verdict_table(keys: Iterable[str], caption: str = "", name: str = "", reasons: bool = True) -> Table:
    """What became of printed numbers, recorded: the paper's, ours, its spread, the verdict.

    With ``reasons`` also why, and a number leads to its page.
    """
    from .. import paper

    listed, rows = list(keys), []
    record_verdicts(listed)
    for one in map(paper.verdict, listed):
        ours, low, high = (number(value, one.form) for value in (one.ours, one.low, one.high))
        row: dict[str, object] = {
            "number": link(one.claim.meaning, f"{one.claim.page}.md") if reasons else one.claim.meaning,
            "printed": one.claim.text,
            "ours": ours,
            "spread": "" if low == high else f"{low}{NARROW}to{NARROW}{high}",
            "verdict": verdict(one.word),
        }
        rows.append(row | ({"why": one.reason} if reasons else {}))
    return table(rows, caption, name, key="verdict")


def record_verdicts(keys: Iterable[str]) -> None:
    """Record the verdicts on claims, for the prose and for the test that no two pages disagree.

    ``verdict.KEY`` is the word, ``paper.KEY`` the printed digits, ``ours.KEY`` our number, where we have one.
    """
    from .. import paper

    for one in map(paper.verdict, keys):
        record(f"verdict.{one.claim.key}", one.word)
        record(f"paper.{one.claim.key}", one.claim.text)
        if not isnan(one.ours):
            record(f"ours.{one.claim.key}", one.ours, one.form)
