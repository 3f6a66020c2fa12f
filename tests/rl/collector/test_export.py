"""From a store of finished runs to the bundled files."""

import csv
from pathlib import Path

import numpy as np
import pytest

from trust_helpers.errors import TrustError
from trust_helpers.rl.collector.collect import finished, missing_runs
from trust_helpers.rl.collector.cql import logged_transitions, untrained_runs
from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS, export
from trust_helpers.rl.collector.recipe import Recipe, Run
from trust_helpers.rl.collector.store import opened, read_json, write_json

SMALL = Recipe(low=(1, 2), high=(2, 5), rollouts=3)


def finish(store: Path, run: Run, recipe: Recipe = SMALL, cql: bool = False) -> None:
    """A run as the collector leaves it, with made-up returns."""
    with opened(store, run, recipe) as folder:
        returns = {str(e): [10.0 * e, 10.0 * e + 1, 10.0 * e + 5] for e in recipe.policies}
        write_json(folder / "returns.json", {e: r[0] + 0.5 for e, r in returns.items()})
        write_json(folder / "evaluated.json", {"seconds": 1.0, "returns": returns})
        if cql:
            score = {"returns": [1.0, 2.0, 3.0], "hours": 0.5, "recipe": {"updates": 60}}
            write_json(folder / "cql-low.json", score)
        write_json(folder / "finished.json", {"training_hours": 1.0, "evaluation_hours": 0.5, "versions": {}})


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_every_policy_has_its_mean_error_and_deviation(tmp_path):
    store, data = tmp_path / "store", tmp_path / "data"
    finish(store, Run("Ant", 2024))
    finish(store, Run("Hopper", 2023), cql=True)
    lines = list(export(store, data, SMALL))
    assert lines == [
        "Hopper-2023: 2 + 2 policies, CQL on 1 of 2 settings",
        "Ant-2024: 2 + 2 policies, CQL on 0 of 2 settings",
    ]
    rows = table(data / "mujoco.csv")
    assert tuple(rows[0]) == COLUMNS
    assert [(r["environment"], r["setting"], r["policy"], r["epoch"]) for r in rows[:4]] == [
        ("Hopper", "low", "1", "1"),
        ("Hopper", "low", "2", "2"),
        ("Hopper", "high", "1", "2"),
        ("Hopper", "high", "2", "5"),
    ]
    # 50, 51, 55: mean 52, deviation sqrt(7), standard error sqrt(7/3)
    numbers = [float(rows[3][name]) for name in COLUMNS[5:]]
    np.testing.assert_allclose(numbers, [50.5, 52, np.sqrt(7 / 3), 3, np.sqrt(7)], atol=5e-4)
    [score] = table(data / "cql.csv")
    assert tuple(score) == CQL_COLUMNS
    assert (score["environment"], score["updates"], score["value"], score["hours"]) == ("Hopper", "60", "2.000", "0.5")
    assert list(read_json(data / "provenance.json", {})["runs"]) == ["Hopper-2023", "Ant-2024"]


def test_runs_that_the_store_does_not_have_are_kept(tmp_path):
    first, second, data = tmp_path / "first", tmp_path / "second", tmp_path / "data"
    finish(first, Run("Hopper", 2023), cql=True)
    finish(second, Run("Hopper", 2024))
    list(export(first, data, SMALL))
    list(export(second, data, SMALL))
    assert [row["seed"] for row in table(data / "mujoco.csv")] == ["2023"] * 4 + ["2024"] * 4
    assert len(table(data / "cql.csv")) == 1
    before = (data / "mujoco.csv").read_bytes()
    list(export(second, data, SMALL))
    assert (data / "mujoco.csv").read_bytes() == before


def test_a_run_with_other_settings_is_refused_before_anything_is_written(tmp_path):
    finish(tmp_path / "store", Run("Hopper", 2023))
    with pytest.raises(TrustError, match="Hopper-2023 was made with other settings"):
        list(export(tmp_path / "store", tmp_path / "data", Recipe()))
    assert not (tmp_path / "data").exists()


def test_what_is_missing_is_known(tmp_path):
    assert len(missing_runs(tmp_path)) == 16
    finish(tmp_path, Run("Ant", 2023))
    assert finished(tmp_path, Run("Ant", 2023))
    assert [run.name for run in missing_runs(tmp_path)[:3]] == ["Hopper-2023", "Walker2d-2023", "HalfCheetah-2023"]
    assert untrained_runs(tmp_path) == [Run("Ant", 2023)]


def test_transitions_of_a_setting_are_whole_episodes_with_their_ends(tmp_path):
    arrays = {
        "epochs": np.array([1, 2, 5]),
        "lengths": np.array([2, 3, 1]),
        "terminated": np.array([True, False, True]),
        "observations": np.arange(6.0)[:, None],
        "actions": np.zeros((6, 1)),
        "rewards": np.arange(6.0),
    }
    np.savez(tmp_path / "logged.npz", allow_pickle=False, **arrays)
    steps = logged_transitions(tmp_path, SMALL.high)
    assert steps["rewards"].tolist() == [2, 3, 4, 5]
    assert steps["terminals"].tolist() == [0, 0, 0, 1]
    assert steps["timeouts"].tolist() == [0, 0, 1, 0]
