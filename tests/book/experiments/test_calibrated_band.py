"""Chapter 7's experiments on the calibrated band: uniform ranks, coverage, the Beta law, what it buys."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import TrustRegion, band_for, instances, trust
from trust_helpers.book.experiments import calibrated_band as tried

SMALL = TrustRegion(np.ones(30))


def test_the_rank_of_one_more_curve_is_uniform():
    beaten = tried.curve_ranks(SMALL, seed=1, rivals=9, trials=2_000)
    seen = np.bincount(beaten.astype(int), minlength=10)
    assert stats.chisquare(seen).pvalue > 0.001
    assert stats.chisquare(np.bincount((beaten**2 // 9).astype(int), minlength=10)).pvalue < 1e-6  # others are refused


def test_the_calibrated_band_is_exceeded_as_often_as_asked_and_the_papers_hardly_ever():
    found = tried.try_coverage(SMALL, 0.1, draws=999, bands=6, noise=4_000, seed=2)
    assert abs(found.calibrated.value - 0.1) < 4 * found.calibrated.error
    assert abs(found.value - 0.1) < 4 * found.calibrated.error
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


def test_either_band_is_played_at_the_same_confidence_and_the_calibrated_one_promises_more():
    instance = instances.general(40)
    theirs, ours = tried.play_either_band({"forty": (instance, 1)}, 0.2, draws=999, replications=60, seed=1)
    assert (theirs.row["band"], ours.row["band"]) == ("paper's", "calibrated")
    assert ours.played.bound.mean() > theirs.played.bound.mean()
    # the first log, by hand: the paper's band at half of delta
    log = instance.sample(np.random.default_rng(np.random.SeedSequence(1).spawn(1)[0]), 1)
    assert ours.played.bound[0] == pytest.approx(
        trust(log, 0.2, band_for(log.region, 0.2, None, 1, draws=999)).lower_bound
    )
    assert stats.binom.sf(round(60 * ours.played.missed.value) - 1, 60, 0.2) > 1e-4


def test_a_good_centre_promises_more_than_a_bad_one_and_a_cone_solver_agrees_on_all():
    instance = instances.general(12)
    good = instance.means / instance.means.sum()
    centres = {"default": None, "good": good, "bad": good[::-1]}
    x = instance.sample(np.random.default_rng(2)).means
    found = {one.name: one for one in tried.play_around_centres(instance, centres, x, 0.2, 200, 40, seed=3)}
    assert all(one.agrees for one in found.values())
    assert found["good"].value == pytest.approx(good @ instance.means)
    bounds = {name: one.row["lower bound"] for name, one in found.items()}
    assert bounds["good"] > bounds["default"] > bounds["bad"]


def test_rows_have_the_numbers_they_name():
    found = tried.try_coverage(SMALL, 0.2, draws=99, bands=2, noise=200, seed=4)
    assert found.row["calibrated"] == str(found.calibrated)
    assert found.row["width ratio"] == f"{found.ratio.min():.2f} to {found.ratio.max():.2f}"
    few = tried.try_few_draws(SMALL, 0.2, draws=9, bands=3, noise=200, seed=4)
    assert few.row["width"] == f"{few.width:.2f}\u00a0\u00b1\u00a0{few.width_spread:.2f}"
