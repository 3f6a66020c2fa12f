"""Tables as people keep them, in files and frames: arms, rewards and items, with errors that point at the cell.

One row is one try (:func:`read_log`), or the total of an arm (:func:`read_counts`, :func:`read_moments`), or an item
that every column's arm was tried on (:func:`read_wide`). What was taken for granted is in ``notices``. ``path`` is a
file's, ``-`` for standard input, or a :class:`trust_helpers.formats.Source`; every reader takes ``decimal`` ("." or
",") and ``encoding`` too, where that cannot be seen.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from os import PathLike

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .checks import Array, counts_vector, missing
from .data import OfflineData
from .errors import DataError, TrustError
from .formats import Columns, NoColumn, Source, frame_columns, open_table, read_columns
from .formatting import plain_number, quoted, rounded_off

__all__ = ["Log", "Totals", "data_of", "frame_log", "read_counts", "read_log", "read_moments", "read_wide"]

PAIRS = {"true": "false", "yes": "no", "pass": "fail", "passed": "failed", "won": "lost", "success": "failure"}
WORDS = dict.fromkeys(PAIRS, 1.0) | dict.fromkeys(PAIRS.values(), 0.0)
COMMA, GROUPS = r"^[+-]?\d*,\d+([eE][+-]?\d+)?$", r"^[+-]?[1-9]\d{0,2}(,\d{3})+$"
ROUND = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
Table = str | PathLike[str] | Source


@dataclass(frozen=True, eq=False)
class Log:
    """One row per try: ``names`` are sorted, ``arm`` and ``rewards`` have an entry for each sample.

    ``items`` numbers what each was tried on, where the table says; ``levels`` are the standard deviations that a column
    gave; ``where`` says where a sample stands.

    >>> Log(("a", "b"), np.array([1, 0, 1]), np.array([1.0, 0.0, 2.0])).arms
    ['b', 'a', 'b']
    """

    names: tuple[object, ...]
    arm: NDArray[np.intp]
    rewards: Array
    notices: tuple[str, ...] = ()
    where: Callable[[int], str] = "sample {}".format
    levels: Array | None = None
    items: NDArray[np.intp] | None = None

    @property
    def arms(self) -> list[object]:
        """The name of each sample's arm."""
        return [self.names[i] for i in self.arm.tolist()]


@dataclass(frozen=True, eq=False)
class Totals:
    """One total per arm, in the order of ``names``, which are sorted.

    Attributes
    ----------
    counts, means : (d,) arrays
        Samples and their mean.
    squares : (d,) array or None
        Squared differences from the arm's mean, summed; None if no standard deviation was given.
    successes : (d,) array of int or None
        For rewards of 0 and 1, how many were 1.
    levels : (d,) array or None
        The known standard deviation of one reward of each arm, where a column gave it.

    Examples
    --------
    >>> totals = Totals(("a", "b"), counts=np.array([4, 2]), means=np.array([0.5, 1.0]))
    >>> OfflineData.from_log(totals, sigma=1.0)
    <OfflineData: 2 arms, 6 samples (2 to 4 per arm), means 0.5 to 1>
    """

    names: tuple[object, ...]
    counts: NDArray[np.int64]
    means: Array
    squares: Array | None = None
    successes: NDArray[np.int64] | None = None
    notices: tuple[str, ...] = ()
    levels: Array | None = None


def read_log(
    path: Table,
    arm: str = "arm",
    reward: str = "reward",
    *,
    item: str = "",
    level: str | None = None,
    **how: str | None,
) -> Log:
    r"""One row per try: the columns of arms and rewards, and of items and noise levels where they are named.

    In text and in workbooks names are texts; elsewhere they keep their type. Raises DataError for an unreadable or
    empty file, a missing column, a name that is missing and a reward that is no finite number, with the column, the
    line and the text.

    >>> table = b"arm;reward\na;1,5\nb;lost\na;won\n"
    >>> log = read_log(Source("a table", "text", table, table))
    >>> log.rewards.tolist(), log.notices[:2]
    ([1.5, 0.0, 1.0], ('columns are separated by semicolons', 'the decimal mark is a comma'))
    """
    try:
        return _log(_read(path, [arm, item], [reward], level, **how), level)
    except NoColumn as error:
        raise DataError(f"{error}; {_proposal(error.header, arm, reward)}") from None


