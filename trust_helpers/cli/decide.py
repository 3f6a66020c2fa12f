"""The command ``decide``: from a table to a policy, a promise and a report to send.

All input and every output path are checked before any computation, and output files are written whole or not at all.
"""

import argparse
import io
import json
import shlex
import sys
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from ..checks import probability, whole_number
from ..errors import TrustError
from ..extras import has, need
from ..laws.said import level_column
from ..logs import Form, Log, Totals, read_counts, read_log, read_moments, read_wide
from ..presentation.drawing import plot_report
from ..presentation.machine import as_dict
from ..presentation.markdown import as_markdown
from ..presentation.page import as_html
from ..presentation.text import report_as_text
from ..presentation.wording import About, name_of
from ..reading.source import Source, find_source
from ..reports import Report, report
from .files import plan_outputs, write_all
from .noise_choice import data_of
from .parser import OUTPUTS
from .waiting import agree_on, cost_of, interruptible

__all__ = ["decide"]

EXAMPLE = "simulated_clicks.csv"
LISTING = {"html", "markdown", "json"}  # the outputs that list arms, as the text does
SHAPES = {("successes", "trials"): (), ("count", "mean"): ("sd",), ("reward",): (), ("wide",): ()}
TABS = {"\\t": "\t", "tab": "\t"}


def decide(asked: argparse.Namespace) -> int:
    """Do what the arguments ask for; the exit code."""
    delta, form = probability(asked.delta), _form(asked)
    seed, top = (_whole(getattr(asked, name), name) for name in ("seed", "top"))
    _refuse_shapes(asked)
    wanted = [name for name in OUTPUTS if getattr(asked, name) is not None]
    outputs = plan_outputs([(f"--{name}", getattr(asked, name)) for name in wanted], [asked.log] if asked.log else [])
    if asked.plot:
        _refuse_picture(asked.plot)
    source, log = interruptible(lambda: _read(asked, form))
    data, reason = interruptible(lambda: data_of(log, asked.noise))
    if asked.plot and not data.law.uniform:
        raise TrustError("--plot: there is nothing to draw under this law, which has no promise for every mixture")
    agree_on(cost_of(data, delta, asked.band, top, 1 + len(LISTING & set(wanted))), asked.yes, delta)
    watched = sys.stderr.isatty() and has("tqdm")
    made = interruptible(lambda: report(data, delta, asked.band, seed, progress=watched))
    about = _about(asked, source, log, reason, bool(wanted))
    makers = _makers(asked, made, about, top)
    contents = interruptible(lambda: [makers[name]() for name in wanted])
    write_all(list(zip(outputs, contents, strict=True)))
    if all(output.path for output in outputs):  # else standard output is for a machine
        print(report_as_text(made, top, about))
    return 0


def _form(asked: argparse.Namespace) -> Form:
    sep = TABS.get(asked.sep, asked.sep)
    return Form(sep, asked.decimal, asked.encoding, asked.thousands, asked.percent, asked.currency)


def _whole(text: str, name: str) -> int:
    try:
        return whole_number(int(text), name, least=0)
    except ValueError as error:
        raise TrustError(f"--{name} {text}: it must be a whole number of at least 0") from error


def _refuse_shapes(asked: argparse.Namespace) -> None:
    """Raise unless the columns named make one kind of table, and there is one log."""
    if bool(asked.log) == asked.example:
        raise TrustError("name one log, or say --example (see trust-helpers decide --help)")
    if level_column(asked.noise) and (asked.wide or asked.example):
        table = "a wide table" if asked.wide else "the example"
        raise TrustError(f"--noise {asked.noise}: {table} has no column of levels, one for each arm")
    named = [name for group, more in SHAPES.items() for name in (*group, *more)]
    blank = next((name for name in ("arm", *named) if getattr(asked, name) == ""), None)
    if blank is not None:
        raise TrustError(f"--{blank} '': a column has a name")
    given = {name for name in named if getattr(asked, name)}
    for group, more in SHAPES.items():
        if given & {*group, *more}:
            missing = [name for name in group if name not in given]
            extra = sorted(given - {*group, *more})
            if missing:
                raise TrustError(f"--{min(given & {*group, *more})} needs --{missing[0]}")
            if extra:
                raise TrustError(f"--{group[0]} and --{extra[0]} do not go together")


