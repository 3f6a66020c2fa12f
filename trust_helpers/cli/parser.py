"""The options of ``decide``: what the table looks like, what is assumed, what comes out."""

import argparse
from collections.abc import Callable
from typing import Any

from ..presentation.machine import KEYS

__all__ = ["OUTPUTS", "add_decide"]

OUTPUTS = ("policy", "json", "html", "markdown", "plot")
EPILOG = f"""
keys of the JSON file:
{KEYS}

examples:
  trust-helpers decide --example
  trust-helpers decide log.csv --noise range:0:1 --html report.html
  trust-helpers decide ratings.parquet --arm lecturer --reward rating --noise range:1:5 --policy policy.csv
  trust-helpers decide ads.csv --arm ad --successes clicks --trials impressions
  trust-helpers decide summary.csv --count n --mean m --sd s
  trust-helpers decide meters.csv --arm meter --reward reading --noise column:accuracy
"""


def add_decide(commands: Any, work: Callable[[argparse.Namespace], int]) -> None:
    """Add the command to the command line's parser."""
    text = "decide on your own log: which arms to play, and what that is promised to be worth"
    form = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser(
        "decide", help=text, description=text, epilog=EPILOG, formatter_class=form, allow_abbrev=False
    )
    _add_log(command)
    _add_form(command.add_argument_group("how it is written, where that cannot be seen"))
    _add_question(command.add_argument_group("what is asked"))
    _add_outputs(command.add_argument_group("what comes out (- is standard output)"))
    command.set_defaults(work=work)


def _add_log(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add(
        "log",
        nargs="?",
        metavar="LOG",
        help="a table with a header: CSV and the like, JSON lines, parquet, feather or xlsx, compressed or not; "
        "- is standard input",
    )
    add("--example", action="store_true", help="use the simulated clicks that come with the package")
    shape = command.add_argument_group("columns of the table: one row per try, or totals")
    add = shape.add_argument
    add("--arm", default="arm", metavar="COL", help="the arms (%(default)s)")
    add("--reward", metavar="COL", help="the rewards, one row per try (reward)")
    add("--successes", metavar="COL", help="totals: tries that paid, such as clicks")
    add("--trials", metavar="COL", help="totals: all tries, such as impressions")
    add("--count", metavar="COL", help="totals: tries")
    add("--mean", metavar="COL", help="totals: mean reward")
    add("--sd", metavar="COL", help="totals: standard deviation of the rewards, if there is one")
    add("--wide", action="store_true", help="every column is an arm, every cell a reward")
    add("--skip-bad-rows", action="store_true", help="leave out and count rows that cannot be used")


def _add_form(group: Any) -> None:
    add = group.add_argument
    add("--sep", metavar="CHAR", help="between columns: , ; | or \\t")
    add("--decimal", metavar="CHAR", help="decimal mark: . or ,")
    add("--encoding", metavar="NAME", help="such as latin-1; UTF-8 and marked UTF-16 need none")
    add("--thousands", metavar="CHAR", default="", help="mark between groups of three digits, left out")
    add("--percent", action="store_true", help="12%% is 0.12")
    add("--currency", action="store_true", help="leave out a currency sign or code before or after a number")


def _add_question(group: Any) -> None:
    add = group.add_argument
    add(
        "--noise",
        "--sigma",
        dest="noise",
        metavar="LAW",
        help="what is known of the noise: range:LO:HI (rewards lie there), sd:S (their deviation is at most S), "
        "a number (Gaussian of this level), column:NAME (Gaussian, each arm's standard deviation in that column, the "
        "same in all rows of an arm) or pooled (Gaussian, one level, estimated from repeats); if not said, "
        "range:0:1 for rewards of 0 and 1, else pooled where the log does not speak against it",
    )
    add("--delta", default="0.1", metavar="D", help="how often the promise may fail, in (0, 1) (%(default)s)")
    add("--band", default="calibrated", choices=["calibrated", "paper"], help="the noise bound (%(default)s)")
    add("--seed", default="0", metavar="N", help="seed of the simulated noise, to be fixed beforehand (%(default)s)")
    add("--yes", action="store_true", help="do not ask before more than a minute's work")


def _add_outputs(group: Any) -> None:
    add = group.add_argument
    add("--top", default="10", metavar="N", help="how many of the largest weights to show (%(default)s)")
    add("--html", metavar="OUT.html", help="the report as one page to send")
    add("--markdown", metavar="OUT.md", help="the report as Markdown")
    add("--json", metavar="OUT.json", help="the report for machines")
    add("--policy", metavar="OUT.csv", help="the recommended weight of every arm")
    add(
        "--spreadsheet-safe",
        action="store_true",
        help="in the policy, put ' before names that begin with = + - or @, which spreadsheets take for formulas; "
        "they are then no longer the names of the log",
    )
    add("--plot", metavar="OUT.png", help="value and promise against the arms played, as a picture (extra plot)")
