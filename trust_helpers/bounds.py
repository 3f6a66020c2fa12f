r"""Every bound the paper states, as a function named after what it bounds.

Where the printed formula has a slip, the function gives the corrected form and ``printed=True`` gives the paper's, for
comparison; the errata chapter tells them apart with numbers.
"""

from math import e, exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from .band import Band
from .checks import Array, finite_vector, probability, radii_grid, simplex_vector, whole_number
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
    "minimax_rate",
    "printed_diameter",
    "repair_probability",
    "strong_signal_improvement",
    "suboptimality_gap",
    "trust_rate",
    "two_arm_lower_bound",
    "width_bound",
]


def log_plus(values: ArrayLike) -> Array:
    r""":math:`\log_+(a)=\max(1,\log a)`, with :math:`\log_+(0)=1`."""
    return np.log(np.maximum(values, e))


def concentrability(policy: ArrayLike, arm: int) -> float:
    r""":math:`C^*=1/\mu(a)` of Section 3.1 for the given arm."""
    mu = finite_vector(policy, "policy")
    return float(1 / simplex_vector(mu, mu.size, "policy")[arm])


def hoeffding_width(sigma: float, samples: int, delta: float) -> float:
    r"""Section 3.4: :math:`\sqrt{2\sigma^2\log(2/\delta)/N}`, the half width for the mean of N samples."""
    return sqrt(2 * sigma**2 * log(2 / probability(delta)) / whole_number(samples, "samples"))


def lcb_gap_to_arm(data: OfflineData, delta: float) -> Array:
    r"""Theorem 3.1, claim 1: with probability 1 - delta LCB falls short of arm i by at most
    :math:`\sqrt{8\sigma_i^2\log(2d/\delta)/N_i}`, for all arms at once."""
    return np.sqrt(8 * log(2 * data.n_arms / probability(delta)) / data.precision)


def lcb_gap_to_best(concentrability: float, samples: int, n_arms: int, delta: float, *, printed: bool = False) -> float:
    r"""Theorem 3.1, claim 2 (sigma = 1): with probability 1 - 2 delta LCB falls short of the best arm by at most
    :math:`\sqrt{16\,C^*\log(2d/\delta)/N}`.

    Claim 1 at :math:`N(a^*)\ge N/(2C^*)` gives 16; the paper prints 4. Raises TrustError below the
    :math:`N\ge 8C^*\log(1/\delta)` samples the statement asks for.
    """
    _need_samples(samples, 8 * concentrability * log(1 / probability(delta)))
    return sqrt((4 if printed else 16) * concentrability / samples * log(2 * n_arms / delta))


def all_arms_sampled(policy: ArrayLike, samples: int) -> float:
    r"""Lemma C.7: a lower bound on the probability that every arm gets at least half of its expected pulls,
    :math:`P(N_i\ge\tfrac12N\mu_i\ \forall i)\ge 1-d\,e^{-N\min_j\mu_j/8}`; the printed inequality points the other
    way.
    """
    mu = finite_vector(policy, "policy")
    mu = simplex_vector(mu, mu.size, "policy")
    return max(0.0, 1 - mu.size * exp(-whole_number(samples, "samples") * mu.min() / 8))


def guaranteed_improvement(band: Band, means: ArrayLike) -> float:
    r"""Theorem 5.1, claim 1: with probability :math:`1-\delta-\delta'` TRUST improves on the reference by at least
    :math:`\sup_{\varepsilon\le\varepsilon_0,\Delta\in\mathsf C(\varepsilon)}[\Delta^\top r-2\mathcal
    G(\lceil\varepsilon\rceil)]`.

    The supremum over a cell of the grid is at its upper end, so only the grid needs to be searched. The paper prints
    :math:`\delta'=0`, but its proof bounds one noise term from the wrong side: see :func:`repair_probability`.
    """
    return float((band.region.suprema(means, band.radii) - 2 * band.widths).max())


