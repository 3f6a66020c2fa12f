"""An interrupt while the package is imported: quiet where it is the program, Python's own elsewhere."""

import signal
import subprocess
import sys

import pytest

from trust_helpers.starting import INTERRUPTED


def handler_after_import(program, before=""):
    """What answers SIGINT once the package is imported by a program of this name."""
    code = f"""if True:
        import signal, sys
        sys.argv = [{program!r}]
        {before}
        import trust_helpers.starting
        print(getattr(signal.getsignal(signal.SIGINT), '__name__', 'other'))
    """
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("program", ["-m", "/usr/bin/trust-helpers", "trust-helpers.exe"])
def test_the_program_answers_for_itself(program):
    assert handler_after_import(program) == "_leave"


def test_a_mere_import_changes_nothing():
    assert handler_after_import("notebook.py") == "default_int_handler"


def test_a_handler_that_is_there_already_stays():
    own = "signal.signal(signal.SIGINT, lambda *_: None)"
    assert handler_after_import("-m", own) == "<lambda>"


def test_an_interrupt_is_one_line_and_the_shells_exit_code():
    code = """if True:
        import os, signal, sys
        sys.argv = ["-m"]
        import trust_helpers.starting
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (INTERRUPTED, "trust_helpers: interrupted\n")
    assert INTERRUPTED == 128 + signal.SIGINT
