r"""The best mixture in a trust region, exactly, for every radius from one sort.

With precisions :math:`p_i`, :math:`S=\sum_i p_i` and :math:`\kappa=\varepsilon^2+1/S` the program

.. math:: \max_w\; w^\top x,\quad \sum_i w_i^2/p_i \le \kappa,

over mixtures :math:`w` has the solution :math:`w_i \propto p_i (x_i-\lambda)_+`: its support is always the top
:math:`k` arms. With :math:`P, m, v` their total precision, weighted mean and weighted variance,
:math:`\lambda = m-\sqrt{v/(\kappa P-1)}` and :math:`w^\top x = m+\sqrt{v(\kappa P-1)}`.

Arm :math:`k+1` is played while :math:`\kappa` is below the threshold :math:`f_k` of chapter 3. The thresholds depend on
no radius and never increase with :math:`k`, so :math:`k` is a search in cumulative sums. Everything here works on
*gaps* ``y = max(x) - x``, sorted ascending: shifting by the maximum makes the terms of arms tied at the top exactly
zero.

The cumulative sums are kept only at the ends of blocks of arms; the search finds the block, then the arm
inside it. That touches each sorted number twice instead of the six times that full cumulative sums need.
"""

from collections.abc import Callable
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import Array

__all__ = ["best_weights", "suprema_of_sorted"]

# A group of rows this large (in numbers) stays in a core's own cache through all the passes over it.
GROUP = 1 << 16
# Numbers in one product of the linear algebra library: it begins to use threads at 9,216.
PRODUCT = 1 << 13
DUST = 1e-12  # of the largest
TIE = 1e-290  # gaps whose square is no more are ties: below, squares lose their digits, and then are nothing


def best_weights(x: Array, precision: Array, radius: float) -> Array:
    """The mixture with the largest ``w @ x`` in the trust region of one radius.

    The support starts as all arms and sheds those at or below lambda until none is left to shed. Each lambda
    is a lower bound of the true one, so no arm of the true support is ever lost.

    >>> best_weights(np.array([1.0, 0.0]), np.ones(2), 0.1).round(4)
    array([0.5707, 0.4293])
    """
    if radius == 0:
        return precision / precision.sum()
    gaps = scaled_gaps(x)
    weights = np.where(gaps == 0, precision, 0.0)
    if kp_minus_one(weights.sum(), precision.sum(), radius) < 0:
        mixture = precision * np.maximum(_water_gap(gaps, precision, radius) - gaps, 0)
        weights = mixture if mixture.any() else weights
    weights = without_dust(weights / weights.sum(), precision)
    return pull_inside(weights, precision / precision.sum(), precision, radius)


def scaled_gaps(x: Array) -> Array:
    """``max(x) - x`` in units of a power of two near the largest: no digit changes, and no square leaves the range.

    >>> scaled_gaps(np.array([1.0, 5.0, 3.0]))
    array([0.5 , 0.  , 0.25])
    """
    gaps = x.max() - x
    return np.ldexp(gaps, -np.frexp(gaps.max())[1])


def _water_gap(gaps: Array, precision: Array, radius: float) -> float:
    """max(x) - lambda, with a radius too small to hold the best arm alone."""
    total = precision.sum()
    active = np.ones(gaps.size, dtype=bool)
    while True:
        y, p = gaps[active], precision[active]
        mean = (p * y).sum() / p.sum()
        variance = (p * (y - mean) ** 2).sum() / p.sum()
        over = kp_minus_one(p.sum(), total, radius)
        level = mean + np.sqrt(variance / over) if over > 0 else 0.0
        fewer = gaps < level
        if fewer.sum() >= active.sum() or not fewer.any():
            return float(level)
        active = fewer


def kp_minus_one(support: Any, total: Any, radius: Any) -> Any:
    r""":math:`\kappa P - 1`, written so that it does not cancel when the radius is small.

    >>> kp_minus_one(support=2.0, total=4.0, radius=1.0)
    1.5
    """
    return radius**2 * support - (total - support) / total


