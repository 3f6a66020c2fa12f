"""The command ``decide``: reports on small logs, bad files, and files written whole or not at all."""

import csv
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import make_example
import numpy as np
import polars as pl
import pytest

from trust_helpers import OfflineData, __version__, combined, report
from trust_helpers.cli.main import main

SMALL = "arm,reward\n" + "".join(
    f"{name},{value}\n" for name, value in zip("aabbccddee", [3, 4, 1, 2, 5, 3, 2, 2, 1, 4], strict=True)
)

FUTURE = (
    "how often an arm was tried did not depend on its rewards (dropping arms after failures would), and an arm "
    "pays by one law, throughout the log and in the future."
)


@pytest.fixture
def log(tmp_path):
    def write(text, name="log.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def decide(*arguments):
    return main(["decide", *map(str, arguments)])


def test_the_report_is_that_of_the_library(log, capsys):
    assert decide(log(SMALL), "--noise", "range:1:5", "--delta", "0.2", "--seed", 3) == 0
    data = OfflineData.from_csv(log(SMALL), sigma="range:1:5")
    assert capsys.readouterr().out == report(data, 0.2, seed=3).summary() + "\n"


def test_the_report_in_full(log, capsys):
    assert decide(log("arm,reward\nsolo,1\nsolo,0\nsolo,True\n")) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        f"Assumed: rewards are independent and are 0 or 1, {FUTURE}\n"
        "Nothing was said about the noise: every reward is 0 or 1.\n"
        "Note: yes and true count as 1, no and false as 0.\n\n"
        "1 arm, 3 samples (3 each).\n\n"
        "Recommended: the arm solo, worth at least 0."
    )
    assert " per try with 90 % confidence (estimate 0.6667; combined (" in out
    assert out.endswith(":\nthere is one arm, so there is nothing to choose.\n")


def test_reads_standard_input_as_a_command(log):
    command = [sys.executable, "-m", "trust_helpers", "decide", "-", "--noise", "range:1:5"]
    done = subprocess.run(command, input=SMALL, capture_output=True, text=True, check=True)
    assert "Recommended: " in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("closed", "arguments", "said"),
    [
        ("<&-", "-", "trust_helpers: standard input is closed\n"),
        (">&-", "log.csv", "trust_helpers: standard output cannot be written: Bad file descriptor\n"),
        (">&-", "log.csv --json -", "trust_helpers: standard output cannot be written: Bad file descriptor\n"),
        (
            "> /dev/full",
            "log.csv --json -",
            "trust_helpers: standard output cannot be written: No space left on device\n",
        ),
        ("2>&-", "nowhere.csv", ""),
    ],
)
def test_a_closed_or_full_stream_is_one_line(log, tmp_path, closed, arguments, said):
    log(SMALL)
    line = f"exec {sys.executable} -m trust_helpers decide {arguments} --noise 1 {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    assert os.listdir(tmp_path) == ["log.csv"]


def test_policy_and_json_are_the_librarys(log, tmp_path, capsys):
    path, policy, out = log(SMALL), tmp_path / "policy.csv", tmp_path / "report.json"
    assert decide(path, "--sigma", "2", "--seed", 3, "--band", "paper", "--policy", policy, "--json", out) == 0
    expected = combined(OfflineData.from_csv(path, sigma=2.0), 0.1, "paper", seed=3)
    rows = list(csv.DictReader(policy.read_text(encoding="utf-8").splitlines()))
    assert [row["arm"] for row in rows] == list("abcde")
    np.testing.assert_array_equal([float(row["weight"]) for row in rows], expected.weights)
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(1, abs=1e-12)
    content = json.loads(out.read_text(encoding="utf-8"))
    assert content["methods"][-1]["lower_bound"] == expected.lower_bound
    assert content["sigma"] == {"least": 2.0, "most": 2.0}
    assert content["log"] == path


