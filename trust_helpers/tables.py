"""Tables as people keep them, in files and frames: arms, rewards and items, with errors that point at the cell.

One row is one try (:func:`read_log`), or the total of an arm (:func:`read_counts`, :func:`read_moments`), or an item
that every column's arm was tried on (:func:`read_wide`). What a file is, its content tells, and polars reads it;
narwhals takes frames. What was taken for granted is in ``notices``. ``path`` is a file's, ``-`` for standard input, or
a :class:`Source`; every reader takes ``decimal`` ("." or ",") and ``encoding``, where they cannot be seen, and
``level``, a column of noise levels.
"""

import bz2
import codecs
import csv
import gzip
import hashlib
import io
import json
import logging
import lzma
import re
import shlex
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import ceil, floor, log10
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import zstandard
from numpy.typing import NDArray

from .checks import Array, counts_vector, missing
from .data import Log, OfflineData, Totals
from .errors import DataError, TrustError
from .formatting import plain_number, quoted, rounded_off

__all__ = ["Source", "data_of", "frame_log", "open_table", "read_counts", "read_log", "read_moments", "read_wide"]

PAIRS = {"true": "false", "yes": "no", "pass": "fail", "passed": "failed", "won": "lost", "success": "failure"}
WORDS = dict.fromkeys(PAIRS, 1.0) | dict.fromkeys(PAIRS.values(), 0.0)
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
COMMA, GROUPS = r"^[+-]?\d*,\d+([eE][+-]?\d+)?$", r"^[+-]?[1-9]\d{0,2}(,\d{3})+$"
UNPACK: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
    b"\x28\xb5\x2f\xfd": lambda data: zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read(),
}
BINARY = {b"PAR1": pl.read_parquet, b"ARROW1": pl.read_ipc}
ZIP, UTF16 = b"PK\x03\x04", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
LISTED = 12
ASKED = 1_000_000  # rows up to which other columns are looked at
Said = str | None


@dataclass(frozen=True)
class Source:
    """A file before it is read: what to call it, and its bytes, as they were given and unpacked."""

    name: str
    given: bytes
    content: bytes

    def digest(self) -> str:
        """The SHA-256 of what was given, to say later which log a report is about."""
        return hashlib.sha256(self.given).hexdigest()


class Read(NamedTuple):
    """A table of which the header is read: ``fetch`` reads columns, of names and of numbers, at their positions."""

    name: str
    header: list[str]
    fetch: Callable[[list[int], list[int]], list[pl.Series]]
    place: Callable[[int], str]
    notices: tuple[str, ...] = ()


Table = str | PathLike[str] | Source | Read


def read_log(path: Table, arm: str = "arm", reward: str = "reward", *, item: str = "", **how: Said) -> Log:
    r"""One row per try: the columns of arms and rewards, and of items and noise levels where they are named.

    In text and in workbooks names are texts; elsewhere they keep their type. Raises DataError for an unreadable or
    empty file, a missing column, a name that is missing and a reward that is no finite number, with the column, the
    line and the text.

    >>> table = b"arm;reward\na;1,5\nb;lost\na;won\n"
    >>> log = read_log(Source("a table", table, table))
    >>> log.rewards.tolist(), log.notices[:2]
    ([1.5, 0.0, 1.0], ('columns are separated by semicolons', 'the decimal mark is a comma'))
    """
    cells = _read(path, [arm, item], [reward], **how)
    names, codes = cells.coded(arm)
    items = cells.coded(item)[1] if item else None
    cells.note_items(arm)
    return Log(names, codes, cells.number(reward), tuple(cells.notices), cells.where, cells.levels(names, codes), items)


def frame_log(frame: object, arm: str = "arm", reward: str = "reward", *, item: str = "", level: Said = None) -> Log:
    """The same of a frame: pandas, polars, pyarrow, or a mapping from names to columns.

    >>> log = frame_log({"arm": [7, 5, 7], "reward": [1.0, 2.0, 4.0]})
    >>> log.names, log.arm.tolist()
    ((5, 7), [1, 0, 1])
    """
    with _naming("the frame"):
        return read_log(_of_frame(frame, "the frame"), arm, reward, item=item, level=level)


