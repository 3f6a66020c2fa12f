"""What a log supports: every method's decision, which one to follow and why."""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..band import Kind, band_of, named_kind
from ..baselines import behaviour_cloning, greedy, lcb
from ..checks import Array, probability
from ..combined import combined, highest, promises_of, shares_for, simulate_log
from ..data import OfflineData
from ..decision import Decision, TrustDecision, single_arm
from ..planning import arm_intervals, may_be_alike, pilot
from ..simulation import seed_number
from ..split import Gain, SplitDecision, outperform
from ..split.posteriors import coin_guesses, normal_guesses
from ..stein import SteinEstimate, stein_estimate
from ..trust import trust
from ..values import Value, make_frame
from . import forms, plots, words

__all__ = ["Report", "report"]


@dataclass(frozen=True, eq=False, repr=False)
class Report(Value):
    """All decisions on one log.

    Attributes
    ----------
    data, delta
        The log, and the failure probability.
    decisions : tuple of Decision
        Greedy, LCB, behaviour cloning, TRUST (where the noise law bounds every mixture at once) and combined, in this
        order.
    mixture : TrustDecision or None
        TRUST's decision, with its radius and band; None where nothing bounds every mixture at once.
    stein : SteinEstimate or None
        What TRUST's mixture will earn, corrected for optimism, where the correction exists: Gaussian noise of known
        level. The radius was chosen by looking at the same rewards, so it is a plug-in estimate.
    doubts : tuple of str
        What in the log speaks against the assumption; if there is any, no promise is to be relied on.
    promises : tuple of Decision
        What each method that was combined promises at its share of delta, cloning first; all hold at once.
    gain : Gain or None
        The mixture promised to be better than the baseline, where one was named.

    Examples
    --------
    >>> made = report(OfflineData([0.2, 0.8], counts=[5, 5], sigma=0.5))
    >>> [one.method for one in made.decisions]
    ['greedy', 'LCB', 'behaviour cloning', 'TRUST', 'combined (mixture)']
    >>> made.recommended.weights, made.why
    (array([0., 1.]), 'this one arm has the highest promise; no mixture that was tried promises more')
    """

    data: OfflineData
    delta: float
    decisions: tuple[Decision, ...]
    mixture: TrustDecision | None
    stein: SteinEstimate | None
    doubts: tuple[str, ...]
    promises: tuple[Decision, ...] = ()
    gain: Gain | None = None

    @property
    def recommended(self) -> Decision:
        """The combined decision, with the highest promise that holds at the report's confidence."""
        return self.decisions[-1]

    @property
    def advised(self) -> Decision:
        """The policy to follow; with a baseline, the mixture that is promised to be better, or the baseline."""
        if self.gain is None:
            alike = self.untold and self.promises
            return replace(self.promises[0], confidence=1 - self.delta) if alike else self.recommended
        if self.gain.lower_bound > 0:
            return self.gain
        weights = single_arm(self.gain.baseline, self.data.n_arms)
        return replace(self.gain, weights=weights, estimate=0.0, lower_bound=0.0, method="baseline")

    @property
    def one(self) -> Decision:
        """The single arm with the highest lower bound, all bounds holding at once."""
        return self.decisions[1]

    @property
    def own(self) -> Decision:
        """What behaviour cloning decides, all arms as often as the log tried them."""
        return self.decisions[2]

    @property
    def split(self) -> SplitDecision | None:
        """What splitting the log promises at its share of delta, where it took part."""
        return next((one for one in self.promises if isinstance(one, SplitDecision)), None)

    @cached_property
    def stays(self) -> bool:
        """Whether what is recommended, whichever method found it, is how often the log itself tried the arms."""
        own = self.data.counts / self.data.n_samples
        return bool(np.allclose(self.recommended.weights, own, rtol=1e-9, atol=0))

    @cached_property
    def untold(self) -> bool:
        """Whether nothing stands out, as what is recommended is cloning, or promises no more and all may be alike."""
        if self.gain is not None or self.data.n_arms == 1 or self.data.reference is not None:
            return False
        better = self.recommended.lower_bound > self.own.lower_bound
        return self.stays or (not better and may_be_alike(self.data, self.delta))

    @cached_property
    def believed(self) -> Array:
        """Every arm's mean, drawn to those of the others as far as the noise tells (empirical Bayes)."""
        data = self.data
        if data.n_arms == 1:
            return data.means
        if data.successes is not None:
            return coin_guesses(data.successes, data.counts).middle
        return normal_guesses(data.means, data.counts / pilot(data).level ** 2).middle

    @cached_property
    def choices(self) -> tuple[tuple[str, Decision], ...]:
        """Every policy once, the advised first, with the methods that play it; of them the highest promise."""
        first = self.advised if self.gain is None else self.recommended
        groups = [[first]]
        for one in (*self.decisions[:-1], *filter(None, [self.split])):
            same = (group for group in groups if np.array_equal(group[0].weights, one.weights))
            if (group := next(same, None)) is None:
                groups.append([one])
            else:
                group.append(one)
        names = [", ".join(dict.fromkeys(words.alone(one.method) for one in group)) for group in groups]
        chosen = [
            max(group, key=lambda one: (words.promised(one), one.confidence, one.lower_bound)) for group in groups
        ]
        return tuple(zip(names, [first, *chosen[1:]], strict=True))

    def expected(self, one: Decision) -> float:
        """What a policy should be expected to earn: an estimate that having chosen has not flattered.

        A split's is what its mixtures earned on the samples that judged them, and TRUST's is Stein's where it exists;
        any other is the mean of ``believed``.
        """
        if isinstance(one, SplitDecision):
            return one.earned
        if one is self.mixture and self.stein is not None:
            return self.stein.value
        own = np.array_equal(one.weights, self.own.weights)
        return one.estimate if own else float(one.weights @ self.believed)

    @property
    def assumes(self) -> str:
        """What every promise rests on, as a sentence."""
        return f"The promises assume that {self.data.assumes}."

    why = property(words.why)
    summary, to_markdown, to_html, to_dict = forms.as_text, forms.as_markdown, forms.as_html, forms.as_dict
    plot = plots.draw

    def to_frame(self) -> Any:
        """Every arm with its weight, samples, mean and interval, as a frame of pandas, or polars without pandas."""
        low, high = arm_intervals(self.data, self.delta)
        return make_frame({**self.data.columns(), "low": low, "high": high, "weight": self.advised.weights})

    def __repr__(self) -> str:
        return f"<Report on {self.data.extent}: {words.headline(self, words.About())}>"

    def _repr_html_(self) -> str:
        return forms.as_html(self, notebook=True)