def frame_log(
    frame: object, arm: str = "arm", reward: str = "reward", *, item: str = "", level: str | None = None
) -> Log:
    """The same of a frame: pandas, polars, pyarrow, or a mapping from names to columns.

    >>> log = frame_log({"arm": [7, 5, 7], "reward": [1.0, 2.0, 4.0]})
    >>> log.names, log.arm.tolist()
    ((5, 7), [1, 0, 1])
    """
    names, numbers = _asked([arm, item], [reward], level)
    return _log(Cells(frame_columns(frame, "the frame", names + numbers, len(names)), len(names)), level)


def read_wide(path: Table, *, item: str = "", **how: str | None) -> Log:
    r"""A row for each item and a column for each arm; empty cells are no tries. A column may name the items.

    >>> table = b"question,prompt A,prompt B\nq1,pass,fail\nq2,,pass\n"
    >>> log = read_wide(Source("a table", "text", table, table), item="question")
    >>> log.arms, log.rewards.tolist(), log.items.tolist()
    (['prompt A', 'prompt B', 'prompt B'], [1.0, 0.0, 1.0], [0, 0, 1])
    """
    cells = _read(path, [item], None, None, **how)
    if not cells.numbers:
        raise DataError(f"{cells.name}: it has no column of an arm")
    try:
        first = cells.number(0, may_lack=True)
    except DataError as error:
        named = "" if item else f"; if it names the items, say --item {shlex.quote(cells.headings[0])}"
        raise DataError(f"{error}{named}") from None
    grid = np.column_stack([first, *(cells.number(i, may_lack=True) for i in range(1, len(cells.numbers)))])
    row, column = np.nonzero(~np.isnan(grid))
    if not row.size:
        raise DataError(f"{cells.name}: the log is empty, it has no reward")
    headings = [heading.strip() for heading in cells.headings[len(cells.texts) :]]
    tried, arm = np.unique(column, return_inverse=True)
    names, order = np.unique(np.array(headings, dtype=object)[tried], return_inverse=True)
    items = cells.coded(0)[1] if item else np.arange(len(grid))

    def where(sample: int) -> str:
        return f"{cells.where(int(row[sample]))}, column {headings[column[sample]]!r}"

    items = np.unique(items[row], return_inverse=True)[1]
    return Log(tuple(names), order[arm], grid[row, column], tuple(cells.notices), where, None, items)


def read_counts(
    path: Table, arm: str, successes: str, trials: str, *, level: str | None = None, **how: str | None
) -> Totals:
    r"""Successes and trials of each arm, such as clicks and impressions; several rows of an arm add up.

    >>> table = b"ad,clicks,shown\nx,3,10\ny,1,20\nx,1,10\n"
    >>> read_counts(Source("a table", "text", table, table), "ad", "clicks", "shown").successes
    array([4, 1])
    """
    cells = _read(path, [arm], [successes, trials], level, **how)
    names, codes = cells.coded(0)
    won, tried = cells.number(0), cells.number(1)
    cells.refuse((tried != np.floor(tried)) | (tried < 1), f"column {trials!r} is not a whole number of at least 1")
    cells.refuse((won != np.floor(won)) | (won < 0), f"column {successes!r} is not a whole number of at least 0")
    cells.refuse(won > tried, f"column {successes!r} is above column {trials!r}")
    counts, total = counts_vector(np.bincount(codes, tried), len(names), names), np.bincount(codes, won)
    levels = _levels(cells, names, codes, level)
    return Totals(names, counts, total / counts, None, total.astype(np.int64), tuple(cells.notices), levels)


def read_moments(
    path: Table, arm: str, count: str, mean: str, sd: str | None = None, *, level: str | None = None, **how: str | None
) -> Totals:
    r"""Count, mean and, if there is one, standard deviation of each arm; several rows of an arm add up.

    The standard deviation is that of the arm's samples, with n - 1; of a single sample it may be left empty.

    >>> table = b"arm,n,m,s\na,4,0.5,1\na,4,1.5,1\n"
    >>> read_moments(Source("a table", "text", table, table), "arm", "n", "m", "s").squares
    array([8.])
    """
    cells = _read(path, [arm], [count, mean, sd], level, **how)
    names, codes = cells.coded(0)
    n, m = cells.number(0), cells.number(1)
    squares: Array | None = None
    cells.refuse((n != np.floor(n)) | (n < 1), f"column {count!r} is not a whole number of at least 1")
    counts = counts_vector(np.bincount(codes, n), len(names), names)
    means = np.bincount(codes, n * m) / counts
    if sd is not None:
        s = cells.number(2, may_lack=True)
        cells.refuse((s < 0) | (np.isnan(s) & (n > 1)), f"column {sd!r} is negative or empty")
        squares = np.bincount(codes, (n - 1) * np.nan_to_num(s) ** 2 + n * (m - means[codes]) ** 2).astype(float)
    return Totals(names, counts, means, squares, None, tuple(cells.notices), _levels(cells, names, codes, level))