def read_wide(path: Table, *, item: str = "", arm: str = "", **how: Said) -> Log:
    r"""A row for each item and a column for each arm, or the reverse where a column names the arms.

    A column may name the items instead; empty cells are no tries.

    >>> table = b"question,prompt A,prompt B\nq1,pass,fail\nq2,,pass\n"
    >>> log = read_wide(Source("a table", table, table), item="question")
    >>> log.names, log.arm.tolist(), log.rewards.tolist(), log.items.tolist()
    (('prompt A', 'prompt B'), [0, 1, 1], [1.0, 0.0, 1.0], [0, 0, 1])
    >>> read_wide(Source("a table", table, table), arm="question").names
    ('q1', 'q2')
    """
    named = arm or item
    cells = _read(path, [named], None, **how)
    headings = cells.frame.columns[bool(named) :]
    try:
        grid = np.column_stack([cells.number(heading, may_lack=True) for heading in headings])
    except DataError as error:
        said = shlex.quote(headings[0])
        say = f"; to choose among the rows say --arm {said}, among the other columns --item {said}"
        labels = not named and f"column {headings[0]!r} " in str(error)
        raise DataError(f"{error}{say if labels else ''}") from None
    row, column = np.nonzero(~np.isnan(grid))
    if not row.size:
        raise DataError(f"{cells.table.name}: the log is empty, it has no reward")
    labelled, of_row = cells.coded(named) if named else ((), np.arange(len(grid)))
    heads, of_column = np.unique(np.array(headings, dtype=object), return_inverse=True)
    rows, columns = (labelled, of_row[row]), (tuple(heads), of_column[column])
    (names, tried), (_, met) = (rows, columns) if arm else (columns, rows)
    present, arms = np.unique(tried, return_inverse=True)
    items = np.unique(met, return_inverse=True)[1]

    def where(sample: int) -> str:
        return f"{cells.where(int(row[sample]))}, column {headings[column[sample]]!r}"

    return Log(tuple(names[i] for i in present), arms, grid[row, column], tuple(cells.notices), where, None, items)


def read_counts(path: Table, arm: str, successes: str, trials: str, **how: Said) -> Totals:
    r"""Successes and trials of each arm, such as clicks and impressions; several rows of an arm add up.

    >>> table = b"ad,clicks,shown\nx,3,10\ny,1,20\nx,1,10\n"
    >>> read_counts(Source("a table", table, table), "ad", "clicks", "shown").successes
    array([4, 1])
    """
    cells = _read(path, [arm], [successes, trials], **how)
    names, codes = cells.coded(arm)
    tried, won = cells.whole(trials, 1), cells.whole(successes, 0)
    cells.refuse(won > tried, f"column {successes!r} is above column {trials!r}")
    counts, total = counts_vector(np.bincount(codes, tried), len(names), names), np.bincount(codes, won)
    known, levels = total.astype(np.int64), cells.levels(names, codes)
    return Totals(names, counts, total / counts, None, known, tuple(cells.notices), levels)


def read_moments(path: Table, arm: str, count: str, mean: str, sd: str | None = None, **how: Said) -> Totals:
    r"""Count, mean and, if there is one, standard deviation of each arm; several rows of an arm add up.

    The standard deviation is that of the arm's samples, with n - 1; of a single sample it may be left empty.

    >>> table = b"arm,n,m,s\na,4,0.5,1\na,4,1.5,1\n"
    >>> read_moments(Source("a table", table, table), "arm", "n", "m", "s").squares
    array([8.])
    """
    cells = _read(path, [arm], [count, mean, sd or ""], **how)
    names, codes = cells.coded(arm)
    n, m, squares = cells.whole(count, 1), cells.number(mean), None
    counts = counts_vector(np.bincount(codes, n), len(names), names)
    means = np.bincount(codes, n * m) / counts
    if sd is not None:
        s = cells.number(sd, may_lack=True)
        cells.refuse((s < 0) | (np.isnan(s) & (n > 1)), f"column {sd!r} is negative or empty")
        squares = np.bincount(codes, (n - 1) * np.nan_to_num(s) ** 2 + n * (m - means[codes]) ** 2).astype(float)
    return Totals(names, counts, means, squares, None, tuple(cells.notices), cells.levels(names, codes))


