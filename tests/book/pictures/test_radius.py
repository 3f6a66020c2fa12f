"""The radius: water, signal minus noise, and the band are drawn where they are."""

import numpy as np
import pytest
from drawing import data_of, horizontal_lines, vertical_lines, words

from trust_helpers import OfflineData, TrustRegion, band_for, confidence_widths, instances, trust
from trust_helpers.book import pictures
from trust_helpers.book.experiments.radius import FlatTop
from trust_helpers.quantiles import order_statistic

RNG = np.random.default_rng(7)
INSTANCE = instances.data_starved(200)
DATA = INSTANCE.sample(RNG)
DECISION = trust(DATA, 0.1, "calibrated", 3)


@pytest.mark.parametrize("radius", [0.02, 0.1, 0.3])
def test_weights_are_what_stands_above_the_water(radius):
    region = TrustRegion(np.geomspace(1, 20, 30))
    x = RNG.normal(size=30)
    above = region.precision * np.maximum(x - pictures.water_level(region, x, radius), 0)
    np.testing.assert_allclose(above / above.sum(), region.policy(x, radius), atol=1e-9)


def test_the_water_stands_at_the_best_arm_left_out_when_one_is_played_and_nowhere_at_radius_zero():
    region, x = TrustRegion(np.ones(3)), np.array([1.0, 5.0, 2.0])
    assert pictures.water_level(region, x, region.largest_radius) == 2.0
    assert pictures.water_level(region, x, 0.0) == -np.inf


def test_bars_above_the_water_have_the_height_of_the_weights(ax):
    pictures.draw_water_level(ax, DATA, 0.05)
    above = np.array([bar.get_height() for bar in ax.patches[DATA.n_arms :]])
    weights = np.sort(DATA.region.policy(DATA.means, 0.05))[::-1]
    np.testing.assert_allclose(above / above.sum(), weights, atol=1e-9)


def test_signal_minus_noise_is_widest_at_the_marked_radius(ax):
    pictures.draw_signal_minus_noise(ax, DECISION, DATA)
    signal, noise, gap = (line.get_ydata() for line in ax.lines[:3])
    share = ax.lines[0].get_xdata()
    np.testing.assert_allclose(gap, signal - noise)
    critical = DECISION.radius / DATA.region.largest_radius
    assert np.isclose(share[np.argmax(gap)], critical)
    assert any(np.isclose(x, critical) for x in vertical_lines(ax))


def test_the_marked_draw_is_the_order_statistic(ax):
    draws = RNG.normal(size=500)
    pictures.draw_suprema_on_a_line(ax, draws, 0.05, quantile=1.64)
    rank = order_statistic(500, 0.05)
    assert vertical_lines(ax) == [np.sort(draws)[-rank], 1.64]
    assert (np.sort(draws) >= np.sort(draws)[-rank]).sum() == rank
    assert f"{rank}th largest of 500" in words(ax)[0]


def test_the_weight_line_ends_at_the_largest_weight(ax):
    pictures.draw_weights_over_rewards(ax, DATA, DECISION, INSTANCE.means)
    line = ax.figure.axes[1].lines[1]
    assert np.isclose(line.get_ydata()[-1], DATA.n_arms * DECISION.weights.max())
    assert sum(patch.get_height() for patch in ax.patches) == DATA.n_arms


def test_each_region_has_a_histogram_where_its_noise_is(ax):
    suprema = np.column_stack([RNG.normal(2.0, 0.05, 500), RNG.normal(0.5, 0.02, 500)])
    pictures.draw_noise_of_regions(ax, [1, 0.1], suprema)
    for patch, mean in zip(ax.patches, (2.0, 0.5), strict=True):
        bars = patch.get_data()
        assert bars.values.max() == 1.0
        middle = (bars.edges[1:] + bars.edges[:-1]) / 2
        assert (bars.values * middle).sum() / bars.values.sum() == pytest.approx(mean, abs=0.02)
    assert words(ax) == ["radius 1", "radius 0.1"]
    assert [text.xy[0] for text in ax.texts] == pytest.approx(suprema.mean(axis=0))
    assert ax.texts[0].xy[1] != ax.texts[1].xy[1]


def test_the_band_stands_beside_the_ball_and_lcbs_half_width(ax):
    log = OfflineData(RNG.normal(size=60), np.ones(60), 0.5)
    band = band_for(log, 0.1, "calibrated", 2)
    single = confidence_widths(log, 0.1)[0]
    pictures.draw_band_beside_single_arms(ax, band, single)
    (share, widths), (_, ball) = (data_of(line) for line in ax.lines[:2])
    assert (share[0], share[-1]) == (1.0, band.radii[-1] / log.region.largest_radius)
    assert (widths == band.widths).all()
    assert ball == pytest.approx(band.radii * np.sqrt(60))
    assert widths[0] < ball[0]  # the walls of the simplex bite
    assert horizontal_lines(ax) == [single]
    assert words(ax) == ["the band", "radius \u00d7 \u221ad", "LCB's half width"]


def test_the_flat_top_is_shaded_and_the_printed_radius_marked(ax):
    share = 0.0116 * 1.05 ** np.arange(16, -17.0, -1)
    top = FlatTop(share, 0.6 - 0.01 * np.log(share / 0.011) ** 2, 0.9 + share)
    pictures.draw_flat_top_of_the_guarantee(ax, top, 0.0116)
    truth, guarantee = (line.get_ydata() for line in ax.lines[:2])
    assert (truth == top.truth).all()
    assert (guarantee == top.guarantee).all()
    shaded = ax.patches[0].get_extents().transformed(ax.transData.inverted())
    assert (shaded.x0, shaded.x1) == pytest.approx(top.flat)
    assert shaded.x0 < 0.011 < shaded.x1
    assert vertical_lines(ax) == [0.0116]
