"""Rewards and the intervals around them are drawn where they are."""

import numpy as np

from trust_helpers import confidence_widths, instances
from trust_helpers.book import pictures

RNG = np.random.default_rng(7)
INSTANCE = instances.data_starved(200)
DATA = INSTANCE.sample(RNG)


def test_the_interval_of_each_arm_has_lcbs_width(ax):
    pictures.draw_lcb_intervals_of_sorted_arms(ax, DATA, 0.1, INSTANCE.means, shown=40)
    bars = np.array([path.vertices[:, 1] for path in ax.collections[0].get_paths()])
    assert bars.shape == (40, 2)
    np.testing.assert_allclose(bars[:, 1] - bars[:, 0], 2 * confidence_widths(DATA, 0.1)[0])
    assert (np.diff(bars.mean(axis=1)) >= 0).all()
    np.testing.assert_allclose(bars.mean(axis=1)[-1], DATA.means.max())


def test_lucky_noise_is_coloured_and_its_mean_marked(ax):
    pictures.draw_worst_mixture_of_noise(ax, [1.0, -2.0, 3.0])
    heights = sorted(patch.get_height() for patch in ax.patches)
    assert heights == [-2.0, 1.0, 3.0]
    assert ax.lines[1].get_ydata()[0] == 2.0
