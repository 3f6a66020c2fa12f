r"""Files and frames as columns: what a file is, told by its content, and where each of its rows stands.

polars reads every format and narwhals takes frames of other libraries.
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
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import zstandard

from .checks import missing
from .errors import DataError, TrustError
from .formatting import quoted

__all__ = ["Source", "frame_columns", "open_table", "read_columns"]

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
UNPACK: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
    b"\x28\xb5\x2f\xfd": lambda data: zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read(),
}
KINDS = {b"PAR1": "parquet", b"ARROW1": "feather", b"\xff\xff\xff\xff": "arrow stream", b"{": "json", b"[": "json"}
READERS = {"parquet": pl.read_parquet, "feather": pl.read_ipc, "arrow stream": pl.read_ipc_stream}
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
BROKEN = (
    *(OSError, EOFError, ValueError, TypeError, RuntimeError, zlib.error, lzma.LZMAError, zipfile.BadZipFile),
    *(zstandard.ZstdError, pl.exceptions.PolarsError),
)
SURROGATE = re.compile("[\ud800-\udfff]")
HEAD, LISTED = 1 << 16, 12


@dataclass(frozen=True)
class Source:
    r"""A file before it is read: what to call it, what kind it is, its content unpacked, and what was given.

    >>> Source("a table", "text", b"arm,reward\na,1\n", b"").bytes
    b'arm,reward\na,1\n'
    """

    name: str
    kind: str
    content: Path | bytes
    origin: Path | bytes

    @property
    def bytes(self) -> bytes:
        """The content."""
        return self.content.read_bytes() if isinstance(self.content, Path) else self.content

    @property
    def stream(self) -> Path | io.BytesIO:
        """The content as polars takes it."""
        return self.content if isinstance(self.content, Path) else io.BytesIO(self.content)

    def digest(self) -> str:
        """The SHA-256 of what was given, to say later which log a report is about."""
        if isinstance(self.origin, bytes):
            return hashlib.sha256(self.origin).hexdigest()
        with self.origin.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns asked for, in that order; what was taken for granted; and where a row stands, counted from 0."""

    name: str
    headings: list[str]
    columns: list[pl.Series]
    notices: list[str]
    place: Callable[[int], str]


class NoColumn(DataError):
    """A column that a table does not have; ``header`` is what it has."""

    def __init__(self, message: str, header: list[str]) -> None:
        super().__init__(message)
        self.header = header


