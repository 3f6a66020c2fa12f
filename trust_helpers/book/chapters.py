"""The chapters of the book: what each lets you change, and running them so, one or the product of several values.

A page with a cell tagged ``parameters`` is a chapter. Each line of that cell is one parameter::

    arms: int = 10_000  # number of arms, half of them good, in [2, 10**6]
    band: str = "paper"  # how the band is computed, in {paper, calibrated}
    log: str = ""  # path of a CSV file with one row per reward

papermill reads names, types and help of the same lines. Two habits of the comment have a meaning: it may *end* with
``in`` and an interval (``inf`` and powers allowed) or a set of words, and if it *starts* with ``path``, a value given
on the command line is a path seen from there, not from the folder of the chapter. The key numbers that a chapter
recorded (:func:`trust_helpers.book.notebook.record`) come back with a run.
"""

import ast
import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import TrustError
from ..extras import need
from ..outputs import plan_outputs, write_whole
from .execute import (
    ChapterFailed,
    execute,
    find_pages_with_code,
    load_notebook,
    need_page_tools,
    notebook_of,
    stamp_of,
    write_page,
)
from .notebook import recorded

KINDS = {"int": (int, "a whole number"), "float": (float, "a finite number"), "str": (str, "text")}
LINE = re.compile(r"(\w+): (\w+) = (.+?)(?:  # (.*))?")
NUMBER = r"[+-]?(?:inf|[\d_]+\*\*\d+|[\d_]*\.?\d[\d_]*(?:e[+-]?\d+)?)"
RANGE = re.compile(rf"\bin (([\[(])({NUMBER}), ({NUMBER})([\])])|\{{([^{{}}]+)\}})$")
UNSAFE = re.compile(r"[^\w.+-]+")  # what file names had better not contain
LONGEST = 150
MOST_PANELS = 12  # of the picture of a sweep: a chapter that names no key numbers records dozens


@dataclass(frozen=True)
class Parameter:
    """One line of a ``parameters`` cell."""

    name: str
    kind: str
    default: Any
    help: str

    @property
    def allowed(self) -> str:
        """The range that ends the comment, as it is written there."""
        found = RANGE.search(self.help)
        return found[1] if found else ""

    @property
    def is_path(self) -> bool:
        """Whether a text given on the command line names a file."""
        return self.kind == "str" and self.help.startswith("path")

    def read(self, text: str) -> Any:
        """The value that ``text`` stands for; TrustError, naming the parameter, if it is of the wrong type or range."""
        value: Any = text
        with suppress(ValueError):  # a text that is no number is refused as what it is
            value = KINDS[self.kind][0](text)
        value = self.checked(value)
        return os.path.abspath(os.path.expanduser(value)) if self.is_path and value else value

    def checked(self, value: Any) -> Any:
        """``value``, a whole number made a float where that is due; TrustError if it is of the wrong type or range."""
        if self.kind == "float" and type(value) is int:
            value = float(value)
        if type(value).__name__ != self.kind or (self.kind == "float" and not isfinite(value)):
            within = f" in {self.allowed}" if self.allowed else ""
            raise TrustError(f"{self.name} = {value!r} is not {KINDS[self.kind][1]}{within}")
        if not self._admits(value):
            raise TrustError(f"{self.name} = {value!r} is out of range, it must be in {self.allowed}")
        return value

    def _admits(self, value: Any) -> bool:
        """Whether a value lies in the interval, or is one of the words; anything does where no range is stated."""
        if not (found := RANGE.search(self.help)):
            return True
        _, left, low, high, right, words = found.groups()
        if words:
            return str(value) in re.split(", *", words)
        if isinstance(value, str):
            return False
        inside = _number(low) < value < _number(high)
        return inside or (left == "[" and value == _number(low)) or (right == "]" and value == _number(high))


def _number(text: str) -> float:
    """An end of an interval: a number, a power or infinity."""
    base, _, power = text.partition("**")
    return float(base) ** int(power or 1)