def nearest_on_face(face: NDArray[np.bool_], reference: Array, precision: Array) -> Array:
    """The distribution supported on ``face`` that is nearest to the reference.

    >>> nearest_on_face(np.array([True, True, False]), np.full(3, 1 / 3), np.ones(3))
    array([0.5, 0.5, 0. ])
    """
    missing = max(1 - reference[face].sum(), 0.0)
    return np.where(face, reference + precision * (missing / precision[face].sum()), 0.0)


def without_dust(weights: Array, precision: Array) -> Array:
    """The distribution without weights that only rounding made, where a radius just holds a face of the simplex.

    Dust is tiny both as a share and per precision: an arm that was hardly ever tried rightly has a tiny share.

    >>> without_dust(np.array([1e-16, 1.0]), np.ones(2)), without_dust(np.array([1e-16, 1.0]), np.array([1e-16, 1.0]))
    (array([0., 1.]), array([1.e-16, 1.e+00]))
    """
    height = weights / precision
    dust = (weights > 0) & (weights < DUST * weights.max()) & (height < DUST * height.max())
    if not dust.any():
        return weights
    kept = np.where(dust, 0.0, weights)
    return kept / kept.sum()


def pull_inside(weights: Array, reference: Array, precision: Array, radius: float) -> Array:
    """Undo rounding that left the weights outside the ball, without giving weight to arms that have none.

    >>> pull_inside(np.array([1.0, 0.0]), np.full(2, 0.5), np.ones(2), 2**-0.5)
    array([1., 0.])
    >>> pull_inside(np.array([0.8, 0.2]), np.full(2, 0.5), np.ones(2), 0.1).round(4)
    array([0.5707, 0.4293])
    """
    if ((weights - reference) ** 2 / precision).sum() <= radius**2:
        return weights
    centre = nearest_on_face(weights > 0, reference, precision)
    over = radius**2 - ((centre - reference) ** 2 / precision).sum()
    length = ((weights - centre) ** 2 / precision).sum()  # at right angles to centre - reference
    shrink = np.sqrt(min(max(over, 0.0) / length, 1.0)) if length > 0 else 0.0
    return centre + (weights - centre) * shrink


