"""Chapter 4's experiments: the order statistic where the quantile is known, and the flat top of the guarantee."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Any

import numpy as np
from numpy.random import SeedSequence, default_rng

from ...band import band_for
from ...checks import Array, frozen
from ...instances import Instance
from ...quantiles import draws_for, least_draws
from ...region import TrustRegion
from ..table import number

__all__ = [
    "FlatTop",
    "decay_rows",
    "flat_top",
    "radii_within",
]

BALL_ARMS, BALL_PRECISION = 20, 4.0
STEP, REACH = 1.05, 16


@dataclass(frozen=True, eq=False)
class FlatTop:
    """Means over logs at radii close together, around a critical radius.

    Attributes
    ----------
    share : (n,) array
        The radii over the largest one, largest first.
    guarantee, truth : (n,) arrays
        What the best-looking mixture of that radius is guaranteed to earn, and what it earns.
    """

    share: Array
    guarantee: Array
    truth: Array

    @property
    def best(self) -> float:
        """The radius of the largest guarantee."""
        return float(self.share[self.guarantee.argmax()])

    @property
    def flat(self) -> tuple[float, float]:
        """The smallest and the largest radius with a guarantee within 1 % of the best."""
        near = self.share[self.guarantee >= self.guarantee.max() - 0.01 * abs(self.guarantee.max())]
        return float(near.min()), float(near.max())

    def at(self, radius: float) -> tuple[float, float]:
        """Guarantee and truth at a radius between those tried."""
        place = np.log(self.share[::-1])
        return tuple(float(np.interp(log(radius), place, y[::-1])) for y in (self.guarantee, self.truth))  # type: ignore[return-value]

    def chosen(self, decay: float) -> float:
        """The radius that the paper's grid of this decay would choose."""
        grid = float(decay) ** -np.arange(ceil(-log(self.share[-1]) / log(decay)) + 1.0)
        grid = grid[(grid <= self.share[0] * (1 + 1e-12)) & (grid >= self.share[-1] * (1 - 1e-12))]
        return float(max(grid, key=lambda radius: self.at(radius)[0]))


def flat_top(instance: Instance, centre: float, delta: float, logs: int, seed: int) -> FlatTop:
    """What is guaranteed and what is true at radii 5 % apart around ``centre``, a share of the largest radius.

    The radii are placed by looking, so this is for looking at, not a guarantee.
    """
    region = TrustRegion(1 / instance.sigma**2)
    near = centre * STEP ** np.arange(REACH, -REACH - 1.0, -1)
    near = near[near <= 1 + 1e-12]
    radii = near * region.largest_radius
    band = band_for(region, delta, "paper", seed, radii=radii, draws=least_draws(delta / (2 * radii.size)))
    guarantee, truth = [], []
    for stream in SeedSequence(seed).spawn(logs):
        means = instance.sample(default_rng(stream)).means
        guarantee.append(region.suprema(means, radii) + region.reference @ means - band.value_widths)
        truth.append([instance.value(region.policy(means, radius)) for radius in radii])
    return FlatTop(frozen(near), frozen(np.mean(guarantee, axis=0)), frozen(np.mean(truth, axis=0)))


def radii_within(smallest: float, decay: float) -> int:
    """How many radii of a grid of this decay are at least ``smallest``, a share of the largest.

    >>> radii_within(1.2**-39, 1.2), radii_within(1.2**-39, 1.5)
    (40, 18)
    """
    return int(-log(smallest) / log(decay) + 1e-9) + 1


def decay_rows(top: FlatTop, decays: Sequence[float], delta: float, smallest: float) -> list[dict[str, Any]]:
    """Rows of a table: what grids of these decays, down to ``smallest`` of the largest radius, would choose.

    Draws are those that reach the tenth largest supremum at every radius.
    """
    rows = []
    for decay in decays:
        chosen, size = top.chosen(decay), radii_within(smallest, decay)
        guaranteed, true = top.at(chosen)
        row = {"decay": number(decay, ".2f"), "radii": size, "draws": draws_for(delta, size)}
        row |= {"chosen radius": number(chosen, ".4f"), "guaranteed": guaranteed, "true value": true}
        rows.append(row)
    return rows
