r"""The best mixture in a trust region around any reference policy.

Away from the default reference the support is no longer the top arms, and no single sort answers all radii.
But along the curve :math:`w(t)`, the point of the simplex nearest to :math:`\nu + t\,p\,x` in the norm
weighted by :math:`1/p`, the squared distance to :math:`\nu` is a piecewise linear function of :math:`t^2` that
never falls. Newton's method, kept inside a bracket, lands on the right piece and is then exact.
"""

import numpy as np

from ..checks import Array
from .sorted import nearest_on_face, pull_inside, scaled_gaps, without_dust

__all__ = ["best_weights_around"]

STEPS = 100  # Newton needs about five; halving alone would need sixty


def best_weights_around(reference: Array, x: Array, precision: Array, radius: float) -> Array:
    """The mixture with the largest ``w @ x`` within ``radius`` of ``reference``.

    >>> best_weights_around(np.array([0.2, 0.8]), np.array([1.0, 0.0]), np.ones(2), 0.1).round(4)
    array([0.2707, 0.7293])
    """
    if radius == 0:
        return reference.copy()
    x = -scaled_gaps(x)
    weights = nearest_on_face(x == 0, reference, precision)
    if _distance2(weights, reference, precision) > radius**2:
        weights = without_dust(_search(reference, x, precision, radius), precision)
    return pull_inside(weights, reference, precision, radius)


def _search(reference: Array, x: Array, precision: Array, radius: float) -> Array:
    """Find t with ``|w(t) - reference| = radius`` and return w(t)."""
    low, high, t = 0.0, np.inf, radius / np.sqrt((precision * x**2).sum())
    weights = reference
    for _ in range(STEPS):
        weights = _project(reference + t * precision * x, precision)
        excess = _distance2(weights, reference, precision) - radius**2
        low, high = (t, high) if excess < 0 else (low, t)
        following = _newton(weights > 0, reference, x, precision, radius)
        if abs(following - t) <= 1e-15 * t:
            break
        if not low < following < high:
            following = (low + high) / 2 if np.isfinite(high) else 4 * t
        t = following
    return weights


def _newton(active: np.ndarray, reference: Array, x: Array, precision: Array, radius: float) -> float:
    """The t at which the piece of the curve with this support reaches the radius."""
    p = precision[active]
    lost = reference[~active].sum()
    mean = (p * x[active]).sum() / p.sum()
    slope = (p * (x[active] - mean) ** 2).sum()
    level = radius**2 - lost**2 / p.sum() - (reference[~active] ** 2 / precision[~active]).sum()
    return float(np.sqrt(level / slope)) if slope > 0 and level > 0 else np.inf


def _project(point: Array, precision: Array) -> Array:
    """The nearest point of the simplex in the norm weighted by ``1 / precision``."""
    ratio = point / precision
    order = np.argsort(-ratio)
    level = (np.cumsum(point[order]) - 1) / np.cumsum(precision[order])
    size = int(np.flatnonzero(ratio[order] > level)[-1]) + 1
    top = order[:size]
    shift = (point[top].sum() - 1) / precision[top].sum()
    weights = np.zeros_like(point)
    weights[top] = np.maximum(point[top] - shift * precision[top], 0)
    return weights / weights.sum()


def _distance2(weights: Array, reference: Array, precision: Array) -> float:
    return float(((weights - reference) ** 2 / precision).sum())