def test_noise_of_each_arm_from_a_column_is_that_of_the_library_in_every_shape(log, capsys):
    levels = dict(zip("abcde", [0.5, 1, 2, 4, 0.25], strict=True))
    lines = SMALL.splitlines()
    rows = "\n".join([f"{lines[0]},accuracy", *(f"{line},{levels[line[0]]}" for line in lines[1:])])
    data = OfflineData.from_csv(log(SMALL), sigma=levels)
    totals = "arm,n,m,accuracy\n" + "".join(
        f"{name},2,{mean},{levels[name]}\n" for name, mean in zip(data.names, data.means.tolist(), strict=True)
    )
    clicks = "arm,n,m,accuracy\n" + "".join(f"{name},2,{i % 3},{levels[name]}\n" for i, name in enumerate(levels))
    won = OfflineData([i % 3 / 2 for i in range(5)], [2] * 5, levels, list(levels))
    for text, options, expected in (
        (rows, [], data),
        (totals, ["--count", "n", "--mean", "m"], data),
        (clicks, ["--trials", "n", "--successes", "m"], won),
    ):
        assert decide(log(text), "--noise", "column:accuracy", "--json", "-", *options) == 0
        said = json.loads(capsys.readouterr().out)
        assert said["sigma"] == {"least": 0.25, "most": 4.0}
        assert "as stated for each arm" in said["assumes"]
        assert "--noise column:accuracy" in said["command"]
        made = report(expected)
        assert said["methods"][3]["lower_bound"] == made.decisions[3].lower_bound
        assert said["methods"][-1]["method"] == made.recommended.method


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
    assert "Note: 3 unusable rows left out.\n" in capsys.readouterr().out


