"""Logging policies as arms (Section 6.2): the bundled returns of MuJoCo policies, and how they were collected.

Reading the data needs nothing beyond the package. Collecting it again, ``python -m trust_helpers.rl collect``, needs
the extra ``rl``.
"""

from .names import ENVIRONMENTS, READINGS, SETTINGS
from .shipped import (
    CqlPoint,
    CqlScore,
    Logged,
    Truth,
    collected_readings,
    collected_seeds,
    cql_score,
    logged_returns,
    provenance,
)

__all__ = [
    "ENVIRONMENTS",
    "READINGS",
    "SETTINGS",
    "CqlPoint",
    "CqlScore",
    "Logged",
    "Truth",
    "collected_readings",
    "collected_seeds",
    "cql_score",
    "logged_returns",
    "provenance",
]