def suboptimality_gap(band: Band, policy: ArrayLike) -> float:
    r"""Theorem 5.1, claim 2: with probability :math:`1-\delta-\delta'` TRUST falls short of every comparator at once,
    with :math:`\varepsilon` its distance from the reference, by at most :math:`2\mathcal G(\lceil\varepsilon\rceil)`.

    The event is that of :func:`guaranteed_improvement`.
    """
    weights = simplex_vector(policy, band.region.n_arms, "policy")
    return float(2 * band.widths[band.at(band.region.norm(weights - band.region.reference))])


def repair_probability(band: Band, means: ArrayLike) -> float:
    r"""The :math:`\delta'` of Theorem 5.1, claims 1 and 2, for Gaussian noise and a given band.

    The chance that the noise of the one improvement :math:`\Delta^\circ` at which claim 1 attains its supremum lies
    below :math:`-\mathcal G(\lceil\varepsilon^\circ\rceil)`. By symmetry it is at most the chance that the noise
    exceeds the band.

    >>> from trust_helpers import TrustRegion, band_for
    >>> band = band_for(TrustRegion([1.0] * 20), 0.1)
    >>> repair_probability(band, [4.0] * 10 + [0.0] * 10) < 0.01
    True
    """
    best = int((band.region.suprema(means, band.radii) - 2 * band.widths).argmax())
    length = band.region.norm(band.region.improvement(means, float(band.radii[best])))
    return float(ndtr(-band.widths[best] / length)) if length > 0 else 0.0


def width_bound(region: TrustRegion, radii: ArrayLike) -> Array:
    r"""Lemma C.5 (Bellec) for the trust region: the localised Gaussian width is at most
    :math:`\min\{\varepsilon\sqrt d,\ 4D\sqrt{\log_+(4ed(\varepsilon^2/D^2\wedge1))}\}` with :math:`D=\varepsilon_0`."""
    return _two_stage(radii_grid(radii), region.n_arms, region.largest_radius)


def complexity_bound(region: TrustRegion, radii: ArrayLike, delta: float, size: int) -> Array:
    r"""Lemma C.3: an analytic upper bound on :math:`\mathcal G(\varepsilon)` for a grid of ``size`` radii,
    :func:`width_bound` plus :math:`\sqrt{2\varepsilon^2\log(2|E|/\delta)}`."""
    grid = radii_grid(radii)
    return width_bound(region, grid) + grid * sqrt(2 * log(2 * whole_number(size, "size") / probability(delta)))


def printed_diameter(data: OfflineData) -> float:
    r"""D as printed in Theorem C.1, :math:`\sqrt{\max_i[\sigma_i^2/N_i-2\sigma_i^2/N]+\sum_jN_j\sigma_j^2/N^2}`.

    It is the distance from :math:`N_i/N` to the farthest vertex, which is :math:`\varepsilon_0` only when sigma is
    constant.
    """
    samples = data.n_samples
    spread = (1 / data.precision - 2 * data.sigma**2 / samples).max()
    return sqrt(spread + float((data.counts * data.sigma**2).sum()) / samples**2)


