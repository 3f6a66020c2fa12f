"""Columns of a table, checked: arms numbered in sorted order, numbers as arrays, bad rows named by their place."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import Array
from ..errors import DataError
from ..printable import quoted
from .cells import Form, hint

__all__ = ["Columns", "Gathered", "Rule", "arm_key", "finish", "match_column", "missing"]

# What a row must not be: how to say it, and which rows are, from the columns of numbers.
Rule = tuple[str, Callable[..., NDArray[np.bool_]]]
SHOWN = 5
_SURROGATE = re.compile("[\ud800-\udfff]")
LISTED = 12


@dataclass(frozen=True, eq=False)
class Columns:
    """A column of arms and some of numbers.

    Attributes
    ----------
    names : tuple
        The arms, sorted.
    arm : (n,) array of int
        The position of each row's arm among the names.
    numbers : tuple of (n,) arrays
        The columns of numbers asked for.
    skipped : int
        Rows left out as unusable.
    notices : tuple of str
        What was taken for granted, to be said to whoever reads the result.
    where : callable
        What the place of a row is called, given its number among the rows kept.

    Examples
    --------
    >>> rows = Gathered(["b", "a"], [0, 1, 0], [[1.0, 2.0, 3.0]])
    >>> finish(rows, "a table", "arm", ["reward"], Form()).where(2)
    'row 3 of a table'
    """

    names: tuple[object, ...]
    arm: NDArray[np.intp]
    numbers: tuple[Array, ...]
    skipped: int
    notices: tuple[str, ...]
    where: Callable[[int], str]


@dataclass(eq=False)
class Gathered:
    """Rows as they were read: ``arm`` numbers the ``keys`` in the order they came, and is -1 where there is none.

    ``bad`` has the first text of each column of numbers that is no number, ``place`` gives the line or row of a row.

    >>> Gathered(["b", "a"], [0, 1, 0], [[1.0, 2.0, 3.0]]).place(2)
    3
    """

    keys: Sequence[object]
    arm: ArrayLike
    numbers: list[Any]
    bad: dict[int, str] = field(default_factory=dict)
    place: Callable[[int], int] = lambda row: row + 1
    unit: str = "in row"
    notices: list[str] = field(default_factory=list)


def match_column(wanted: str, header: Sequence[str], name: str) -> tuple[int, list[str]]:
    """Which column is meant, and what to say if its name is not quite the one asked for.

    The name as it is; else without spaces around it; else, if that is one column, whatever its capitals.

    >>> match_column("Reward", ["arm", "reward"], "a table")
    (1, ["the column 'reward' is taken for 'Reward'"])
    """
    rules: list[Callable[[str], str]] = [str, str.strip, lambda text: text.strip().casefold()]
    for rule in rules:
        found = [i for i, column in enumerate(header) if rule(column) == rule(wanted)]
        if len(found) > 1:
            raise DataError(f"{name}: {len(found)} columns are called {wanted!r}")
        if found:
            column = header[found[0]]
            return found[0], [] if column == wanted else [f"the column {column!r} is taken for {wanted!r}"]
    listed = ", ".join(map(quoted, header[:LISTED])) + (", ..." if len(header) > LISTED else "")
    near = get_close_matches(wanted, header, n=1)
    guess = f" (did you mean {quoted(near[0])}?)" if near else ""
    raise DataError(f"{name}: no column {wanted!r}{guess}; it has {listed or 'no columns'}")


def finish(
    rows: Gathered,
    name: str,
    arm: str,
    wanted: Sequence[str],
    form: Form,
    skip_bad_rows: bool = False,
    rules: Sequence[Rule] = (),
) -> Columns:
    """Check every row, trim and sort the arms; DataError names the first bad rows, or they are skipped and counted.

    >>> rows = Gathered(["b", "a"], [0, 1, 0], [[1.0, 2.0, 3.0]])
    >>> made = finish(rows, "a table", "arm", ["reward"], Form())
    >>> made.names, made.arm.tolist()
    (('a', 'b'), [1, 0, 1])
    """
    codes, keys = np.asarray(rows.arm, dtype=np.intp), rows.keys
    numbers = [np.asarray(column, dtype=float) for column in rows.numbers]
    for column, values in zip(wanted, numbers, strict=True):
        if values.size != codes.size:
            raise DataError(f"{name}: column {arm!r} has {codes.size} cells, column {column!r} has {values.size}")
    if codes.size == 0:
        raise DataError(f"{name}: the log is empty, it has a header and no rows")
    names, position, notices = _sorted_names(keys, name)
    placed = np.append(position, -1)[codes]
    bad = placed < 0
    if not skip_bad_rows:
        _refuse(bad, rows, f"{name}: column {arm!r} is missing an arm")
    for i, (column, values) in enumerate(zip(wanted, numbers, strict=True)):
        wrong = ~np.isfinite(values)
        if not skip_bad_rows:
            _refuse(wrong, rows, f"{name}: column {column!r} is not a finite number", hint(rows.bad.get(i, ""), form))
        bad |= wrong
    for what, broken in rules:
        wrong = broken(*numbers) & ~bad
        if not skip_bad_rows:
            _refuse(wrong, rows, f"{name}: {what}")
        bad |= wrong
    if bad.all():
        raise DataError(f"{name}: the log is empty, none of its {bad.size} rows is usable")
    skipped = int(bad.sum())
    if skipped:
        placed, numbers = placed[~bad], [values[~bad] for values in numbers]
        names, placed = _those_left(names, placed)
    kept = np.flatnonzero(~bad) if skipped else None

    def where(row: int) -> str:
        return f"{rows.unit.split()[-1]} {rows.place(row if kept is None else int(kept[row]))} of {name}"

    return Columns(names, placed, tuple(numbers), skipped, (*rows.notices, *notices), where)


def missing(key: object) -> bool:
    """Whether a value stands for nothing: None, NaN, which differs from itself, or pandas' NA, which will not say.

    >>> missing(None), missing(float("nan")), missing(0)
    (True, True, False)
    """
    try:
        return key is None or bool(key != key)
    except (TypeError, ValueError):
        return True


def arm_key(key: object) -> tuple[object, object]:
    """What tells arms apart: 1 and '1', True and 1 are equal to Python or to people, and are not one arm.

    >>> arm_key("1") == arm_key(1), arm_key(True) == arm_key(1)
    (False, False)
    """
    try:
        hash(key)
    except TypeError:
        raise DataError(f"an arm is named {quoted(key)}: a name is a text or a number") from None
    if isinstance(key, str):
        return str, key
    if isinstance(key, int | float | np.number) and not isinstance(key, bool | np.bool_):
        return float, key
    return type(key), key


def _sorted_names(keys: Sequence[object], name: str) -> tuple[tuple[object, ...], NDArray[np.intp], list[str]]:
    """Distinct names in sorted order, the position of each key among them (-1 for an empty one), and notices."""
    trimmed = [key.strip() if isinstance(key, str) else key for key in keys]
    kinds = {arm_key(key)[0]: key for key in trimmed}
    if len(kinds) > 1:
        one, other, *_ = kinds.values()
        raise DataError(f"{name}: arm names must be all of one kind, not {quoted(one)} and {quoted(other)}")
    distinct = {key for key in trimmed if key != ""}
    broken = next((k for k in distinct if isinstance(k, str) and not k.isascii() and _SURROGATE.search(k)), None)
    if broken is not None:
        raise DataError(f"{name}: the arm {quoted(broken)} is no valid text")
    try:
        names = tuple(sorted(distinct))  # type: ignore[type-var]
    except TypeError as error:
        raise DataError(f"{name}: arm names cannot be sorted: {error}") from None
    index = {key: i for i, key in enumerate(names)}
    position = np.array([index.get(key, -1) for key in trimmed], dtype=np.intp)
    return names, position, _merged(keys, trimmed)


def _merged(keys: Sequence[object], trimmed: Sequence[object]) -> list[str]:
    """What to say where trimming made one arm of two."""
    first: dict[object, object] = {}
    pairs = zip(keys, trimmed, strict=True)
    merged = [(first[short], key) for key, short in pairs if first.setdefault(short, key) != key]
    if not merged:
        return []
    more = f" and {len(merged) - 1:,} more" if len(merged) > 1 else ""
    return [f"spaces around names are left out: {quoted(merged[0][1])} and {quoted(merged[0][0])} are one arm{more}"]


def _those_left(names: tuple[object, ...], arm: NDArray[np.intp]) -> tuple[tuple[object, ...], NDArray[np.intp]]:
    """Without the arms that have no row left."""
    used = np.bincount(arm, minlength=len(names)) > 0
    return tuple(np.array(names, dtype=object)[used]), (np.cumsum(used) - 1)[arm]


def _refuse(bad: NDArray[np.bool_], rows: Gathered, what: str, guess: str = "") -> None:
    """Raise naming the places of the first bad rows, and how many there are."""
    if bad.any():
        first = ", ".join(str(rows.place(int(row))) for row in np.flatnonzero(bad)[:SHOWN])
        more = f" and {bad.sum() - SHOWN} more" if bad.sum() > SHOWN else ""
        raise DataError(f"{what} {rows.unit} {first}{more}{guess}")
