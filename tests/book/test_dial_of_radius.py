"""The dial shows what the package computes, at every stop, and is small enough for a landing page."""

import json
import re

import numpy as np
import pytest

from trust_helpers import OfflineData, instances, trust
from trust_helpers.book.dial_of_radius import dial_stops, radius_dial

INSTANCE = instances.data_starved(300)
LOG = INSTANCE.sample(np.random.default_rng(5))
DECISION = trust(LOG, 0.1, "calibrated", 1)
DIAL = radius_dial(LOG, DECISION, INSTANCE.means)


def known(html):
    return json.loads(re.search(r"const known = (.*);\n", html)[1])


def test_the_dial_starts_at_the_decision():
    stop = DIAL.stops[DIAL.start]
    assert stop.guarantee == pytest.approx(DECISION.lower_bound, rel=1e-12)
    assert stop.estimate == pytest.approx(DECISION.estimate, rel=1e-12)
    assert stop.truth == pytest.approx(INSTANCE.value(DECISION.weights), rel=1e-12)
    assert stop.played == DECISION.support
    assert f'value="{DIAL.start}"' in DIAL.html


def test_every_stop_is_a_radius_of_the_band_with_its_own_mixture():
    band = DECISION.band
    for stop, radius, width in zip(DIAL.stops, band.radii[::-1], band.value_widths[::-1], strict=True):
        weights = band.region.policy(LOG.means, radius)
        assert stop.share == pytest.approx(radius / band.radii[0])
        assert stop.noise == width
        assert stop.guarantee == pytest.approx(weights @ LOG.means - width)
        assert stop.truth == pytest.approx(weights @ INSTANCE.means)
        assert stop.played == np.count_nonzero(weights)


def test_the_page_carries_the_words_of_every_stop():
    assert known(DIAL.html)["words"] == [stop.words for stop in DIAL.stops]
    assert DIAL.stops[0].words["played"] == "300"


def test_curves_and_cursor_agree():
    curve = re.search(r'class="guarantee" points="([^"]+)"', DIAL.html)[1].split()
    for place, point in zip(known(DIAL.html)["places"], curve, strict=True):
        assert f"{place['cursor']},{place['guarantee']}" == point


def test_the_weight_line_is_the_weights():
    region, stop = LOG.region, DIAL.stops[DIAL.start]
    weights = region.policy(LOG.means, DECISION.radius) / region.reference
    line = stop.weight * np.maximum(LOG.means - stop.level, 0) / (LOG.means.max() - stop.level)
    np.testing.assert_allclose(line, weights, atol=1e-9)


def test_the_drawing_stays_inside():
    for place in known(DIAL.html)["places"]:
        points = np.array([point.split(",") for point in place["line"].split()], dtype=float)
        assert (points >= -0.06).all()
        assert (points <= [480.06, 132.06]).all()
        assert (np.diff(points[:, 0]) >= 0).all()


def test_it_is_small_needs_nothing_and_is_the_same_again():
    assert len(DIAL.html.encode()) < 60_000
    assert not re.search(r"https?://|src=|@import|url\(", DIAL.html)
    assert radius_dial(LOG, DECISION, INSTANCE.means).html == DIAL.html


def test_unequal_counts_have_a_dial_too():
    means = np.linspace(0, 1, 40)
    log = OfflineData(means + np.random.default_rng(0).normal(0, 0.3, 40), np.arange(1, 41), 1.0)
    stops = dial_stops(log, trust(log, 0.1, "calibrated"), means)
    stop = stops[len(stops) // 2]
    weights = log.region.policy(log.means, stop.share * log.region.largest_radius) / log.region.reference
    line = stop.weight * np.maximum(log.means - stop.level, 0) / (log.means.max() - stop.level)
    np.testing.assert_allclose(line, weights, atol=1e-9)
