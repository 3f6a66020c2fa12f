"""Input checks, each of which names the culprit; called at the door, never inside a loop."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import DataError, TrustError
from .formatting import plain_number

Array = NDArray[np.floating]
MOST = 1e50  # squares and their products have to be numbers
MOST_SAMPLES = 2**53 - 1  # beyond it two whole numbers may be one to a computer


def frozen(values: ArrayLike, dtype: Any = np.float64) -> NDArray[Any]:
    """A private read-only copy of ``values``.

    >>> frozen([1, 2]).flags.writeable
    False
    """
    copy = np.array(values, dtype=dtype)
    copy.setflags(write=False)
    return copy


def arm_label(index: int, names: Sequence[object] | None) -> str:
    """What an arm is called in a complaint.

    >>> arm_label(1, None), arm_label(1, ["red", "blue"])
    ('arm 1', "arm 'blue'")
    """
    return f"arm {index}" if names is None else f"arm {names[index]!r}"


def refuse_first(
    bad: NDArray[np.bool_], values: Array, name: str, why: str, names: Sequence[object] | None = None
) -> None:
    """Raise a DataError naming the first arm where ``bad`` holds, with its value.

    >>> refuse_first(np.array([False, True]), np.array([3.0, 0.0]), "count", "drop arms without a sample", ["a", "b"])
    Traceback (most recent call last):
    trust_helpers.errors.DataError: count of arm 'b' is 0: drop arms without a sample
    """
    if bad.any():
        index = int(np.argmax(bad))
        raise DataError(f"{name} of {arm_label(index, names)} is {plain_number(values[index])}: {why}")


def finite_vector(
    values: ArrayLike, name: str, names: Sequence[object] | None = None, size: int | None = None
) -> Array:
    """``values`` as a read-only vector of at least one finite number, one for each of ``size`` arms.

    >>> finite_vector([1.0, float("nan")], "mean")
    Traceback (most recent call last):
    trust_helpers.errors.DataError: mean of arm 1 is nan: every value must be finite
    """
    try:
        vector = frozen(values)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must be numbers: {error}") from error
    if vector.ndim != 1 or vector.size == 0:
        raise DataError(f"{name} must be a vector with one entry per arm, got shape {vector.shape}")
    if size is not None and vector.size != size:
        raise DataError(f"{name} has {vector.size} entries but there are {size} arms")
    refuse_first(~np.isfinite(vector), vector, name, "every value must be finite", names)
    return vector


def positive_vector(values: ArrayLike, size: int, name: str, names: Sequence[object] | None = None) -> Array:
    """One number, or one per arm, as a vector of ``size`` positive finite numbers.

    >>> positive_vector(0.5, 3, "sigma")
    array([0.5, 0.5, 0.5])
    >>> positive_vector(-1, 3, "sigma")  # one number for all is no fault of an arm
    Traceback (most recent call last):
    trust_helpers.errors.DataError: sigma is -1: it must be positive and finite
    """
    given = np.asarray(values)
    if given.ndim == 0 and given.dtype.kind in "iuf" and not 0 < given < np.inf:
        raise DataError(f"{name} is {given:g}: it must be positive and finite")
    given = np.atleast_1d(given)
    if given.shape not in {(1,), (size,)}:
        raise DataError(f"{name} has shape {given.shape} but there are {size} arms")
    vector = finite_vector(given if given.size == size else np.full(size, given[0]), name, names)
    refuse_first(vector <= 0, vector, name, "it must be positive", names)
    return vector


def counts_vector(values: ArrayLike, size: int, names: Sequence[object] | None = None) -> NDArray[np.int64]:
    """Samples per arm: whole and at least one, and no more in all than a computer can count.

    >>> counts_vector([3, 0], 2)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: count of arm 1 is 0: drop arms without a sample
    """
    vector = finite_vector(values, "count", names, size)
    refuse_first(vector != np.floor(vector), vector, "count", "it must be whole", names)
    refuse_first(vector < 1, vector, "count", "drop arms without a sample", names)
    refuse_first(vector > MOST_SAMPLES, vector, "count", f"at most {MOST_SAMPLES:,} samples can be counted", names)
    if vector.sum() > MOST_SAMPLES:
        most = int(np.argmax(vector))
        largest = f"{arm_label(most, names)}, with {vector[most]:,.0f}, has the most"
        raise DataError(f"the counts sum to more than {MOST_SAMPLES:,} samples, which cannot be counted: {largest}")
    return frozen(vector, np.int64)


def successes_vector(
    values: ArrayLike, trials: NDArray[np.int64], names: Sequence[object] | None = None
) -> NDArray[np.int64]:
    """Successes per arm: whole, from none to all of its trials.

    >>> successes_vector([3, 5], np.array([4, 4]))
    Traceback (most recent call last):
    trust_helpers.errors.DataError: successes of arm 1 is 5: it must be whole, from 0 to its 4 trials
    """
    won = finite_vector(values, "successes", names)
    bad = (won != np.floor(won)) | (won < 0) | (won > trials)
    refuse_first(bad, won, "successes", f"it must be whole, from 0 to its {trials[np.argmax(bad)]} trials", names)
    return frozen(won, np.int64)


def probability(delta: float) -> float:
    """A failure probability: a number strictly between 0 and 1.

    >>> probability(0.1)
    0.1
    >>> probability(2)
    Traceback (most recent call last):
    trust_helpers.errors.TrustError: delta is 2: it must lie strictly between 0 and 1
    """
    try:
        number = float(delta)
    except (TypeError, ValueError):
        raise TrustError(f"delta is {delta!r}: it must be a number strictly between 0 and 1") from None
    if not 0 < number < 1:
        raise TrustError(f"delta is {number:g}: it must lie strictly between 0 and 1")
    return number


def whole_number(value: int, name: str, least: int = 1) -> int:
    """An integer of at least ``least``.

    >>> whole_number(0, "draws")
    Traceback (most recent call last):
    trust_helpers.errors.TrustError: draws is 0: it must be at least 1
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TrustError(f"{name} is {value!r}: it must be a whole number") from None
    if number < least:
        raise TrustError(f"{name} is {number}: it must be at least {least}")
    return number


