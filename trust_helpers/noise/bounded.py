"""Rewards in a known range, with nothing else assumed of them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import log, nan, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..checks import Array, arm_label, refuse_first
from ..errors import DataError, TrustError
from ..formatting import plain_number, quoted
from ..quantiles import clopper_pearson, pooled_proportion_bound, shortfall_factor
from .base import COUNTS, ITEMS, Counts, Names, NoiseLaw, samples_to_split
from .convex_order import normal_factor

if TYPE_CHECKING:
    from ..data import OfflineData
    from ..split.splitters import Aim, Splitter

__all__ = ["Bounded", "range_sigma"]


@dataclass(frozen=True)
class Bounded(NoiseLaw):
    r"""Rewards anywhere in [low, high], and nothing else assumed of them; or, ``two_valued``, at its ends only.

    The normal law N(0, :math:`c_N^2R^2/N`) is above the mean of N such rewards in convex order
    (:mod:`trust_helpers.noise.convex_order`), so the simulation stays Gaussian and takes the expected shortfall of its
    scores.

    >>> Bounded(0.0, 1.0).levels(2)
    array([0.5, 0.5])
    """

    low: float
    high: float
    two_valued: bool = False
    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        range_sigma(self.low, self.high)
        object.__setattr__(self, "low", float(self.low))
        object.__setattr__(self, "high", float(self.high))

    @property
    def ends(self) -> tuple[float, float]:
        """The range."""
        return self.low, self.high

    @property
    def width(self) -> float:
        """The length R of the range."""
        return self.high - self.low

    @property
    def assumes(self) -> str:
        """The sentence printed with every promise."""
        form = "are {} or {}" if self.two_valued else "lie between {} and {}"
        ends = form.format(plain_number(self.low), plain_number(self.high))
        return f"rewards are independent and {ends}, {COUNTS}"

    @property
    def assumes_of_items(self) -> str:
        """The same where arms met the same items."""
        return f"rewards lie between {plain_number(self.low)} and {plain_number(self.high)}, {ITEMS}"

    def levels(self, size: int) -> Array:
        """Half the range: no law on it has a larger standard deviation."""
        return np.full(size, self.width / 2)

    def deviations(self, counts: Counts) -> Array:
        """Those of the dominating normal law."""
        return normal_factor(counts) * self.width / np.sqrt(counts)

    def factor(self, delta: float) -> float:
        """How many deviations a bound for one mixture subtracts: the expected shortfall of the normal law."""
        return shortfall_factor(delta)

    def key(self, counts: Counts) -> tuple[object, ...]:
        """The range's length and the counts."""
        return "bounded", self.width, counts.tobytes()

    def mixture_bound(self, data: "OfflineData", weights: Array, delta: float) -> float:
        """The better of Hoeffding's inequality and the dominating normal law's shortfall, known before the rewards.

        Rewards of 0 and 1 in the proportions of the log: Clopper and Pearson's bound, by Hoeffding (1956).
        """
        if data.by_item:
            return self._item_bound(data, weights, delta)
        if data.successes is not None and np.allclose(weights, data.counts / data.n_samples, rtol=1e-12, atol=0):
            return float(pooled_proportion_bound(data.successes.sum(), data.n_samples, delta))
        hoeffding = self.width * sqrt(log(1 / delta) / 2 * float((weights**2 / data.counts).sum()))
        return max(super().mixture_bound(data, weights, delta), float(weights @ data.means) - hoeffding, self.low)

    def _item_bound(self, data: "OfflineData", weights: Array, delta: float) -> float:
        """By bets on the mixture's scores, each made on half of the items; where an arm met too few, by Hoeffding."""
        from ..split import Aim, average_splits

        value = float(weights @ data.means)
        try:
            return average_splits(data, Aim(delta, 0, np.zeros(data.n_arms), weights), value)[1]
        except DataError:
            samples = samples_to_split(data)
            shares = np.bincount(samples.items, (weights / data.counts)[samples.arm])
            return max(value - self.width * sqrt(log(1 / delta) / 2 * float(shares @ shares)), self.low)

    def arm_bounds(self, data: "OfflineData", delta: float) -> Array:
        """Clopper and Pearson's bounds for rewards of 0 and 1, otherwise as for a mixture."""
        if data.successes is not None:
            return clopper_pearson(data.successes, data.counts, delta)
        hoeffding = self.width * np.sqrt(log(1 / delta) / (2 * data.counts))
        return np.maximum(np.maximum(super().arm_bounds(data, delta), data.means - hoeffding), self.low)

    def splitter(self, data: "OfflineData", aim: "Aim") -> "Splitter":
        """By successes and trials where rewards are 0 or 1, by samples or items otherwise; judged by bets."""
        from ..split.splitters import split_coins, split_range

        if data.successes is not None:
            return split_coins(data.successes, data.counts, aim)
        return split_range(samples_to_split(data), self.low, self.width, aim)

    def split_factor(self, delta: float, spare: float) -> float:
        """Markov's inequality for an average of e-values."""
        return log(1 / delta)

    def refute(self, rewards: Array, where: Callable[[int], str]) -> None:
        """Raise for a reward outside the range, or between its ends where only they are allowed."""
        wrong = (rewards < self.low) | (rewards > self.high)
        if self.two_valued:
            wrong = (rewards != self.low) & (rewards != self.high)
        bad = np.flatnonzero(wrong)
        if bad.size:
            first, more = int(bad[0]), f", as are {bad.size - 1:,} more" if bad.size > 1 else ""
            what = "neither" if self.two_valued else "outside the stated range from"
            joined = "nor" if self.two_valued else "to"
            value = f"the reward {plain_number(rewards[first])} of {where(first)}"
            raise DataError(f"{value} is {what} {plain_number(self.low)} {joined} {plain_number(self.high)}{more}")

    def refuse_totals(self, means: Array, counts: Counts, squares: Array | None, names: Names) -> None:
        """Raise for a mean outside the range, or a deviation that no rewards in it have; rounding is forgiven."""
        ends = f"from {plain_number(self.low)} to {plain_number(self.high)}"
        slack = 1e-9 * max(abs(self.low), abs(self.high))
        outside = (means < self.low - slack) | (means > self.high + slack)
        refuse_first(outside, means, "mean", f"outside the range {ends}", names)
        if squares is not None:
            most = counts * np.maximum((self.high - means) * (means - self.low), 0)
            bad = np.flatnonzero(squares > 1.05 * most + counts * (0.01 * self.width) ** 2)
            if bad.size:
                arm = arm_label(bad[0], names)
                raise DataError(f"the deviation of {arm} is more than rewards {ends} with its mean can have")

    def doubts(self, data: "OfflineData") -> tuple[str, ...]:
        """None: what contradicts a range is refused."""
        return ()

    def mirrored(self) -> "Bounded":
        """The range mirrored at 0."""
        return replace(self, low=-self.high, high=-self.low)


def range_sigma(low: float, high: float) -> float:
    """Half the range: no reward confined to [low, high] has a larger standard deviation (Section 3.2).

    >>> range_sigma(1, 5)
    2.0
    """
    ends = [_number(end) for end in (low, high)]
    if not (np.isfinite(ends).all() and ends[0] < ends[1]):
        got = [plain_number(end) if end == end else quoted(said) for end, said in zip(ends, (low, high), strict=True)]
        raise TrustError(f"a reward range needs finite LO < HI, got {got[0]} and {got[1]}")
    return (ends[1] - ends[0]) / 2


def _number(end: object) -> float:
    """An end of a range; NaN for what is no number, a text that looks like one included."""
    try:
        return nan if isinstance(end, str | bytes) else float(end)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return nan
