"""The paper's own route to the best improvement: a second-order cone program in cvxpy."""

from typing import Any

import numpy as np

from ..checks import Array
from ..errors import SolverFailed
from ..extras import need

__all__ = ["best_improvement_socp", "improvement_problem"]


def improvement_problem(precision: Array, reference: Array) -> tuple[Any, Any, Any, Any]:
    """Equation (10) as a cvxpy problem with parameters, compiled once for many vectors and radii.

    Returns the problem, its variable, and the parameters for the vector and the radius.

    >>> problem, change, x, radius = improvement_problem(np.ones(2), np.full(2, 0.5))
    >>> x.value, radius.value = np.array([1.0, 0.0]), 0.1
    >>> round(problem.solve(solver="CLARABEL"), 4)
    np.float64(0.0707)
    """
    cp = need("cvxpy", "cvxpy", "the cone program")
    delta, x, radius = cp.Variable(precision.size), cp.Parameter(precision.size), cp.Parameter(nonneg=True)
    constraints = [
        delta + reference >= 0,
        cp.sum(delta) == 0,
        cp.norm(cp.multiply(1 / np.sqrt(precision), delta)) <= radius,
    ]
    return cp.Problem(cp.Maximize(x @ delta), constraints), delta, x, radius


def best_improvement_socp(
    x: Array, precision: Array, reference: Array, radius: float, solver: str, **options: float
) -> Array:
    """The improvement that ``solver`` reports as optimal; SolverFailed when it reports anything else.

    >>> x, even = np.array([1.0, 0.0]), np.full(2, 0.5)
    >>> best_improvement_socp(x, np.ones(2), even, 0.1, "CLARABEL").round(4)
    array([ 0.0707, -0.0707])
    """
    problem, delta, vector, size = improvement_problem(precision, reference)
    vector.value, size.value = x, radius
    problem.solve(solver=solver, **options)
    if problem.status != "optimal":
        raise SolverFailed(f"{solver} stopped with status {problem.status!r} at radius {radius:g}")
    return np.asarray(delta.value)