def fine_grained_gap(
    region: TrustRegion, radii: ArrayLike, delta: float, policy: ArrayLike, *, printed: bool = False
) -> float:
    r"""Theorem C.1, claim 1: an analytic bound on how far TRUST falls short of a comparator policy, with the
    probability of :func:`suboptimality_gap`.

    With :math:`\varepsilon` the comparator's distance from the reference and :math:`\alpha` the grid's decay, twice
    Lemma C.3 at :math:`\max(\alpha\varepsilon,\min E)\ge\lceil\varepsilon\rceil`. The paper writes
    :math:`\alpha\varepsilon^2` for :math:`\alpha^2\varepsilon^2` and drops the d under the first root.
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
    r"""Theorem C.1, claim 2 (sigma = 1), with its constants: with probability :math:`1-2\delta-\delta'` TRUST falls
    short of the best arm, if :math:`\alpha\varepsilon\ge\min E` at its distance :math:`\varepsilon` from the reference,
    by at most
    :math:`8\sqrt{\tfrac{2C_{\min}}{N}\log_+\tfrac{4e\alpha^2dC^*}{C_{\min}}}+4\alpha\sqrt{\tfrac{C^*}{N}\log\tfrac{2|E|}\delta}`.

    The paper's last display loses a factor of two in the first term and takes :math:`\alpha` for :math:`\alpha^2`.
    Raises TrustError below the :math:`N\ge8C_{\min}\log(d/\delta)` samples the statement asks for.
    """
    mu = finite_vector(policy, "policy")
    mu = simplex_vector(mu, mu.size, "policy")
    c_best, c_min = 1 / mu[best], 1 / mu.min()
    _need_samples(samples, 8 * c_min * log(mu.size / probability(delta)))
    alpha2 = decay if printed else decay**2
    outside = 4 if printed else 8
    first = outside * sqrt(2 * c_min / samples * float(log_plus(4 * e * alpha2 * mu.size * c_best / c_min)))
    return first + 4 * sqrt(alpha2 * c_best / samples * log(2 * size / delta))


def strong_signal_improvement(radius: float, d: int, sigma: float, delta: float, *, printed: bool = False) -> float:
    r"""Proposition A.1: with 2d arms and an unweighted region of Euclidean radius at most :math:`1/\sqrt{2d}`, the true
    improvement is at least :math:`\varepsilon\sqrt{2d}\,[\tfrac12-\sigma(1+\sqrt{8\log(2/\delta)/(2d)})]` with
    probability 1 - delta.

    The paper counts 2d arms and then writes d for their number throughout. In the weighted region of equation (9) with
    one sample per arm the same Euclidean ball has radius :math:`\sigma\varepsilon`.
    """
    arms = whole_number(d, "d") * (1 if printed else 2)
    if not 0 <= radius <= (1 + 1e-12) / sqrt(arms):
        raise TrustError(f"radius is {radius:g}: it must lie between 0 and {1 / sqrt(arms):g}")
    noise = sigma * (1 + sqrt(8 * log(2 / probability(delta)) / arms))
    return radius * sqrt(arms) * (0.5 - noise)


def minimax_rate(concentrability: float, samples: int) -> float:
    r"""Corollary C.2, claim 1: :math:`\sqrt{C^*/N}`, the rate no method can beat by more than a constant."""
    return sqrt(concentrability / samples)


def trust_rate(concentrability: float, samples: int, n_arms: int) -> float:
    r"""Corollary C.2, claim 2: :math:`\sqrt{C^*\log(dN)/N}`, the rate of TRUST on the two-arm instances."""
    return sqrt(concentrability * log(n_arms * samples) / samples)


def two_arm_lower_bound(gap: float, pulls: int) -> float:
    r"""Le Cam's bound behind Corollary C.2 with its constant: on one of the two instances any method loses at least
    :math:`\tfrac14\,g\,e^{-N_2\,\mathrm{KL}}` in expectation, with g the gap and KL between Bernoulli(1/2 + g) and
    Bernoulli(1/2 - g).

    Between the two instances only the second arm differs, so only its ``pulls`` tell them apart (Bretagnolle and
    Huber).
    """
    if not 0 <= gap <= 0.25:
        raise TrustError(f"gap is {gap:g}: it must lie in [0, 1/4]")
    divergence = 2 * gap * log((0.5 + gap) / (0.5 - gap))
    return gap / 4 * exp(-whole_number(pulls, "pulls", least=0) * divergence)


def _two_stage(radii: Array, n_arms: int, diameter: float, root: int | None = None) -> Array:
    """min of the two stages of Lemma C.5, scaled to a hull of radius ``diameter``."""
    if diameter == 0:
        return np.zeros_like(radii)
    share = np.minimum((radii / diameter) ** 2, 1)
    return np.minimum(radii * sqrt(root or n_arms), 4 * diameter * np.sqrt(log_plus(4 * e * n_arms * share)))


def _need_samples(samples: int, least: float) -> None:
    if whole_number(samples, "samples") < least:
        raise TrustError(f"{samples} samples are too few for this statement: it needs {int(np.ceil(least))}")
