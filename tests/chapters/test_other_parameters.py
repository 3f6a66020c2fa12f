"""Every chapter runs, through papermill, on instances it was not written for: nothing works only at the default."""

import pytest
from make_golden import ROOT, chapters

from trust_helpers.chapters.book import find_chapter, values_for
from trust_helpers.chapters.runner import execute, plan_run

OTHER = {
    "index": [{"arms": 300, "replications": 12, "seed": 3}],
    "01_lcb_failure": [
        {"arms": 200, "replications": 20, "seed": 5},
        {"arms": 20_000, "replications": 50, "delta": 0.05},
    ],
    "02_stochastic_policies": [{"arms": 400, "replications": 20, "draws": 100, "seed": 5}],
    "03_trust_regions": [{"arms": 25, "problems": 5, "draws": 2_000, "frames": 4, "seed": 1}],
    "04_critical_radius": [
        {"arms": 2_000, "replications": 20, "seed": 7},
        {"arms": 300, "replications": 20, "radii": 20, "decay": 1.5, "delta": 0.2},
    ],
    "05_bounds": [{"arms": 60, "replications": 100, "width_arms": 500, "table_arms": 200, "groups": 20, "seed": 2}],
    "06_reinforcement_learning": [{"env": "Walker2d", "setting": "high", "sigma": 60.0, "delta": 0.2, "band_seed": 3}],
    "07_beyond_the_paper": [
        {"arms": 400, "draws": 300, "bands": 3, "noise": 1_000, "replications": 20, "stein_draws": 200, "seed": 9}
    ],
    "08_your_own_log": [{"splits": 20, "trials": 60, "rows": 600, "seed": 4}],
    "errata": [{"arms": 400, "replications": 20, "seed": 11}],
    "scorecard": [{"replications": 20, "seed": 12}],
}


def test_every_chapter_is_tried():
    assert sorted(OTHER) == sorted(chapter.stem for chapter in chapters())


@pytest.mark.parametrize(
    ("name", "values"), [(name, values) for name, several in OTHER.items() for values in several], ids=str
)
def test_runs_with_other_parameters(tmp_path, name, values):
    chapter = find_chapter(ROOT / "book", name)
    given = values_for(chapter, [(key, str(value)) for key, value in values.items()])
    run = plan_run(chapter, given, str(tmp_path / "out.ipynb"))
    numbers = execute(run)
    assert len(numbers) >= 3
    head = run.notebook.read_text()
    assert all(f"{key} = {value!r}" in head for key, value in values.items())


def test_somebodys_own_log(tmp_path):
    log = tmp_path / "mine.csv"
    rows = [f"option {i % 40},{(i * 7919) % 11 / 10 + i % 40 / 80}" for i in range(90)]
    log.write_text("which,gain\n" + "\n".join(rows) + "\n")
    chapter = find_chapter(ROOT / "book", "08_your_own_log")
    values = {"log": str(log), "arm": "which", "reward": "gain", "sigma": "0.5", "splits": "10", "trials": "50"}
    run = plan_run(chapter, values_for(chapter, list(values.items())), str(tmp_path / "out.ipynb"))
    numbers = execute(run)
    assert (numbers["arms"], numbers["samples"], numbers["sigma-used"]) == (40, 90, 0.5)


def test_somebodys_own_returns(tmp_path):
    log = tmp_path / "mine.csv"
    rows = [f"controller {i % 30},{100 + 37 * (i % 30) + (i * 7919) % 23}" for i in range(45)]
    log.write_text("policy,return\n" + "\n".join(rows) + "\n")
    chapter = find_chapter(ROOT / "book", "06_reinforcement_learning")
    values = {"returns": str(log), "sigma": "12"}
    run = plan_run(chapter, values_for(chapter, list(values.items())), str(tmp_path / "out.ipynb"))
    numbers = execute(run)
    assert (numbers["policies"], numbers["worth"]) == (30, "unknown")
    assert numbers["datasets"] >= 8
