"""Why a verdict is what it is: sentences whose numbers are computed when they are asked for."""

import re
from collections.abc import Callable
from functools import cache
from math import log
from typing import Literal

import numpy as np
from numpy.random import SeedSequence, default_rng

from ..band import band_for
from ..checks import Array
from ..quantiles import least_draws
from ..rl import cql_score, logged_returns
from . import exact, tables
from .claims import claim

__all__ = ["most_variance", "reason", "value_at_the_printed_radius"]

LOGS = 100


def reason(key: str) -> str:
    """One sentence or two on our number beside the printed one, with true minus signs."""
    said = SENTENCES[key]() if key in SENTENCES else _robots(key) if key.startswith("table3.") else _hours(key)
    return re.sub(r"(?<![\w-])-(?=\d)", "\N{MINUS SIGN}", said).replace(" %", "\N{NO-BREAK SPACE}%")


def most_variance(mean: float, least: float, size: int = 8, most: float = 1.0) -> float:
    r"""The largest sample variance of ``size`` numbers between ``least`` and ``most`` with this mean:
    :math:`\frac n{n-1}(b-m)(m-a)`.

    >>> round(most_variance(0.718, 0.239), 3)
    0.154
    """
    return size / (size - 1) * (most - mean) * (mean - least)


@cache
def value_at_the_printed_radius() -> Array:
    """What the best-looking mixture at the paper's critical radius earns, one entry per log of Table 1."""
    region, instance = tables.grid_band("starved").region, tables.instance_of("starved")
    radius = claim("text.critical_radius").value * region.largest_radius
    return np.array([instance.value(region.policy(means, radius)) for means in _means(LOGS)])


def _means(count: int) -> list[Array]:
    """The rewards of the first logs of Table 1."""
    streams = SeedSequence(tables.SEED).spawn(count)
    return [tables.instance_of("starved").sample(default_rng(stream)).means for stream in streams]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _flat(key: str) -> str:
    ours, there = tables.table1()[key].mean(), value_at_the_printed_radius().mean()
    shift = tables.table1()["table1.trust"].mean() - ours
    return (
        f"At the printed radius our policies have {there - shift:.3f}, at the radius that our grid picks {ours:.3f}: "
        "the number follows the radius."
    )


def _radius() -> str:
    band, printed = tables.grid_band("starved"), claim("text.critical_radius").value
    share = band.radii / band.radii[0]
    above, below = share[share >= printed].min(), share[share < printed].max()
    objective = band.region.suprema(np.array(_means(LOGS)), band.radii) - band.widths
    loss = (objective.max(axis=1) - objective[:, share == above][:, 0]).mean()
    return (
        f"Our grid has {below:.4f} and {above:.4f} on either side. The optimum is flat: at the larger of the two the "
        f"objective is lower by {loss:.3f} on average."
    )


def _lcb_bound() -> str:
    width, largest = exact.lcb_half_width(10_000, tables.DELTA), exact.of_starved().expected
    return (
        f"The largest sample is {largest:.2f} on average and the half width {width:.2f}. A good arm's mean less the "
        f"width is {1 - width:.2f}, which may be the source."
    )


def _eight(key: str, lead: str = "") -> str:
    values, printed = tables.table2()[key], claim(key).value
    side = values >= printed if printed >= values.mean() else values <= printed
    return f"{lead}{_percent(side.mean())} of groups of eight logs lie at least as far out."


def _trust_bound() -> str:
    band, few = tables.grid_band("general"), least_draws(tables.DELTA / 80)
    fewest = band_for(band.region, tables.DELTA, "paper", tables.SEED, draws=few)
    played = [band.at(radius) for radius in tables.trust_on("general").radius]
    wider = (fewest.widths - band.widths)[played].mean()
    return (
        f"{_eight('table2.trust_bound')} The band has {band.draws:,} draws; with the fewest allowed, {few:,}, the "
        f"bound would be lower by {wider:.3f}. The paper does not print its number of draws."
    )


