"""Large files of delimited text, through polars, where it is installed.

Only a table without anything to complain of is taken from here: at the first doubt the answer is None, and
:mod:`trust_helpers.reading.text` reads the file again, cell by cell, and says what is wrong and where.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np

from ..extras import has
from .columns import Gathered
from .source import Source
from .text import Heading, gather_rows

__all__ = ["gather_fast"]


def gather_fast(source: Source, head: Heading) -> Gathered | None:
    r"""The columns of a clean table, or None.

    >>> from trust_helpers.reading.text import Form, heading
    >>> source = Source("a table", "text", b"arm,reward\nb,1\na,0\n", b"")
    >>> gather_fast(source, heading(source, ["arm", "reward"], Form())).keys
    ['b', 'a']
    """
    if not (head.form.plain and has("polars") and len(set(head.positions)) == len(head.positions)):
        return None
    import polars

    try:
        table = _read(polars, source, head)
        arm, *numbers = (table.to_series(sorted(head.positions).index(i)) for i in head.positions)
        if not table.height or any(column.null_count() for column in (arm, *numbers)):
            return None
        values = [_numbers(polars, column, head.form.decimal == ",") for column in numbers]
        if any(column is None for column in values):
            return None
        names = arm.cast(polars.Categorical)
        distinct = names.unique(maintain_order=True)
        keys = distinct.cast(polars.String).to_list()
    except polars.exceptions.PolarsError:
        return None
    if any("\r" in key or not key.strip() for key in keys):
        return None
    physical = distinct.to_physical().to_numpy()
    position = np.zeros(int(physical.max()) + 1, dtype=np.int32)
    position[physical] = np.arange(physical.size, dtype=np.int32)
    rows = Gathered(keys, position[names.to_physical().to_numpy()], values, notices=list(head.notices), unit="on line")
    rows.place = lambda row: gather_rows(source, head).place(row)  # asked for a few times, before a complaint
    return rows


def _read(polars: Any, source: Source, head: Heading) -> Any:
    """The wanted columns: numbers with a decimal point as such, which is quickest, and every other cell as text."""
    content = source.content if isinstance(source.content, Path) else io.BytesIO(source.content)
    point = {head.columns[i]: polars.Float64 for i in head.positions[1:] if head.form.decimal != ","}
    return polars.read_csv(
        content,
        columns=sorted(head.positions),
        separator=head.form.sep,
        infer_schema=False,
        schema_overrides=point,
        glob=False,
    )


def _numbers(polars: Any, column: Any, comma: bool) -> "np.ndarray | None":
    """The cells as finite numbers, or None if one is not; words and spaces are left to the slower reader."""
    if comma:
        if column.str.contains(".", literal=True).any():
            return None
        column = column.str.replace(",", ".", literal=True)
    values = column.cast(polars.Float64, strict=False)
    if values.null_count() or not values.is_finite().all():
        return None
    return values.to_numpy()
