"""The four assumptions about the noise that a log may be read under, and how they are said."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from numpy.typing import ArrayLike

from ..checks import frozen, positive_vector
from ..errors import DataError, TrustError
from .base import NoiseLaw
from .bounded import Bounded, range_sigma
from .gaussian import Gaussian, Pooled
from .second_moment import StandardDeviation

__all__ = ["Bounded", "Gaussian", "Noise", "Pooled", "StandardDeviation", "level_column", "range_sigma", "read_noise"]


Noise = float | str | ArrayLike | Mapping[object, float] | NoiseLaw
EXAMPLES = "a number, 'pooled', 'range:LO:HI', 'sd:S' or, of a table, 'column:NAME'"
COLUMN = "column:"


def level_column(said: object) -> str | None:
    """The column of a table that has the standard deviation of each arm's noise, if that is what was said.

    >>> level_column("column:s"), level_column("sd:2")
    ('s', None)
    """
    if not isinstance(said, str) or not said.strip().startswith(COLUMN):
        return None
    name = said.strip().removeprefix(COLUMN)
    if not name:
        raise TrustError("'column:' needs the name of a column, such as 'column:sd'")
    return name


def read_noise(
    said: Noise, size: int, names: Sequence[object] | None = None, pooled: Callable[[], Pooled] | None = None
) -> NoiseLaw:
    """The law that was said; ``pooled`` estimates the one level where that is asked for and possible.

    >>> read_noise("range:1:5", 3)
    Bounded(low=1.0, high=5.0, two_valued=False)
    """
    if isinstance(said, str):
        return _read_text(said.strip(), pooled)
    if isinstance(said, Mapping):
        labels = range(size) if names is None else names
        missing = [name for name in labels if name not in said]
        if missing:
            raise DataError(f"sigma has no entry for arm {missing[0]!r}")
        said = [said[name] for name in labels]
    if isinstance(said, NoiseLaw):
        return said
    return Gaussian(frozen(positive_vector(cast(ArrayLike, said), size, "sigma", names)))


def _read_text(text: str, pooled: Callable[[], Pooled] | None) -> NoiseLaw:
    if text == "pooled":
        if pooled is None:
            raise DataError("sigma cannot be pooled without samples: give Pooled(level, spare), or a number")
        return pooled()
    if text.startswith(COLUMN):
        raise TrustError(f"sigma is {text!r}: it needs a table that has this column")
    word, *rest = text.split(":")
    numbers = [number for part in (rest or [word]) if (number := _number(part)) is not None]
    if not rest and numbers:
        return Gaussian(float(positive_vector(numbers[0], 1, "sigma")[0]))
    if word == "range" and len(rest) == len(numbers) == 2:
        return Bounded(numbers[0], numbers[1])
    if word == "sd" and len(rest) == len(numbers) == 1:
        return StandardDeviation(numbers[0])
    raise TrustError(f"sigma is {text!r}: it must be {EXAMPLES}")


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
