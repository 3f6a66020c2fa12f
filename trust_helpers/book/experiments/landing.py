"""What the landing page tries out: four methods on the paper's first example, greedy beside TRUST on its second."""

from dataclasses import dataclass
from math import inf

import numpy as np

from ...band import Band
from ...instances import Instance, general
from ...paper.exact import LargestSample, of_general
from ...trials import play
from ..pictures.scores import Worth

__all__ = ["GreedyBesideTrust", "greedy_beside_trust_on_a_ladder", "worth_of_four_methods"]

BAD_DAY = 0.05  # one log in twenty


def worth_of_four_methods(
    instance: Instance, largest: LargestSample, band: Band, logs: int, seed: int
) -> dict[str, Worth]:
    """What greedy, LCB, cloning and TRUST are worth on average, and what they promise.

    With equal counts greedy and LCB both play the arm with the ``largest`` sample, whose law is known exactly; greedy
    promises nothing. The two mixtures are averaged over fresh logs, at the band's delta.

    >>> from trust_helpers import TrustRegion, band_for, instances
    >>> from trust_helpers.paper import exact
    >>> world = instances.data_starved(40)
    >>> band = band_for(TrustRegion(1 / world.sigma**2), 0.1, "calibrated", 0)
    >>> rows = worth_of_four_methods(world, exact.of_starved(40), band, logs=5, seed=0)
    >>> [row.name for row in rows.values()], round(rows["greedy"].value, 2)
    (['greedy', 'LCB', 'clone the log', 'TRUST'], 0.96)
    """
    made = play(instance, ["behaviour", "trust"], logs, seed, delta=band.delta, band=band)
    single = largest.value.mean
    rows = {"greedy": Worth("greedy", single, -inf), "lcb": Worth("LCB", single, largest.mean_lcb_bound(band.delta))}
    for key, name in (("behaviour", "clone the log"), ("trust", "TRUST")):
        rows[key] = Worth(name, float(made[key].value.mean()), float(made[key].bound.mean()))
    return rows


@dataclass(frozen=True)
class GreedyBesideTrust:
    """Greedy's arm and TRUST's mixture on one instance: mean value, value on the worst log in twenty, promise.

    >>> GreedyBesideTrust(0.8, 0.5, 0.1, 0.7, 0.6, 0.3).words
    {'better': 'better', 'stronger': 'a stronger', 'fewer': 'fewer'}
    """

    greedy: float
    greedy_worst: float
    lcb_bound: float
    trust: float
    trust_worst: float
    trust_bound: float

    @property
    def words(self) -> dict[str, str]:
        """How greedy's mean compares with TRUST's, and how TRUST's promise and its bad days compare with greedy's."""
        return {
            "better": "better" if self.greedy > self.trust else "worse",
            "stronger": "a stronger" if self.trust_bound > self.lcb_bound else "a weaker",
            "fewer": "fewer" if self.trust_worst > self.greedy_worst else "no fewer",
        }


def greedy_beside_trust_on_a_ladder(arms: int, delta: float, logs: int, seed: int) -> GreedyBesideTrust:
    """The paper's second example, arm i worth i/d, one sample each: greedy exactly, TRUST over fresh logs.

    TRUST has the calibrated band, so that its promise and LCB's hold at the same confidence.
    """
    lucky = of_general(arms)
    mixed = play(general(arms), ["trust"], logs, seed, delta=delta, band="calibrated")["trust"]
    return GreedyBesideTrust(
        greedy=lucky.value.mean,
        greedy_worst=lucky.value.quantile(BAD_DAY),
        lcb_bound=lucky.mean_lcb_bound(delta),
        trust=float(mixed.value.mean()),
        trust_worst=float(np.quantile(mixed.value, BAD_DAY)),
        trust_bound=float(mixed.bound.mean()),
    )
