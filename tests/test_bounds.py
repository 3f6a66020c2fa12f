"""The paper's bounds: closed forms, the inequalities they stand for, and the printed forms beside the corrected."""

from math import e, log, sqrt

import numpy as np
import pytest

from trust_helpers import OfflineData, TrustError, TrustRegion, band_for, bounds, gaussian_width

UNEQUAL = OfflineData(np.zeros(60), np.arange(1, 61), np.linspace(0.2, 2, 60))


def test_lcb_gap_is_twice_the_confidence_width():
    from trust_helpers import confidence_widths

    np.testing.assert_allclose(bounds.lcb_gap_to_arm(UNEQUAL, 0.1), 2 * confidence_widths(UNEQUAL, 0.1))


def test_lcb_gap_to_best_follows_from_claim_1():
    # claim 1 with sigma = 1 at N(a*) = N / (2 C*)
    c_star, samples, arms, delta = 5.0, 1000, 20, 0.1
    data = OfflineData(np.zeros(arms), np.full(arms, samples / (2 * c_star)), 1.0)
    expected = bounds.lcb_gap_to_arm(data, delta)[0]
    assert bounds.lcb_gap_to_best(c_star, samples, arms, delta) == pytest.approx(expected)
    assert bounds.lcb_gap_to_best(c_star, samples, arms, delta, printed=True) == pytest.approx(expected / 2)


def test_claim_1_searches_the_grid_and_claim_2_doubles_the_width():
    region = TrustRegion(UNEQUAL.precision)
    band = band_for(region, 0.1, draws=500)
    means = np.random.default_rng(0).uniform(size=60)
    expected = max(region.improvement(means, r) @ means - 2 * g for r, g in zip(band.radii, band.widths, strict=True))
    assert bounds.guaranteed_improvement(band, means) == pytest.approx(expected)
    policy = region.policy(means, 0.999 * band.radii[7])
    assert bounds.suboptimality_gap(band, policy) == 2 * band.widths[7]


def test_strong_signal_by_hand():
    # 2d = 100 arms: the radius is at most a tenth, up to rounding
    full = bounds.strong_signal_improvement(0.1, 50, 0.1, 0.1)
    assert full == pytest.approx(0.5 - 0.1 * (1 + sqrt(8 * log(20) / 100)))
    assert bounds.strong_signal_improvement(0.1 * (1 + 0.95e-12), 50, 0.1, 0.1) == pytest.approx(full)
    assert bounds.strong_signal_improvement(0.1, 100, 1.0, 0.1, printed=True) < 0


def test_two_arm_lower_bound_holds_for_trust_and_lcb():
    from trust_helpers import instances, lcb, trust

    gap, pulls, logs = 0.1, 25, 2000
    rng = np.random.default_rng(0)
    pair = [instances.two_arm(gap, better) for better in (True, False)]
    band = band_for(pair[0].sample(rng, pulls), 0.1, draws=500)
    for decide in (lcb, lambda data: trust(data, 0.1, band)):
        losses = [
            np.mean([one.means.max() - one.value(decide(one.sample(rng, pulls)).weights) for _ in range(logs)])
            for one in pair
        ]
        # a mean of losses in [0, gap] over 2,000 logs has standard error below gap / (2 sqrt(2000))
        assert max(losses) >= bounds.two_arm_lower_bound(gap, pulls) - 4 * gap / (2 * sqrt(logs))


def test_rates():
    assert bounds.trust_rate(2, 100, 2) == pytest.approx(sqrt(0.02 * log(200)))
    np.testing.assert_allclose(bounds.log_plus([0.0, 1.0, e, e**3]), [1, 1, 1, 3])
    assert bounds.all_arms_sampled([0.5, 0.5], 100) == pytest.approx(1 - 2 * np.exp(-50 / 8))
    assert bounds.all_arms_sampled([0.5, 0.5], 1) == 0.0
    assert bounds.hoeffding_width(0.5, 10_000, 0.1) == pytest.approx(sqrt(0.5 * log(20) / 10_000))
    assert bounds.lcb_gap_to_best(10.0, 185, 10, 0.1) > 0  # as many samples as it needs, and no more
    alone = TrustRegion([2.0])
    assert bounds.repair_probability(band_for(alone, 0.1, draws=50), [1.0]) == 0.0  # there is no rival


