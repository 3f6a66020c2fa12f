"""A run's folder belongs to one process and one set of settings, and says how far the run is."""

from dataclasses import replace

import numpy as np
import pytest
from made_up_runs import BUDGET, SMALL, measure, run_in, score

from trust_helpers.errors import TrustError
from trust_helpers.rl.collector.recipe import Recipe
from trust_helpers.rl.collector.store import InUse, all_runs, read_json, write
from trust_helpers.rl.names import ENVIRONMENTS, SEEDS


def test_a_folder_begun_with_other_settings_is_refused(tmp_path):
    with run_in(tmp_path).opened("collect"):
        pass
    other = run_in(tmp_path, recipe=replace(SMALL, batch=64))
    with pytest.raises(TrustError, match="other settings"), other.opened("collect"):
        pass


def test_a_folder_in_use_is_refused_to_the_same_work_only(tmp_path):
    run = run_in(tmp_path)
    with run.opened("cql-low"), run.opened("cql-high"):
        with pytest.raises(InUse, match=r"in use.*cql-low"), run.opened("cql-low"):
            pass
        assert run.path == tmp_path / "standard" / "Hopper-2023"
    with run.opened("cql-low"):
        pass


def test_a_store_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(TrustError, match="cannot write to"), run_in(tmp_path / "file").opened("collect"):
        pass


def test_runs_of_two_recipes_never_meet(tmp_path):
    assert run_in(tmp_path).path != run_in(tmp_path, recipe=Recipe(name="other")).path


def test_a_gap_in_the_segments_is_not_passed_over(tmp_path):
    run = run_in(tmp_path)
    assert run.settings_done() == ()
    measure(run)
    assert run.settings_done() == ("low", "high")
    run.measured(2).unlink()
    assert (run.settings_done(), run.last_segment()) == (("low",), 1)


def test_scores_with_other_settings_do_not_count(tmp_path):
    run, cql = run_in(tmp_path), BUDGET["cql"]
    measure(run)
    assert run.learned("low", "cql", cql) == ([], False)
    score(run, "low", parts=1)
    assert [part["updates"] for part in run.learned("low", "cql", cql)[0]] == [30]
    assert not run.learned("low", "cql", cql)[1]
    score(run, "low")
    assert run.learned("low", "cql", cql)[1]
    assert run.learned("low", "cql", replace(cql, batch=64)) == ([], False)


def test_every_run_is_there_once_and_a_seed_is_completed_at_a_time(tmp_path):
    runs = all_runs(tmp_path, SMALL)
    assert {run.name for run in runs} == {f"{env}-{seed}" for env in ENVIRONMENTS for seed in SEEDS}
    assert [run.seed for run in runs] == sorted(run.seed for run in runs)
    assert len({tuple(run.entropy(1, 5)) for run in runs}) == 16


def test_files_read_back(tmp_path):
    write(tmp_path / "a.npz", {"x": np.arange(3)})
    with np.load(tmp_path / "a.npz") as stored:
        assert stored["x"].tolist() == [0, 1, 2]
    write(tmp_path / "b.json", '{"x": [1, 2]}')
    assert read_json(tmp_path / "b.json", None) == {"x": [1, 2]}
    assert read_json(tmp_path / "c.json", 7) == 7
    assert {path.name for path in tmp_path.iterdir()} == {"a.npz", "b.json"}
