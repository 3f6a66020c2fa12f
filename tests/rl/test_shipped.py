"""The bundled data are complete, consistent and loaded without the tools that made them."""

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from trust_helpers import DataError, OfflineData
from trust_helpers.rl import (
    ENVIRONMENTS,
    READINGS,
    SETTINGS,
    Truth,
    collected_readings,
    collected_seeds,
    cql_score,
    logged_returns,
    provenance,
    shipped,
)
from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS
from trust_helpers.rl.collector.recipe import BASELINES, Recipe, as_stored
from trust_helpers.rl.shipped import read_rows


def names(row):
    """What a data set is called with: the arguments of ``logged_returns`` but for the noise level."""
    return row["environment"], row["setting"], int(row["seed"]), row["reading"]


def load(key):
    env, setting, seed, reading = key
    return logged_returns(env, setting, seed, reading=reading)


DATASETS = list(dict.fromkeys(names(row) for row in read_rows("mujoco.csv")))
LEARNED = list(dict.fromkeys((*names(row), row["method"]) for row in read_rows("cql.csv")))
BOTH = [key for key in DATASETS if key[1] == "low" and (key[0], "high", *key[2:]) in DATASETS]


def test_the_runs_of_the_first_two_seeds_are_whole():
    for env, setting, reading in product(ENVIRONMENTS, SETTINGS, READINGS):
        assert {2023, 2024} <= set(collected_seeds(env, setting, reading))


def test_cql_was_trained_on_every_data_set_of_the_first_seed():
    for env, setting in product(ENVIRONMENTS, SETTINGS):
        assert cql_score(env, setting, 2023).updates == 50_000


def test_cloning_is_beside_cql_everywhere():
    cql, cloning = ({key[:4] for key in LEARNED if key[4] == method} for method in ("cql", "cloning"))
    assert cql == cloning != set()


@pytest.mark.parametrize("key", DATASETS, ids=str)
def test_a_data_set_is_whole(key):
    data, truth = load(key)
    assert tuple(truth.epochs) == Recipe().epochs_of(key[1])
    assert data.n_arms == data.n_samples == 100
    assert data.names == tuple(truth.epochs.tolist())
    assert np.isfinite([data.means, truth.values]).all()
    assert (truth.standard_errors > 0).all()
    assert (truth.rollouts >= 20).all()
    # both are rounded to three decimals
    np.testing.assert_allclose(truth.standard_errors, truth.deviations / np.sqrt(truth.rollouts), atol=1.1e-3)


def test_every_run_has_both_readings():
    assert {(*key[:3], reading) for key in DATASETS for reading in READINGS} == set(DATASETS)


def test_what_two_mixtures_share_has_no_part_in_the_error_of_their_difference():
    ones = np.ones(3)
    truth = Truth(np.arange(3), np.array([1.0, 4.0, 9.0]), np.array([3.0, 4.0, 12.0]), ones, ones.astype(int))
    assert truth.lead([0.5, 0.5, 0], [0, 0.5, 0.5]) == (-4.0, pytest.approx(np.hypot(1.5, 6)))
    assert truth.lead([0, 1, 0], [0, 1, 0]) == (0.0, 0.0)


@pytest.mark.parametrize("key", BOTH, ids=str)
def test_a_policy_in_both_settings_has_one_set_of_numbers(key):
    env, _, *rest = key
    low, high = (load((env, setting, *rest)) for setting in SETTINGS)
    _, i, j = np.intersect1d(low.truth.epochs, high.truth.epochs, return_indices=True)
    assert i.size == 9
    assert (low.data.means[i] == high.data.means[j]).all()
    assert (low.truth.values[i] == high.truth.values[j]).all()


@pytest.mark.parametrize("key", DATASETS, ids=str)
def test_logged_episodes_are_like_the_evaluation_episodes_but_not_among_them(key):
    data, truth = load(key)
    gap = data.means - truth.values
    assert (gap != 0).all()
    # With one distribution for a policy's 21 episodes the gap has mean 0 and variance deviation^2 (1 + 1/n), whatever
    # the shape; dividing policy by policy would blow up where the twenty happen to agree and the logged one falls.
    variance = truth.deviations**2 * (1 + 1 / truth.rollouts)
    assert abs(gap.sum()) < 4.5 * np.sqrt(variance.sum())


def test_the_files_have_the_columns_they_should():
    assert tuple(read_rows("mujoco.csv")[0]) == COLUMNS
    assert all(tuple(row) == CQL_COLUMNS for row in read_rows("cql.csv"))


def test_provenance_matches_the_data():
    made = provenance()
    assert set(made["runs"]) == {f"{env}-{seed}" for env, _, seed, _ in DATASETS}
    assert made["sac"] == as_stored(Recipe())
    assert set(made["baselines"]) == {key[4] for key in LEARNED}
    now = {name: as_stored(baseline) for name, baseline in BASELINES.items() if name in made["baselines"]}
    assert {name: made["baselines"][name] for name in now} == now
    assert all(run["training_hours"] > 0 and run["evaluation_hours"] > 0 for run in made["runs"].values())
    assert all(run["versions"]["mujoco"] == "3.3.7" for run in made["runs"].values())


