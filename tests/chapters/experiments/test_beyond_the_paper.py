"""Chapter 7's experiments: uniform ranks, coverage, the Beta law, and Stein's correction with its limits."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import TrustRegion, band_for, instances
from trust_helpers.chapters.experiments import beyond_the_paper as tried
from trust_helpers.stein import stein_estimate, stein_radius

SMALL = TrustRegion(np.ones(30))


def test_the_rank_of_one_more_curve_is_uniform():
    beaten = tried.curve_ranks(SMALL, seed=1, rivals=9, trials=2_000)
    seen = np.bincount(beaten.astype(int), minlength=10)
    assert stats.chisquare(seen).pvalue > 0.001
    assert stats.chisquare(np.bincount((beaten**2 // 9).astype(int), minlength=10)).pvalue < 1e-6  # others are refused


def test_the_calibrated_band_is_exceeded_as_often_as_asked_and_the_papers_hardly_ever():
    found = tried.try_coverage(SMALL, 0.1, draws=999, bands=6, noise=4_000, seed=2)
    assert abs(found.calibrated - 0.1) < 4 * found.error
    assert abs(found.value - 0.1) < 4 * found.error
    assert found.paper.value < 0.02
    assert (found.ratio < 1).all()
    assert (found.value_ratio < 1).all()


def test_few_draws_cost_spread_and_no_coverage():
    few, many = (tried.try_few_draws(SMALL, 0.1, draws, bands=30, noise=4_000, seed=3) for draws in (9, 199))
    error = few.theory / np.sqrt(30)
    assert abs(few.exceeded - 0.1) < 4 * error
    assert few.spread == pytest.approx(few.theory, rel=0.55)  # four standard errors of a deviation from 30 bands
    assert many.spread < few.spread / 2
    assert many.theory < few.theory / 2


def test_the_jacobian_is_a_multiple_of_a_projection_of_rank_k_minus_two():
    rng = np.random.default_rng(4)
    region = TrustRegion(rng.integers(1, 6, 40) / rng.uniform(0.5, 2, 40) ** 2)
    x, radius = rng.normal(size=40), 0.5 * stein_radius(region)
    made = stein_estimate(region, x, radius)
    scaled = tried.jacobian_spectrum(region, x, radius) * (made.support - 2) / made.correction
    assert np.allclose(scaled[: made.support - 2], 1, atol=1e-4)
    assert np.allclose(scaled[made.support - 2 :], 0, atol=1e-4)


def test_the_correction_leaves_no_optimism_and_half_of_it_would_show():
    rng = np.random.default_rng(5)
    made = tried.stein_errors(SMALL, np.linspace(0, 1, 30), 0.3 * stein_radius(SMALL), 1_500, rng)
    left, error = made.bias
    assert abs(left) < 4 * error
    assert abs((made.optimism + made.left).mean() / 2) > 4 * error
    assert made.left.std() == pytest.approx(np.sqrt((made.error**2).mean()), rel=0.1)
    assert abs(made.missed(0.1) - 0.1) < 0.05


def test_understated_noise_leaves_optimism_and_overstated_takes_too_much():
    rng = np.random.default_rng(6)
    region, means = TrustRegion(np.full(100, 4.0)), np.linspace(0, 1, 100)
    low, high = (tried.stein_errors(region, means, 0.1, 600, rng, scale).bias for scale in (0.8, 1.25))
    assert low[0] < -4 * low[1]
    assert high[0] > 4 * high[1]


def test_student_noise_has_the_stated_variance():
    noise = np.concatenate([tried._unit_noise(np.random.default_rng(s), 2_000, "student 4") for s in range(20)])
    assert noise.var() == pytest.approx(1, abs=0.05)


def test_a_radius_chosen_by_looking_misses_more_often_than_a_fixed_one():
    instance = instances.gaussian(np.zeros(100), 0.5)
    band = band_for(TrustRegion(1 / instance.sigma**2), 0.1, None, 7)
    fixed, _, best = tried.missed_at_chosen_radii(instance, band, 300, np.random.default_rng(8))
    assert abs(fixed.value - 0.1) < 4 * np.sqrt(0.09 / 300)
    assert best.value > 0.1 + 4 * best.error