def open_table(path: str | PathLike[str]) -> Source:
    """What a file is, unpacked if it is compressed; ``-`` is standard input. DataError if it cannot be read.

    >>> open_table("no such file")
    Traceback (most recent call last):
    trust_helpers.errors.DataError: no such file: cannot be read: No such file or directory
    """
    name = "standard input" if path == "-" else str(path)
    try:
        if path == "-" and sys.stdin is None:
            raise DataError("standard input is closed")
        origin: Path | bytes = sys.stdin.buffer.read() if path == "-" else Path(path)
        if isinstance(origin, Path) and not origin.is_file():  # a pipe can be read once
            origin = origin.read_bytes()
        return _unpacked(name, origin)
    except TrustError:
        raise
    except BROKEN as error:
        raise DataError(f"{quoted(name)[1:-1]}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _unpacked(name: str, origin: Path | bytes) -> Source:
    given, head = Source(name, "", origin, origin), _head(origin)
    content: Path | bytes = origin
    if head.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(given.stream) as archive:
            members = [one for one in archive.namelist() if not one.endswith("/") and not one.startswith("__MACOSX/")]
            if "[Content_Types].xml" in members:
                return Source(name, "xlsx", origin, origin)
            if len(members) != 1:
                raise DataError(f"{name}: a zip file must have one member, it has {len(members)}")
            content = archive.read(members[0])
    for magic, unpack in UNPACK.items():
        if head.startswith(magic):
            content = unpack(given.bytes)
    head = _head(content)
    kind = next((kind for magic, kind in KINDS.items() if head.lstrip(b" \r\n\t").startswith(magic)), "text")
    return Source(name, kind, content, origin)


def _head(content: Path | bytes) -> bytes:
    if isinstance(content, bytes):
        return content[:HEAD]
    with content.open("rb") as file:
        return file.read(HEAD)


def read_columns(source: Source, wanted: list[str], texts: int, others: bool = False, encoding: str = "") -> Columns:
    r"""The columns ``wanted``, of which the first ``texts`` are names; then, if asked for, all others.

    >>> table = Source("a table", "text", b"reward|arm\n1|a\n", b"")
    >>> read_columns(table, ["arm"], 1, others=True).headings
    ['arm', 'reward']
    """
    try:
        if source.kind == "text":
            return _read_text(_in_utf8(source, encoding), wanted, texts, others)
        if source.kind == "json":
            return _read_json(source, wanted, texts, others)
        if source.kind == "xlsx":
            return _read_workbook(source, wanted, texts, others)
        return frame_columns(READERS[source.kind](source.stream), source.name, wanted, texts, others)
    except TrustError:
        raise
    except BROKEN as error:
        raise DataError(f"{source.name}: cannot be read as {source.kind}: {' '.join(str(error).split())}") from None


def _in_utf8(source: Source, encoding: str) -> Source:
    """The text as UTF-8 without a mark; DataError if it is not in the encoding that was said."""
    encoding = encoding or next((name for mark, name in MARKS.items() if _head(source.content).startswith(mark)), "")
    if not encoding:
        return source
    try:
        text = source.bytes.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise TrustError(f"the encoding {encoding!r} is not known; try utf-8, utf-16 or latin-1") from None
    except ValueError as error:
        raise DataError(f"{source.name}: it is not {encoding}: {error}") from None
    return Source(source.name, "text", text.encode(), source.origin)


def _read_text(source: Source, wanted: list[str], texts: int, others: bool) -> Columns:
    """Delimited text. Clean numbers are read as such, which is quickest; else every cell is read as text."""
    head = _head(source.content).decode("utf-8", "replace")
    if "\x00" in head.partition("\n")[0]:
        raise DataError(f"{source.name}: it is no text, or UTF-16 without a mark: say --encoding utf-16-le")
    if not head.strip():
        raise DataError(f"{source.name}: the file is empty")
    sep = max(SEPARATORS, key=lambda sep: _fits(head, sep, wanted))
    header = next(_csv_rows(source, sep))[1]
    positions, notices = _positions(header, wanted, others, source.name)
    if sep != ",":
        notices.insert(0, f"columns are separated by {SEPARATORS[sep]}")
    at, floats = sorted(set(positions)), {header[i]: pl.Float64 for i in positions[texts:]}
    end = "\r" if "\r" in head and "\n" not in head else "\n"
    read = partial(pl.read_csv, source.stream, columns=at, separator=sep, infer_schema=False, glob=False, eol_char=end)
    try:
        try:
            frame = read(schema_overrides=floats)
        except pl.exceptions.PolarsError:
            frame = None
        if frame is None or any(one.dtype == pl.Float64 and one.null_count() for one in frame):
            frame = read()
    except pl.exceptions.PolarsError as error:
        raise _complaint(source, sep, error) from None

    def place(row: int) -> str:
        return f"line {next(islice(_csv_rows(source, sep), row + 1, None))[0]}"

    columns = [frame.to_series(at.index(i)) for i in positions]
    return Columns(source.name, [header[i] for i in positions], columns, notices, place)


def _fits(head: str, sep: str, wanted: list[str]) -> tuple[int, int]:
    """How many of the columns wanted a separator makes of the header, and how many columns in all."""
    try:
        columns = next(row for row in csv.reader(io.StringIO(head, newline=""), delimiter=sep) if row)
    except (csv.Error, StopIteration):
        return 0, 0
    folded = {column.strip().casefold() for column in columns}
    return len({one.strip().casefold() for one in wanted} & folded), len(columns)


def _csv_rows(source: Source, sep: str) -> Iterator[tuple[int, list[str]]]:
    """The line on which each row begins and its cells, from the header on, as the standard library reads them."""
    limit, line, begun = csv.field_size_limit(sys.maxsize), 1, False
    text = io.TextIOWrapper(io.BytesIO(source.bytes), encoding="utf-8", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter=sep, strict=True)
    try:
        for row in reader:
            begun = begun or bool(row)
            if begun:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{source.name}: cannot be read as CSV: line {line}: {error}") from None
    finally:
        csv.field_size_limit(limit)


def _complaint(source: Source, sep: str, error: Exception) -> DataError:
    """What is wrong with a text that polars refuses, and on which line."""
    width = None
    try:
        for line, row in _csv_rows(source, sep):
            broken = next((cell for cell in row if not cell.isascii() and SURROGATE.search(cell)), None)
            if broken is not None:
                return DataError(f"{source.name}: {quoted(broken)} on line {line} is not UTF-8: say --encoding")
            width = len(row) if width is None else width
            if len(row) > width:
                return DataError(f"{source.name}: line {line} has {len(row)} cells, the header {width}")
    except DataError as found:
        return found
    return DataError(f"{source.name}: cannot be read as CSV: {str(error).splitlines()[0]}")


def _read_json(source: Source, wanted: list[str], texts: int, others: bool) -> Columns:
    """One JSON object on each line."""
    lines, records = [], []
    for line, text in enumerate(source.bytes.decode("utf-8", "surrogateescape").split("\n"), 1):
        if text.strip():
            try:
                record = json.loads(text)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):
                raise DataError(f"{source.name}: line {line} is not a JSON object; each line has to be one")
            lines.append(line)
            records.append(record)
    columns = {key: [record.get(key) for record in records] for key in records[0]}
    made = frame_columns(columns, source.name, wanted, texts, others)
    return Columns(made.name, made.headings, made.columns, made.notices, lambda row: f"line {lines[row]}")


