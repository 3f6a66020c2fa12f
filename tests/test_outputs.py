"""Outputs that lose nothing: what is refused, what is kept, and what an interrupt or a full disk leaves."""

import os
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


def test_the_file_behind_standard_input_and_output_is_refused(here):
    code = "from trust_helpers.outputs import plan_outputs; plan_outputs([('--out', 'log.csv')], ['-'])"
    with open("log.csv", encoding="utf-8") as log:
        done = subprocess.run([sys.executable, "-c", code], stdin=log, capture_output=True, text=True, check=False)
    assert "--out log.csv is the input standard input: it would be overwritten" in done.stderr
    with open("new.csv", "w", encoding="utf-8") as out:
        code = code.replace("log.csv", "new.csv")
        done = subprocess.run([sys.executable, "-c", code], stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert "standard output and --out new.csv are one file" in done.stderr


def test_standard_output_that_is_the_input_is_refused(here):
    start = "from trust_helpers.outputs import plan_outputs; plan_outputs("
    with open("log.csv", "a", encoding="utf-8") as log:
        line = [sys.executable, "-c", start + "[], ['log.csv'])"]
        done = subprocess.run(line, stdout=log, stderr=subprocess.PIPE, text=True, check=False)
    assert "standard output is the input log.csv: it would be overwritten" in done.stderr
    assert (here / "log.csv").read_text(encoding="utf-8") == "arm,reward\n"
    with (
        open(os.devnull, encoding="utf-8") as nothing,
        open(os.devnull, "w", encoding="utf-8") as out,
    ):  # a device may be both
        line = [sys.executable, "-c", start + "[('--out', '-')], ['-'])"]
        subprocess.run(line, stdin=nothing, stdout=out, check=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [("a", "a"), ("a", "sub/../a"), ("a", "A"), ("a", "soft"), ("there", "hard"), ("-", "/dev/stdout")],
)
def test_two_outputs_that_are_one_file_are_refused_naming_both(here, one, other):
    (here / "sub").mkdir()
    (here / "soft").symlink_to("a")
    (here / "there").touch()
    os.link("there", "hard")
    assert refused([one, other]) == f"--out {one} and --out {other} are one file: each output needs its own"


def test_outputs_of_the_same_name_in_two_folders_are_two(here):
    (here / "sub").mkdir()
    one, other = plan_outputs([("--out", "a"), ("--out", "sub/a")], ["log.csv"])
    assert (one.path, other.path) == (here / "a", here / "sub" / "a")


def test_what_is_no_file_or_may_not_be_written_is_refused(here):
    (here / "folder").mkdir()
    os.mkfifo("pipe")
    (here / "fixed").touch(mode=0o444)
    (here / "round").symlink_to("round")
    assert refused(["folder"]) == "--out folder cannot be written: it is a folder"
    assert "it is a folder" in refused(["new/"])
    for device in ("pipe", "/dev/null", "/dev/zero"):
        assert "it is a device or a pipe, not a file" in refused([device])
    assert refused(["fixed"]) == "--out fixed cannot be written: the file is read-only"
    assert "its folder" in refused(["nowhere/out"])
    assert "cannot be written" in refused(["round"])
    assert "cannot be written" in refused(["x" * 300])
    assert "cannot be written" in refused(["nul\x00l"])
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


def test_standard_output_gets_the_bytes(capfdbinary):
    (output,) = plan_outputs([("--json", "-")])
    write_all([(output, "é\n".encode())])
    assert capfdbinary.readouterr().out == "é\n".encode()