def test_a_run_is_as_long_as_its_settings_ask():
    for env, setting, seed, _ in DATASETS:
        run = provenance()["runs"][f"{env}-{seed}"]
        assert run["epochs"] >= max(Recipe().epochs_of(setting))


@pytest.mark.parametrize("key", LEARNED, ids=str)
def test_scores_belong_to_collected_data_and_carry_their_budget(key):
    assert key[:4] in DATASETS
    score, budget = cql_score(*key), provenance()["baselines"][key[4]]
    assert score is not None
    assert (score.updates, score.rollouts) == (budget["updates"], budget["rollouts"])
    assert (list(score.hidden), score.batch) == (budget["hidden"], budget["batch"])
    assert np.isfinite([point.value for point in score.curve]).all()
    assert score.standard_error > 0
    every = budget["score_every"]
    assert [point.updates for point in score.curve] == list(range(every, budget["updates"] + 1, every))
    assert score.curve[-1][1:] == (score.value, score.standard_error)


@pytest.mark.parametrize(
    ("key", "culprit", "choices"),
    [
        (("Humanoid", "low", 2023), "'Humanoid'", "Hopper, Ant, Walker2d, HalfCheetah"),
        (("hopper", "low", 2023), "'hopper'", "Hopper, Ant, Walker2d, HalfCheetah"),
        (("Hopper", "medium", 2023), "'medium'", "low, high"),
        (("Hopper", "low", 7), "7", ", ".join(map(str, collected_seeds("Hopper", "low")))),
        (("Hopper", "low", 2023, 150.0, "greedy"), "'greedy'", "sampled, mean"),
    ],
)
def test_an_unknown_data_set_is_refused_with_the_ones_there_are(key, culprit, choices):
    with pytest.raises(DataError, match=culprit) as refused:
        logged_returns(*key)
    assert choices in str(refused.value)


def test_an_unknown_method_is_refused_with_the_ones_there_are():
    with pytest.raises(DataError, match=r"'dreaming'.*cql, cloning"):
        cql_score("Hopper", "low", 2023, method="dreaming")


@pytest.fixture
def made_up(monkeypatch):
    """Ant low with two seeds, of which one has both readings, and Ant high with one; nothing else."""
    keys = [("Ant", "low", "sampled", seed) for seed in (2023, 2024)]
    keys += [("Ant", "low", "mean", 2024), ("Ant", "high", "sampled", 2024)]
    monkeypatch.setattr(shipped, "_runs", lambda: {key: [] for key in keys})


def test_seeds_are_those_of_the_setting_or_of_both(made_up):
    assert collected_seeds("Ant", "low") == (2023, 2024)
    assert collected_seeds("Ant", "low", "mean") == (2024,)
    assert collected_seeds("Ant") == (2024,)
    assert collected_seeds("Hopper") == ()


def test_readings_are_those_that_were_collected(made_up):
    assert collected_readings("Ant", "low") == READINGS
    assert collected_readings("Ant", "high") == ("sampled",)
    with pytest.raises(DataError, match=r"Ant \(high, mean\) was collected with none"):
        logged_returns("Ant", "high", 2024, reading="mean")


@pytest.mark.parametrize("ask", [collected_seeds, collected_readings, lambda *names: cql_score(*names, 2023)])
def test_whoever_asks_for_an_unknown_robot_is_told_the_ones_there_are(ask):
    with pytest.raises(DataError, match=r"'Humanoid'.*Hopper, Ant, Walker2d, HalfCheetah"):
        ask("Humanoid", "low")


def test_the_noise_level_is_the_callers():
    data, _ = logged_returns("Hopper", "low", 2023, sigma=20)
    assert (data.sigma == 20).all()
    with pytest.raises(DataError, match="sigma"):
        logged_returns("Hopper", "low", 2023, sigma=0)


def test_the_value_of_a_mixture_is_the_weighted_mean_and_its_errors_add_in_squares():
    truth = Truth(
        np.array([1, 2]), np.array([10.0, 30.0]), np.array([3.0, 4.0]), np.array([1.0, 1.0]), np.array([20, 20])
    )
    assert truth.of([1, 0]) == (10, 3)
    assert truth.of([0.5, 0.5]) == (20, 2.5)
    with pytest.raises(DataError, match="sums to"):
        truth.of([0.5, 0.6])


@pytest.mark.parametrize(
    ("rows", "culprit"),
    [("a,1\nb,fast\n", "line 3"), ("a,1\n,2\n", "line 3"), ("a,nan\n", "line 2"), ("", "empty")],
)
def test_a_log_of_returns_with_bad_rows_is_refused(tmp_path, rows, culprit):
    path = tmp_path / "returns.csv"
    path.write_text("policy,return\n" + rows, encoding="utf-8")
    with pytest.raises(DataError, match=culprit):
        OfflineData.from_csv(path, "policy", "return", sigma=150)


def test_loading_needs_none_of_the_tools_that_made_the_data():
    code = "import sys; from trust_helpers.rl import logged_returns; logged_returns('Hopper', 'low', 2023); "
    code += "tools = {'gymnasium', 'mujoco', 'jax', 'torch', 'sbx', 'd3rlpy', 'pandas', 'trust_helpers.rl.collector'}; "
    code += "print(sorted(tools & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
