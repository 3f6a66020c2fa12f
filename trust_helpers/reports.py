"""What a log supports: every method's decision, which one to follow and why, for people and for machines."""

from concurrent.futures import Executor
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from .algorithm import trust
from .band import Kind, band_of
from .baselines import behaviour_cloning, greedy, lcb
from .checks import probability
from .combination import best_promise, combined, shares_for, simulate_log
from .data import OfflineData
from .decision import Decision, TrustDecision
from .laws import Gaussian
from .simulate import seed_number
from .stein import SteinEstimate, stein_estimate

__all__ = ["Report", "as_dict", "as_text", "report"]


@dataclass(frozen=True, eq=False)
class Report:
    """All decisions on one log.

    Attributes
    ----------
    data : OfflineData
        The log.
    delta : float
        Failure probability.
    decisions : tuple of Decision
        Greedy, LCB, behaviour cloning, TRUST (where the noise law bounds every mixture at once) and combined, in this
        order.
    mixture : TrustDecision or None
        TRUST's decision, with its radius and band.
    stein : SteinEstimate or None
        What TRUST's mixture will earn, corrected for optimism, where the correction exists: Gaussian noise of known
        level. The radius was chosen by looking at the same rewards, so it is a plug-in estimate.
    doubts : tuple of str
        What in the log speaks against the assumption; if there is any, no promise is to be relied on.

    Examples
    --------
    >>> report(OfflineData([0.2, 0.8], counts=[5, 5], sigma=0.5)).assumes[:39]
    'The promises assume that rewards are in'
    """

    data: OfflineData
    delta: float
    decisions: tuple[Decision, ...]
    mixture: TrustDecision | None
    stein: SteinEstimate | None
    doubts: tuple[str, ...]

    @property
    def recommended(self) -> Decision:
        """The combined decision: the highest promise that holds at the report's confidence."""
        return self.decisions[-1]

    @property
    def assumes(self) -> str:
        """What every promise rests on, as a sentence."""
        return f"The promises assume that {self.data.law.assumes}."

    @property
    def why(self) -> str:
        """Why it is recommended, in one sentence that fits the policy recommended."""
        chosen = self.recommended.method
        if self.data.n_arms == 1:
            return "there is one arm, so there is nothing to choose"
        if self.recommended.support == 1:
            return "one arm stands out so clearly that its own lower bound is the highest promise"
        if "cloning" in chosen or "reference" in chosen:
            return "no improvement stands out from the noise, so the policy stays with the log's own proportions"
        return "this mixture has the highest promise; the reward of any single arm is too uncertain"


def report(
    data: OfflineData,
    delta: float = 0.1,
    band: Kind | None = None,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    progress: bool = False,
) -> Report:
    """Every method's decision on a log, and which to follow.

    The noise is simulated once, for TRUST's band and for the joint promise. With ``band="paper"`` TRUST has the paper's
    band and the combination is the paper's (Appendix E).

    Examples
    --------
    >>> made = report(OfflineData.from_counts([90, 40, 45], [100, 100, 100]))
    >>> made.recommended.confidence, made.doubts
    (0.9, ())
    """
    delta = probability(delta)
    mixture, better = _decided(data, delta, band, seed_number(seed), executor, progress)
    several = [greedy(data), lcb(data, delta), behaviour_cloning(data, delta), mixture, better]
    stein = None
    if mixture is not None and isinstance(data.law, Gaussian) and data.region.centred:
        stein = stein_estimate(data.region, data.means, mixture.radius)
    decisions = tuple(one for one in several if one is not None)
    return Report(data, delta, decisions, mixture, stein, data.law.doubts(data))


def _decided(
    data: OfflineData, delta: float, band: Kind | None, seed: int, executor: Executor | None, progress: bool
) -> tuple[TrustDecision | None, Decision]:
    """TRUST's decision, where there is one, and the combined one, from one simulation."""
    if band == "paper":
        mixture = trust(data, delta, band, seed, executor=executor, progress=progress)
        return mixture, combined(data, delta, mixture.band)
    shares = shares_for(data)
    if not shares.joint:
        return None, best_promise(data, delta, shares, None, seed)
    simulated = simulate_log(data, delta * shares.joint, seed, executor, progress)
    return trust(data, delta, band_of(simulated, delta)), best_promise(data, delta, shares, simulated, seed)


def name_of(data: OfflineData, arm: int) -> str:
    """What an arm is called; its number if it has no name."""
    return str(arm if data.names is None else data.names[arm])


def heaviest(made: Decision, top: int) -> list[int]:
    """The arms played most, heaviest first, at most ``top`` of them; ties in the order of the arms."""
    order = np.argsort(-made.weights, kind="stable")[:top]
    return [int(arm) for arm in order if made.weights[arm] > 0]


