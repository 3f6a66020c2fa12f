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

from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS, export
from trust_helpers.rl.collector.recipe import Baseline, Recipe
from trust_helpers.rl.collector.store import TrainingRun
from trust_helpers.rl.names import READINGS

pytestmark = pytest.mark.rl

TINY = {"low": (1, 2, 3), "high": (2, 4, 5), "epoch_steps": 600, "checkpoint_epochs": 2, "rollouts": 3}
TINY |= {"hidden": (64, 64), "batch": 32, "learning_starts": 500}
SMALL = {"updates": 60, "score_every": 20, "batch": 32, "hidden": (16,), "rollouts": 3}
RECIPE = Recipe(**TINY)
BUDGET = {"cql": Baseline(**SMALL), "cloning": Baseline("cloning", **SMALL)}
BEGIN = f"""
import sys
from pathlib import Path
from tqdm import tqdm
from trust_helpers.rl.collector.recipe import Baseline, Recipe
from trust_helpers.rl.collector.store import TrainingRun
run = TrainingRun(Path(sys.argv[1]), "Hopper", 2023, Recipe(**{TINY}))
"""
COLLECT = f"""{BEGIN}
from trust_helpers.rl.collector.collect import collect
for setting in sys.argv[2:] or ["low", "high"]:
    collect(run, setting, tqdm)
"""
LEARN = f"""{BEGIN}
from trust_helpers.rl.collector.baselines import learn
for method in sys.argv[2:] or ["cql", "cloning"]:
    learn(run, "low", tqdm, method, Baseline(method, **{SMALL}))
"""


