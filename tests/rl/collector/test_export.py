"""From a store of runs in progress to the bundled files."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up_runs import BUDGET, SMALL, measure, run_in, score

from trust_helpers.errors import TrustError
from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS, export
from trust_helpers.rl.collector.recipe import as_stored
from trust_helpers.rl.collector.store import read_json


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def write(store: Path, data: Path) -> list[str]:
    return list(export(store, data, SMALL, BUDGET))


def test_every_policy_has_its_mean_error_and_deviation_under_both_readings(tmp_path):
    store, data = tmp_path / "store", tmp_path / "data"
    measure(run_in(store, "Ant", 2024))
    measure(run_in(store))
    score(run_in(store), "low")
    assert write(store, data) == [
        "Hopper-2023: low and high; learned: cql (low)",
        "Ant-2024: low and high; learned: nothing",
    ]
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
    measure(run_in(store))
    score(run_in(store), "low")
    score(run_in(store), "high", parts=1)  # not at its end: it is not exported
    write(store, data)
    rows = table(data / "cql.csv")
    assert tuple(rows[0]) == CQL_COLUMNS
    assert [(r["setting"], r["updates"], r["value"], r["hours"]) for r in rows] == [
        ("low", "30", "2.000", "0.2500"),
        ("low", "60", "4.000", "0.5000"),
    ]
    assert {(r["method"], r["hidden"], r["batch"], r["reading"]) for r in rows} == {
        ("cql", "128-128", "128", "sampled")
    }


def test_provenance_has_recipes_hours_and_versions_and_keeps_what_else_it_says(tmp_path):
    store, data = tmp_path / "store", tmp_path / "data"
    measure(run_in(store))
    data.mkdir()
    (data / "provenance.json").write_text('{"differs": ["in this"], "baselines": {}, "runs": {}}', encoding="utf-8")
    write(store, data)
    notes = read_json(data / "provenance.json", {})
    spent = {"epochs": 5, "training_hours": 3.0, "evaluation_hours": 1.5, "versions": {"mujoco": "3"}}
    assert notes["runs"] == {"Hopper-2023": spent}
    assert (notes["sac"], notes["baselines"], notes["differs"]) == (as_stored(SMALL), {}, ["in this"])
    score(run_in(store), "low")
    write(store, data)
    assert read_json(data / "provenance.json", {})["baselines"] == {"cql": as_stored(BUDGET["cql"])}


def test_the_low_setting_is_exported_before_the_run_ends(tmp_path):
    run, data = run_in(tmp_path / "store"), tmp_path / "data"
    measure(run, segments=0)
    assert write(run.store, data) == []
    measure(run, segments=1)
    assert write(run.store, data) == ["Hopper-2023: low; learned: nothing"]
    assert {row["setting"] for row in table(data / "mujoco.csv")} == {"low"}
    measure(run, segments=2)
    assert write(run.store, data) == ["Hopper-2023: low; learned: nothing"]
    measure(run)
    assert write(run.store, data) == ["Hopper-2023: low and high; learned: nothing"]
    assert [row["setting"] for row in table(data / "mujoco.csv")] == ["low"] * 4 + ["high"] * 4


def test_data_sets_that_the_store_does_not_have_are_kept(tmp_path):
    first, second, data = tmp_path / "first", tmp_path / "second", tmp_path / "data"
    measure(run_in(first))
    score(run_in(first), "low")
    measure(run_in(second, seed=2024))
    write(first, data), write(second, data)
    assert [row["seed"] for row in table(data / "mujoco.csv")] == ["2023"] * 8 + ["2024"] * 8
    assert len(table(data / "cql.csv")) == 2
    before = (data / "mujoco.csv").read_bytes()
    write(second, data)
    assert (data / "mujoco.csv").read_bytes() == before


def test_a_run_collected_again_replaces_its_rows(tmp_path):
    first, second, data = tmp_path / "first", tmp_path / "second", tmp_path / "data"
    measure(run_in(first))
    measure(run_in(second), shift=7)
    write(first, data), write(second, data)
    logged = [float(row["logged_return"]) for row in table(data / "mujoco.csv")]
    assert logged == [17.5, 27.5, 117.5, 127.5, 27.5, 57.5, 127.5, 157.5]


@pytest.mark.parametrize("part", ["Hopper 2023 high", "Hopper 2023 low sampled cql"])
def test_no_part_of_another_run_of_the_same_name_stays(tmp_path, part):
    first, second, data = run_in(tmp_path / "first"), run_in(tmp_path / "second"), tmp_path / "data"
    measure(first)
    if "cql" in part:
        score(first, "low")
    write(first.store, data)
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    measure(second, segments=3 if "cql" in part else 1, shift=7)
    with pytest.raises(TrustError, match=f"the data have {part}.*, which the store does not"):
        write(second.store, data)
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before
    score(second, "low")
    measure(second, shift=7)
    write(second.store, data)  # whole, it replaces the other
    assert {row["setting"] for row in table(data / "cql.csv")} == {"low"}


def test_a_run_with_other_settings_is_refused_before_anything_is_written(tmp_path):
    measure(run_in(tmp_path / "store"))
    with pytest.raises(TrustError, match="was made with other settings"):
        list(export(tmp_path / "store", tmp_path / "data", replace(SMALL, batch=64)))
    assert not (tmp_path / "data").exists()


OTHER = [(replace(SMALL, batch=64), BUDGET), (SMALL, {"cql": replace(BUDGET["cql"], batch=64)})]


@pytest.mark.parametrize(("recipe", "baselines"), OTHER)
def test_data_of_other_settings_are_never_mixed_with(tmp_path, recipe, baselines):
    measure(run_in(tmp_path / "first"))
    score(run_in(tmp_path / "first"), "low")
    write(tmp_path / "first", tmp_path / "data")
    measure(run_in(tmp_path / "second", "Ant", recipe=recipe))
    before = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()}
    with pytest.raises(TrustError, match="data was made with other settings"):
        list(export(tmp_path / "second", tmp_path / "data", recipe, baselines))
    assert {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()} == before
