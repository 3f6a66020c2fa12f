"""The command line: ``trust-helpers COMMAND``, which is ``python -m trust_helpers COMMAND``.

A request that makes no sense is answered with one line and exit code 2, before any work; a chapter that raises, with
exit code 1; an interrupt with 130. All input and every output path are checked before any computation, and output files
are written whole or not at all.
"""

import argparse
import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from . import __version__
from .checks import probability, whole_number
from .data import OfflineData
from .errors import TrustError
from .formatting import rounded_off, visible
from .noise import level_column
from .outputs import Output, plan_outputs, write_all
from .report import Report, report
from .report.forms import KEYS, as_dict
from .report.words import About, Words, headline, name_of
from .simulation import cores

if TYPE_CHECKING:
    from .book import chapters
    from .data import Log, Totals
    from .tables import Source

__all__ = ["Parser", "main", "run"]

LONGEST = 2_000  # characters of a complaint
LEAST_DELTA = 1e-4  # below it the noise would have to be simulated for hours
INTERRUPTED = 130
EXAMPLES = {"clicks": ("ad", "clicks"), "prompts": ("prompt", "passed")}  # what their arms and rewards are called
OUTPUTS = {
    "policy": ("OUT.csv", "the recommended weight of every arm"),
    "json": ("OUT.json", "the report for machines"),
    "html": ("OUT.html", "the report as one page to send"),
    "markdown": ("OUT.md", "the report as Markdown"),
    "plot": ("OUT.png", "what each choice earned, should earn and is promised, as a picture"),
}
SHAPES = {("successes", "trials"): (), ("count", "mean"): ("sd",), ("reward",): (), ("wide",): ("independent",)}
OUTCOMES = {"pass", "passed", "won", "success"}  # words of a table that say what is counted
DECIDE = "decide on your own log: which arms to play, and what that is promised to be worth"
DECIDE_EXAMPLES = f"""
keys of the JSON file:
{KEYS}

examples:
  trust-helpers decide --example
  trust-helpers decide --example prompts --baseline "prompt 07"
  trust-helpers decide log.csv --noise range:0:1 --html report.html
  trust-helpers decide ratings.parquet --arm lecturer --reward rating --noise range:1:5 --policy policy.csv
  trust-helpers decide answers.csv --arm prompt --reward passed --item question
  trust-helpers decide answers.csv --wide --arm prompt
  trust-helpers decide ads.csv --arm ad --successes clicks --trials impressions
  trust-helpers decide summary.csv --count n --mean m --sd s --noise range:0:10
  trust-helpers decide meters.csv --arm meter --reward reading --noise column:accuracy
"""
NOISE = (
    "what is known of the rewards: range:LO:HI (they lie there by their nature), sd:S (their standard deviation is at "
    "most S), a number (Gaussian of this level), column:NAME (Gaussian, each arm's standard deviation in that column) "
    "or pooled (Gaussian, one level, estimated from repeats); only rewards that are all 0 or 1 need nothing said"
)
PLAN = "before paying for tries: which promise to expect, and of which design"
PLAN_EXAMPLES = """
examples:
  trust-helpers plan --arms 200 --tries 4 --spread 0.1 --noise range:0:1
  trust-helpers plan --pilot ratings.csv --arm lecturer --reward rating --noise range:1:5 --arms 500 --plot plan.png
"""
PLANNED = {
    "arms": (int, "N", "how many arms are to be tried"),
    "tries": (int, "N", "how often each"),
    "spread": (float, "S", "the standard deviation of their true means, a guess"),
    "average": (float, "A", "their average: the middle of the range, or zero, if not said"),
    "noise": (str, "LAW", "range:LO:HI, or a number (Gaussian of this level)"),
}
RUN_EXAMPLES = """
examples:
  trust-helpers run 04_critical_radius -p arms 2000 -p seed 7 -o out.ipynb --html
  trust-helpers run 04_critical_radius --sweep arms=100,1000 --sweep seed=1,2,3 -o runs
"""
RUN_OUTPUT = (
    "the executed notebook, CHAPTER.ipynb if not said; for a sweep the folder, made if missing, of its notebooks "
    "CHAPTER_NAME=VALUE.ipynb, of CHAPTER.csv, a row of parameters and key numbers for each run, and of CHAPTER.svg"
)


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
        return 2 if getattr(error, "refused", True) else 1  # what a chapter raised may be its own fault
    except MemoryError:
        print("trust_helpers: there is not enough memory for this", file=sys.stderr)
        return 2


