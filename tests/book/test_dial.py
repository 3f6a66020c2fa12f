"""The dials show what the package computes, at every stop, and are small enough for a landing page."""

import json
import re

import numpy as np
import pytest

from trust_helpers import DataError, OfflineData, TrustRegion, instances, trust
from trust_helpers.book.dial import EARNED, PROMISED, arms_dial, radius_dial, radius_stops, rim_of_region, triangle_dial

INSTANCE = instances.data_starved(300)
LOG = INSTANCE.sample(np.random.default_rng(5))
DECISION = trust(LOG, 0.1, "calibrated", 1)
NAMES = ("arms", *EARNED, *PROMISED)
STOPS = [
    dict(zip(NAMES, (d, 0.5, single, 0.7, 0.3, single - 1, 0.4), strict=True))
    for d, single in ((10, 0.9), (100, 0.7), (1_000, 0.4), (9_000, 0.1))
]
REGION, REWARDS = TrustRegion([6.0, 3.0, 1.0]), np.array([0.1, 0.6, 1.0])
THREE = ["arm <1>", "arm $2", "arm 3"]


def made():
    return {
        "radius": radius_dial(LOG, DECISION, INSTANCE.means),
        "arms": arms_dial(STOPS, 1),
        "triangle": triangle_dial(REGION, REWARDS, THREE),
    }


DIALS = made()
each = pytest.mark.parametrize("name", DIALS)


def numbers(line):
    return np.array([point.split(",") for point in line.split()], dtype=float)


@each
def test_the_page_carries_the_words_and_places_of_every_stop(name):
    dial = DIALS[name]
    known = json.loads(re.search(r"const known = (.*);\n", dial.html)[1])
    assert known == {"words": list(dial.words), "places": list(dial.places)}
    assert len(dial.words) == len(dial.places) == len(dial.stops)
    assert f'max="{len(dial.stops) - 1}" step="1" value="{dial.start}"' in dial.html


@each
def test_what_the_page_asks_for_is_known_and_shown_at_the_first_stop(name):
    dial = DIALS[name]
    words = dict(re.findall(r'data-word="(\w+)">([^<]+)<', dial.html))
    assert words == {word: text for word, text in dial.words[dial.start].items() if word in words}
    assert len(words) == len(dial.words[0]) - 1  # the word that is turned stands in the label
    moves = {m.split(":")[1] for moved in re.findall(r'data-moves="([^"]+)"', dial.html) for m in moved.split()}
    assert moves == set(dial.places[0])


@each
def test_it_is_small_needs_nothing_and_is_the_same_again(name):
    html = DIALS[name].html
    assert len(html.encode()) < 60_000
    assert not re.search(r"https?://|src=|@import|url\((?!#)", html)
    assert made()[name].html == html


@each
def test_no_element_has_a_style_of_notebooks(name):
    """JupyterLab and nbconvert lay out lists of definitions in their own way, over the numbers."""
    assert not re.search(r"<(dl|dt|dd|table|p|h\d)\b", DIALS[name].html)


def test_the_radius_starts_at_the_decision():
    stop = DIALS["radius"].stops[DIALS["radius"].start]
    assert stop["guarantee"] == pytest.approx(DECISION.lower_bound, rel=1e-12)
    assert stop["estimate"] == pytest.approx(DECISION.estimate, rel=1e-12)
    assert stop["truth"] == pytest.approx(INSTANCE.value(DECISION.weights), rel=1e-12)
    assert stop["played"] == DECISION.support


def test_every_stop_is_a_radius_of_the_band_with_its_own_mixture():
    band = DECISION.band
    for stop, radius, width in zip(DIALS["radius"].stops, band.radii[::-1], band.value_widths[::-1], strict=True):
        weights = band.region.policy(LOG.means, radius)
        assert stop["radius"] == pytest.approx(radius / band.radii[0])
        assert stop["noise"] == width
        assert stop["guarantee"] == pytest.approx(weights @ LOG.means - width)
        assert stop["truth"] == pytest.approx(weights @ INSTANCE.means)
        assert stop["played"] == np.count_nonzero(weights)


def test_the_cursor_stays_on_the_curves():
    dial = DIALS["radius"]
    curve = numbers(re.search(r'class="guarantee" points="([^"]+)"', dial.html)[1])
    places = [[float(place["cursor"]), float(place["guarantee"])] for place in dial.places]
    assert curve.tolist() == places


def test_every_curve_of_the_radius_is_named():
    names = re.findall(r'class="name" x="([\d.]+)" y="([\d.]+)"[^>]*>(\w+)<', DIALS["radius"].html)
    assert {name for _, _, name in names} == {"estimate", "truth", "sure"}
    assert all(20 < float(x) < 470 and 140 < float(y) < 335 for x, y, _ in names)


@pytest.mark.parametrize("counts", [np.ones(40), np.arange(1, 41)])
def test_the_weight_line_is_the_weights(counts):
    means = np.linspace(0, 1, 40)
    log = OfflineData(means + np.random.default_rng(0).normal(0, 0.3, 40), counts, 1.0)
    stops = radius_stops(log, trust(log, 0.1, "calibrated"), means)
    stop = stops[len(stops) // 2]
    weights = log.region.policy(log.means, stop["radius"] * log.region.largest_radius) / log.region.reference
    line = stop["weight"] * np.maximum(log.means - stop["level"], 0) / (log.means.max() - stop["level"])
    np.testing.assert_allclose(line, weights, atol=1e-9)


def test_the_drawings_stay_inside():
    for place in DIALS["radius"].places:
        line = numbers(place["line"])
        assert (line >= -0.06).all()
        assert (line <= [480.06, 132.06]).all()
        assert (np.diff(line[:, 0]) >= 0).all()
    places = np.array([[float(v) for v in place.values()] for place in DIALS["arms"].places])
    assert (places >= 0).all()
    assert (places[:, 0] <= 480).all()
    assert (places[:, 1:] <= 218.05).all()


def test_the_rim_is_at_its_radius_and_in_the_plane_of_policies():
    rim = rim_of_region(REGION, 0.4)
    assert rim.sum(axis=1) == pytest.approx(np.ones(len(rim)))
    assert [REGION.norm(step) for step in rim - REGION.reference] == pytest.approx([0.4] * len(rim))
    with pytest.raises(DataError, match="there are 4 arms"):
        rim_of_region(TrustRegion(np.ones(4)), 0.1)


def test_every_stop_of_the_triangle_is_a_region_and_its_best_policy_on_the_trail():
    dial = DIALS["triangle"]
    trail = numbers(re.search(r'<polyline  points="([^"]+)"', dial.html)[1])
    assert dial.stops[-1]["radius"] == REGION.largest_radius
    for stop, words, place in zip(dial.stops, dial.words, dial.places, strict=True):
        shares = [stop[f"share_{i}"] for i in range(3)]
        assert shares == pytest.approx(REGION.policy(REWARDS, stop["radius"]))
        shown = [words[f"share_{i}"].split("\N{NO-BREAK SPACE}")[0] for i in range(3)]
        assert shown == [f"{100 * share:.0f}" for share in shares]
        here = np.array([place["cursor"], place["best"]], dtype=float)
        assert np.linalg.norm(trail - here, axis=1).min() < 2.5


def test_names_are_text():
    assert "arm &lt;1&gt;" in DIALS["triangle"].html
    assert "arm $2" in DIALS["triangle"].html
    assert "<1>" not in DIALS["triangle"].html
