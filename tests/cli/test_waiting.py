"""Interrupts are answered at once, and long work is announced or refused before it begins."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from trust_helpers import OfflineData, TrustError
from trust_helpers.cli.waiting import Cost, agree_on, cost_of, interruptible


def test_the_work_is_done_and_its_errors_are_its_own():
    assert interruptible(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 / 0)


def test_costs_grow_with_arms_and_confidence():
    small, large = (OfflineData(np.zeros(n), np.ones(n, int), 1.0) for n in (100, 100_000))
    assert cost_of(large, 0.1, "calibrated").seconds > cost_of(small, 0.1, "calibrated").seconds
    assert cost_of(small, 0.001, "calibrated").draws > 10 * cost_of(small, 0.1, "calibrated").draws
    assert cost_of(small, 0.1, "paper").draws > cost_of(small, 0.1, "calibrated").draws
    assert cost_of(OfflineData([0.0, 1.0], [2, 2], "sd:1"), 1e-9, "calibrated").draws == 0
    few, many = (cost_of(large, 0.1, "calibrated", top, 4) for top in (10, 10**12))
    assert (few.rows, many.rows) == (40, 400_000)
    assert many.seconds > few.seconds
    for tiny in (1e-5, 1e-9, 1e-300):
        with pytest.raises(TrustError, match="GB of memory"):
            agree_on(cost_of(small, tiny, "paper"), yes=True, delta=tiny)


def test_a_long_wait_needs_a_yes_off_a_terminal(capsys, monkeypatch):
    long = Cost(draws=1000, seconds=200.0, bytes=1.0)
    with pytest.raises(TrustError, match="1,000 simulated logs and 0 rows will take about 3 minutes: say --yes"):
        agree_on(long, yes=False, delta=0.1)
    agree_on(long, yes=True, delta=0.1)
    agree_on(Cost(1000, 59.0, 1.0), yes=False, delta=0.1)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    agree_on(long, yes=False, delta=0.1)
    assert "about 3 minutes; Ctrl-C ends it" in capsys.readouterr().err


# What the console script does, telling how far it is.
PROGRAM = """
import sys
sys.argv[0] = "trust-helpers"
print("begun", flush=True)
from trust_helpers.cli.main import run
print("imported", flush=True)
run()
"""


def interrupted(arguments, after, seconds, folder):
    """Start the command, interrupt it a moment after it says how far it is, and say how it ended."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], cwd=folder, **pipes) as run:
        while run.stdout.readline().decode().strip() != after:
            pass
        time.sleep(seconds)
        assert run.poll() is None, run.stderr.read()
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=100)  # far less than the work would take
        return run.returncode, err, sorted(os.listdir(folder))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "log.csv").write_text(
        "arm,reward\n" + "".join(f"{i},{i % 7}\n" for i in range(20_000)), encoding="utf-8"
    )
    return tmp_path


QUIETLY = (130, b"trust_helpers: interrupted\n", ["log.csv"])


@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.4])
def test_an_interrupt_while_importing(folder, seconds):
    assert interrupted(["decide", "log.csv"], "begun", seconds, folder) == QUIETLY


def test_an_interrupt_while_reading(folder):
    assert interrupted(["decide", "-", "--noise", "1"], "imported", 1, folder) == QUIETLY  # its input never ends


@pytest.mark.parametrize("seconds", [1, 10])
def test_an_interrupt_in_the_simulation(folder, seconds):
    slow = ["decide", "log.csv", "--noise", "1", "--delta", "0.00005", "--yes", "--html", "r.html"]
    assert interrupted(slow, "imported", seconds, folder) == QUIETLY
