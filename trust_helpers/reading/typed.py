"""Tables whose columns have types: parquet, feather, workbooks, JSON lines, and frames in memory.

A name keeps its type: the number 7 is an arm called 7, and not the text '7'. Rows are counted from 1, in a workbook
as the program that made it counts.
"""

import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataError
from ..extras import need
from ..printable import quoted
from .cells import Form, number_reader, settle_decimal
from .columns import Gathered, arm_key, match_column, missing
from .source import Source
from .workbook import read_workbook, rows_in_use

__all__ = [
    "frame_column",
    "frame_headings",
    "gather_cells",
    "gather_json",
    "is_json",
    "read_frame",
    "row_numbers",
    "wide_cells",
]


def read_frame(source: Source, wanted: Sequence[str] = ()) -> Any:
    """A binary table as a polars frame, with the columns ``wanted`` among others; needs the extra ``tables``.

    >>> import polars
    >>> stream = io.BytesIO()
    >>> polars.DataFrame({"arm": ["a"], "reward": [1.0]}).write_parquet(stream)
    >>> read_frame(Source("a table", "parquet", stream.getvalue(), b"")).columns
    ['arm', 'reward']
    """
    polars = need("polars", "tables", f"{source.name}: a table in {source.kind}")
    content = _content(source)
    try:
        if source.kind == "parquet":
            return polars.read_parquet(content)
        if source.kind == "arrow":
            return polars.read_ipc(content)
        if source.kind == "arrow-stream":
            return polars.read_ipc_stream(content)
        return read_workbook(content, source.name, wanted)
    except DataError:
        raise
    except (OSError, ValueError, polars.exceptions.PolarsError, RuntimeError) as error:
        raise DataError(f"{source.name}: cannot be read as {source.kind}: {' '.join(str(error).split())}") from None


def row_numbers(source: Source) -> Callable[[int], int]:
    """What gives the number of a row of :func:`read_frame`: counted from 1, or as a spreadsheet shows it.

    >>> row_numbers(Source("a table", "parquet", b"", b""))(0)
    1
    """
    if source.kind != "xlsx":
        return lambda row: row + 1
    return lambda row: rows_in_use(_content(source))[row + 1]  # asked for a few times, before a complaint


def _content(source: Source) -> Path | io.BytesIO:
    return source.content if isinstance(source.content, Path) else io.BytesIO(source.content)


def is_json(source: Source) -> bool:
    """Whether a text begins as JSON does, as far as its first 4,096 bytes say.

    >>> is_json(Source("a table", "text", b'{"arm": 1, "reward": 0}', b""))
    True
    """
    with source.open() as stream:
        return stream.read(1 << 12).lstrip()[:1] in {b"{", b"["}


def gather_json(source: Source, wanted: Sequence[str], form: Form) -> Gathered:
    r"""One JSON object on each line.

    >>> source = Source("a table", "text", b'{"arm": 7, "reward": 0.5}\n', b"")
    >>> gather_json(source, ["arm", "reward"], Form()).keys
    [7]
    """
    lines: list[int] = []
    cells: list[list[object]] = [[] for _ in wanted]
    said: dict[str, list[str]] = {}
    for line, record in _records(source):
        lines.append(line)
        for column, key in zip(cells, wanted, strict=True):
            column.append(_field(record, key, said, source.name))
    if not lines:
        raise DataError(f"{source.name}: the file is empty")
    rows = gather_cells(cells[0], cells[1:], form)
    rows.place, rows.unit = lines.__getitem__, "on line"
    rows.notices += [text for texts in said.values() for text in texts]
    return rows


def gather_cells(arms: Iterable[object], numbers: Sequence[Iterable[object]], form: Form) -> Gathered:
    """Columns of values of any type; a text among the numbers is read as a cell of text would be.

    >>> gather_cells(["a", "b", "a"], [[1, "2", None]], Form()).numbers
    [array([ 1.,  2., nan])]
    """
    if isinstance(arms, np.ndarray) and arms.dtype.kind in "iu":
        whole, codes = np.unique(arms, return_inverse=True)
        rows = Gathered(whole.tolist(), codes, [])
    else:
        rows = _numbered(arms)
    for i, column in enumerate(numbers):
        rows.numbers.append(_as_numbers(column, form, rows, i))
    return rows


