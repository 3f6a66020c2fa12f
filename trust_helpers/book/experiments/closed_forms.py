"""Chapter 5's experiments on closed forms: the localised width and its bound, Theorem C.1 step by step."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import default_rng

from ... import bounds
from ...algorithm import trust_many
from ...calibration import gaussian_width
from ...checks import Array, frozen
from ...instances import gaussian
from ...paper import tables
from ...region import TrustRegion
from .main_theorem import KnownTruth, setting

__all__ = [
    "Hidden",
    "Widths",
    "fine_grained_rows",
    "fine_grained_step_by_step",
    "hide_a_signal_from_the_printed_bound",
    "width_and_its_bound",
]

STEPS = {
    "measured": "mean gap to the best arm",
    "simulated band": "main theorem, claim 2, simulated band",
    "claim 1, corrected": "closed form, claim 1",
    "claim 2, corrected": "closed form, claim 2",
    "claim 1, printed": "claim 1 as printed",
    "claim 2, printed": "claim 2 as printed",
}


@dataclass(frozen=True, eq=False)
class Widths:
    r"""The localised Gaussian width and what bounds it.

    Attributes
    ----------
    share : (n,) array
        Radii over the largest, largest first.
    width, error : (n,) arrays
        The simulated width and its standard error.
    ball, bound : (n,) arrays
        :math:`\varepsilon\sqrt d`, and the smaller of that and the second stage (Lemma C.5).
    grid, looser : (m,) arrays
        The radii of Table 2's band over the largest, and how many times the closed form of Lemma C.3 exceeds the band.
    """

    share: Array
    width: Array
    error: Array
    ball: Array
    bound: Array
    grid: Array
    looser: Array

    @property
    def ratio(self) -> Array:
        """How many times the bound exceeds the width."""
        return self.bound / self.width

    @property
    def bend(self) -> float:
        """The share of the largest radius at which the width has fallen a tenth below the ball's."""
        return float(self.share[self.width < 0.9 * self.ball].min(initial=1))

    @property
    def crossing(self) -> float:
        """The share of the largest radius from which on the bound is below the ball's width."""
        return float(self.share[self.bound < self.ball].min(initial=1))


def width_and_its_bound(arms: int, seed: int, draws: int = 300) -> Widths:
    """The paper's Figure 2, with the width itself; unit noise and one sample per arm."""
    region, thousand = TrustRegion(np.ones(arms)), tables.grid_band("general")
    radii = region.largest_radius * np.geomspace(1, 1e-3, 61)
    width, error = gaussian_width(region, radii, draws, seed)
    closed = bounds.complexity_bound(thousand.region, thousand.radii, tables.DELTA, thousand.radii.size)
    return Widths(
        frozen(radii / radii[0]), frozen(width), frozen(error), frozen(radii * np.sqrt(arms)),
        frozen(bounds.width_bound(region, radii)), frozen(thousand.radii / thousand.radii[0]),
        frozen(closed / thousand.widths),
    )  # fmt: skip


def fine_grained_step_by_step(delta: float, seed: int, arms: int = 20, logs: int = 200) -> dict[str, float]:
    """Each step from the measured gap to the closed forms of Theorem C.1, with counts drawn from an uneven policy.

    Means run evenly from 0 to 1, so that the gap to the best arm is measured on the same scale.
    """
    rng, mu = default_rng(seed), np.linspace(1, 3, arms) / np.linspace(1, 3, arms).sum()
    samples = int(np.ceil(8 / mu.min() * np.log(arms / delta)))
    drawn = rng.multinomial(samples, mu, 5_000)
    enough = (drawn >= samples * mu / 2).all(axis=1)
    where = setting(np.linspace(0, 1, arms), drawn[enough][0], 1.0, delta, seed)
    band, best = where.band, np.eye(arms)[-1]
    made = trust_many(band, where.rewards(rng, logs))
    found = {
        "enough": float(enough.mean()),
        "enough promised": bounds.all_arms_sampled(mu, samples),
        "measured": float(1 - (made.weights @ where.instance.means).mean()),
        "simulated band": bounds.suboptimality_gap(band, best),
    }
    for name, printed in (("corrected", False), ("printed", True)):
        one = bounds.fine_grained_gap(band.region, band.radii, delta, best, printed=printed)
        two = bounds.fine_grained_gap_to_best(mu, arms - 1, samples, band.radii.size, delta, printed=printed)
        found |= {f"claim 1, {name}": one, f"claim 2, {name}": two}
    return found


def fine_grained_rows(found: dict[str, float]) -> list[dict[str, Any]]:
    """The steps as a table, from what happens to what the closed forms allow, and what the printed ones would."""
    return [{"gap to the best arm": text, "at most": found[key]} for key, text in STEPS.items()]


@dataclass(frozen=True, eq=False)
class Hidden:
    """A signal just too large for the printed bound: gaps to the mixture of the good arms, and what bounds them."""

    gaps: Array
    printed: float
    corrected: float


def hide_a_signal_from_the_printed_bound(seed: int, logs: int = 300) -> Hidden:
    """A counterexample to claim 1 of Theorem C.1 as printed, on the thousand arms of Table 2 with one sample each.

    Means are plus and minus c, with c large enough for the mixture of the good arms to beat TRUST by more than the
    printed bound unless TRUST finds some of it, and too small to be told from noise.
    """
    band = tables.grid_band("general")
    signs = 1.0 - 2 * (np.arange(band.region.n_arms) % 2)
    rival = (signs > 0) / (signs > 0).sum()
    printed, corrected = (
        bounds.fine_grained_gap(band.region, band.radii, band.delta, rival, printed=old) for old in (True, False)
    )
    where = KnownTruth(gaussian(1.08 * printed * signs, 0.5), np.ones(signs.size, dtype=int), band)
    made = trust_many(band, where.rewards(default_rng(seed), logs))
    gaps = (rival - made.weights) @ where.instance.means
    return Hidden(frozen(gaps), printed, corrected)
