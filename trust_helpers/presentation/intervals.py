"""An interval for each arm alone, under the log's own noise law."""

from dataclasses import replace

import numpy as np

from ..checks import Array
from ..data import OfflineData
from ..laws import Bounded

__all__ = ["arm_intervals"]


def arm_intervals(data: OfflineData, delta: float) -> tuple[Array, Array]:
    """Ends of an interval for each arm's mean that holds for one arm looked at alone, with probability 1 - delta.

    Half of delta on either side; proportions have Clopper and Pearson's interval. Looked at all together, and the best
    picked out, they do not hold: that is what the report's promise is for.

    >>> low, high = arm_intervals(OfflineData.from_counts([3, 0], [10, 10]), 0.1)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.087, 0.0], [0.607, 0.259])
    """
    low = data.law.arm_bounds(data, delta / 2)
    high = -_mirrored(data).law.arm_bounds(_mirrored(data), delta / 2)
    if data.successes is not None:
        high = 1 + high
    return np.minimum(low, data.means), np.maximum(high, data.means)


def _mirrored(data: OfflineData) -> OfflineData:
    """The log of minus the rewards; of proportions, that of failures."""
    if data.successes is not None:
        return OfflineData.from_counts(data.counts - data.successes, data.counts)
    law = data.law
    if isinstance(law, Bounded):
        law = replace(law, low=-law.high, high=-law.low)
    return OfflineData(-data.means, data.counts, law)
