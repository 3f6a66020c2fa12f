"""Closed forms beside what they bound: never below it, and as loose as the page says."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import TrustRegion
from trust_helpers.book.experiments import closed_forms as tried
from trust_helpers.paper import tables


@pytest.fixture(scope="module")
def widths():
    return tried.width_and_its_bound(400, seed=3, draws=100)


def test_the_bound_is_never_below_the_width_and_the_ball_bounds_both(widths):
    assert (widths.ratio > 1 - 4 * (widths.error / widths.width).max()).all()
    assert (widths.bound <= widths.ball * (1 + 1e-12)).all()
    assert (widths.looser > 1).all()
    assert widths.grid.size == tables.grid_band("general").radii.size


def test_while_no_weight_is_zero_the_width_is_the_balls_with_one_dimension_less(widths):
    # the norm of a standard normal vector in the 399 dimensions whose entries add up to zero
    exact = stats.chi.mean(399) * widths.share[-1] * TrustRegion(np.ones(400)).largest_radius
    assert abs(widths.width[-1] - exact) < 4 * widths.error[-1]


def test_the_bend_is_where_the_width_has_lost_a_tenth_and_comes_before_the_crossing(widths):
    at = widths.share.tolist().index(widths.bend)
    assert widths.width[at] < 0.9 * widths.ball[at]
    assert widths.width[at + 1] >= 0.9 * widths.ball[at + 1]
    assert widths.bend < widths.crossing <= 1


def test_the_printed_fine_grained_bound_is_refuted_and_the_corrected_one_is_not():
    hidden = tried.hide_a_signal_from_the_printed_bound(seed=6, logs=60)
    failed = (hidden.gaps > hidden.printed).mean()
    assert stats.binom.sf(int(failed * 60) - 1, 60, 0.1) < 1e-6
    assert (hidden.gaps <= hidden.corrected).all()


def test_each_step_of_the_fine_grained_theorem_costs_something():
    found = tried.fine_grained_step_by_step(0.1, seed=7, logs=50)
    assert found["measured"] <= found["simulated band"] <= found["claim 1, corrected"] <= found["claim 2, corrected"]
    assert found["claim 1, printed"] < found["claim 1, corrected"]
    assert found["enough"] >= found["enough promised"]


def test_the_table_has_every_step_in_order():
    found = tried.fine_grained_step_by_step(0.1, seed=7, logs=50)
    rows = tried.fine_grained_rows(found)
    assert rows[0] == {"gap to the best arm": "mean gap to the best arm", "at most": found["measured"]}
    assert {row["at most"] for row in rows} == {v for k, v in found.items() if not k.startswith("enough")}
