"""The collector end to end on a tiny budget; ``make test-rl`` runs this, ``make test`` does not."""

import csv
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from trust_helpers.rl.collector.cql import CqlRecipe, finished_cql, logged_transitions
from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS, export
from trust_helpers.rl.collector.progress import finished, gathered, last_segment, settings_done
from trust_helpers.rl.collector.recipe import Recipe, TrainingRun
from trust_helpers.rl.collector.store import run_folder
from trust_helpers.rl.names import READINGS

pytestmark = pytest.mark.rl

TINY = {"low": (1, 2, 3), "high": (2, 4, 5), "epoch_steps": 600, "checkpoint_epochs": 2, "rollouts": 3}
TINY |= {"hidden": (64, 64), "batch": 32, "learning_starts": 500}
BUDGET = {"updates": 60, "score_every": 20, "batch": 32, "hidden": (16,), "rollouts": 3}
RECIPE, RUN = Recipe(**TINY), TrainingRun("Hopper", 2023)
COLLECT = f"""
import sys
from pathlib import Path
from tqdm import tqdm
from trust_helpers.rl.collector.collect import collect
from trust_helpers.rl.collector.recipe import Recipe, TrainingRun
settings = sys.argv[2:] or ["low", "high"]
collect(TrainingRun("Hopper", 2023), Recipe(**{TINY}), Path(sys.argv[1]), tqdm, settings)
"""
CQL = f"""
import sys
from pathlib import Path
from tqdm import tqdm
from trust_helpers.rl.collector.cql import CqlRecipe, train_cql
from trust_helpers.rl.collector.recipe import Recipe, TrainingRun
train_cql(TrainingRun("Hopper", 2023), "low", Path(sys.argv[1]), Recipe(**{TINY}), CqlRecipe(**{BUDGET}), tqdm)
"""


