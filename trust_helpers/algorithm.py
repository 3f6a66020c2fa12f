"""TRUST (Algorithm 1) and its combination with LCB (Appendix E)."""

from concurrent.futures import Executor
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.random import Generator

from .band import Band, calibrated_band, draws_for, paper_band
from .baselines import lcb
from .checks import frozen, probability
from .data import OfflineData
from .decision import Decision, TrustDecision
from .errors import DataError, TrustError

__all__ = ["combined", "trust"]

CALIBRATED_DRAWS = 2_000


def trust(
    data: OfflineData,
    delta: float = 0.1,
    band: Band | Literal["paper", "calibrated"] | None = None,
    seed: int | Generator = 0,
    *,
    executor: Executor | None = None,
    progress: bool = False,
) -> TrustDecision:
    r"""Trust Region of Uncertainty for Stochastic policy enhancemenT: Algorithm 1.

    For each radius of the band take the best improvement :math:`\hat\Delta_\varepsilon`; the critical radius
    maximises :math:`\hat\Delta_\varepsilon^\top\hat r-\mathcal G(\varepsilon)` (equation 11); play
    :math:`\hat\mu+\hat\Delta_*`. The lower bound is claim 3 of Theorem 5.1.

    Parameters
    ----------
    data : OfflineData
        The log.
    delta : float
        Failure probability. A Band brings its own; a different one here is an error.
    band : Band, "paper" or "calibrated", optional
        The bound on the noise. A Band computed before is reused. By name (the default is "paper") one is computed
        on the paper's grid of 40 radii: the paper's with enough draws to use the tenth largest supremum, the
        calibrated one with 2,000.
    seed : int or Generator
        Seed of a band computed here.
    executor, progress
        Passed on to the band's simulation.

    Returns
    -------
    TrustDecision
        With ``confidence`` 1 - 2 delta for the paper's band and 1 - delta for the calibrated one.

    Raises
    ------
    DataError
        For a Band that belongs to another design.
    """
    band = _band_for(data, delta, band, seed, executor, progress)
    objective = band.region.suprema(data.means, band.radii) - band.widths
    best = int(np.argmax(objective))
    radius = float(band.radii[best])
    weights = frozen(band.region.policy(data.means, radius))
    estimate = float(weights @ data.means)
    return TrustDecision(
        weights=weights,
        estimate=estimate,
        lower_bound=estimate - float(band.value_widths[best]),
        confidence=band.confidence,
        method="TRUST",
        radius=radius,
        objective=frozen(objective),
        band=band,
    )


def _band_for(
    data: OfflineData,
    delta: float,
    band: Band | str | None,
    seed: int | Generator,
    executor: Executor | None,
    progress: bool,
) -> Band:
    """The band that was asked for: computed here, or brought along and checked to belong to the log."""
    if not isinstance(band, Band):
        return _new_band(data, probability(delta), band or "paper", seed, executor, progress)
    if not np.array_equal(band.region.precision, data.precision):
        raise DataError("the band belongs to another design: its counts or sigma differ from the log's")
    if band.delta != delta:
        raise TrustError(f"delta is {delta:g} but the band was computed for {band.delta:g}")
    return band


def _new_band(
    data: OfflineData, delta: float, kind: str, seed: int | Generator, executor: Executor | None, progress: bool
) -> Band:
    radii = data.region.radii()
    if kind == "paper":
        draws = draws_for(delta, radii.size)
        return paper_band(data.region, radii, delta, draws, seed, executor, progress)
    if kind == "calibrated":
        draws = max(CALIBRATED_DRAWS, int(np.ceil(20 / delta)))
        return calibrated_band(data.region, radii, delta, draws, seed, executor, progress)
    raise TrustError(f"band is {kind!r}: it must be a Band, 'paper' or 'calibrated'")


def combined(
    data: OfflineData,
    delta: float = 0.1,
    band: Band | Literal["paper", "calibrated"] | None = None,
    seed: int | Generator = 0,
    *,
    executor: Executor | None = None,
    progress: bool = False,
) -> Decision:
    """The better of LCB and TRUST by their lower bounds (Appendix E); LCB wins a tie.

    Corollary E.1: with probability at least 1 - 3 delta (1 - 2 delta with the calibrated band) the policy is worth at
    least the larger of the two lower bounds. Parameters are those of :func:`trust`.
    """
    arm = lcb(data, delta)
    mixture = trust(data, delta, band, seed, executor=executor, progress=progress)
    confidence = max(arm.confidence + mixture.confidence - 1, 0.0)
    better: Decision = arm if arm.lower_bound >= mixture.lower_bound else mixture
    return replace(better, confidence=confidence, method=f"combined ({better.method})")
