"""LCB, TRUST and the better of the two: one design for each, and what the combination may promise."""

import numpy as np
import pytest

from trust_helpers.book.experiments import better_of_two as tried
from trust_helpers.book.experiments.main_theorem import two_settings
from trust_helpers.trials import Played

LOGS = 200


@pytest.fixture(scope="module")
def designs():
    equal = two_settings(60, 0.1, seed=1)["equal"]
    return tried.a_design_for_lcb_and_one_for_trust(equal, 2, np.random.default_rng(3))


@pytest.fixture(scope="module")
def played(designs):
    return tried.try_the_better_of_two(designs, LOGS, seed=4)


def test_three_arms_are_well_known_in_one_design_and_half_are_good_in_the_other(designs):
    known, alike = designs.values()
    assert known.counts.tolist() == [100] * 3 + [1] * 57
    assert known.instance.means.max() == known.instance.means[0] == 1.0
    assert (alike.counts == 1).all()
    assert alike.instance.means.tolist() == [2.0] * 30 + [0.0] * 30


def test_each_method_has_the_lead_in_its_design_and_the_combination_follows(played):
    known, alike = played.values()
    assert known.plays_lcb.value > 0.9
    assert alike.plays_lcb.value < 0.1
    assert "the higher bound" in known.lcb_leads_in
    assert "the higher bound" not in alike.lcb_leads_in


def test_the_combination_promises_the_larger_bound_and_keeps_it(played):
    for one in played.values():
        larger = np.maximum(one.made["lcb"].bound, one.made["trust"].bound)
        np.testing.assert_allclose(one.made["combined"].bound, larger)
        # allowed are 30 %; P(Binomial(200, 0.3) > 85) < 1e-4
        assert one.missed["combined"].value * LOGS <= 85


def test_a_promise_above_the_value_counts_as_missed():
    made = {
        "lcb": Played(np.ones(2), np.array([0.0, 2.0]), np.zeros(2)),
        "trust": Played(np.full(2, 2.0), np.full(2, 0.5), np.zeros(2)),
        "combined": Played(np.array([2.0, 1.0]), np.array([0.5, 2.0]), np.zeros(2)),
    }
    one = tried.BetterOfTwo(made)
    assert {name: missed.value for name, missed in one.missed.items()} == {"lcb": 0.5, "trust": 0.0, "combined": 0.5}
    assert one.plays_lcb.value == 0.5
    assert one.lcb_leads_in == "the higher bound"
    ahead = tried.BetterOfTwo({"lcb": made["trust"], "trust": made["lcb"], "combined": made["combined"]})
    assert ahead.lcb_leads_in == "the higher value"


def test_the_table_has_three_methods_for_each_design(played):
    rows = tried.better_of_two_rows(played)
    assert [row["method"] for row in rows] == ["LCB", "TRUST", "the better of two"] * 2
    best = played["all arms alike"].made["trust"]
    assert rows[4]["value"] == best.value.mean()
    assert rows[4]["missed"] == str(best.missed)
