r"""Stein's correction: what the chosen policy will really earn, estimated without bias. Not in the paper.

The empirical value of the best mixture is optimistic. In whitened coordinates the Jacobian of the policy at a radius
fixed in advance is a multiple of a projection of rank k - 2, so for Gaussian noise Stein's identity gives exactly

.. math:: \mathbb E[w^\top\eta]=\mathbb E\Big[\frac{k-2}{Ps}\Big],\qquad
          \operatorname{Var}\Big(w^\top\eta-\frac{k-2}{Ps}\Big)=\mathbb E\Big[\kappa+\frac{k-2}{(Ps)^2}\Big],

with k the support size, P its total precision and :math:`s=m-\lambda=\sqrt{v/(\kappa P-1)}`. The first holds
while the region holds no mixture of two arms, the second while it holds none of three: :func:`stein_radius`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .errors import TrustError
from .region import TrustRegion
from .solvers.sorted import kp_minus_one

__all__ = ["SteinEstimate", "stein_estimate", "stein_radius"]

# Below this many arms the standardised error is visibly not normal in simulation.
NEARLY_NORMAL = 30


@dataclass(frozen=True)
class SteinEstimate:
    r"""A debiased estimate of a policy's true value.

    Attributes
    ----------
    value, standard_error : float
        The estimate ``w @ x - correction`` and its standard error, at a radius fixed in advance.
    correction : float
        The optimism removed, :math:`(k-2)/(Ps)`, with P the total precision of the arms played and s the distance
        from the level :math:`\lambda` below which none is played to their weighted mean.
    support : int
        The number k of arms in the mixture.
    exact : bool
        Whether the radius is within :func:`stein_radius`.

    Examples
    --------
    >>> region = TrustRegion(np.full(50, 4.0))
    >>> estimate = stein_estimate(region, np.linspace(0, 1, 50), 0.05)
    >>> estimate.support, estimate.exact, estimate.nearly_normal
    (44, True, True)
    """

    value: float
    standard_error: float
    correction: float
    support: int
    exact: bool

    @property
    def nearly_normal(self) -> bool:
        """Whether the support is large enough for a normal interval to be trusted."""
        return self.support >= NEARLY_NORMAL


def stein_radius(region: TrustRegion) -> float:
    r"""The largest radius at which Stein's correction and its squared standard error are both free of bias.

    Up to it every mixture plays at least four arms, or three at the very edge: :math:`\kappa=\varepsilon^2+1/S` is at
    most one over the sum of the three largest precisions. It depends on the design alone.

    >>> round(stein_radius(TrustRegion([1.0] * 12)), 4)  # 1/3 - 1/12 is a quarter
    0.5
    """
    three = np.sort(region.precision)[-3:].sum()
    return float(np.sqrt(max(1 / three - 1 / region.precision.sum(), 0.0)))


def stein_estimate(region: TrustRegion, x: ArrayLike, radius: float) -> SteinEstimate | None:
    """What the best mixture of one radius will earn, or None where the correction does not exist.

    The correction does not exist when the region reaches the best arm itself, or where two arms or fewer are played.
    Up to :func:`stein_radius` it is free of bias at a radius fixed in advance. At a radius that was chosen by looking
    at the same rewards it is an estimate with an error bar and not a certificate.

    >>> x = [0.1, 0.5, 0.2, 0.9, 0.4]
    >>> region = TrustRegion([4.0] * 5)
    >>> estimate = stein_estimate(region, x, 0.05)
    >>> optimistic = float(region.policy(x, 0.05) @ x)
    >>> round(optimistic, 3), round(estimate.value, 3), round(estimate.correction, 3)
    (0.482, 0.362, 0.12)
    >>> stein_estimate(region, x, region.largest_radius) is None  # the best arm alone
    True
    """
    if not region.centred:
        raise TrustError("Stein's correction is derived for the default reference policy only")
    rewards = np.asarray(x, dtype=float)
    weights = region.policy(rewards, radius)
    played = weights > 0
    support, total = region.precision[played].sum(), region.precision.sum()
    over = kp_minus_one(support, total, np.float64(radius))
    mean = (region.precision * rewards)[played].sum() / support
    variance = (region.precision * (rewards - mean) ** 2)[played].sum() / support
    size = int(played.sum())
    if size <= 2 or over <= 0 or variance <= 0:
        return None
    scale = support * np.sqrt(variance / over)
    error = np.sqrt(radius**2 + 1 / total + (size - 2) / scale**2)
    correction = (size - 2) / scale
    exact = radius <= stein_radius(region)
    return SteinEstimate(float(weights @ rewards - correction), float(error), float(correction), size, exact)
