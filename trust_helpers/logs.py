"""Reading a log from a CSV file, with errors that point at lines."""

import sys
import warnings
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .checks import Array
from .errors import DataError
from .extras import need

if TYPE_CHECKING:
    import pandas

__all__ = ["Log", "read_log"]

SHOWN = 5


@dataclass(frozen=True, eq=False)
class Log:
    """The samples of a log: the arm and reward of each, and how many rows were left out as unusable."""

    arms: list[str]
    rewards: Array
    skipped: int = 0


def read_log(path: str | PathLike[str], arm: str, reward: str, skip_bad_rows: bool = False) -> Log:
    """The arm and reward columns of a CSV file, every cell checked; ``-`` is standard input.

    Arms are kept as text. Raises DataError for an unreadable or empty file, a missing column, and rows whose arm is
    missing or whose reward is not a finite number, with the first few line numbers and how many there are; with
    ``skip_bad_rows`` such rows are left out and counted.
    """
    name = "standard input" if path == "-" else str(path)
    table = _read_table(path, name)
    for column in (arm, reward):
        if column not in table.columns:
            raise DataError(f"{name}: no column {column!r}; it has {', '.join(map(repr, table.columns))}")
    if table.empty:
        raise DataError(f"{name}: the log is empty, it has a header and no rows")
    rewards = _numbers(table[reward])
    no_arm, no_reward = (table[arm].str.strip() == "").to_numpy(dtype=bool), ~np.isfinite(rewards)
    if not skip_bad_rows:
        _refuse_rows(table, no_arm, f"{name}: column {arm!r} is missing an arm")
        _refuse_rows(table, no_reward, f"{name}: column {reward!r} is not a finite number")
    good = ~(no_arm | no_reward)
    if not good.any():
        raise DataError(f"{name}: the log is empty, none of its {good.size} rows is usable")
    return Log(table[arm][good].tolist(), rewards[good], int((~good).sum()))


def _read_table(path: str | PathLike[str], name: str) -> "pandas.DataFrame":
    """All cells as text, nothing guessed."""
    pandas = need("pandas", "csv", "reading CSV files")
    try:
        source = sys.stdin.buffer if path == "-" else path
        with warnings.catch_warnings(
            action="error", category=pandas.errors.ParserWarning
        ):  # rows longer than the header
            table = pandas.read_csv(source, dtype=str, keep_default_na=False, skip_blank_lines=False, index_col=False)
    except pandas.errors.EmptyDataError:
        raise DataError(f"{name}: the file is empty") from None
    except (OSError, ValueError, pandas.errors.ParserError, pandas.errors.ParserWarning) as error:
        raise DataError(f"{name}: cannot be read as CSV: {' '.join(str(error).split())}") from None
    return table.fillna("")  # a row that ends early has no text to keep


def _numbers(column: "pandas.Series") -> Array:
    """Numbers and true/false as floats; NaN where a cell is neither."""
    import pandas

    text = column.str.strip().str.lower().replace({"true": "1", "false": "0"})
    return pandas.to_numeric(text, errors="coerce").to_numpy(dtype=float)


def _refuse_rows(table: "pandas.DataFrame", bad: NDArray[np.bool_], what: str) -> None:
    """Raise naming the lines of the file on which the bad rows start."""
    if not bad.any():
        return
    extra = sum(table[c].str.count("\n").to_numpy() for c in table.columns)  # quoted cells may span lines
    header = 2 + sum(str(c).count("\n") for c in table.columns)
    lines = header + np.arange(len(table)) + np.concatenate([[0], np.cumsum(extra)[:-1]]).astype(int)
    first = ", ".join(str(n) for n in lines[bad][:SHOWN])
    more = f" and {bad.sum() - SHOWN} more" if bad.sum() > SHOWN else ""
    raise DataError(f"{what} on line {first}{more}")
