"""The command ``decide``: reports on small logs, bad files, and files written whole or not at all."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trust_helpers import OfflineData, combined
from trust_helpers.cli.main import main

SMALL = "arm,reward\n" + "".join(
    f"{name},{value}\n" for name, value in zip("aabbccddee", [3, 4, 1, 2, 5, 3, 2, 2, 1, 4], strict=True)
)

GOLDEN = """\
5 arms, 10 samples (2 each), sigma 1.225

method                 estimate   at least  confidence
greedy                        4       none
LCB                           4      1.372         90%
behaviour cloning           2.7      1.752         90%
TRUST                     2.702      2.032         90%
combined (TRUST)          2.702      2.032         80%

Recommended: combined (TRUST): no improvement stands out from the noise, so the mixture stays with the logging policy.

TRUST mixes 5 of 5 arms, at 0.000816 of the largest radius.
Corrected for optimism (Stein) it should earn 2.701, standard error 0.39, roughly: few arms are mixed; this is\
 an estimate, not a guarantee.

arm     weight  samples       mean
c       0.2005        2          4
a       0.2003        2        3.5
e       0.1999        2        2.5
d       0.1998        2          2
b       0.1996        2        1.5

The guarantees assume that rewards are independent, that the noise of a single reward is Gaussian with \
standard deviation at most sigma, and that arms pay in the future as they did in the log. Rewards that sit at \
both ends of their range are not Gaussian: with many arms and little signal the guarantee of a mixture can \
fail for them.
"""


ONE_ARM = """\
1 arm, 3 samples (3 each), sigma 0.5774

method                 estimate   at least  confidence
greedy                   0.6667       none
LCB                      0.6667    -0.1492         90%
behaviour cloning        0.6667    -0.1492         90%
TRUST                    0.6667     0.2179         90%
combined (TRUST)         0.6667     0.2179         80%

Recommended: combined (TRUST): there is one arm, so there is nothing to choose.

The guarantees assume that rewards are independent, that the noise of a single reward is Gaussian with \
standard deviation at most sigma, and that arms pay in the future as they did in the log. Rewards that sit at \
both ends of their range are not Gaussian: with many arms and little signal the guarantee of a mixture can \
fail for them.
"""

TIES = """\
60 arms, 60 samples (1 each), sigma 2

method                 estimate   at least  confidence
greedy                        5       none
LCB                           5     -2.531         90%
behaviour cloning         3.333      2.701         90%
TRUST                     3.345      2.774         80%
combined (TRUST)          3.345      2.774         70%

Recommended: combined (TRUST): no improvement stands out from the noise, so the mixture stays with the logging policy.

TRUST mixes 60 of 60 arms, at 0.000816 of the largest radius.
Corrected for optimism (Stein) it should earn 3.331, standard error 0.26; this is an estimate, not a guarantee.

arm           weight  samples       mean
option 00    0.01676        1          5
option 01    0.01676        1          5
option 04    0.01676        1          5
and 57 more

