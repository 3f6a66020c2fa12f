"""Workbooks, whose reader would rename a second column of a name and make texts of numbers among texts."""

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..extras import need
from .columns import match_column

__all__ = ["read_workbook", "rows_in_use"]


def read_workbook(content: Any, name: str, wanted: Sequence[str] = ()) -> Any:
    """The first sheet as a polars frame; DataError for headings that repeat and for arms of more than one kind.

    Parameters
    ----------
    content : Path or stream of bytes
        The workbook.
    name : str
        What to call it in a complaint.
    wanted : sequence of str
        The columns asked for, the arms' first; none stands for all of them.

    Examples
    --------
    >>> import io, openpyxl
    >>> book, stream = openpyxl.Workbook(), io.BytesIO()
    >>> for row in (["arm", "reward"], ["a", 1], ["b", 0]):
    ...     book.active.append(row)
    >>> book.save(stream)
    >>> read_workbook(stream, "a workbook", ["arm", "reward"]).rows()
    [('a', 1), ('b', 0)]
    """
    polars = need("polars", "tables", f"{name}: a table in xlsx")
    fastexcel = need("fastexcel", "tables", f"{name}: a workbook")
    logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # it complains of empty columns
    read = partial(polars.read_excel, content, engine="calamine", infer_schema_length=None)
    try:
        header = read(has_header=False, read_options={"n_rows": 1}).row(0)
        headings = ["" if cell is None else str(cell) for cell in header]
        positions = [match_column(column, headings, name)[0] for column in wanted or filter(None, headings)]
        if wanted:
            _refuse_mixed(read, fastexcel, positions[0], name)
        return read()
    except polars.exceptions.NoDataError:
        raise DataError(f"{name}: the file is empty") from None
    except fastexcel.FastExcelError as error:
        raise DataError(f"{name}: cannot be read as xlsx: {str(error).splitlines()[0]}") from None


def rows_in_use(content: Any) -> list[int]:
    """The numbers that a spreadsheet shows beside the rows with anything in them, the header's first.

    :func:`read_workbook` leaves out empty rows, so a complaint has to ask here where a row stands.

    >>> import io, openpyxl
    >>> book, stream = openpyxl.Workbook(), io.BytesIO()
    >>> for row in ([], ["arm", "reward"], ["a", 1], [], ["b", 0]):
    ...     book.active.append(row)
    >>> book.save(stream)
    >>> rows_in_use(stream)
    [2, 3, 5]
    """
    fastexcel = need("fastexcel", "tables", "a workbook")
    opened = fastexcel.read_excel(content if isinstance(content, Path) else content.getvalue())
    cells = opened.load_sheet(0, header_row=None, skip_rows=0, dtypes="string").to_polars()
    return [number for number, row in enumerate(cells.iter_rows(), 1) if any(cell is not None for cell in row)]


def _refuse_mixed(read: Any, fastexcel: Any, position: int, name: str) -> None:
    """Raise if a column has cells of more than one kind."""
    strictly = {"use_columns": [position], "dtype_coercion": "strict"}
    try:
        read(read_options=strictly)
    except fastexcel.UnsupportedColumnTypeCombinationError:
        raise DataError(f"{name}: arm names must be all of one kind, not texts and numbers") from None
