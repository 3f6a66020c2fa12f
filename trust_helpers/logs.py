"""Reading a log from a CSV file, with errors that point at lines."""

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from .checks import Array
from .errors import DataError, TrustError

if TYPE_CHECKING:
    import pandas

__all__ = ["read_log"]

SHOWN = 5


def read_log(path: str | PathLike[str], arm: str, reward: str) -> tuple[list[str], Array]:
    """The arm and reward columns of a CSV file, every cell checked.

    Arms are kept as text. Raises DataError for an unreadable or empty file, a missing column, and rows whose arm is
    missing or whose reward is not a finite number; the message gives the first few line numbers and how many there are.
    """
    table = _read_table(path)
    for column in (arm, reward):
        if column not in table.columns:
            raise DataError(f"{path}: no column {column!r}; it has {', '.join(map(repr, table.columns))}")
    if table.empty:
        raise DataError(f"{path}: the log is empty, it has a header and no rows")
    rewards = _numbers(table[reward])
    no_arm = (table[arm].str.strip() == "").to_numpy()
    _refuse_rows(table, no_arm, f"{path}: column {arm!r} is missing an arm")
    _refuse_rows(table, ~np.isfinite(rewards), f"{path}: column {reward!r} is not a finite number")
    return table[arm].tolist(), rewards


def _read_table(path: str | PathLike[str]) -> "pandas.DataFrame":
    """All cells as text, nothing guessed."""
    try:
        import pandas
    except ImportError as error:
        raise TrustError("reading CSV files needs pandas: pip install 'trust-helpers[csv]'") from error
    try:
        return pandas.read_csv(path, dtype=str, keep_default_na=False, skip_blank_lines=False)
    except pandas.errors.EmptyDataError:
        raise DataError(f"{path}: the file is empty") from None
    except (OSError, UnicodeDecodeError, pandas.errors.ParserError) as error:
        raise DataError(f"{path}: cannot be read as CSV: {str(error).strip()}") from None


def _numbers(column: "pandas.Series") -> Array:
    """Numbers and true/false as floats; NaN where a cell is neither."""
    import pandas

    text = column.str.strip().str.lower().replace({"true": "1", "false": "0"})
    return pandas.to_numeric(text, errors="coerce").to_numpy(dtype=float)


def _refuse_rows(table: "pandas.DataFrame", bad: np.ndarray, what: str) -> None:
    """Raise naming the lines of the file on which the bad rows start."""
    if not bad.any():
        return
    extra = sum(table[c].str.count("\n").to_numpy() for c in table.columns)  # quoted cells may span lines
    header = 2 + sum(str(c).count("\n") for c in table.columns)
    lines = header + np.arange(len(table)) + np.concatenate([[0], np.cumsum(extra)[:-1]])
    first = ", ".join(str(n) for n in lines[bad][:SHOWN])
    more = f" and {bad.sum() - SHOWN} more" if bad.sum() > SHOWN else ""
    raise DataError(f"{what} on line {first}{more}")