def suprema_of_sorted(
    gaps: Array, precision: Array | None, radii: Array, fill: Callable[[slice], None] | None = None
) -> tuple[Array, Array]:
    r"""Suprema of :math:`\Delta^\top x` for every row and radius, and every row's reference gap.

    Parameters
    ----------
    gaps : (m, d) array
        ``max(x) - x`` of each row, ascending.
    precision : (m, d) array or None
        Precisions in the order of the gaps; None when all are one.
    radii : (n,) array
        Radii, in any order.
    fill : callable, optional
        Called with each slice of rows just before they are read, to put the gaps and precisions there: what was written
        a moment ago is still near the core.

    Returns
    -------
    (m, n) array, (m,) array
        The suprema, and ``max(x) - mu @ x``.

    Examples
    --------
    >>> suprema, below = suprema_of_sorted(np.array([[0.0, 1.0]]), None, np.array([1.0, 0.1]))
    >>> suprema.round(4), below
    (array([[0.5   , 0.0707]]), array([0.5]))
    """
    rows, arms = gaps.shape
    block = 8 * max(1, round(isqrt(arms) / 64))
    sums = np.zeros((3, rows, -(-arms // block) + 1))
    scratch = np.empty((min(rows, max(1, GROUP // arms)), arms))
    for top in range(0, rows, len(scratch)):
        part = slice(top, min(top + len(scratch), rows))
        if fill is not None:
            fill(part)
        _block_sums(gaps[part], None if precision is None else precision[part], block, sums[:, part], scratch)
    total = sums[0, :, -1:]
    reference_gap = sums[1, :, -1:] / total
    size, support, first, second = _sums_at_support(gaps, precision, sums, block, radii**2 + 1 / total)
    support = np.where(size == arms, total, support)  # the two sums differ by rounding
    mean = first / support
    variance = np.maximum(second / support - mean**2, 0)
    over = np.maximum(kp_minus_one(support, total, radii), 0)
    suprema = np.where(radii > 0, reference_gap - mean + np.sqrt(variance * over), 0.0)
    return suprema, reference_gap[:, 0]


def _block_sums(gaps: Array, precision: Array | None, block: int, out: Array, scratch: Array) -> None:
    """Sums of p, p y and p y^2 over all arms before each block, and over all arms."""
    product = scratch[: len(gaps)]
    if precision is None:
        out[0, :, 1:] = np.minimum(np.arange(block, gaps.shape[1] + block, block), gaps.shape[1])
        _accumulate(gaps, block, out[1])
        np.multiply(gaps, gaps, out=product)
    else:
        _accumulate(precision, block, out[0])
        np.multiply(precision, gaps, out=product)
        _accumulate(product, block, out[1])
        np.multiply(product, gaps, out=product)
    _accumulate(product, block, out[2])


def _accumulate(values: Array, block: int, out: Array) -> None:
    """Running sums of the blocks of each row, after the zero that ``out`` begins with.

    A product with ones adds up a block four times faster than ``np.add.reduceat``. The products are kept so small that
    the linear algebra library uses no threads of its own for them, and the sums do not depend on how many it has.
    """
    rows, arms = values.shape
    whole, step = arms // block, max(1, PRODUCT // block)
    blocks, ones = values[:, : whole * block].reshape(rows, whole, block), np.ones(block)
    for start in range(0, whole, step):
        part = slice(start, min(start + step, whole))
        np.matmul(blocks[:, part], ones, out=out[:, 1 + part.start : 1 + part.stop])
    if whole * block < arms:
        out[:, -1] = values[:, whole * block :].sum(axis=1)
    np.cumsum(out, axis=1, out=out)


def _entry_level(y: Array, zeroth: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Numerator and root of the denominator of f_k, with ``y`` the gap of arm k + 1."""
    root = y * zeroth
    root -= first
    numerator = root - first
    numerator *= y
    numerator += second
    return numerator, root


def _sums_at_support(
    gaps: Array, precision: Array | None, sums: Array, block: int, kappa: Array
) -> tuple[NDArray[np.intp], Array, Array, Array]:
    """Size of the support that each row and kappa calls for, and sums of p, p y and p y^2 over it."""
    arms = gaps.shape[1]
    numerator, root = _entry_level(gaps[:, ::block], *sums[:, :, :-1])
    level, square = np.full_like(root, np.inf), root**2
    np.divide(numerator, square, out=level, where=square > TIE)
    at = _count_above(level, kappa) - 1
    row = np.arange(len(gaps))[:, None]
    step = np.arange(block)[:, None, None]  # the first axis, so that running sums add whole rows of memory
    inside = np.minimum(at * block + step, arms - 1) + row * arms
    y = gaps.ravel().take(inside)
    if precision is None:
        running = np.array([at * block + (step + 1.0), y, y * y])
    else:
        p = precision.ravel().take(inside)
        running = np.array([p, p * y, p * y * y])
    summed = running if precision is not None else running[1:]  # ones need no summing
    summed[:, 0] += sums[-len(summed) :].reshape(len(summed), -1).take(row * sums.shape[2] + at, axis=1)
    for j in range(1, block):  # several times faster than cumsum along that axis
        summed[:, j] += summed[:, j - 1]
    numerator, root = _entry_level(y[1:], *running[:, :-1])
    square = root**2
    more = ((numerator > kappa * square) | (square <= TIE)).sum(axis=0)
    more = np.minimum(more, arms - 1 - at * block)
    zeroth, first, second = running.reshape(3, -1).take(more * at.size + np.arange(at.size).reshape(at.shape), axis=1)
    return at * block + more + 1, zeroth, first, second


def _count_above(levels: Array, threshold: Array) -> NDArray[np.intp]:
    """For non-increasing rows of ``levels``, how many exceed each threshold of the row."""
    rows, size = levels.shape
    width = 1 << size.bit_length()
    padded = np.full((rows, width), -np.inf)
    padded[:, :size] = levels
    start = np.arange(rows)[:, None] * width
    position = np.repeat(start, threshold.shape[1], axis=1)
    step = width // 2
    while step:
        position += step * (padded.ravel().take(position + (step - 1)) > threshold)
        step //= 2
    return position - start