def run_script(script: str, store: Path, *settings: str) -> None:
    subprocess.run([sys.executable, "-c", script, str(store), *settings], check=True, capture_output=True)


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store with one run, collected without interruption, and CQL on its low setting."""
    store = tmp_path_factory.mktemp("whole")
    run_script(COLLECT, store)
    run_script(CQL, store)
    return store


def run_and_kill(script: str, store: Path, sign: Path) -> None:
    """Run a script and kill it as soon as a file is there."""
    process = subprocess.Popen([sys.executable, "-c", script, str(store)], stderr=subprocess.DEVNULL)
    while not sign.exists():
        assert process.poll() is None, f"the script ended before {sign.name} was there"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("sign", ["policies-002.npz", "training.json", "logged-002-mean.npz"])
def test_a_killed_run_resumes_to_the_same_result(whole, tmp_path, sign):
    run_and_kill(COLLECT, tmp_path, run_folder(tmp_path, RUN, RECIPE) / sign)
    assert not finished(tmp_path, RUN, RECIPE)
    before = last_segment(tmp_path, RUN, RECIPE)
    run_script(COLLECT, tmp_path)
    assert finished(tmp_path, RUN, RECIPE)
    assert before < len(RECIPE.segments)
    assert measurements(tmp_path) == measurements(whole)


def measurements(store: Path) -> list[dict]:
    return [gathered(store, RUN, RECIPE, kind, reading) for kind in ("logged", "evaluated") for reading in READINGS]


def test_a_run_may_stop_after_its_low_setting_and_go_on_later(whole, tmp_path):
    run_script(COLLECT, tmp_path, "low")
    assert settings_done(tmp_path, RUN, RECIPE) == ("low",)
    assert last_segment(tmp_path, RUN, RECIPE) == 2
    run_script(COLLECT, tmp_path)
    assert measurements(tmp_path) == measurements(whole)


def test_a_killed_baseline_resumes_to_the_same_result(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "store")
    folder = run_folder(tmp_path / "store", RUN, RECIPE)
    (folder / "cql-low-sampled.json").unlink()
    run_and_kill(CQL, tmp_path / "store", folder / "cql-low-sampled.json")
    assert scores(tmp_path / "store") is None
    run_script(CQL, tmp_path / "store")
    assert [part["returns"] for part in scores(tmp_path / "store")] == [part["returns"] for part in scores(whole)]
    assert not list(folder.glob("*.pt"))


def scores(store: Path) -> list[dict] | None:
    done = finished_cql(store, RUN, "low", RECIPE, CqlRecipe(**BUDGET))
    return done and done["parts"]


def test_a_finished_run_keeps_policies_and_measurements_but_no_replay(whole):
    folder = run_folder(whole, RUN, RECIPE)
    assert not [*folder.glob("replay-*"), *folder.glob("model-*"), *folder.glob("*.new")]
    assert len([*folder.glob("policies-*")]) == len(RECIPE.segments)


@pytest.mark.parametrize("reading", READINGS)
def test_logged_and_evaluation_episodes_are_different_ones(whole, reading):
    logged = gathered(whole, RUN, RECIPE, "logged", reading)
    evaluated = gathered(whole, RUN, RECIPE, "evaluated", reading)
    assert sorted(logged) == [1, 2, 3, 4, 5]
    assert all(logged[epoch] not in evaluated[epoch] for epoch in logged)
    assert all(len(set(returns)) == TINY["rollouts"] for returns in evaluated.values())


def test_the_two_readings_are_different_episodes(whole):
    sampled, mean = (gathered(whole, RUN, RECIPE, "evaluated", reading) for reading in READINGS)
    assert all(not set(sampled[epoch]) & set(mean[epoch]) for epoch in sampled)


@pytest.mark.parametrize("reading", READINGS)
def test_transitions_add_up_to_the_logged_returns(whole, reading):
    logged = gathered(whole, RUN, RECIPE, "logged", reading)
    steps = logged_transitions(run_folder(whole, RUN, RECIPE), RECIPE, "high", reading)
    ends = np.flatnonzero(steps["terminals"] + steps["timeouts"])
    assert ends[-1] == len(steps["rewards"]) - 1
    totals = [part.sum() for part in np.split(steps["rewards"].astype(float), ends[:-1] + 1)]
    # stored as 32-bit floats: a few hundred rewards near one
    np.testing.assert_allclose(totals, [logged[e] for e in TINY["high"]], rtol=1e-5)


def test_mean_actions_are_a_function_of_the_state_and_sampled_ones_are_not(whole):
    from trust_helpers.rl.collector.rollouts import GaussianPolicy
    from trust_helpers.rl.collector.sac import segment_policies

    folder = run_folder(whole, RUN, RECIPE)
    arrays, states = segment_policies(folder, 1)[1], np.ones((1, 11))
    for reading, same in (("mean", True), ("sampled", False)):
        policy, rng = GaussianPolicy.from_arrays(arrays, reading), np.random.default_rng(0)
        assert (policy.act(states, rng) == policy.act(states, rng)).all() == same
    draws = GaussianPolicy.from_arrays(arrays).act(np.ones((40_000, 11)), np.random.default_rng(0))
    centre = GaussianPolicy.from_arrays(arrays, "mean").act(states, np.random.default_rng(0))
    # tanh keeps the order, so the mean before squashing is the median after it: 40,000 draws give it to 4 / 400
    share = (draws < centre).mean(axis=0)
    assert (np.abs(share - 0.5) < 4 * 0.5 / 200).all()


def test_export_writes_every_policy_and_the_baseline(whole, tmp_path):
    assert [*export(whole, tmp_path, RECIPE, CqlRecipe(**BUDGET))] == ["Hopper-2023: low and high, CQL on 1 of 2"]
    policies, trained = (rows(tmp_path / name) for name in ("mujoco.csv", "cql.csv"))
    assert tuple(policies[0]) == COLUMNS
    assert tuple(trained[0]) == CQL_COLUMNS
    assert [int(row["epoch"]) for row in policies] == [*TINY["low"], *TINY["low"], *TINY["high"], *TINY["high"]]
    for reading in READINGS:
        returns = gathered(whole, RUN, RECIPE, "evaluated", reading)[4]
        [row] = [row for row in policies if (row["epoch"], row["reading"]) == ("4", reading)]
        assert float(row["value"]) == pytest.approx(np.mean(returns), abs=1e-3)
        assert float(row["standard_error"]) == pytest.approx(np.std(returns, ddof=1) / np.sqrt(3), abs=1e-3)
    assert [(row["updates"], row["rollouts"]) for row in trained] == [("20", "3"), ("40", "3"), ("60", "3")]
    made = json.loads((tmp_path / "provenance.json").read_text())["runs"]["Hopper-2023"]
    assert "mujoco" in made["versions"]
    assert made["epochs"] == 5
