"""Delimited text, read cell by cell with the standard library: what every other way of reading has to agree with."""

import codecs
import csv
import io
import math
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from ..errors import DataError
from ..printable import quoted
from .cells import Form, number_reader, settle_decimal
from .columns import Gathered, match_column
from .source import Source

if TYPE_CHECKING:
    import _csv

__all__ = ["Heading", "gather_rows", "gather_wide", "heading", "in_utf8"]

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
HEAD = 1 << 16
LOOKED_AT = 1_000


@dataclass(frozen=True)
class Heading:
    r"""The header of a table: its columns, which of them are wanted, how it is written, and what to say about that.

    >>> source = Source("a table", "text", b"arm;reward\na;1,5\n", b"")
    >>> heading(source, ["arm", "reward"], Form()).notices
    ['columns are separated by semicolons', 'the decimal mark is a comma']
    """

    columns: list[str]
    positions: list[int]
    form: Form
    notices: list[str]


def in_utf8(source: Source, form: Form) -> Source:
    """The text as UTF-8 without a mark; DataError if it is not in the encoding that was said.

    >>> in_utf8(Source("a table", "text", "ärm".encode("latin-1"), b""), Form(encoding="latin-1")).content.decode()
    'ärm'
    """
    with source.open() as stream:
        head = stream.read(max(map(len, MARKS)))
    marked = next((encoding for mark, encoding in MARKS.items() if head.startswith(mark)), None)
    encoding = form.encoding or marked or "utf-8"
    if codecs.lookup(encoding).name in {"utf-8", "ascii"} and not marked:
        return source
    with source.open() as stream:
        try:
            text = stream.read().decode("utf-8-sig" if encoding == "utf-8" else encoding)
        except UnicodeError as error:
            raise DataError(f"{source.name}: it is not {encoding}: {error}") from None
    return replace(source, content=text.removeprefix("\ufeff").encode())


def heading(source: Source, wanted: Sequence[str], form: Form) -> Heading:
    r"""The header, with the separator under which it has the columns wanted, and the decimal mark of their cells.

    >>> source = Source("a table", "text", b"reward,arm\n1,a\n", b"")
    >>> heading(source, ["arm", "reward"], Form()).positions
    [1, 0]
    """
    with source.open() as stream:
        head = stream.read(HEAD).decode("utf-8", "replace")
    if not head.strip():
        raise DataError(f"{source.name}: the file is empty")
    if "\x00" in (head if "\ufffd" in head else head.partition("\n")[0]):
        raise DataError(f"{source.name}: it is no text, or UTF-16 without a mark: say --encoding utf-16-le")
    sep = form.sep or max(SEPARATORS, key=lambda sep: _fits(head, sep, wanted))
    with _rows(source, sep) as rows:
        columns = _decoded(next(rows, []), source.name)
        if not any(column.strip() for column in columns):
            raise DataError(f"{source.name}: the first line is blank, and has to name the columns")
        matched = [match_column(column, columns, source.name) for column in wanted]
        positions = [position for position, _ in matched]
        first = list(islice(rows, LOOKED_AT))
    numbers = positions[1:] if wanted else range(len(columns))
    cells = [row[i] for row in first for i in numbers if i < len(row)]
    try:
        settled, said = settle_decimal(replace(form, sep=sep), cells)
    except DataError as error:
        raise DataError(f"{source.name}: {error}") from None
    notices = [f"columns are separated by {SEPARATORS[sep]}"] if sep != "," and not form.sep else []
    return Heading(columns, positions, settled, [*notices, *said, *(text for _, more in matched for text in more)])


def gather_rows(source: Source, head: Heading) -> Gathered:
    r"""The column of arms and those of numbers, row by row.

    >>> source = Source("a table", "text", b"arm,reward\nb,1\na,0\n", b"")
    >>> gather_rows(source, heading(source, ["arm", "reward"], Form())).keys
    ['b', 'a']
    """
    words: set[str] = set()
    number = number_reader(head.form, words)
    arm_at, *numbers_at = head.positions
    index: dict[str, int] = {}
    arm, values = array("q"), [array("d") for _ in numbers_at]
    rows = Gathered([], arm, list(values), notices=list(head.notices), unit="on line")
    with _lines(source, head) as (place, cells):
        rows.place = place
        for row in cells:
            key = row[arm_at] if arm_at < len(row) else ""
            code = index.get(key)
            if code is None:
                code = index[key] = len(index)
            arm.append(code)
            for i, at in enumerate(numbers_at):
                text = row[at] if at < len(row) else ""
                value = number(text)
                if value != value:
                    rows.bad.setdefault(i, text.strip())
                values[i].append(value)
    rows.keys = _decoded(list(index), source.name)
    if words:
        rows.notices.append("yes and true count as 1, no and false as 0")
    return rows


