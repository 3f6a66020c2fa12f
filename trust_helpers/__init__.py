"""TRUST: reliable decisions from bandit logs with very few samples per arm."""

from . import bounds, instances, paper
from .band import Band, band_for, calibrated_band, gaussian_width, paper_band
from .baselines import behaviour_cloning, confidence_widths, greedy, lcb
from .combined import combined
from .data import OfflineData
from .decision import Decision, TrustDecision
from .errors import DataError, NotEnoughDraws, SolverFailed, TrustError
from .instances import Instance
from .noise import Bounded, Gaussian, Pooled, StandardDeviation, range_sigma
from .planning import Planned, plan
from .quantiles import draws_for, least_draws, order_statistic
from .region import TrustRegion
from .report import Report, report
from .split import Gain, SplitDecision, outperform, split
from .stein import SteinEstimate, stein_estimate, stein_radius
from .trust import trust, trust_many

__version__ = "0.3.0"

__all__ = [
    "Band",
    "Bounded",
    "DataError",
    "Decision",
    "Gain",
    "Gaussian",
    "Instance",
    "NotEnoughDraws",
    "OfflineData",
    "Planned",
    "Pooled",
    "Report",
    "SolverFailed",
    "SplitDecision",
    "StandardDeviation",
    "SteinEstimate",
    "TrustDecision",
    "TrustError",
    "TrustRegion",
    "band_for",
    "behaviour_cloning",
    "bounds",
    "calibrated_band",
    "combined",
    "confidence_widths",
    "draws_for",
    "gaussian_width",
    "greedy",
    "instances",
    "lcb",
    "least_draws",
    "order_statistic",
    "outperform",
    "paper",
    "paper_band",
    "plan",
    "range_sigma",
    "report",
    "split",
    "stein_estimate",
    "stein_radius",
    "trust",
    "trust_many",
]