def radii_grid(values: ArrayLike) -> Array:
    """Radii for a band: finite, not negative, largest first.

    >>> radii_grid([0.5, 1.0])
    Traceback (most recent call last):
    trust_helpers.errors.TrustError: radii must be sorted, largest first: 1 follows 0.5
    """
    try:
        radii = frozen(np.atleast_1d(np.asarray(values, dtype=float)))
    except (TypeError, ValueError) as error:
        raise TrustError(f"radii must be numbers: {error}") from error
    if radii.ndim != 1 or radii.size == 0 or not np.isfinite(radii).all():
        raise TrustError("radii must be a vector of at least one finite number")
    if (radii < 0).any():
        raise TrustError(f"radius {radii[radii < 0][0]:g} is negative")
    if (np.diff(radii) > 0).any():
        index = int(np.argmax(np.diff(radii) > 0))
        raise TrustError(f"radii must be sorted, largest first: {radii[index + 1]:g} follows {radii[index]:g}")
    return radii


def refuse_extreme(levels: Array, means: Array, names: tuple[object, ...] | None) -> None:
    """Raise for numbers whose squares a computer cannot tell from nothing or infinity.

    >>> refuse_extreme(np.array([1.0]), np.array([1e60]), None)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: mean of arm 0 is 1e+60: say rewards in another unit
    """
    refuse_first(abs(means) > MOST, means, "mean", "say rewards in another unit", names)
    refuse_first((levels > MOST) | (levels < 1 / MOST), levels, "sigma", "say rewards in another unit", names)


def simplex_vector(values: ArrayLike, size: int | None, name: str) -> Array:
    """A probability vector, over ``size`` arms if that is said; its sum may be off by rounding and is mended.

    >>> simplex_vector([0.25, 0.75], 2, "policy")
    array([0.25, 0.75])
    """
    vector = finite_vector(values, name, size=size)
    refuse_first(vector < 0, vector, name, "weights cannot be negative")
    if abs(vector.sum() - 1) > 1e-9:
        raise DataError(f"{name} sums to {vector.sum():.12g}: it must sum to 1")
    return frozen(vector / vector.sum())


def missing(key: object) -> bool:
    """Whether a value stands for nothing: None, NaN, which differs from itself, or pandas' NA, which will not say.

    >>> missing(None), missing(float("nan")), missing(0)
    (True, True, False)
    """
    try:
        return key is None or bool(key != key)
    except (TypeError, ValueError):
        return True
