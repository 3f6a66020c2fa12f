r"""The localised Gaussian complexity: bands that bound the noise in every trust region at once.

A band holds :math:`\mathcal G(\varepsilon)` of Definition 4.2 on a grid of radii. It depends on the design (counts and
law of the noise) and never on the rewards, so one band serves every reward vector of its design.
"""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import ceil, log, sqrt
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from .checks import Array, frozen, probability, radii_grid, whole_number
from .errors import DataError, TrustError
from .noise.base import Design
from .noise.gaussian import gaussian_design
from .quantiles import draws_for, order_statistic, shortfall_draws
from .region import TrustRegion
from .simulation import Simulation, noise_draws, noise_suprema, seed_number, simulate_design
from .values import Value, axes, make_frame

if TYPE_CHECKING:
    from .data import OfflineData

__all__ = ["Band", "band_for", "calibrated_band", "gaussian_width", "paper_band"]

Kind = Literal["paper", "calibrated"]


@dataclass(frozen=True, eq=False, repr=False)
class Band(Value):
    r"""Upper bounds on the noise over a grid of trust regions.

    Attributes
    ----------
    region : TrustRegion
        The trust regions.
    design : Design
        Counts and law of the noise; the band holds for no other.
    radii : (n,) array
        The grid E, largest first.
    widths : (n,) array
        With probability at least 1 - delta, on average over the band's own draws,
        :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta` is at most this, for all radii at once. This
        chooses the critical radius.
    value_widths : (n,) array
        Bounds :math:`\hat\mu^\top\eta+\sup_\Delta\Delta^\top\eta` for all radii at once: what a lower bound on a
        policy's value subtracts. Holds with probability ``confidence``.
    confidence : float
        1 - 2 delta for the paper's band (Theorem 5.1, claim 3), 1 - delta for the calibrated one.
    delta, draws, seed, method
        What it was computed with.

    Examples
    --------
    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> band = calibrated_band(region, region.radii(2.0, 3), delta=0.1, draws=99, seed=0)
    >>> band.at(0.3 * region.largest_radius), bool((band.widths <= band.value_widths).all())
    (1, True)
    """

    region: TrustRegion
    design: Design
    radii: Array
    widths: Array
    value_widths: Array
    delta: float
    confidence: float
    draws: int
    seed: int
    method: Kind

    def at(self, radius: float) -> int:
        r"""The index of :math:`\lceil\varepsilon\rceil`, the smallest radius of the grid at least ``radius``."""
        inside = np.flatnonzero(self.radii >= radius * (1 - 1e-12))
        if inside.size == 0:
            raise TrustError(f"radius {radius:g} lies outside the band: its largest is {self.radii[0]:g}")
        return int(inside[-1])

    def plot(self, ax: Any = None) -> Any:
        """Both widths against the radius, on matplotlib's axes; it returns them."""
        target = axes(ax)
        target.plot(self.radii, self.value_widths, color="#D55E00", label="of a mixture's value")
        target.plot(self.radii, self.widths, color="#0072B2", label="of its improvement")
        target.set(xscale="log" if self.radii[-1] > 0 else "linear", xlabel="radius", ylabel="width")
        target.set_title(repr(self).strip("<>"), fontsize="medium")
        target.legend()
        return target

    def to_frame(self) -> Any:
        """Radii and widths, as a frame of pandas, or of polars where there is no pandas."""
        return make_frame({"radius": self.radii, "width": self.widths, "value_width": self.value_widths})

    def __repr__(self) -> str:
        size = f"{self.region.n_arms:,} arms, {self.radii.size} radii"
        return f"<Band: {self.method}, {size}, delta {self.delta:g}, {self.draws:,} draws, seed {self.seed}>"

    def exceeded(self, suprema: ArrayLike, reference: ArrayLike | None = None) -> NDArray[np.bool_]:
        """Whether noise exceeds the band at any radius, for each row of ``suprema``.

        With the noise of the ``reference`` policy, one number a row, it is the value widths that are tried.
        """
        values = np.atleast_2d(np.asarray(suprema, dtype=float))
        if reference is None:
            return np.any(values > self.widths, axis=1)
        return np.any(values + np.asarray(reference, dtype=float)[:, None] > self.value_widths, axis=1)

    def for_log(self, data: "OfflineData") -> "Band":
        """The same band for a log of its design, in the log's unit where the level of the noise is estimated.

        Raises DataError if the log's counts, law or reference policy are others.
        """
        unit = self.design.unit_of(data.design)
        if data.reference is not None and not np.array_equal(self.region.reference, data.region.reference):
            raise DataError("the band belongs to another design: its reference policy differs from the log's")
        if unit == 1:
            return self
        radii, widths, value_widths = (frozen(one * unit) for one in (self.radii, self.widths, self.value_widths))
        return replace(
            self, region=data.region, design=data.design, radii=radii, widths=widths, value_widths=value_widths
        )


