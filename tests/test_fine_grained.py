"""Appendix C: closed forms by hand, the inequalities they stand for, and the printed forms beside the corrected."""

from math import e, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from strategies import problems

from trust_helpers import OfflineData, TrustError, TrustRegion, band_for, bounds, gaussian_width

UNEQUAL = OfflineData(np.zeros(60), np.arange(1, 61), np.linspace(0.2, 2, 60))


@pytest.mark.parametrize(
    "region", [TrustRegion(np.ones(400)), TrustRegion(UNEQUAL.precision)], ids=["equal", "unequal"]
)
def test_width_bound_bounds_the_width(region):
    radii = region.radii()
    mean, error = gaussian_width(region, radii, 2000, seed=1)
    assert (mean - 4 * error <= bounds.width_bound(region, radii)).all()


@pytest.mark.parametrize(
    "region", [TrustRegion(np.ones(400)), TrustRegion(UNEQUAL.precision)], ids=["equal", "unequal"]
)
def test_complexity_bound_bounds_the_papers_band(region):
    radii, delta = region.radii(), 0.1
    band = band_for(region, delta, "paper", seed=1, draws=20_000)
    # Lemma C.3 bounds the (1 - delta/|E|)-quantile of each radius, the band estimates that of delta/(2|E|)
    assert (band.widths <= bounds.complexity_bound(region, radii, delta / 2, radii.size)).all()


def test_width_bound_by_hand_in_both_stages():
    # of 400 arms the second stage is the smaller one at six tenths of the largest radius D: 12 D and 10.8 D
    region = TrustRegion(np.ones(400))
    small, large = 0.01, region.largest_radius
    got = bounds.width_bound(region, [large, 0.6 * large, small])
    assert got[2] == pytest.approx(small * 20)
    assert got[1] == pytest.approx(4 * large * sqrt(log(4 * e * 400 * 0.36)))
    assert got[0] == pytest.approx(4 * large * sqrt(log(4 * e * 400)))


def test_log_plus_is_never_below_one():
    np.testing.assert_allclose(bounds.log_plus([0.0, 1.0, e, e**3]), [1, 1, 1, 3])


@given(problems())
def test_the_true_diameter_is_the_largest_radius(problem):
    region, _, _ = problem
    vertices = [region.norm(v - region.reference) for v in np.eye(region.n_arms)]
    assert region.largest_radius == pytest.approx(max(vertices), rel=1e-9, abs=1e-12)


def test_printed_diameter_is_right_only_for_constant_sigma():
    same = OfflineData(np.zeros(5), [1, 2, 3, 4, 5], 0.7)
    assert bounds.printed_diameter(same) == pytest.approx(same.region.largest_radius)
    # a reference that ignores sigma is farther from, or nearer to, the vertices than the one the method uses
    assert abs(bounds.printed_diameter(UNEQUAL) / UNEQUAL.region.largest_radius - 1) > 1e-6


def test_fine_grained_gap_is_twice_lemma_c3_at_the_rounded_radius():
    region = TrustRegion(UNEQUAL.precision)
    radii = region.radii()
    vertex = np.eye(60)[3]
    eps = region.norm(vertex - region.reference)
    expected = 2 * bounds.complexity_bound(region, 1.2 * eps, 0.1, 40)[0]
    assert bounds.fine_grained_gap(region, radii, 0.1, vertex) == pytest.approx(expected)
    assert bounds.fine_grained_gap(region, radii, 0.1, region.reference) == pytest.approx(
        2 * bounds.complexity_bound(region, radii[-1], 0.1, 40)[0]
    )


def test_fine_grained_gap_bounds_the_monte_carlo_gap_and_the_printed_one_need_not():
    region = TrustRegion(np.ones(2000))
    radii = region.radii()
    band = band_for(region, 0.1, "paper", seed=1, draws=20_000)
    means = np.random.default_rng(0).normal(size=2000)
    policy = region.policy(means, radii[25])
    monte_carlo = bounds.suboptimality_gap(band, policy)
    assert bounds.fine_grained_gap(region, radii, 0.1, policy) >= monte_carlo
    assert bounds.fine_grained_gap(region, radii, 0.1, policy, printed=True) < monte_carlo


