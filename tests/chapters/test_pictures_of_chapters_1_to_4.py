"""The pictures of chapters 1 to 4 draw what they are given, where it is, and what follows from it."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawing import data_of, horizontal_lines, vertical_lines, words

from trust_helpers import OfflineData, TrustRegion, band_for, confidence_widths
from trust_helpers.chapters import pictures
from trust_helpers.chapters.experiments import mixtures
from trust_helpers.chapters.experiments.radius import FlatTop
from trust_helpers.paper.law import Law
from trust_helpers.trials import Played

RNG = np.random.default_rng(11)
DATA = OfflineData(RNG.normal(size=30), RNG.integers(1, 6, 30), RNG.uniform(0.4, 1.6, 30))


def test_greedy_is_drawn_against_the_number_of_arms_for_both_laws(ax):
    pictures.draw_worth_of_greedy_against_arms(ax, [20, 1_000], [0.9, 0.5], [1.0, 0.99], (400, 0.7))
    normal, uniform, here = (np.array(data_of(line)).tolist() for line in ax.lines)
    assert (normal, uniform) == ([[20, 1_000], [1.0, 0.99]], [[20, 1_000], [0.9, 0.5]])
    assert here == [[400], [0.7]]
    assert words(ax) == ["good arms normal", "good arms uniform"]
    assert ax.get_xscale() == "log"


def test_the_density_over_the_bars_is_that_of_the_law(ax):
    points = np.arange(-2.0, 1.0, 0.005)
    law = Law(points, np.exp(-2 * (points + 0.6) ** 2))
    law = Law(points, law.chances / law.chances.sum())
    pictures.draw_lower_bounds_under_their_law(ax, law.draw(RNG, (4_000,)), law, -1.5)
    bars = ax.patches[:40]
    assert sum(bar.get_height() * bar.get_width() for bar in bars) == pytest.approx(1.0)
    curve = ax.patches[40].get_data()
    middle = (curve.edges[1:] + curve.edges[:-1]) / 2
    assert (curve.values * middle).sum() * 0.02 == pytest.approx(law.mean, abs=0.01)
    assert middle[curve.values.argmax()] == pytest.approx(-0.6, abs=0.03)
    assert vertical_lines(ax) == [-1.5]


def test_what_lcb_is_worth_and_promises_is_averaged_over_logs(ax):
    runs = [Played(np.array([0.0, 1.0]), np.array([-1.0, -0.5]) + n, np.full(2, np.nan)) for n in range(3)]
    pictures.draw_lcb_as_samples_grow(ax, [1, 2, 4], runs, [-2.0, -1.0, 0.5])
    worth, promised, ahead = (line.get_ydata() for line in ax.lines[:3])
    assert list(worth) == [0.5, 0.5, 0.5]
    assert list(promised) == [-0.75, 0.25, 1.25]
    assert list(ahead) == [-2.0, -1.0, 0.5]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "4"]
    assert words(ax) == ["promised from the log", "promised by claim 1"]


def test_errors_lie_under_the_line_of_sigma_over_the_root(ax):
    pictures.draw_errors_of_random_mixtures(ax, [1, 4, 100], [0.3, 0.2, 0.04], 0.5)
    most, errors = (line.get_ydata() for line in ax.lines)
    assert list(most) == [0.5, 0.25, 0.05]
    assert list(errors) == [0.3, 0.2, 0.04]
    assert ax.texts[0].xy == (4, 0.25)


def test_of_many_even_mixtures_those_drawn_are_the_right_ones(ax):
    seen, real = 2.0 - np.arange(1_000) / 1_000, np.arange(1_000) / 2_000
    pictures.draw_even_mixtures_of_the_best(ax, seen, real, 0.5)
    for line, values in zip(ax.lines[:2], (seen, real), strict=True):
        k, heights = data_of(line)
        assert (k[0], k[-1]) == (1, 1_000)
        assert (heights == values[k - 1]).all()
        assert k.size <= 300
    assert horizontal_lines(ax) == [0.5]
    assert words(ax) == ["seems to be worth", "is worth", "cloning"]


def test_the_picture_of_multipliers_draws_each_kind_of_search(ax):
    needed = mixtures.multipliers_by_arms([4, 20, 100], 0.1)
    pictures.draw_multipliers_needed(ax, [4, 20, 100], needed, [2.0, 3.0, 8.0])
    drawn = [line.get_ydata() for line in ax.lines]
    for values, name in zip(drawn, ("the ellipsoid", "all mixtures", "all single arms"), strict=False):
        assert values == pytest.approx(needed[name])
    assert list(drawn[3]) == [2.0, 3.0, 8.0]
    assert horizontal_lines(ax) == [needed["one fixed mixture"][0]]
    assert [text.strip() for text in words(ax)] == ["ellipsoid", "all mixtures", "all single arms", "one fixed mixture"]


def test_the_price_by_place_leaves_out_radius_zero_and_rings_one_policy(ax):
    share, needed = np.array([1.0, 0.1, 0.01, 0.0]), np.array([4.0, 60.0, 20.0, 1.3])
    pictures.draw_multiplier_by_place(ax, share, needed, 70.0, (0.05, 50.0))
    assert np.array(data_of(ax.lines[0])).tolist() == [[1.0, 0.1, 0.01], [4.0, 60.0, 20.0]]
    assert horizontal_lines(ax) == [70.0]
    assert [values[0] for values in data_of(ax.lines[2])] == [0.05, 50.0]
    assert ax.get_ylim() == (1, 210)


def test_thresholds_and_arms_played_agree_with_the_policies():
    order = np.argsort(-DATA.means)
    x, p = DATA.means[order], DATA.precision[order]
    gaps = [p[: j + 1] * (x[: j + 1] - x[j + 1]) for j in range(29)]
    f = np.array([(gap * (x[: j + 1] - x[j + 1])).sum() / gap.sum() ** 2 for j, gap in enumerate(gaps)])
    radius = 0.2 * DATA.region.largest_radius
    figure, (above, below) = plt.subplots(2)
    pictures.draw_thresholds_and_arms_played(above, below, DATA.region, f, radius)
    figure.canvas.draw()
    j, heights = data_of(above.lines[0])
    assert (j[0], j[-1]) == (1, 29)
    total = DATA.precision.sum()
    assert heights == pytest.approx(f * total)
    assert horizontal_lines(above) == pytest.approx([total * radius**2 + 1])
    share, played = data_of(below.lines[0])
    for i in (0, 700, 1_400, 1_999):
        weights = DATA.region.policy(DATA.means, share[i] * DATA.region.largest_radius * (1 - 1e-9))
        assert played[i] == (weights > 0).sum()
    assert vertical_lines(below) == pytest.approx([0.2])
    plt.close(figure)


def test_the_improvement_leaves_its_straight_line_when_arms_drop_out(ax):
    radii = np.linspace(0, DATA.region.largest_radius, 200)
    best = DATA.region.suprema(DATA.means, radii[::-1])[::-1]
    pictures.draw_best_improvement_against_radius(ax, DATA, radii, best)
    (share, straight), (_, drawn) = (data_of(line) for line in ax.lines)
    assert (share[0], share[-1]) == (0.0, 1.0)
    assert (drawn == best).all()
    all_played = [(DATA.region.policy(DATA.means, radius) > 0).all() for radius in radii]
    first_out = all_played.index(False)
    assert 1 < first_out < 100
    assert drawn[:first_out] == pytest.approx(straight[:first_out])
    later = first_out + 8
    assert drawn[later] < straight[later]
    assert np.isnan(straight[-1])  # not beyond all that can be gained


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


def test_a_policy_of_equal_precisions_has_the_excess_the_axis_says():
    region = TrustRegion(np.ones(10_000))
    k = 5_000
    even = np.r_[np.full(k, 1 / k), np.zeros(k)]
    share = region.norm(even - region.reference) / region.largest_radius
    assert share == pytest.approx(mixtures.excess_of_a_random_policy(10_000), rel=1e-3)