def band_for(
    data: "OfflineData | TrustRegion",
    delta: float = 0.1,
    kind: Kind | None = None,
    seed: int | Generator = 0,
    *,
    radii: ArrayLike | None = None,
    draws: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> Band:
    """The band of a log, or of trust regions with Gaussian noise.

    Parameters
    ----------
    data : OfflineData or TrustRegion
        The design; rewards are never looked at.
    delta : float
        Failure probability.
    kind : "calibrated" or "paper", optional
        Calibrated unless said.
    seed : int or Generator
        Seed of the simulated noise.
    radii : (n,) array, optional
        Radii, largest first; by default the paper's grid of 40. Where the level is estimated the band is exact
        for multiples of the largest radius, as the grid's are.
    draws : int, optional
        By default, for the paper's band enough to use the tenth largest supremum; for the calibrated one 2,000 or
        20 / delta, fewer on designs of more than 200,000 arms, but never fewer than calibration needs.
    executor, progress
        Where the simulation runs, and whether it shows a progress bar.

    Examples
    --------
    >>> band = band_for(TrustRegion([1.0, 1.0, 4.0]), delta=0.1)
    >>> band.method, band.draws, band.radii.size
    ('calibrated', 2000, 40)
    """
    delta = probability(delta)
    region, design = (data, None) if isinstance(data, TrustRegion) else (data.region, data.design)
    grid = region.radii() if radii is None else radii_grid(radii)
    if named_kind(kind) == "paper":
        count = draws_for(delta, grid.size) if draws is None else draws
        return paper_band(region, grid, delta, count, seed, executor, progress, design=design)
    count = calibration_draws(region.n_arms, delta) if draws is None else draws
    return calibrated_band(region, grid, delta, count, seed, executor, progress, design=design)


def named_kind(kind: object, allowed: str = "a Band, 'paper' or 'calibrated'") -> Kind:
    """The kind of band that is asked for by name, calibrated unless said; ``allowed`` ends the complaint.

    >>> named_kind(None), named_kind("paper")
    ('calibrated', 'paper')
    >>> named_kind("papre")
    Traceback (most recent call last):
    trust_helpers.errors.TrustError: band is 'papre': it must be a Band, 'paper' or 'calibrated'
    """
    if kind is None or (isinstance(kind, str) and kind == "calibrated"):
        return "calibrated"
    if isinstance(kind, str) and kind == "paper":
        return "paper"
    raise TrustError(f"band is {kind!r}: it must be {allowed}")


def paper_band(
    region: TrustRegion,
    radii: ArrayLike,
    delta: float,
    draws: int,
    seed: int | Generator,
    executor: Executor | None = None,
    progress: bool = False,
    *,
    design: Design | None = None,
) -> Band:
    r"""Algorithm 2 of the paper: per radius the order statistic :math:`X_{(M-M_0+1)}`, with a union bound over radii.

    :math:`M_0=Q(M,\delta/(2|E|))`. ``value_widths`` adds :math:`\sqrt{2\log(1/\delta)/S}` for the reference policy
    (Theorem 5.1, claim 3) and so holds with probability at least 1 - 2 delta. The noise is Gaussian of known level, by
    default that of the region's precision. Arguments are those of :func:`~trust_helpers.band_for`, all to be said.

    Raises NotEnoughDraws, which says how many would do, where the order statistic does not exist.

    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> paper_band(region, region.radii(2.0, 3), delta=0.1, draws=500, seed=0).confidence
    0.8
    """
    grid, delta, number = radii_grid(radii), probability(delta), seed_number(seed)
    design = design or gaussian_design(region.precision)
    _refuse_for_paper(design)
    rank = order_statistic(draws, delta / (2 * grid.size))
    suprema = noise_draws(region, design, grid, draws, number, executor=executor, progress=progress).suprema
    widths = np.partition(suprema, draws - rank, axis=0)[draws - rank]
    value_widths = widths + sqrt(2 * log(1 / delta) * region.reference_variance)
    confidence = max(1 - 2 * delta, 0.0)
    return Band(region, design, grid, frozen(widths), frozen(value_widths), delta, confidence, draws, number, "paper")


def calibrated_band(
    region: TrustRegion,
    radii: ArrayLike,
    delta: float,
    draws: int,
    seed: int | Generator,
    executor: Executor | None = None,
    progress: bool = False,
    *,
    design: Design | None = None,
) -> Band:
    r"""A band that covers all radii at once; not in the paper.

    A pilot sample gives every radius a centre a and a scale s. Fresh draws are scored by :math:`T=\max_\varepsilon
    (X_\varepsilon-a)/s`. Where the draws have the log's own law, the noise in the log is exchangeable with them, and q
    is the :math:`\lceil(1-\delta)(M+1)\rceil`-th smallest score. Where they only dominate it in convex order, q is the
    expected shortfall of the scores. The band a + q s is exceeded anywhere with probability at most delta, on average
    over its draws. ``value_widths`` does the same for :math:`X_\varepsilon+\hat\mu^\top\eta`. Arguments are those of
    :func:`~trust_helpers.band_for`, all to be said; the noise is by default Gaussian of the region's precision.

    Raises NotEnoughDraws, which says how many would do, with fewer than (1 - delta) / delta draws, or 10 / delta where
    the draws only dominate the noise.

    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> calibrated_band(region, region.radii(2.0, 3), delta=0.1, draws=99, seed=0).confidence
    0.9
    """
    grid, delta, number = radii_grid(radii), probability(delta), seed_number(seed)
    design = design or gaussian_design(region.precision)
    return band_of(simulate_design(region, design, grid, draws, number, delta, executor, progress), delta)


def band_of(simulated: Simulation, delta: float) -> Band:
    """The calibrated band of a simulation at one failure probability."""
    drawn = simulated.region, simulated.design, simulated.radii
    widths = _calibrated_widths(simulated, delta)
    return Band(*drawn, *widths, delta, 1 - delta, simulated.draws, simulated.seed, "calibrated")


def _calibrated_widths(simulated: Simulation, delta: float) -> tuple[Array, Array]:
    """Of the improvement and of the value, a + q s each, with a and s from the pilot and q from the scores."""
    pilot, fresh = simulated.pilot, simulated.fresh
    centre, scale = pilot.suprema.mean(axis=0), pilot.suprema.std(axis=0)
    value_scale = np.sqrt(scale**2 + simulated.reference_variance)
    widths = centre + simulated.bound(pilot.suprema, fresh.suprema, centre, scale, delta) * scale
    before, after = (one.suprema + one.reference[:, None] for one in (pilot, fresh))
    value_widths = centre + simulated.bound(before, after, centre, value_scale, delta) * value_scale
    return frozen(widths), frozen(value_widths)


# Draws of a calibrated band; on a large design fewer, as its numbers in all are limited too.
CALIBRATED_DRAWS, NUMBERS = 2_000, 400_000_000


def calibration_draws(n_arms: int, delta: float) -> int:
    """How many draws calibrate a design of this size: a bounded amount of work, but never too little.

    >>> calibration_draws(1_000, 0.1), calibration_draws(1_000, 0.001), calibration_draws(10_000_000, 0.1)
    (2000, 20000, 100)
    """
    wanted = max(CALIBRATED_DRAWS, ceil(20 / delta))
    return max(min(wanted, NUMBERS // n_arms), shortfall_draws(delta))


def _refuse_for_paper(design: Design) -> None:
    """The paper's band is stated for Gaussian noise of known level."""
    law = design.law
    if not law.uniform:
        law.sampler(design.counts)  # which says why not
    if not law.known_level:
        other = "a level that is estimated" if law.exact else "noise that is only known to be bounded"
        known = "the paper's band needs Gaussian noise of known level"
        raise TrustError(f"{known}: here ask for 'calibrated', which allows for {other}")


def gaussian_width(region: TrustRegion, radii: ArrayLike, draws: int, seed: int | Generator) -> tuple[Array, Array]:
    r"""The localised Gaussian width :math:`\mathbb E\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta`.

    Returns the Monte Carlo mean for each radius, and its standard error.

    >>> mean, error = gaussian_width(TrustRegion([1.0, 1.0]), [0.5], draws=1000, seed=0)
    >>> bool(abs(mean[0] - 0.5 * np.sqrt(2 / np.pi)) < 4 * error[0])  # the radius times the mean of |N(0, 1)|
    True
    """
    grid, draws = radii_grid(radii), whole_number(draws, "draws", least=2)
    suprema, _ = noise_suprema(region, grid, draws, seed_number(seed))
    return suprema.mean(axis=0), suprema.std(axis=0, ddof=1) / sqrt(draws)
