r"""The best mixture in a trust region around any reference policy.

Away from the default reference the support is no longer the top arms, and no single sort answers all radii.
But along the curve :math:`w(t)`, the point of the simplex nearest to :math:`\nu + t\,p\,x` in the norm
weighted by :math:`1/p`, the squared distance to :math:`\nu` is a piecewise linear function of :math:`t^2` that
never falls. Newton's method, kept inside a bracket, lands on the right piece and is then exact.
"""

import numpy as np

from ..checks import Array
from .sorted import nearest_on_face, pull_inside, scaled_gaps, without_dust

__all__ = ["best_weights_around", "suprema_around"]

STEPS = 100  # Newton needs about five; halving alone would need sixty
BLOCK = 1 << 18  # numbers in one block of pairs: several arrays of this size stay in the cache


def best_weights_around(reference: Array, x: Array, precision: Array, radius: float) -> Array:
    """The mixture with the largest ``w @ x`` within ``radius`` of ``reference``.

    >>> best_weights_around(np.array([0.2, 0.8]), np.array([1.0, 0.0]), np.ones(2), 0.1).round(4)
    array([0.2707, 0.7293])
    """
    if radius == 0:
        return reference.copy()
    gaps = scaled_gaps(x)
    weights = nearest_on_face(gaps == 0, reference, precision)
    if ((weights - reference) ** 2 / precision).sum() > radius**2:
        found = _search(reference, gaps[None], precision, np.array([radius]))[0]
        weights = without_dust(found, precision)
    return pull_inside(weights, reference, precision, radius)


def suprema_around(reference: Array, x: Array, precision: Array, radii: Array) -> Array:
    r""":math:`\sup\Delta^\top x` over :math:`\nu+\Delta` in the simplex, :math:`\sum\Delta_i^2/p_i\le\varepsilon^2`.

    For every row of ``x`` and every radius, shape (m, n).

    >>> suprema_around(np.array([0.2, 0.8]), np.array([[1.0, 0.0]]), np.ones(2), np.array([2.0, 0.1, 0.0])).round(4)
    array([[0.8   , 0.0707, 0.    ]])
    """
    gaps = x.max(axis=1, keepdims=True) - x
    power = np.frexp(gaps.max(axis=1, keepdims=True))[1]
    gaps = np.ldexp(gaps, -power)  # no digit changes, and no square leaves the range
    full = gaps @ reference  # at the nearest mixture of the best arms, if the radius reaches it
    found = full[:, None] * (radii > 0)
    beyond = _distance2_of_face(gaps == 0, reference, precision)[:, None] > radii**2
    row, column = np.nonzero(beyond & (radii > 0))
    pairs = max(1, BLOCK // precision.size)
    for k in range(0, row.size, pairs):
        block = gaps[row[k : k + pairs]]
        weights = _search(reference, block, precision, radii[column[k : k + pairs]])
        found[row[k : k + pairs], column[k : k + pairs]] = ((reference - weights) * block).sum(axis=1)
    return np.ldexp(found, power)


def _distance2_of_face(face: np.ndarray, reference: Array, precision: Array) -> Array:
    """How far the nearest mixture of a face's arms is: what the others lose goes to them by precision."""
    lost = (~face) @ reference
    return (~face) @ (reference**2 / precision) + lost**2 / (face @ precision)


def _search(reference: Array, gaps: Array, precision: Array, radius: Array) -> Array:
    """For each row the mixture on the curve towards small gaps that is just a radius away."""
    weights = np.empty_like(gaps)
    low, high = np.zeros(radius.size), np.full(radius.size, np.inf)
    t = radius / np.sqrt((precision * gaps**2).sum(axis=1))
    left = np.arange(radius.size)
    for _ in range(STEPS):
        w = _project(reference - t[left, None] * precision * gaps[left], precision)
        weights[left] = w
        near = ((w - reference) ** 2 / precision).sum(axis=1) < radius[left] ** 2
        low[left], high[left] = np.where(near, t[left], low[left]), np.where(near, high[left], t[left])
        following = _newton(w > 0, reference, gaps[left], precision, radius[left])
        going = np.abs(following - t[left]) > 1e-15 * t[left]
        outside = ~((low[left] < following) & (following < high[left]))
        halved = np.where(np.isfinite(high[left]), (low[left] + high[left]) / 2, 4 * t[left])
        t[left] = np.where(outside, halved, following)
        left = left[going]
        if not left.size:
            break
    return weights


def _newton(active: np.ndarray, reference: Array, gaps: Array, precision: Array, radius: Array) -> Array:
    """The t at which the piece of the curve with this support reaches the radius; infinite if it never does."""
    total, lost = active @ precision, (~active) @ reference
    mean = (active * precision * gaps).sum(axis=1) / total
    slope = (active * precision * (gaps - mean[:, None]) ** 2).sum(axis=1)
    level = radius**2 - lost**2 / total - (~active) @ (reference**2 / precision)
    reached = (slope > 0) & (level > 0)
    return np.where(reached, np.sqrt(np.where(reached, level, 1) / np.where(reached, slope, 1)), np.inf)


def _project(points: Array, precision: Array) -> Array:
    """The nearest points of the simplex in the norm weighted by ``1 / precision``, row by row."""
    ratio = points / precision
    order = np.argsort(-ratio, axis=1)
    level = (np.cumsum(np.take_along_axis(points, order, 1), axis=1) - 1) / np.cumsum(precision[order], axis=1)
    above = np.take_along_axis(ratio, order, 1) > level
    last = above.shape[1] - 1 - above[:, ::-1].argmax(axis=1)
    shift = np.take_along_axis(level, last[:, None], 1)
    weights = np.maximum(points - shift * precision, 0)
    return weights / weights.sum(axis=1, keepdims=True)
