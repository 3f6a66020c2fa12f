"""The dial of the arms shows exact numbers where there are any, and TRUST as it decides."""

import json
import re

import numpy as np
import pytest

from trust_helpers import band_for, instances, lcb, trust
from trust_helpers.book.dial_of_arms import arms_dial, arms_stops, calibrating_draws, numbers_of_arms
from trust_helpers.paper import exact

DELTA, SEED = 0.1, 3
DIAL = arms_dial(DELTA, logs=20, seed=SEED, start=250, most=1_000)


def known(html):
    return json.loads(re.search(r"const known = (.*);\n", html)[1])


def test_numbers_go_from_ten_to_a_million_in_even_steps_of_their_logarithm():
    sizes = np.array(numbers_of_arms(DELTA))
    assert (sizes[0], sizes[-1], sizes.size) == (10, 10**6, 26)
    assert (sizes % 2 == 0).all()
    np.testing.assert_allclose(np.diff(np.log10(sizes)), 0.2, atol=0.02)


@pytest.mark.parametrize("delta", [0.001, 0.02, 0.1, 0.4])
def test_work_at_a_stop_is_bounded_and_its_band_exists(delta):
    for size in numbers_of_arms(delta):
        draws = calibrating_draws(size, delta)
        assert size * draws <= 20_000_000
        assert np.ceil((1 - delta) * (draws + 1)) < draws  # not the largest of all draws


def test_what_needs_no_simulation_is_exact():
    for stop in DIAL.stops:
        assert stop.single == exact.greedy_value(stop.arms)
        assert stop.lcb_promise == exact.of_starved(stop.arms).mean_lcb_bound(DELTA)
        assert stop.cloning_promise == exact.cloning_bound(stop.arms, DELTA)
        assert stop.cloning == 0.5


def test_a_simulation_agrees_with_the_exact_numbers():
    stop, instance, rng = DIAL.stops[5], instances.data_starved(100), np.random.default_rng(0)
    made = [lcb(instance.sample(rng), DELTA) for _ in range(2_000)]
    value = np.mean([instance.value(one.weights) for one in made])
    bounds = np.array([one.lower_bound for one in made])
    assert abs(value - stop.single) < 4 * np.sqrt(stop.single * (1 - stop.single) / 2_000)  # a mean of 0 and 1
    assert abs(bounds.mean() - stop.lcb_promise) < 4 * bounds.std() / np.sqrt(2_000)


def test_trust_is_the_mean_of_its_decisions_on_fresh_logs():
    (stop,) = arms_stops(DELTA, 20, SEED, [100])
    instance = instances.data_starved(100)
    logs = [instance.sample(np.random.default_rng(s)) for s in np.random.SeedSequence(SEED).spawn(20)]
    band = band_for(logs[0], DELTA, "calibrated", SEED, draws=calibrating_draws(100, DELTA))
    made = [trust(log, DELTA, band) for log in logs]
    assert stop.trust == pytest.approx(np.mean([instance.value(one.weights) for one in made]))
    assert stop.trust_promise == pytest.approx(np.mean([one.lower_bound for one in made]))
    assert stop.logs == 20


def test_single_arms_win_where_there_are_few_and_lose_where_there_are_many():
    few, many = DIAL.stops[0], DIAL.stops[-1]
    assert few.single - few.trust > 4 * few.error
    assert many.trust - many.single > 4 * many.error


def test_it_starts_where_it_is_told():
    assert DIAL.stops[DIAL.start].arms == 250
    assert f'value="{DIAL.start}"' in DIAL.html


def test_the_page_has_words_and_places_of_every_stop():
    assert known(DIAL.html)["words"] == [stop.words for stop in DIAL.stops]
    curve = re.search(r'<polyline points="([^"]+)" style="stroke: var\(--trust\)"', DIAL.html)[1].split()
    for place, point in zip(known(DIAL.html)["places"], curve, strict=True):
        assert f"{place['cursor']},{place['trust']}" == point


def test_the_drawing_stays_inside():
    places = np.array([[float(v) for v in place.values()] for place in known(DIAL.html)["places"]])
    assert (places >= 0).all()
    assert (places[:, 0] <= 480).all()
    assert (places[:, 1:] <= 218.05).all()


def test_it_needs_nothing_and_is_the_same_again():
    assert len(DIAL.html.encode()) < 20_000
    assert not re.search(r"https?://|src=|@import|url\(", DIAL.html)
    assert arms_dial(DELTA, 20, SEED, 250, 1_000).html == DIAL.html