def read_parameters(source: str) -> tuple[Parameter, ...]:
    """The parameters that a cell declares; TrustError, naming the line, for anything else in it."""
    found = []
    for line in filter(str.strip, source.splitlines()):
        match = LINE.fullmatch(line)
        if match is None or match[2] not in KINDS:
            raise TrustError(f"{line!r} is not of the form 'name: type = value  # help', type {', '.join(KINDS)}")
        try:
            found.append(Parameter(match[1], match[2], ast.literal_eval(match[3]), match[4] or ""))
        except (SyntaxError, ValueError):
            raise TrustError(f"the default of {match[1]} is not {KINDS[match[2]][1]}") from None
        found[-1].checked(found[-1].default)
    return tuple(found)


def declares_parameters(source: str) -> bool:
    """Whether a cell holds parameters with their help, and nothing else."""
    lines = [LINE.fullmatch(line) for line in source.splitlines() if line.strip()]
    return bool(lines) and all(line and line[4] for line in lines)


@dataclass(frozen=True)
class Chapter:
    """A notebook that can be run with other numbers."""

    name: str
    title: str
    path: Path
    parameters: tuple[Parameter, ...]

    def parameter(self, name: str) -> Parameter:
        """The parameter called ``name``; TrustError, with the nearest name and all names, if there is none."""
        names = [parameter.name for parameter in self.parameters]
        if name not in names:
            raise TrustError(f"{self.name} has no parameter {name!r}{_nearest(name, names)}; it has {', '.join(names)}")
        return self.parameters[names.index(name)]


def read_chapter(path: Path) -> Chapter | None:
    """The chapter written in ``path``, or None if the page has no parameters; TrustError if its cell makes no sense."""
    cells = load_notebook(path).cells
    declared = next((cell for cell in cells if "parameters" in cell.metadata.get("tags", [])), None)
    if declared is None:
        return None
    try:
        parameters = read_parameters(declared.source)
    except TrustError as error:
        raise TrustError(f"{path}, parameters cell: {error}") from None
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    title = re.search("^# +(.*)", text, re.MULTILINE)
    return Chapter(path.stem, title[1].strip() if title else path.stem, path, parameters)


def find_chapters(book: Path) -> list[Chapter]:
    """Every chapter of a book, in the order of the book."""
    found = (read_chapter(path) for path in find_pages_with_code(book))
    return [chapter for chapter in found if chapter is not None]


def find_chapter(book: Path, name: str) -> Chapter:
    """The chapter called ``name``; TrustError, with the nearest name and all names, if there is none."""
    pages = {path.stem: path for path in find_pages_with_code(book)}
    chapter = read_chapter(pages[name]) if name in pages else None
    if chapter is None:
        names = [chapter.name for chapter in find_chapters(book)]
        raise TrustError(f"there is no chapter {name!r}{_nearest(name, names)}; there is {', '.join(names) or 'none'}")
    return chapter


def values_for(chapter: Chapter, given: Iterable[Sequence[str]]) -> dict[str, Any]:
    """The values of ``(name, text)`` pairs; TrustError for an unknown or repeated name, or a bad value."""
    values: dict[str, Any] = {}
    for name, text in given:
        if name in values:
            raise TrustError(f"{chapter.name}: the parameter {name} is given twice")
        values[name] = _read(chapter, name, text)
    return values


def sweep_values(chapter: Chapter, given: Iterable[str]) -> dict[str, list[Any]]:
    """The lists of values that ``name=value,value,...`` texts ask for; TrustError as in :func:`values_for`."""
    values: dict[str, list[Any]] = {}
    for text in given:
        name, equals, listed = text.partition("=")
        if not equals:
            raise TrustError(f"a sweep is written NAME=VALUE,VALUE,..., not {text!r}")
        if name in values:
            raise TrustError(f"{chapter.name}: the parameter {name} is swept twice")
        values[name] = [_read(chapter, name, part.strip()) for part in listed.split(",")]
        for i, value in enumerate(values[name]):
            if value in values[name][:i]:
                raise TrustError(f"{chapter.name}: the sweep repeats {name} = {value!r}")
    return values


