"""The cone solver as a witness: the tightest answer Clarabel will vouch for."""

import warnings
from functools import cache

import cvxpy as cp
import hypothesis
import numpy as np


@cache
def compiled(arms):
    """Equation (10) for any precisions, reference, vector and radius: written down, and compiled, once per size.

    The package writes it down for each region (:meth:`TrustRegion.improvement_cvxpy`), which takes three times as long.
    """
    delta, radius = cp.Variable(arms), cp.Parameter(nonneg=True)
    x, reference, deviation = (cp.Parameter(arms) for _ in range(3))
    constraints = [delta + reference >= 0, cp.sum(delta) == 0, cp.norm(cp.multiply(deviation, delta)) <= radius]
    return cp.Problem(cp.Maximize(x @ delta), constraints), x, reference, deviation, radius


def clarabel_value(region, x, radius):
    """The value of the cone program at the tightest tolerance for which Clarabel reports an optimum.

    On degenerate problems, a radius within 1e-6 of touching a vertex, it cannot vouch even for its default of 1e-8.
    Those examples are passed over here; the dual certificate covers them.
    """
    problem, *parameters = compiled(region.n_arms)
    unit = float(np.abs(x).max()) or 1.0  # the solver's tolerances are absolute
    values = (x / unit, region.reference, 1 / np.sqrt(region.precision), radius)
    for parameter, value in zip(parameters, values, strict=True):
        parameter.value = value
    for tolerance in (1e-10, 1e-9, 1e-8):
        options = dict.fromkeys(["tol_gap_abs", "tol_gap_rel", "tol_feas"], tolerance)
        try:
            with warnings.catch_warnings(action="error"):
                problem.solve(solver="CLARABEL", **options)
        except (cp.SolverError, UserWarning):
            hypothesis.event(f"Clarabel gave up at {tolerance:g}")
            continue
        if problem.status == "optimal":
            return unit * float(problem.value)
    return hypothesis.reject()
