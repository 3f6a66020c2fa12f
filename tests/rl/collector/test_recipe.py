"""The settings of the runs say what the paper says."""

import json
from dataclasses import replace

import pytest

from trust_helpers.rl.collector.recipe import BASELINES, Recipe, as_stored
from trust_helpers.rl.names import METHODS


def test_the_policies_are_the_papers():
    recipe = Recipe()
    assert recipe.low == tuple(range(1, 101))
    assert recipe.high == tuple(10 * x + 1 for x in range(1, 101))
    assert len(recipe.policies) == 100 + 100 - 9
    assert recipe.epochs == 1001


def test_segments_cover_the_run_once():
    epochs = [epoch for segment in Recipe().segments for epoch in segment]
    assert epochs == list(range(1, 1002))


def test_an_epoch_is_a_whole_number_of_blocks():
    assert Recipe().epoch_steps % Recipe().block == 0


def test_a_setting_needs_the_segments_up_to_its_last_policy():
    recipe = Recipe()
    for setting in ("low", "high"):
        needed = [recipe.segments[number - 1] for number in recipe.segments_of(setting)]
        assert needed[0][0] == 1
        assert max(recipe.epochs_of(setting)) in needed[-1]


@pytest.mark.parametrize("settings", [Recipe(), *BASELINES.values()])
def test_settings_read_back(settings):
    assert json.loads(json.dumps(as_stored(settings))) == as_stored(settings)


def test_the_methods_are_those_that_a_score_can_be_asked_for():
    assert tuple(BASELINES) == METHODS


@pytest.mark.parametrize("name", BASELINES)
def test_a_score_is_the_last_of_ten(name):
    assert BASELINES[name].updates == 10 * BASELINES[name].score_every


def test_what_cql_is_compared_with_differs_in_what_its_name_says():
    back = {"updates": 50_000, "score_every": 5_000, "normalised": True, "layer_norm": True, "averaging": 2e-4}
    changed = {
        "cloning": {"method"},
        "plain observations": {"normalised"},
        "no layer norm": {"layer_norm"},
        "neither": {"normalised", "layer_norm"},
        "last policy": {"averaging"},
    }
    for name, fields in changed.items():
        other = replace(BASELINES[name], updates=50_000, score_every=5_000)
        assert {f for f, value in as_stored(other).items() if value != as_stored(BASELINES["cql"])[f]} == fields
        assert replace(other, method="cql", **back) == BASELINES["cql"]
