"""The triangle of policies, drawn and with a slider, shows what the package computes."""

import json
import re

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from trust_helpers import DataError, TrustRegion
from trust_helpers.book import pictures
from trust_helpers.book.style import COLOURS, simplex_xy
from trust_helpers.book.triangle import triangle_slider

REGION, REWARDS = TrustRegion([6.0, 3.0, 1.0]), np.array([0.1, 0.6, 1.0])
NAMES = ["arm <1>", "arm 2", "arm 3"]
SLIDER = triangle_slider(REGION, REWARDS, NAMES, frames=12)


def known(html):
    return json.loads(re.search(r"const known = (.*);\n", html)[1])


def test_the_rim_is_at_its_radius_and_in_the_plane_of_policies():
    rim = pictures.rim_of_region(REGION, 0.4)
    assert rim.sum(axis=1) == pytest.approx(np.ones(len(rim)))
    assert [REGION.norm(step) for step in rim - REGION.reference] == pytest.approx([0.4] * len(rim))


def test_a_triangle_needs_three_arms():
    with pytest.raises(DataError, match="there are 4 arms"):
        pictures.rim_of_region(TrustRegion(np.ones(4)), 0.1)


def test_the_path_leads_from_the_reference_to_the_best_arm():
    path = pictures.path_of_best_policies(REGION, REWARDS)
    assert path[0] == pytest.approx(REGION.reference)
    assert path[-1] == pytest.approx([0, 0, 1])
    assert (np.diff(path @ REWARDS) >= -1e-12).all()


def test_the_drawing_marks_the_best_policy_of_each_radius():
    figure, ax = plt.subplots()
    pictures.draw_trust_regions_in_a_triangle(ax, REGION, REWARDS, (0.2, 0.5), NAMES)
    figure.canvas.draw()
    dots = {(round(float(line.get_xdata()[0]), 9), round(float(line.get_ydata()[0]), 9)) for line in ax.lines}
    for radius in (0.2, 0.5):
        x, y = simplex_xy(REGION.policy(REWARDS, radius))
        assert (round(float(x), 9), round(float(y), 9)) in dots
    assert len(ax.patches) == 3
    assert {text.get_text() for text in ax.texts} == {*NAMES, "reference"}
    assert ax.lines[-1].get_color() == COLOURS["behaviour"]
    plt.close(figure)


def test_every_position_of_the_slider_is_a_region_and_its_best_policy():
    assert SLIDER.radii[-1] == REGION.largest_radius
    for position, radius, policy in zip(known(SLIDER.html), SLIDER.radii, SLIDER.policies, strict=True):
        assert policy == pytest.approx(REGION.policy(REWARDS, radius))
        assert [int(share.split("\N{NO-BREAK SPACE}")[0]) for share in position["shares"]] == [
            int(f"{100 * share:.0f}") for share in policy
        ]
        assert position["radius"] == f"{radius:.2f}"


def test_the_best_policy_lies_on_the_trail():
    trail = re.search(r'class="trail" points="([^"]+)"', SLIDER.html)[1].split()
    places = np.array([point.split(",") for point in trail], dtype=float)
    for position in known(SLIDER.html):
        here = np.array([position["x"], position["y"]], dtype=float)
        assert np.linalg.norm(places - here, axis=1).min() < 2.5


def test_names_are_text_and_the_page_is_the_same_each_time():
    assert "arm &lt;1&gt;" in SLIDER.html
    assert "<1>" not in SLIDER.html
    assert triangle_slider(REGION, REWARDS, NAMES, frames=12).html == SLIDER.html
    assert "12 radii" in SLIDER._repr_mimebundle_()["text/plain"]
