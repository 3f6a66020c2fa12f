r"""Every bound the paper states, as a function named after what it bounds.

Where the printed formula has a slip, the function gives the corrected form and ``printed=True`` gives the paper's, for
comparison; the errata chapter tells them apart with numbers.
"""

from math import e, exp, log, sqrt

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.typing import ArrayLike

from .band import Band
from .checks import Array, probability, radii_grid, simplex_vector, whole_number
from .data import OfflineData
from .errors import TrustError
from .region import TrustRegion

__all__ = [
    "all_arms_sampled",
    "complexity_bound",
    "concentrability",
    "fine_grained_gap",
    "fine_grained_gap_to_best",
    "guaranteed_improvement",
    "hoeffding_width",
    "lcb_gap_to_arm",
    "lcb_gap_to_best",
    "log_plus",
    "minimax_rate",
    "printed_diameter",
    "repair_probability",
    "strong_signal_improvement",
    "suboptimality_gap",
    "trust_rate",
    "two_arm_lower_bound",
    "width_bound",
]


def concentrability(policy: ArrayLike, arm: int) -> float:
    r""":math:`C^*=1/\mu(a)` of Section 3.1 for the given arm.

    >>> concentrability([0.25, 0.75], 0)
    4.0
    """
    return float(1 / simplex_vector(policy, None, "policy")[arm])


def hoeffding_width(sigma: float, samples: int, delta: float) -> float:
    r"""Section 3.4: :math:`\sqrt{2\sigma^2\log(2/\delta)/N}`, the half width for the mean of N samples.

    >>> round(hoeffding_width(0.5, 10_000, 0.1), 4)
    0.0122
    """
    return sqrt(2 * sigma**2 * log(2 / probability(delta)) / whole_number(samples, "samples"))


def lcb_gap_to_arm(data: OfflineData, delta: float) -> Array:
    r"""Theorem 3.1, claim 1: with probability 1 - delta LCB falls short of arm i by at most
    :math:`\sqrt{8\sigma_i^2\log(2d/\delta)/N_i}`, for all arms at once.

    >>> lcb_gap_to_arm(OfflineData([0.0, 0.0], counts=[1, 4], sigma=1.0), 0.1).round(2).tolist()
    [5.43, 2.72]
    """
    return np.sqrt(8 * log(2 * data.n_arms / probability(delta)) / data.precision)


def lcb_gap_to_best(concentrability: float, samples: int, n_arms: int, delta: float, *, printed: bool = False) -> float:
    r"""Theorem 3.1, claim 2 (sigma = 1): with probability 1 - 2 delta LCB falls short of the best arm by at most
    :math:`\sqrt{16\,C^*\log(2d/\delta)/N}`.

    Claim 1 at :math:`N(a^*)\ge N/(2C^*)` gives 16; the paper prints 4. Raises TrustError below the
    :math:`N\ge 8C^*\log(1/\delta)` samples the statement asks for.

    >>> known = 10.0, 1_000, 10, 0.1
    >>> round(lcb_gap_to_best(*known) / lcb_gap_to_best(*known, printed=True), 6)
    2.0
    """
    _need_samples(samples, 8 * concentrability * log(1 / probability(delta)))
    return sqrt((4 if printed else 16) * concentrability / samples * log(2 * n_arms / delta))


def guaranteed_improvement(band: Band, means: ArrayLike) -> float:
    r"""Theorem 5.1, claim 1, as proved: with probability at least :math:`1-\delta-\delta'` TRUST improves on the
    reference by at least
    :math:`\sup_{\varepsilon\le\varepsilon_0,\Delta\in\mathsf C(\varepsilon)}[\Delta^\top r-2\mathcal
    G(\lceil\varepsilon\rceil)]`.

    The paper prints :math:`1-\delta`; its proof bounds one noise term from the wrong side, and the repair costs
    :math:`\delta'` (:func:`repair_probability`). The probability is over the log's noise, for a band that bounds it
    with probability :math:`1-\delta`; for a simulated band it holds on average over the band's draws. The supremum over
    a cell of the grid is at its upper end, so only the grid needs to be searched.

    >>> from trust_helpers import TrustRegion, band_for
    >>> band = band_for(TrustRegion(np.full(20, 100.0)))
    >>> round(guaranteed_improvement(band, np.repeat([1.0, 0.0], 10)), 1)
    0.3
    """
    return float((band.region.suprema(means, band.radii) - 2 * band.widths).max())


def repair_probability(band: Band, means: ArrayLike) -> float:
    r""":math:`\delta'` of Theorem 5.1 as proved: the probability that the noise of one fixed improvement, the
    :math:`\Delta^\circ` at which claim 1 attains its supremum, lies below :math:`-\mathcal G`.

    For Gaussian noise it is :math:`P(Z>\mathcal G(\lceil\varepsilon^\circ\rceil)/\varepsilon^\circ)`, Z standard
    normal. For symmetric noise it is at most :math:`\delta`, because :math:`-\Delta^{\circ\top}\eta` then has the law
    of :math:`\Delta^{\circ\top}\eta`, which the band bounds.

    >>> from trust_helpers import TrustRegion, band_for
    >>> band = band_for(TrustRegion(np.full(20, 100.0)))
    >>> repair_probability(band, np.repeat([1.0, 0.0], 10)) < 0.001
    True
    """
    best = int(np.argmax(band.region.suprema(means, band.radii) - 2 * band.widths))
    length = band.region.norm(band.region.improvement(means, float(band.radii[best])))
    return float(scipy.special.ndtr(-band.widths[best] / length)) if length > 0 else 0.0