class Cells:
    """Columns that were read, the first ``texts`` of which are names, and their cells, each looked at.

    Rows at the end that have nothing in any of them are left out.

    >>> table = frame_columns({"arm": ["b", " a"], "reward": ["0,5", "2"]}, "a table", ["arm", "reward"], 1)
    >>> cells = Cells(table, 1)
    >>> cells.coded(0)[0], cells.number(0).tolist()
    (('a', 'b'), [0.5, 2.0])
    """

    def __init__(self, read: Columns, texts: int, decimal: str | None = None) -> None:
        self.name, self.headings, self.place, self.decimal = read.name, read.headings, read.place, decimal
        self.notices, size = list(read.notices), len(read.columns[0])
        while size and all(one[size - 1] is None or not str(one[size - 1]).strip() for one in read.columns):
            size -= 1
        if not size:
            raise DataError(f"{self.name}: the log is empty, it has a header and no rows")
        columns = [one[:size] for one in read.columns]
        self.texts, self.numbers = columns[:texts], columns[texts:]

    def where(self, row: int) -> str:
        """Where a row stands."""
        return f"{self.place(row)} of {self.name}"

    def refuse(self, bad: NDArray[np.bool_], what: str, column: pl.Series | None = None, kind: str = "") -> None:
        """Raise for the first bad row, naming its place, its text if it is of a ``column``, and how many there are."""
        rows = np.flatnonzero(bad)
        if rows.size:
            more = f" (and {rows.size - 1:,} more like it)" if rows.size > 1 else ""
            told = "" if column is None else f" is {_shown(column[int(rows[0])], kind)}"
            raise DataError(f"{self.name}: {what} on {self.place(int(rows[0]))}{told}{more}")

    def coded(self, which: int) -> tuple[tuple[object, ...], NDArray[np.intp]]:
        """The names of a column in sorted order, and the position of each cell's among them."""
        column = self.texts[which]
        raw = column.unique(maintain_order=True).drop_nulls()
        keys = [key.strip() if isinstance(key, str) else key for key in raw.to_list()]
        if any(key != other and key for key, other in zip(keys, raw.to_list(), strict=True)):
            self._note("spaces around names are left out")
        distinct = {key for key in keys if key != "" and not missing(key)}
        try:
            names = tuple(sorted(distinct))
        except TypeError as error:
            raise DataError(f"{self.name}: names cannot be sorted: {error}") from None
        index = {key: i for i, key in enumerate(names)}
        position = np.array([index.get(key, -1) for key in keys] + [-1], dtype=np.intp)
        if column.dtype == pl.String:
            at = column.cast(pl.Enum(raw)).to_physical()
        else:
            found = raw.to_frame("name").with_row_index("at")
            at = column.to_frame("name").join(found, on="name", how="left", maintain_order="left")["at"]
        codes = position[at.cast(pl.Int64).fill_null(-1).to_numpy()]
        self.refuse(codes < 0, f"column {self.headings[which]!r}", column)
        return names, codes

    def number(self, which: int, may_lack: bool = False) -> Array:
        """A column of numbers; an empty cell is NaN where the table ``may_lack`` it, and refused elsewhere."""
        column, what = self.numbers[which], f"column {self.headings[len(self.texts) + which]!r}"
        if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
            values = column.cast(pl.Float64)
            empty = values.is_null()
        else:
            text = self._with_points(column.cast(pl.String, strict=False).str.strip_chars(), what)
            empty = text.is_null() | (text == "")
            values = text.cast(pl.Float64, strict=False)
            if values.null_count() > empty.sum():
                lower = text.str.to_lowercase()
                values = values.fill_null(lower.replace_strict(WORDS, default=None, return_dtype=pl.Float64))
                met = set(lower.unique())
                for one, two in (pair for pair in PAIRS.items() if met & {*pair}):
                    self._note(f"{one} counts as 1 and {two} as 0")
        made = values.fill_null(np.nan).to_numpy()
        self.refuse(~np.isfinite(made) & ~(empty.to_numpy() & may_lack), what, column, ", which is not a finite number")
        return made

    def _note(self, text: str) -> None:
        if text not in self.notices:
            self.notices.append(text)

    def _with_points(self, text: pl.Series, what: str) -> pl.Series:
        """Cells with decimal points: a comma is one where no cell has a point and all commas could be one.

        Where all could be whole numbers in groups of three, DataError asks which is meant.
        """
        commas = text.filter(text.str.contains(",", literal=True))
        told = self.decimal == ","
        if not len(commas) or self.decimal == "." or not commas.str.contains(COMMA).all():
            return text
        if not told and text.str.contains(".", literal=True).any():
            return text
        if not told and commas.str.contains(GROUPS).all():
            doubt = f"{self.name}: {what}: {quoted(commas[0])} may have a decimal comma or groups of thousands"
            raise DataError(f"{doubt}: say --decimal , or write it without the comma")
        self._note("the decimal mark is a comma")
        return text.str.replace(",", ".", literal=True)