def test_the_printed_gap_by_hand():
    region = TrustRegion(np.ones(2000))
    radii = region.radii()
    policy = region.policy(np.random.default_rng(0).normal(size=2000), radii[25])
    reach = sqrt(1.2) * region.norm(policy - region.reference)
    # the first stage without its d, then the deviation of the supremum
    expected = 2 * reach + 2 * reach * sqrt(2 * log(2 * 40 / 0.1))
    assert bounds.fine_grained_gap(region, radii, 0.1, policy, printed=True) == pytest.approx(expected)


def test_fine_grained_gap_to_best_by_hand():
    mu = np.full(10, 0.1)
    expected = 8 * sqrt(20 / 5000 * log(4 * e * 1.44 * 10)) + 4.8 * sqrt(10 / 5000 * log(800))
    assert bounds.fine_grained_gap_to_best(mu, 0, 5000, 40, 0.1) == pytest.approx(expected)
    first = 4 * np.sqrt(2 / mu.min() / 5000 * np.log(4 * np.e * 1.2 * mu.size * mu.min() / mu[0]))
    last = 4 * np.sqrt(1.2 / mu[0] / 5000 * np.log(2 * 40 / 0.1))  # as the paper prints them
    assert bounds.fine_grained_gap_to_best(mu, 0, 5000, 40, 0.1, printed=True) == pytest.approx(first + last)
    assert first + last < expected
    with pytest.raises(TrustError, match="too few"):
        bounds.fine_grained_gap_to_best(mu, 0, 300, 40, 0.1)


def test_all_arms_sampled_by_hand():
    assert bounds.all_arms_sampled([0.5, 0.5], 100) == pytest.approx(1 - 2 * np.exp(-50 / 8))
    assert bounds.all_arms_sampled([0.5, 0.5], 1) == 0.0


@pytest.mark.parametrize(("shares", "decay"), [([0.1], 1), ([0.2, 0.1], 2), ([0.9, 0.3, 0.1], 3)])
def test_the_grid_says_by_how_much_a_distance_is_rounded_up(shares, decay):
    # a grid of one radius has no decay, and any other that of its first two radii
    region = TrustRegion(np.ones(60))
    radii = region.largest_radius * np.array(shares)
    vertex = np.eye(60)[3]
    expected = bounds.complexity_bound(region, decay * region.largest_radius, 0.1, radii.size)[0]
    assert bounds.fine_grained_gap(region, radii, 0.1, vertex) == pytest.approx(2 * expected)
    near = 0.9 * region.reference + 0.1 * vertex  # a tenth of the way, where the last radius is
    assert bounds.fine_grained_gap(region, radii, 0.1, near) == pytest.approx(
        2 * bounds.complexity_bound(region, decay * radii[-1], 0.1, radii.size)[0]
    )


def test_the_gap_to_the_best_of_arms_drawn_unequally_often():
    # the best arm is every second draw, C* = 2, and the rarest every fifth, C_min = 5
    mu = [0.5, 0.2, 0.3]
    expected = 8 * sqrt(10 / 1000 * log(4 * e * 2.25 * 3 * 2 / 5)) + 4 * 1.5 * sqrt(2 / 1000 * log(2 * 7 / 0.05))
    assert bounds.fine_grained_gap_to_best(mu, 0, 1000, 7, 0.05, decay=1.5) == pytest.approx(expected)
    # it asks for 8 * 5 * log(3 / 0.05) = 163.8 samples
    assert bounds.fine_grained_gap_to_best(mu, 0, 164, 7, 0.05) > 0
    with pytest.raises(TrustError, match="too few"):
        bounds.fine_grained_gap_to_best(mu, 0, 163, 7, 0.05)
