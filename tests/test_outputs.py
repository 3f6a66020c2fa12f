"""Outputs that lose nothing: what is refused, what is kept, and what an interrupt or a full disk leaves."""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from trust_helpers import TrustError
from trust_helpers.outputs import plan_outputs, write_all, write_whole


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("arm,reward\n", encoding="utf-8")
    return tmp_path


def refused(outputs, inputs=("log.csv",)):
    with pytest.raises(TrustError) as caught:
        plan_outputs([("--out", path) for path in outputs], inputs)
    return str(caught.value)


@pytest.mark.parametrize("path", ["log.csv", "./log.csv", "sub/../log.csv", "soft", "soft2", "hard"])
def test_an_output_that_is_the_input_is_refused_naming_both(here, path):
    (here / "sub").mkdir()
    (here / "soft").symlink_to("log.csv")
    (here / "soft2").symlink_to(here / "soft")
    os.link("log.csv", "hard")
    assert refused([path]) == f"--out {path} is the input log.csv: it would be overwritten"
    assert refused([str(here / path)], [str(here / "soft2")]).endswith("soft2: it would be overwritten")


STANDARD = [
    ("[('--out', 'log.csv')], ['-']", "<log.csv", "--out log.csv is the input standard input: it would be over"),
    ("[('--out', 'new.csv')], ['-']", ">new.csv", "standard output and --out new.csv are one file"),
    ("[], ['log.csv']", ">>log.csv", "standard output is the input log.csv: it would be overwritten"),
    ("[('--out', '-')], ['-']", f"<{os.devnull} >{os.devnull}", ""),  # a device may be both
]


@pytest.mark.parametrize(("arguments", "where", "message"), STANDARD)
def test_the_files_behind_standard_input_and_output_are_refused(here, arguments, where, message):
    code = f"from trust_helpers.outputs import plan_outputs; plan_outputs({arguments})"
    line = shlex.join([sys.executable, "-c", code])
    done = subprocess.run(f"{line} {where}", shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert message in done.stderr
    assert bool(done.returncode) == bool(message)
    assert (here / "log.csv").read_text(encoding="utf-8") == "arm,reward\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [("a", "a"), ("a", "sub/../a"), ("a", "A"), ("a", "soft"), ("there", "hard"), ("-", "/dev/stdout")],
)
def test_two_outputs_that_are_one_file_are_refused_naming_both(here, one, other):
    (here / "sub").mkdir()
    (here / "soft").symlink_to("a")
    (here / "there").touch()
    os.link("there", "hard")
    assert len(plan_outputs([("--out", one), ("--out", "sub/a")], ["log.csv"])) == 2
    assert refused([one, other]) == f"--out {one} and --out {other} are one file: each output needs its own"


def test_what_is_no_file_or_may_not_be_written_is_refused(here):
    (here / "folder").mkdir()
    os.mkfifo("pipe")
    (here / "fixed").touch(mode=0o444)
    (here / "round").symlink_to("round")
    for path, reason in {
        "folder": "it is a folder",
        "new/": "it is a folder",
        "pipe": "it is a device or a pipe, not a file",
        "/dev/null": "it is a device or a pipe, not a file",
        "/dev/zero": "it is a device or a pipe, not a file",
        "fixed": "the file is read-only",
        "nowhere/out": "its folder",
        "round": "",
        "x" * 300: "",
        "nul\x00l": "",
    }.items():
        assert refused([path]).startswith(f"--out {path} cannot be written: {reason}")
    assert refused([""]) == "--out cannot be written: its path is empty"
    assert sorted(os.listdir(here)) == ["fixed", "folder", "log.csv", "pipe", "round"]


def test_a_folder_that_may_not_be_written_is_refused(here, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != here)  # root may write everywhere
    assert "is read-only" in refused(["out"])


def test_a_link_is_written_through_and_stays_a_link(here):
    (here / "old").write_text("old", encoding="utf-8")
    for name, target in (("to-old", "old"), ("to-new", "new")):
        (here / name).symlink_to(target)
        write_whole(name, "fresh")
        assert (here / name).is_symlink()
        assert (here / target).read_text(encoding="utf-8") == "fresh"
        assert not (here / target).is_symlink()


def test_an_old_file_keeps_its_mode_and_a_new_one_follows_the_umask(here):
    (here / "secret").write_text("old", encoding="utf-8")
    (here / "secret").chmod(0o600)
    write_whole("secret", "new")
    assert ((here / "secret").read_text(encoding="utf-8"), (here / "secret").stat().st_mode & 0o777) == ("new", 0o600)
    before = os.umask(0o027)
    try:
        write_whole("fresh", b"new")
    finally:
        os.umask(before)
    assert (here / "fresh").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(here)) == ["fresh", "log.csv", "secret"]


@pytest.mark.parametrize("old", [None, b"old"])
def test_files_are_written_where_none_can_be_given_to_another_owner(here, monkeypatch, old):
    for name in ("fchown", "chown", "lchown", "fchmod", "geteuid"):  # Windows has none of these, or not all
        monkeypatch.delattr(os, name, raising=False)
    if old:
        (here / "out").write_bytes(old)
    write_whole("out", b"new")
    assert (here / "out").read_bytes() == b"new"
    assert sorted(os.listdir(here)) == ["log.csv", "out"]


def test_a_full_disk_leaves_every_old_file_and_nothing_else(here, monkeypatch):
    (here / "one").write_text("old", encoding="utf-8")
    room = [1]

    def full(handle):
        room[0] -= 1
        if room[0] < 0:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    planned = plan_outputs([("--a", "one"), ("--b", "two")])
    with pytest.raises(TrustError, match=r"^--b two cannot be written: No space left on device$"):
        write_all(list(zip(planned, [b"new", b"more than there is room for"], strict=True)))
    assert (here / "one").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir(here)) == ["log.csv", "one"]


@pytest.mark.parametrize("step", range(3))
def test_an_interrupt_leaves_each_file_old_or_new_and_nothing_beside_them(here, monkeypatch, step):
    (here / "one").write_text("old", encoding="utf-8")
    (here / "two").write_text("old", encoding="utf-8")
    replace, done = os.replace, []

    def interrupted(source, target):
        if len(done) == step:
            raise KeyboardInterrupt
        replace(source, target)
        done.append(target)

    monkeypatch.setattr(os, "replace", interrupted)
    planned = plan_outputs([("--a", "one"), ("--b", "two"), ("--c", "three")])
    with pytest.raises(KeyboardInterrupt):
        write_all([(output, b"new") for output in planned])
    found = {name: (here / name).read_text(encoding="utf-8") for name in sorted(os.listdir(here))}
    old = {"log.csv": "arm,reward\n", "one": "old", "two": "old"}
    assert found == old | dict.fromkeys(("one", "two")[:step], "new")


def test_standard_output_gets_the_bytes(capfdbinary, monkeypatch):
    (output,) = plan_outputs([("--json", "-")])
    write_all([(output, "é\n".encode())])
    assert capfdbinary.readouterr().out == "é\n".encode()
    monkeypatch.setattr(sys, "stdout", io.StringIO())  # a notebook's takes text
    write_all([(output, "é\n".encode())])
    assert sys.stdout.getvalue() == "é\n"
