"""Bands: what their widths are, and coverage by simulation."""

from math import log, sqrt

import numpy as np
import pytest
from scipy import stats

from trust_helpers import (
    NotEnoughDraws,
    OfflineData,
    TrustError,
    TrustRegion,
    band_for,
    calibrated_band,
    draws_for,
    gaussian_width,
    least_draws,
    order_statistic,
    paper_band,
)
from trust_helpers.band import band_of, calibration_draws
from trust_helpers.quantiles import conformal_rank, shortfall_draws
from trust_helpers.simulation import noise_suprema, simulate_design

DESIGNS = {
    "equal": np.full(50, 4.0),
    "unequal": np.random.default_rng(0).integers(1, 30, 50) / np.linspace(0.5, 2, 50) ** 2,
}


def exceeded(band, region, draws, seed):
    """How often fresh noise goes above the band anywhere: its suprema, and with the noise of the reference added."""
    suprema, reference = noise_suprema(region, band.radii, draws, seed)
    above = (suprema > band.widths).any(axis=1)
    value_above = (suprema + reference[:, None] > band.value_widths).any(axis=1)
    return above.mean(), value_above.mean()


@pytest.mark.parametrize("design", DESIGNS)
def test_calibrated_band_is_exceeded_somewhere_with_probability_delta(design):
    region, delta, draws, fresh = TrustRegion(DESIGNS[design]), 0.1, 4000, 20_000
    band = calibrated_band(region, region.radii(), delta, draws, seed=1)
    # the band's own level varies like a Beta with variance delta (1 - delta) / draws, the rate like a binomial
    error = sqrt(delta * (1 - delta) * (1 / draws + 1 / fresh))
    for rate in exceeded(band, region, fresh, seed=2):
        assert rate == pytest.approx(delta, abs=4 * error)


def test_nine_draws_cost_spread_and_no_coverage():
    # given its draws, a band of nine is exceeded with a probability that is Beta(1, 9): mean 0.1, deviation 0.09
    region = TrustRegion(np.ones(30))
    bands = [calibrated_band(region, region.radii(), 0.1, 9, seed) for seed in range(60)]
    rates = np.array([exceeded(band, region, 4_000, seed=99)[0] for band in bands])
    assert rates.mean() == pytest.approx(0.1, abs=4 * stats.beta(1, 9).std() / sqrt(60))
    assert rates.std() == pytest.approx(stats.beta(1, 9).std(), rel=0.4)


@pytest.mark.parametrize("design", DESIGNS)
def test_paper_band_is_conservative(design):
    region, delta, fresh = TrustRegion(DESIGNS[design]), 0.1, 20_000
    band = paper_band(region, region.radii(), delta, draws_for(delta, 40), seed=1)
    rate, value_rate = exceeded(band, region, fresh, seed=2)
    assert rate <= stats.binom.ppf(0.9999, fresh, delta) / fresh
    assert value_rate <= stats.binom.ppf(0.9999, fresh, 2 * delta) / fresh
    # the union bound over 40 nested regions wastes nearly all of delta
    assert rate < delta / 5
    narrower = calibrated_band(region, region.radii(), delta, 4000, seed=1)
    assert (narrower.widths < band.widths).mean() > 0.9


def test_paper_band_is_the_order_statistic_of_its_own_draws():
    region = TrustRegion(DESIGNS["unequal"])
    radii, delta, draws = region.radii(size=5), 0.2, 700
    band = paper_band(region, radii, delta, draws, seed=9)
    suprema, _ = noise_suprema(region, radii, draws, 9)
    rank = order_statistic(draws, delta / 10)
    np.testing.assert_array_equal(band.widths, np.sort(suprema, axis=0)[draws - rank])
    reference = sqrt(2 * log(1 / delta) / region.precision.sum())
    np.testing.assert_allclose(band.value_widths - band.widths, reference, rtol=1e-12)
    assert (band.confidence, band.delta, band.draws, band.seed) == (1 - 2 * delta, delta, draws, 9)


def test_equal_precisions_scale_like_unit_noise():
    unit, scaled = TrustRegion(np.ones(30)), TrustRegion(np.full(30, 9.0))
    for make in (paper_band, calibrated_band):
        one = make(unit, unit.radii(size=6), 0.2, 900, seed=3)
        other = make(scaled, scaled.radii(size=6), 0.2, 900, seed=3)
        np.testing.assert_allclose(other.widths, one.widths / 3, rtol=1e-12)
        np.testing.assert_allclose(other.value_widths, one.value_widths / 3, rtol=1e-12)


def test_widths_grow_with_the_radius():
    region = TrustRegion(DESIGNS["unequal"])
    for make in (paper_band, calibrated_band):
        band = make(region, region.radii(), 0.1, 6000, seed=0)
        assert (np.diff(band.widths) <= 0).all()


