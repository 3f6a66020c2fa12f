"""The command: reports on small logs, bad input in one line, no traceback whatever comes, and a quiet interrupt."""

import csv
import hashlib
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import make_example
import numpy as np
import polars as pl
import pytest

from trust_helpers import OfflineData, TrustError, __version__, combined, report, tables
from trust_helpers.cli import main

SMALL = "arm,reward\n" + "".join(
    f"{name},{value}\n" for name, value in zip("aabbccddee", [3, 4, 1, 2, 5, 3, 2, 2, 1, 4], strict=True)
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
    assert out.startswith("Use the arm solo: at least ")
    assert out.endswith(
        " % success, nine times in ten.\n"
        "There is one arm, so there is nothing to choose.\n\n"
        "1 arm, 3 tries (3 each). All of it assumes that tries are independent (one tells nothing about another) and "
        "are 0 or 1. How often an arm was tried did not depend on how it fared (dropping some after failures would), "
        "and each goes on as it was.\n"
        "Nothing was said about the noise: every reward is 0 or 1, and this is how we read them.\n"
        "Note: true counts as 1 and false as 0.\n"
    )


def test_reads_standard_input_as_a_command(log):
    command = [sys.executable, "-m", "trust_helpers", "decide", "-", "--noise", "range:1:5"]
    done = subprocess.run(command, input=SMALL, capture_output=True, text=True, check=True)
    assert "nine times in ten" in done.stdout
    assert done.stderr == ""


def test_policy_and_json_are_the_librarys(log, tmp_path, capsys):
    path, policy, out = log(SMALL), tmp_path / "policy.csv", tmp_path / "report.json"
    assert decide(path, "--sigma", "2", "--seed", 3, "--policy", policy, "--json", out) == 0
    expected = combined(OfflineData.from_csv(path, sigma=2.0), 0.1, seed=3)
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
    assert decide(log(SMALL), "--noise", "range:1:5", "--plot", tmp_path / "picture.png") == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert decide(log(SMALL), "--noise", "sd:2", "--plot", tmp_path / "picture.svg") == 0  # no band, and yet a picture
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
    assert "2 arms, 10,001 tries (1 to 10,000 each)" in capsys.readouterr().out


def test_one_arm(log, tmp_path, capsys):
    assert decide(log("arm,reward\na,1\na,0\n"), "--plot", tmp_path / "one.png") == 0
    assert "there is nothing to choose" in capsys.readouterr().out


BAD = {
    "no column 'reward'": ("arm,score\na,1\n", []),
    "the file is empty": ("", []),
    "on line 3 is 'x', which is not a finite number (and 1 more": ("arm,reward\na,1\nb,x\nc,nan\n", []),
    "'arm' on line 2 is empty": ("arm,reward\n,1\n", []),
    "rewards here go from 1 to 5: if they cannot lie outside 1 to 5 by their nature, --noise range:1:5": (SMALL, []),
    "means here go from 2 to 3": ("arm,n,m,s\na,9,2,1\nb,9,3,1\n", ["--count", "n", "--mean", "m", "--sd", "s"]),
    "the repeated samples of every arm are all alike": ("arm,reward\n" + "a,1\nb,2\n" * 9, ["--noise", "pooled"]),
    "the reward 3 of line 2 of": (SMALL, ["--noise", "range:4:5"]),
    "--successes needs --trials": (SMALL, ["--successes", "reward"]),
    "--count and --reward do not go together": (SMALL, ["--count", "n", "--mean", "m", "--reward", "r"]),
    "--count and --wide do not": (SMALL, ["--wide", "--count", "n", "--mean", "m"]),
    "name one log, or say --example": (SMALL, ["--example"]),
    "the decimal mark is 'x'": (SMALL, ["--decimal", "x"]),
    "the encoding 'x' is not known": (SMALL, ["--encoding", "x"]),
    "--delta 1e-9: at least 0.0001": (SMALL, ["--noise", "1", "--delta", "1e-9"]),
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
    "seed is -1": (SMALL, ["--seed=-1"]),
    "no column 'reward'; it has 'prompt', 'score'; say --arm prompt --reward score": (
        "prompt,score\na,1\n",
        ["--arm", "prompt"],
    ),
    "unrecognized arguments: --currency": (SMALL, ["--currency"]),
    "unrecognized arguments: --band paper": (SMALL, ["--band", "paper"]),
    "--item needs one row per try": (SMALL, ["--item", "x", "--successes", "k", "--trials", "n"]),
    "--independent needs --wide": (SMALL, ["--independent"]),
    "column 'b' on line 3 is 'x', which is not": ("a,b\n1,2\n3,x\n", ["--wide", "--noise", "range:0:5"]),
    "--html cannot be written: its path is empty": (SMALL, ["--html", ""]),
    "--plot cannot be written: its path is empty": (SMALL, ["--plot", ""]),
    "the column 'reward' is asked for twice": (SMALL, ["--arm", "reward", "--reward", "reward"]),
    "--reward '': a column has a name": (SMALL, ["--reward", ""]),
    "--arm '': a column has a name": (SMALL, ["--arm", ""]),
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
    assert decide(path, "--noise", "range:1:5", "--json", tmp_path / "out.json") == 2
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
        assert decide(log(SMALL), "--noise", "range:1:5", "--json", name) == 0
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
    out = capsys.readouterr().out
    assert "% clicks, nine times in ten" in out
    assert "If you can take only one" in out
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
        ("a,b,c\n" + wide, ["--wide", "--independent"]),
    ):
        assert decide(log(text), "--noise", "pooled", "--json", "-", *options) == 0
        said.append(json.loads(capsys.readouterr().out))
    for other in said[1:]:
        assert other["sigma"]["least"] == pytest.approx(said[0]["sigma"]["least"], rel=1e-12)
        # what is combined may split single samples, which totals do not have and a wide table has in another order
        alone = [[one for one in made["methods"][:-1] if one["method"] != "split"] for made in (said[0], other)]
        for one, two in zip(*alone, strict=True):
            assert one["method"] == two["method"]
            assert (one["lower_bound"] or 0) == pytest.approx(two["lower_bound"] or 0, rel=1e-9)


def test_the_example_writes_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert decide("--example") == 0
    assert "1,000 ads, 46,800 tries" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["clicks", "prompts"])