The guarantees assume that rewards are independent, that the noise of a single reward is Gaussian with \
standard deviation at most sigma, and that arms pay in the future as they did in the log. Rewards that sit at \
both ends of their range are not Gaussian: with many arms and little signal the guarantee of a mixture can \
fail for them.
"""


@pytest.fixture
def log(tmp_path):
    def write(text, name="log.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def decide(*arguments):
    return main(["decide", *map(str, arguments)])


def test_golden_report(log, capsys):
    assert decide(log(SMALL)) == 0
    assert capsys.readouterr().out == GOLDEN


def test_golden_report_on_one_arm(log, capsys):
    assert decide(log("arm,reward\nsolo,1\nsolo,0\nsolo,True\n")) == 0
    assert capsys.readouterr().out == ONE_ARM


def test_golden_report_on_ties(log, capsys):
    rows = "".join(f"option {i:02d},{[5, 5, 1, 3, 5, 1][i % 6]}\n" for i in range(60))
    assert decide(log("arm,reward\n" + rows), "--sigma", "range:1:5", "--top", 3, "--band", "paper") == 0
    assert capsys.readouterr().out == TIES


def test_reads_standard_input_as_a_command(log):
    command = [sys.executable, "-m", "trust_helpers", "decide", "-"]
    done = subprocess.run(command, input=SMALL, capture_output=True, text=True, check=True)
    assert done.stdout == GOLDEN
    assert done.stderr == ""


def test_policy_and_json_are_the_librarys(log, tmp_path, capsys):
    path, policy, report = log(SMALL), tmp_path / "policy.csv", tmp_path / "report.json"
    assert (
        decide(path, "--sigma", "range:1:5", "--seed", 3, "--band", "paper", "--policy", policy, "--json", report) == 0
    )
    expected = combined(OfflineData.from_csv(path, sigma=2.0), 0.1, "paper", seed=3)
    rows = list(csv.DictReader(policy.read_text().splitlines()))
    assert [row["arm"] for row in rows] == list("abcde")
    np.testing.assert_array_equal([float(row["weight"]) for row in rows], expected.weights)
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(1, abs=1e-12)
    content = json.loads(report.read_text())
    assert content["methods"][-1]["lower_bound"] == expected.lower_bound
    assert content["sigma"] == {"least": 2.0, "most": 2.0}
    assert content["log"] == path


def test_plot_is_a_picture(log, tmp_path, capsys):
    assert decide(log(SMALL), "--plot", tmp_path / "picture.png") == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert decide(log(SMALL), "--plot", tmp_path / "picture.svg") == 0
    assert b"<svg" in (tmp_path / "picture.svg").read_bytes()


def test_awkward_names_survive_the_round_trip(log, tmp_path, capsys):
    names = ["a, b", 'say "hi"', "猫", "two\nlines", "007", "spaced in between"]
    out = tmp_path / "names.csv"
    with out.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["arm", "reward"], *([name, i] for i, name in enumerate(names))])
    assert decide(out, "--sigma", 1, "--policy", tmp_path / "policy.csv") == 0
    with (tmp_path / "policy.csv").open(newline="", encoding="utf-8") as file:
        assert sorted(row["arm"] for row in csv.DictReader(file)) == sorted(names)


def test_counts_from_one_to_ten_thousand(log, capsys):
    text = "arm,reward\nrare,1.5\n" + "often,1\noften,0\n" * 5000
    assert decide(log(text), "--sigma", 0.5) == 0
    assert "2 arms, 10,001 samples (1 to 10,000 per arm)" in capsys.readouterr().out


def test_one_arm(log, tmp_path, capsys):
    assert decide(log("arm,reward\na,1\na,0\n"), "--plot", tmp_path / "one.png") == 0
    assert "nothing to choose" in capsys.readouterr().out


def test_bad_rows_are_left_out_and_counted_when_asked(log, capsys):
    text = SMALL + "f,good\n,3\ng,inf\n"
    assert decide(log(text), "--skip-bad-rows") == 0
    out = capsys.readouterr().out
    assert out == "3 unusable rows left out\n" + GOLDEN


BAD = {
    "no column 'reward'": ("arm,score\na,1\n", []),
    "the file is empty": ("", []),
    "on line 3, 4": ("arm,reward\na,1\nb,x\nc,nan\n", []),
    "missing an arm on line 2": ("arm,reward\n,1\n", []),
    "cannot be seen in a log without repeats": ("arm,reward\na,1\nb,2\n", []),
    "no arm has two samples": ("arm,reward\na,1\nb,2\n", ["--sigma", "pooled"]),
    "sigma of arm 'a' is -1": (SMALL, ["--sigma=-1"]),
    "sigma is 'much'": (SMALL, ["--sigma", "much"]),
    "delta is 1.5": (SMALL, ["--delta", "1.5"]),
    "delta is 'x'": (SMALL, ["--delta", "x"]),
    "--seed -1": (SMALL, ["--seed=-1"]),
    "--top many": (SMALL, ["--top", "many"]),
    "invalid choice: 'best'": (SMALL, ["--band", "best"]),
    "none of its 2 rows is usable": ("arm,reward\na,x\nb,\n", ["--skip-bad-rows"]),
    "does not exist": (SMALL, ["--json", "nowhere/out.json"]),
    "must end in one of": (SMALL, ["--plot", "out.txt"]),
    "unrecognized arguments": (SMALL, ["--sgima", "1"]),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_one_line_exit_2_and_no_file(log, tmp_path, capsys, monkeypatch, message):
    text, arguments = BAD[message]
    path = log(text)
    monkeypatch.chdir(tmp_path)
    before = sorted(os.listdir(tmp_path))
    assert decide(path, "--policy", "policy.csv", *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == before


def test_missing_file_and_folder(tmp_path, capsys):
    assert decide(tmp_path / "no.csv", "--sigma", 1) == 2
    assert decide(tmp_path, "--sigma", 1) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_full_disk_leaves_nothing_behind(log, tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = log(SMALL)
    before = sorted(os.listdir(tmp_path))
    monkeypatch.setattr(os, "fsync", full)
    assert decide(path, "--json", tmp_path / "out.json") == 2
    assert "No space left on device" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == before


def test_the_log_is_never_an_output(log, capsys):
    path = log(SMALL)
    for option in ("--policy", "--json"):
        assert decide(path, option, path) == 2
    assert f"--policy {path} is the input {path}: it would be overwritten" in capsys.readouterr().err
    assert Path(path).read_text() == SMALL


def test_standard_output_is_for_machines_when_asked(log, capsys):
    for name in ("-", "/dev/stdout"):
        assert decide(log(SMALL), "--json", name) == 0
        assert json.loads(capsys.readouterr().out)["arms"] == 5
    assert decide(log(SMALL), "--json", "-", "--policy", "-") == 2


cells = st.one_of(
    st.integers(-5, 5).map(str),
    st.floats().map(repr),
    st.sampled_from(["", "a", "b", "true", '"', '"x', "nan", "1,2", "\n", "\r", "\x00", "é", "1e400", " 3 "]),
    st.text(max_size=4),
)


@given(st.lists(st.lists(cells, max_size=3).map(",".join), max_size=6), st.booleans(), st.booleans())
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_file_makes_it_crash_or_write_half(tmp_path, capsys, rows, header, skip):
    path, out = tmp_path / "fuzz.csv", tmp_path / "fuzz.json"
    out.unlink(missing_ok=True)
    text = "\n".join((["arm,reward"] if header else []) + rows)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    code = decide(path, "--sigma", 1, "--json", out, *(["--skip-bad-rows"] if skip else []))
    captured = capsys.readouterr()
    assert code in {0, 2}
    assert "Traceback" not in captured.err
    if code == 0:
        weights = json.loads(out.read_text(encoding="utf-8"))["methods"]
        assert len(weights) == 5
    else:
        assert not out.exists()
        assert captured.err.count("\n") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == (["fuzz.csv", "fuzz.json"] if code == 0 else ["fuzz.csv"])
