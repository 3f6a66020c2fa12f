"""Single arms: greedy and LCB are drawn where their laws put them."""

import numpy as np
import pytest
from drawing import data_of, vertical_lines, words

from trust_helpers.book import pictures
from trust_helpers.paper.law import Law
from trust_helpers.trials import Played

RNG = np.random.default_rng(11)


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
