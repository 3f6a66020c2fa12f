"""Being started as a program: an interrupt is answered quietly from the first import on."""

import os
import signal
import sys

__all__ = ["INTERRUPTED"]

INTERRUPTED = 130
PROGRAMS = {"-m", "trust-helpers", "trust-helpers.exe"}


def _answer_quietly() -> None:
    """Until the command line takes over: Ctrl-C ends the program with one line. A mere import changes nothing."""
    named = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else ""
    if named in PROGRAMS and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def _leave(*_: object) -> None:
    os.write(2, b"trust_helpers: interrupted\n")
    os._exit(INTERRUPTED)


_answer_quietly()