def suboptimality_gap(band: Band, policy: ArrayLike) -> float:
    r"""Theorem 5.1, claim 2, as proved: on the event of claim 1, so with probability at least
    :math:`1-\delta-\delta'`, TRUST falls short of every comparator at once by at most
    :math:`2\mathcal G(\lceil\varepsilon\rceil)`, with :math:`\varepsilon` the comparator's distance from the reference.

    Claim 1 is about a supremum that is not random, so once it holds it bounds every comparator.

    >>> from trust_helpers import TrustRegion, band_for
    >>> band = band_for(TrustRegion(np.full(20, 100.0)))
    >>> suboptimality_gap(band, np.full(20, 0.05)) < suboptimality_gap(band, np.eye(20)[0])
    True
    """
    weights = simplex_vector(policy, band.region.n_arms, "policy")
    return float(2 * band.widths[band.at(band.region.norm(weights - band.region.reference))])


def strong_signal_improvement(radius: float, d: int, sigma: float, delta: float, *, printed: bool = False) -> float:
    r"""Proposition A.1: with 2d arms and an unweighted region of Euclidean radius at most :math:`1/\sqrt{2d}`, the true
    improvement is at least :math:`\varepsilon\sqrt{2d}\,[\tfrac12-\sigma(1+\sqrt{8\log(2/\delta)/(2d)})]` with
    probability 1 - delta.

    The paper counts 2d arms and then writes d for their number throughout. In the weighted region of equation (9) with
    one sample per arm the same Euclidean ball has radius :math:`\sigma\varepsilon`.

    >>> round(strong_signal_improvement(0.1, d=50, sigma=0.1, delta=0.1), 3)
    0.351
    """
    arms = whole_number(d, "d") * (1 if printed else 2)
    if not 0 <= radius <= (1 + 1e-12) / sqrt(arms):
        raise TrustError(f"radius is {radius:g}: it must lie between 0 and {1 / sqrt(arms):g}")
    noise = sigma * (1 + sqrt(8 * log(2 / probability(delta)) / arms))
    return radius * sqrt(arms) * (0.5 - noise)


def minimax_rate(concentrability: float, samples: int) -> float:
    r"""Corollary C.2, claim 1: :math:`\sqrt{C^*/N}`, the rate no method can beat by more than a constant.

    >>> minimax_rate(2, 200)
    0.1
    """
    return sqrt(concentrability / samples)


def trust_rate(concentrability: float, samples: int, n_arms: int) -> float:
    r"""Corollary C.2, claim 2: :math:`\sqrt{C^*\log(dN)/N}`, the rate of TRUST on the two-arm instances.

    Their rewards are Bernoulli, where the band is for Gaussian noise; two arms have one direction only, along which
    both are sub-Gaussian, so the rate is the same up to a constant.

    >>> round(trust_rate(2, 200, 2), 3)
    0.245
    """
    return sqrt(concentrability * log(n_arms * samples) / samples)


def two_arm_lower_bound(gap: float, pulls: int) -> float:
    r"""Le Cam's bound behind Corollary C.2 with its constant: on one of the two instances any method loses at least
    :math:`\tfrac14\,g\,e^{-N_2\,\mathrm{KL}}` in expectation, with g the gap and KL the divergence between
    Bernoulli(1/2 + g) and Bernoulli(1/2 - g).

    Between the two instances only the second arm differs, so only its ``pulls`` tell them apart (Bretagnolle and
    Huber).

    >>> two_arm_lower_bound(0.1, pulls=0)
    0.025
    """
    if not 0 <= gap <= 0.25:
        raise TrustError(f"gap is {gap:g}: it must lie in [0, 1/4]")
    divergence = 2 * gap * log((0.5 + gap) / (0.5 - gap))
    return gap / 4 * exp(-whole_number(pulls, "pulls", least=0) * divergence)


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
    farthest = (1 / data.precision - 2 * data.sigma**2 / samples).max()
    return sqrt(farthest + float((data.counts * data.sigma**2).sum()) / samples**2)


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
    mu = simplex_vector(policy, None, "policy")
    c_best, c_min = 1 / mu[best], 1 / mu.min()
    _need_samples(samples, 8 * c_min * log(mu.size / probability(delta)))
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
    mu = simplex_vector(policy, None, "policy")
    return max(0.0, 1 - mu.size * exp(-whole_number(samples, "samples") * mu.min() / 8))


def _need_samples(samples: int, least: float) -> None:
    """TrustError, with the least number that would do, if there are too few samples for a statement."""
    if whole_number(samples, "samples") < least:
        raise TrustError(f"{samples} samples are too few for this statement: it needs {int(np.ceil(least))}")


def _two_stage(radii: Array, n_arms: int, diameter: float, root: int | None = None) -> Array:
    """min of the two stages of Lemma C.5, scaled to a hull of radius ``diameter``."""
    if diameter == 0:
        return np.zeros_like(radii)
    share = np.minimum((radii / diameter) ** 2, 1)
    return np.minimum(radii * sqrt(root or n_arms), 4 * diameter * np.sqrt(log_plus(4 * e * n_arms * share)))
