"""Logs as people keep them: one row per try, totals per arm, or a column per arm; in files and in frames.

What comes out names no library: the arms' names, and arrays. What was taken for granted on the way is in ``notices``.
``path`` is the file's; the examples have the bytes of a small table in its place, as a ``Source``.
:meth:`OfflineData.from_log <trust_helpers.OfflineData.from_log>` makes a log for the methods of what was read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import Array, counts_vector
from .errors import DataError
from .reading.cells import Form
from .reading.columns import Columns, Rule, finish
from .reading.source import Source, find_source
from .reading.table import PLAIN, Asked, arm_levels, columns_of_frame, read_columns
from .reading.text import gather_wide, heading, in_utf8
from .reading.typed import is_json, read_frame, row_numbers, wide_cells

__all__ = ["Form", "Log", "Totals", "frame_log", "read_counts", "read_log", "read_moments", "read_wide"]


@dataclass(frozen=True, eq=False)
class Log:
    """One row per try: ``names`` are sorted, ``arm`` and ``rewards`` have an entry for each sample.

    ``skipped`` rows were left out; ``where`` says where a sample stands in the table; ``levels`` are the standard
    deviations that a column gave.

    >>> Log(("a", "b"), np.array([1, 0, 1]), np.array([1.0, 0.0, 2.0])).arms
    ['b', 'a', 'b']
    """

    names: tuple[object, ...]
    arm: NDArray[np.intp]
    rewards: Array
    skipped: int = 0
    notices: tuple[str, ...] = ()
    where: Callable[[int], str] = "sample {}".format
    levels: Array | None = None

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
    >>> from trust_helpers import OfflineData
    >>> totals = Totals(("a", "b"), counts=np.array([4, 2]), means=np.array([0.5, 1.0]))
    >>> OfflineData.from_log(totals, sigma=1.0)
    <OfflineData: 2 arms, 6 samples (2 to 4 per arm), means 0.5 to 1>
    """

    names: tuple[object, ...]
    counts: NDArray[np.int64]
    means: Array
    squares: Array | None = None
    successes: NDArray[np.int64] | None = None
    skipped: int = 0
    notices: tuple[str, ...] = ()
    levels: Array | None = None


def read_log(
    path: str | PathLike[str] | Source,
    arm: str,
    reward: str,
    skip_bad_rows: bool = False,
    form: Form = PLAIN,
    level: str | None = None,
) -> Log:
    r"""The arm and reward columns of a table, every cell checked; ``-`` is standard input.

    Delimited text, JSON lines, parquet, feather and xlsx, compressed or not, told by content. In text, arms are text;
    elsewhere they keep their type. Raises DataError for an unreadable or empty file, a missing column, and rows whose
    arm is missing or whose reward is not a finite number, with the first few line numbers and how many there are; with
    ``skip_bad_rows`` such rows are left out and counted. A column of each arm's known noise may be named as ``level``.

    >>> table = b"arm,reward\na,1\nb,0\na,3\n"
    >>> read_log(Source("a table", "text", table, table), "arm", "reward").rewards
    array([1., 0., 3.])
    """
    found = read_columns(path, Asked(arm, (reward,), level=level), form, skip_bad_rows)
    return _samples(found, level)


def read_counts(
    path: str | PathLike[str] | Source,
    arm: str,
    successes: str,
    trials: str,
    skip_bad_rows: bool = False,
    form: Form = PLAIN,
    level: str | None = None,
) -> Totals:
    r"""Successes and trials of each arm, such as clicks and impressions; several rows of an arm add up.

    The first three names are those of columns; the rest is as in :func:`read_log`.

    >>> table = b"ad,clicks,shown\nx,3,10\ny,1,20\nx,1,10\n"
    >>> read_counts(Source("a table", "text", table, table), "ad", "clicks", "shown").successes
    array([4, 1])
    """
    rules: list[Rule] = [
        (f"column {trials!r} is not a whole number of at least 1", lambda _, n, *__: (n != np.floor(n)) | (n < 1)),
        (f"column {successes!r} is not a whole number of at least 0", lambda k, *_: (k != np.floor(k)) | (k < 0)),
        (f"column {successes!r} is above column {trials!r}", lambda k, n, *_: k > n),
    ]
    found = read_columns(path, Asked(arm, (successes, trials), tuple(rules), level), form, skip_bad_rows)
    tried = _totals(found, found.numbers[1])
    won = _sums(found, found.numbers[0]).astype(np.int64)  # no more than were tried
    return Totals(found.names, tried, won / tried, None, won, found.skipped, found.notices, arm_levels(found, level))