def _read(asked: argparse.Namespace, form: Form) -> tuple[Source, Log | Totals]:
    """The log, in whichever shape its columns are named."""
    if asked.example:
        with as_file(files(__package__) / EXAMPLE) as path:
            source = find_source(path)
            return source, read_counts(source, "ad", "clicks", "shown")
    source, skip, level = find_source(asked.log), asked.skip_bad_rows, level_column(asked.noise)
    if asked.wide:
        return source, read_wide(source, skip, form)
    if asked.successes:
        return source, read_counts(source, asked.arm, asked.successes, asked.trials, skip, form, level)
    if asked.count:
        return source, read_moments(source, asked.arm, asked.count, asked.mean, asked.sd, skip, form, level)
    return source, read_log(source, asked.arm, asked.reward or "reward", skip, form, level)


def _about(asked: argparse.Namespace, source: Source, log: Log | Totals, reason: str, written: bool) -> About:
    from .. import __version__

    name = "simulated clicks" if asked.example else source.name
    command = shlex.join(["trust-helpers", *(getattr(asked, "typed", None) or ["decide"])])
    digest = interruptible(source.digest) if written else ""
    return About(name, log.notices, log.skipped, reason, command, asked.seed, __version__, digest)


def _makers(asked: argparse.Namespace, made: Report, about: About, top: int) -> dict[str, Callable[[], bytes]]:
    """What makes the content of each output."""
    return {
        "policy": lambda: _policy(made, asked.spreadsheet_safe),
        "json": lambda: _json(about, made, top),
        "html": lambda: as_html(made, top, about).encode(),
        "markdown": lambda: as_markdown(made, top, about).encode(),
        "plot": lambda: _picture(made, Path(asked.plot).suffix.lstrip(".").lower()),
    }


def _policy(made: Report, safe: bool) -> bytes:
    weights = made.recommended.weights.tolist()
    names = (name_of(made.data, arm) for arm in range(made.data.n_arms))
    shown = (f"'{name}" if safe and name[:1] in "=+-@" else name for name in names)
    lines = [f"{_cell(name)},{weight!r}\n" for name, weight in zip(shown, weights, strict=True)]
    return ("arm,weight\n" + "".join(lines)).encode()


def _cell(text: str) -> str:
    """A cell that every reader of CSV reads as one, a bare carriage return included."""
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n;\t') or text != text.strip() else text


def _json(about: About, made: Report, top: int) -> bytes:
    known: dict[str, Any] = {"log": about.log, "skipped_rows": about.skipped, "notices": list(about.notices)}
    known |= {"command": about.command, "version": about.version, "seed": int(about.seed), "sha256": about.digest}
    return (json.dumps({**known, **as_dict(made, top)}, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _picture(made: Report, kind: str) -> bytes:
    figure, buffer = (
        need("matplotlib.figure", "plot", "--plot").Figure(figsize=(7, 4.2), layout="constrained"),
        io.BytesIO(),
    )
    try:
        plot_report(made, figure.add_subplot())
        figure.savefig(buffer, format=kind)
    except (ValueError, RuntimeError, OSError, ImportError) as error:  # some formats need programs beside matplotlib
        raise TrustError(f"--plot: no {kind} picture: {' '.join(str(error).split())}") from None
    return buffer.getvalue()


def _refuse_picture(path: str) -> None:
    backends = need("matplotlib.backend_bases", "plot", "--plot")
    known = sorted(backends.FigureCanvasBase.get_supported_filetypes())
    if Path(path).suffix.lstrip(".").lower() not in known:
        raise TrustError(f"--plot {path}: its name must end in one of .{', .'.join(known)}")