def frame_headings(frame: Any, name: str = "the frame") -> list[Any]:
    """What the columns of a frame or mapping are called; DataError if it is neither.

    >>> frame_headings({"arm": ["a", "b"], "reward": [1.0, 2.0]})
    ['arm', 'reward']
    """
    if not hasattr(frame, "__getitem__") or isinstance(frame, str | bytes | list | tuple | np.ndarray):
        raise DataError(f"{name}: {type(frame).__name__} is no frame and no mapping from names to columns")
    return list(getattr(frame, "column_names", None) or getattr(frame, "columns", frame))


def frame_column(frame: Any, position: int) -> Any:
    """A column of a frame as an array of numbers, or as a list of whatever it holds.

    >>> frame_column({"arm": ["a", "b"], "reward": (1.0, None)}, 1)
    [1.0, None]
    """
    column = frame[frame_headings(frame)[position]]
    array = np.asarray(column) if isinstance(column, list | tuple) else getattr(column, "to_numpy", lambda: column)()
    if isinstance(array, np.ndarray) and array.dtype.kind in "biuf" and not isinstance(column, list | tuple):
        return array
    to_list = getattr(column, "to_list", None) or getattr(column, "to_pylist", None) or getattr(column, "tolist", None)
    return list(column) if to_list is None else to_list()


def wide_cells(frame: Any, form: Form, place: Callable[[int], int] = lambda row: row + 1) -> Gathered:
    """Every column of a frame an arm, its empty cells left out; ``place`` gives the number of a row.

    >>> import polars
    >>> wide_cells(polars.DataFrame({"a": [1.0, None], "b": [2.0, 4.0]}), Form()).arm.tolist()
    [0, 1, 1]
    """
    arms, cells, at = [], [], []
    for name in frame.columns:
        kept = [(row, cell) for row, cell in enumerate(frame[name].to_list()) if cell is not None and cell != ""]
        arms += [name] * len(kept)
        cells += [cell for _, cell in kept]
        at += [row for row, _ in kept]
    rows = gather_cells(arms, [cells], form)
    rows.place = lambda cell: place(at[cell])
    return rows


def _numbered(arms: Iterable[object]) -> Gathered:
    """Arms numbered as they come, missing ones -1."""
    index: dict[object, int] = {}
    keys: list[object] = []
    codes = []
    for key in arms:
        code = -1 if missing(key) else index.setdefault(arm_key(key), len(keys))
        if code == len(keys):
            keys.append(key)
        codes.append(code)
    return Gathered(keys, np.array(codes, dtype=np.intp), [])


def _as_numbers(column: Iterable[object], form: Form, rows: Gathered, which: int) -> np.ndarray:
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        return column.astype(float)
    cells, words = list(column), set[str]()
    settled, said = settle_decimal(form, [cell for cell in cells[:1000] if isinstance(cell, str)])
    number = number_reader(settled, words)
    values = np.array([_value(cell, number) for cell in cells], dtype=float)
    first = next((c for c, v in zip(cells, values, strict=True) if isinstance(c, str) and v != v), "")
    if first:
        rows.bad.setdefault(which, first)
    rows.notices += said + (("yes and true count as 1, no and false as 0",) if words else ())
    return values


def _value(cell: object, number: Any) -> float:
    """A number of whatever kind, or a text that stands for one; NaN otherwise."""
    if isinstance(cell, str):
        return number(cell)
    if missing(cell) or isinstance(cell, complex):
        return math.nan
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _records(source: Source) -> Iterator[tuple[int, dict[str, object]]]:
    """The objects of a file and the line each stands on."""
    with io.TextIOWrapper(source.open(), encoding="utf-8", errors="surrogateescape") as stream:
        for line, text in enumerate(stream, 1):
            if text.strip():
                try:
                    record = json.loads(text, object_pairs_hook=_object)
                except KeyError as error:
                    raise DataError(f"{source.name}: line {line} has {quoted(error.args[0])} twice") from None
                except (ValueError, RecursionError):
                    record = None
                if not isinstance(record, dict):
                    raise DataError(f"{source.name}: line {line} is not a JSON object; each line has to be one")
                yield line, record


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; KeyError for a key that is there twice, of which one would be lost."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise KeyError(next(key for key in keys if keys.count(key) > 1))
    return made


def _field(record: dict[str, object], wanted: str, said: dict[str, list[str]], name: str) -> object:
    """A field of a record, its name matched as a column's is; the first record has to have it."""
    if wanted in record:
        said.setdefault(wanted, [])
        return record[wanted]
    if wanted in said and not any(key.strip().casefold() == wanted.casefold() for key in record):
        return None
    position, said[wanted] = match_column(wanted, list(record), name)
    return list(record.values())[position]
