"""The settings of the runs say what the paper says."""

import json

import pytest

from trust_helpers.errors import TrustError
from trust_helpers.rl.collector.recipe import Recipe, TrainingRun, all_runs
from trust_helpers.rl.names import ENVIRONMENTS, SEEDS


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


def test_the_queue_has_every_run_once_and_completes_a_seed_at_a_time():
    assert {run.name for run in all_runs()} == {f"{env}-{seed}" for env in ENVIRONMENTS for seed in SEEDS}
    assert [run.seed for run in all_runs()] == sorted(run.seed for run in all_runs())


def test_settings_read_back():
    assert json.loads(json.dumps(Recipe().as_dict())) == Recipe().as_dict()


def test_runs_have_random_streams_of_their_own():
    streams = {tuple(TrainingRun(env, seed).entropy(1, 5)) for env in ENVIRONMENTS for seed in SEEDS}
    assert len(streams) == 16


@pytest.mark.parametrize(("run", "choices"), [(("Pusher", 2023), "Hopper, Ant"), (("Ant", 1), "2023, 2024")])
def test_unknown_runs_are_refused(run, choices):
    with pytest.raises(TrustError, match=choices):
        TrainingRun(*run)
