"""What chapter 1 tries out: rules that play one arm, where they fall for luck and where they need not."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, inf, log
from typing import Any

import numpy as np
from numpy.random import SeedSequence, default_rng
from scipy import stats

from ... import bounds
from ...baselines import lcb
from ...checks import Array, frozen, probability, whole_number
from ...data import OfflineData
from ...decision import Decision, single_arm
from ...errors import TrustError
from ...instances import Instance, gaussian
from ...trials import Played, play
from ..pictures.counts import Count
from ..table import number, verdict

__all__ = [
    "LcbTrial",
    "arm_at_quantile",
    "chance_that_the_best_sample_is_good",
    "claim_rows",
    "lcb_with_more_samples",
    "one_arm_in_fifty_good",
    "try_lcb_on_random_logs",
    "worth_of_arms_by_rank",
]

BAD = stats.norm(0, 0.5)


def chance_that_the_best_sample_is_good(d: int, good: Any, bad: Any = BAD) -> float:
    r"""The chance that a good arm has the largest of one sample each: d arms, half of law ``good``, half ``bad``.

    Given the largest of the n good samples, all bad ones are below it with probability :math:`F_b^{d-n}`; that largest
    is the :math:`u^{1/n}` quantile with u uniform. Laws are frozen distributions of scipy.

    >>> from trust_helpers.paper import exact
    >>> chance = chance_that_the_best_sample_is_good(1_000, stats.uniform(0.5, 1.0))
    >>> round(chance - exact.greedy_value(1_000), 4)
    0.0
    """
    n = whole_number(d, "d", least=2) // 2
    u, weight = _nodes()
    return float(weight @ np.exp((d - n) * bad.logcdf(good.ppf(u ** (1 / n)))))


@cache
def _nodes() -> tuple[Array, Array]:
    """Quadrature on (0, 1)."""
    node, weight = np.polynomial.legendre.leggauss(400)
    return (node + 1) / 2, weight / 2


def arm_at_quantile(share: float) -> Callable[[OfflineData], Decision]:
    """The rule that plays the arm below which a share of the samples lies; 1 is greedy.

    >>> rule = arm_at_quantile(0.5)
    >>> rule(OfflineData([5.0, 1.0, 3.0], [1, 1, 1], 1.0)).weights.tolist()
    [0.0, 0.0, 1.0]
    """
    if not 0 < share <= 1:
        raise TrustError(f"share is {share:g}: it must lie in (0, 1]")

    def rule(data: OfflineData) -> Decision:
        arm = int(np.argsort(data.means)[ceil(share * data.n_arms) - 1])
        return Decision(single_arm(arm, data.n_arms), float(data.means[arm]), -inf, 1.0, f"{share:.0%} quantile")

    return rule


def one_arm_in_fifty_good(d: int) -> Instance:
    """A world where few arms are good and all noise is normal: one arm in fifty is worth 1, the others 0.

    >>> one_arm_in_fifty_good(200).means.sum()
    np.float64(4.0)
    """
    place = np.arange(whole_number(d, "d", least=50))
    return gaussian(np.where(place < d // 50, 1.0, 0.0), 0.5)


def worth_of_arms_by_rank(
    worlds: Mapping[str, Instance], shares: Sequence[float], logs: int, seed: int
) -> list[dict[str, float | str]]:
    r"""A row for each share: what the arm at that rank among the samples is worth on average, in each world.

    >>> row = worth_of_arms_by_rank({"few good": one_arm_in_fifty_good(50)}, [1.0], 20, 0)[0]
    >>> row["rank"], row["few good"] > 0.1
    ('100\xa0%', True)
    """
    rules = {number(share, ".0%"): arm_at_quantile(share) for share in shares}
    played = {name: play(world, rules, logs, seed) for name, world in worlds.items()}
    return [{"rank": rank} | {name: float(many[rank].value.mean()) for name, many in played.items()} for rank in rules]


@dataclass(frozen=True, eq=False)
class LcbTrial:
    """LCB on logs whose arms were drawn at random, one entry per log.

    Attributes
    ----------
    excess : (n,) array
        By how much the gap to some arm exceeds claim 1 of Theorem 3.1, at worst over arms; not positive if it holds.
    gap : (n,) array
        How far LCB's arm falls short of the best.
    allowed : float
        What claim 2 allows.
    samples : int
        Samples in each log.
    """

    excess: Array
    gap: Array
    allowed: float
    samples: int

    def broken(self, delta: float) -> tuple[Count, Count]:
        """How often each claim was broken; claim 1 may be with probability delta, claim 2 with twice that."""
        first, second = int((self.excess > 0).sum()), int((self.gap > self.allowed).sum())
        return (
            Count("the gap to every arm (claim 1)", first, self.gap.size, delta),
            Count("the gap to the best arm (claim 2)", second, self.gap.size, 2 * delta),
        )


def claim_rows(counts: Iterable[Count]) -> list[dict[str, Any]]:
    """Rows of a table: each claim, how often it was broken, how often it may be, and the verdict."""
    return [
        {"claim": one.name, "broken": one.share, "allowed": one.allowed, "verdict": verdict(one.verdict)}
        for one in counts
    ]


def try_lcb_on_random_logs(instance: Instance, per_arm: int, delta: float, replications: int, seed: int) -> LcbTrial:
    """Theorem 3.1 on logs of an instance with sigma = 1 whose arms are drawn uniformly.

    At least ``per_arm`` samples are expected of each arm, and more if claim 2 asks for more.
    """
    d = instance.n_arms
    each = max(whole_number(per_arm, "per_arm"), ceil(8 * log(1 / probability(delta))))
    excess, gap = [], []
    for stream in SeedSequence(seed).spawn(whole_number(replications, "replications")):
        rng = default_rng(stream)
        drawn = instance.sample(rng, rng.multinomial(each * d, np.full(d, 1 / d)))
        behind = instance.means - instance.value(lcb(drawn, delta).weights)
        excess.append((behind - bounds.lcb_gap_to_arm(drawn, delta)).max())
        gap.append(behind.max())
    allowed = bounds.lcb_gap_to_best(d, each * d, d, delta)
    return LcbTrial(frozen(excess), frozen(gap), allowed, each * d)


def lcb_with_more_samples(
    instance: Instance, samples: Sequence[int], delta: float, replications: int, seed: int
) -> list[Played]:
    """What LCB promises and earns with each of these numbers of samples per arm."""
    return [play(instance, ["lcb"], replications, seed, delta=delta, pulls=n)["lcb"] for n in samples]