def as_text(made: Report, top: int = 10) -> str:
    """The report as a person reads it."""
    data = made.data
    parts = [_header(data), _table(made), f"Recommended: {made.recommended.method}: {made.why}."]
    if data.n_arms > 1:
        parts += [_mixture(made), _weights(made, top)]
    parts += [f"Not to be relied on: {doubt}." for doubt in made.doubts]
    return "\n\n".join([*parts, made.assumes])


def _header(data: OfflineData) -> str:
    least, most = int(data.counts.min()), int(data.counts.max())
    each = f"{least:,} each" if least == most else f"{least:,} to {most:,} per arm"
    low, high = data.sigma.min(), data.sigma.max()
    sigma = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
    arms = "1 arm" if data.n_arms == 1 else f"{data.n_arms:,} arms"
    samples = "1 sample" if data.n_samples == 1 else f"{data.n_samples:,} samples"
    return f"{arms}, {samples} ({each}), sigma {sigma}"


def _table(made: Report) -> str:
    lines = [f"{'method':<20} {'estimate':>10} {'at least':>10} {'confidence':>11}"]
    for one in made.decisions:
        bound = f"{one.lower_bound:10.4g}" if isfinite(one.lower_bound) else f"{'none':>10}"
        sure = f"{one.confidence:11.0%}" if isfinite(one.lower_bound) else f"{'':>11}"
        lines.append(f"{one.method:<20} {one.estimate:10.4g} {bound} {sure}".rstrip())
    return "\n".join(lines)


def _mixture(made: Report) -> str:
    mixture, largest = made.mixture, made.data.region.largest_radius
    if mixture is None:
        return "Nothing bounds every mixture at once under this law, so TRUST has no promise."
    share = mixture.radius / largest if largest > 0 else 0.0
    text = f"TRUST mixes {mixture.support:,} of {made.data.n_arms:,} arms, at {share:.3g} of the largest radius."
    if made.stein is None:
        return f"{text}\nIts estimate is optimistic, and too few arms are mixed to correct it."
    shaky = "" if made.stein.nearly_normal and made.stein.exact else ", roughly: few arms are mixed"
    return (
        f"{text}\nA plug-in estimate corrected for optimism (Stein): {made.stein.value:.4g}, "
        f"standard error {made.stein.standard_error:.2g}{shaky}; this is an estimate, not a guarantee."
    )


def _weights(made: Report, top: int) -> str:
    data, weights = made.data, made.recommended.weights
    arms = heaviest(made.recommended, top)
    if not arms:
        return "No weights shown."
    width = max(len("arm"), *(len(name_of(data, arm)) for arm in arms))
    lines = [f"{'arm':<{width}} {'weight':>10} {'samples':>8} {'mean':>10}"]
    lines += [
        f"{name_of(data, arm):<{width}} {weights[arm]:10.4g} {data.counts[arm]:8,d} {data.means[arm]:10.4g}"
        for arm in arms
    ]
    rest = made.recommended.support - len(arms)
    return "\n".join([*lines, f"and {rest:,} more"] if rest > 0 else lines)


def as_dict(made: Report, top: int = 10) -> dict[str, Any]:
    """The report for machines; minus infinity, which JSON does not have, is None."""
    data, mixture = made.data, made.mixture
    return {
        "arms": data.n_arms,
        "samples": data.n_samples,
        "samples_per_arm": {"least": int(data.counts.min()), "most": int(data.counts.max())},
        "sigma": {"least": float(data.sigma.min()), "most": float(data.sigma.max())},
        "delta": made.delta,
        **_band_of(mixture, data),
        "methods": [_method(one) for one in made.decisions],
        "stein": None if made.stein is None else _stein(made.stein),
        "recommended": {"method": made.recommended.method, "why": made.why},
        "top": [
            {
                "arm": name_of(data, arm),
                "weight": float(made.recommended.weights[arm]),
                "samples": int(data.counts[arm]),
                "mean": float(data.means[arm]),
            }
            for arm in heaviest(made.recommended, top)
        ],
        "assumes": made.assumes,
        "doubts": list(made.doubts),
    }


def _band_of(mixture: TrustDecision | None, data: OfflineData) -> dict[str, Any]:
    """TRUST's band and radius, None where it has none."""
    if mixture is None:
        return {"band": None, "radius": None}
    band = mixture.band
    return {
        "band": {"method": band.method, "draws": band.draws, "seed": band.seed},
        "radius": {"critical": mixture.radius, "largest": data.region.largest_radius},
    }


def _method(one: Decision) -> dict[str, Any]:
    return {
        "method": one.method,
        "estimate": one.estimate,
        "lower_bound": one.lower_bound if isfinite(one.lower_bound) else None,
        "confidence": one.confidence,
        "support": one.support,
    }


def _stein(made: SteinEstimate) -> dict[str, Any]:
    return {
        "value": made.value,
        "standard_error": made.standard_error,
        "exact": made.exact,
        "nearly_normal": made.nearly_normal,
    }
