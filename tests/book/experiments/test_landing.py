"""What the landing page says of the methods: exact where it can be, and words that turn with the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers import TrustRegion, band_for, instances
from trust_helpers.book.experiments.landing import (
    GreedyBesideTrust,
    greedy_beside_trust_on_a_ladder,
    worth_of_four_methods,
)
from trust_helpers.paper import exact
from trust_helpers.trials import play

WORLD = instances.data_starved(200)
BAND = band_for(TrustRegion(1 / WORLD.sigma**2), 0.2, "calibrated", 1)


def test_single_arms_are_exact_and_mixtures_are_those_of_the_logs():
    rows = worth_of_four_methods(WORLD, exact.of_starved(200), BAND, logs=20, seed=4)
    assert rows["greedy"].value == rows["lcb"].value == pytest.approx(exact.greedy_value(200))
    assert rows["greedy"].bound == -np.inf
    assert rows["lcb"].bound == exact.of_starved(200).mean_lcb_bound(0.2)  # at the band's delta
    made = play(WORLD, ["behaviour", "trust"], 20, 4, delta=0.2, band=BAND)
    for key in ("behaviour", "trust"):
        assert (rows[key].value, rows[key].bound) == (made[key].value.mean(), made[key].bound.mean())
    assert rows["behaviour"].value == pytest.approx(0.5)
    assert rows["trust"].bound < rows["trust"].value


def test_a_ladder_of_a_thousand_arms_favours_greedy_and_trusts_promise():
    ladder = greedy_beside_trust_on_a_ladder(1_000, 0.1, 20, 2024)
    assert ladder.greedy == pytest.approx(0.8455, abs=1e-4)
    assert ladder.greedy_worst == pytest.approx(0.554, abs=2e-3)
    assert ladder.lcb_bound == pytest.approx(0.107, abs=1e-3)
    assert ladder.trust_worst <= ladder.trust
    assert ladder.words == {"better": "better", "stronger": "a stronger", "fewer": "fewer"}


def test_each_word_turns_with_its_own_numbers():
    found = GreedyBesideTrust(0.8, 0.5, 0.1, 0.7, 0.6, 0.3)
    assert replace(found, trust=0.9).words == found.words | {"better": "worse"}
    assert replace(found, trust_bound=0.05).words == found.words | {"stronger": "a weaker"}
    assert replace(found, trust_worst=0.5).words == found.words | {"fewer": "no fewer"}
