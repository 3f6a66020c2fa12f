"""The command ended at every step of its writing: old files or new ones, never a piece, never anything beside them."""

import os
import signal
import subprocess
import sys

import pytest

from trust_helpers.cli.files import write_whole

OUTPUTS = {"--html": "r.html", "--json": "r.json", "--policy": "p.csv", "--markdown": "r.md"}

# The command, up to the moment when it has everything to write. From there on it goes as often as it is asked to, in a
# copy of the process that is sent a signal just before one of its calls to the system.
PROGRAM = """
import os, sys
import trust_helpers.cli.decide as command
from trust_helpers.cli.main import run
write_all, left = command.write_all, None

def counted(call):
    def counting(*given, **more):
        global left
        if left is not None:
            left -= 1
            if left < 0:
                left = None
                os.kill(os.getpid(), number)
        return call(*given, **more)
    return counting

for name in ("open", "write", "fsync", "fchown", "fchmod", "link", "replace", "close"):
    setattr(os, name, counted(getattr(os, name)))

def stepwise(contents):
    global left, number
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            number, left = map(int, line.split())
            write_all(contents)
            left = None
            return
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    os._exit(0)

command.write_all = stepwise
sys.argv[0] = "trust-helpers"
run()
"""


@pytest.fixture
def writing(tmp_path):
    """Ends the command by a signal at a step of its writing: its exit code."""
    (tmp_path / "log.csv").write_text(
        "arm,reward\n" + "".join(f"option {i},{i % 7}\n" for i in range(3_000)), encoding="utf-8"
    )
    named = [part for pair in OUTPUTS.items() for part in pair]
    line = [sys.executable, "-c", PROGRAM, "decide", "log.csv", "--noise", "sd:3", *named]
    with (
        open(tmp_path / "said.txt", "w", encoding="utf-8") as said,
        subprocess.Popen(
            line, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True
        ) as run,
    ):
        assert run.stdout.readline() == "ready\n"

        def end(number, step):
            print(int(number), step, file=run.stdin, flush=True)
            return next(int(text) for text in run.stdout if text.strip().lstrip("-").isdigit())

        yield end
        run.stdin.close()


def contents(folder):
    """What is in each output; None if it is not there."""
    paths = [folder / name for name in OUTPUTS.values()]
    return [path.read_bytes() if path.exists() else None for path in paths]


def begin_again(folder, old):
    for name in OUTPUTS.values():
        (folder / name).unlink(missing_ok=True)
        if old is not None:
            (folder / name).write_bytes(old)


@pytest.mark.parametrize("old", [b"old", None], ids=["over old files", "new files"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_command_ended_at_any_step_of_its_writing(writing, tmp_path, number, old):
    """Signals that can be held leave all old or all new; a kill leaves each as it was or as it should be."""
    begin_again(tmp_path, old)
    assert writing(number, 10**6) == 0
    new = contents(tmp_path)
    ended = {signal.SIGINT: 130, signal.SIGTERM: -signal.SIGTERM, signal.SIGKILL: -signal.SIGKILL}[number]
    there, step, seen = sorted(["log.csv", "said.txt", *OUTPUTS.values()]), 0, set()
    begin_again(tmp_path, old)
    while (code := writing(number, step)) != 0:
        assert code == ended
        found, step = contents(tmp_path), step + 1
        assert all(content in {old, fresh} for content, fresh in zip(found, new, strict=True))
        seen.add(sum(content != old for content in found))
        strays = set(os.listdir(tmp_path)) - set(there)
        assert len(strays) <= (number == signal.SIGKILL)  # the name that new content has while it replaces old
        write_whole(tmp_path / "said.txt", b"")  # whoever writes next takes it away
        assert set(os.listdir(tmp_path)) <= set(there)
        begin_again(tmp_path, old)
    assert contents(tmp_path) == new
    assert step >= 6 * len(OUTPUTS)
    assert seen == (set(range(len(OUTPUTS) + 1)) if number == signal.SIGKILL else {0, len(OUTPUTS)})
