"""What a method decides, and what it promises."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .checks import Array, frozen

if TYPE_CHECKING:
    from .band import Band

__all__ = ["Decision", "TrustDecision", "single_arm"]


@dataclass(frozen=True, eq=False)
class Decision:
    r"""A stochastic policy with its estimate and its guarantee.

    Attributes
    ----------
    weights : (d,) array
        The probability of playing each arm.
    estimate : float
        The empirical value :math:`w^\top\hat r`; optimistic for any policy that was chosen by looking at the rewards.
    lower_bound, confidence : float
        The true value is at least ``lower_bound`` with probability at least ``confidence``. A method without a
        guarantee reports minus infinity, which holds with certainty.
    method : str
        Which method decided.
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


@dataclass(frozen=True, eq=False)
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
    """

    radius: float
    objective: Array
    band: "Band"


def single_arm(arm: int, n_arms: int) -> Array:
    """The policy that always plays one arm."""
    return frozen(np.eye(1, n_arms, arm)[0])
