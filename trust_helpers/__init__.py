"""TRUST: reliable decisions from bandit logs with very few samples per arm."""

from . import bounds, instances, paper
from .algorithm import combined, trust
from .band import (
    Band,
    calibrated_band,
    draws_for,
    gaussian_width,
    least_draws,
    order_statistic,
    paper_band,
)
from .baselines import behaviour_cloning, confidence_widths, greedy, lcb
from .data import OfflineData
from .decision import Decision, TrustDecision
from .errors import DataError, NotEnoughDraws, SolverFailed, TrustError
from .instances import Instance
from .noise import range_sigma
from .region import TrustRegion
from .stein import SteinEstimate, stein_estimate, stein_radius

__version__ = "0.1.0"

__all__ = [
    "Band",
    "DataError",
    "Decision",
    "Instance",
    "NotEnoughDraws",
    "OfflineData",
    "SolverFailed",
    "SteinEstimate",
    "TrustDecision",
    "TrustError",
    "TrustRegion",
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
    "paper",
    "paper_band",
    "range_sigma",
    "stein_estimate",
    "stein_radius",
    "trust",
]
