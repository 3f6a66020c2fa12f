"""The paper's simulated experiments, repeated many times: what it prints against the spread it came from.

Each function returns, for the keys of :mod:`trust_helpers.paper`, one value per replication. A band depends on the
design alone, so all replications share one.
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
from ..rl import ENVIRONMENTS, SETTINGS, collected_seeds, cql_score, logged_returns
from ..rl.shipped import SIGMA
from .claims import Claim

__all__ = ["Outcome", "compare", "repeat", "table1", "table2", "table3"]

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


def table3(delta: float, seed: int, sigma: float = SIGMA) -> Runs:
    """Table 3 from the bundled returns, one entry per training run: TRUST with the paper's band, and CQL if trained.

    ``seed`` is that of the band. All data sets have a hundred policies, one return each and one noise level, so they
    share it.
    """
    first = logged_returns(ENVIRONMENTS[0], SETTINGS[0], collected_seeds(ENVIRONMENTS[0])[0], sigma)
    band = trust(first.data, delta, "paper", seed).band
    result: Runs = {}
    for env in ENVIRONMENTS:
        for setting in SETTINGS:
            keys = [(env, setting, run) for run in collected_seeds(env)]
            logs = [logged_returns(*key, sigma=sigma) for key in keys]
            values = [log.truth.of(trust(log.data, delta, band).weights)[0] for log in logs]
            result[f"table3.{env}.{setting}.TRUST"] = np.array(values)
            scores = [score.value for key in keys if (score := cql_score(*key))]
            if scores:
                result[f"table3.{env}.{setting}.CQL"] = np.array(scores)
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
