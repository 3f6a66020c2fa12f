"""The bundled data are complete, consistent and loaded without the tools that made them."""

import subprocess
import sys

import numpy as np
import pytest

from trust_helpers import DataError, OfflineData
from trust_helpers.rl import ENVIRONMENTS, SETTINGS, Truth, collected_seeds, cql_score, logged_returns, provenance
from trust_helpers.rl.collector.cql import CqlRecipe
from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS
from trust_helpers.rl.collector.recipe import Recipe
from trust_helpers.rl.shipped import read_rows

RUNS = [(env, seed) for env in ENVIRONMENTS for seed in collected_seeds(env)]
DATASETS = [(env, setting, seed) for env, seed in RUNS for setting in SETTINGS]


def test_every_environment_has_the_first_two_seeds_with_cql_beside_them():
    assert all({2023, 2024} <= set(collected_seeds(env)) for env in ENVIRONMENTS)
    assert all(cql_score(*key) is not None for key in DATASETS)


@pytest.mark.parametrize("key", DATASETS, ids=str)
def test_a_data_set_is_whole(key):
    data, truth = logged_returns(*key)
    assert tuple(truth.epochs) == Recipe().epochs_of(key[1])
    assert data.n_arms == data.n_samples == 100
    assert data.names == tuple(truth.epochs.tolist())
    assert np.isfinite([data.means, truth.values]).all()
    assert (truth.standard_errors > 0).all()
    assert (truth.rollouts >= 20).all()
    # both are rounded to three decimals
    np.testing.assert_allclose(truth.standard_errors, truth.deviations / np.sqrt(truth.rollouts), atol=1.1e-3)


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_a_policy_in_both_settings_has_one_set_of_numbers(run):
    env, seed = run
    low, high = (logged_returns(env, setting, seed) for setting in SETTINGS)
    _, i, j = np.intersect1d(low.truth.epochs, high.truth.epochs, return_indices=True)
    assert i.size == 9
    assert (low.data.means[i] == high.data.means[j]).all()
    assert (low.truth.values[i] == high.truth.values[j]).all()


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_logged_episodes_are_like_the_evaluation_episodes_but_not_among_them(run):
    env, seed = run
    logged, value, spread, rollouts = [], [], [], []
    for setting in SETTINGS:
        data, truth = logged_returns(env, setting, seed)
        logged.append(data.means), value.append(truth.values)
        spread.append(truth.deviations), rollouts.append(truth.rollouts)
    gap = np.concatenate(logged) - np.concatenate(value)
    assert (gap != 0).all()
    n = np.concatenate(rollouts)
    z = gap / (np.concatenate(spread) * np.sqrt(1 + 1 / n))
    # with the same distribution z has mean 0 over the policies, and Student's deviation, 1.05 for twenty episodes;
    # nine policies count twice, hence 4.5 and not 4 standard errors
    assert abs(z.mean()) < 4.5 * 1.06 / np.sqrt(z.size)


def test_the_files_have_the_columns_they_should():
    assert tuple(read_rows("mujoco.csv")[0]) == COLUMNS
    assert all(tuple(row) == CQL_COLUMNS for row in read_rows("cql.csv"))


def test_provenance_matches_the_data():
    made = provenance()
    assert set(made["runs"]) == {f"{env}-{seed}" for env, seed in RUNS}
    assert made["sac"] == Recipe().as_dict()
    assert made["cql"] == CqlRecipe().as_dict()
    assert all(run["training_hours"] > 0 and run["evaluation_hours"] > 0 for run in made["runs"].values())
    assert all(run["versions"]["mujoco"] == "3.3.7" for run in made["runs"].values())


def test_cql_scores_belong_to_collected_data_and_carry_their_budget():
    for row in read_rows("cql.csv"):
        key = row["environment"], row["setting"], int(row["seed"])
        assert key in DATASETS
        score = cql_score(*key)
        assert score is not None
        assert score.updates == CqlRecipe().updates
        assert score.rollouts == CqlRecipe().rollouts
        assert np.isfinite(score.value)
        assert score.standard_error > 0


@pytest.mark.parametrize(
    ("key", "culprit", "choices"),
    [
        (("Humanoid", "low", 2023), "'Humanoid'", "Hopper, Ant, Walker2d, HalfCheetah"),
        (("hopper", "low", 2023), "'hopper'", "Hopper, Ant, Walker2d, HalfCheetah"),
        (("Hopper", "medium", 2023), "'medium'", "low, high"),
        (("Hopper", "low", 7), "7", ", ".join(map(str, collected_seeds("Hopper")))),
    ],
)
def test_an_unknown_data_set_is_refused_with_the_ones_there_are(key, culprit, choices):
    with pytest.raises(DataError, match=culprit) as refused:
        logged_returns(*key)
    assert choices in str(refused.value)


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
    path.write_text("policy,return\n" + rows)
    with pytest.raises(DataError, match=culprit):
        OfflineData.from_csv(path, "policy", "return", sigma=150)


def test_loading_needs_none_of_the_tools_that_made_the_data():
    code = "import sys; from trust_helpers.rl import logged_returns; logged_returns('Hopper', 'low', 2023); "
    code += "print(sorted({'gymnasium', 'mujoco', 'jax', 'torch', 'sbx', 'd3rlpy', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
