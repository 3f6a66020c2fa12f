"""The paper's bounds: closed forms, the inequalities they stand for, and the printed forms beside the corrected."""

from math import log, sqrt

import numpy as np
import pytest

from trust_helpers import OfflineData, TrustError, TrustRegion, band_for, bounds

UNEQUAL = OfflineData(np.zeros(60), np.arange(1, 61), np.linspace(0.2, 2, 60))


def test_hoeffding_width_by_hand():
    assert bounds.hoeffding_width(0.5, 10_000, 0.1) == pytest.approx(sqrt(0.5 * log(20) / 10_000))


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


def test_lcb_gap_to_best_needs_its_samples():
    with pytest.raises(TrustError, match="needs 185"):
        bounds.lcb_gap_to_best(10.0, 184, 10, 0.1)
    assert bounds.lcb_gap_to_best(10.0, 185, 10, 0.1) > 0


def test_claim_1_searches_the_grid_and_claim_2_doubles_the_width():
    region = TrustRegion(UNEQUAL.precision)
    band = band_for(region, 0.1, draws=500)
    means = np.random.default_rng(0).uniform(size=60)
    expected = max(region.improvement(means, r) @ means - 2 * g for r, g in zip(band.radii, band.widths, strict=True))
    assert bounds.guaranteed_improvement(band, means) == pytest.approx(expected)
    policy = region.policy(means, 0.999 * band.radii[7])
    assert bounds.suboptimality_gap(band, policy) == 2 * band.widths[7]


def test_strong_signal_by_hand():
    assert bounds.strong_signal_improvement(0.1, 50, 0.1, 0.1) == pytest.approx(
        0.5 - 0.1 * (1 + sqrt(8 * log(20) / 100))
    )
    assert bounds.strong_signal_improvement(0.1, 100, 1.0, 0.1, printed=True) < 0
    with pytest.raises(TrustError, match=r"radius is 0\.2"):
        bounds.strong_signal_improvement(0.2, 50, 0.1, 0.1)


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
    assert bounds.minimax_rate(2, 100) == pytest.approx(sqrt(0.02))
    assert bounds.trust_rate(2, 100, 2) == pytest.approx(sqrt(0.02 * log(200)))
    assert bounds.concentrability([0.25, 0.75], 0) == 4
    assert bounds.two_arm_lower_bound(0.1, 0) == 0.025
    with pytest.raises(TrustError, match=r"gap is 0\.3"):
        bounds.two_arm_lower_bound(0.3, 10)


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


def test_without_a_rival_nothing_is_added():
    region = TrustRegion([2.0])
    assert bounds.repair_probability(band_for(region, 0.1, draws=50), [1.0]) == 0.0


def test_the_strong_signals_radius_may_be_off_by_rounding_and_no_more():
    # 2d = 100 arms: at most a tenth
    full = bounds.strong_signal_improvement(0.1, 50, 0.1, 0.1)
    assert bounds.strong_signal_improvement(0.1 * (1 + 0.95e-12), 50, 0.1, 0.1) == pytest.approx(full)
    for radius in (0.1 * (1 + 1.05e-12), -1e-9):
        with pytest.raises(TrustError, match=r"between 0 and 0\.1$"):
            bounds.strong_signal_improvement(radius, 50, 0.1, 0.1)


@pytest.mark.parametrize(("gap", "pulls"), [(0.2, 3), (0.25, 1), (0.0, 5)])
def test_two_arm_lower_bound_by_hand(gap, pulls):
    up, down = 0.5 + gap, 0.5 - gap
    divergence = up * log(up / down) + down * log(down / up)
    assert bounds.two_arm_lower_bound(gap, pulls) == pytest.approx(gap * np.exp(-pulls * divergence) / 4)
    with pytest.raises(TrustError, match=r"gap is -0\.01"):
        bounds.two_arm_lower_bound(-0.01, pulls)
    with pytest.raises(TrustError, match="pulls is -1"):
        bounds.two_arm_lower_bound(gap, -1)


def test_a_strong_signal_as_printed_and_at_half_its_radius():
    # the paper's d stands for all arms: of 100 of them a tenth is the largest radius, and of 200 it is too large
    printed = bounds.strong_signal_improvement(0.1, 100, 0.2, 0.1, printed=True)
    assert printed == pytest.approx(0.5 - 0.2 * (1 + sqrt(8 * log(20) / 100)))
    assert bounds.strong_signal_improvement(0.05, 100, 0.2, 0.1, printed=True) == pytest.approx(printed / 2)
    assert bounds.strong_signal_improvement(0.0, 100, 0.2, 0.1) == 0
    with pytest.raises(TrustError, match=r"between 0 and 0\.0707"):
        bounds.strong_signal_improvement(0.1, 100, 0.2, 0.1)
