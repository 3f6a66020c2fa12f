"""Samples on their way into a log: arms numbered, rewards checked, one noise level pooled within arms."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import Array, arm_label
from .errors import DataError
from .laws import Bounded, Pooled
from .laws.said import Noise
from .noise import NoiseLaw
from .reading.columns import arm_key, missing
from .shown import quoted

if TYPE_CHECKING:
    from .logs import Totals

__all__ = [
    "Samples",
    "distinct_names",
    "finite_rewards",
    "number_arms",
    "pooled_law",
    "pooled_totals",
    "refuse_extreme",
    "refuse_means_outside",
    "refuse_spread_outside",
    "said",
    "squares_of",
]

MOST = 1e50  # squares and their products have to be numbers


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of a log: the arm's number and the reward of each.

    >>> Samples(np.array([0, 1]), np.array([1.0, 0.5])).reward.tolist()
    [1.0, 0.5]
    """

    arm: NDArray[np.intp]
    reward: Array


def said(sigma: Noise | None) -> Noise:
    """What is known of the noise; DataError if nobody said.

    >>> said("range:0:1")
    'range:0:1'
    """
    if sigma is None:
        raise DataError("say what is known of the noise: sigma may be a number, 'pooled', 'range:LO:HI' or 'sd:S'")
    return sigma


def pooled_totals(log: "Totals") -> Pooled:
    """One level from the standard deviations of the arms.

    >>> from trust_helpers.logs import Totals
    >>> pooled_totals(Totals(("a",), np.array([3]), np.array([0.0]), squares=np.array([8.0])))
    Pooled(level=2.0, spare=2)
    """
    spare = int(log.counts.sum()) - log.counts.size
    if log.squares is None:
        raise DataError("sigma cannot be pooled from counts and means: the standard deviations are needed too")
    return _pooled(float(log.squares.sum()), spare)


def refuse_extreme(levels: Array, means: Array, names: tuple[object, ...] | None) -> None:
    """Raise for numbers whose squares a computer cannot tell from nothing or infinity.

    >>> refuse_extreme(np.array([1.0]), np.array([1e60]), None)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: mean of arm 0 is 1e+60: say rewards in another unit
    """
    for name, values, bad in (
        ("mean", means, abs(means) > MOST),
        ("sigma", levels, (levels > MOST) | (levels < 1 / MOST)),
    ):
        if bad.any():
            arm = int(np.argmax(bad))
            raise DataError(f"{name} of {arm_label(arm, names)} is {values[arm]:g}: say rewards in another unit")


def refuse_means_outside(law: NoiseLaw, means: Array, names: tuple[object, ...] | None) -> None:
    """Raise for a mean that no rewards of the stated range have; it may be off by rounding.

    >>> refuse_means_outside(Bounded(0.0, 1.0), np.array([0.5, 1.5]), None)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: mean of arm 1 is 1.5: outside the range from 0 to 1
    """
    if isinstance(law, Bounded):
        slack = 1e-9 * max(abs(law.low), abs(law.high))
        bad = np.flatnonzero((means < law.low - slack) | (means > law.high + slack))
        if bad.size:
            arm, mean = arm_label(bad[0], names), means[bad[0]]
            raise DataError(f"mean of {arm} is {mean:g}: outside the range from {law.low:g} to {law.high:g}")


def refuse_spread_outside(
    law: NoiseLaw, means: Array, counts: NDArray[np.int64], squares: Array, names: tuple[object, ...] | None
) -> None:
    """Raise for a deviation that no rewards of the stated range and mean have; it may be off by rounding.

    >>> refuse_spread_outside(Bounded(0.0, 1.0), np.array([0.9]), np.array([10]), np.array([0.9]), None)
    >>> refuse_spread_outside(Bounded(0.0, 1.0), np.array([0.9]), np.array([10]), np.array([2.0]), None)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: the deviation of arm 0 is more than rewards from 0 to 1 with its mean can have
    """
    if isinstance(law, Bounded):
        most = counts * np.maximum((law.high - means) * (means - law.low), 0)
        bad = np.flatnonzero(squares > 1.05 * most + counts * (0.01 * law.width) ** 2)
        if bad.size:
            arm, ends = arm_label(bad[0], names), f"from {law.low:g} to {law.high:g}"
            raise DataError(f"the deviation of {arm} is more than rewards {ends} with its mean can have")


