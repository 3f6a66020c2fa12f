"""What is assumed of the noise: what was said, or else what the log itself lets one say."""

import numpy as np

from ..data import OfflineData
from ..errors import DataError
from ..logs import Log, Totals

__all__ = ["data_of"]

SPARE = 5
SAY = (
    "; say one of three things: the range of the rewards (--noise range:1:5), the most their standard deviation can be "
    "(--noise sd:2), or, if their noise is Gaussian, its level (--noise 0.5)"
)


def data_of(log: Log | Totals, said: str | None) -> tuple[OfflineData, str]:
    """The log with its noise law, and why that law if nobody said.

    Rewards that are all 0 or 1 lie between 0 and 1, and nothing else is assumed of them. Otherwise repeats of an arm
    show the noise, if there are at least five to spare and nothing about them speaks against one Gaussian level.
    """
    if said is not None:
        return OfflineData.from_log(log, said), ""
    if isinstance(log, Totals) and log.successes is not None:
        return OfflineData.from_log(log), "successes and trials are rewards of 0 and 1"
    if isinstance(log, Log) and np.isin(log.rewards, (0, 1)).all():
        return OfflineData.from_log(log, "range:0:1"), "every reward is 0 or 1"
    return _pooled(log), "its level is estimated from repeats of the same arm"


def _pooled(log: Log | Totals) -> OfflineData:
    """The log with one estimated level; DataError with the three things one can say where the log does not show it."""
    samples = int(log.rewards.size if isinstance(log, Log) else log.counts.sum())
    spare = samples - len(log.names)
    if isinstance(log, Totals) and log.squares is None:
        raise DataError(f"counts and means do not show the noise{SAY}, or name a column of deviations with --sd")
    if spare < SPARE:
        tried = "no arm was tried twice" if spare == 0 else f"there are {spare} repeats, and {SPARE} are needed"
        raise DataError(f"the log does not show its noise, {tried}{SAY}")
    try:
        data = OfflineData.from_log(log, "pooled")
    except DataError as error:
        raise DataError(f"the log does not show its noise: {error}{SAY}") from None
    doubts = data.law.doubts(data)
    if doubts:
        raise DataError(f"the noise is not Gaussian of one level: {doubts[0]}{SAY}")
    return data
