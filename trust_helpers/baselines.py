"""The methods TRUST is compared with: greedy, behaviour cloning and LCB."""

from math import inf, log, sqrt
from typing import Literal

import numpy as np

from .checks import Array, frozen, probability
from .data import OfflineData
from .decision import Decision, single_arm
from .errors import TrustError
from .quantiles import sidak

__all__ = ["behaviour_cloning", "confidence_widths", "greedy", "lcb"]

Width = Literal["exact", "paper"]


def greedy(data: OfflineData) -> Decision:
    """Play the arm with the highest empirical mean (the first of them), with no guarantee.

    >>> greedy(OfflineData([0.4, 0.9], [100, 1], sigma=0.5)).weights.tolist()
    [0.0, 1.0]
    """
    arm = int(np.argmax(data.means))
    return Decision(single_arm(arm, data.n_arms), float(data.means[arm]), -inf, 1.0, "greedy")


def behaviour_cloning(data: OfflineData, delta: float = 0.1, width: Width = "paper") -> Decision:
    r"""Play arms as often as the log did, :math:`w_i=N_i/N`, with a bound for this one mixture (Section 3.4).

    Gaussian noise of known level: the paper's Hoeffding bound, which subtracts
    :math:`\sqrt{2\log(2/\delta)\sum_i w_i^2\sigma_i^2/N_i}`; the paper's :math:`2/\delta`, where the one-sided
    :math:`1/\delta` would do, is kept. Any other law, or ``width="exact"``: the law's own bound for a mixture fixed in
    advance.

    >>> behaviour_cloning(OfflineData([0.4, 0.6], [50, 50], sigma=0.5)).weights.tolist()
    [0.5, 0.5]
    """
    _refuse_width(width)
    delta, weights = probability(delta), frozen(data.counts / data.n_samples)
    estimate = float(weights @ data.means)
    if width == "paper" and data.law.known_level:
        bound = estimate - sqrt(2 * log(2 / delta) * float((weights**2 / data.precision).sum()))
    else:
        bound = data.law.mixture_bound(data, weights, delta)
    return Decision(weights, estimate, bound, 1 - delta, "behaviour cloning")


def confidence_widths(data: OfflineData, delta: float = 0.1) -> Array:
    r"""Half widths valid for all arms at once: :math:`b_i=\sqrt{2\sigma_i^2\log(2d/\delta)/N_i}` of equation (1).

    That is for Gaussian noise of known level; under any other law, what :func:`lcb` subtracts from each mean anyway.

    >>> confidence_widths(OfflineData([0.0, 0.0], [1, 4], sigma=1.0)).round(2).tolist()
    [2.72, 1.36]
    """
    delta = probability(delta)
    if data.law.known_level:
        return np.sqrt(2 * log(2 * data.n_arms / delta) / data.precision)
    return data.means - data.law.arm_bounds(data, sidak(delta, data.n_arms))


def lcb(data: OfflineData, delta: float = 0.1, width: Width = "exact") -> Decision:
    r"""Play the arm with the highest lower confidence bound (equation 3); delta is that of all bounds together.

    ``width`` says what is subtracted from each mean. "exact": the law's one-sided bound at :math:`1-(1-\delta)^{1/d}`
    for each arm (Sidak), the best that independent arms allow. "paper": equation (1), two-sided and sub-Gaussian, for
    which Theorem 3.1 is stated.

    >>> log = OfflineData([0.4, 0.9], [100, 1], sigma=0.5)
    >>> [round(lcb(log, 0.1, width).lower_bound, 3) for width in ("exact", "paper")]
    [0.318, 0.264]
    """
    _refuse_width(width)
    delta = probability(delta)
    if width == "exact":
        each = delta / data.n_arms if data.by_item else sidak(delta, data.n_arms)  # items make arms dependent
        lower = data.law.arm_bounds(data, each)
    else:
        lower = data.means - confidence_widths(data, delta)
    arm = int(np.argmax(lower))
    weights = single_arm(arm, data.n_arms)
    return Decision(weights, float(data.means[arm]), float(lower[arm]), 1 - delta, "LCB")


def _refuse_width(width: object) -> None:
    if width not in ("exact", "paper"):
        raise TrustError(f"width is {width!r}: it must be 'exact' or 'paper'")
