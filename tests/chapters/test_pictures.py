"""The pictures say what the package says: positions of lines, bars and dots are checked, not looks."""

import numpy as np
import pytest
from drawing import vertical_lines, words
from matplotlib.colors import to_rgb

from trust_helpers import OfflineData, TrustRegion, band_for, confidence_widths, instances, trust
from trust_helpers.chapters import figures, pictures
from trust_helpers.chapters.pictures import bands, promises
from trust_helpers.paper import claim
from trust_helpers.quantiles import order_statistic
from trust_helpers.stein import stein_estimate

RNG = np.random.default_rng(7)
INSTANCE = instances.data_starved(200)
DATA = INSTANCE.sample(RNG)
DECISION = trust(DATA, 0.1, "calibrated", 3)


def test_every_meaning_has_a_colour_of_its_own_and_is_told_apart_without_colour():
    assert len(set(figures.COLOURS.values())) == len(figures.COLOURS) - 1  # light is the old name of noise
    styles = {m: (str(figures.DASHES.get(m, "-")), figures.MARKERS.get(m, "")) for m in figures.COLOURS if m != "light"}
    methods = ("trust", "lcb", "greedy", "behaviour", "split", "cql")
    assert len({styles[m] for m in methods}) == len(methods)
    drawn_together = ("estimate", "bound", "truth")  # against the radius
    assert len({str(figures.DASHES.get(m, "-")) + str(round(grey(m), 1)) for m in drawn_together}) == 3


def grey(meaning):
    return float(np.array(to_rgb(figures.COLOURS[meaning])) @ [0.299, 0.587, 0.114])


def test_good_and_bad_arms_differ_in_grey():
    assert grey("bad") - grey("good") > 0.3


@pytest.mark.parametrize("meaning", figures.COLOURS)
def test_words_in_a_colour_can_be_read_on_white(meaning):
    light = figures._luminance(np.array(figures.readable(meaning)))
    assert 1.05 / (light + 0.05) >= 4.5


def test_a_label_stands_on_its_line(ax):
    figures.label_line(ax, [1.0, 3.0, 2.0], [10.0, 30.0, 20.0], "here", "trust", at=1.5)
    assert ax.texts[0].xy == (1.5, 15.0)
    figures.label_line(ax, [1.0, 3.0], [10.0, 30.0], "end")
    assert ax.texts[1].xy == (3.0, 30.0)


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("slope", [5.0, -5.0])
def test_a_label_keeps_clear_of_its_line_on_any_scale(ax, above, slope):
    x = np.geomspace(1e-3, 1, 50)
    y = x ** (slope / 5)
    figures.label_line(ax, x, y, "a label of some length", "trust", at=0.03, above=above)
    ax.set(xscale="log", yscale="log", xlim=(1e-3, 1), ylim=(y.min(), y.max()))  # after the label
    ax.figure.canvas.draw()
    box = ax.texts[0].get_window_extent()
    line = ax.transData.transform(np.column_stack([x, y]))
    over = np.interp(np.linspace(box.x0, box.x1, 50), line[:, 0], line[:, 1])
    assert over.max() < box.y0 if above else over.min() > box.y1


def test_the_interval_of_each_arm_has_lcbs_width(ax):
    pictures.draw_lcb_intervals_of_sorted_arms(ax, DATA, 0.1, INSTANCE.means, shown=40)
    bars = np.array([path.vertices[:, 1] for path in ax.collections[0].get_paths()])
    assert bars.shape == (40, 2)
    np.testing.assert_allclose(bars[:, 1] - bars[:, 0], 2 * confidence_widths(DATA, 0.1)[0])
    assert (np.diff(bars.mean(axis=1)) >= 0).all()
    np.testing.assert_allclose(bars.mean(axis=1)[-1], DATA.means.max())


def test_the_word_at_the_largest_reward_follows_the_log(ax):
    good_on_top = OfflineData([0.0, 5.0], [1, 1], 0.5)
    pictures.draw_rewards_of_good_and_bad_arms(ax, good_on_top, [0.0, 1.0])
    pictures.draw_rewards_of_good_and_bad_arms(ax, good_on_top, [1.0, 0.0])
    assert [w.strip() for w in words(ax)] == ["largest: a good arm", "largest: a bad arm"]


