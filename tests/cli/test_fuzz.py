"""No input makes a traceback: a thousand seeded cases of bytes, names, numbers and options."""

import json
import os
import random

import pytest

from trust_helpers.cli.main import main

CASES = 1_000
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
    ["--top", "0"], ["--top", "99999999999"], ["--top", "-1"], ["--seed", "9" * 30], ["--seed", "1.5"],
    ["--sep", ";"], ["--sep", "\\t"], ["--sep", "ab"], ["--decimal", ","], ["--thousands", ","], ["--percent"],
    ["--currency"], ["--encoding", "latin-1"], ["--encoding", "utf-16"], ["--encoding", "cp037"], ["--wide"],
    ["--skip-bad-rows"], ["--arm", "reward"], ["--reward", "arm"], ["--arm", "n"],
    ["--successes", "arm", "--trials", "reward"],
    ["--count", "reward", "--mean", "reward"], ["--band", "paper"], ["--sd", "x"], ["--nonsense"],
]  # fmt: skip


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


@pytest.mark.parametrize("part", range(4))
def test_no_input_makes_a_traceback(tmp_path, capsys, monkeypatch, part):
    monkeypatch.chdir(tmp_path)
    codes = []
    for seed in range(part * CASES // 4, (part + 1) * CASES // 4):
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