def describe(chapters: Iterable[Chapter]) -> str:
    """A table for people: each chapter, how long it took in the last build, and its parameters with their help."""
    parts = []
    for chapter in chapters:
        seconds = stamp_of(notebook_of(chapter.path, chapter.path.parent)).get("seconds")
        taken = "" if seconds is None else f", about {seconds:.0f} s"
        rows = [(p.name, p.kind, repr(p.default), p.help) for p in chapter.parameters]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        parts.append("\n  ".join([f"{chapter.name}: {chapter.title}{taken}", *lines]))
    return "\n\n".join(parts)


def _read(chapter: Chapter, name: str, text: str) -> Any:
    """The value of a parameter, with the chapter's name in front of a complaint about it."""
    parameter = chapter.parameter(name)
    try:
        return parameter.read(text)
    except TrustError as error:
        raise TrustError(f"{chapter.name}: {error}") from None


@dataclass(frozen=True)
class Run:
    """A chapter, the values it is given, and the notebook to leave behind."""

    chapter: Chapter
    values: Mapping[str, Any]
    notebook: Path
    html: bool = False

    @property
    def outputs(self) -> list[Path]:
        """The files that this leaves behind."""
        return [self.notebook, self.notebook.with_suffix(".html")] if self.html else [self.notebook]


@dataclass(frozen=True)
class Outcome:
    """What a run recorded, until its end or until ``error`` stopped it."""

    run: Run
    recorded: Mapping[str, float | str]
    error: str = ""


def plan_run(chapter: Chapter, values: Mapping[str, Any], output: str | None, html: bool = False) -> Run:
    """One run, refused if its notebook could not be written."""
    notebook = Path(output or f"{chapter.name}.ipynb").absolute()
    if notebook.suffix != ".ipynb":
        raise TrustError(f"the output {output} must end in .ipynb")
    run = Run(chapter, values, notebook, html)
    _refuse_unwritable([run])
    return run


def plan_sweep(
    chapter: Chapter,
    values: Mapping[str, Any],
    swept: Mapping[str, Sequence[Any]],
    output: str | None,
    html: bool = False,
) -> list[Run]:
    """One run for each combination of the swept values, their notebooks named after them in the folder ``output``."""
    folder = Path(output or ".").absolute()
    if folder.suffix == ".ipynb":
        raise TrustError(f"the output of a sweep is a folder, not a notebook: {output}")
    for name in values.keys() & swept.keys():
        raise TrustError(f"{chapter.name}: the parameter {name} is both set and swept")
    combinations = [dict(zip(swept, combination, strict=True)) for combination in product(*swept.values())]
    names = _names(chapter.name, combinations)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise TrustError(f"the output folder {folder} cannot be made: {error.strerror}") from None
    runs = [Run(chapter, {**values, **c}, folder / name, html) for c, name in zip(combinations, names, strict=True)]
    _refuse_unwritable(runs, table_of(runs), table_of(runs).with_suffix(".svg"))
    return runs


def run(one: Run, progress: bool = False, scratch: str | None = None) -> dict[str, float | str]:
    """Run a chapter, write what it leaves behind, and return its key numbers; ChapterFailed if it raises."""
    done = execute(one.chapter.path, one.notebook, one.values, progress=progress, scratch=scratch)
    if one.html:
        write_page(one.notebook, one.chapter.title, one.chapter.path.parent)
    return recorded(done, key=True)


def run_all(runs: Sequence[Run], jobs: int) -> list[Outcome]:
    """Run side by side, with a progress bar for a person watching, and write the table of what they recorded.

    A run that fails does not stop the others. When interrupted, nothing more is started, and the table holds the runs
    that were finished.
    """
    tqdm = need("tqdm", "book").tqdm
    pool = ThreadPoolExecutor(jobs)
    with TemporaryDirectory(prefix="trust-helpers-", ignore_cleanup_errors=True) as scratch:
        futures = [pool.submit(_attempt, run, scratch) for run in runs]
        try:
            for _ in tqdm(as_completed(futures), total=len(runs), unit="run", disable=None):
                pass
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            outcomes = [future.result() for future in futures if future.done() and not future.cancelled()]
            write_table(outcomes, table_of(runs))
            draw_sweep(outcomes, table_of(runs).with_suffix(".svg"))
    return outcomes


