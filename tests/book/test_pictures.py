"""The pictures that pages share: water, noise and signals are drawn where they are, and boxes can be read."""

import numpy as np
import pytest

from trust_helpers import TrustRegion, instances, trust
from trust_helpers.book import pictures
from trust_helpers.book.execute import book_folder, load_notebook

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
    vertical = [line.get_xdata()[0] for line in ax.lines if list(line.get_ydata()) == [0, 1]]
    assert any(np.isclose(x, critical) for x in vertical)


def test_lucky_noise_is_coloured_and_its_mean_marked(ax):
    pictures.draw_worst_mixture_of_noise(ax, [1.0, -2.0, 3.0])
    heights = sorted(patch.get_height() for patch in ax.patches)
    assert heights == [-2.0, 1.0, 3.0]
    assert ax.lines[1].get_ydata()[0] == 2.0


def test_no_box_of_a_sketch_covers_another(ax):
    ax.figure.set_size_inches(6.0, 4.8)
    chart = next(cell for cell in load_notebook(book_folder() / "summary.md").cells if "in_doubt" in cell.source)
    drawing = chart.source.partition("\n")[2].replace("plt.show()", "")  # on our axes
    exec(drawing, {"ax": ax, "draw_boxes_and_arrows": pictures.draw_boxes_and_arrows})
    ax.figure.canvas.draw()
    patches = [text.get_bbox_patch() for text in ax.texts if text.get_bbox_patch()]
    boxes = [p.get_window_extent() for p in patches if p.get_edgecolor()[3] > 0]
    assert len(boxes) >= 4
    assert not [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if a.overlaps(b)]
