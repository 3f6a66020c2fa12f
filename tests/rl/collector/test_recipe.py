"""The settings of the runs say what the paper says."""

import json

import pytest

from trust_helpers.errors import TrustError
from trust_helpers.rl.collector.recipe import ENVIRONMENTS, SEEDS, Recipe, Run


def test_the_policies_are_the_papers():
    recipe = Recipe()
    assert recipe.low == tuple(range(1, 101))
    assert recipe.high == tuple(10 * x + 1 for x in range(1, 101))
    assert len(recipe.policies) == 100 + 100 - 9
    assert recipe.epochs == 1001


def test_segments_cover_the_run_once():
    epochs = [epoch for segment in Recipe().segments for epoch in segment]
    assert epochs == list(range(1, 1002))


def test_an_epoch_is_a_whole_number_of_updates():
    recipe = Recipe()
    assert recipe.epoch_steps % (recipe.parallel * recipe.train_every) == 0


def test_settings_read_back():
    assert json.loads(json.dumps(Recipe().as_dict())) == Recipe().as_dict()


def test_runs_have_random_streams_of_their_own():
    streams = {tuple(Run(env, seed).entropy(1, 5)) for env in ENVIRONMENTS for seed in SEEDS}
    assert len(streams) == 16


@pytest.mark.parametrize(("run", "choices"), [(("Pusher", 2023), "Hopper, Ant"), (("Ant", 1), "2023, 2024")])
def test_unknown_runs_are_refused(run, choices):
    with pytest.raises(TrustError, match=choices):
        Run(*run)
