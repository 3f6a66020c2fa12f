"""The columns asked for, from whatever kind of table it is, and what a column of noise levels says of the arms."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from ..checks import Array
from ..errors import DataError, TrustError
from ..printable import quoted
from .cells import Form
from .columns import Columns, Gathered, Rule, finish, match_column
from .fast import gather_fast
from .source import Source, find_source
from .text import gather_rows, heading, in_utf8
from .typed import frame_column, frame_headings, gather_cells, gather_json, is_json, read_frame, row_numbers

__all__ = ["PLAIN", "Asked", "arm_levels", "columns_of_frame", "read_columns"]

PLAIN = Form()


@dataclass(frozen=True)
class Asked:
    """Which columns are asked for, and what their rows must not be.

    Attributes
    ----------
    arm : str
        The column of the arms.
    numbers : tuple of str
        The columns of numbers.
    rules : tuple
        What no row may be.
    level : str or None
        A column of the noise of one reward, which comes after the other numbers.
    spread : bool
        Whether the third column of numbers is the standard deviation of as many samples as the first one says.

    Examples
    --------
    >>> Asked("arm", ("reward",), level="sd").columns
    ('reward', 'sd')
    """

    arm: str
    numbers: tuple[str, ...]
    rules: tuple[Rule, ...] = ()
    level: str | None = None
    spread: bool = False

    def __post_init__(self) -> None:
        names = (self.arm, *self.numbers)
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise TrustError(f"the column {quoted(twice)} is asked for twice: it cannot be two things")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of numbers, the noise's last."""
        return self.numbers if self.level is None else (*self.numbers, self.level)

    @property
    def forbidden(self) -> tuple[Rule, ...]:
        """The rules, and that a noise level is above 0."""
        if self.level is None:
            return self.rules
        return *self.rules, (f"column {self.level!r} is not above 0", lambda *numbers: numbers[-1] <= 0)


def read_columns(path: str | PathLike[str] | Source, asked: Asked, form: Form, skip_bad_rows: bool = False) -> Columns:
    r"""A column of arms and columns of numbers, every cell checked.

    >>> table = Source("a table", "text", b"arm,reward\nb,1\na,0\n", b"")
    >>> read_columns(table, Asked("arm", ("reward",)), PLAIN).numbers
    (array([1., 0.]),)
    """
    source = path if isinstance(path, Source) else find_source(path)
    wanted = [asked.arm, *asked.columns]
    if source.kind != "text":
        return columns_of_frame(read_frame(source, wanted), source.name, asked, form, skip_bad_rows, source)
    source = in_utf8(source, form)
    if is_json(source):
        rows = gather_json(source, wanted, form)
    else:
        head = heading(source, wanted, form)
        _refuse_shared(asked, head.positions, source.name)
        rows, form = gather_fast(source, head) or gather_rows(source, head), head.form
    return _finished(rows, source.name, asked, form, skip_bad_rows)


def columns_of_frame(
    frame: Any,
    name: str,
    asked: Asked,
    form: Form = PLAIN,
    skip_bad_rows: bool = False,
    source: Source | None = None,
) -> Columns:
    """The same of a frame, which may have been read from a ``source``.

    >>> columns_of_frame({"arm": [7, 5], "reward": [1, 0]}, "a frame", Asked("arm", ("reward",))).names
    (5, 7)
    """
    frame = frame.collect() if hasattr(frame, "collect_schema") and hasattr(frame, "collect") else frame
    columns = list(map(str, frame_headings(frame, name)))
    matched = [match_column(column, columns, name) for column in (asked.arm, *asked.columns)]
    _refuse_shared(asked, [position for position, _ in matched], name)
    arms, *numbers = (frame_column(frame, position) for position, _ in matched)
    rows = gather_cells(arms, numbers, form)
    rows.notices += [text for _, said in matched for text in said]
    if source is not None and source.kind == "xlsx":
        rows.place = row_numbers(source)
        if all(isinstance(key, float) and key.is_integer() for key in rows.keys):
            rows.keys = [int(key) for key in rows.keys]  # type: ignore[call-overload]
    return _finished(rows, name, asked, form, skip_bad_rows)


def arm_levels(found: Columns, level: str | None) -> Array | None:
    r"""Each arm's noise level, the last column of numbers; None if there is no such column.

    DataError names the first arm with two levels, both of them, and where they stand.

    >>> table = Source("a table", "text", b"arm,reward,s\nb,1,2\na,0,0.5\nb,3,2\n", b"")
    >>> arm_levels(read_columns(table, Asked("arm", ("reward",), level="s"), PLAIN), "s")
    array([0.5, 2. ])
    """
    if level is None:
        return None
    values, arm = found.numbers[-1], found.arm
    first = np.empty(len(found.names), dtype=np.intp)
    first[arm[::-1]] = np.arange(arm.size - 1, -1, -1)  # of several rows the last one written, so the first of them
    other = values != values[first[arm]]
    if other.any():
        second = int(np.argmax(other))
        one = int(first[arm[second]])
        both = " and ".join(f"{values[row]:.12g} ({found.where(row)})" for row in (one, second))
        named = quoted(found.names[arm[one]])
        raise DataError(f"column {level!r} gives the arm {named} two noise levels, {both}: an arm has one")
    return np.asarray(values[first], dtype=float)


def _refuse_shared(asked: Asked, positions: Sequence[int], name: str) -> None:
    """Raise if one column is taken for two of those asked for, a noise level apart, which may be a deviation too."""
    taken: dict[int, str] = {}
    for wanted, position in zip((asked.arm, *asked.numbers), positions, strict=False):
        if position in taken:
            raise DataError(f"{name}: one column is taken for both {quoted(taken[position])} and {quoted(wanted)}")
        taken[position] = wanted


def _finished(rows: Gathered, name: str, asked: Asked, form: Form, skip_bad_rows: bool) -> Columns:
    if asked.spread:
        rows.numbers[2] = _spread(*rows.numbers[:3])
    return finish(rows, name, asked.arm, asked.columns, form, skip_bad_rows, asked.forbidden)


def _spread(count: Any, _: Any, sd: Any) -> Array:
    """A single sample has no standard deviation, and needs none."""
    counts, deviations = (np.asarray(column, dtype=float) for column in (count, sd))
    return np.where((counts == 1) & np.isnan(deviations), 0.0, deviations)