@dataclass
class Cells:
    """Columns of a table, called what they were asked for, and their cells, each looked at."""

    table: Read
    frame: pl.DataFrame
    notices: list[str]
    level: Said = None
    decimal: Said = None

    def where(self, row: int) -> str:
        """Where a row stands."""
        return f"{self.table.place(row)} of {self.table.name}"

    def refuse(self, bad: NDArray[np.bool_], what: str, column: pl.Series | None = None) -> None:
        """Raise for the first bad row, naming its place, its text if it is of a ``column``, and how many there are."""
        rows = np.flatnonzero(bad).tolist()
        if rows:
            cell = None if column is None else column[rows[0]]
            told = f" is {quoted(cell)}, which is not a finite number" if str(cell or "").strip() else " is empty"
            if isinstance(cell, str) and re.match(r"\W*\d", cell):
                told += "; signs of currency, % and marks between thousands are not read"
            more = f" (and {len(rows) - 1:,} more like it)" if len(rows) > 1 else ""
            place = self.table.place(rows[0]) + (told if column is not None else "")
            raise DataError(f"{self.table.name}: {what} on {place}{more}")

    def coded(self, which: str) -> tuple[tuple[object, ...], NDArray[np.intp]]:
        """The names of a column in sorted order, and the position of each cell's among them."""
        column, what = self.frame[which], f"column {which!r}"
        if column.dtype.is_nested() or column.dtype == pl.Object:
            raise DataError(f"{self.table.name}: {what} is of {column.dtype}: a name is a text or a number")
        if column.dtype in (pl.String, pl.Categorical, pl.Enum):
            as_given, column = column, column.cast(pl.String).str.strip_chars()
            if (column != as_given.cast(pl.String)).any():
                self._note("spaces around names are left out")
            column = column.set(column == "", None)
        column = column.fill_nan(None) if column.dtype.is_float() else column
        self.refuse(column.is_null().to_numpy(), what, column)
        names = column.unique().sort()
        codes = column.cast(pl.String).cast(pl.Enum(names.cast(pl.String))).to_physical()  # quick, in little memory
        return tuple(names.to_list()), codes.cast(pl.Int64).to_numpy()

    def number(self, which: str, may_lack: bool = False) -> Array:
        """A column of numbers; an empty cell is NaN where the table ``may_lack`` it, and refused elsewhere."""
        column, what = self.frame[which], f"column {which!r}"
        typed = column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null)
        text = column if typed else column.cast(pl.String, strict=False)
        values, empty = text.cast(pl.Float64, strict=False), text.is_null()
        if not typed and values.null_count():
            text = self._with_points(text.str.strip_chars(), what)
            lower, empty = text.str.to_lowercase(), empty | (text == "")
            words = lower.replace_strict(WORDS, default=None, return_dtype=pl.Float64)
            values = text.cast(pl.Float64, strict=False).fill_null(words)
            met = {*lower.filter(words.is_not_null()).unique()}
            for one, two in (pair for pair in PAIRS.items() if met & {*pair}):
                self._note(f"{one} counts as 1 and {two} as 0")
        made = values.fill_null(np.nan).to_numpy()
        self.refuse(~np.isfinite(made) & ~(empty.to_numpy() & may_lack), what, column)
        return made

    def whole(self, which: str, least: int) -> Array:
        """A column of whole numbers, none below the least."""
        values = self.number(which)
        self.refuse((values % 1 != 0) | (values < least), f"column {which!r} is not a whole number of at least {least}")
        return values

    def levels(self, names: tuple[object, ...], arm: NDArray[np.intp]) -> Array | None:
        """Each arm's noise level, where a column has them; DataError names the first arm with two."""
        if self.level is None:
            return None
        values, first = self.number(self.level), np.unique(arm, return_index=True)[1]
        self.refuse(values <= 0, f"column {self.level!r} is not above 0")
        for row in np.flatnonzero(values != values[first[arm]])[:1].tolist():
            both = " and ".join(f"{values[i]:.12g} ({self.where(int(i))})" for i in (first[arm[row]], row))
            named = quoted(names[arm[row]])
            raise DataError(f"column {self.level!r} gives the arm {named} two noise levels, {both}: an arm has one")
        return values[first]

    def note_items(self, arm: str) -> None:
        """Note each further column of which no arm has a value twice, though arms share them, as they do test cases."""
        taken = {*map(_folded, self.frame.columns)}
        for i, heading in enumerate(self.table.header if len(self.frame) <= ASKED else ()):
            if _folded(heading) in taken:
                continue
            try:
                with _naming(self.table.name):
                    (column,) = self.table.fetch([i], [])
            except DataError:
                continue  # no column of names
            pairs = pl.DataFrame({"arm": self.frame[arm], "item": column[: len(self.frame)]}).drop_nulls()
            if 1 < pairs["item"].n_unique() <= len(pairs) / 2 and pairs.is_unique().all():
                self._note(f"if several arms were tried on one {heading}, say --item {shlex.quote(heading)}")

    def _note(self, text: str) -> None:
        self.notices += [] if text in self.notices else [text]

    def _with_points(self, text: pl.Series, what: str) -> pl.Series:
        """Cells with decimal points: a comma is one where no cell has a point and all commas could be one.

        Where all could be whole numbers in groups of three, DataError asks which is meant.
        """
        commas = text.filter(text.str.contains(",", literal=True))
        may_be = len(commas) and self.decimal != "." and commas.str.contains(COMMA).all()
        if not may_be or (self.decimal is None and text.str.contains(".", literal=True).any()):
            return text
        if self.decimal is None and commas.str.contains(GROUPS).all():
            doubt = f"{self.table.name}: {what}: {quoted(commas[0])} may have a decimal comma or groups of thousands"
            raise DataError(f"{doubt}: say --decimal , or write it without the comma")
        self._note("the decimal mark is a comma")
        return text.str.replace(",", ".", literal=True)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Whatever a reader of foreign bytes objects to, as one of our errors that names the table."""
    try:
        yield
    except TrustError:
        raise
    except Exception as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise DataError(f"{name}: cannot be read: {reason}") from None


def open_table(path: str | PathLike[str]) -> Source:
    """A file, unpacked if it is compressed; ``-`` is standard input. DataError if it cannot be read.

    >>> open_table("no such file")
    Traceback (most recent call last):
    trust_helpers.errors.DataError: no such file: cannot be read: No such file or directory
    """
    name = "standard input" if path == "-" else str(path)
    with _naming(name):
        content = given = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        if given.startswith(ZIP):
            with zipfile.ZipFile(io.BytesIO(given)) as archive:
                members = [one for one in archive.namelist() if not one.startswith("__MACOSX/")]
                if "[Content_Types].xml" in members:
                    return Source(name, given, given)  # a workbook
                if len(members) != 1:
                    raise DataError(f"{name}: a zip file must have one member, it has {len(members)}")
                content = archive.read(members[0])
        unpack = next((unpack for magic, unpack in UNPACK.items() if content.startswith(magic)), bytes)
        return Source(name, given, unpack(content))


def _read(
    path: Table,
    names: list[str],
    numbers: list[str] | None,
    level: Said = None,
    decimal: Said = None,
    encoding: Said = None,
) -> Cells:
    """The columns of names and of numbers (None for all others; "" is not asked for), without empty rows at the end."""
    if decimal not in (None, ".", ","):
        raise TrustError(f"the decimal mark is {decimal!r}: it must be . or ,")
    texts, wanted = [one for one in names if one], [one for one in (*names, *(numbers or ())) if one]
    source = open_table(path) if isinstance(path, str | PathLike) else path
    with _naming(source.name):
        table = source if isinstance(source, Read) else _table(source, wanted, encoding)
        at = [_position(one, wanted, table) for one in wanted]
        for one in (one for i, one in zip(at, wanted, strict=True) if at.count(i) > 1):
            raise TrustError(f"the column {quoted(one)} is asked for twice: it cannot be two things")
        if level is not None:  # which may be one of them
            at, wanted = [*at, _position(level, wanted, table)], [*wanted, level]
        met = dict(zip(wanted, (table.header[i] for i in at), strict=True))
        taken = [f"the column {heading!r} is taken for {one!r}" for one, heading in met.items() if heading != one]
        others = _others(at, table) if numbers is None else {}
        columns = table.fetch(at[: len(texts)], [*at[len(texts) :], *others.values()])
        frame = pl.DataFrame(dict(zip([*wanted, *others], columns, strict=True)))
    size = len(frame)
    while size and not any(cell is not None and str(cell).strip() for cell in frame.row(size - 1)):
        size -= 1
    if not size:
        raise DataError(f"{table.name}: the log is empty, it has a header and no rows")
    return Cells(table, frame[:size], [*table.notices, *taken], level, decimal)


def _table(source: Source, wanted: list[str], encoding: Said) -> Read:
    """A file, by what its content is."""
    name, content = source.name, source.content
    load = next((load for magic, load in BINARY.items() if content.startswith(magic)), None)
    if load is not None:
        return _of_frame(load(content), name)
    if content.startswith(ZIP):
        return _of_workbook(content, name)
    if content[:99].lstrip().startswith((b"{", b"[")):
        return _of_json(content, name)
    return _of_text(content, name, wanted, encoding)


def _folded(text: str) -> str:
    return text.strip().casefold()


def _position(one: str, wanted: list[str], table: Read) -> int:
    """A column: as it is called, else whatever its capitals and the spaces around its name."""
    for rule in (str, _folded):
        found = [i for i, column in enumerate(table.header) if rule(column) == rule(one)]
        if len(found) > 1:
            raise DataError(f"{table.name}: {len(found)} columns are called {one!r}")
        if found:
            return found[0]
    listed = ", ".join(map(quoted, table.header[:LISTED])) + (", ..." if len(table.header) > LISTED else "")
    say = f"; say {_proposal(table, *wanted)}" if len(wanted) == 2 else ""  # of a log of one row per try
    raise DataError(f"{table.name}: no column {one!r}; it has {listed or 'no columns'}{say}")


def _proposal(table: Read, arm: str, reward: str) -> str:
    """The options that fit what the columns hold: words name arms and items, numbers are rewards or totals."""
    header, columns = table.header, table.fetch([], [*range(len(table.header))])
    cells = Cells(table, pl.DataFrame({str(i): one for i, one in enumerate(columns)}), [])
    numbers: dict[int, Array] = {}
    for i in range(len(header)):
        with suppress(DataError):
            numbers[i] = cells.number(str(i))
    words = [i for i, one in enumerate(header) if i not in numbers or (len(header) == 2 and _folded(one) != reward)]
    names = [i for i, one in enumerate(header) if _folded(one) == _folded(arm)] or words
    paid = [i for i in numbers if i not in names[:1]]
    if not names or not paid:
        return "--arm NAME --reward NAME"
    named, said = columns[names[0]], [*map(shlex.quote, header)]
    each, name = named.n_unique(), said[names[0]]
    if each == len(named) and len(paid) == 2:
        tried, won = sorted(paid, key=lambda i: -float(numbers[i].sum()))
        if (numbers[won] <= numbers[tried]).all() and not any((numbers[i] % 1).any() for i in paid):
            return f"--arm {name} --successes {said[won]} --trials {said[tried]}, if a row is a total"
    if each == len(named) and len(paid) > 1:
        return f"--wide --arm {name} to choose among the rows, --wide --item {name} to choose among the other columns"
    varies = [i for i in paid if pl.DataFrame([named, columns[i]]).n_unique() > each]
    met = [i for i in words if i != names[0] and columns[i].n_unique() < len(named)]  # and by no arm twice
    items = [i for i in met if pl.DataFrame([named, columns[i]]).is_unique().all()]
    return f"--arm {name} --reward {said[[*varies, *paid][0]]}" + (f" --item {said[items[0]]}" if items else "")


def _others(taken: list[int], table: Read) -> dict[str, int]:
    """All other columns, which must be some, each with a name of its own, by their names."""
    headings = [heading.strip() for heading in table.header]
    for one, often in Counter(headings).items():
        if often > 1 or not one:
            wrong = f"{often} columns are called {quoted(one)}" if one else "a column has no name"
            raise DataError(f"{table.name}: {wrong}")
    if len(taken) == len(headings):
        raise DataError(f"{table.name}: it has no column of an arm")
    return {one: i for i, one in enumerate(headings) if i not in taken}


def _of_text(content: bytes, name: str, wanted: list[str], encoding: Said) -> Read:
    """Delimited text, by the separator that makes most of the columns wanted, and most columns."""
    encoding = encoding or ("utf-16" if content.startswith(UTF16) else "")
    try:
        content = content.decode(encoding).encode() if encoding else content
    except LookupError:
        raise TrustError(f"the encoding {encoding!r} is not known; try utf-8, utf-16 or latin-1") from None
    content = content if b"\n" in content else content.replace(b"\r", b"\n")  # as Macs once wrote
    headers = {sep: next(_rows(content, name, sep), (1, []))[1] for sep in SEPARATORS}
    asked = {*map(_folded, wanted)}
    sep = max(headers, key=lambda sep: (len(asked & {*map(_folded, headers[sep])}), len(headers[sep])))
    if not headers[sep]:
        raise DataError(f"{name}: the file is empty")

    def fetch(names: list[int], numbers: list[int]) -> list[pl.Series]:
        at, floats = sorted({*names, *numbers}), {headers[sep][i]: pl.Float64 for i in numbers}
        read = partial(pl.read_csv, content, columns=at, separator=sep, infer_schema=False)
        try:
            with suppress(pl.exceptions.PolarsError):  # clean numbers are read quickest
                frame = read(schema_overrides=floats)
                if not any(one.null_count() for one in frame if one.dtype == pl.Float64):
                    return [frame.to_series(at.index(i)) for i in (*names, *numbers)]
            frame = read()
        except pl.exceptions.PolarsError:
            _complain(content, name, sep)
            raise
        return [frame.to_series(at.index(i)) for i in (*names, *numbers)]

    def place(row: int) -> str:
        found = next(islice(_rows(content, name, sep), row + 1, None), None)
        return f"line {found[0]}" if found else f"row {row + 1}"  # where polars reads broken quotes in another way

    notices = () if sep == "," else (f"columns are separated by {SEPARATORS[sep]}",)
    return Read(name, headers[sep], fetch, place, notices)


def _rows(content: bytes, name: str, sep: str, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The line on which each row begins and its cells, from the header on, as the standard library reads them."""
    line, begun = 1, False
    text = io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", "replace", newline="")
    reader = csv.reader(text, delimiter=sep, strict=strict)
    try:
        for row in reader:
            begun = begun or bool(row)
            if begun:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{name}: cannot be read: line {line}: {error}") from None


