"""From a store of runs in progress to the bundled files."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up_runs import BUDGET, SMALL, measure, score

from trust_helpers.errors import TrustError
from trust_helpers.rl.collector.cql import logged_transitions
from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS, export
from trust_helpers.rl.collector.progress import finished, logged_path, measured_path, settings_done
from trust_helpers.rl.collector.recipe import Recipe, TrainingRun
from trust_helpers.rl.collector.status import status
from trust_helpers.rl.collector.store import read_json, run_folder, write_arrays


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def write(store: Path, data: Path) -> list[str]:
    return list(export(store, data, SMALL, BUDGET))


def test_every_policy_has_its_mean_error_and_deviation_under_both_readings(tmp_path):
    store, data = tmp_path / "store", tmp_path / "data"
    measure(store, TrainingRun("Ant", 2024))
    measure(store, TrainingRun("Hopper", 2023))
    score(store, TrainingRun("Hopper", 2023), "low")
    assert write(store, data) == ["Hopper-2023: low and high, CQL on 1 of 2", "Ant-2024: low and high, CQL on 0 of 2"]
    rows = table(data / "mujoco.csv")
    assert tuple(rows[0]) == COLUMNS
    assert [(r["environment"], r["setting"], r["reading"], r["policy"], r["epoch"]) for r in rows[:8]] == [
        ("Hopper", "low", "sampled", "1", "1"),
        ("Hopper", "low", "sampled", "2", "2"),
        ("Hopper", "low", "mean", "1", "1"),
        ("Hopper", "low", "mean", "2", "2"),
        ("Hopper", "high", "sampled", "1", "2"),
        ("Hopper", "high", "sampled", "2", "5"),
        ("Hopper", "high", "mean", "1", "2"),
        ("Hopper", "high", "mean", "2", "5"),
    ]
    # 150, 151, 155: mean 152, deviation sqrt(7), standard error sqrt(7/3)
    numbers = [float(rows[7][name]) for name in COLUMNS[6:]]
    np.testing.assert_allclose(numbers, [150.5, 152, np.sqrt(7 / 3), 3, np.sqrt(7)], atol=5e-4)


def test_cql_has_a_row_for_each_score_with_its_budget(tmp_path):
    store, data = tmp_path / "store", tmp_path / "data"
    measure(store, TrainingRun("Hopper", 2023))
    score(store, TrainingRun("Hopper", 2023), "low")
    score(store, TrainingRun("Hopper", 2023), "high", parts=1)  # not at its end: it is not exported
    write(store, data)
    rows = table(data / "cql.csv")
    assert tuple(rows[0]) == CQL_COLUMNS
    assert [(r["setting"], r["updates"], r["value"], r["hours"]) for r in rows] == [
        ("low", "30", "2.000", "0.2500"),
        ("low", "60", "4.000", "0.5000"),
    ]
    assert {(r["hidden"], r["batch"], r["reading"]) for r in rows} == {("128-128", "128", "sampled")}


def test_provenance_has_recipe_hours_and_versions(tmp_path):
    measure(tmp_path / "store", TrainingRun("Hopper", 2023))
    write(tmp_path / "store", tmp_path / "data")
    notes = read_json(tmp_path / "data" / "provenance.json", {})
    spent = {"epochs": 5, "training_hours": 3.0, "evaluation_hours": 1.5, "versions": {"mujoco": "3"}}
    assert notes["runs"] == {"Hopper-2023": spent}
    assert (notes["sac"], notes["cql"]) == (SMALL.as_dict(), BUDGET.as_dict())


def test_the_low_setting_is_exported_before_the_run_ends(tmp_path):
    store, data, run = tmp_path / "store", tmp_path / "data", TrainingRun("Hopper", 2023)
    measure(store, run, segments=0)
    assert settings_done(store, run, SMALL) == ()
    assert write(store, data) == []
    measure(store, run, segments=1)
    assert settings_done(store, run, SMALL) == ("low",)
    assert write(store, data) == ["Hopper-2023: low, CQL on 0 of 2"]
    assert {row["setting"] for row in table(data / "mujoco.csv")} == {"low"}
    measure(store, run, segments=2)
    assert settings_done(store, run, SMALL) == ("low",)
    measure(store, run)
    assert write(store, data) == ["Hopper-2023: low and high, CQL on 0 of 2"]
    assert [row["setting"] for row in table(data / "mujoco.csv")] == ["low"] * 4 + ["high"] * 4


def test_a_gap_in_the_segments_is_not_passed_over(tmp_path):
    run = TrainingRun("Hopper", 2023)
    measure(tmp_path, run)
    measured_path(run_folder(tmp_path, run, SMALL), 2).unlink()
    assert settings_done(tmp_path, run, SMALL) == ("low",)
    assert not finished(tmp_path, run, SMALL)


def test_data_sets_that_the_store_does_not_have_are_kept(tmp_path):
    first, second, data = tmp_path / "first", tmp_path / "second", tmp_path / "data"
    measure(first, TrainingRun("Hopper", 2023))
    score(first, TrainingRun("Hopper", 2023), "low")
    measure(second, TrainingRun("Hopper", 2024))
    write(first, data), write(second, data)
    assert [row["seed"] for row in table(data / "mujoco.csv")] == ["2023"] * 8 + ["2024"] * 8
    assert len(table(data / "cql.csv")) == 2
    before = (data / "mujoco.csv").read_bytes()
    write(second, data)
    assert (data / "mujoco.csv").read_bytes() == before


def test_a_run_collected_again_replaces_its_rows(tmp_path):
    first, second, data = tmp_path / "first", tmp_path / "second", tmp_path / "data"
    measure(first, TrainingRun("Hopper", 2023))
    measure(second, TrainingRun("Hopper", 2023), shift=7)
    write(first, data), write(second, data)
    logged = [float(row["logged_return"]) for row in table(data / "mujoco.csv")]
    assert logged == [17.5, 27.5, 117.5, 127.5, 27.5, 57.5, 127.5, 157.5]


@pytest.mark.parametrize("part", ["high setting", "CQL"])
def test_no_part_of_another_run_of_the_same_name_stays(tmp_path, part):
    first, second, data, run = tmp_path / "first", tmp_path / "second", tmp_path / "data", TrainingRun("Hopper", 2023)
    measure(first, run)
    if part == "CQL":
        score(first, run, "low")
    write(first, data)
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    measure(second, run, segments=3 if part == "CQL" else 1, shift=7)
    with pytest.raises(TrustError, match="another run named Hopper-2023, of which a part would stay"):
        write(second, data)
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before
    score(second, run, "low")
    measure(second, run, shift=7)
    write(second, data)  # whole, it replaces the other
    assert {row["setting"] for row in table(data / "cql.csv")} == {"low"}


def test_the_part_of_a_run_that_is_there_may_be_exported_again_before_the_rest(tmp_path):
    whole, part, data, run = tmp_path / "whole", tmp_path / "part", tmp_path / "data", TrainingRun("Hopper", 2023)
    measure(whole, run)
    measure(part, run, segments=1)  # the same numbers
    write(whole, data)
    before = (data / "mujoco.csv").read_bytes()
    write(part, data)
    assert (data / "mujoco.csv").read_bytes() == before


def test_a_run_with_other_settings_is_refused_before_anything_is_written(tmp_path):
    run, other = TrainingRun("Hopper", 2023), Recipe(low=SMALL.low, high=SMALL.high, checkpoint_epochs=2, batch=64)
    measure(tmp_path / "store", run)
    with pytest.raises(TrustError, match="Hopper-2023 was made with other settings"):
        list(export(tmp_path / "store", tmp_path / "data", other))
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("recipe", "cql"), [(replace(SMALL, batch=64), BUDGET), (SMALL, replace(BUDGET, batch=64))])
def test_data_of_other_settings_are_never_mixed_with(tmp_path, recipe, cql):
    write(tmp_path / "nothing", tmp_path / "data")
    measure(tmp_path / "store", TrainingRun("Hopper", 2023), recipe=recipe)
    before = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()}
    with pytest.raises(TrustError, match="data was made with other settings"):
        list(export(tmp_path / "store", tmp_path / "data", recipe, cql))
    assert {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()} == before


def test_status_says_how_far_a_run_is_and_what_its_policies_are_worth(tmp_path):
    measure(tmp_path, TrainingRun("Ant", 2023), segments=1)
    lines = list(status(tmp_path, SMALL, BUDGET))
    # epoch 2 earns 20, 21 and 25
    assert lines == [
        "Ant-2023: 2 of 5 epochs measured, 1.50 hours of one core",
        "  sampled  2: 22",
        "  mean     2: 122",
    ]


def test_transitions_of_a_setting_are_whole_episodes_with_their_ends(tmp_path):
    for number, (epochs, lengths, ends) in enumerate([([1, 2], [2, 3], [1, 0]), ([], [], []), ([5], [1], [1])], 1):
        steps = sum(lengths)
        arrays = {
            "epochs": np.array(epochs),
            "lengths": np.array(lengths, dtype=int),
            "terminated": np.array(ends, dtype=bool),
            "observations": np.arange(steps)[:, None],
            "actions": np.zeros((steps, 1)),
            "rewards": 10.0 * number + np.arange(steps),
        }
        write_arrays(logged_path(tmp_path, number, "mean"), arrays)
    steps = logged_transitions(tmp_path, SMALL, "high", "mean")
    assert steps["rewards"].tolist() == [12, 13, 14, 30]
    assert steps["terminals"].tolist() == [0, 0, 0, 1]
    assert steps["timeouts"].tolist() == [0, 0, 1, 0]
