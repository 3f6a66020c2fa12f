"""What a log supports: every method's decision, which one to follow and why, for people and for machines."""

from concurrent.futures import Executor
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

import numpy as np

from .algorithm import combined, trust
from .baselines import behaviour_cloning, greedy, lcb
from .data import OfflineData
from .decision import Decision, TrustDecision
from .stein import SteinEstimate, stein_estimate

__all__ = ["Report", "as_dict", "as_text", "report"]

ASSUMES = (
    "The guarantees assume that rewards are independent, that the noise of a single reward is Gaussian with standard "
    "deviation at most sigma, and that arms pay in the future as they did in the log. Rewards that sit at both ends of "
    "their range are not Gaussian: with many arms and little signal the guarantee of a mixture can fail for them."
)


@dataclass(frozen=True, eq=False)
class Report:
    """All decisions on one log.

    Attributes
    ----------
    data : OfflineData
        The log.
    decisions : tuple of Decision
        Greedy, LCB, behaviour cloning, TRUST and combined, in this order.
    mixture : TrustDecision
        TRUST's decision, with its radius and band.
    stein : SteinEstimate or None
        What TRUST's mixture will earn, corrected for optimism, where the correction exists.
    """

    data: OfflineData
    decisions: tuple[Decision, ...]
    mixture: TrustDecision
    stein: SteinEstimate | None

    @property
    def recommended(self) -> Decision:
        """The combined decision: whichever of LCB and TRUST guarantees more."""
        return self.decisions[-1]

    @property
    def why(self) -> str:
        """Why it is recommended, in one sentence."""
        if self.data.n_arms == 1:
            return "there is one arm, so there is nothing to choose"
        if "LCB" in self.recommended.method:
            return "one arm stands out so clearly that its own lower bound is the highest guarantee"
        if self.mixture.radius == self.mixture.band.radii[-1]:
            return "no improvement stands out from the noise, so the mixture stays with the logging policy"
        return "the mixture has the highest guaranteed value; a single arm's reward is too uncertain"


def report(
    data: OfflineData,
    delta: float = 0.1,
    band: Literal["calibrated", "paper"] = "calibrated",
    seed: int = 0,
    *,
    executor: Executor | None = None,
    progress: bool = False,
) -> Report:
    """Every method's decision on a log, and which to follow."""
    mixture = trust(data, delta, band, seed, executor=executor, progress=progress)
    better = combined(data, delta, mixture.band)
    decisions = (greedy(data), lcb(data, delta), behaviour_cloning(data, delta), mixture, better)
    return Report(data, decisions, mixture, stein_estimate(data.region, data.means, mixture.radius))


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
    return "\n\n".join([*parts, ASSUMES])


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
    share = mixture.radius / largest if largest > 0 else 0.0
    text = f"TRUST mixes {mixture.support:,} of {made.data.n_arms:,} arms, at {share:.3g} of the largest radius."
    if made.stein is None:
        return f"{text}\nIts estimate is optimistic, and too few arms are mixed to correct it."
    shaky = "" if made.stein.nearly_normal and made.stein.exact else ", roughly: few arms are mixed"
    return (
        f"{text}\nCorrected for optimism (Stein) it should earn {made.stein.value:.4g}, "
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
        "delta": mixture.band.delta,
        "band": {"method": mixture.band.method, "draws": mixture.band.draws, "seed": mixture.band.seed},
        "radius": {"critical": mixture.radius, "largest": data.region.largest_radius},
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
        "assumes": ASSUMES,
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
