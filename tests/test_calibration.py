"""How wide bands are, against their own draws."""

import numpy as np
import pytest

from trust_helpers import OfflineData, TrustError, band_for
from trust_helpers.calibration import calibrated_widths, calibration_draws, paper_widths
from trust_helpers.quantiles import conformal_rank, order_statistic, shortfall_draws
from trust_helpers.scores import simulate_design
from trust_helpers.simulate import noise_draws

DESIGN = OfflineData(np.zeros(40), np.arange(1, 41), 0.5)
RADII = DESIGN.region.radii(2.0, 5)


def test_so_many_of_its_own_draws_exceed_a_calibrated_band():
    made = simulate_design(DESIGN.region, DESIGN.design, RADII, 999, 3, 0.2)
    improvement, value = calibrated_widths(made, 0.2)
    over = 999 - conformal_rank(999, 0.2)
    assert (made.fresh.suprema > improvement).any(axis=1).sum() == over
    assert (made.fresh.suprema + made.fresh.reference[:, None] > value).any(axis=1).sum() == over


def test_so_many_of_its_own_draws_exceed_the_papers_band_at_each_radius():
    draws, delta = 2_000, 0.2
    improvement, value = paper_widths(DESIGN.region, DESIGN.design, RADII, delta, draws, seed=3)
    suprema = noise_draws(DESIGN.region, DESIGN.design, RADII, draws, 3).suprema
    rank = order_statistic(draws, delta / (2 * RADII.size))
    assert ((suprema >= improvement).sum(axis=0) == rank).all()
    hoeffding = np.sqrt(2 * np.log(1 / delta) / DESIGN.precision.sum())
    np.testing.assert_allclose(value - improvement, hoeffding)


def test_the_number_of_draws_follows_the_size_of_the_design_and_delta():
    assert [calibration_draws(n, 0.1) for n in (2, 200_000, 400_000, 10**9)] == [2_000, 2_000, 1_000, 100]
    assert [calibration_draws(2, delta) for delta in (0.5, 0.01, 0.001)] == [2_000, 2_000, 20_000]
    assert calibration_draws(10**9, 0.001) == shortfall_draws(0.001)
    assert band_for(DESIGN, 0.1).draws == calibration_draws(40, 0.1)  # and it is recorded


def test_draws_can_be_given():
    assert band_for(DESIGN, 0.1, draws=150).draws == 150


def test_the_papers_widths_are_for_gaussian_noise_of_known_level():
    bounded = OfflineData(np.full(40, 0.5), np.full(40, 2), "range:0:1")
    with pytest.raises(TrustError, match="only known to be bounded"):
        paper_widths(bounded.region, bounded.design, RADII, 0.1, 5_000, seed=0)


def test_value_widths_are_one_multiple_of_the_root_of_both_variances():
    made = simulate_design(DESIGN.region, DESIGN.design, RADII, 999, 3, 0.2)
    centre, variance = made.pilot.suprema.mean(axis=0), made.pilot.suprema.var(axis=0)
    _, value = calibrated_widths(made, 0.2)
    # the reference policy's noise has variance 1 / S and is independent of the improvement's
    multiple = (value - centre) / np.sqrt(variance + 1 / DESIGN.precision.sum())
    np.testing.assert_allclose(multiple, multiple[0])