def squares_of(log: "Totals") -> Array | None:
    """Squared differences from the arm's mean, summed; None where totals do not say.

    >>> from trust_helpers.logs import Totals
    >>> squares_of(Totals(("a",), np.array([4]), np.array([0.5]), successes=np.array([2])))
    array([1.])
    """
    if log.successes is not None:
        return log.counts * log.means * (1 - log.means)
    return log.squares


def pooled_law(arm: NDArray[np.intp], rewards: Array) -> Pooled:
    """Gaussian noise of one level, estimated within the arms that have repeats.

    >>> pooled_law(np.array([0, 0, 1, 1]), np.array([0.0, 2.0, 5.0, 5.0]))
    Pooled(level=1.0, spare=2)
    """
    counts = np.bincount(arm)
    means = np.bincount(arm, weights=rewards) / counts
    return _pooled(float(((rewards - means[arm]) ** 2).sum()), rewards.size - counts.size)


def _pooled(squares: float, spare: int) -> Pooled:
    """The level of so many squared residuals with so many degrees of freedom."""
    if spare < 1:
        raise DataError(
            "sigma cannot be pooled: no arm has two samples. Give sigma as a number, or a reward range as 'range:LO:HI'"
        )
    sigma = float(np.sqrt(squares / spare))
    if sigma == 0:
        raise DataError("sigma cannot be pooled: the repeated samples of every arm are all alike")
    return Pooled(sigma, spare)


def distinct_names(names: Sequence[object], size: int) -> tuple[object, ...]:
    """The names as a tuple, one for each arm and no two alike.

    >>> distinct_names(["a", "a"], 2)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: two arms are named 'a'
    """
    if len(names) != size:
        raise DataError(f"names has {len(names)} entries but there are {size} arms")
    absent = next((i for i, name in enumerate(names) if missing(name)), None)
    if absent is not None:
        raise DataError(f"the name of arm {absent} is missing")
    _of_one_kind(names)
    name, times = Counter(names).most_common(1)[0] if size else (None, 0)
    if times > 1:
        raise DataError(f"two arms are named {name!r}")
    return tuple(names)


def finite_rewards(rewards: ArrayLike) -> Array:
    """The rewards as numbers, at least one and all finite.

    >>> finite_rewards([1, 0])
    array([1., 0.])
    """
    try:
        values = np.asarray(rewards, dtype=float)
    except (TypeError, ValueError) as error:
        raise DataError(f"rewards must be numbers: {error}") from error
    if values.size == 0:
        raise DataError("the log is empty: no sample to decide from")
    bad = np.flatnonzero(~np.isfinite(values.ravel()))
    if bad.size:
        raise DataError(f"reward of sample {bad[0]} is {values.ravel()[bad[0]]:g}: every reward must be finite")
    return values


def number_arms(arms: object, labels: NDArray) -> tuple[tuple[object, ...], NDArray[np.intp]]:
    """The distinct labels in sorted order, and the position of each sample's label among them.

    >>> number_arms(["b", "a", "b"], np.array(["b", "a", "b"]))
    (('a', 'b'), array([1, 0, 1]))
    """
    listed = labels.tolist()
    absent = next((i for i, name in enumerate(listed) if missing(name)), None)
    if absent is not None:
        raise DataError(f"arm of sample {absent} is missing")
    _of_one_kind(arms if isinstance(arms, Sequence) else listed)
    try:
        names, arm = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise DataError(f"arm names must be all of one kind: {error}") from error
    return tuple(names.tolist()), arm


def _of_one_kind(names: Iterable[object]) -> None:
    """Raise for numbers and texts together, which would be merged or could not be told apart in print."""
    examples = {type(name): name for name in names}
    kinds = {arm_key(name)[0]: name for name in examples.values()}
    if len(kinds) > 1:
        one, other, *_ = kinds.values()
        raise DataError(f"arm names must be all of one kind, not {quoted(one)} and {quoted(other)}")
