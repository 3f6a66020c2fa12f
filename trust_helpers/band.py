r"""The localised Gaussian complexity: bands that bound the noise in every trust region at once.

A band holds :math:`\mathcal G(\varepsilon)` of Definition 4.2 on a grid of radii. It depends on the design (counts and
noise levels) and never on the rewards, so one band serves every reward vector of its design.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from math import ceil, log, log1p, sqrt
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from scipy import stats

from .checks import Array, frozen, probability, radii_grid, whole_number
from .errors import NotEnoughDraws, TrustError
from .region import TrustRegion
from .simulate import noise_suprema, seed_number

__all__ = [
    "Band",
    "calibrated_band",
    "draws_for",
    "gaussian_width",
    "least_draws",
    "order_statistic",
    "paper_band",
]

PILOT_DRAWS = 512


@dataclass(frozen=True, eq=False)
class Band:
    r"""Upper bounds on the noise over a grid of trust regions.

    Attributes
    ----------
    region : TrustRegion
        The design the band was computed for.
    radii : (n,) array
        The grid E, largest first.
    widths : (n,) array
        With probability at least 1 - delta, :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta` is at
        most this, for all radii at once. This chooses the critical radius.
    value_widths : (n,) array
        Bounds :math:`\hat\mu^\top\eta+\sup_\Delta\Delta^\top\eta` for all radii at once: what a lower bound on a
        policy's value subtracts. Holds with probability ``confidence``.
    confidence : float
        1 - 2 delta for the paper's band (Theorem 5.1, claim 3), 1 - delta for the calibrated one.
    delta, draws, seed, method
        What it was computed with.
    """

    region: TrustRegion
    radii: Array
    widths: Array
    value_widths: Array
    delta: float
    confidence: float
    draws: int
    seed: int
    method: Literal["paper", "calibrated"]

    def at(self, radius: float) -> int:
        r"""The index of :math:`\lceil\varepsilon\rceil`, the smallest radius of the grid at least ``radius``."""
        inside = np.flatnonzero(self.radii >= radius * (1 - 1e-12))
        if inside.size == 0:
            raise TrustError(f"radius {radius:g} lies outside the band: its largest is {self.radii[0]:g}")
        return int(inside[-1])


def least_draws(delta: float) -> int:
    """The least M for which Q(M, delta) exists: the first with (1 - delta)^M <= delta."""
    delta = probability(delta)
    return ceil(log(delta) / log1p(-delta))


def order_statistic(draws: int, delta: float) -> int:
    """Q(M, delta) of Appendix B: the largest M0 with P(Binomial(M, delta) <= M0 - 1) <= delta.

    The M0-th largest of M draws then exceeds their (1 - delta)-quantile with probability at least 1 - delta.
    Raises NotEnoughDraws, which says how many would do, when not even M0 = 1 qualifies.
    """
    draws, delta = whole_number(draws, "draws"), probability(delta)
    rank = int(stats.binom.ppf(delta, draws, delta))
    while stats.binom.cdf(rank, draws, delta) <= delta:  # ppf stops at equality, and may round
        rank += 1
    while rank > 0 and stats.binom.cdf(rank - 1, draws, delta) > delta:
        rank -= 1
    if rank == 0:
        raise NotEnoughDraws(draws, least_draws(delta), f"for an order statistic at delta = {delta:g}")
    return rank


def draws_for(delta: float, radii: int, rank: int = 10) -> int:
    """The least number of draws with which the paper's band uses at least the ``rank``-th largest supremum."""
    share = probability(delta) / (2 * radii)
    low, high = least_draws(share) - 1, 4 * rank * least_draws(share)
    while high - low > 1:
        middle = (low + high) // 2
        enough = stats.binom.cdf(rank - 1, middle, share) <= share
        low, high = (low, middle) if enough else (middle, high)
    return high


def paper_band(
    region: TrustRegion,
    radii: ArrayLike,
    delta: float,
    draws: int,
    seed: int | Generator,
    executor: Executor | None = None,
    progress: bool = False,
) -> Band:
    r"""Algorithm 2 of the paper: per radius the order statistic :math:`X_{(M-M_0+1)}`, with a union bound over radii.

    :math:`M_0=Q(M,\delta/(2|E|))`. ``value_widths`` adds :math:`\sqrt{2\log(1/\delta)/S}` for the reference policy
    (Theorem 5.1, claim 3) and so holds with probability at least 1 - 2 delta.

    Raises
    ------
    NotEnoughDraws
        When the order statistic does not exist; it says how many draws would do.
    TrustError
        For a delta outside (0, 1) or radii that are negative or not sorted.
    """
    grid, delta, number = radii_grid(radii), probability(delta), seed_number(seed)
    rank = order_statistic(draws, delta / (2 * grid.size))
    suprema, _ = noise_suprema(region, grid, draws, number, executor=executor, progress=progress)
    widths = np.partition(suprema, draws - rank, axis=0)[draws - rank]
    reference = sqrt(2 * log(1 / delta) * region.reference_variance)
    return Band(
        region, grid, frozen(widths), frozen(widths + reference), delta, max(1 - 2 * delta, 0.0), draws, number,
        "paper",
    )  # fmt: skip


def calibrated_band(
    region: TrustRegion,
    radii: ArrayLike,
    delta: float,
    draws: int,
    seed: int | Generator,
    executor: Executor | None = None,
    progress: bool = False,
) -> Band:
    r"""A band that covers all radii at once by exchangeability; not in the paper.

    A pilot sample gives every radius a centre a and a scale s. Fresh draws are scored by :math:`\max_\varepsilon
    (X_\varepsilon-a)/s`, and q is the :math:`\lceil(1-\delta)(M+1)\rceil`-th smallest score. The noise in the log
    is exchangeable with the fresh draws, so the band a + q s is exceeded anywhere with probability at most delta.
    ``value_widths`` does the same for :math:`X_\varepsilon+\hat\mu^\top\eta`.

    Raises
    ------
    NotEnoughDraws
        With fewer than (1 - delta) / delta draws; it says how many would do.
    TrustError
        For a delta outside (0, 1) or radii that are negative or not sorted.
    """
    grid, delta, number = radii_grid(radii), probability(delta), seed_number(seed)
    draws = whole_number(draws, "draws")
    rank = ceil((1 - delta) * (draws + 1) - 1e-9)
    if rank > draws:
        raise NotEnoughDraws(draws, ceil((1 - delta) / delta - 1e-9), f"to calibrate at delta = {delta:g}")
    pilot, _ = noise_suprema(region, grid, PILOT_DRAWS, number, 1, executor)
    fresh, reference = noise_suprema(region, grid, draws, number, 0, executor, progress)
    centre, scale = pilot.mean(axis=0), pilot.std(axis=0)
    value_scale = np.sqrt(scale**2 + region.reference_variance)
    widths = _calibrate(fresh, centre, scale, rank)
    value_widths = _calibrate(fresh + reference[:, None], centre, value_scale, rank)
    return Band(region, grid, frozen(widths), frozen(value_widths), delta, 1 - delta, draws, number, "calibrated")


def _calibrate(values: Array, centre: Array, scale: Array, rank: int) -> Array:
    """centre + q scale, with q the ``rank``-th smallest score of the rows of ``values``."""
    moving = scale > 0  # at radius 0 the supremum is always 0 and needs no score
    if not moving.any():
        return centre
    scores = ((values[:, moving] - centre[moving]) / scale[moving]).max(axis=1)
    return centre + np.partition(scores, rank - 1)[rank - 1] * scale


def gaussian_width(
    region: TrustRegion, radii: ArrayLike, draws: int, seed: int | Generator, executor: Executor | None = None
) -> tuple[Array, Array]:
    r"""The localised Gaussian width :math:`\mathbb E\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta`.

    Returns the Monte Carlo mean for each radius, and its standard error.
    """
    grid, draws = radii_grid(radii), whole_number(draws, "draws", least=2)
    suprema, _ = noise_suprema(region, grid, draws, seed_number(seed), executor=executor)
    return suprema.mean(axis=0), suprema.std(axis=0, ddof=1) / sqrt(draws)
