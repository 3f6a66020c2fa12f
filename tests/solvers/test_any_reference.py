"""Trust regions around a policy that is not the default."""

import numpy as np
import pytest
from cone import clarabel_value
from hypothesis import given, settings
from strategies import problems, recentred, size

from trust_helpers import TrustError, TrustRegion, band_for, stein_estimate
from trust_helpers.solvers import any_reference
from trust_helpers.solvers.any_reference import best_weights_around, suprema_around


@given(recentred())
@settings(max_examples=500)
def test_agrees_with_clarabel_and_is_feasible(problem):
    region, x, radius = problem
    weights = region.policy(x, radius)
    theirs = clarabel_value(region, x, radius)
    assert (weights - region.reference) @ x == pytest.approx(theirs, rel=1e-7, abs=1e-8 * size(x))
    assert weights.min() >= 0
    assert abs(weights.sum() - 1) <= 1e-12
    assert region.norm(weights - region.reference) <= radius * (1 + 1e-12)


@given(problems())
def test_the_default_reference_given_by_hand_changes_nothing(problem):
    region, x, radius = problem
    again = TrustRegion(region.precision, reference=region.reference)
    assert again.centred
    np.testing.assert_array_equal(again.policy(x, radius), region.policy(x, radius))


def test_a_reference_that_is_the_default_up_to_rounding_is_the_default():
    p = [10**2.25] * 3  # one of these over their sum differs from a third in the last digit
    region = TrustRegion(p, reference=[1 / 3] * 3)
    assert region.centred
    assert region.reference[0] != 1 / 3
    assert region.norm(region.policy([0, 1, 2], 0) - region.reference) == 0
    assert region == TrustRegion(p)


@given(problems())
def test_both_solvers_agree_at_the_default_reference(problem):
    region, x, radius = problem
    value = best_weights_around(region.reference, x, region.precision, radius) @ x
    assert value == pytest.approx(region.policy(x, radius) @ x, abs=1e-8 * size(x))


@given(recentred())
def test_largest_radius_is_the_farthest_vertex(problem):
    for region in (problem[0], TrustRegion(problem[0].precision)):
        distances = [region.norm(vertex - region.reference) for vertex in np.eye(region.n_arms)]
        assert region.largest_radius == pytest.approx(max(distances), rel=1e-9, abs=1e-12)


def test_band_counts_the_noise_of_the_reference_together_with_the_supremum():
    # Around another reference the two are correlated: with all weight on arm 0 of two arms, moving to arm 1 gains
    # eta_1 - eta_0 and the value's noise at full radius is max(eta_0, eta_1).
    region = TrustRegion([1.0, 1.0], reference=[1.0, 0.0])
    band = band_for(region, 0.1, seed=5, radii=[region.largest_radius], draws=4000)
    draws = np.random.default_rng(1).normal(size=(200_000, 2)).max(axis=1)
    # the 0.9-quantile of 4,000 draws has standard error sqrt(0.09 / 4000) / density(0.33) = 0.014
    assert band.value_widths[0] == pytest.approx(np.quantile(draws, 0.9), abs=4 * 0.015)


def test_steins_correction_refuses_another_reference():
    with pytest.raises(TrustError, match="default reference"):
        stein_estimate(TrustRegion([1.0, 1.0, 1.0], reference=[1, 0, 0]), [1.0, 2.0, 3.0], 0.1)


@pytest.mark.parametrize(
    ("precision", "reference", "x"),
    [
        ([10.0, 10.0], [1.0, 0.0], [3.0, 5.0]),
        ([49.0, 30.0, 47.0], [0.0, 1.0, 0.0], [0.0, 4 / 7, 8 / 7]),
        ([40.0] * 5, [0.0, 1.0, 0.0, 0.0, 0.0], [5.0, 2.0, 8.0, 5.0, 9.0]),
    ],
)
def test_the_radius_of_the_best_arm_plays_it_alone(precision, reference, x):
    region = TrustRegion(precision, reference)
    alone = np.eye(len(x))[np.argmax(x)]
    np.testing.assert_array_equal(region.policy(x, region.largest_radius), alone)


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


def test_blocks_change_nothing_but_the_last_digits(monkeypatch):
    rng = np.random.default_rng(1)
    p, nu, x = rng.uniform(1, 3, 7), rng.dirichlet(np.ones(7)), rng.normal(size=(20, 7))
    radii = TrustRegion(p, reference=nu).radii()
    whole = suprema_around(nu, x, p, radii)
    monkeypatch.setattr(any_reference, "BLOCK", 7)  # one pair at a time
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
    radii, project = np.array([0.3, 0.05]), any_reference._project
    monkeypatch.setattr(any_reference, "_project", lambda *given: steps.append(1) or project(*given))
    found = suprema_around(nu, x, p, radii)
    assert 0 < len(steps) <= 15
    weights = best_weights_around(nu, x[0], p, 0.3)
    monkeypatch.setattr(any_reference, "_newton", lambda *given: np.full(len(given[0]), np.inf))
    np.testing.assert_allclose(suprema_around(nu, x, p, radii), found, rtol=1e-10)
    np.testing.assert_allclose(best_weights_around(nu, x[0], p, 0.3), weights, atol=1e-13)
