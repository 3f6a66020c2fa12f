"""The cone solver as a witness: the tightest answer Clarabel will vouch for."""

import warnings

import hypothesis

from trust_helpers import SolverFailed


def clarabel_value(region, x, radius):
    """The value of the cone program at the tightest tolerance for which Clarabel reports an optimum.

    On degenerate problems, a radius within 1e-6 of touching a vertex, it cannot vouch even for its default of 1e-8.
    Those examples are passed over here; the dual certificate covers them.
    """
    for tolerance in (1e-10, 1e-9, 1e-8):
        options = dict.fromkeys(["tol_gap_abs", "tol_gap_rel", "tol_feas"], tolerance)
        try:
            with warnings.catch_warnings(action="error"):
                return float(region.improvement_cvxpy(x, radius, **options) @ x)
        except (SolverFailed, UserWarning):
            hypothesis.event(f"Clarabel gave up at {tolerance:g}")
    return hypothesis.reject()
