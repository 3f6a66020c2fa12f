"""A report for machines."""

from math import isfinite
from typing import TYPE_CHECKING, Any

from ..data import OfflineData
from ..decision import Decision, TrustDecision
from ..split import Gain
from ..stein import SteinEstimate
from .wording import heaviest, name_of

if TYPE_CHECKING:
    from ..reports import Report

__all__ = ["KEYS", "as_dict"]

KEYS = """\
  log, skipped_rows, notices, command, version, seed, sha256, arms, samples, samples_per_arm {least, most},
  sigma {least, most}, delta, band {method, draws, seed} or null, radius {critical, largest} or null,
  methods [{method, estimate, lower_bound, confidence, support}], lower_bound null where nothing is promised,
  stein {value, standard_error, exact, nearly_normal} or null, recommended {method, why},
  gain {baseline, lower_bound, confidence, earned, support} over --baseline, or null,
  top [{arm, weight, samples, mean}], assumes, doubts [...], reliable"""


def as_dict(made: "Report", top: int = 10) -> dict[str, Any]:
    """The report for machines; minus infinity, which JSON does not have, is None."""
    data, weights = made.data, made.advised.weights
    return {
        "arms": data.n_arms,
        "samples": data.n_samples,
        "samples_per_arm": {"least": int(data.counts.min()), "most": int(data.counts.max())},
        "sigma": {"least": float(data.sigma.min()), "most": float(data.sigma.max())},
        "delta": made.delta,
        **_band_of(made.mixture, data),
        "methods": [_method(one) for one in made.decisions],
        "stein": None if made.stein is None else _stein(made.stein),
        "recommended": {"method": made.recommended.method, "why": made.why},
        "gain": None if made.gain is None else _gain(made.gain, data),
        "top": [
            {
                "arm": name_of(data, arm),
                "weight": float(weights[arm]),
                "samples": int(data.counts[arm]),
                "mean": float(data.means[arm]),
            }
            for arm in heaviest(made.advised, top)
        ],
        "assumes": made.assumes,
        "doubts": list(made.doubts),
        "reliable": not made.doubts,
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
    promised = isfinite(one.lower_bound) and one.confidence > 0
    return {
        "method": one.method,
        "estimate": one.estimate,
        "lower_bound": one.lower_bound if promised else None,
        "confidence": one.confidence,
        "support": one.support,
    }


def _gain(made: Gain, data: OfflineData) -> dict[str, Any]:
    return {
        "baseline": name_of(data, made.baseline),
        "lower_bound": made.lower_bound,
        "confidence": made.confidence,
        "earned": made.earned,
        "support": made.support,
    }


def _stein(made: SteinEstimate) -> dict[str, Any]:
    return {
        "value": made.value,
        "standard_error": made.standard_error,
        "exact": made.exact,
        "nearly_normal": made.nearly_normal,
    }
