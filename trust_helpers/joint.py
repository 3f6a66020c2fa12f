"""One score for mixtures of every radius, single arms and the reference policy: what may be promised of any of them.

The scores are those of :mod:`trust_helpers.scores`, with two more entries: the largest noise of a single arm in units
of its deviation, and the noise of the reference policy. All are convex in the noise, so both ways from scores to a
bound hold for their joint maximum too.
"""

from dataclasses import dataclass

import numpy as np

from .checks import Array, frozen
from .data import OfflineData
from .decision import Decision, single_arm
from .noise_rows import NoiseDraws
from .scores import Simulation

__all__ = ["JointBand", "joint_band"]


@dataclass(frozen=True, eq=False)
class JointBand:
    """Widths that hold for every mixture of the radii, every single arm and the reference policy at once.

    Attributes
    ----------
    simulated : Simulation
        The draws.
    delta : float
        Failure probability.
    mixtures : (n,) array
        What the value of the best mixture of each radius may be overestimated by.
    arms : (d,) array
        What the mean of each arm may be overestimated by.
    reference : float
        The same for the reference policy.

    Examples
    --------
    >>> from trust_helpers.combination import simulate_log
    >>> log = OfflineData([0.1, 0.9, 0.8], counts=[9, 9, 9], sigma=0.5)
    >>> widths = joint_band(simulate_log(log, 0.1, seed=0), 0.1)
    >>> widths.mixtures.shape, widths.arms.shape, widths.decide(log).confidence
    ((40,), (3,), 0.9)
    """

    simulated: Simulation
    delta: float
    mixtures: Array
    arms: Array
    reference: float

    def decide(self, data: OfflineData) -> Decision:
        """The mixture, arm or reference policy with the highest promise on a log of the design."""
        region, radii = self.simulated.region, self.simulated.radii
        base = float(region.reference @ data.means)
        mixtures = base + region.suprema(data.means, radii) - self.mixtures
        arms = data.means - self.arms
        promises = [float(mixtures.max()), float(arms.max()), base - self.reference]
        best = int(np.argmax(promises))
        if best == 0:
            weights = frozen(region.policy(data.means, float(radii[np.argmax(mixtures)])))
        else:
            weights = single_arm(int(np.argmax(arms)), data.n_arms) if best == 1 else region.reference
        name = ("mixture", "single arm", "reference policy")[best]
        return Decision(weights, float(weights @ data.means), promises[best], 1 - self.delta, name)


def joint_band(simulated: Simulation, delta: float) -> JointBand:
    """The joint band of a simulation at one failure probability.

    >>> from trust_helpers.combination import simulate_log
    >>> log = OfflineData([0.1, 0.9], counts=[9, 36], sigma=0.5)
    >>> widths = joint_band(simulate_log(log, 0.1, seed=0), 0.1)
    >>> round(widths.arms[0] / widths.arms[1], 6)
    np.float64(2.0)
    """
    pilot, fresh = _rows(simulated.pilot), _rows(simulated.fresh)
    centre, scale = pilot.mean(axis=0), pilot.std(axis=0)
    centre[-1] = 0.0
    width = centre + simulated.bound(pilot, fresh, centre, scale, delta) * scale
    arms = width[-2] * simulated.design.deviations
    return JointBand(simulated, delta, frozen(width[:-2]), frozen(arms), float(width[-1]))


def _rows(draws: NoiseDraws) -> Array:
    """Each draw's noise in every radius, of the worst single arm, and of the reference policy."""
    return np.column_stack([draws.suprema + draws.reference[:, None], draws.arms, draws.reference])