def test_lucky_noise_is_coloured_and_its_mean_marked(ax):
    pictures.draw_worst_mixture_of_noise(ax, [1.0, -2.0, 3.0])
    heights = sorted(patch.get_height() for patch in ax.patches)
    assert heights == [-2.0, 1.0, 3.0]
    assert ax.lines[1].get_ydata()[0] == 2.0


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


def test_a_count_is_broken_only_beyond_chance():
    assert pictures.Count("a", 10, 100, 0.1).verdict == "kept"
    assert pictures.Count("b", 14, 100, 0.1).verdict == "kept"  # its interval begins at 7.9 %
    assert pictures.Count("c", 18, 100, 0.1).verdict == "broken"  # its interval begins at 11.0 %
    assert pictures.Count("d", 0, 50, 0.1).interval[0] == 0.0
    assert pictures.Count("e", 50, 50, 0.1).interval[1] == 1.0


def test_dots_stand_at_the_shares_and_ticks_at_what_is_allowed(ax):
    rows = [pictures.Count("one", 5, 100, 0.1), pictures.Count("two", 60, 100, 0.2)]
    pictures.draw_broken_against_allowed(ax, rows)
    dots = {line.get_marker(): line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 1}
    assert dots == {"o": 0.05, "X": 0.6}
    ticks = [line.get_xdata()[0] for line in ax.lines[-2:]]
    assert ticks == [0.1, 0.2]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one", "two"]


@pytest.mark.parametrize("most", [0.12, 0.2, 0.45, 0.9])
def test_no_per_cent_on_the_axis_is_rounded(ax, most):
    pictures.draw_missed_promises(ax, [pictures.Count("a", 0, 1_000, most)], most)
    ax.figure.canvas.draw()
    shown = [float(label.get_text().split()[0]) / 100 for label in ax.get_xticklabels()]
    assert shown == pytest.approx(list(ax.get_xticks()), abs=1e-12)


def test_missed_promises_stand_against_the_line_of_delta(ax):
    pictures.draw_missed_promises(ax, [pictures.Count("coins", 100, 100, 0.1)], 0.1)
    assert vertical_lines(ax) == [0.1]
    assert words(ax) == ["allowed: 10\u00a0%"]


def test_a_method_without_a_promise_says_so(ax):
    rows = [pictures.Worth("greedy", 0.2, -np.inf), pictures.Worth("TRUST", 0.9, 0.6)]
    pictures.draw_value_and_guarantee_of_methods(ax, rows)
    assert words(ax) == ["no promise "]
    assert [line.get_xdata().tolist() for line in ax.lines if line.get_marker() == "|" and len(line.get_xdata())] == [
        [0.6]
    ]


def test_table_3_has_the_papers_dots_and_ours(ax):
    runs = {"table3.Hopper.low.TRUST": np.array([400.0, 600.0]), "table3.Hopper.low.CQL": np.array([300.0])}
    pictures.draw_table3_as_dots(ax, runs)
    dots = {line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 1}
    printed = {claim(f"table3.Hopper.low.{method}").value for method in ("CQL", "TRUST")}
    assert dots == printed | {500.0, 300.0}


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


@pytest.mark.parametrize(
    "draw", [pictures.draw_which_claim_rests_on_which, pictures.draw_episode_to_arm, pictures.draw_which_method_when]
)
def test_no_box_of_a_sketch_covers_another(ax, draw):
    ax.figure.set_size_inches(6.0, 4.8)
    draw(ax)
    ax.figure.canvas.draw()
    patches = [text.get_bbox_patch() for text in ax.texts if text.get_bbox_patch()]
    boxes = [p.get_window_extent() for p in patches if p.get_edgecolor()[3] > 0]
    assert len(boxes) >= 4
    assert not [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if a.overlaps(b)]


def test_every_kind_of_reward_has_its_promises_under_the_best_there_is(ax):
    axes = ax.figure.subplots(2, 1)
    found = {"coins": {"cloning": [0.4, 0.5], "split": [0.6, 0.7]}, "prices": {"trust": [0.2, 0.3]}}
    promises.draw_promises_of_each_kind_of_reward(axes, [1, 4], found, 0.9)
    for panel, rows in zip(axes, found.values(), strict=True):
        *drawn, best = [list(line.get_ydata()) for line in panel.lines]
        assert drawn == list(rows.values())
        assert best == [0.9, 0.9]
    assert [panel.get_ylabel() for panel in axes] == ["promise, coins", "promise, prices"]


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