def run_script(script: str, store: Path, *settings: str) -> None:
    subprocess.run([sys.executable, "-c", script, str(store), *settings], check=True, capture_output=True)


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run collected without interruption, and both methods on its low setting."""
    run = run_in(tmp_path_factory.mktemp("whole"))
    run_script(COLLECT, run.store)
    run_script(LEARN, run.store)
    return run


def run_in(store: Path) -> TrainingRun:
    return TrainingRun(store, "Hopper", 2023, RECIPE)


def run_and_kill(script: str, store: Path, sign: Path, *words: str) -> None:
    """Run a script and kill it as soon as a file is there."""
    process = subprocess.Popen([sys.executable, "-c", script, str(store), *words], stderr=subprocess.DEVNULL)
    while not sign.exists():
        assert process.poll() is None, f"the script ended before {sign.name} was there"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("sign", ["checkpoint-001-model.zip", "measured-001.json", "logged-002-mean.npz"])
def test_a_killed_run_resumes_to_the_same_result(whole, tmp_path, sign):
    run = run_in(tmp_path)
    run_and_kill(COLLECT, tmp_path, run.path / sign)
    assert run.last_segment() < len(RECIPE.segments)
    run_script(COLLECT, tmp_path)
    assert run.last_segment() == len(RECIPE.segments)
    assert measurements(run) == measurements(whole)


def measurements(run: TrainingRun) -> list[dict]:
    return [run.gathered(kind, reading) for kind in ("logged", "evaluated") for reading in READINGS]


def test_a_run_may_stop_after_its_low_setting_and_go_on_later(whole, tmp_path):
    run = run_in(tmp_path)
    run_script(COLLECT, tmp_path, "low")
    assert (run.settings_done(), run.last_segment()) == (("low",), 2)
    run_script(COLLECT, tmp_path)
    assert measurements(run) == measurements(whole)


@pytest.mark.parametrize("method", BUDGET)
def test_a_method_that_is_killed_resumes_to_the_same_result(whole, tmp_path, method):
    shutil.copytree(whole.store, tmp_path / "store")
    run = run_in(tmp_path / "store")
    run.scores("low", method).unlink()
    run_and_kill(LEARN, run.store, run.scores("low", method), method)
    assert not run.learned("low", method, BUDGET[method])[1]
    run_script(LEARN, run.store, method)
    assert returns(run, method) == returns(whole, method)
    assert not list(run.path.glob(f"{method}-low-*"))


def returns(run: TrainingRun, method: str) -> list[list[float]]:
    parts, finished = run.learned("low", method, BUDGET[method])
    assert finished
    return [part["returns"] for part in parts]


def test_cql_and_cloning_are_not_one_method(whole):
    assert returns(whole, "cql") != returns(whole, "cloning")


def test_a_data_set_that_is_not_complete_is_not_learned_from(tmp_path):
    run_script(LEARN, tmp_path)
    assert returns_begun(run_in(tmp_path)) == {method: ([], False) for method in BUDGET}


def returns_begun(run: TrainingRun) -> dict:
    return {method: run.learned("low", method, baseline) for method, baseline in BUDGET.items()}


def test_a_finished_run_keeps_no_checkpoint(whole):
    assert not [*whole.path.glob("checkpoint-*"), *whole.path.glob("new-*"), *whole.path.glob("cql-low-*")]


@pytest.mark.parametrize("reading", READINGS)
def test_logged_and_evaluation_episodes_are_different_ones(whole, reading):
    logged, evaluated = (whole.gathered(kind, reading) for kind in ("logged", "evaluated"))
    assert sorted(logged) == [1, 2, 3, 4, 5]
    assert all(logged[epoch] not in evaluated[epoch] for epoch in logged)
    assert all(len(set(returns)) == TINY["rollouts"] for returns in evaluated.values())


def test_the_two_readings_are_different_episodes(whole):
    sampled, mean = (whole.gathered("evaluated", reading) for reading in READINGS)
    assert all(not set(sampled[epoch]) & set(mean[epoch]) for epoch in sampled)


@pytest.mark.parametrize("reading", READINGS)
def test_transitions_add_up_to_the_logged_returns(whole, reading):
    from trust_helpers.rl.collector.baselines import logged_transitions

    logged, cut = whole.gathered("logged", reading), 0.0
    for number in RECIPE.segments_of("high"):
        with np.load(whole.logged(number, reading)) as stored:
            last, ended = np.cumsum(stored["lengths"]) - 1, stored["terminated"]
            left_out = ~ended & np.isin(stored["epochs"], TINY["high"])
            cut += stored["rewards"][last[left_out]].sum()
    columns = logged_transitions(whole, "high", reading)
    # stored as 32-bit floats: a few hundred rewards near one
    assert columns["rewards"].sum() + cut == pytest.approx(sum(logged[e] for e in TINY["high"]), rel=1e-5)
    going = columns["going"].astype(bool)[:-1]
    assert (columns["after"][:-1][going] == columns["states"][1:][going]).mean() > 0.9
    assert np.isin(columns["going"], (0, 1)).all()


def test_transitions_are_those_of_the_setting_with_their_ends(tmp_path):
    from trust_helpers.rl.collector.baselines import logged_transitions
    from trust_helpers.rl.collector.store import write

    run = TrainingRun(tmp_path, "Hopper", 2023, Recipe(low=(1, 2), high=(2, 5), checkpoint_epochs=2))
    run.path.mkdir(parents=True)
    for number, (epochs, lengths, ends) in enumerate([([1, 2], [2, 3], [1, 0]), ([], [], []), ([5], [2], [1])], 1):
        states = 10.0 * number + np.arange(sum(lengths))
        arrays = {"epochs": np.array(epochs), "lengths": np.array(lengths, int), "terminated": np.array(ends, bool)}
        steps = {"observations": states[:, None], "actions": np.zeros((states.size, 1)), "rewards": states}
        write(run.logged(number, "mean"), {**arrays, **steps})
    columns = logged_transitions(run, "high", "mean")
    assert columns["states"].ravel().tolist() == columns["rewards"].tolist() == [12, 13, 30, 31]
    assert columns["going"].tolist() == [1, 1, 1, 0]  # the step after 13 was the last of an episode that was cut
    assert columns["after"].ravel().tolist()[:3] == [13, 14, 31]


def test_mean_actions_are_a_function_of_the_state_and_sampled_ones_are_not():
    from trust_helpers.rl.collector.rollouts import GaussianPolicy

    rng, states = np.random.default_rng(0), np.ones((1, 11))
    sizes = [(11, 32), (32, 3), (32, 3)]
    layers = tuple((rng.normal(0, 0.3, size).astype(np.float32), np.zeros(size[1], np.float32)) for size in sizes)
    for reading, same in (("mean", True), ("sampled", False)):
        policy = GaussianPolicy(layers, reading)
        assert (policy.act(states, rng) == policy.act(states, rng)).all() == same
    draws = GaussianPolicy(layers).act(np.ones((40_000, 11)), np.random.default_rng(0))
    centre = GaussianPolicy(layers, "mean").act(states, np.random.default_rng(0))
    # tanh keeps the order, so the mean before squashing is the median after it: 40,000 draws give it to 4 / 400
    share = (draws < centre).mean(axis=0)
    assert (np.abs(share - 0.5) < 4 * 0.5 / 200).all()


def test_export_writes_every_policy_and_what_was_learned(whole, tmp_path):
    said = "Hopper-2023: low and high; learned: cql (low), cloning (low)"
    assert [*export(whole.store, tmp_path, RECIPE, BUDGET)] == [said]
    policies, learned = (rows(tmp_path / name) for name in ("mujoco.csv", "cql.csv"))
    assert tuple(policies[0]) == COLUMNS
    assert tuple(learned[0]) == CQL_COLUMNS
    assert [int(row["epoch"]) for row in policies] == [*TINY["low"], *TINY["low"], *TINY["high"], *TINY["high"]]
    for reading in READINGS:
        returns = whole.gathered("evaluated", reading)[4]
        [row] = [row for row in policies if (row["epoch"], row["reading"]) == ("4", reading)]
        assert float(row["value"]) == pytest.approx(np.mean(returns), abs=1e-3)
        assert float(row["standard_error"]) == pytest.approx(np.std(returns, ddof=1) / np.sqrt(3), abs=1e-3)
    assert [(row["method"], row["updates"]) for row in learned] == [(m, u) for m in BUDGET for u in ("20", "40", "60")]
    made = json.loads((tmp_path / "provenance.json").read_text(encoding="utf-8"))["runs"]["Hopper-2023"]
    assert "mujoco" in made["versions"]
    assert made["epochs"] == 5