def gather_wide(source: Source, head: Heading) -> Gathered:
    r"""Every column an arm and every cell a reward, but for the empty ones.

    >>> source = Source("a table", "text", b"a,b\n1,2\n,4\n", b"")
    >>> gather_wide(source, heading(source, [], Form())).arm.tolist()
    [0, 1, 1]
    """
    number = number_reader(head.form)
    names = [column.strip() for column in head.columns]
    for name in names:
        if names.count(name) > 1 or not name:
            what = f"{names.count(name)} columns are called {name!r}" if name else "a column has no name"
            raise DataError(f"{source.name}: {what}")
    arm, values, lines = array("q"), array("d"), array("q")
    rows = Gathered(list(names), arm, [values], notices=list(head.notices), unit="on line")
    with _lines(source, head) as (place, cells):
        for count, row in enumerate(cells):
            for code, text in enumerate(row):
                if text.strip():
                    value = number(text)
                    if not math.isfinite(value):
                        rows.bad.setdefault(0, text.strip())
                    arm.append(code)
                    values.append(value)
                    lines.append(count)
    rows.place = lambda i: place(lines[i])
    return rows


def _fits(head: str, sep: str, wanted: Sequence[str]) -> tuple[int, int]:
    """How many of the columns wanted a separator makes of the header, and how many columns in all."""
    try:
        columns = next(csv.reader(io.StringIO(head, newline=""), delimiter=sep), [])
    except csv.Error:
        return 0, 0
    folded = {column.strip().casefold() for column in columns}
    return len({column.strip().casefold() for column in wanted} & folded), len(columns)


def _decoded(cells: list[str], name: str) -> list[str]:
    """The cells, or DataError if one of them was no UTF-8."""
    for cell in cells:
        if not cell.isascii() and any("\udc80" <= char <= "\udcff" for char in cell):
            raise DataError(f"{name}: {quoted(cell)} is not UTF-8: say --encoding, such as latin-1")
    return cells


@contextmanager
def _rows(source: Source, sep: str) -> "Iterator[_csv.Reader]":
    """The rows of a table, header and all; the reader knows the line the last one ended on."""
    limit = csv.field_size_limit(sys.maxsize)
    stream = io.TextIOWrapper(source.open(), encoding="utf-8", errors="surrogateescape", newline="")
    reader = csv.reader(stream, delimiter=sep, strict=True)
    try:
        yield reader
    except csv.Error as error:
        raise DataError(f"{source.name}: cannot be read as CSV: line {reader.line_num}: {error}") from None
    finally:
        stream.close()
        csv.field_size_limit(limit)


@contextmanager
def _lines(source: Source, head: Heading) -> Iterator[tuple[Callable[[int], int], Iterator[list[str]]]]:
    """The rows below the header without blank lines at the end, and what gives the line on which a row begins."""
    begins, counts = array("q"), array("q")  # kept only where a row is not one line below the last

    def place(row: int) -> int:
        at = bisect_right(counts, row) - 1
        return begins[at] + row - counts[at]

    def checked(rows: "_csv.Reader") -> Iterator[list[str]]:
        width, count, blank = len(head.columns), 0, 0
        begins.append(rows.line_num + 1)
        counts.append(0)
        for row in rows:
            if not any(row) or (len(row) == 1 and not row[0].strip()):
                blank += 1
                continue
            for _ in range(blank):
                yield []
            if len(row) > width:
                what = f"line {rows.line_num} has {len(row)} cells, the header {width}"
                raise DataError(f"{source.name}: cannot be read as CSV: {what}")
            yield row
            count, blank = count + blank + 1, 0
            if rows.line_num + 1 != begins[-1] + count - counts[-1]:
                begins.append(rows.line_num + 1)
                counts.append(count)

    with _rows(source, head.form.sep or ",") as rows:
        next(rows)
        yield place, checked(rows)
