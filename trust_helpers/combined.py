"""The best promise of several methods, each given a share of the failure probability that is fixed in advance."""

from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from .band import Band, Kind, calibration_draws, named_kind
from .baselines import behaviour_cloning, lcb
from .checks import Array, frozen, probability
from .data import OfflineData
from .decision import Decision, single_arm
from .errors import DataError
from .simulation import NoiseDraws, Simulation, seed_number, simulate_design
from .split import split
from .trust import trust

__all__ = ["Shares", "best_promise", "combined", "shares_for", "simulate_log"]

# Samples beyond the first of each arm without which splitting is not tried.
SPARE = 10
# Arms of 0/1 rewards up to which single arms are judged on all samples rather than chosen and judged apart.
FEW = 12
ROUNDING = 1e-12


@dataclass(frozen=True)
class Shares:
    """How the failure probability is shared out; a method without a share is not asked.

    >>> Shares(cloning=0.1, joint=0.9).split
    0.0
    """

    cloning: float
    joint: float = 0.0
    arms: float = 0.0
    split: float = 0.0


def shares_for(data: OfflineData) -> Shares:
    """The shares of a log, by its counts, its law and what was kept of it.

    Of the rewards one thing matters, whether all are 0 or 1. That is a look at them: where they are, the methods for
    0/1 rewards say what they say of coins, for any law on [0, 1], and where they are not, other methods hold. By a
    union bound both could fail, at twice delta; no law was found for which they do (chapter 8, exercise 4).

    Where nothing bounds every mixture at once, single arms have the share of the joint score. One bounded reward per
    arm tells nothing that cloning does not know, so cloning has nearly all. Rewards that are 0 or 1 have a bound for
    single arms that is much sharper near 0 and 1 than the joint score's. Where there is something to split, split has
    half of what cloning leaves; more where noise is not Gaussian, for the joint score is then cautious or missing.
    Among a dozen arms or fewer of 0/1 rewards a bound for all of them at once costs less than choosing on half of the
    samples, and nothing is split. One arm leaves nothing to choose, and cloning has nearly all.

    >>> shares_for(OfflineData.from_counts([3, 1] * 10, [4, 4] * 10))
    Shares(cloning=0.1, joint=0.2, arms=0.1, split=0.6)
    >>> shares_for(OfflineData.from_counts([3, 1], [4, 4]))
    Shares(cloning=0.1, joint=0.1, arms=0.8, split=0.0)
    """
    spare = data.has_samples and data.n_samples - data.n_arms >= SPARE
    divided = data.law.known_level or spare  # Gaussian averages of known level are split without a sample
    if data.n_arms == 1:
        return Shares(0.9, 0.1) if data.uniform else Shares(1.0)
    if not data.uniform:
        return Shares(0.2, arms=0.2, split=0.6) if divided else Shares(0.5, arms=0.5)
    if not data.law.exact:
        if int(data.counts.max()) == 1:
            return Shares(0.9, 0.1)
        if data.successes is not None:
            return Shares(0.1, 0.1, 0.8) if data.n_arms <= FEW else Shares(0.1, 0.2, 0.1, 0.6)
        return Shares(0.1, 0.3, split=0.6) if divided else Shares(0.2, 0.8)
    return Shares(0.1, 0.45, split=0.45) if divided else Shares(0.1, 0.9)


def combined(
    data: OfflineData,
    delta: float = 0.1,
    band: Band | Kind | None = None,
    seed: int | Generator = 0,
    *,
    executor: Executor | None = None,
    progress: bool = False,
) -> Decision:
    """The highest of several promises: cloning's, one for mixtures, single arms and the reference, and a split log's.

    Each is made at its own share of delta (:func:`~trust_helpers.combined.shares_for`), so all hold at once and the
    highest may be taken. It holds at 1 - delta, and never falls behind cloning's own promise by more than cloning's
    share costs. Arguments are those of :func:`~trust_helpers.trust`.

    With ``band="paper"``, or a Band, it is the paper's combination instead (Appendix E): the better of LCB and TRUST by
    their lower bounds, LCB on a tie. Corollary E.1: it holds at 1 - 3 delta with the paper's band.

    >>> made = combined(OfflineData.from_counts([90, 40, 45], [100, 100, 100]), delta=0.1)
    >>> made.weights.argmax(), made.confidence, made.lower_bound > 0.75
    (np.int64(0), 0.9, True)
    """
    if isinstance(band, Band) or band == "paper":
        arm = lcb(data, delta, "paper")
        mixture = trust(data, delta, band, seed, executor=executor, progress=progress)
        better: Decision = arm if arm.lower_bound >= mixture.lower_bound else mixture
        confidence = max(arm.confidence + mixture.confidence - 1, 0.0)
        return replace(better, confidence=confidence, method=f"combined ({better.method})")
    named_kind(band)
    delta, number, shares = probability(delta), seed_number(seed), shares_for(data)
    simulated = simulate_log(data, delta * shares.joint, number, executor, progress) if shares.joint else None
    return best_promise(data, delta, shares, simulated, number)