def table_of(runs: Sequence[Run]) -> Path:
    """Where the table of a sweep stands: beside its notebooks, named after the chapter."""
    return runs[0].notebook.parent / f"{runs[0].chapter.name}.csv"


def write_table(outcomes: Sequence[Outcome], path: Path) -> None:
    """A CSV file with one row per run: every parameter, then the key numbers, then the error if there was one.

    A number that shares a name with a parameter is marked ``recorded``.
    """
    rows = []
    for outcome in outcomes:
        row = {p.name: outcome.run.values.get(p.name, p.default) for p in outcome.run.chapter.parameters}
        taken = {*row, "error"}
        numbers = {f"{name} (recorded)" if name in taken else name: n for name, n in outcome.recorded.items()}
        rows.append({**row, **numbers, "error": outcome.error})
    columns = dict.fromkeys(column for row in rows for column in row if column != "error")
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, [*columns, "error"])
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, file.getvalue())


def draw_sweep(outcomes: Sequence[Outcome], path: Path) -> None:
    """A picture of the key numbers against the first swept parameter, a line for each combination of the others."""
    done = [outcome for outcome in outcomes if not outcome.error]
    swept = [name for name in done[0].run.values if len({o.run.values[name] for o in done}) > 1] if done else []
    numbers = [name for name, value in (done[0].recorded.items() if done else ()) if not isinstance(value, str)]
    if not swept or not numbers or len(numbers) > MOST_PANELS:
        return
    across, others = swept[0], swept[1:]
    from matplotlib.figure import Figure

    groups: dict[str, list[Outcome]] = {}
    for outcome in done:
        groups.setdefault(", ".join(f"{name}={outcome.run.values[name]}" for name in others), []).append(outcome)
    figure = Figure(figsize=(5.0, 2.4 * len(numbers)), layout="constrained")
    for ax, name in zip(figure.subplots(len(numbers), squeeze=False)[:, 0], numbers, strict=True):
        for label, group in groups.items():
            ax.plot([o.run.values[across] for o in group], [o.recorded.get(name) for o in group], "o-", label=label)
        ax.set(xlabel=across, ylabel=name)
    if others:
        figure.axes[0].legend()
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    write_whole(path, file.getvalue())


def _attempt(one: Run, scratch: str) -> Outcome:
    """Execute a run, its failure turned into part of the outcome."""
    try:
        return Outcome(one, run(one, scratch=scratch))
    except ChapterFailed as error:
        done = need("nbformat", "book").read(one.notebook, as_version=4)
        return Outcome(one, recorded(done, key=True), str(error))
    except Exception as error:  # whatever one run met, the others must not lose their table
        return Outcome(one, {}, f"{one.chapter.name}: {type(error).__name__}: {error}")


def _names(chapter: str, combinations: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """File names that tell the runs apart, with a number where two values only differ in forbidden characters."""
    seen: dict[str, int] = {}
    for combination in combinations:
        plain = (f"{name}={UNSAFE.sub('-', str(value))}" for name, value in combination.items())
        suffix = "_".join(plain)[:LONGEST]
        seen[suffix] = seen.get(suffix, 0) + 1
        again = f"_{seen[suffix]}" if seen[suffix] > 1 else ""
        yield f"{chapter}_{suffix}{again}.ipynb"


def _refuse_unwritable(runs: Sequence[Run], *tables: Path) -> None:
    """Raise, before any work, if a notebook, page or table could not be made or written without loss."""
    need("papermill", "book")
    if any(run.html for run in runs):
        need_page_tools()
    first = runs[0]
    given = {run.values.get(p.name) for run in runs for p in first.chapter.parameters if p.is_path}
    outputs = [*(path for run in runs for path in run.outputs), *tables]
    plan_outputs([("the output", path) for path in outputs], [str(first.chapter.path), *filter(None, given)])


def _nearest(name: str, names: Sequence[str]) -> str:
    """A guess at what was meant."""
    near = get_close_matches(name, names, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