REFUSED = [
    ("needs 185", lambda: bounds.lcb_gap_to_best(10.0, 184, 10, 0.1)),
    (r"radius is 0\.2", lambda: bounds.strong_signal_improvement(0.2, 50, 0.1, 0.1)),
    (r"between 0 and 0\.1$", lambda: bounds.strong_signal_improvement(0.1 * (1 + 1.05e-12), 50, 0.1, 0.1)),
    (r"between 0 and 0\.1$", lambda: bounds.strong_signal_improvement(-1e-9, 50, 0.1, 0.1)),
    (r"between 0 and 0\.0707", lambda: bounds.strong_signal_improvement(0.1, 100, 0.2, 0.1)),
    (r"gap is 0\.3", lambda: bounds.two_arm_lower_bound(0.3, 10)),
    (r"gap is -0\.01", lambda: bounds.two_arm_lower_bound(-0.01, 3)),
    ("pulls is -1", lambda: bounds.two_arm_lower_bound(0.2, -1)),
    ("too few", lambda: bounds.fine_grained_gap_to_best(np.full(10, 0.1), 0, 300, 40, 0.1)),
    # it asks for 8 * 5 * log(3 / 0.05) = 163.8 samples
    ("too few", lambda: bounds.fine_grained_gap_to_best([0.5, 0.2, 0.3], 0, 163, 7, 0.05)),
]


@pytest.mark.parametrize(("message", "ask"), REFUSED)
def test_what_no_bound_covers_is_refused(message, ask):
    with pytest.raises(TrustError, match=message):
        ask()


def test_the_repair_probability_is_that_of_one_fixed_rival_and_at_most_delta():
    # claim 1's maximiser by hand: its noise is N(0, norm^2), and must stay above minus the band
    rng = np.random.default_rng(3)
    for precision in (np.ones(30), np.geomspace(1, 30, 30), np.ones(2)):
        region = TrustRegion(precision)
        band = band_for(region, 0.1, draws=500)
        means = rng.normal(size=region.n_arms)
        got = bounds.repair_probability(band, means)
        best = int(np.argmax(region.suprema(means, band.radii) - 2 * band.widths))
        rival = region.policy(means, band.radii[best]) - region.reference
        noise = rng.normal(size=(20_000, region.n_arms)) / np.sqrt(precision) @ rival
        seen = (noise < -band.widths[best]).mean()
        assert abs(got - seen) <= 4.5 * sqrt(max(got, 1e-4) / 20_000)
        # one fixed improvement is bounded by the band on its other side too: the law is symmetric
        assert got <= 0.1 + 4.5 * sqrt(0.1 * 0.9 / 500)


@pytest.mark.parametrize(("gap", "pulls"), [(0.2, 3), (0.25, 1), (0.0, 5)])
def test_two_arm_lower_bound_by_hand(gap, pulls):
    up, down = 0.5 + gap, 0.5 - gap
    divergence = up * log(up / down) + down * log(down / up)
    assert bounds.two_arm_lower_bound(gap, pulls) == pytest.approx(gap * np.exp(-pulls * divergence) / 4)


def test_a_strong_signal_as_printed_and_at_half_its_radius():
    # the paper's d stands for all arms: of 100 of them a tenth is the largest radius, and of 200 it is too large
    printed = bounds.strong_signal_improvement(0.1, 100, 0.2, 0.1, printed=True)
    assert printed == pytest.approx(0.5 - 0.2 * (1 + sqrt(8 * log(20) / 100)))
    assert bounds.strong_signal_improvement(0.05, 100, 0.2, 0.1, printed=True) == pytest.approx(printed / 2)
    assert bounds.strong_signal_improvement(0.0, 100, 0.2, 0.1) == 0


@pytest.mark.parametrize("precision", [np.ones(400), UNEQUAL.precision], ids=["equal", "unequal"])
def test_bounds_of_the_width_and_of_the_papers_band(precision):
    region, delta = TrustRegion(precision), 0.1
    radii = region.radii()
    mean, error = gaussian_width(region, radii, 2000, seed=1)
    assert (mean - 4 * error <= bounds.width_bound(region, radii)).all()
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
    assert bounds.fine_grained_gap_to_best(mu, 0, 164, 7, 0.05) > 0
