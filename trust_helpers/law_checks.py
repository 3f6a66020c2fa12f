"""A log against its law: one level pooled within arms where it is asked for, and numbers that no such log can have."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .checks import Array, arm_label, refuse_first
from .errors import DataError
from .formatting import plain_number
from .laws import Bounded, Pooled
from .laws.said import EXAMPLES, Noise
from .noise import NoiseLaw
from .samples import Samples

if TYPE_CHECKING:
    from .tables import Totals

__all__ = [
    "pooled_law",
    "pooled_totals",
    "refuse_extreme",
    "refuse_means_outside",
    "refuse_spread_outside",
    "said",
    "squares_of",
]

MOST = 1e50  # squares and their products have to be numbers


def said(sigma: Noise | None) -> Noise:
    """What is known of the noise; DataError if nobody said.

    >>> said("range:0:1")
    'range:0:1'
    """
    if sigma is None:
        raise DataError(f"say what is known of the noise: sigma may be {EXAMPLES}")
    return sigma


def pooled_law(samples: Samples) -> Pooled:
    """Gaussian noise of one level, estimated within the arms that have repeats.

    >>> pooled_law(Samples(np.array([0, 0, 1, 1]), np.array([0.0, 2.0, 5.0, 5.0]), np.array([2, 2])))
    Pooled(level=1.0, spare=2)
    """
    return _pooled(samples.residual_squares, samples.spare)


def pooled_totals(log: "Totals") -> Pooled:
    """One level from the standard deviations of the arms.

    >>> from trust_helpers.tables import Totals
    >>> pooled_totals(Totals(("a",), np.array([3]), np.array([0.0]), squares=np.array([8.0])))
    Pooled(level=2.0, spare=2)
    """
    spare = int(log.counts.sum()) - log.counts.size
    if log.squares is None:
        raise DataError("sigma cannot be pooled from counts and means: the standard deviations are needed too")
    return _pooled(float(log.squares.sum()), spare)


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


def squares_of(log: "Totals") -> Array | None:
    """Squared differences from the arm's mean, summed; None where totals do not say.

    >>> from trust_helpers.tables import Totals
    >>> squares_of(Totals(("a",), np.array([4]), np.array([0.5]), successes=np.array([2])))
    array([1.])
    """
    if log.successes is not None:
        return log.counts * log.means * (1 - log.means)
    return log.squares


def refuse_extreme(levels: Array, means: Array, names: tuple[object, ...] | None) -> None:
    """Raise for numbers whose squares a computer cannot tell from nothing or infinity.

    >>> refuse_extreme(np.array([1.0]), np.array([1e60]), None)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: mean of arm 0 is 1e+60: say rewards in another unit
    """
    refuse_first(abs(means) > MOST, means, "mean", "say rewards in another unit", names)
    refuse_first((levels > MOST) | (levels < 1 / MOST), levels, "sigma", "say rewards in another unit", names)


def refuse_means_outside(law: NoiseLaw, means: Array, names: tuple[object, ...] | None) -> None:
    """Raise for a mean that no rewards of the stated range have; it may be off by rounding.

    >>> refuse_means_outside(Bounded(0.0, 1.0), np.array([0.5, 1.5]), None)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: mean of arm 1 is 1.5: outside the range from 0 to 1
    """
    if isinstance(law, Bounded):
        slack = 1e-9 * max(abs(law.low), abs(law.high))
        outside = (means < law.low - slack) | (means > law.high + slack)
        refuse_first(outside, means, "mean", f"outside the range {_ends(law)}", names)


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
            arm = arm_label(bad[0], names)
            raise DataError(f"the deviation of {arm} is more than rewards {_ends(law)} with its mean can have")


def _ends(law: Bounded) -> str:
    return f"from {plain_number(law.low)} to {plain_number(law.high)}"
