"""What chapter 2 tries out: mixtures fixed in advance, mixtures searched for, and what the search costs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.random import SeedSequence, default_rng
from numpy.typing import ArrayLike
from scipy import optimize, stats

from ...algorithm import trust
from ...band import band_for
from ...baselines import behaviour_cloning, lcb
from ...checks import Array, probability, whole_number
from ...data import OfflineData
from ...decision import Decision
from ...instances import Instance, data_starved, gaussian
from ...region import TrustRegion
from ...trials import play
from ..pictures.counts import Count
from ..table import number, verdict

__all__ = [
    "Margin",
    "best_mixture",
    "error_of_random_mixtures",
    "even_mixtures_of_the_best",
    "excess_of_a_random_policy",
    "length_of_luck",
    "luck_quantile",
    "margin_rows",
    "multiplier_by_place",
    "multipliers_by_arms",
    "promises_in",
    "single_arm_multiplier",
    "try_margins",
    "worlds_of_few_and_many_good_arms",
]


def error_of_random_mixtures(instance: Instance, sizes: ArrayLike, logs: int, seed: int) -> Array:
    """The standard error of the even mixture of k arms picked blindly, for each k, over logs of one sample each."""
    errors = []
    for stream in SeedSequence(seed).spawn(whole_number(logs, "logs")):
        rng = default_rng(stream)
        noise = rng.permutation(instance.sample(rng).means - instance.means)
        errors.append(np.cumsum(noise)[np.asarray(sizes) - 1] / np.asarray(sizes))
    return np.asarray(np.sqrt((np.array(errors) ** 2).mean(axis=0)))


def even_mixtures_of_the_best(data: OfflineData, means: ArrayLike) -> tuple[Array, Array]:
    """What the even mixture of the k arms with the best samples seems to be worth and is worth, for k = 1, 2, ...

    >>> log = OfflineData([0.0, 4.0, 2.0], [1, 1, 1], 1.0)
    >>> seen, real = even_mixtures_of_the_best(log, [1.0, 0.0, 2.0])
    >>> seen.tolist(), real.tolist()
    ([4.0, 3.0, 2.0], [0.0, 1.0, 1.0])
    """
    order, count = np.argsort(-data.means, kind="stable"), np.arange(1, data.n_arms + 1)
    return np.cumsum(data.means[order]) / count, np.cumsum(np.asarray(means, dtype=float)[order]) / count


def best_mixture(multiplier: float, confidence: float = 0.0) -> Callable[[OfflineData], Decision]:
    r"""The rule that maximises :math:`w^\top\hat r-q\sqrt{\sum_iw_i^2/p_i}` over all mixtures, q the multiplier.

    For every value of the root the best mixture is that of a trust region; the roots are scanned on a fine grid.

    >>> log = OfflineData([0.0, 1.0], [1, 1], 1.0)
    >>> best_mixture(0.0)(log).weights.tolist()
    [0.0, 1.0]
    >>> best_mixture(100.0)(log).weights.round(2).tolist()
    [0.5, 0.5]
    """

    def rule(data: OfflineData) -> Decision:
        region = data.region
        excess = np.append(region.radii(1.03, 260), 0.0)
        estimate = region.suprema(data.means, excess) + region.reference @ data.means
        promise = estimate - multiplier * np.sqrt(excess**2 + region.reference_variance)
        i = int(promise.argmax())
        weights = region.policy(data.means, float(excess[i]))
        return Decision(weights, float(estimate[i]), float(promise[i]), confidence, "best mixture")

    return rule


def luck_quantile(d: int, level: float) -> float:
    r"""The quantile of :math:`\|z_+\|` for d standard normals: how many standard errors cover all mixtures at once.

    Given how many of them are positive, its square is chi-square with that many degrees of freedom.

    >>> round(luck_quantile(1, 0.9), 4), round(float(stats.norm.ppf(0.9)), 4)
    (1.2816, 1.2816)
    """
    positive = np.arange(1, whole_number(d, "d") + 1)
    share = stats.binom.pmf(positive, d, 0.5)
    inside = probability(level) - 0.5**d  # none of them positive
    likely = share > 1e-18

    def excess(bound: float) -> float:
        return float(share[likely] @ stats.chi2.cdf(bound**2, positive[likely])) - inside

    return float(optimize.brentq(excess, 0, 3 * np.sqrt(d) + 10))


def single_arm_multiplier(d: int, level: float) -> float:
    """The quantile of the largest of d standard normals: how many standard errors cover all single arms at once.

    >>> round(single_arm_multiplier(1, 0.9), 4)
    1.2816
    """
    return float(stats.norm.ppf(probability(level) ** (1 / whole_number(d, "d"))))


def multipliers_by_arms(dimensions: ArrayLike, delta: float) -> dict[str, Array]:
    r"""How many standard errors a one-sided margin needs at each number of arms, for four kinds of search.

    The ellipsoid charges the quantile of :math:`\|z\|` where all mixtures need that of :math:`\|z_+\|`.

    >>> for name, values in multipliers_by_arms([1, 100], 0.1).items():
    ...     print(name, values.round(2).tolist())
    one fixed mixture [1.28, 1.28]
    all single arms [1.28, 3.07]
    all mixtures [1.28, 8.05]
    the ellipsoid [1.64, 10.89]
    """
    d, level = np.asarray(dimensions, dtype=int), 1 - probability(delta)
    return {
        "one fixed mixture": np.full(d.size, stats.norm.ppf(level)),
        "all single arms": np.array([single_arm_multiplier(int(n), level) for n in d]),
        "all mixtures": np.array([luck_quantile(int(n), level) for n in d]),
        "the ellipsoid": np.sqrt(stats.chi2.ppf(level, d)),
    }


def length_of_luck(d: int, draws: int, seed: int) -> Array:
    r"""Simulated :math:`\|z_+\|` for d standard normals."""
    z = default_rng(seed).standard_normal((whole_number(draws, "draws"), whole_number(d, "d")))
    return np.asarray(np.linalg.norm(z.clip(0), axis=1))


def multiplier_by_place(d: int, draws: int, delta: float, seed: int) -> tuple[Array, Array]:
    """How many standard errors the search needs if it goes no farther than a given radius, one sample per arm.

    Returns
    -------
    (n,) array, (n,) array
        Radii as shares of the largest, from it down to zero, and the quantile of the worst noise over the region in
        units of the standard error at its rim.
    """
    unit = TrustRegion(np.ones(whole_number(d, "d")))
    radii = np.append(unit.radii(1.15, 70), 0.0)
    z = default_rng(seed).standard_normal((whole_number(draws, "draws"), d))
    worst = unit.suprema(z, radii) + (z @ unit.reference)[:, None]
    needed = np.quantile(worst / np.sqrt(radii**2 + 1 / d), 1 - probability(delta), axis=0)
    return radii / radii[0], needed


def excess_of_a_random_policy(d: int) -> float:
    r"""Where a policy drawn evenly from the simplex lies, one sample per arm: its excess over a single arm's.

    Its :math:`\mathbb E\sum_iw_i^2` is 2/(d+1), cloning's 1/d and a single arm's 1.

    >>> round(excess_of_a_random_policy(10_000), 4)
    0.01
    """
    return sqrt((2 / (whole_number(d, "d", least=2) + 1) - 1 / d) / (1 - 1 / d))


@dataclass(frozen=True)
class Margin:
    """A margin for the search of mixtures, tried: on one log what is promised and worth, on fresh logs how it fares."""

    name: str
    multiplier: float
    promised: float
    worth: float
    promised_on_average: float
    missed: Count


def try_margins(
    instance: Instance, data: OfflineData, multipliers: Mapping[str, float], delta: float, logs: int, seed: int
) -> list[Margin]:
    """Each multiplier on the given log and on fresh ones of the instance; delta is what may be missed."""
    rules = {name: best_mixture(q) for name, q in multipliers.items()}
    tried, found = play(instance, rules, logs, seed), []
    for name, rule in rules.items():
        made, many = rule(data), tried[name]
        missed = Count(name, int((many.bound > many.value).sum()), logs, delta)
        worth = instance.value(made.weights)
        found.append(Margin(name, multipliers[name], made.lower_bound, worth, float(many.bound.mean()), missed))
    return found


def margin_rows(tried: Iterable[Margin]) -> list[dict[str, Any]]:
    """Rows of a table: each margin on one log and on fresh ones, how often it was missed, and the verdict."""
    return [
        {
            "margin for": one.name,
            "multiplier": number(one.multiplier, ".1f"),
            "promised": one.promised,
            "worth": one.worth,
            "promised on average": one.promised_on_average,
            "missed": number(one.missed.share, ".0%"),
            "promise": verdict(one.missed.verdict),
        }
        for one in tried
    ]


def worlds_of_few_and_many_good_arms(d: int = 2_000) -> dict[str, Instance]:
    """Three instances of one design: half of the arms good, one in twenty good, one excellent."""
    place = np.arange(whole_number(d, "d", least=20))
    return {
        "half the arms good": data_starved(d),
        "one arm in twenty good": gaussian(np.where(place < d // 20, 1.0, 0.0), 0.5),
        "one arm of mean 5": gaussian(np.where(place < 1, 5.0, 0.0), 0.5),
    }


def promises_in(worlds: Mapping[str, Instance], delta: float, logs: int, seed: int) -> dict[str, dict[str, float]]:
    """What cloning, LCB, the margin for all mixtures and TRUST promise on average at 1 - delta, one sample per arm.

    The worlds are of one design, so that one calibrated band serves all.
    """
    first = next(iter(worlds.values()))
    band = band_for(first.sample(default_rng(seed)), delta, "calibrated", seed)
    methods: dict[str, Callable[[OfflineData], Decision]] = {
        "cloning": lambda log: behaviour_cloning(log, delta),
        "LCB": lambda log: lcb(log, delta),
        "all mixtures": best_mixture(luck_quantile(first.n_arms, 1 - delta)),
        "TRUST": lambda log: trust(log, delta, band),
    }
    played = {name: play(world, methods, logs, seed) for name, world in worlds.items()}
    return {name: {method: float(made.bound.mean()) for method, made in many.items()} for name, many in played.items()}
