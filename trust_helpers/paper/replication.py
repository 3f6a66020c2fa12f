"""Tables 1 and 2 with a band of one's own: what chapters 2, 4, 5, 7 and the landing page still call.

New pages take :mod:`trust_helpers.trials` and ask :mod:`trust_helpers.paper.verdicts`; this module goes with its last
caller.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import SeedSequence, default_rng

from ..algorithm import trust
from ..band import Band
from ..baselines import greedy, lcb
from ..checks import Array, whole_number
from ..instances import Instance
from .claims import Claim

__all__ = ["Outcome", "compare", "repeat", "table1", "table2"]

Runs = dict[str, Array]


def repeat(instance: Instance, band: Band, replications: int, seed: int) -> Runs:
    """Fresh logs with the band's counts; per log each method's true value and lower bound, and TRUST's radius.

    Keys are ``METHOD.value`` and ``METHOD.bound`` for greedy, lcb and trust, and ``trust.radius``.
    """
    counts = np.rint(band.region.precision * instance.sigma**2)
    rows = []
    for child in SeedSequence(seed).spawn(whole_number(replications, "replications")):
        data = instance.sample(default_rng(child), counts)
        mixture = trust(data, band.delta, band)
        decisions = {"greedy": greedy(data), "lcb": lcb(data, band.delta), "trust": mixture}
        row = {f"{name}.value": instance.value(made.weights) for name, made in decisions.items()}
        row |= {f"{name}.bound": made.lower_bound for name, made in decisions.items()}
        rows.append(row | {"trust.radius": mixture.radius})
    return {key: np.array([row[key] for row in rows]) for key in rows[0]}


def table1(instance: Instance, band: Band, replications: int, seed: int) -> Runs:
    """Table 1 and the critical radius of Section 6.1, one entry per log."""
    runs = repeat(instance, band, replications, seed)
    behaviour = np.full(replications, instance.value(band.region.reference))
    return {
        "table1.behaviour": behaviour,
        "table1.greedy": runs["greedy.value"],
        "table1.lcb": runs["lcb.value"],
        "table1.lcb_bound": runs["lcb.bound"],
        "table1.max_reward": np.full(replications, instance.means.max()),
        "table1.improvement": runs["trust.value"] - behaviour,
        "table1.trust": runs["trust.value"],
        "table1.trust_bound": runs["trust.bound"],
        "text.critical_radius": runs["trust.radius"] / band.region.largest_radius,
    }


def table2(instance: Instance, band: Band, replications: int, seed: int, seeds: int = 8) -> Runs:
    """Table 2, one entry per group of ``seeds`` logs: means, minima, and what the paper calls variance.

    The printed "variance" of LCB exceeds the largest variance its own mean and minimum allow, so it is read as a
    standard deviation.
    """
    runs = repeat(instance, band, replications * seeds, seed)
    grouped = {key: values.reshape(replications, seeds) for key, values in runs.items()}
    result: Runs = {}
    for name in ("lcb", "trust"):
        value, bound = grouped[f"{name}.value"], grouped[f"{name}.bound"]
        result |= {
            f"table2.{name}_mean": value.mean(axis=1),
            f"table2.{name}_bound": bound.mean(axis=1),
            f"table2.{name}_variance": value.std(axis=1, ddof=1),
            f"table2.{name}_min": value.min(axis=1),
        }
    return result


@dataclass(frozen=True)
class Outcome:
    """A printed number beside its replications."""

    claim: Claim
    mean: float
    low: float
    high: float
    verdict: Literal["reproduced", "within spread", "differs"]


def compare(claim: Claim, runs: Mapping[str, Array]) -> Outcome:
    """Where a printed number falls among our replications.

    *Reproduced*: our mean rounds to the printed digits. *Within spread*: the printed number, give or take its
    rounding, lies between the 2.5 % and 97.5 % quantiles of our replications, or, of fewer than 40, between the
    smallest and the largest. *Differs* otherwise.
    """
    values = runs[claim.key]
    tail = 0.025 if values.size >= 40 else 0.0
    mean, (low, high) = float(values.mean()), np.quantile(values, [tail, 1 - tail])
    slack = claim.rounding * (1 + 1e-9)
    verdict: Literal["reproduced", "within spread", "differs"] = "differs"
    if abs(mean - claim.value) <= slack:
        verdict = "reproduced"
    elif low - slack <= claim.value <= high + slack:
        verdict = "within spread"
    return Outcome(claim, mean, float(low), float(high), verdict)
