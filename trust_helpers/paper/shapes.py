"""The paper's three figures: whether the shape is there from which it draws its conclusion."""

from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Literal

import numpy as np
from numpy.random import default_rng

from .. import bounds
from ..calibration import gaussian_width
from ..region import TrustRegion
from . import tables

__all__ = ["Shape", "shapes"]


@dataclass(frozen=True)
class Shape:
    """One figure: what must be there, and whether it is."""

    key: str
    title: str
    wanted: str
    there: bool

    @property
    def word(self) -> Literal["reproduced", "differs"]:
        """The verdict."""
        return "reproduced" if self.there else "differs"


@cache
def shapes() -> tuple[Shape, ...]:
    """The verdicts on Figures 1 to 3, each computed."""
    return (
        Shape("figure 1", "Trust regions on a 3-simplex", "nested, from the reference out to a corner", _nested()),
        Shape("figure 2", "Localised Gaussian width", "a bound above it, linear at first and then flat", _two_stages()),
        Shape("figure 3", "Value and bound against the radius", "value rises, then falls; the bound peaks", _hump()),
    )


def _nested() -> bool:
    """On three uneven arms, best policies go farther with the radius, and the last is a single arm."""
    region = TrustRegion([1.0, 2.0, 4.0])
    found = [region.policy(np.array([3.0, 1.0, 2.0]), radius) for radius in region.radii(1.5, 8)]
    lengths = [region.norm(w - region.reference) for w in found]
    return bool((np.diff(lengths) < 0).all() and found[0].max() > 1 - 1e-9)


def _two_stages() -> bool:
    """On ten thousand arms Bellec's bound is above the simulated width, and has its two stages."""
    region = TrustRegion(np.ones(10_000))
    radii = region.radii()
    width, error = gaussian_width(region, radii, 128, tables.SEED)
    bound, linear = bounds.width_bound(region, radii), radii * sqrt(10_000)
    return bool((bound >= width - 4 * error).all() and bound[-1] == linear[-1] and bound[0] < linear[0] / 5)


def _hump() -> bool:
    """On one log of Table 1 the value where the bound peaks exceeds the reference's, and that the greedy arm's."""
    band, instance = tables.grid_band("starved"), tables.instance_of("starved")
    means = instance.sample(default_rng(tables.SEED)).means
    peak = int(np.argmax(band.region.suprema(means, band.radii) - band.widths))
    greedy, best, least = (instance.value(band.region.policy(means, float(band.radii[i]))) for i in (0, peak, -1))
    return greedy < least < best
