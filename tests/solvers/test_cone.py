"""The paper's cone program finds what sorting finds."""

import numpy as np
import pytest

from trust_helpers import SolverFailed, TrustRegion


@pytest.mark.parametrize("reference", [None, [0.2, 0.3, 0.5]])
def test_the_papers_cone_program_finds_the_same_improvement(reference):
    region, x = TrustRegion([1.0, 4.0, 2.0], reference=reference), np.array([0.4, -1.0, 0.7])
    for radius in (0.05, 0.2, 0.5):
        theirs, ours = region.improvement_cvxpy(x, radius), region.improvement(x, radius)
        assert theirs @ x == pytest.approx(ours @ x, abs=1e-7)  # the solver's tolerance is 1e-8
        np.testing.assert_allclose(theirs, ours, atol=1e-4)  # of the maximiser only the root of that


def test_a_solver_that_does_not_finish_is_an_error():
    x = np.random.default_rng(0).normal(size=50)
    with pytest.warns(UserWarning, match="inaccurate"), pytest.raises(SolverFailed, match="SCS stopped with status"):
        TrustRegion(np.ones(50)).improvement_cvxpy(x, 0.1, solver="SCS", max_iters=1)
