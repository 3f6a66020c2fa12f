r"""How wide a band is: the paper's order statistic for each radius, or one score calibrated for all of them at once."""

from concurrent.futures import Executor
from math import ceil, log, sqrt

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from .checks import Array, frozen, radii_grid, whole_number
from .errors import TrustError
from .laws.gaussian import Pooled
from .noise import Design
from .quantiles import order_statistic, shortfall_draws
from .region import TrustRegion
from .scores import Simulation
from .simulate import noise_draws, noise_suprema, seed_number

__all__ = ["calibrated_widths", "calibration_draws", "gaussian_width", "paper_widths"]

# Draws of a calibrated band: so many, or fewer on a large design, where so many numbers are drawn in all.
CALIBRATED_DRAWS, NUMBERS = 2_000, 400_000_000


def calibration_draws(n_arms: int, delta: float) -> int:
    """How many draws calibrate a design of this size: a bounded amount of work, but never too little.

    >>> calibration_draws(1_000, 0.1), calibration_draws(1_000, 0.001), calibration_draws(10_000_000, 0.1)
    (2000, 20000, 100)
    """
    wanted = max(CALIBRATED_DRAWS, ceil(20 / delta))
    return max(min(wanted, NUMBERS // n_arms), shortfall_draws(delta))


def calibrated_widths(simulated: Simulation, delta: float) -> tuple[Array, Array]:
    r"""Widths of the improvement and of the value, a + q s each, with a and s from the pilot and q from the scores.

    >>> from trust_helpers.laws.gaussian import gaussian_design
    >>> from trust_helpers.scores import simulate_design
    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> made = simulate_design(region, gaussian_design(region.precision), region.radii(2.0, 3), 99, 0, 0.1)
    >>> improvement, value = calibrated_widths(made, 0.1)
    >>> bool((0 < improvement).all()), bool((improvement <= value).all())
    (True, True)
    """
    pilot, fresh = simulated.pilot, simulated.fresh
    centre, scale = pilot.suprema.mean(axis=0), pilot.suprema.std(axis=0)
    value_scale = np.sqrt(scale**2 + simulated.reference_variance)
    widths = centre + simulated.bound(pilot.suprema, fresh.suprema, centre, scale, delta) * scale
    before, after = (one.suprema + one.reference[:, None] for one in (pilot, fresh))
    value_widths = centre + simulated.bound(before, after, centre, value_scale, delta) * value_scale
    return frozen(widths), frozen(value_widths)


def paper_widths(
    region: TrustRegion,
    design: Design,
    radii: Array,
    delta: float,
    draws: int,
    seed: int,
    executor: Executor | None = None,
    progress: bool = False,
) -> tuple[Array, Array]:
    r"""Widths of the improvement, :math:`X_{(M-M_0+1)}` of each radius, and of the value: those and
    :math:`\sqrt{2\log(1/\delta)/S}` for the reference policy.

    >>> from trust_helpers.laws.gaussian import gaussian_design
    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> design = gaussian_design(region.precision)
    >>> improvement, value = paper_widths(region, design, region.radii(2.0, 3), 0.1, draws=500, seed=0)
    >>> (value - improvement).round(4).tolist()
    [0.8761, 0.8761, 0.8761]
    """
    _refuse_for_paper(design)
    rank = order_statistic(draws, delta / (2 * radii.size))
    suprema = noise_draws(region, design, radii, draws, seed, executor=executor, progress=progress).suprema
    widths = np.partition(suprema, draws - rank, axis=0)[draws - rank]
    return frozen(widths), frozen(widths + sqrt(2 * log(1 / delta) * region.reference_variance))


def _refuse_for_paper(design: Design) -> None:
    """The paper's band is stated for Gaussian noise of known level."""
    law = design.law
    if not law.uniform:
        law.sampler(design.counts)  # which says why not
    if not law.exact or isinstance(law, Pooled):
        raise TrustError(
            "the paper's band needs Gaussian noise of known level: here ask for 'calibrated', which allows for "
            + ("a level that is estimated" if law.exact else "noise that is only known to be bounded")
        )


def gaussian_width(
    region: TrustRegion, radii: ArrayLike, draws: int, seed: int | Generator, executor: Executor | None = None
) -> tuple[Array, Array]:
    r"""The localised Gaussian width :math:`\mathbb E\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta`.

    Returns the Monte Carlo mean for each radius, and its standard error.

    Examples
    --------
    >>> mean, error = gaussian_width(TrustRegion([1.0, 1.0]), [0.5], draws=1000, seed=0)
    >>> bool(abs(mean[0] - 0.5 * np.sqrt(2 / np.pi)) < 4 * error[0])  # the radius times the mean of |N(0, 1)|
    True
    """
    grid, draws = radii_grid(radii), whole_number(draws, "draws", least=2)
    suprema, _ = noise_suprema(region, grid, draws, seed_number(seed), executor=executor)
    return suprema.mean(axis=0), suprema.std(axis=0, ddof=1) / sqrt(draws)
