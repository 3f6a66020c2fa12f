r"""Appendix C: the band, and the distance to the best policy, in closed form.

Where the printed formula has a slip, the function gives the corrected form and ``printed=True`` gives the paper's.
"""

from math import e, exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, finite_vector, probability, radii_grid, simplex_vector, whole_number
from .data import OfflineData
from .errors import TrustError
from .region import TrustRegion

__all__ = [
    "all_arms_sampled",
    "complexity_bound",
    "fine_grained_gap",
    "fine_grained_gap_to_best",
    "log_plus",
    "need_samples",
    "printed_diameter",
    "width_bound",
]


def log_plus(values: ArrayLike) -> Array:
    r""":math:`\log_+(a)=\max(1,\log a)` of Theorem C.1, with :math:`\log_+(0)=1`.

    >>> log_plus([0.0, e**3]).tolist()
    [1.0, 3.0]
    """
    return np.log(np.maximum(values, e))


def width_bound(region: TrustRegion, radii: ArrayLike) -> Array:
    r"""Lemma C.5 (Bellec) for the trust region: the localised Gaussian width is at most
    :math:`\min\{\varepsilon\sqrt d,\ 4D\sqrt{\log_+(4ed(\varepsilon^2/D^2\wedge1))}\}` with :math:`D=\varepsilon_0`.

    >>> width_bound(TrustRegion(np.ones(100)), 0.01).round(3).tolist()
    [0.1]
    """
    return _two_stage(radii_grid(radii), region.n_arms, region.largest_radius)


def complexity_bound(region: TrustRegion, radii: ArrayLike, delta: float, size: int) -> Array:
    r"""Lemma C.3: an analytic upper bound on :math:`\mathcal G(\varepsilon)` for a grid of ``size`` radii,
    :func:`width_bound` plus :math:`\sqrt{2\varepsilon^2\log(2|E|/\delta)}`.

    >>> complexity_bound(TrustRegion(np.ones(100)), 0.01, delta=0.1, size=40).round(3).tolist()
    [0.137]
    """
    grid = radii_grid(radii)
    return width_bound(region, grid) + grid * sqrt(2 * log(2 * whole_number(size, "size") / probability(delta)))


def printed_diameter(data: OfflineData) -> float:
    r"""D as printed in Theorem C.1, :math:`\sqrt{\max_i[\sigma_i^2/N_i-2\sigma_i^2/N]+\sum_jN_j\sigma_j^2/N^2}`.

    It is the distance from :math:`N_i/N` to the farthest vertex, which is :math:`\varepsilon_0` only when sigma is
    constant.

    >>> log = OfflineData([0.0, 0.0], counts=[1, 1], sigma=[10.0, 0.1])
    >>> round(printed_diameter(log), 3), round(log.region.largest_radius, 3)
    (5.0, 10.0)
    """
    samples = data.n_samples
    spread = (1 / data.precision - 2 * data.sigma**2 / samples).max()
    return sqrt(spread + float((data.counts * data.sigma**2).sum()) / samples**2)


def fine_grained_gap(
    region: TrustRegion, radii: ArrayLike, delta: float, policy: ArrayLike, *, printed: bool = False
) -> float:
    r"""Theorem C.1, claim 1: an analytic bound on how far TRUST falls short of every comparator policy at once.

    It holds on the event of Theorem 5.1, claim 2, for the band of Lemma C.3: with probability at least
    :math:`1-\delta-\delta'`. With :math:`\varepsilon` the comparator's distance from the reference and :math:`\alpha`
    the grid's decay, it is twice Lemma C.3 at :math:`\max(\alpha\varepsilon,\min E)\ge\lceil\varepsilon\rceil`. The
    paper writes :math:`\alpha\varepsilon^2` for :math:`\alpha^2\varepsilon^2` and drops the d under the first root.

    >>> region = TrustRegion(np.ones(100))
    >>> known = region, region.radii(), 0.1, np.eye(100)[0]
    >>> fine_grained_gap(*known, printed=True) < fine_grained_gap(*known)
    True
    """
    grid = radii_grid(radii)
    weights = simplex_vector(policy, region.n_arms, "policy")
    decay = grid[0] / grid[1] if grid.size > 1 else 1.0
    eps = region.norm(weights - region.reference)
    if printed:
        reach = sqrt(decay) * eps
        width = _two_stage(np.array([reach]), region.n_arms, region.largest_radius, root=1)
        return float(2 * width[0] + 2 * reach * sqrt(2 * log(2 * grid.size / probability(delta))))
    reach = max(decay * eps, float(grid[-1]))
    return float(2 * complexity_bound(region, reach, delta, grid.size)[0])


