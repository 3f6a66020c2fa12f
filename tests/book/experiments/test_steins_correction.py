"""Chapter 7's experiments on Stein's correction: what it leaves, where it holds, and where it breaks."""

import numpy as np
import pytest

from trust_helpers import TrustRegion, band_for, instances
from trust_helpers.book.experiments import steins_correction as stein
from trust_helpers.stein import stein_estimate, stein_radius

SMALL = TrustRegion(np.ones(30))


def test_the_jacobian_is_a_multiple_of_a_projection_of_rank_k_minus_two():
    rng = np.random.default_rng(4)
    region = TrustRegion(rng.integers(1, 6, 40) / rng.uniform(0.5, 2, 40) ** 2)
    x, radius = rng.normal(size=40), 0.5 * stein_radius(region)
    made = stein_estimate(region, x, radius)
    scaled = stein.jacobian_spectrum(region, x, radius) * (made.support - 2) / made.correction
    assert np.allclose(scaled[: made.support - 2], 1, atol=1e-4)
    assert np.allclose(scaled[made.support - 2 :], 0, atol=1e-4)


def test_the_correction_leaves_no_optimism_and_half_of_it_would_show():
    rng = np.random.default_rng(5)
    made = stein.stein_errors(SMALL, np.linspace(0, 1, 30), 0.3 * stein_radius(SMALL), 1_500, rng)
    left, error = made.bias
    assert abs(left) < 4 * error
    assert abs((made.optimism + made.left).mean() / 2) > 4 * error
    assert made.left.std() == pytest.approx(np.sqrt((made.error**2).mean()), rel=0.1)
    assert abs(made.missed(0.1) - 0.1) < 0.05


def test_understated_noise_leaves_optimism_and_overstated_takes_too_much():
    rng = np.random.default_rng(6)
    region, means = TrustRegion(np.full(100, 4.0)), np.linspace(0, 1, 100)
    low, high = (stein.stein_errors(region, means, 0.1, 600, rng, scale).bias for scale in (0.8, 1.25))
    assert low[0] < -4 * low[1]
    assert high[0] > 4 * high[1]


def test_student_noise_has_the_stated_variance():
    noise = np.concatenate([stein._unit_noise(np.random.default_rng(s), 2_000, "student 4") for s in range(20)])
    assert noise.var() == pytest.approx(1, abs=0.05)


def test_a_radius_chosen_by_looking_misses_more_often_than_a_fixed_one():
    instance = instances.gaussian(np.zeros(100), 0.5)
    band = band_for(TrustRegion(1 / instance.sigma**2), 0.1, None, 7)
    fixed, _, best = stein.missed_at_chosen_radii(instance, band, 300, np.random.default_rng(8))
    assert abs(fixed.value - 0.1) < 4 * np.sqrt(0.09 / 300)
    assert best.value > 0.1 + 4 * best.error


def test_the_rows_of_the_jacobian_are_its_spectrum_beside_theory():
    rng = np.random.default_rng(4)
    region = TrustRegion(rng.integers(1, 6, 40) / rng.uniform(0.5, 2, 40) ** 2)
    rows, k = stein.jacobian_rows(region, rng.normal(size=40), 0.5 * stein_radius(region))
    assert rows[1]["eigenvalues of J, times P h"] == f"number {k - 2}"
    for row in rows:
        assert row["found"] == pytest.approx(row["theory"], abs=1e-3)


def test_the_correction_is_tried_at_three_parts_of_what_the_theorem_allows():
    cases, logs = {"alike": (SMALL, np.zeros(30))}, 40
    found = stein.correct_at_three_radii(cases, logs, np.random.default_rng(1))
    assert [one.design for one in found] == ["alike, 0.1", "alike, 0.3", "alike, 0.6"]
    again = stein.stein_errors(SMALL, np.zeros(30), 0.1 * stein_radius(SMALL), logs, np.random.default_rng(1))
    assert found[0].row(0.1)["optimism"] == again.optimism.mean()
    assert found[0].away == pytest.approx(abs(again.left.mean()) / (again.left.std(ddof=1) / np.sqrt(logs)))
    arms = [one.row(0.1)["arms"] for one in found]
    assert arms == sorted(arms, reverse=True)  # the larger the radius, the fewer are played


def test_looks_are_those_of_each_instance_with_its_own_band():
    instance = instances.gaussian(np.zeros(40), 0.5)
    found = stein.look_at_radii({"alike": instance}, 0.2, 199, 30, 5, np.random.default_rng(2))
    band = band_for(TrustRegion(1 / instance.sigma**2), 0.2, "calibrated", 5, draws=199)
    assert found["alike"] == stein.missed_at_chosen_radii(instance, band, 30, np.random.default_rng(2))


def test_misstated_noise_leaves_what_the_errors_say():
    region, means = TrustRegion(np.full(30, 4.0)), np.linspace(0, 1, 30)
    (row,) = stein.misstated_rows(region, means, 0.1, (1.25,), 50, np.random.default_rng(3))
    seen = stein.stein_errors(region, means, 0.1, 50, np.random.default_rng(3), 1.25)
    assert row["true noise over stated"] == "1.25"
    assert row["optimism"] == seen.optimism.mean()


def test_the_plain_estimate_is_above_the_truth_and_the_corrected_one_near_it():
    plain, corrected, true = stein.plain_corrected_and_true(
        instances.gaussian(np.linspace(0, 1, 300), 0.5), 0.1, 100, np.random.default_rng(4)
    )
    assert plain - true > 0.05
    assert corrected == pytest.approx(true, abs=0.02)
