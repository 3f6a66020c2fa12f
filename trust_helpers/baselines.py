"""The methods TRUST is compared with: greedy, behaviour cloning and LCB."""

from math import inf, log, sqrt

import numpy as np

from .checks import Array, frozen, probability
from .data import OfflineData
from .decision import Decision, single_arm

__all__ = ["behaviour_cloning", "confidence_widths", "greedy", "lcb"]


def greedy(data: OfflineData) -> Decision:
    """Play the arm with the highest empirical mean (the first of them), with no guarantee."""
    arm = int(np.argmax(data.means))
    return Decision(single_arm(arm, data.n_arms), float(data.means[arm]), -inf, 1.0, "greedy")


def behaviour_cloning(data: OfflineData, delta: float = 0.1) -> Decision:
    r"""Play arms as often as the log did, :math:`w_i=N_i/N`, with its Hoeffding bound (Section 3.4).

    The bound subtracts :math:`\sqrt{2\log(2/\delta)\sum_i w_i^2\sigma_i^2/N_i}`; the paper's :math:`2/\delta`,
    where the one-sided :math:`1/\delta` would do, is kept.
    """
    weights = frozen(data.counts / data.counts.sum())
    estimate = float(weights @ data.means)
    width = sqrt(2 * log(2 / probability(delta)) * float((weights**2 / data.precision).sum()))
    return Decision(weights, estimate, estimate - width, 1 - delta, "behaviour cloning")


def confidence_widths(data: OfflineData, delta: float = 0.1) -> Array:
    r"""The half widths :math:`b_i=\sqrt{2\sigma_i^2\log(2d/\delta)/N_i}` of equation (1), valid for all arms at
    once.
    """
    return np.sqrt(2 * log(2 * data.n_arms / probability(delta)) / data.precision)


def lcb(data: OfflineData, delta: float = 0.1) -> Decision:
    """Play the arm with the highest lower confidence bound (equation 3); Theorem 3.1 is its guarantee."""
    lower = data.means - confidence_widths(data, delta)
    arm = int(np.argmax(lower))
    weights = single_arm(arm, data.n_arms)
    return Decision(weights, float(data.means[arm]), float(lower[arm]), 1 - delta, "LCB")