def test_the_example_is_as_simulated_and_its_promise_holds(capsys, name):
    text, rates = getattr(make_example, name)()
    assert (make_example.FOLDER / f"{name}.csv").read_text(encoding="utf-8") == text
    assert decide("--example", name, "--policy", "-") == 0
    weights = [float(row["weight"]) for row in csv.DictReader(capsys.readouterr().out.splitlines())]
    assert decide("--example", name, "--json", "-") == 0
    promised = json.loads(capsys.readouterr().out)["methods"][-1]["lower_bound"]
    assert promised <= float(np.dot(weights, rates))


@pytest.mark.parametrize("page", ["README.md", "book/10_arena.md"])
def test_the_command_lines_on_prompts_run_and_promise_a_gain_that_is_true(page, tmp_path, capsys, monkeypatch):
    lines = re.findall(r"trust-helpers (decide (?:prompts\.csv|--example prompts) [^`#\n]+)", read(page))
    assert lines
    text, rates = make_example.prompts()
    (tmp_path / "prompts.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for line in lines:
        assert main([*shlex.split(line), "--json", "out.json", "--policy", "out.csv"]) == 0
        assert "Instead of prompt 07 use " in capsys.readouterr().out
        gain = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["gain"]
        rows = csv.DictReader((tmp_path / "out.csv").read_text(encoding="utf-8").splitlines())
        truly = np.dot([float(row["weight"]) for row in rows], rates) - rates[make_example.USED]
        assert 0 < gain["lower_bound"] <= truly


def read(page):
    return (Path(__file__).parents[1] / page).read_text(encoding="utf-8")


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


def test_rewards_that_are_all_alike_are_split_without_a_complaint(log, capsys):
    rows = [f"{arm},0.1\n" for arm, times in zip("abcde", (7, 13, 29, 31, 5), strict=True) for _ in range(times)]
    assert decide(log("arm,reward\n" + "".join(rows)), "--noise", "range:0:1") == 0  # warnings are errors
    assert "a mean reward of at least 0.09" in capsys.readouterr().out


CASES = 250
# fmt: off
NAMES = [

    "a",
    "b",
    " a",
    "",
    "é",
    "猫",
    "\x1b[31m",
    "\u202ex",
    "=1",
    "a,b",
    '"',
    '"q"',
    "two\nlines",
    "x" * 5000,
    "\r",
    "\x00",
    "-",
    "nan",
]
NUMBERS = [
    "1",
    "0",
    "-2.5",
    "1e3",
    "1e308",
    "-1e300",
    "1e-320",
    "nan",
    "inf",
    "",
    " 3 ",
    "1,5",
    "12%",
    "$3",
    "yes",
    "1_0",
    "x",
    "0x1",
]
OPTIONS = [
    ["--noise", "1"], ["--noise", "range:0:1"], ["--noise", "range:1:0"], ["--noise", "sd:2"], ["--noise", "pooled"],
    ["--noise", "1e-300"], ["--noise", "1e300"], ["--noise", "nan"], ["--noise", "range:-inf:inf"], ["--noise", ""],
    ["--delta", "0.5"], ["--delta", "0"], ["--delta", "x"], ["--delta", "1e-12"], ["--delta", "0.999999"],
    ["--seed", "9" * 30], ["--seed", "1.5"], ["--decimal", ","], ["--decimal", "x"], ["--wide"], ["--item", "n"],
    ["--wide", "--independent"], ["--encoding", "latin-1"], ["--encoding", "utf-16"], ["--encoding", "cp037"],
    ["--arm", "reward"], ["--reward", "arm"], ["--arm", "n"], ["--successes", "arm", "--trials", "reward"],
    ["--count", "reward", "--mean", "reward"], ["--sd", "x"], ["--nonsense"],
]
# fmt: on


def table(rng):
    """A table that is nearly right, or nearly wrong."""
    sep = rng.choice([",", ",", ",", ";", "\t", "|"])
    head = rng.choice([*[["arm", "reward", "n"]] * 6, ["Arm", " reward "], ["a", "b"], ["arm", "arm"], []])
    clean = rng.random() < 0.7
    rows = [
        [rng.choice("abc") if clean else rng.choice(NAMES), rng.choice(NUMBERS[:4] if clean else NUMBERS)]
        + ([rng.choice(NUMBERS)] if rng.random() < 0.1 else [])
        for _ in range(rng.randrange(0, 15))
    ]
    return rng.choice(["\n", "\n", "\r\n", "\r"]).join(sep.join(row) for row in [head, *rows])


def content(rng):
    """The bytes of a file."""
    kind = rng.random()
    if kind < 0.05:
        return rng.randbytes(rng.randrange(0, 200))
    if kind < 0.15:
        start = rng.choice(
            [
                b"\x1f\x8b",
                b"BZh",
                b"\xfd7zXZ\x00",
                b"\x28\xb5\x2f\xfd",
                b"PK\x03\x04",
                b"PAR1",
                b"ARROW1",
                b"\xff\xfe",
                b"\xff\xff\xff\xff",
            ]
        )
        return start + rng.randbytes(rng.randrange(0, 100))
    if kind < 0.25:
        names, numbers = [*NAMES, 1, None, True, [1], "\ud800"], [*NUMBERS, 1, 0.5, None, True, {}, 10**400]
        records = [{"arm": rng.choice(names), "reward": rng.choice(numbers)} for _ in range(rng.randrange(1, 8))]
        return "\n".join(map(json.dumps, records)).encode()
    text = table(rng).encode(rng.choice(["utf-8"] * 8 + ["utf-16", "latin-1"]), "replace")
    if rng.random() < 0.1:
        place = rng.randrange(len(text) + 1)
        text = text[:place] + rng.randbytes(3) + text[place:]
    return text


def test_no_input_makes_a_traceback(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    codes = []
    for seed in range(CASES):
        rng = random.Random(seed)
        (tmp_path / "log").write_bytes(content(rng))
        options = [word for _ in range(rng.choice([0, 0, 1, 2])) for word in rng.choice(OPTIONS)]
        default = [] if "--noise" in options or rng.random() < 0.3 else ["--noise", "1"]
        code = main(
            ["decide", "log", "--json", "out.json", "--policy", "out.csv", "--html", "out.html", *default, *options]
        )
        out, err = capsys.readouterr()
        codes.append(code)
        left = sorted(set(os.listdir(tmp_path)) - {"log"})
        assert code in {0, 2}, seed
        assert not {c for c in out + err if not c.isprintable() and c != "\n"}, seed
        if code == 0:
            assert left == ["out.csv", "out.html", "out.json"], seed
            json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
            for name in left:
                os.unlink(name)
        else:
            assert (out, err.count("\n"), left) == ("", 1, []), seed
    assert 0.1 < codes.count(0) / len(codes) < 0.9, "the cases are nearly all good, or all bad"


# What the console script does, telling how far it is.
PROGRAM = """
import sys
print("begun", flush=True)
from trust_helpers.cli import run
run()
"""


def test_an_interrupt_is_one_line_and_the_shells_exit_code(tmp_path):
    (tmp_path / "log.csv").write_text(
        "arm,reward\n" + "".join(f"{i},{i % 7}\n" for i in range(20_000)), encoding="utf-8"
    )
    arguments = ["decide", "log.csv", "--noise", "range:0:7", "--delta", "0.0001", "--html", "r.html"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], cwd=tmp_path, **pipes) as run:
        run.stdout.readline()
        time.sleep(5)
        assert run.poll() is None, run.stderr.read()
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=100)  # far less than the work would take
    assert (run.returncode, err, os.listdir(tmp_path)) == (130, b"trust_helpers: interrupted\n", ["log.csv"])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="macOS has no device that is always full")
