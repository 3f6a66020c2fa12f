"""Simulated scores: the rank of their own draws, in the log's unit."""

import numpy as np
import pytest

from trust_helpers import NotEnoughDraws, OfflineData, Pooled
from trust_helpers.quantiles import conformal_rank, expected_shortfall, shortfall_draws
from trust_helpers.scores import pilot_draws, simulate_design

DELTA, DRAWS = 0.1, 400


def simulated(data, seed=0, draws=DRAWS):
    return simulate_design(data.region, data.design, data.region.radii(2.0, 4), draws, seed, DELTA)


def standardised(made):
    centre, scale = made.pilot.suprema.mean(axis=0), made.pilot.suprema.std(axis=0)
    return centre, scale, ((made.fresh.suprema - centre) / scale).max(axis=1)


def test_an_exact_laws_bound_is_the_conformal_rank_of_the_scores():
    made = simulated(OfflineData(np.zeros(30), np.arange(1, 31), 1.0))
    centre, scale, scores = standardised(made)
    bound = made.bound(made.pilot.suprema, made.fresh.suprema, centre, scale, DELTA)
    assert (scores > bound).sum() == DRAWS - conformal_rank(DRAWS, DELTA)


def test_a_dominating_laws_bound_is_the_shortfall_beyond_the_pilots_quantile():
    made = simulated(OfflineData(np.full(30, 0.5), np.full(30, 2), "range:0:1"))
    centre, scale, scores = standardised(made)
    pilot = ((made.pilot.suprema - centre) / scale).max(axis=1)
    bound = made.bound(made.pilot.suprema, made.fresh.suprema, centre, scale, DELTA)
    assert bound == expected_shortfall(scores, np.quantile(pilot, 1 - DELTA), DELTA)
    assert bound > np.quantile(scores, 1 - DELTA)


def test_a_radius_of_zero_has_no_noise_and_no_score():
    made = simulated(OfflineData(np.zeros(5), np.ones(5), 1.0))
    nothing = np.zeros((DRAWS, 2))
    assert made.bound(nothing, nothing, np.zeros(2), np.zeros(2), DELTA) == 0
    some = np.column_stack([made.fresh.suprema[:, :1], nothing[:, :1]])
    alone = made.bound(some[:, :1], some[:, :1], np.zeros(1), np.ones(1), DELTA)
    assert made.bound(some, some, np.zeros(2), np.array([1.0, 0.0]), DELTA) == alone


def test_pilot_and_fresh_draws_are_streams_of_their_own_and_of_the_seed():
    data = OfflineData(np.zeros(30), np.ones(30), 1.0)
    made, again, other = simulated(data), simulated(data), simulated(data, seed=1)
    np.testing.assert_array_equal(made.fresh.suprema, again.fresh.suprema)
    assert not np.isin(made.fresh.suprema[:, 0], made.pilot.suprema[:, 0]).any()
    assert not np.isin(made.fresh.suprema[:, 0], other.fresh.suprema[:, 0]).any()
    assert (made.draws, made.pilot.reference.size) == (DRAWS, pilot_draws(30))


def test_another_estimated_level_is_another_unit():
    ours, theirs = (OfflineData(np.zeros(12), np.full(12, 3), Pooled(level, 24)) for level in (1.0, 2.5))
    made, moved = simulated(ours), simulated(ours).for_log(theirs)
    np.testing.assert_allclose(moved.fresh.suprema, 2.5 * made.fresh.suprema)
    np.testing.assert_allclose(moved.fresh.reference, 2.5 * made.fresh.reference)
    np.testing.assert_allclose(moved.fresh.arms, made.fresh.arms)  # in deviations already
    np.testing.assert_allclose(moved.radii, 2.5 * made.radii)
    assert made.for_log(ours) is made


@pytest.mark.parametrize("sigma", [0.7, "range:0:1"])
def test_the_references_variance_is_that_of_its_simulated_noise(sigma):
    data = OfflineData(np.full(20, 0.5), np.arange(1, 21), sigma)
    made = simulated(data, draws=20_000)
    # the variance of 20,000 normal draws has relative error sqrt(2 / 20,000)
    assert made.fresh.reference.var() == pytest.approx(made.reference_variance, rel=4 * np.sqrt(2 / 20_000))


def test_a_shortfall_needs_more_draws_than_a_rank():
    with pytest.raises(NotEnoughDraws):
        simulated(OfflineData(np.full(5, 0.5), np.full(5, 2), "range:0:1"), draws=99)
    assert simulated(OfflineData(np.full(5, 0.5), np.full(5, 2), 0.5), draws=99).draws == 99


def test_a_large_design_has_a_smaller_pilot_but_never_too_small():
    assert [pilot_draws(n) for n in (1, 390_625, 400_000, 1_000_000, 10**8)] == [512, 512, 500, 200, 200]


def test_a_shortfall_needs_no_more_draws_than_it_says():
    bounded = OfflineData(np.full(30, 0.5), np.full(30, 2), "range:0:1")
    least = shortfall_draws(DELTA)
    assert simulated(bounded, draws=least).draws == least
    with pytest.raises(NotEnoughDraws, match="expected shortfall"):
        simulated(bounded, draws=least - 1)
