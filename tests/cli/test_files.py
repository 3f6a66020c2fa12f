"""Outputs that lose nothing: what is refused, what is kept, and what a kill, an interrupt or a full disk leaves."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from trust_helpers import TrustError
from trust_helpers.cli import files
from trust_helpers.cli.files import held, plan_outputs, write_all, write_whole

PACKAGE = Path(files.__file__).parents[1]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("arm,reward\n", encoding="utf-8")
    return tmp_path


def refused(outputs, inputs=("log.csv",)):
    with pytest.raises(TrustError) as caught:
        plan_outputs([("--out", path) for path in outputs], inputs)
    return str(caught.value)


@pytest.mark.parametrize(
    "path", ["log.csv", "./log.csv", "sub/../log.csv", "soft", "soft2", "hard", "LOG.csv", "Log.CSV"]
)
def test_an_output_that_is_the_input_is_refused_naming_both(here, path):
    (here / "sub").mkdir()
    (here / "soft").symlink_to("log.csv")
    (here / "soft2").symlink_to(here / "soft")
    os.link("log.csv", "hard")
    assert refused([path]) == f"--out {path} is the input log.csv: it would be overwritten"
    assert refused([str(here / path)], [str(here / "soft2")]).endswith("soft2: it would be overwritten")


def test_the_file_behind_standard_input_and_output_is_refused(here):
    code = "from trust_helpers.cli.files import plan_outputs; plan_outputs([('--out', 'log.csv')], ['-'])"
    with open("log.csv", encoding="utf-8") as log:
        done = subprocess.run([sys.executable, "-c", code], stdin=log, capture_output=True, text=True, check=False)
    assert "--out log.csv is the input standard input: it would be overwritten" in done.stderr
    with open("new.csv", "w", encoding="utf-8") as out:
        code = code.replace("log.csv", "new.csv")
        done = subprocess.run([sys.executable, "-c", code], stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert "--out new.csv and standard output are one file" in done.stderr


def test_standard_output_that_is_the_input_and_an_output_that_is_standard_error_are_refused(here):
    start = "from trust_helpers.cli.files import plan_outputs; plan_outputs("
    with open("log.csv", "a", encoding="utf-8") as log:
        line = [sys.executable, "-c", start + "[], ['log.csv'])"]
        done = subprocess.run(line, stdout=log, stderr=subprocess.PIPE, text=True, check=False)
    assert "standard output is the input log.csv: it would be overwritten" in done.stderr
    assert (here / "log.csv").read_text(encoding="utf-8") == "arm,reward\n"
    with open("err.txt", "w", encoding="utf-8") as err:
        subprocess.run([sys.executable, "-c", start + "[('--out', '/dev/stderr')])"], stderr=err, check=False)
    assert "--out /dev/stderr and standard error are one file" in (here / "err.txt").read_text(encoding="utf-8")
    with open(os.devnull, "rb") as nothing, open(os.devnull, "wb") as out:  # a device may be both
        line = [sys.executable, "-c", start + "[('--out', '-')], ['-'])"]
        subprocess.run(line, stdin=nothing, stdout=out, check=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [("a", "a"), ("a", "sub/../a"), ("a", "A"), ("a", "soft"), ("there", "hard"), ("-", "/dev/stdout"), ("é", "É")],
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
    for device in ("pipe", "/dev/null", "/dev/full"):
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


@pytest.fixture(params=["nameless", "named"])
def way(request, monkeypatch):
    """Both ways to stage a file: without a name, and under a spare one where the system has no nameless files."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE")
    return request.param


def test_a_link_is_written_through_and_stays_a_link(here, way):
    (here / "old").write_text("old", encoding="utf-8")
    for name, target in (("to-old", "old"), ("to-new", "new")):
        (here / name).symlink_to(target)
        write_whole(name, "fresh")
        assert (here / name).is_symlink()
        assert (here / target).read_text(encoding="utf-8") == "fresh"
        assert not (here / target).is_symlink()


def test_a_system_without_owners_replaces_files_too(here, way, monkeypatch):
    # Windows has no fchown, and from Python 3.13 it has fchmod
    monkeypatch.delattr(os, "fchown")
    (here / "old").write_text("old", encoding="utf-8")
    write_whole("old", "new")
    assert (here / "old").read_text(encoding="utf-8") == "new"


def test_an_old_file_keeps_its_mode_and_a_new_one_follows_the_umask(here, way):
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


def test_a_full_disk_leaves_every_old_file_and_nothing_else(here, way, monkeypatch):
    (here / "one").write_text("old", encoding="utf-8")
    write, room = os.write, [3]

    def full(handle, content):
        room[0] -= 1
        if room[0] < 0:
            raise OSError(28, "No space left on device")
        return write(handle, content[:7])

    monkeypatch.setattr(os, "write", full)
    planned = plan_outputs([("--a", "one"), ("--b", "two")])
    with pytest.raises(TrustError, match=r"^--b two cannot be written: No space left on device$"):
        write_all(list(zip(planned, [b"new", b"much more than there is room for"], strict=True)))
    assert (here / "one").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir(here)) == ["log.csv", "one"]


def test_standard_output_gets_the_bytes(capfdbinary):
    (output,) = plan_outputs([("--json", "-")])
    write_all([(output, "é\n".encode())])
    assert capfdbinary.readouterr().out == "é\n".encode()


def test_held_signals_come_when_the_block_ends():
    reached = []

    def interrupted():
        with held():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert reached == ["the end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_thread_may_write_too(here):
    thread = threading.Thread(target=write_whole, args=("out", "text"))
    thread.start()
    thread.join()
    assert (here / "out").read_text(encoding="utf-8") == "text"


# Writes one file over and over, with two contents in turn. The package itself is not imported, to start quickly.
WRITER = """
import sys, types
package = types.ModuleType("trust_helpers")
package.__path__ = [sys.argv[1]]
sys.modules["trust_helpers"] = package
from trust_helpers.cli.files import write_whole
print("ready", flush=True)
for turn in range(10**6):
    write_whole("out", b"ab"[turn % 2 : turn % 2 + 1] * 300_000)
"""


def killed_at_random(folder, number, rng):
    """Let the writer run, end it after a moment, and say what is in the folder."""
    line = [sys.executable, "-c", WRITER, str(PACKAGE)]
    with subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writer:
        writer.stdout.readline()
        time.sleep(rng.uniform(0, 0.02))
        writer.send_signal(number)
    content = (folder / "out").read_bytes() if (folder / "out").exists() else b"old"
    return content, sorted(os.listdir(folder))


def test_a_kill_at_a_random_moment_leaves_the_old_file_or_the_new_one(tmp_path):
    """A hundred times. What nothing can hold may leave a spare name for some microseconds; the next write takes it."""
    rng = random.Random(0)
    (tmp_path / "out").write_bytes(b"old")
    for turn in range(100):
        number = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL][turn % 3]
        content, names = killed_at_random(tmp_path, number, rng)
        assert content in {b"old", b"a" * 300_000, b"b" * 300_000}
        if number == signal.SIGKILL:
            assert len(names) <= 2
            write_whole(tmp_path / "out", content)
            names = sorted(os.listdir(tmp_path))
        assert names == ["out"]


def test_a_new_file_that_is_killed_at_a_random_moment_leaves_nothing_else(tmp_path):
    rng = random.Random(0)
    for _ in range(20):
        (tmp_path / "out").unlink(missing_ok=True)
        _, names = killed_at_random(tmp_path, signal.SIGTERM, rng)
        assert names in ([], ["out"])