def simulate_log(
    data: OfflineData, delta: float, seed: int, executor: Executor | None = None, progress: bool = False
) -> Simulation:
    """The noise of a log's design on the paper's grid, with draws enough for ``delta``.

    >>> made = simulate_log(OfflineData([0.1, 0.9], counts=[4, 4], sigma=0.5), delta=0.1, seed=0)
    >>> made.draws, made.radii.size
    (2000, 40)
    """
    draws = calibration_draws(data.n_arms, delta)
    return simulate_design(data.region, data.design, data.region.radii(), draws, seed, delta, executor, progress)


def best_promise(
    data: OfflineData, delta: float, shares: Shares, simulated: Simulation | None, seed: int = 0
) -> Decision:
    """The highest of the promises that have a share, of mixtures that look no worse than cloning on the whole log.

    ``seed`` deals the samples of the split.

    >>> log = OfflineData.from_counts([90, 40, 45], [100, 100, 100])
    >>> made = best_promise(log, 0.1, Shares(cloning=0.5, arms=0.5), simulated=None)
    >>> made.method, made.confidence
    ('combined (LCB)', 0.9)
    """
    return highest(promises_of(data, delta, shares, simulated, seed), delta)


def promises_of(
    data: OfflineData, delta: float, shares: Shares, simulated: Simulation | None, seed: int = 0
) -> list[Decision]:
    """What each method with a share promises at its share of delta, cloning first; all hold at once.

    >>> log = OfflineData.from_counts([90, 40, 45], [100, 100, 100])
    >>> [one.method for one in promises_of(log, 0.1, Shares(cloning=0.5, arms=0.5), simulated=None)]
    ['behaviour cloning', 'LCB']
    """
    promises = [behaviour_cloning(data, delta * shares.cloning, "exact")]
    if simulated is not None:
        promises.append(joint_band(simulated.for_log(data), delta * shares.joint).decide(data))
    if shares.arms:
        promises.append(lcb(data, delta * shares.arms))
    if shares.split:
        with suppress(DataError):  # its deals, which look at counts alone, may leave nothing to judge with
            promises.append(split(data, delta * shares.split, seed=seed))
    return promises


def highest(promises: list[Decision], delta: float) -> Decision:
    """The highest promise of a mixture that looks no worse than cloning, which comes first."""
    sensible = [one for one in promises if one.estimate >= promises[0].estimate - ROUNDING * abs(promises[0].estimate)]
    best = max(sensible, key=lambda one: one.lower_bound)
    return replace(best, confidence=1 - delta, method=f"combined ({best.method})")


@dataclass(frozen=True, eq=False)
class JointBand:
    """Widths that hold for every mixture of the radii, every single arm and the reference policy at once.

    One score for all of them: suprema, the largest noise of a single arm in units of its deviation, and the noise of
    the reference policy. All are convex in the noise, so both ways from scores to a bound hold for their maximum too.
    By so much may the value of the best mixture of each radius, of each arm and of the reference be overestimated.

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
    """The joint band of a simulation at one failure probability."""
    pilot, fresh = _rows(simulated.pilot), _rows(simulated.fresh)
    centre, scale = pilot.mean(axis=0), pilot.std(axis=0)
    centre[-1] = 0.0
    width = centre + simulated.bound(pilot, fresh, centre, scale, delta) * scale
    arms = width[-2] * simulated.design.deviations
    return JointBand(simulated, delta, frozen(width[:-2]), frozen(arms), float(width[-1]))


def _rows(draws: NoiseDraws) -> Array:
    """Each draw's noise in every radius, of the worst single arm, and of the reference policy."""
    return np.column_stack([draws.suprema + draws.reference[:, None], draws.arms, draws.reference])
