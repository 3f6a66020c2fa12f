"""Mixtures: errors, even mixtures and the multipliers they need are drawn as computed."""

import numpy as np
import pytest
from drawing import data_of, horizontal_lines, words

from trust_helpers import TrustRegion
from trust_helpers.book import pictures
from trust_helpers.book.experiments import mixtures


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


def test_a_policy_of_equal_precisions_has_the_excess_the_axis_says():
    region = TrustRegion(np.ones(10_000))
    k = 5_000
    even = np.r_[np.full(k, 1 / k), np.zeros(k)]
    share = region.norm(even - region.reference) / region.largest_radius
    assert share == pytest.approx(mixtures.excess_of_a_random_policy(10_000), rel=1e-3)
