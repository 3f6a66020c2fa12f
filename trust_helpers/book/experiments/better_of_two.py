"""Chapter 5's experiment on Appendix E: LCB, TRUST and the better of the two, where one or the other has the lead."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator

from ...instances import gaussian
from ...trials import Played, Share, play, share
from .main_theorem import KnownTruth, setting

__all__ = ["BetterOfTwo", "a_design_for_lcb_and_one_for_trust", "better_of_two_rows", "try_the_better_of_two"]

METHODS = {"lcb": "LCB", "trust": "TRUST", "combined": "the better of two"}


def a_design_for_lcb_and_one_for_trust(equal: KnownTruth, seed: int, rng: Generator) -> dict[str, KnownTruth]:
    """Three arms tried a hundred times among many tried once; and half of all arms good, each tried once.

    ``equal`` is a design of one sample per arm and unit noise, whose band the second shares.
    """
    d, delta = equal.band.region.n_arms, equal.band.delta
    means, counts = np.r_[1, 0.5, 0, rng.uniform(0, 0.5, d - 3)], np.r_[[100] * 3, [1] * (d - 3)]
    return {
        "a few arms well known": setting(means, counts, 1.0, delta, seed),
        "all arms alike": replace(equal, instance=gaussian(np.repeat([2.0, 0.0], d // 2), 1.0)),
    }


@dataclass(frozen=True, eq=False)
class BetterOfTwo:
    """What LCB, TRUST and their combination did on the same fresh logs of one design, by name."""

    made: Mapping[str, Played]

    @property
    def missed(self) -> dict[str, Share]:
        """How often each bound was missed; the combination promises the larger of the two."""
        larger = np.maximum(self.made["lcb"].bound, self.made["trust"].bound)
        alone = {name: one.missed for name, one in self.made.items()}
        return alone | {"combined": share(self.made["combined"].value < larger - 1e-12)}

    @property
    def plays_lcb(self) -> Share:
        """How often the combination plays LCB's arm."""
        return share(self.made["combined"].bound == self.made["lcb"].bound)

    @property
    def lcb_leads_in(self) -> str:
        """In what LCB is ahead of TRUST on average, in words."""
        lcb, trust = self.made["lcb"], self.made["trust"]
        ahead = {"value": lcb.value.mean() > trust.value.mean(), "bound": lcb.bound.mean() > trust.bound.mean()}
        return " and ".join(f"the higher {name}" for name, first in ahead.items() if first) or "neither"


def try_the_better_of_two(designs: Mapping[str, KnownTruth], replications: int, seed: int) -> dict[str, BetterOfTwo]:
    """LCB, TRUST and the one of them with the larger lower bound, on fresh logs of each design."""
    return {
        name: BetterOfTwo(play(where.instance, list(METHODS), replications, seed, band=where.band))
        for name, where in designs.items()
    }


def better_of_two_rows(tried: Mapping[str, BetterOfTwo]) -> list[dict[str, Any]]:
    """Mean value, mean promise and how often it was missed, by design and method."""
    return [
        {
            "design": design,
            "method": label,
            "value": one.made[name].value.mean(),
            "promised": one.made[name].bound.mean(),
            "missed": str(one.missed[name]),
        }
        for design, one in tried.items()
        for name, label in METHODS.items()
    ]
