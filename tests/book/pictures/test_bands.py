"""Bands: widths, ranks and corrections are drawn as computed."""

import numpy as np
from drawing import vertical_lines, words

from trust_helpers import TrustRegion, band_for, instances
from trust_helpers.book import pictures
from trust_helpers.book.pictures import bands
from trust_helpers.stein import stein_estimate


def test_bands_are_drawn_over_the_mean_of_the_noise(ax):
    region = TrustRegion(np.ones(50))
    band = band_for(region, 0.1, radii=region.radii(size=10), draws=500)
    pictures.draw_noise_curves_under_bands(ax, {"calibrated": band}, 0, curves=50)
    curves = np.array([line.get_ydata() for line in ax.lines[:50]])
    ratio = ax.lines[50].get_ydata()
    outside = (curves > ratio).any(axis=1).sum()
    assert outside <= 12  # P(Binomial(50, 0.1) > 12) = 0.0010
    assert (curves > 1 + (ratio - 1) / 4).any(axis=1).sum() > 12  # a band a quarter as high would fail


def test_the_corrected_value_is_steins(ax):
    data = instances.general(60).sample(np.random.default_rng(1))
    radii = data.region.radii(size=12)[4:]
    pictures.draw_corrected_value_along_radius(ax, data, instances.general(60).means, radii)
    expected = [stein_estimate(data.region, data.means, radius).value for radius in radii]
    np.testing.assert_allclose(ax.lines[1].get_ydata(), expected)


def test_ranks_stand_beside_two_standard_deviations_of_chance(ax):
    bands.draw_ranks_beside_what_chance_allows(ax, np.arange(400) % 100)
    *bars, shade = ax.patches
    assert [bar.get_height() for bar in bars] == [40] * 10
    assert (shade.get_y(), shade.get_y() + shade.get_height()) == (28, 52)  # 400 trials, one bin in ten


def test_ratios_are_dashed_for_unequal_precisions_and_thick_for_many_arms(ax):
    ratios = {name: ([0.1, 1.0], [0.9, 0.7]) for name in ("equal, 50 arms", "unequal, 1,000 arms")}
    bands.draw_width_ratios_by_design(ax, ratios)
    equal, unequal, _ = ax.lines
    assert (equal.get_linestyle(), unequal.get_linestyle()) == ("-", "--")
    assert equal.get_linewidth() < unequal.get_linewidth()
    assert list(equal.get_ydata()) == [0.9, 0.7]


def test_the_bias_stands_between_the_lines_where_the_theorem_ends(ax):
    bands.draw_bias_left_beside_where_it_ends(ax, [0.2, 0.9], [0.0, 0.5], [0.01, 0.02], (0.5, 0.7))
    assert vertical_lines(ax) == [0.5, 0.7]
    assert [w.strip() for w in words(ax)] == ["variance ends", "bias ends"]
    assert list(ax.lines[0].get_ydata()) == [0.0, 0.5]
