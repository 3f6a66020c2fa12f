"""An experiment on the noise level: what TRUST earns and promises when it is told the level in one way or another."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.random import Generator

from ..algorithm import trust
from ..band import Band, band_for
from ..checks import Array, whole_number
from ..data import OfflineData
from ..noise import neighbour_sigma
from ..trials import Share, share
from .shipped import Logged

__all__ = ["Told", "kept_with_estimated_deviations", "tell"]

Way = Callable[[Array], tuple[Array, float]]


@dataclass(frozen=True)
class Told:
    """What comes of one way to set the noise level.

    Attributes
    ----------
    earned, promised : float
        The true value of TRUST's mixture on the log, and its lower bound.
    kept : a Share
        The share of simulated logs on which the lower bound holds.
    """

    earned: float
    promised: float
    kept: Share


def tell(log: Logged, delta: float, seed: int, logs: int, rng: Generator) -> dict[str, Told]:
    """TRUST with the calibrated band, told the noise level in three ways.

    ``same`` is the level of the log, ``neighbours`` is :func:`trust_helpers.noise.neighbour_sigma` of the returns,
    ``measured`` is each policy's own. The simulated logs have the true values and Gaussian noise of the measured
    deviations. ``seed`` is that of the bands.
    """
    noise = log.truth.deviations * rng.standard_normal((logs, log.data.n_arms))
    return {name: _told(way, log, log.truth.values + noise) for name, way in _ways(log, delta, seed).items()}


def kept_with_estimated_deviations(
    log: Logged, episodes: int, delta: float, logs: int, rng: Generator, draws: int = 199
) -> Share:
    r"""How often TRUST's promise holds when each deviation is estimated from a few more episodes of its policy.

    Each log has one return per policy, :math:`V_i+\sigma_i\xi_i`, and deviations
    :math:`\hat\sigma_i^2=\sigma_i^2\chi^2_{k-1}/(k-1)` of k other episodes, all Gaussian. TRUST takes the estimates
    for the truth and simulates its calibrated band for them, with ``draws`` draws, enough for delta of 0.01.

    Examples
    --------
    >>> from trust_helpers.rl import logged_returns
    >>> log = logged_returns("Walker2d", "low", 2023)
    >>> kept_with_estimated_deviations(log, 3, 0.1, 20, np.random.default_rng(1)).value < 0.7
    True
    """
    free, values, sigma = whole_number(episodes, "episodes", least=2) - 1, log.truth.values, log.truth.deviations
    held = []
    for _ in range(logs):
        means = values + sigma * rng.standard_normal(values.size)
        told = OfflineData(means, np.ones(means.size), sigma * np.sqrt(rng.chisquare(free, means.size) / free))
        one = trust(told, delta, band_for(told, delta, "calibrated", rng, draws=draws))
        held.append(one.lower_bound <= one.weights @ values)
    return share(held)


def _ways(log: Logged, delta: float, seed: int) -> dict[str, Way]:
    """The three ways, each from returns to weights and promise."""
    one_level, each_level = _unit_band(log.data.n_arms, delta, seed), _band(log.truth.deviations, delta, seed)
    return {
        "same": lambda means: _with_level(means, float(log.data.sigma[0]), one_level),
        "neighbours": lambda means: _with_level(means, neighbour_sigma(means), one_level),
        "measured": lambda means: _with_levels(means, log.truth.deviations, each_level),
    }


def _told(way: Way, log: Logged, simulated: Array) -> Told:
    values = log.truth.values
    weights, promised = way(log.data.means)
    tries = [way(means) for means in simulated]
    return Told(float(weights @ values), promised, share([low <= w @ values for w, low in tries]))


def _with_level(means: Array, level: float, unit: Band) -> tuple[Array, float]:
    """One level for all: a band scales with it, so the band of level 1 serves for every level."""
    weights, promised = _with_levels(means / level, np.ones(means.size), unit)
    return weights, level * promised


def _with_levels(means: Array, levels: Array, band: Band) -> tuple[Array, float]:
    one = trust(OfflineData(means, np.ones(means.size), levels), band.delta, band)
    return one.weights, one.lower_bound


def _band(levels: Array, delta: float, seed: int) -> Band:
    """The band of a design with one sample per arm; it does not depend on what the samples are."""
    design = OfflineData(np.zeros(levels.size), np.ones(levels.size), levels)
    return trust(design, delta, "calibrated", seed).band


@cache
def _unit_band(n_arms: int, delta: float, seed: int) -> Band:
    return _band(np.ones(n_arms), delta, seed)
