"""The paper's tables and figures made again: for each number it prints, many values of ours.

The number that is printed came from one log, from eight, or from a few training runs. Each function returns, by the
keys of :func:`trust_helpers.paper.claims`, what that number is over many logs, groups of eight logs, or our training
runs. One seed, one band per table; what needs no simulation is in :mod:`trust_helpers.paper.exact`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Literal

import numpy as np
from numpy.random import default_rng

from .. import bounds
from ..band import Band, band_for, gaussian_width
from ..checks import Array
from ..instances import Instance, data_starved, general
from ..quantiles import least_draws
from ..region import TrustRegion
from ..rl import (
    ENVIRONMENTS,
    READINGS,
    SETTINGS,
    CqlScore,
    collected_readings,
    collected_seeds,
    cql_score,
    logged_returns,
)
from ..trials import Played, play
from ..trust import trust

DELTA = 0.1
SEED = 2024
LOGS = {"starved": 200, "general": 1_600}
EIGHTS = 20_000
# 2,000 episodes of CQL (the paper's Appendix F), read as epochs of 1,000 updates as in the code that it cites.
PAPER_UPDATES = 2_000 * 1_000

Runs = dict[str, Array]


def grid_band(name: str, decay: float = 1.2, size: int = 40) -> Band:
    """The paper's band for one sample per arm of ``"starved"`` or ``"general"``.

    On ten thousand arms it has the fewest draws that its order statistic allows, on a thousand enough for the tenth
    largest supremum. The paper prints neither its number of draws nor its grid.
    """
    return _grid_band(name, decay, size)


@cache
def _grid_band(name: str, decay: float, size: int) -> Band:
    region = TrustRegion(1 / instance_of(name).sigma ** 2)
    draws = least_draws(DELTA / (2 * size)) if name == "starved" else None
    return band_for(region, DELTA, "paper", SEED, radii=region.radii(decay, size), draws=draws)


def trust_on(name: str, seed: int = SEED, decay: float = 1.2, size: int = 40) -> Played:
    """TRUST on fresh logs of ``"starved"`` (Table 1) or ``"general"`` (Table 2), all with the one band of the grid."""
    return _trust_on(name, seed, decay, size)


@cache
def _trust_on(name: str, seed: int, decay: float, size: int) -> Played:
    return play(instance_of(name), ["trust"], LOGS[name], seed, band=grid_band(name, decay, size))["trust"]


def table1(seed: int = SEED, decay: float = 1.2, size: int = 40) -> Runs:
    """TRUST in Table 1, and its critical radius (Section 6.1), one entry per log."""
    region, made = grid_band("starved", decay, size).region, trust_on("starved", seed, decay, size)
    return {
        "table1.trust": made.value,
        "table1.improvement": made.value - instance_of("starved").value(region.reference),
        "table1.trust_bound": made.bound,
        "text.critical_radius": made.radius / region.largest_radius,
    }


@cache
def table2(seed: int = SEED) -> Runs:
    """TRUST in Table 2, one entry per group of eight logs, the groups drawn from many logs.

    The printed "variance" of LCB exceeds the largest variance that its own mean and minimum allow, so the row is read
    as standard deviations.
    """
    made = trust_on("general", seed)
    groups = default_rng(seed).integers(made.value.size, size=(EIGHTS, 8))
    value, bound = made.value[groups], made.bound[groups]
    return {
        "table2.trust_mean": value.mean(axis=1),
        "table2.trust_bound": bound.mean(axis=1),
        "table2.trust_variance": value.std(axis=1, ddof=1),
        "table2.trust_min": value.min(axis=1),
    }


@cache
def table3(reading: str = READINGS[0]) -> Runs:
    """Table 3 from the bundled returns, one entry per training run: TRUST with the paper's band, and CQL if trained.

    ``reading`` says how a policy acts, ``"sampled"`` or ``"mean"``; the paper does not.
    """
    result = {}
    for where, runs in data_sets(reading):
        logs = [logged_returns(*run, reading=reading) for run in runs]
        values = [log.truth.of(trust(log.data, DELTA, robots_band()).weights)[0] for log in logs]
        result[f"table3.{where}.TRUST"] = np.array(values)
        scores = [score.value for run in runs if (score := cql_score(*run, reading=reading))]
        if scores:
            result[f"table3.{where}.CQL"] = np.array(scores)
    return result


@cache
def robots_band() -> Band:
    """The paper's band of Table 3, whose data sets all have a hundred policies, one return each and one noise level."""
    _, runs = data_sets()[0]
    return band_for(logged_returns(*runs[0]).data, DELTA, "paper", SEED)


def trust_ahead_of_cql() -> dict[str, tuple[float, float]]:
    """By robot and setting what TRUST earns more than CQL, on average over the runs on which CQL was trained.

    With the standard error of that difference, which comes from the episodes that measure both.
    """
    found = {}
    for name, runs in data_sets():
        trained = [_lead_over_cql(run, score) for run in runs if (score := cql_score(*run))]
        if trained:
            leads, errors = np.array(trained).T
            found[name] = float(leads.mean()), float(np.sqrt(errors @ errors) / errors.size)
    return found


def _lead_over_cql(run: tuple[str, str, int], score: CqlScore) -> tuple[float, float]:
    data, truth = logged_returns(*run)
    value, error = truth.of(trust(data, DELTA, robots_band()).weights)
    return value - score.value, float(np.hypot(error, score.standard_error))


def cql_hours() -> Array:
    """How long each of our trainings of CQL took, in hours of one core."""
    scores = [cql_score(*run) for _, runs in data_sets() for run in runs]
    return np.array([score.hours for score in scores if score])


def data_sets(reading: str = READINGS[0]) -> list[tuple[str, list[tuple[str, str, int]]]]:
    """The data sets of Table 3: their name in a claim's key, and one (environment, setting, seed) per training run."""
    return [
        (f"{env}.{setting}", [(env, setting, run) for run in collected_seeds(env, setting, reading)])
        for env in ENVIRONMENTS
        for setting in SETTINGS
        if reading in collected_readings(env, setting)
    ]


@cache
def instance_of(name: str) -> Instance:
    """The instance of Table 1, ``"starved"``, or of Table 2, ``"general"``."""
    make: dict[str, Callable[[], Instance]] = {"starved": data_starved, "general": general}
    return make[name]()


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
    width, error = gaussian_width(region, radii, 128, SEED)
    bound, linear = bounds.width_bound(region, radii), radii * sqrt(10_000)
    return bool((bound >= width - 4 * error).all() and bound[-1] == linear[-1] and bound[0] < linear[0] / 5)


def _hump() -> bool:
    """On one log of Table 1 the value where the bound peaks exceeds the reference's, and that the greedy arm's."""
    band, instance = grid_band("starved"), instance_of("starved")
    means = instance.sample(default_rng(SEED)).means
    peak = int(np.argmax(band.region.suprema(means, band.radii) - band.widths))
    greedy, best, least = (instance.value(band.region.policy(means, float(band.radii[i]))) for i in (0, peak, -1))
    return greedy < least < best
