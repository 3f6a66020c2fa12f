"""Chapter 4's experiments: what they find agrees with closed forms, and a wrong rank is found out."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import instances
from trust_helpers.book.experiments.radius import (
    BALL_ARMS,
    FlatTop,
    RankTried,
    ball_suprema,
    decay_rows,
    flat_top,
    radii_within,
    rank_rows,
    tried_rank_rows,
    try_ranks,
)
from trust_helpers.quantiles import draws_for
from trust_helpers.trials import Share


def test_the_supremum_over_a_ball_is_chi():
    suprema, radius = ball_suprema(20_000, seed=1)
    assert stats.kstest(suprema / radius, stats.chi(BALL_ARMS - 1).cdf).pvalue > 0.001
    assert stats.kstest(suprema / radius, stats.chi(BALL_ARMS).cdf).pvalue < 1e-6  # one degree more is refused


def test_the_rank_of_appendix_b_keeps_its_promise_and_the_plain_quantile_does_not():
    plain, deep, largest = try_ranks(0.05, seed=2)
    for tried in (plain, deep, largest):  # exactly: at least that many of 400 draws are above the quantile
        exact = stats.binom.sf(tried.rank - 1, 400, 0.05)
        assert abs(tried.above.value - exact) < 4 * np.sqrt(exact * (1 - exact) / 2_000) + 1e-12
    assert deep.above.value > 0.95 > plain.above.value
    assert plain.excess < deep.excess < largest.excess


@pytest.fixture(scope="module")
def top():
    return flat_top(instances.data_starved(200), 0.1, 0.1, logs=10, seed=3)


def test_the_zoom_stays_inside_the_simplex_and_holds_its_centre(top):
    assert top.share.max() <= 1 + 1e-12
    assert np.isclose(top.share, 0.1).any()
    assert np.allclose(top.share[:-1] / top.share[1:], 1.05)


def test_guarantee_and_truth_are_read_off_between_radii(top):
    here = top.at(float(top.share[5]))
    assert here == pytest.approx((top.guarantee[5], top.truth[5]))
    low, high = top.flat
    assert low <= top.best <= high
    assert top.at(top.best)[0] == pytest.approx(top.guarantee.max())


def test_a_grid_chooses_the_best_of_its_own_radii():
    share = 1.05 ** -np.arange(40.0)
    peak = FlatTop(share, -((np.log(share) - np.log(0.5)) ** 2), share)
    assert peak.best == pytest.approx(0.5, rel=0.03)
    assert peak.chosen(2.0) == pytest.approx(0.5)
    assert peak.chosen(1.5) == pytest.approx(1.5**-2)  # the nearest of 1, 2/3, 4/9 ... to one half, in the logarithm


def test_each_decay_has_the_radius_it_chooses_and_what_is_there():
    share = 1.05 ** -np.arange(40.0)
    peak = FlatTop(share, -((np.log(share) - np.log(0.5)) ** 2), share)
    two, fine = decay_rows(peak, (2.0, 1.5), 0.1, smallest=2.0**-9)
    assert (two["decay"], two["radii"], two["draws"]) == ("2.00", 10, draws_for(0.1, 10))
    assert (two["chosen radius"], two["true value"]) == ("0.5000", pytest.approx(0.5, abs=1e-3))
    assert fine["chosen radius"] == "0.4444"
    assert fine["radii"] == radii_within(2.0**-9, 1.5) == 16
    assert fine["guaranteed"] < two["guaranteed"] <= 0


def test_ranks_settle_below_the_number_expected():
    few, many = rank_rows(0.05, [59, 400_000])
    assert (few["draws"], few["rank"]) == (59, 1)  # the fewest draws whose largest will do: 0.95^59 < 0.05
    assert stats.binom.cdf(many["rank"] - 1, 400_000, 0.05) <= 0.05 < stats.binom.cdf(many["rank"], 400_000, 0.05)
    assert 0.98 < many["rank over expected"] < 1
    assert few["rank over expected"] == pytest.approx(1 / (59 * 0.05))


def test_the_rows_of_tried_ranks():
    row = tried_rank_rows([RankTried("largest draw", 1, Share(0.98, 0.01), 0.123)])[0]
    assert list(row.values()) == ["largest draw", 1, "98.0 \u00b1 1.0 %", "12.3\u00a0%"]