BAD = {
    "no column 'reward'": ("arm,score\na,1\n", []),
    "the file is empty": ("", []),
    "on line 3, 4": ("arm,reward\na,1\nb,x\nc,nan\n", []),
    "missing an arm on line 2": ("arm,reward\n,1\n", []),
    "no arm was tried twice; say one of three things: ": ("arm,reward\na,1\nb,2\n", []),
    "there are 4 repeats, and 5 are needed; say one of": ("arm,reward\n" + "a,1\nb,2\nc,4\n" * 2 + "a,3\n", []),
    "the repeated samples of every arm are all alike; say": ("arm,reward\n" + "a,1\nb,2\n" * 9, []),
    "the noise is not Gaussian of one level": ("arm,reward\n" + "a,0\n" * 40 + "a,9\nb,7\n", []),
    "the reward 3 of line 2 of": (SMALL, ["--noise", "range:4:5"]),
    "--successes needs --trials": (SMALL, ["--successes", "reward"]),
    "--count and --reward do not go together": (SMALL, ["--count", "n", "--mean", "m", "--reward", "r"]),
    "--count and --wide do not": (SMALL, ["--wide", "--count", "n", "--mean", "m"]),
    "name one log, or say --example": (SMALL, ["--example"]),
    "the decimal mark is 'x'": (SMALL, ["--decimal", "x"]),
    "the encoding 'x' is not known": (SMALL, ["--encoding", "x"]),
    "simulated logs, about": (SMALL, ["--noise", "1", "--delta", "1e-9"]),
    "nothing to draw under this law": (SMALL, ["--noise", "sd:1", "--plot", "x.png"]),
    "mean of arm 'a' is 3.5e+299: say rewards in another unit": ("arm,reward\na,3e299\na,4e299\n", ["--noise", "1"]),
    "no arm has two samples": ("arm,reward\na,1\nb,2\n", ["--sigma", "pooled"]),
    "sigma is -1": (SMALL, ["--sigma=-1"]),
    "no column 's'; it has 'arm', 'reward'": (SMALL, ["--noise", "column:s"]),
    "'column:' needs the name of a column": (SMALL, ["--noise", "column:"]),
    "the arm 'a' two noise levels, 3 (line 2 of": (SMALL, ["--noise", "column:reward"]),
    "a wide table has no column of levels": ("a,b\n1,2\n", ["--wide", "--noise", "column:a"]),
    "sigma is 'much'": (SMALL, ["--sigma", "much"]),
    "delta is 1.5": (SMALL, ["--delta", "1.5"]),
    "delta is 'x'": (SMALL, ["--delta", "x"]),
    "--seed -1": (SMALL, ["--seed=-1"]),
    "--top many": (SMALL, ["--top", "many"]),
    "invalid choice: 'best'": (SMALL, ["--band", "best"]),
    "none of its 2 rows is usable": ("arm,reward\na,x\nb,\n", ["--skip-bad-rows"]),
    "--html cannot be written: its path is empty": (SMALL, ["--html", ""]),
    "--plot cannot be written: its path is empty": (SMALL, ["--plot", ""]),
    "the column 'reward' is asked for twice": (SMALL, ["--arm", "reward", "--reward", "reward"]),
    "--reward '': a column has a name": (SMALL, ["--reward", ""]),
    "--arm '': a column has a name": (SMALL, ["--arm", ""]),
    "the first line is blank": ("\n" + SMALL, []),
    "count of arm 'a' is 1e+19": ("arm,k,n\na,1,1e19\nb,1,9\n", ["--successes", "k", "--trials", "n"]),
    "1234568 of line 2 of": ("arm,reward\na,1234568\n", ["--noise", "range:0:1234567"]),
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
    assert Path(path).read_text(encoding="utf-8") == SMALL


def test_standard_output_is_for_machines_when_asked(log, capsys):
    for name in ("-", "/dev/stdout"):
        assert decide(log(SMALL), "--json", name) == 0
        assert json.loads(capsys.readouterr().out)["arms"] == 5
    assert decide(log(SMALL), "--json", "-", "--policy", "-") == 2


def test_a_person_with_a_european_file_a_click_table_and_a_parquet_log(tmp_path, capsys):
    (tmp_path / "euro.csv").write_text(
        "Arm;Reward\n" + "".join(f"Käse {i % 4};{i % 5},5\n" for i in range(40)), encoding="utf-8"
    )
    (tmp_path / "clicks.csv").write_text("ad,clicks,impressions\nred,3,100\nblue,20,120\nred,2,80\n", encoding="utf-8")
    pl.DataFrame({"arm": [1, 2] * 30, "reward": [0, 1, 1] * 20}).write_parquet(tmp_path / "log.parquet")
    assert decide(tmp_path / "euro.csv", "--noise", "range:0:5", "--html", tmp_path / "1.html") == 0
    clicks = ["--arm", "ad", "--successes", "clicks", "--trials", "impressions"]
    assert decide(tmp_path / "clicks.csv", *clicks, "--html", tmp_path / "2.html") == 0
    assert decide(tmp_path / "log.parquet", "--html", tmp_path / "3.html") == 0
    assert capsys.readouterr().out.count("Recommended: ") == 3
    for number, name in enumerate(("Käse 3", "blue", "2"), 1):
        page = (tmp_path / f"{number}.html").read_text(encoding="utf-8")
        assert "<!doctype html>" in page
        assert f">{name}<" in page


def test_totals_and_wide_tables_decide_as_their_samples_do(log, tmp_path, capsys):
    rng = np.random.default_rng(0)
    samples = {name: rng.normal(i, 1, 9 + i) for i, name in enumerate("abc")}
    rows = "".join(f"{name},{float(x)!r}\n" for name, values in samples.items() for x in values)
    totals = "".join(f"{n},{v.size},{float(v.mean())!r},{float(v.std(ddof=1))!r}\n" for n, v in samples.items())
    longest = max(map(len, samples.values()))
    wide = "".join(
        ",".join(repr(float(v[i])) if i < v.size else "" for v in samples.values()) + "\n" for i in range(longest)
    )
    said = []
    for text, options in (
        ("arm,reward\n" + rows, []),
        ("arm,n,m,s\n" + totals, ["--count", "n", "--mean", "m", "--sd", "s"]),
        ("a,b,c\n" + wide, ["--wide"]),
    ):
        assert decide(log(text), "--json", "-", *options) == 0
        said.append(json.loads(capsys.readouterr().out))
    for other in said[1:]:
        assert other["sigma"]["least"] == pytest.approx(said[0]["sigma"]["least"], rel=1e-12)
        # what is combined may split single samples, which totals do not have and a wide table has in another order
        for one, two in zip(said[0]["methods"][:-1], other["methods"][:-1], strict=True):
            assert one["method"] == two["method"]
            assert (one["lower_bound"] or 0) == pytest.approx(two["lower_bound"] or 0, rel=1e-9)


def test_a_policy_is_safe_to_read_back(log, tmp_path, capsys):
    names = ["=cmd()", "+1", "-x", "@y", "a\rb", 'q"', "plain"]
    with (tmp_path / "in.csv").open("w", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(
            [["arm", "reward"], *([name, i] for i, name in enumerate(names))]
        )
    for options, start in (([], ""), (["--spreadsheet-safe"], "'")):
        assert decide(tmp_path / "in.csv", "--noise", 1, "--policy", tmp_path / "policy.csv", *options) == 0
        with (tmp_path / "policy.csv").open(newline="") as file:
            back = [row["arm"] for row in csv.DictReader(file)]
        assert sorted(back) == sorted(start + n if n[0] in "=+-@" else n for n in names)


def test_the_example_writes_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert decide("--example") == 0
    assert "1,000 arms, 46,800 samples" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_the_example_is_as_simulated_and_its_promise_holds(capsys):
    text, rates = make_example.example()
    assert make_example.PATH.read_text(encoding="utf-8") == text
    assert decide("--example", "--policy", "-") == 0
    weights = [float(row["weight"]) for row in csv.DictReader(capsys.readouterr().out.splitlines())]
    assert decide("--example", "--json", "-") == 0
    promised = json.loads(capsys.readouterr().out)["methods"][-1]["lower_bound"]
    assert promised <= float(np.dot(weights, rates))


def test_how_to_get_the_same_again(log, tmp_path, capsys):
    path = log(SMALL)
    assert decide(path, "--noise", 2, "--html", tmp_path / "r.html", "--seed", 5) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert f"trust-helpers decide {path} --noise 2 --html" in page
    assert hashlib.sha256(Path(path).read_bytes()).hexdigest() in page
    assert __version__ in page


def test_the_version(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"trust-helpers {__version__}\n"


def test_a_plain_install_decides_on_a_csv(log, tmp_path):
    """With nothing but numpy and scipy: the rest cannot be imported."""
    hidden = [
        "pandas",
        "polars",
        "matplotlib",
        "IPython",
        "papermill",
        "jupytext",
        "tqdm",
        "cvxpy",
        "nbformat",
        "zstandard",
    ]
    code = f"""
import sys
for name in {hidden!r}:
    sys.modules[name] = None
from trust_helpers.cli.main import main
out = {str(tmp_path)!r}
sys.exit(main(["decide", {log(SMALL)!r}, "--noise", "2", "--html", out + "/r.html", "--markdown", out + "/r.md"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Recommended: " in done.stdout
    assert (tmp_path / "r.html").exists()


def test_rewards_that_are_all_alike_are_split_without_a_complaint(log, capsys):
    rows = [f"{arm},0.1\n" for arm, times in zip("abcde", (7, 13, 29, 31, 5), strict=True) for _ in range(times)]
    assert decide(log("arm,reward\n" + "".join(rows)), "--noise", "range:0:1") == 0  # warnings are errors
    assert "worth at least 0.09" in capsys.readouterr().out