def run() -> None:
    """What ``python -m trust_helpers`` does: :func:`main`, with an interrupted or unread run left quietly."""
    code = 0
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal may know few letters
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output, such as ``head``, has seen enough
        os._exit(0)
    except OSError as error:  # standard output is full
        if not code:  # else a complaint was made
            print(f"trust_helpers: standard output cannot be written: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(code or 2)
    except KeyboardInterrupt:
        print("trust_helpers: interrupted", file=sys.stderr, flush=True)
        if "trust_helpers.book.execute" in sys.modules:
            sys.modules["trust_helpers.book.execute"].end_kernels()
        os._exit(INTERRUPTED)  # threads would wait for their work
    sys.exit(code)


def _parser() -> Parser:
    parser = Parser(prog="trust-helpers", description="The TRUST companion.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"trust-helpers {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(name: str, work: Callable[[argparse.Namespace], int], text: str, examples: str = "") -> Any:
        form = argparse.RawDescriptionHelpFormatter
        about: dict[str, Any] = {"help": text, "description": text, "epilog": examples, "formatter_class": form}
        made = commands.add_parser(name, **about, allow_abbrev=False)
        made.set_defaults(work=work)
        return made

    listed = command("chapters", _chapters, "list each chapter with its parameters, their types, defaults and help")
    _add_decide(command("decide", _decide, DECIDE, DECIDE_EXAMPLES))
    _add_plan(command("plan", _plan, PLAN, PLAN_EXAMPLES))
    executed = command("run", _run, "execute a chapter with other numbers", RUN_EXAMPLES)
    add, swept = executed.add_argument, "run every combination of the values swept, side by side; may be repeated"
    add("chapter", metavar="CHAPTER", help="a name that the command 'chapters' lists")
    add("-p", dest="given", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"), help="set a parameter")
    add("--sweep", action="append", default=[], metavar="NAME=VALUE,VALUE,...", help=swept)
    add("-o", dest="output", metavar="OUT", help=RUN_OUTPUT)
    add("--html", action="store_true", help="also write a page, beside the notebook, that needs no network")
    add("--jobs", type=int, default=cores(), metavar="N", help="runs of a sweep at a time (%(default)s)")
    for one in (listed, executed):
        one.add_argument("--book", metavar="DIR", help="the folder of chapters, if not 'book' beside the package")
    return parser


def _add_decide(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    table = "a table with a header: CSV and the like, JSON lines, parquet, feather or xlsx, compressed or not; - is "
    add("log", nargs="?", metavar="LOG", help=f"{table}standard input")
    shipped = "use a simulated table that comes with the package: clicks, or prompts on test cases"
    add("--example", nargs="?", const="clicks", choices=EXAMPLES, help=shipped)
    _add_columns(command)
    add = command.add_argument_group("what is asked").add_argument
    add("--noise", "--sigma", dest="noise", metavar="LAW", help=NOISE)
    _add_promise(add)
    add("--baseline", metavar="ARM", help="the arm that is used now: what is promised to be better, if anything")
    add("--call", metavar="ARM,REWARD", help="what an arm and its reward are called, if not as their columns")
    add("--all", action="store_true", help="list every arm, not only the 25 heaviest and the ten best others")
    add = command.add_argument_group("what comes out (- is standard output)").add_argument
    for name, (form, text) in OUTPUTS.items():
        add(f"--{name}", metavar=form, help=text)


def _add_columns(command: argparse.ArgumentParser) -> None:
    add = command.add_argument_group("columns of the table: one row per try, or totals").add_argument
    add("--arm", metavar="COL", help="the arms, that is what you choose among (arm)")
    add("--reward", metavar="COL", help="the rewards, one row per try (reward)")
    add("--item", metavar="COL", help="what each try was made on, where arms met the same items, such as test cases")
    add("--successes", metavar="COL", help="totals: tries that paid, such as clicks")
    add("--trials", metavar="COL", help="totals: all tries, such as impressions")
    add("--count", metavar="COL", help="totals: tries")
    add("--mean", metavar="COL", help="totals: mean reward")
    add("--sd", metavar="COL", help="totals: standard deviation of the rewards, if there is one")
    wide = "every cell is a reward, every row an item and every column but --item an arm, or with --arm the reverse"
    add("--wide", action="store_true", help=wide)
    add("--independent", action="store_true", help="a wide table has no items: its cells are unrelated tries")
    add("--decimal", metavar="CHAR", help="decimal mark, where it cannot be seen: . or ,")
    add("--encoding", metavar="NAME", help="such as latin-1; UTF-8 and marked UTF-16 need none")


def _add_plan(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--pilot", dest="log", metavar="LOG", help="a small log, from which all that is not said here is estimated")
    for name, (kind, form, text) in PLANNED.items():
        add(f"--{name}", type=kind, metavar=form, help=text)
    _add_promise(add)
    add("--plot", metavar="OUT.png", help="the promise of each design, as a picture")
    _add_columns(command)


def _add_promise(add: Callable[..., Any]) -> None:
    add("--delta", default="0.1", metavar="D", help="how often the promise may fail, in (0, 1) (%(default)s)")
    add("--seed", type=int, default=0, metavar="N", help="seed of what is simulated, fixed beforehand (%(default)s)")


def _plan(asked: argparse.Namespace) -> int:
    """What to expect of a design, and of others of equal cost."""
    from .planning import plan, plot_plan

    outputs = _planned(asked, ["plot"])
    told = {name: value for name in PLANNED if (value := getattr(asked, name)) is not None}
    if asked.log:
        seen = _piloted(asked)
        told = seen | told | {"noise": seen["noise"]}
    lacking = [name for name in PLANNED if name not in told and name != "average"]
    if lacking:
        raise TrustError(f"--{lacking[0]} is needed, or a --pilot that tells it")
    made = plan(**told, delta=asked.delta, seed=asked.seed)
    write_all([(output, _drawn(lambda ax: plot_plan(made, ax), asked.plot)) for output in outputs])
    humped = f"The average one is taken to be worth {rounded_off(made[0].average)}, and true values to have one hump"
    print(f"{humped}; promises by combined, simulated.")
    print(f"{'design':>16} {'spread':>10} {'promise':>10} {'+-':>8} {'true':>10}")
    for one in made:
        design, numbers = f"{one.arms} x {one.tries}", f"{one.spread:10.4g} {one.promise:10.4g}"
        print(f"{design:>16} {numbers} {one.error:8.2g} {one.earned:10.4g}")
    same = [one for one in made if one.spread == made[0].spread]
    best = max(same, key=lambda one: one.promise)
    near = [one for one in same if best.promise - one.promise <= 2 * np.hypot(best.error, one.error)]
    most = " or ".join(f"{one.arms} x {one.tries}" for one in near)
    print(f"Of these designs, at equal cost, {most} promises most at the spread of {best.spread:.4g}, as far as seen.")
    return 0


def _piloted(asked: argparse.Namespace) -> dict[str, Any]:
    """What a pilot log tells of the arms to be planned for; the design is its own."""
    from .planning import pilot
    from .tables import data_of

    asked.example = None
    _refuse_shapes(asked)
    data, _ = data_of(_read(asked)[1], asked.noise)
    seen = pilot(data)
    if not seen.spread and asked.spread is None:
        raise TrustError("the pilot's arms differ no more than by chance: say --spread")
    level = float(np.sqrt(np.mean(seen.level**2)))
    print(f"The pilot: {data.extent}; spread {rounded_off(seen.spread)}, level of one reward {rounded_off(level)}.")
    told = {"arms": data.n_arms, "tries": round(data.n_samples / data.n_arms), "noise": asked.noise or "range:0:1"}
    if data.law.ends is None:
        told["noise"] = level
    elif not Words.of(data, About()).percent:
        told["level"] = level
    return told | {"spread": seen.spread, "average": seen.average}


def _decide(asked: argparse.Namespace) -> int:
    """From a table to a policy, a promise and a report to send."""
    from .report.forms import as_text
    from .tables import data_of

    delta, seed = probability(asked.delta), whole_number(asked.seed, "seed", least=0)
    if delta < LEAST_DELTA:
        raise TrustError(f"--delta {asked.delta}: at least {LEAST_DELTA:g}, for less the noise is simulated too long")
    _refuse_shapes(asked)
    _called(asked, ())
    wanted = [name for name in OUTPUTS if getattr(asked, name) is not None]
    outputs = _planned(asked, wanted)
    source, log = _read(asked)
    data, reason = data_of(log, asked.noise)
    made = report(data, delta, seed=seed, baseline=_arm_called(data, asked.baseline), progress=sys.stderr.isatty())
    about = _about(asked, source, log, data, reason)
    makers = _makers(asked, made, about)
    write_all([(output, makers[name]()) for name, output in zip(wanted, outputs, strict=True)])
    if all(output.path for output in outputs):  # else standard output is for a machine
        print(as_text(made, about=about))
    return 0


def _arm_called(data: OfflineData, text: str | None) -> object:
    """The arm's own name, which need not be a text."""
    names = range(data.n_arms) if data.names is None else data.names
    return next((name for name in names if str(name) == text), text)


def _refuse_shapes(asked: argparse.Namespace) -> None:
    """Raise unless the columns named make one kind of table, and there is one log."""
    if bool(asked.log) == bool(asked.example):
        raise TrustError("name one log, or say --example (see trust-helpers decide --help)")
    if level_column(asked.noise) and (asked.wide or asked.example):
        table = "a wide table" if asked.wide else "the example"
        raise TrustError(f"--noise {asked.noise}: {table} has no column of levels, one for each arm")
    named = [name for group, more in SHAPES.items() for name in (*group, *more)]
    blank = next((name for name in ("arm", "item", *named) if getattr(asked, name) == ""), None)
    if blank is not None:
        raise TrustError(f"--{blank} '': a column has a name")
    given = {name for name in named if getattr(asked, name)}
    for group, more in SHAPES.items():
        if own := given & {*group, *more}:
            for lacking in (name for name in group if name not in given):
                raise TrustError(f"--{min(own)} needs --{lacking}")
            for extra in sorted(given - own):
                raise TrustError(f"--{group[0]} and --{extra} do not go together")
    if asked.item and (asked.successes or asked.count or (asked.wide and asked.arm)):
        raise TrustError("--item needs one row per try, or a wide table whose columns are the arms")


def _read(asked: argparse.Namespace) -> "tuple[Source, Log | Totals]":
    """The log, in whichever shape its columns are named."""
    from .tables import open_table, read_counts, read_log, read_moments, read_wide

    if asked.example:
        source = open_table(str(files(__package__) / f"examples/{asked.example}.csv"))
        if asked.example == "clicks":
            return source, read_counts(source, "ad", "clicks", "shown")
        return source, read_log(source, *EXAMPLES["prompts"], item="case")
    source, level = open_table(asked.log), level_column(asked.noise)
    form = {"decimal": asked.decimal, "encoding": asked.encoding}
    arm, item = asked.arm or "arm", asked.item or ""
    if asked.wide:
        log = read_wide(source, item=item, arm=asked.arm or "", **form)
        return source, replace(log, items=None) if asked.independent else log
    if asked.successes:
        return source, read_counts(source, arm, asked.successes, asked.trials, level=level, **form)
    if asked.count:
        return source, read_moments(source, arm, asked.count, asked.mean, asked.sd, level=level, **form)
    return source, read_log(source, arm, asked.reward or "reward", item=item, level=level, **form)


def _about(asked: argparse.Namespace, source: "Source", log: "Log | Totals", data: OfflineData, reason: str) -> About:
    name = f"simulated {asked.example}" if asked.example else source.name
    command = shlex.join(["trust-helpers", *asked.typed])
    arm, reward = _called(asked, log.notices)
    item, notices = asked.item or ("case" if asked.example else "item"), (*log.notices, *data.law.notices(data))
    return About(
        name, notices, reason, command, str(asked.seed), __version__, source.digest(), arm, reward, item, asked.all
    )


def _called(asked: argparse.Namespace, notices: tuple[str, ...]) -> tuple[str, str]:
    """What an arm and its reward are called: as said, or as the columns are, or as the table calls what is counted."""
    if asked.call is not None:
        arm, _, reward = map(str.strip, asked.call.partition(","))
        if not arm or not reward:
            raise TrustError(f"--call {asked.call!r}: it must be two nouns, such as 'subject line,opens'")
        return arm, reward
    if asked.example:
        return EXAMPLES[asked.example]
    counted = next((word for note in notices if (word := note.partition(" ")[0]) in OUTCOMES), None)
    return asked.arm or "arm", counted or asked.successes or asked.mean or asked.reward or "reward"


def _makers(asked: argparse.Namespace, made: Report, about: About) -> dict[str, Callable[[], bytes]]:
    """What makes the content of each output."""
    from .report.forms import as_html, as_markdown

    return {
        "policy": lambda: _policy(made),
        "json": lambda: _json(about, made),
        "html": lambda: as_html(made, about=about).encode(),
        "markdown": lambda: as_markdown(made, about=about).encode(),
        "plot": lambda: _drawn(lambda ax: made.plot(ax, Words.of(made.data, about)), asked.plot),
    }


def _policy(made: Report) -> bytes:
    import polars as pl

    names = [name_of(made.data, arm) for arm in range(made.data.n_arms)]
    return pl.DataFrame({"arm": names, "weight": made.advised.weights}).write_csv().encode()


def _json(about: About, made: Report) -> bytes:
    known: dict[str, Any] = {"log": about.log, "notices": list(about.notices)}
    known |= {"command": about.command, "version": about.version, "seed": int(about.seed), "sha256": about.digest}
    known |= as_dict(made) | {"headline": headline(made, about)}
    return (json.dumps(known, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _drawn(draw: Callable[[Any], Any], path: str) -> bytes:
    """A picture in the format that its path names."""
    from matplotlib.figure import Figure

    figure, buffer, kind = Figure(figsize=(7, 4.2), layout="constrained"), io.BytesIO(), Path(path).suffix[1:].lower()
    try:
        draw(figure.add_subplot())
        figure.savefig(buffer, format=kind)
    except (ValueError, RuntimeError, OSError, ImportError) as error:  # some formats need programs beside matplotlib
        raise TrustError(f"--plot: no {kind} picture: {' '.join(str(error).split())}") from None
    return buffer.getvalue()


def _planned(asked: argparse.Namespace, wanted: Sequence[str]) -> list[Output]:
    """The outputs that were asked for, each of which can be written, and a picture drawn."""
    paths = [(f"--{name}", path) for name in wanted if (path := getattr(asked, name)) is not None]
    outputs = plan_outputs(paths, [asked.log] if asked.log else [])
    if asked.plot:
        from matplotlib.backend_bases import FigureCanvasBase

        known = sorted(FigureCanvasBase.get_supported_filetypes())
        if Path(asked.plot).suffix.lstrip(".").lower() not in known:
            raise TrustError(f"--plot {asked.plot}: its name must end in one of .{', .'.join(known)}")
    return outputs


def _chapters(asked: argparse.Namespace) -> int:
    from .book import chapters, execute

    print(chapters.describe(chapters.find_chapters(execute.book_folder(asked.book))))
    return 0


def _run(asked: argparse.Namespace) -> int:
    from .book import chapters, execute

    chapter = chapters.find_chapter(execute.book_folder(asked.book), asked.chapter)
    values = chapters.values_for(chapter, asked.given)
    if asked.sweep:
        return _sweep(asked, chapter, values)
    planned = chapters.plan_run(chapter, values, asked.output, asked.html)
    chapters.run(planned, progress=sys.stderr.isatty())
    for path in planned.outputs:
        print(f"wrote {_shown(path)}")
    return 0


def _sweep(asked: argparse.Namespace, chapter: "chapters.Chapter", values: dict[str, Any]) -> int:
    from .book import chapters

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
