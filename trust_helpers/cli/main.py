"""The command line: ``trust-helpers COMMAND``, which is ``python -m trust_helpers COMMAND``.

A request that makes no sense is answered with one line and exit code 2, before any work; a chapter that raises, with
exit code 1. Each command is a function that adds its arguments, and a function that does the work.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from .. import __version__
from ..book import chapters
from ..book.execute import book_folder, end_kernels
from ..errors import TrustError
from ..printable import visible
from ..simulate import cores
from ..starting import INTERRUPTED
from .decide import decide
from .parser import add_decide

__all__ = ["main", "run"]

LONGEST = 2_000  # characters of a complaint

RUN_EXAMPLES = """
examples:
  trust-helpers run 04_critical_radius -p arms 2000 -p seed 7 -o out.ipynb --html
  trust-helpers run 04_critical_radius --sweep arms=100,1000 --sweep seed=1,2,3 -o runs
"""


class Parser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and leaving."""
        raise TrustError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for; the exit code."""
    try:
        asked = _parser().parse_args(arguments)
        asked.typed = list(sys.argv[1:] if arguments is None else arguments)
        return int(asked.work(asked))
    except TrustError as error:
        print(f"trust_helpers: {visible(error, LONGEST)}", file=sys.stderr)
        return 1 if isinstance(error, chapters.ChapterFailed) and not error.refused else 2
    except MemoryError:
        print("trust_helpers: there is not enough memory for this", file=sys.stderr)
        return 2


def _parser() -> Parser:
    parser = Parser(prog="trust-helpers", description="The TRUST companion.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"trust-helpers {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_chapters(commands)
    _add_run(commands)
    add_decide(commands, decide)
    return parser


def _add_chapters(commands: Any) -> None:
    text = "list each chapter with its parameters, their types, defaults and help"
    command = commands.add_parser("chapters", help=text, description=text, allow_abbrev=False)
    _add_book(command)
    command.set_defaults(work=_chapters)


def _add_run(commands: Any) -> None:
    text = "execute a chapter with other numbers"
    form = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser(
        "run", help=text, description=text, epilog=RUN_EXAMPLES, formatter_class=form, allow_abbrev=False
    )
    add = command.add_argument
    add("chapter", metavar="CHAPTER", help="a name that the command 'chapters' lists")
    add("-p", dest="given", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"), help="set a parameter")
    help_sweep = "run every combination of the values swept, side by side; may be repeated"
    add("--sweep", action="append", default=[], metavar="NAME=VALUE,VALUE,...", help=help_sweep)
    help_output = (
        "the executed notebook, CHAPTER.ipynb if not said; for a sweep the folder, made if missing, of its notebooks "
        "CHAPTER_NAME=VALUE.ipynb, of CHAPTER.csv, a row of parameters and key numbers for each run, and of CHAPTER.svg"
    )
    add("-o", dest="output", metavar="OUT", help=help_output)
    add("--html", action="store_true", help="also write a page, beside the notebook, that needs no network")
    add("--jobs", type=int, default=cores(), metavar="N", help="runs of a sweep at a time (%(default)s)")
    _add_book(command)
    command.set_defaults(work=_run)


def _add_book(command: argparse.ArgumentParser) -> None:
    command.add_argument("--book", metavar="DIR", help="the folder of chapters, if it is not 'book' beside the package")


def _chapters(asked: argparse.Namespace) -> int:
    print(chapters.describe(chapters.find_chapters(book_folder(asked.book))))
    return 0


def _run(asked: argparse.Namespace) -> int:
    chapter = chapters.find_chapter(book_folder(asked.book), asked.chapter)
    values = chapters.values_for(chapter, asked.given)
    if asked.sweep:
        return _sweep(asked, chapter, values)
    run = chapters.plan_run(chapter, values, asked.output, asked.html)
    chapters.run(run, progress=sys.stderr.isatty())
    for path in run.outputs:
        print(f"wrote {_shown(path)}")
    return 0


def _sweep(asked: argparse.Namespace, chapter: chapters.Chapter, values: dict[str, Any]) -> int:
    if asked.jobs < 1:
        raise TrustError(f"--jobs {asked.jobs}: at least 1 run at a time")
    swept = chapters.sweep_values(chapter, asked.sweep)
    runs = chapters.plan_sweep(chapter, values, swept, asked.output, asked.html)
    outcomes = chapters.run_all(runs, asked.jobs)
    failed = [outcome.error for outcome in outcomes if outcome.error]
    for error in failed:
        print(f"trust_helpers: {error}", file=sys.stderr)
    print(f"{len(outcomes)} runs, {len(failed)} failed; the numbers are in {_shown(chapters.table_of(runs))}")
    return 1 if failed else 0


def _shown(path: Path) -> str:
    """A path as seen from here, if it is below."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _open_streams() -> None:
    """Put something where standard output or error is closed, lest a file that is opened next takes its place.

    Writing to standard output then fails, as it should; what would be said on standard error is lost.
    """
    for number, name, mode in ((0, "stdin", os.O_RDONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, mode), number)
            if number:
                setattr(sys, name, open(number, "w", encoding="utf-8"))  # noqa: SIM115, for as long as the program runs


def run() -> None:
    """What ``python -m trust_helpers`` does: :func:`main`, with an interrupted or unread run left quietly."""
    code = 0
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _open_streams()
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal may know few letters
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output, such as ``head``, has seen enough
        os._exit(0)
    except OSError as error:  # standard output is full or closed
        if not code:  # else a complaint was made
            print(f"trust_helpers: standard output cannot be written: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(code or 2)
    except KeyboardInterrupt:
        print("trust_helpers: interrupted", file=sys.stderr, flush=True)
        end_kernels()
        os._exit(INTERRUPTED)  # threads would wait for their work
    sys.exit(code)