def _complain(content: bytes, name: str, sep: str) -> None:
    """Raise what is wrong with a text that polars refuses, and on which line, if it can be told."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line, bad = content.count(b"\n", 0, error.start) + 1, content[error.start : error.end]
        raise DataError(f"{name}: {bad!r} on line {line} is not UTF-8: say --encoding") from None
    (_, header), *rows = _rows(content, name, sep, strict=True)
    for line, row in rows:
        if len(row) > len(header):
            raise DataError(f"{name}: line {line} has {len(row)} cells, the header {len(header)}")


def _of_json(content: bytes, name: str) -> Read:
    """One JSON object on each line; the first says which columns there are."""
    lines = [(line, text) for line, text in enumerate(content.decode().split("\n"), 1) if text.strip()]
    records = []
    for line, text in lines:
        try:
            records.append({**json.loads(text)})
        except (TypeError, ValueError):
            raise DataError(f"{name}: line {line} is not a JSON object; each line has to be one") from None
    read = _of_frame({key: [record.get(key) for record in records] for key in records[0]}, name)
    return read._replace(place=lambda row: f"line {lines[row][0]}")


def _of_workbook(content: bytes, name: str) -> Read:
    """The first sheet: names as its cells show them, numbers as they are kept, rows as its program counts them."""
    import fastexcel

    logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # it complains of empty columns
    load = partial(fastexcel.read_excel(content).load_sheet, 0, header_row=None, skip_rows=0)
    shown = load(dtypes="string").to_polars()
    first = next((i for i, row in enumerate(shown.iter_rows()) if any(row)), None)
    if first is None:
        raise DataError(f"{name}: the file is empty")

    def fetch(names: list[int], numbers: list[int]) -> list[pl.Series]:
        texts, exact = (frame[first + 1 :] for frame in (shown, load(dtypes="float").to_polars()))
        lost = [exact.to_series(i).null_count() > texts.to_series(i).null_count() for i in numbers]
        found = [(texts if words else exact).to_series(i) for i, words in zip(numbers, lost, strict=True)]
        return [texts.to_series(i) for i in names] + found

    return Read(name, [cell or "" for cell in shown.row(first)], fetch, lambda row: f"row {row + first + 2}")


def _of_frame(frame: Any, name: str) -> Read:
    """A frame of any library, or a mapping from names to columns."""
    if not isinstance(frame, Mapping):
        import narwhals as nw

        try:
            frame = nw.from_native(frame)
        except TypeError:
            kind = type(frame).__name__
            raise DataError(f"{name}: {kind} is no frame and no mapping from names to columns") from None
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    keys = list(frame) if isinstance(frame, Mapping) else frame.columns

    def fetch(names: list[int], numbers: list[int]) -> list[pl.Series]:
        return [_series(frame[keys[i]], i in names, name) for i in (*names, *numbers)]

    return Read(name, [str(key) for key in keys], fetch, lambda row: f"row {row + 1}")


def _series(column: Any, named: bool, name: str) -> pl.Series:
    """A column of any library; values of several kinds, which names must not be, become numbers or texts."""
    if hasattr(column, "to_native"):  # narwhals' view of a column of another library
        native, plain = column.to_native(), column.dtype.is_numeric() and not column.null_count()
        column = native if isinstance(native, pl.Series) else column.to_numpy() if plain else column.to_list()
    if isinstance(column, pl.Series) or (isinstance(column, np.ndarray) and column.dtype.kind in "biuf"):
        return pl.Series(column)
    values = [None if missing(one) else one.item() if isinstance(one, np.generic) else one for one in column]
    kinds = {type(one): one for one in values if one is not None}
    if named and len(kinds) > 1 and not kinds.keys() <= {int, float}:
        one, other, *_ = kinds.values()
        raise DataError(f"{name}: names must be all of one kind, not {quoted(one)} and {quoted(other)}")
    try:
        return pl.Series(values, dtype=None if named and len(kinds) < 2 else pl.Float64)
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return pl.Series([None if one is None else str(one) for one in values], dtype=pl.String)


def data_of(log: Log | Totals, said: str | None) -> tuple[OfflineData, str]:
    """The log with its noise law, and what to say if nobody said it.

    Rewards that are all 0 or 1 are read as such; of any others DataError says what can be said.

    >>> data_of(Log(("a", "b"), np.array([0, 1, 1]), np.array([1.0, 0.0, 1.0])), None)[1]
    'every reward is 0 or 1, and this is how we read them'
    """
    if said is not None:
        return OfflineData.from_log(log, said), ""
    if isinstance(log, Totals) and log.successes is not None:
        return OfflineData.from_log(log), "successes and trials are rewards of 0 and 1"
    if isinstance(log, Log) and np.isin(log.rewards, (0, 1)).all():
        reading = "every reward is 0 or 1, and this is how we read them"
        return OfflineData.from_log(log, "range:0:1"), reading
    raise DataError(_what_can_be_said(log))


def _what_can_be_said(log: Log | Totals) -> str:
    """The kinds of assumption, with numbers of this log as examples."""
    seen, what = (log.rewards, "rewards") if isinstance(log, Log) else (log.means, "means")
    low, high = float(seen.min()), float(seen.max())
    scale = what == "rewards" and low < high <= 10 and bool((seen == np.floor(seen)).all())
    least, most = map(plain_number, (low, high) if scale else (0.0 - _rounded_up(-low), _rounded_up(high)))
    beyond = f"exceed {most}" if least == "0" else f"lie outside {least} to {most}"
    sd = plain_number(_rounded_up(float(seen.std())) or 1.0)
    single = isinstance(log, Log) and len(log.names) == len(log.rewards) > 1
    once = "; each arm has one row: of totals say --successes and --trials, or --count and --mean" if single else ""
    return (
        f"nobody said what rewards can be, and a promise rests on it; {what} here go from {rounded_off(low)} to "
        f"{rounded_off(high)}: if they cannot {beyond} by their nature, --noise range:{least}:{most}; if their "
        f"standard deviation cannot exceed {sd}, --noise sd:{sd}; if their noise is Gaussian, --noise {sd} where that "
        "is known to be its level, --noise column:NAME where a column has each arm's, or --noise pooled where one "
        f"unknown level is the same throughout{once}"
    )


def _rounded_up(value: float) -> float:
    """The next number of one digit, 0 for what is not above 0.

    >>> _rounded_up(287.5), _rounded_up(-1.0), _rounded_up(0.42)
    (300.0, 0.0, 0.5)
    """
    if value <= 0:
        return 0.0
    unit = 10.0 ** floor(log10(value))
    return float(f"{ceil(value / unit - 1e-9) * unit:.1g}")