def test_a_full_standard_output_is_one_line(log, tmp_path):
    line = f"exec {sys.executable} -m trust_helpers decide {log(SMALL)} --noise 1 --json - > /dev/full"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = "trust_helpers: standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_rows_of_a_wide_table_are_items_unless_they_are_said_to_be_unrelated(log, capsys, monkeypatch):
    seen = []
    monkeypatch.setattr(
        tables, "data_of", lambda log, said: seen.append(log.items) or (_ for _ in ()).throw(TrustError("x"))
    )
    path = log("question,a,b\nq,1,2\nr,3,4\n")
    decide(path, "--wide", "--item", "question", "--noise", "range:0:5")
    decide(log("a,b\n1,2\n3,4\n", "other.csv"), "--wide", "--independent", "--noise", "range:0:5")
    assert seen[0].tolist() == [0, 0, 1, 1]
    decide(path, "--wide", "--independent", "--item", "question", "--noise", "range:0:5")
    assert (seen[1], seen[2]) == (None, None)


def test_a_baseline_is_named_as_the_table_names_it(log, tmp_path, capsys):
    path = log("arm,k,n\n1,60,100\n2,20,100\n3,90,100\n")
    totals = [path, "--successes", "k", "--trials", "n"]
    assert decide(*totals, "--baseline", "1", "--policy", tmp_path / "policy.csv") == 0
    out = capsys.readouterr().out
    assert "Instead of 1 " in out
    assert (tmp_path / "policy.csv").read_text(encoding="utf-8").startswith("arm,weight\n1,0.0\n")
    assert decide(*totals, "--baseline", "4") == 2
    assert "there is no arm '4'" in capsys.readouterr().err


def test_the_words_are_the_columns_unless_others_are_said(log, tmp_path, capsys):
    path = log("Subject line,opens,sent\n" + "".join(f"line {i},{40 + 20 * i},200\n" for i in range(5)))
    options = [path, "--arm", "Subject line", "--successes", "opens", "--trials", "sent"]
    assert decide(*options) == 0
    out = capsys.readouterr().out
    assert "Use the subject line line 4: at least " in out
    assert "It is one subject line: there is nothing to mix." in out
    assert " % opens, nine times in ten." in out
    assert decide(*options, "--call", "mail,reader", "--html", tmp_path / "r.html") == 0
    assert "Use the mail line 4: at least " in (tmp_path / "r.html").read_text(encoding="utf-8")
    for bad in ("mail", "mail,", ",x"):
        assert decide(*options, "--call", bad) == 2
        assert "it must be two nouns" in capsys.readouterr().err