def fine_grained_gap_to_best(
    policy: ArrayLike, best: int, samples: int, size: int, delta: float, decay: float = 1.2, *, printed: bool = False
) -> float:
    r"""Theorem C.1, claim 2 (sigma = 1), with its constants: with probability at least :math:`1-2\delta-\delta'`
    TRUST falls short of the best arm by at most
    :math:`8\sqrt{\tfrac{2C_{\min}}{N}\log_+\tfrac{4e\alpha^2dC^*}{C_{\min}}}+4\alpha\sqrt{\tfrac{C^*}{N}\log\tfrac{2|E|}\delta}`.

    Arms are drawn from ``policy``, noise is Gaussian, and the grid reaches far enough in for the best arm:
    :math:`\alpha\varepsilon\ge\min E` with :math:`\varepsilon` its distance from the reference. One :math:`\delta` is
    for arms that are drawn too rarely, the other and :math:`\delta'` are those of Theorem 5.1, claim 2.

    The paper's last display loses a factor of two in the first term and takes :math:`\alpha` for :math:`\alpha^2`.
    Raises TrustError below the :math:`N\ge8C_{\min}\log(d/\delta)` samples the statement asks for.

    >>> even = np.full(10, 0.1)
    >>> round(fine_grained_gap_to_best(even, best=0, samples=5_000, size=40, delta=0.1), 2)
    1.69
    """
    mu = finite_vector(policy, "policy")
    mu = simplex_vector(mu, mu.size, "policy")
    c_best, c_min = 1 / mu[best], 1 / mu.min()
    need_samples(samples, 8 * c_min * log(mu.size / probability(delta)))
    alpha2 = decay if printed else decay**2
    outside = 4 if printed else 8
    first = outside * sqrt(2 * c_min / samples * float(log_plus(4 * e * alpha2 * mu.size * c_best / c_min)))
    return first + 4 * sqrt(alpha2 * c_best / samples * log(2 * size / delta))


def all_arms_sampled(policy: ArrayLike, samples: int) -> float:
    r"""Lemma C.7: a lower bound on the probability that every arm gets at least half of its expected pulls,
    :math:`P(N_i\ge\tfrac12N\mu_i\ \forall i)\ge 1-d\,e^{-N\min_j\mu_j/8}`; the printed inequality points the other
    way.

    >>> round(all_arms_sampled([0.5, 0.5], 100), 4)
    0.9961
    """
    mu = finite_vector(policy, "policy")
    mu = simplex_vector(mu, mu.size, "policy")
    return max(0.0, 1 - mu.size * exp(-whole_number(samples, "samples") * mu.min() / 8))


def need_samples(samples: int, least: float) -> None:
    """TrustError, with the least number that would do, if there are too few samples for a statement.

    >>> need_samples(13, 12.3)
    >>> need_samples(12, 12.3)
    Traceback (most recent call last):
    trust_helpers.errors.TrustError: 12 samples are too few for this statement: it needs 13
    """
    if whole_number(samples, "samples") < least:
        raise TrustError(f"{samples} samples are too few for this statement: it needs {int(np.ceil(least))}")


def _two_stage(radii: Array, n_arms: int, diameter: float, root: int | None = None) -> Array:
    """min of the two stages of Lemma C.5, scaled to a hull of radius ``diameter``."""
    if diameter == 0:
        return np.zeros_like(radii)
    share = np.minimum((radii / diameter) ** 2, 1)
    return np.minimum(radii * sqrt(root or n_arms), 4 * diameter * np.sqrt(log_plus(4 * e * n_arms * share)))
