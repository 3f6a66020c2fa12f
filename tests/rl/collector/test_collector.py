"""The collector end to end on a tiny budget; ``make test-rl`` runs this, ``make test`` does not."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from trust_helpers.rl.collector.collect import finished
from trust_helpers.rl.collector.cql import logged_transitions
from trust_helpers.rl.collector.export import COLUMNS, CQL_COLUMNS, export
from trust_helpers.rl.collector.recipe import Recipe, Run

pytestmark = pytest.mark.rl

TINY = {"low": (1, 2, 3), "high": (2, 4, 5), "epoch_steps": 600, "checkpoint_epochs": 2, "rollouts": 3}
RUN = Run("Hopper", 2023)
COLLECT = f"""
import sys
from pathlib import Path
from tqdm import tqdm
from trust_helpers.rl.collector.collect import collect
from trust_helpers.rl.collector.recipe import Recipe, Run
collect(Run("Hopper", 2023), Recipe(**{TINY}), Path(sys.argv[1]), tqdm)
"""
CQL = f"""
import sys
from pathlib import Path
from tqdm import tqdm
from trust_helpers.rl.collector.cql import CqlRecipe, train_cql
from trust_helpers.rl.collector.recipe import Recipe, Run
budget = CqlRecipe(updates=60, batch=32, hidden=(16,), rollouts=3)
train_cql(Run("Hopper", 2023), "low", Path(sys.argv[1]), Recipe(**{TINY}), budget, tqdm)
"""


def run_script(script: str, store: Path) -> None:
    subprocess.run([sys.executable, "-c", script, str(store)], check=True, capture_output=True)


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store with one run, collected without interruption, and CQL on its low setting."""
    store = tmp_path_factory.mktemp("whole")
    run_script(COLLECT, store)
    run_script(CQL, store)
    return store


def test_a_killed_run_resumes_to_the_same_result(whole, tmp_path):
    process = subprocess.Popen([sys.executable, "-c", COLLECT, str(tmp_path)], stderr=subprocess.DEVNULL)
    checkpoint = tmp_path / RUN.name / "training.json"
    while not checkpoint.exists():
        assert process.poll() is None, "the run ended before its first checkpoint"
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert json.loads(checkpoint.read_text())["segments"] < len(Recipe(**TINY).segments)
    assert not finished(tmp_path, RUN)
    run_script(COLLECT, tmp_path)
    for name in ("returns.json", "evaluated.json"):
        one, other = (json.loads((store / RUN.name / name).read_text()) for store in (whole, tmp_path))
        assert one.get("returns", one) == other.get("returns", other)


def test_logged_and_evaluation_episodes_are_different_ones(whole):
    logged = json.loads((whole / RUN.name / "returns.json").read_text())
    evaluated = json.loads((whole / RUN.name / "evaluated.json").read_text())["returns"]
    assert sorted(map(int, logged)) == [1, 2, 3, 4, 5]
    assert all(logged[epoch] not in evaluated[epoch] for epoch in logged)
    assert all(len(set(returns)) == TINY["rollouts"] for returns in evaluated.values())


def test_transitions_add_up_to_the_logged_returns(whole):
    logged = json.loads((whole / RUN.name / "returns.json").read_text())
    steps = logged_transitions(whole / RUN.name, TINY["high"])
    ends = np.flatnonzero(steps["terminals"] + steps["timeouts"])
    assert ends[-1] == len(steps["rewards"]) - 1
    totals = [part.sum() for part in np.split(steps["rewards"].astype(float), ends[:-1] + 1)]
    # stored as 32-bit floats: a few hundred rewards near one
    np.testing.assert_allclose(totals, [logged[str(e)] for e in TINY["high"]], rtol=1e-5)


def test_export_writes_every_policy_and_the_baseline(whole, tmp_path):
    assert [*export(whole, tmp_path, Recipe(**TINY))] == ["Hopper-2023: 3 + 3 policies, CQL on 1 of 2 settings"]
    policies, scores = (rows(tmp_path / name) for name in ("mujoco.csv", "cql.csv"))
    assert tuple(policies[0]) == COLUMNS
    assert tuple(scores[0]) == CQL_COLUMNS
    assert [int(row["epoch"]) for row in policies] == [*TINY["low"], *TINY["high"]]
    returns = json.loads((whole / RUN.name / "evaluated.json").read_text())["returns"]["4"]
    row = next(row for row in policies if row["epoch"] == "4")
    assert float(row["value"]) == pytest.approx(np.mean(returns), abs=1e-3)
    assert float(row["standard_error"]) == pytest.approx(np.std(returns, ddof=1) / np.sqrt(3), abs=1e-3)
    assert (scores[0]["updates"], scores[0]["rollouts"]) == ("60", "3")
    assert "mujoco" in json.loads((tmp_path / "provenance.json").read_text())["runs"]["Hopper-2023"]["versions"]