def _shown(cell: object, kind: str) -> str:
    """A cell in a complaint, with what is not read of numbers that have more than digits."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return "empty"
    if not isinstance(cell, str):
        return f"{quoted(cell)}{kind}"
    dressed = "; signs of currency, % and marks between thousands are not read" if re.match(r"\W*\d", cell) else ""
    return f"{quoted(cell.strip())}{kind}{dressed}"


def _read(
    path: Table,
    names: Sequence[str],
    numbers: Sequence[str | None] | None,
    level: str | None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Cells:
    """The columns of names and of numbers, None for all others; those without a name are not asked for."""
    if decimal not in (None, ".", ","):
        raise TrustError(f"the decimal mark is {decimal!r}: it must be . or ,")
    texts, wanted = _asked(names, numbers or (), level)
    source = path if isinstance(path, Source) else open_table(path)
    return Cells(read_columns(source, texts + wanted, len(texts), numbers is None, encoding or ""), len(texts), decimal)


def _asked(names: Sequence[str], numbers: Sequence[str | None], level: str | None) -> tuple[list[str], list[str]]:
    """The columns that are named; TrustError for one that is to be two things, a noise level apart."""
    texts, wanted = [one for one in names if one], [one for one in numbers if one]
    twice = next((one for one in texts + wanted if (texts + wanted).count(one) > 1), None)
    if twice is not None:
        raise TrustError(f"the column {quoted(twice)} is asked for twice: it cannot be two things")
    return texts, wanted if level is None else [*wanted, level]


def _log(cells: Cells, level: str | None) -> Log:
    """Arms and perhaps items, rewards and perhaps noise levels."""
    names, arm = cells.coded(0)
    items = cells.coded(1)[1] if len(cells.texts) > 1 else None
    rewards = cells.number(0)
    return Log(names, arm, rewards, tuple(cells.notices), cells.where, _levels(cells, names, arm, level), items)


def _levels(cells: Cells, names: tuple[object, ...], arm: NDArray[np.intp], level: str | None) -> Array | None:
    """Each arm's noise level, the last column of numbers; DataError names the first arm that has two."""
    if level is None:
        return None
    values = cells.number(len(cells.numbers) - 1)
    cells.refuse(values <= 0, f"column {level!r} is not above 0")
    first = np.unique(arm, return_index=True)[1]
    for row in np.flatnonzero(values != values[first[arm]])[:1].tolist():
        both = " and ".join(f"{values[i]:.12g} ({cells.where(int(i))})" for i in (first[arm[row]], row))
        named = quoted(names[arm[row]])
        raise DataError(f"column {level!r} gives the arm {named} two noise levels, {both}: an arm has one")
    return np.asarray(values[first], dtype=float)


def _proposal(header: list[str], arm: str, reward: str) -> str:
    """Which columns to name: those of a table that has two."""
    if len(header) != 2:
        return "say --arm NAME --reward NAME"
    one, other = header
    if reward.casefold() == one.strip().casefold() or arm.casefold() == other.strip().casefold():
        one, other = other, one
    return f"say --arm {shlex.quote(one)} --reward {shlex.quote(other)}"


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
    return (
        f"nobody said what rewards can be, and a promise rests on it; {what} here go from {rounded_off(low)} to "
        f"{rounded_off(high)}: if they cannot {beyond} by their nature, --noise range:{least}:{most}; if their "
        f"standard deviation cannot exceed {sd}, --noise sd:{sd}; if their noise is Gaussian, --noise {sd} where that "
        "is known to be its level, or --noise pooled where one unknown level is the same throughout"
    )


def _rounded_up(value: float) -> float:
    """The next round number, 0 for what is not above 0.

    >>> _rounded_up(287.5), _rounded_up(-1.0), _rounded_up(0.42)
    (300.0, 0.0, 0.5)
    """
    if value <= 0:
        return 0.0
    steps = (float(f"{step * 10.0 ** floor(log10(value)):.2g}") for step in ROUND)
    return next(step for step in steps if step >= value * (1 - 1e-12))
