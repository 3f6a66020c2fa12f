"""Stein's correction: its two identities, by simulation, and where it does not exist."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import TrustRegion, instances, stein_estimate, stein_radius
from trust_helpers.stein import SteinEstimate

DRAWS = 3000


def simulate(region, means, radius):
    """Errors of the corrected estimate and their stated variances over fresh Gaussian logs."""
    rng = np.random.default_rng(2)
    errors, variances = [], []
    for x in rng.normal(means, 1 / np.sqrt(region.precision), (DRAWS, means.size)):
        estimate = stein_estimate(region, x, radius)
        errors.append(estimate.value - region.policy(x, radius) @ means)
        variances.append(estimate.standard_error**2)
    return np.array(errors), np.array(variances)


@pytest.mark.parametrize("design", ["equal", "unequal"])
@pytest.mark.parametrize("share", [0.03, 0.08, 0.15])
def test_unbiased_with_the_stated_variance(design, share):
    rng = np.random.default_rng(1)
    precision = np.full(120, 4.0) if design == "equal" else rng.uniform(0.5, 8, 120)
    region, means = TrustRegion(precision), rng.uniform(0, 1, 120)
    errors, variances = simulate(region, means, share * region.largest_radius)
    assert abs(errors.mean()) <= 4 * errors.std() / np.sqrt(DRAWS)
    # a sample variance of nearly normal errors has relative standard error sqrt(2 / n)
    assert errors.var() == pytest.approx(variances.mean(), rel=4 * np.sqrt(2 / DRAWS))


def test_correction_removes_the_optimism_of_the_estimate():
    instance = instances.general(200)
    rng = np.random.default_rng(0)
    region = instance.sample(rng).region
    radius = 0.2 * region.largest_radius
    naive, corrected = [], []
    for _ in range(500):
        data = instance.sample(rng)
        policy = region.policy(data.means, radius)
        naive.append(policy @ data.means - instance.value(policy))
        corrected.append(stein_estimate(region, data.means, radius).value - instance.value(policy))
    assert np.mean(naive) > 20 * np.std(naive) / np.sqrt(500)
    assert abs(np.mean(corrected)) < 4 * np.std(corrected) / np.sqrt(500)


def test_jacobian_is_a_multiple_of_a_projection_of_rank_k_minus_2():
    rng = np.random.default_rng(3)
    region, x = TrustRegion(rng.uniform(0.5, 4, 12)), rng.normal(size=12)
    radius, step = 0.3 * region.largest_radius, 1e-6
    root = np.sqrt(region.precision)
    jacobian = np.empty((12, 12))
    for j in range(12):
        bump = np.eye(12)[j] * step
        change = region.policy(x + bump / root, radius) - region.policy(x - bump / root, radius)
        jacobian[:, j] = change / root / (2 * step)
    estimate = stein_estimate(region, x, radius)
    scale = estimate.correction / (estimate.support - 2)
    projection = jacobian / scale
    np.testing.assert_allclose(projection @ projection, projection, atol=1e-5)
    assert np.trace(projection) == pytest.approx(estimate.support - 2, abs=1e-5)


def test_exact_while_three_arms_cannot_fill_the_region():
    region = TrustRegion([1.0, 5.0, 2.0, 4.0, 3.0])
    radius = stein_radius(region)
    heaviest = np.array([0, 5.0, 0, 4.0, 3.0]) / 12  # the mixture of three arms nearest to the reference
    assert radius == pytest.approx(region.norm(heaviest - region.reference))
    x = np.arange(5.0)
    assert stein_estimate(region, x, 0.999 * radius).exact
    assert not stein_estimate(region, x, 1.001 * radius).exact
    assert stein_radius(TrustRegion([1.0, 2.0, 3.0])) == 0


def test_biased_where_two_arms_can_fill_the_region():
    # twenty arms alike: past the radius of two arms the identity misses the jumps between them
    region, rng = TrustRegion(np.ones(20)), np.random.default_rng(0)
    radius = 0.9 * region.largest_radius
    left = []
    for x in rng.normal(size=(2000, 20)):
        estimate = stein_estimate(region, x, radius)
        optimism = region.policy(x, radius) @ x
        left.append(optimism - (estimate.correction if estimate else 0.0))
    assert np.mean(left) > 10 * np.std(left) / np.sqrt(2000)


def test_noise_that_is_misstated_leaves_a_bias():
    region, means, rng = TrustRegion(np.full(100, 4.0)), np.linspace(0, 1, 100), np.random.default_rng(6)
    for level, sign in ((0.8, -1), (1.25, 1)):
        left = []
        for eta in level / 2 * rng.standard_normal((600, 100)):
            estimate = stein_estimate(region, means + eta, 0.1)
            left.append(region.policy(means + eta, 0.1) @ eta - estimate.correction)
        assert sign * np.mean(left) > 4 * np.std(left) / np.sqrt(600)


def test_at_a_radius_chosen_by_looking_a_normal_bound_misses_more_often_than_at_a_fixed_one():
    region, rng, z = TrustRegion(np.full(100, 4.0)), np.random.default_rng(8), stats.norm.isf(0.1)
    grid = region.radii()[region.radii() < stein_radius(region)][::2]
    over = []
    for x in rng.normal(0, 0.5, (300, 100)):  # all arms are worth 0
        made = [stein_estimate(region, x, radius) for radius in grid]
        low = np.array([one.value - z * one.standard_error for one in made])
        over.append((low[grid.size // 2] > 0, low.max() > 0))
    fixed, best = np.mean(over, axis=0)
    assert abs(fixed - 0.1) < 4 * np.sqrt(0.09 / 300)
    assert best > 0.1 + 4 * np.sqrt(0.09 / 300)


def test_none_where_it_does_not_exist():
    region = TrustRegion(np.ones(5))
    x = np.array([5.0, 1.0, 0.5, 0.2, 0.1])
    assert stein_estimate(region, x, region.largest_radius) is None
    assert stein_estimate(region, x, 0.999 * region.largest_radius) is None
    assert stein_estimate(region, np.ones(5), 0.1) is None
    assert stein_estimate(TrustRegion([2.0]), [1.0], 0.0) is None


def test_at_radius_zero_there_is_no_optimism():
    region = TrustRegion([1.0, 2.0, 3.0])
    estimate = stein_estimate(region, [1.0, 2.0, 4.0], 1e-9)
    assert estimate.correction == pytest.approx(0, abs=1e-8)
    assert estimate.value == pytest.approx((1 + 4 + 12) / 6)
    assert estimate.standard_error == pytest.approx(np.sqrt(1 / 6))
    assert not estimate.nearly_normal


def test_the_correction_and_its_error_by_hand():
    # four arms of precision 1 with rewards 3 to 0 are played 0.4 to 0.1, which is 0.1 (x + 1): the level is -1, so
    # s = 1.5 + 1, and the correction (4 - 2) / (4 s) = 0.2
    estimate = stein_estimate(TrustRegion(np.ones(4)), [3.0, 2.0, 1.0, 0.0], np.sqrt(0.05))
    assert (estimate.support, estimate.correction) == (4, pytest.approx(0.2))
    assert estimate.value == pytest.approx(2.0 - 0.2)
    assert estimate.standard_error == pytest.approx(np.sqrt(0.05 + 1 / 4 + 2 / 10**2))


def test_three_arms_are_enough_for_a_correction_and_thirty_for_a_normal_interval():
    assert stein_estimate(TrustRegion(np.ones(3)), [2.0, 1.0, 0.0], 0.1).support == 3
    assert stein_estimate(TrustRegion(np.ones(2)), [1.0, 0.0], 0.1) is None
    assert [SteinEstimate(0.0, 1.0, 0.0, k, True).nearly_normal for k in (29, 30)] == [False, True]
