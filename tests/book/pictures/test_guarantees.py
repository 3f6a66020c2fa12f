"""Chapter 5's pictures show what its experiments found: the data of the lines are checked, not looks."""

import numpy as np
import pytest

from trust_helpers import bounds
from trust_helpers.book.experiments import closed_forms, main_theorem, special_instances
from trust_helpers.book.pictures import guarantees
from trust_helpers.book.pictures.scores import draw_means_of_eight_logs
from trust_helpers.paper import claim
from trust_helpers.paper.law import Law


@pytest.fixture(scope="module")
def settings():
    return main_theorem.two_settings(40, 0.1, seed=1)


@pytest.fixture(scope="module")
def pair():
    return special_instances.try_two_arms(seed=9, logs=50)


def heights(ax):
    return [np.asarray(line.get_ydata()) for line in ax.lines]


def words(ax):
    return [" ".join(text.get_text().split()) for text in ax.texts]


def test_the_proof_shows_gain_objective_peaks_and_rival(ax, settings):
    proof = main_theorem.proof_on_one_log(settings["unequal"], seed=2, size=200)
    guarantees.draw_proof_on_one_log(ax, proof)
    gain, objective, peaks, rival = heights(ax)
    assert set(gain) == {proof.gain}
    for drawn, meant in ((objective, proof.objective), (peaks, proof.peaks), (rival, proof.rival)):
        np.testing.assert_array_equal(drawn, meant)
    assert words(ax) == ["what TRUST truly gains", "objective", "best rival less 2 \N{MULTIPLICATION SIGN} band"]
    low, high = ax.get_ylim()
    assert low < peaks.max() < proof.gain < high


def test_the_width_stands_under_its_bound_and_the_ratios_are_theirs(ax):
    found = closed_forms.width_and_its_bound(200, seed=3, draws=40)
    guarantees.draw_width_and_its_bound(ax, found)
    ball, bound, width = heights(ax)
    np.testing.assert_array_equal(np.minimum(ball, bound), bound)
    np.testing.assert_array_equal(width, found.width)
    ax.clear()
    guarantees.draw_how_loose_the_closed_forms_are(ax, found)
    np.testing.assert_allclose(heights(ax)[0], bound / width)
    np.testing.assert_array_equal(heights(ax)[1], found.looser)


def test_worst_losses_are_drawn_between_the_two_bounds(ax, pair):
    guarantees.draw_worst_losses_on_two_arms(ax, pair)
    floor, ceiling, trust, lcb = heights(ax)
    assert floor[0] == bounds.two_arm_lower_bound((8 * 64) ** -0.5, 32)
    assert (floor < lcb).all()
    assert (lcb < trust).all()
    assert (trust < ceiling).all()
    assert words(ax)[2:] == ["TRUST", "LCB"]


def test_the_uniform_mixture_loses_half_the_gap(ax, pair):
    guarantees.draw_loss_against_the_gap_of_two_arms(ax, pair)
    *_, uniform = heights(ax)
    np.testing.assert_allclose(uniform, pair.scales / 2)
    np.testing.assert_array_equal(heights(ax)[0], pair.scaled[:, 0])
    assert words(ax) == ["TRUST", "LCB", "uniform mixture"]


def test_the_cosine_is_drawn_beside_what_was_gained(ax, settings):
    made = special_instances.try_strong_signals(settings["equal"].band, seed=10, logs=5)
    guarantees.draw_strong_signals(ax, made)
    cosine, bound, trust, fixed = heights(ax)
    np.testing.assert_allclose(np.arctan(2 * made.levels), np.arccos(2 * cosine))
    for drawn, meant in ((bound, made.bound), (trust, made.trust), (fixed, made.fixed)):
        np.testing.assert_array_equal(drawn, meant)


def test_the_density_of_lcb_has_area_one_and_the_papers_means_are_lines(ax):
    points = np.linspace(0.5, 1, 51)
    law = Law(points, np.full(51, 1 / 51))
    draw_means_of_eight_logs(ax, np.linspace(0.7, 0.75, 100), law)
    density, trust, lcb = ax.lines
    assert np.sum(density.get_ydata()) * (points[1] - points[0]) == pytest.approx(1)
    printed = [claim(f"table2.{name}_mean").value for name in ("trust", "lcb")]
    assert [trust.get_xdata()[0], lcb.get_xdata()[0]] == printed
    assert sum(bar.get_height() * bar.get_width() for bar in ax.patches) == pytest.approx(1)
