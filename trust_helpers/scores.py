"""Simulated scores: how far noise reaches in all radii at once, and what it exceeds with probability delta."""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import SeedSequence, default_rng

from .checks import Array
from .errors import NotEnoughDraws
from .noise import Design
from .noise_rows import NoiseDraws
from .quantiles import conformal_rank, expected_shortfall, shortfall_draws
from .region import TrustRegion
from .simulate import noise_draws

if TYPE_CHECKING:
    from .data import OfflineData

__all__ = ["Simulation", "pilot_draws", "simulate_design"]

# Draws of the pilot: so many, or fewer on a large design, where so many numbers are drawn in all, but never too few.
PILOT_DRAWS, PILOT_NUMBERS, LEAST_PILOT = 512, 200_000_000, 200
# The random streams of a seed: fresh draws, the pilot, and the factors of an estimated level.
FRESH, PILOT, FACTORS = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Simulation:
    """Draws of a design, and from an independent pilot the centre and scale of every score.

    >>> from trust_helpers.combination import simulate_log
    >>> from trust_helpers import OfflineData
    >>> simulate_log(OfflineData([0.1, 0.9], counts=[4, 4], sigma=0.5), delta=0.1, seed=0).draws
    2000
    """

    region: TrustRegion
    design: Design
    radii: Array
    seed: int
    pilot: NoiseDraws
    fresh: NoiseDraws

    def for_log(self, data: "OfflineData") -> "Simulation":
        """The same draws for a log of the design, in the log's unit where the level of the noise is estimated."""
        unit = self.design.unit_of(data.design)
        if unit == 1:
            return self
        pilot, fresh = (one.times(np.full(one.reference.size, unit)) for one in (self.pilot, self.fresh))
        arms = (replace(one, arms=one.arms / unit) for one in (pilot, fresh))  # they are in deviations already
        return Simulation(data.region, data.design, self.radii * unit, self.seed, *arms)

    @property
    def draws(self) -> int:
        """How many fresh draws there are."""
        return int(self.fresh.reference.size)

    @property
    def reference_variance(self) -> float:
        """The variance of the reference policy's simulated noise."""
        if self.design.law.exact:
            return self.region.reference_variance
        return float(((self.region.reference * self.design.deviations) ** 2).sum())

    def bound(self, pilot: Array, fresh: Array, centre: Array, scale: Array, delta: float) -> float:
        """What the largest standardised entry of a row exceeds with probability at most delta."""
        moving = scale > 0  # at radius 0 the supremum is always 0 and needs no score
        if not moving.any():
            return 0.0
        scores = ((fresh[:, moving] - centre[moving]) / scale[moving]).max(axis=1)
        if self.design.law.exact:
            rank = conformal_rank(scores.size, delta)
            return float(np.partition(scores, rank - 1)[rank - 1])
        before = ((pilot[:, moving] - centre[moving]) / scale[moving]).max(axis=1)
        return expected_shortfall(scores, float(np.quantile(before, 1 - delta)), delta)


def pilot_draws(n_arms: int) -> int:
    """How many draws tell the centre and scale of every score: it costs width and never validity.

    >>> pilot_draws(10_000), pilot_draws(1_000_000)
    (512, 200)
    """
    return max(min(PILOT_DRAWS, PILOT_NUMBERS // n_arms), LEAST_PILOT)


def simulate_design(
    region: TrustRegion,
    design: Design,
    radii: Array,
    draws: int,
    seed: int,
    delta: float,
    executor: Executor | None = None,
    progress: bool = False,
) -> Simulation:
    """Simulate a design; NotEnoughDraws, before any work, if the draws are too few for ``delta``.

    The pilot has the noise of a known level, so that centre and scale depend on the design alone.

    >>> from trust_helpers.laws.gaussian import gaussian_design
    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> made = simulate_design(region, gaussian_design(region.precision), region.radii(2.0, 3), 99, 0, 0.1)
    >>> made.fresh.suprema.shape, made.pilot.suprema.shape
    ((99, 3), (512, 3))
    """
    conformal_rank(draws, delta)
    least = 1 if design.law.exact else shortfall_draws(delta)
    if draws < least:
        raise NotEnoughDraws(draws, least, f"for an expected shortfall at delta = {delta:g}")
    pilot = noise_draws(region, design, radii, pilot_draws(region.n_arms), seed, PILOT, executor=executor)
    fresh = noise_draws(region, design, radii, draws, seed, FRESH, executor=executor, progress=progress)
    factors = design.law.row_factors(default_rng(SeedSequence(seed, spawn_key=(FACTORS,))), draws)
    return Simulation(region, design, radii, seed, pilot, fresh.times(factors))