def test_gaussian_width_of_the_whole_simplex_is_the_expected_maximum():
    # at the largest radius the supremum is max(eta) - mean(eta); for two standard normals its mean is 1/sqrt(pi)
    region = TrustRegion([1.0, 1.0])
    (mean,), (error,) = gaussian_width(region, [region.largest_radius], 40_000, seed=0)
    assert mean == pytest.approx(1 / sqrt(np.pi), abs=4 * error)


def test_radius_zero_has_no_width_but_its_value_does():
    region = TrustRegion(DESIGNS["equal"])
    for make in (paper_band, calibrated_band):
        band = make(region, [region.largest_radius, 0.0], 0.1, 400, seed=0)
        assert band.widths[1] == 0
        assert band.value_widths[1] > 0


def test_one_arm_leaves_only_the_noise_of_its_mean():
    region = TrustRegion([4.0])
    band = calibrated_band(region, region.radii(), 0.1, 4000, seed=0)
    assert (band.widths == 0).all()
    # the 0.9-quantile of N(0, 1/4) to the error of 4,000 draws, sqrt(0.09 / 4000) / density
    assert band.value_widths[0] == pytest.approx(0.5 * stats.norm.ppf(0.9), abs=4 * 0.5 * 0.0047 / 0.1755)


def test_rounding_up_to_the_grid():
    region = TrustRegion(np.ones(9))
    band = calibrated_band(region, region.radii(2.0, 4), 0.1, 100, seed=0)
    assert [band.at(r) for r in (*band.radii, 0.0)] == [0, 1, 2, 3, 3]
    assert band.at(0.9 * band.radii[1]) == 1
    assert band.at(1.1 * band.radii[1]) == 0
    with pytest.raises(TrustError, match="outside the band"):
        band.at(1.1 * band.radii[0])


def test_too_few_draws_say_how_many_would_do():
    region = TrustRegion(np.ones(5))
    with pytest.raises(NotEnoughDraws, match=rf"at least {least_draws(0.1 / 80)} are needed") as caught:
        paper_band(region, region.radii(), 0.1, 100, seed=0)
    assert order_statistic(caught.value.least, 0.1 / 80) == 1
    with pytest.raises(NotEnoughDraws, match=r"8 draws .* at least 9 are needed"):
        calibrated_band(region, region.radii(), 0.1, 8, seed=0)
    assert calibrated_band(region, region.radii(), 0.1, 9, seed=0).draws == 9
    ranged = OfflineData(np.full(5, 0.5), np.full(5, 2), "range:0:1")
    with pytest.raises(NotEnoughDraws, match=r"99 draws .*shortfall.* at least 100 are needed"):
        band_for(ranged, 0.1, draws=99)
    assert band_for(ranged, 0.1, draws=100).draws == 100


DESIGN = OfflineData(np.zeros(40), np.arange(1, 41), 0.5)
RADII = DESIGN.region.radii(2.0, 5)


def test_so_many_of_its_own_draws_exceed_a_calibrated_band():
    made = simulate_design(DESIGN.region, DESIGN.design, RADII, 999, 3, 0.2)
    band = band_of(made, 0.2)
    over = 999 - conformal_rank(999, 0.2)
    assert (made.fresh.suprema > band.widths).any(axis=1).sum() == over
    assert (made.fresh.suprema + made.fresh.reference[:, None] > band.value_widths).any(axis=1).sum() == over


def test_the_number_of_draws_follows_the_size_of_the_design_and_delta():
    assert [calibration_draws(n, 0.1) for n in (2, 200_000, 400_000, 10**9)] == [2_000, 2_000, 1_000, 100]
    assert [calibration_draws(2, delta) for delta in (0.5, 0.01, 0.001)] == [2_000, 2_000, 20_000]
    assert calibration_draws(10**9, 0.001) == shortfall_draws(0.001)
    assert band_for(DESIGN, 0.1).draws == calibration_draws(40, 0.1)  # and it is recorded


def test_the_papers_widths_are_for_gaussian_noise_of_known_level():
    bounded = OfflineData(np.full(40, 0.5), np.full(40, 2), "range:0:1")
    with pytest.raises(TrustError, match="only known to be bounded"):
        paper_band(bounded.region, RADII, 0.1, 5_000, seed=0, design=bounded.design)


def test_value_widths_are_one_multiple_of_the_root_of_both_variances():
    made = simulate_design(DESIGN.region, DESIGN.design, RADII, 999, 3, 0.2)
    centre, variance = made.pilot.suprema.mean(axis=0), made.pilot.suprema.var(axis=0)
    value = band_of(made, 0.2).value_widths
    # the reference policy's noise has variance 1 / S and is independent of the improvement's
    multiple = (value - centre) / np.sqrt(variance + 1 / DESIGN.precision.sum())
    np.testing.assert_allclose(multiple, multiple[0])