def _read_workbook(source: Source, wanted: list[str], texts: int, others: bool) -> Columns:
    """The first sheet: names as its cells show them, numbers as they are kept, rows as its program counts them."""
    import fastexcel

    logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # it complains of empty columns
    try:
        load = partial(fastexcel.read_excel(source.bytes).load_sheet, 0, header_row=None)
    except fastexcel.FastExcelError as error:
        raise ValueError(str(error).splitlines()[0]) from None
    shown = load(skip_rows=0, dtypes="string").to_polars()
    used = [i for i, row in enumerate(shown.iter_rows()) if any(cell is not None for cell in row)]
    if not used:
        raise DataError(f"{source.name}: the file is empty")
    header = ["" if cell is None else cell for cell in shown.row(used[0])]
    positions, notices = _positions(header, wanted, others, source.name)
    rows = [i - used[0] - 1 for i in used[1:]]
    cells = [shown.to_series(i)[used[1:]] for i in positions]
    kept = load(skip_rows=used[0] + 1, schema_sample_rows=None).to_polars() if rows else shown[:0]
    columns = cells[:texts]
    for text, at in zip(cells[texts:], positions[texts:], strict=True):
        values = kept.to_series(at)[rows]
        columns.append(text if values.null_count() > text.null_count() else values)  # texts among numbers get lost
    return Columns(
        source.name, [header[i] for i in positions], columns, notices, lambda row: f"row {used[row + 1] + 1}"
    )


def frame_columns(frame: Any, name: str, wanted: list[str], texts: int, others: bool = False) -> Columns:
    """The same of a frame of any library, or of a mapping from names to columns.

    >>> frame_columns({"arm": [7, 5], "reward": [1.0, 2.0]}, "a frame", ["reward"], 0).columns[0].to_list()
    [1.0, 2.0]
    """
    if not isinstance(frame, Mapping):
        import narwhals as nw

        try:
            frame = nw.from_native(frame)
        except TypeError:
            kind = type(frame).__name__
            raise DataError(f"{name}: {kind} is no frame and no mapping from names to columns") from None
        except nw.exceptions.DuplicateError as error:
            raise DataError(f"{name}: {' '.join(str(error).split())}") from None
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    keys = list(frame) if isinstance(frame, Mapping) else frame.columns
    header = [str(key) for key in keys]
    positions, notices = _positions(header, wanted, others, name)
    columns, headings = (
        [_series(frame[keys[at]], i < texts, name) for i, at in enumerate(positions)],
        [header[i] for i in positions],
    )
    for heading, column in zip(headings, columns, strict=True):
        if len(column) != len(columns[0]):
            least = f"column {headings[0]!r} has {len(columns[0])} cells"
            raise DataError(f"{name}: {least}, column {heading!r} has {len(column)}")
    return Columns(name, headings, columns, notices, lambda row: f"row {row + 1}")


def _series(column: Any, names: bool, name: str) -> pl.Series:
    """A column of any library; values of several kinds, which names must not be, become texts or numbers."""
    if hasattr(column, "to_native"):  # narwhals' view of a column of another library
        native = column.to_native()
        if isinstance(native, pl.Series):
            return native
        column = column.to_numpy() if column.dtype.is_numeric() and not column.null_count() else column.to_list()
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        return pl.Series(column)
    values = [None if missing(one) else one.item() if isinstance(one, np.generic) else one for one in column]
    kinds = {type(one): one for one in values if one is not None}
    if names and not (len(kinds) < 2 or kinds.keys() <= {int, float}):
        one, other, *_ = kinds.values()
        raise DataError(f"{name}: names must be all of one kind, not {quoted(one)} and {quoted(other)}")
    try:
        return pl.Series(values, strict=not kinds.keys() <= {int, float})
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return pl.Series([None if one is None else str(one) for one in values], dtype=pl.String)


def _positions(header: list[str], wanted: list[str], others: bool, name: str) -> tuple[list[int], list[str]]:
    """Which columns are meant, and what to say where a name is not quite the one asked for."""
    positions, notices = [], []
    for one in wanted:
        positions.append(_match(one, header, name))
        if header[positions[-1]] != one:
            notices.append(f"the column {header[positions[-1]]!r} is taken for {one!r}")
    if others:
        positions += [i for i in range(len(header)) if i not in positions]
        stripped = [heading.strip() for heading in header]
        for heading in stripped:
            if stripped.count(heading) > 1 or not heading:
                told = f"{stripped.count(heading)} columns are called {quoted(heading)}" if heading else ""
                raise DataError(f"{name}: {told or 'a column has no name'}")
    return positions, notices


def _match(wanted: str, header: list[str], name: str) -> int:
    """A column: as it is called, else without spaces around its name, else whatever its capitals."""
    for rule in (str, str.strip, lambda text: text.strip().casefold()):
        found = [i for i, column in enumerate(header) if rule(column) == rule(wanted)]
        if len(found) > 1:
            raise DataError(f"{name}: {len(found)} columns are called {wanted!r}")
        if found:
            return found[0]
    listed = ", ".join(map(quoted, header[:LISTED])) + (", ..." if len(header) > LISTED else "")
    near = get_close_matches(wanted, header, n=1)
    guess = f" (did you mean {quoted(near[0])}?)" if near else ""
    raise NoColumn(f"{name}: no column {wanted!r}{guess}; it has {listed or 'no columns'}", header)
