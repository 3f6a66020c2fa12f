"""What a method decides, and what it promises."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from .checks import Array, frozen
from .errors import DataError
from .formatting import percent_sure, rounded_down, rounded_off
from .simulation import seed_number
from .values import Value, axes, make_frame

if TYPE_CHECKING:
    from .band import Band

__all__ = ["Decision", "TrustDecision", "single_arm"]


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Value):
    r"""A stochastic policy with its estimate and its guarantee.

    Attributes
    ----------
    weights : (d,) array
        The probability of playing each arm.
    estimate : float
        The empirical value :math:`w^\top\hat r`; optimistic for any policy that was chosen by looking at the rewards.
    lower_bound, confidence : float
        The true value is at least ``lower_bound`` with probability at least ``confidence``, over logs and over seeds:
        simulated noise and random splits at one seed are constants. A method without a guarantee reports minus
        infinity, which holds with certainty.
    method : str
        Which method decided.

    Examples
    --------
    >>> from trust_helpers import OfflineData, lcb
    >>> decision = lcb(OfflineData([0.1, 0.4, 0.9], [25, 25, 25], 0.5), delta=0.1)
    >>> decision.weights
    array([0., 0., 1.])
    >>> decision
    <Decision: LCB, 1 of 3 arms, estimate 0.9, at least 0.7181 with 90 % confidence>
    >>> decision.sample(0, 3)
    array([2, 2, 2])
    """

    weights: Array
    estimate: float
    lower_bound: float
    confidence: float
    method: str

    @property
    def support(self) -> int:
        """How many arms are played with positive probability."""
        return int(np.count_nonzero(self.weights))

    def sample(self, seed: int | Generator, size: int | tuple[int, ...] | None = None) -> Any:
        """Arms to play, drawn by the weights: the number of one arm, or an array of ``size``.

        ``log.names`` has what they are called.
        """
        rng = seed if isinstance(seed, Generator) else np.random.default_rng(seed_number(seed))
        return rng.choice(self.weights.size, size=size, p=self.weights / self.weights.sum())

    def to_frame(self, names: Sequence[object] | None = None) -> Any:
        """The weight of every arm, as a frame of pandas, or of polars where there is no pandas.

        ``names`` are what the arms are called; DataError unless there is one for each.
        """
        arms = np.arange(self.weights.size) if names is None else list(names)
        if len(arms) != self.weights.size:
            raise DataError(f"names has {len(arms)} entries but there are {self.weights.size} arms")
        return make_frame({"arm": arms, "weight": self.weights})

    def plot(self, ax: Any = None, top: int = 20) -> Any:
        """The largest weights as bars, on matplotlib's axes; it returns them."""
        target, order = axes(ax), np.argsort(-self.weights, kind="stable")[:top]
        target.barh(np.arange(order.size)[::-1], self.weights[order], color="#0072B2")
        target.set_yticks(np.arange(order.size)[::-1], [str(arm) for arm in order])
        target.set(xlabel="weight", ylabel="arm", title=repr(self).strip("<>"))
        return target

    def __repr__(self) -> str:
        worth = "no promise"
        if np.isfinite(self.lower_bound) and self.confidence > 0:
            worth = f"at least {rounded_down(self.lower_bound)} with {percent_sure(self.confidence)} confidence"
        arms = f"{self.support:,} of {self.weights.size:,} arms"
        return f"<{type(self).__name__}: {self.method}, {arms}, estimate {rounded_off(self.estimate)}, {worth}>"


@dataclass(frozen=True, eq=False, repr=False)
class TrustDecision(Decision):
    """TRUST's decision, with how it was reached.

    Attributes
    ----------
    radius : float
        The critical radius.
    objective : (n,) array
        What the critical radius maximises over the band's radii (equation 11): improvement less width.
    band : Band
        The band that was used.

    Examples
    --------
    >>> from trust_helpers import instances, trust
    >>> log = instances.data_starved(200).sample(np.random.default_rng(0))
    >>> decision = trust(log)
    >>> bool(0 < decision.radius < log.region.largest_radius)
    True
    >>> decision.radius == decision.band.radii[np.argmax(decision.objective)]
    np.True_
    """

    radius: float
    objective: Array
    band: "Band"


def single_arm(arm: int, n_arms: int) -> Array:
    """The policy that always plays one arm.

    >>> single_arm(1, 3)
    array([0., 1., 0.])
    """
    return frozen(np.eye(1, n_arms, arm)[0])
