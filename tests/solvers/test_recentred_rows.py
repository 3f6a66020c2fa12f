"""Many rows and radii around any reference, against one problem at a time and against a cone solver."""

import numpy as np
import pytest
from cone import clarabel_value
from hypothesis import given, settings
from strategies import recentred, size

from trust_helpers import TrustRegion
from trust_helpers.solvers import recentred_rows
from trust_helpers.solvers.recentred_rows import suprema_around


def one_at_a_time(region, x, radii):
    return np.array([[region.improvement(row, eps) @ row for eps in radii] for row in x])


@given(recentred())
@settings(max_examples=300)
def test_agrees_with_one_problem_at_a_time(problem):
    region, x, radius = problem
    rows, radii = np.array([x, -x, np.zeros_like(x)]), np.array([radius, radius / 3, 0.0])
    found = region.suprema(rows, radii)
    np.testing.assert_allclose(found, one_at_a_time(region, rows, radii), rtol=1e-10, atol=1e-10 * size(x))
    assert (found[:, -1] == 0).all()
    assert (found[2] == 0).all()


def test_agrees_with_a_cone_solver():
    rng = np.random.default_rng(0)
    region = TrustRegion(rng.uniform(0.5, 4, 12), reference=rng.dirichlet(np.ones(12)))
    for x in rng.normal(size=(5, 12)):
        radii = region.radii(size=6, decay=2)
        theirs = [clarabel_value(region, x, radius) for radius in radii]
        np.testing.assert_allclose(region.suprema(x, radii), theirs, rtol=1e-7, atol=1e-7)


def test_blocks_change_nothing_but_the_last_digits(monkeypatch):
    rng = np.random.default_rng(1)
    p, nu, x = rng.uniform(1, 3, 7), rng.dirichlet(np.ones(7)), rng.normal(size=(20, 7))
    radii = TrustRegion(p, reference=nu).radii()
    whole = suprema_around(nu, x, p, radii)
    monkeypatch.setattr(recentred_rows, "BLOCK", 7)  # one pair at a time
    np.testing.assert_allclose(suprema_around(nu, x, p, radii), whole, rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1e150])
def test_the_unit_of_the_rewards_only_scales(unit):
    rng = np.random.default_rng(2)
    p, nu, x = rng.uniform(1, 3, 6), rng.dirichlet(np.ones(6)), rng.normal(size=(4, 6))
    radii = np.array([0.5, 0.1])
    np.testing.assert_allclose(
        suprema_around(nu, unit * x, p, radii) / unit, suprema_around(nu, x, p, radii), rtol=1e-12
    )


def test_newton_needs_few_steps_and_halving_alone_finds_the_same(monkeypatch):
    rng, steps = np.random.default_rng(3), []
    p, nu, x = rng.uniform(1, 5, 50), rng.dirichlet(np.ones(50)), rng.normal(size=(9, 50))
    radii, project = np.array([0.3, 0.05]), recentred_rows._project
    monkeypatch.setattr(recentred_rows, "_project", lambda *given: steps.append(1) or project(*given))
    found = suprema_around(nu, x, p, radii)
    assert 0 < len(steps) <= 15
    monkeypatch.setattr(recentred_rows, "_newton", lambda *given: np.full(len(given[0]), np.inf))
    np.testing.assert_allclose(suprema_around(nu, x, p, radii), found, rtol=1e-10)