def report(
    data: OfflineData,
    delta: float = 0.1,
    band: Kind | None = None,
    seed: int = 0,
    *,
    baseline: object = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> Report:
    """Every method's decision on a log, and which to follow.

    The noise is simulated once, for TRUST's band and for the joint promise.

    Parameters
    ----------
    data : OfflineData
        The log.
    delta : float
        Failure probability: what is recommended is promised at 1 - delta.
    band : "calibrated" or "paper", optional
        With "paper" TRUST has the paper's band and the combination is the paper's (Appendix E), at 1 - 3 delta.
    seed : int
        Seed of the simulated noise and of what is split at random.
    baseline : optional
        The name of the arm that is used now, or its number where arms have no names: what is advised is then what is
        promised to be better, and by how much, or to stay with it.
    executor, progress
        Where the simulation runs, and whether it shows a progress bar.

    Examples
    --------
    >>> made = report(OfflineData.from_counts([90, 40, 45], [100, 100, 100]))
    >>> made.recommended.confidence, made.doubts
    (0.9, ())
    """
    delta, kind = probability(delta), named_kind(band, "'paper' or 'calibrated'")
    number = seed_number(seed)
    gain = None if baseline is None else outperform(data, baseline, delta, seed=number)
    mixture, better, promises = _decided(data, delta, kind, number, executor, progress)
    several = [greedy(data), lcb(data, delta), behaviour_cloning(data, delta), mixture, better]
    stein = None
    if mixture is not None and data.law.known_level and data.region.centred:
        stein = stein_estimate(data.region, data.means, mixture.radius)
    decisions = tuple(one for one in several if one is not None)
    return Report(data, delta, decisions, mixture, stein, data.law.doubts(data), promises, gain)


def _decided(
    data: OfflineData, delta: float, band: Kind, seed: int, executor: Executor | None, progress: bool
) -> tuple[TrustDecision | None, Decision, tuple[Decision, ...]]:
    """TRUST's decision, where there is one, the combined one, from one simulation, and all that took part."""
    if band == "paper":
        made = trust(data, delta, band, seed, executor=executor, progress=progress)
        return made, combined(data, delta, made.band), ()
    shares = shares_for(data)
    simulated = simulate_log(data, delta * shares.joint, seed, executor, progress) if shares.joint else None
    mixture = None if simulated is None else trust(data, delta, band_of(simulated, delta))
    promises = promises_of(data, delta, shares, simulated, seed)
    return mixture, highest(promises, delta), tuple(promises)
