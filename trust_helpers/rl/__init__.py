"""Logging policies as arms (Section 6.2): the bundled returns of MuJoCo policies, and how they were collected.

Reading the data needs nothing beyond the package. Collecting it again, ``python -m trust_helpers.rl collect``, needs
the extra ``rl``.
"""

from .collector.recipe import ENVIRONMENTS, SETTINGS
from .shipped import CqlScore, Logged, Truth, collected_seeds, cql_score, logged_returns, provenance

__all__ = [
    "ENVIRONMENTS",
    "SETTINGS",
    "CqlScore",
    "Logged",
    "Truth",
    "collected_seeds",
    "cql_score",
    "logged_returns",
    "provenance",
]
