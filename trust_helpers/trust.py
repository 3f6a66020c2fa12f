"""TRUST (Algorithm 1), on one log or on many of one design."""

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from .band import Band, Kind, band_for
from .checks import Array, frozen
from .data import OfflineData
from .decision import TrustDecision
from .errors import DataError, TrustError

__all__ = ["trust", "trust_many"]


def trust(
    data: OfflineData,
    delta: float = 0.1,
    band: Band | Kind | None = None,
    seed: int | Generator = 0,
    *,
    executor: Executor | None = None,
    progress: bool = False,
) -> TrustDecision:
    r"""Trust Region of Uncertainty for Stochastic policy enhancemenT: Algorithm 1.

    For each radius of the band take the best improvement :math:`\hat\Delta_\varepsilon`; the critical radius
    maximises :math:`\hat\Delta_\varepsilon^\top\hat r-\mathcal G(\varepsilon)` (equation 11); play
    :math:`\hat\mu+\hat\Delta_*`. The lower bound is claim 3 of Theorem 5.1: it holds at 1 - delta with the calibrated
    band, and at 1 - 2 delta with the paper's. Raises DataError for a Band of another design.

    Parameters
    ----------
    data : OfflineData
        The log.
    delta : float
        Failure probability. A Band brings its own; a different one here is an error.
    band : Band, "calibrated" or "paper", optional
        The bound on the noise: one computed before, or by name (calibrated unless said), as
        :func:`trust_helpers.band_for` makes it.
    seed : int or Generator
        Seed of a band computed here.
    executor, progress
        Passed on to the band's simulation.

    Examples
    --------
    >>> made = trust(OfflineData([0.1, 0.9, 0.8, 0.2], counts=[9, 9, 9, 9], sigma=0.5), delta=0.1)
    >>> made.weights.argmax(), made.confidence, made.band.method
    (np.int64(1), 0.9, 'calibrated')
    """
    if not isinstance(band, Band):
        band = band_for(data, delta, band, seed, executor=executor, progress=progress)
    elif band.delta != delta:
        raise TrustError(f"delta is {delta:g} but the band was computed for {band.delta:g}")
    band = band.for_log(data)
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


@dataclass(frozen=True, eq=False)
class ManyDecisions:
    """TRUST's decisions on many logs of one design, one row or entry each: as of :class:`TrustDecision`."""

    weights: Array
    estimate: Array
    lower_bound: Array
    radius: Array


def trust_many(band: Band, rewards: ArrayLike) -> ManyDecisions:
    """TRUST with one band on many reward vectors of its design, as :func:`trust` decides on each.

    ``rewards`` has the arms' empirical means, one log a row.

    >>> log = OfflineData([0.1, 0.9, 0.8], counts=[9, 9, 9], sigma=0.5)
    >>> many = trust_many(band_for(log), [log.means, log.means[::-1]])
    >>> many.weights.argmax(axis=1).tolist()
    [1, 1]
    """
    means = np.asarray(rewards, dtype=float)
    if means.ndim != 2 or means.shape[1] != band.region.n_arms:
        raise DataError(f"rewards has shape {means.shape}: it must have a row per log and {band.region.n_arms} columns")
    best = np.argmax(band.region.suprema(means, band.radii) - band.widths, axis=1)
    weights = np.array([band.region.policy(row, float(band.radii[k])) for row, k in zip(means, best, strict=True)])
    weights = weights.reshape(means.shape)
    estimate = np.einsum("ij,ij->i", weights, means)
    fields = (weights, estimate, estimate - band.value_widths[best], band.radii[best])
    return ManyDecisions(*(frozen(field) for field in fields))