def read_moments(
    path: str | PathLike[str] | Source,
    arm: str,
    count: str,
    mean: str,
    sd: str | None = None,
    skip_bad_rows: bool = False,
    form: Form = PLAIN,
    level: str | None = None,
) -> Totals:
    r"""Count, mean and, if there is one, standard deviation of each arm; several rows of an arm add up.

    The standard deviation is that of the arm's samples, with n - 1; of a single sample it may be left empty. The first
    four names are those of columns; the rest is as in :func:`read_log`.

    >>> table = b"arm,n,m,s\na,4,0.5,1\na,4,1.5,1\n"
    >>> read_moments(Source("a table", "text", table, table), "arm", "n", "m", "s").squares
    array([8.])
    """
    rules: list[Rule] = [
        (f"column {count!r} is not a whole number of at least 1", lambda n, *_: (n != np.floor(n)) | (n < 1))
    ]
    if sd is not None:
        rules.append((f"column {sd!r} is negative", lambda _, __, s, *___: s < 0))
    wanted = (count, mean) if sd is None else (count, mean, sd)
    found = read_columns(path, Asked(arm, wanted, tuple(rules), level, sd is not None), form, skip_bad_rows)
    n, m = found.numbers[:2]
    counts = _totals(found, n)
    means = _sums(found, n * m) / counts
    squares = None
    if sd is not None:
        squares = _sums(found, (n - 1) * found.numbers[2] ** 2 + n * (m - means[found.arm]) ** 2)
    levels = arm_levels(found, level)
    return Totals(found.names, counts, means, squares, None, found.skipped, found.notices, levels)


def read_wide(path: str | PathLike[str] | Source, skip_bad_rows: bool = False, form: Form = PLAIN) -> Log:
    r"""A table with a column for each arm and a reward in each cell; empty cells are no tries.

    >>> table = b"a,b\n1,2\n,4\n"
    >>> read_wide(Source("a table", "text", table, table)).arms
    ['a', 'b', 'b']
    """
    source = path if isinstance(path, Source) else find_source(path)
    if source.kind != "text":
        rows = wide_cells(read_frame(source), form, row_numbers(source))
    else:
        source = in_utf8(source, form)
        if is_json(source):
            raise DataError(f"{source.name}: JSON lines are not read as a wide table")
        head = heading(source, [], form)
        rows, form = gather_wide(source, head), head.form
    found = finish(rows, source.name, "(header)", ["(any)"], form, skip_bad_rows)
    return _samples(found)


def frame_log(frame: Any, arm: str, reward: str, level: str | None = None) -> Log:
    """The arm and reward columns of a frame: pandas, polars, pyarrow, or a mapping from names to columns.

    >>> log = frame_log({"arm": [7, 5, 7], "reward": [1.0, 2.0, 4.0]}, "arm", "reward")
    >>> log.names, log.arm.tolist()
    ((5, 7), [1, 0, 1])
    """
    return _samples(columns_of_frame(frame, "the frame", Asked(arm, (reward,), level=level)), level)


def _samples(found: Columns, level: str | None = None) -> Log:
    levels = arm_levels(found, level)
    return Log(found.names, found.arm, found.numbers[0], found.skipped, found.notices, found.where, levels)


def _sums(found: Columns, values: Array) -> Array:
    return np.bincount(found.arm, weights=values, minlength=len(found.names)).astype(float)


def _totals(found: Columns, counts: Array) -> NDArray[np.int64]:
    """The samples of each arm; DataError, naming the arm, for more than can be counted."""
    return counts_vector(_sums(found, counts), len(found.names), found.names)
