"""A run's folder belongs to one process and one set of settings."""

import numpy as np
import pytest

from trust_helpers.errors import TrustError
from trust_helpers.rl.collector.recipe import Recipe, TrainingRun
from trust_helpers.rl.collector.store import (
    default_store,
    opened,
    read_json,
    run_folder,
    write_arrays,
    write_json,
)

RUN = TrainingRun("Hopper", 2023)


def test_a_folder_begun_with_other_settings_is_refused(tmp_path):
    with opened(tmp_path, RUN, Recipe()):
        pass
    with pytest.raises(TrustError, match="other settings"), opened(tmp_path, RUN, Recipe(batch=64)):
        pass


def test_a_folder_in_use_is_refused(tmp_path):
    with opened(tmp_path, RUN, Recipe()), pytest.raises(TrustError, match="in use"), opened(tmp_path, RUN, Recipe()):
        pass
    with opened(tmp_path, RUN, Recipe()) as folder:
        assert folder == tmp_path / Recipe().name / "Hopper-2023"


def test_other_work_on_the_same_run_goes_on_beside_it(tmp_path):
    with opened(tmp_path, RUN, Recipe(), "cql-low") as one, opened(tmp_path, RUN, Recipe(), "cql-high") as other:
        assert one == other
        with pytest.raises(TrustError, match=r"in use.*cql-low"), opened(tmp_path, RUN, Recipe(), "cql-low"):
            pass


def test_a_store_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TrustError, match="cannot write to"), opened(tmp_path / "file", RUN, Recipe()):
        pass


def test_runs_of_two_recipes_never_meet(tmp_path):
    assert run_folder(tmp_path, RUN, Recipe()) != run_folder(tmp_path, RUN, Recipe(name="other"))


def test_arrays_read_back(tmp_path):
    write_arrays(tmp_path / "a.npz", {"x": np.arange(3)})
    with np.load(tmp_path / "a.npz") as stored:
        assert stored["x"].tolist() == [0, 1, 2]
    assert list(tmp_path.iterdir()) == [tmp_path / "a.npz"]


def test_json_reads_back(tmp_path):
    path = tmp_path / "a.json"
    assert read_json(path, 7) == 7
    write_json(path, {"x": [1, 2]})
    assert read_json(path, None) == {"x": [1, 2]}
    assert list(tmp_path.iterdir()) == [path]


def test_the_store_is_in_the_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_store() == tmp_path / "trust-helpers" / "rl"