def _lcb_spread() -> str:
    printed = claim("table2.lcb_variance")
    most = most_variance(claim("table2.lcb_mean").value, claim("table2.lcb_min").value)
    reach = (exact.spread_of_eight() >= printed.value - printed.rounding).mean()
    return (
        f"As a variance it would exceed the largest possible, {most:.3f}; read as a standard deviation. Eight seeds "
        f"reach it with probability {_percent(reach)}."
    )


def _robots(key: str) -> str:
    name, method = key.removeprefix("table3.").rsplit(".", 1)
    runs = dict(tables.data_sets())[name]
    if method == "CQL":
        updates = {score.updates for run in runs if (score := cql_score(*run))}
        if not updates:
            return "CQL has not been trained on this data set."
        return f"Ours had {', '.join(f'{n:,}' for n in sorted(updates))} updates; the paper's, 2,000 episodes."
    best = max(float(logged_returns(*run).truth.values.max()) for run in runs)
    said = (
        "Out of reach of our logging policies" if claim(key).value > best else "Other logging policies than the paper's"
    )
    return f"{said}: the best of all our runs is worth {best:,.0f}."


def _hours(key: str) -> str:
    if key.startswith("time.cql"):
        hours = tables.cql_hours()
        if not hours.size:
            return "CQL has not been trained on any of these data sets."
        return f"Ours took {hours.min():.2f} to {hours.max():.2f} hours of one core, for other numbers of updates."
    band = tables.robots_band()
    return (
        f"Ours sorts each of {band.draws:,} draws of a hundred numbers once, where a cone solver has "
        f"{band.draws * band.radii.size:,} programs to solve; make bench measures it on other sizes."
    )


def _eight_lcb(what: Literal["mean", "min", "bound"], lead: str) -> str:
    law, printed = exact.lcb_eight(what), claim(f"table2.lcb_{what}").value
    below, chance = printed <= law.mean, law.at_most(printed)
    return f"{lead} this or {'less' if below else 'more'} with probability {_percent(chance if below else 1 - chance)}."


SENTENCES: dict[str, Callable[[], str]] = {
    "text.lcb_width": lambda: f"Equation (1) gives {exact.lcb_half_width(10_000, tables.DELTA):.3f}.",
    "text.lcb_samples": lambda: f"The logarithm gives {8 * log(2 / tables.DELTA):.2f}, rounded up.",
    "text.bc_bound": lambda: f"Hoeffding's bound around 1/2 gives {exact.cloning_bound(10_000, tables.DELTA):.4f}.",
    "table1.behaviour": lambda: (
        f"{_percent(tables.instance_of('starved').means.mean())} of the arms have mean 1, the rest mean 0."
    ),
    "table1.greedy": lambda: f"The largest sample is a good arm's in {_percent(exact.greedy_value(10_000))} of logs.",
    "table1.lcb": lambda: "With equal counts LCB plays the arm that greedy plays.",
    "table1.lcb_bound": _lcb_bound,
    "table1.max_reward": lambda: "The mean of a good arm.",
    "table1.improvement": lambda: _flat("table1.improvement"),
    "table1.trust": lambda: _flat("table1.trust"),
    "table1.trust_bound": lambda: f"Claim 3 of the main theorem; {tables.grid_band('starved').draws:,} draws.",
    "text.critical_radius": _radius,
    "table2.lcb_mean": lambda: _eight_lcb("mean", "Eight seeds average"),
    "table2.lcb_bound": lambda: _eight_lcb("bound", "Eight seeds average"),
    "table2.lcb_min": lambda: _eight_lcb("min", "The smallest of eight is"),
    "table2.lcb_variance": _lcb_spread,
    "table2.trust_mean": lambda: _eight("table2.trust_mean"),
    "table2.trust_min": lambda: _eight("table2.trust_min"),
    "table2.trust_variance": lambda: _eight("table2.trust_variance", "Read as a standard deviation. "),
    "table2.trust_bound": _trust_bound,
}
