"""Running chapters with other numbers: one through papermill, or the product of several values side by side.

A run executes in the book's folder and leaves an executed notebook behind, cell by cell, so that a chapter that raises
leaves what it did until then. The numbers a chapter recorded (:func:`trust_helpers.book.notebook.record`) come
back with it.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .. import errors
from ..cli.files import plan_outputs, write_whole
from ..errors import TrustError
from ..extras import need
from .chapters import Chapter, load_notebook
from .kernels import kernel_manager
from .notebook import recorded
from .page import need_page_tools, write_page
from .plain import plain_notebook
from .prose import answer, ask

__all__ = ["ChapterFailed", "Outcome", "Run", "execute", "plan_run", "plan_sweep", "run_all", "table_of", "write_table"]

UNSAFE = re.compile(r"[^\w.+-]+")  # what file names had better not contain
LONGEST = 150
ANSI = re.compile(r"\x1b\[[0-9;]*m")
CELL_LINE = re.compile(r"Cell In\[\d+\], line (\d+)")


class ChapterFailed(TrustError):
    """A chapter raised; the message carries its error, the line, and where the executed part is kept.

    ``refused`` says that it was an error of this package's, so that what was given to the chapter is at fault.
    """

    refused = False


@dataclass(frozen=True)
class Run:
    """A chapter, the values it is given, and the notebook to leave behind."""

    chapter: Chapter
    values: Mapping[str, Any]
    notebook: Path
    html: bool = False
    plain: bool = True  # whether the notebook's prose is plain Markdown, for any reader, or MyST, for the book

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
    _make_folder(folder)
    runs = [Run(chapter, {**values, **c}, folder / name, html) for c, name in zip(combinations, names, strict=True)]
    _refuse_unwritable(runs, table_of(runs))
    return runs


def execute(run: Run, progress: bool = False, scratch: str | None = None) -> dict[str, float | str]:
    """Run a chapter through papermill and return the numbers it recorded; ChapterFailed if it raises.

    papermill works on a copy, in the folder ``scratch`` or the system's for temporary files, and what ran is put in
    place at the end: an interrupt leaves the old notebook.
    """
    nbformat = need("nbformat", "book")
    with TemporaryDirectory(prefix="trust-helpers-", dir=scratch, ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "chapter.ipynb")
        notebook = load_notebook(run.chapter.path)
        ask(notebook)
        nbformat.write(notebook, copy)
        try:
            _papermill(run, copy, progress)
        except ChapterFailed:
            _keep(copy, run)
            raise
        done = _keep(copy, run)
    if run.html:
        write_page(run.notebook, run.chapter.title, run.chapter.path.parent)
    return recorded(done)


def _keep(copy: Path, run: Run) -> Any:
    """Put what ran in its place, numbers written into its prose, and return it; ChapterFailed if one is not known."""
    nbformat = need("nbformat", "book")
    done = nbformat.read(copy, as_version=4)
    try:
        answer(done)
        if run.plain:
            plain_notebook(done)
    except TrustError as error:
        raise ChapterFailed(f"{run.chapter.name}: {error}") from None
    finally:
        write_whole(run.notebook, nbformat.writes(done) + "\n")
    return done


def _papermill(run: Run, copy: Path, progress: bool) -> None:
    """Execute the notebook ``copy`` in place."""
    papermill = need("papermill", "book")
    options = {
        "resources": {"metadata": {"path": str(run.chapter.path.parent)}},  # papermill's ``cwd`` would move all threads
        "kernel_manager_class": kernel_manager(),
        "shutdown_kernel": "immediate",  # a kernel that is asked politely complains of an interrupt on the terminal
    }
    try:
        papermill.execute_notebook(str(copy), str(copy), dict(run.values), progress_bar=progress, **options)
    except papermill.PapermillExecutionError as error:
        what = f"{error.ename}: {error.evalue}" if error.evalue else error.ename
        failed = ChapterFailed(_complaint(run, what, error.exec_count, error.source, _line(error.traceback)))
        failed.refused = error.ename in errors.__all__
        raise failed from None
    except (RuntimeError, KeyError, OSError) as error:  # the kernel died, is not there, or the disk is full
        raise ChapterFailed(_complaint(run, f"{type(error).__name__}: {error}", *_last_started(copy))) from None


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
    return outcomes


def table_of(runs: Sequence[Run]) -> Path:
    """Where the table of a sweep stands: beside its notebooks, named after the chapter."""
    return runs[0].notebook.parent / f"{runs[0].chapter.name}.csv"


def write_table(outcomes: Sequence[Outcome], path: Path) -> None:
    """A CSV file with one row per run: every parameter, then every number recorded, then the error if there was one."""
    rows = [_row(outcome) for outcome in outcomes]
    columns = dict.fromkeys(column for row in rows for column in row if column != "error")
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, [*columns, "error"])
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, file.getvalue())


def _attempt(run: Run, scratch: str) -> Outcome:
    """Execute a run, its failure turned into part of the outcome."""
    try:
        return Outcome(run, execute(run, scratch=scratch))
    except ChapterFailed as error:
        return Outcome(run, recorded(need("nbformat", "book").read(run.notebook, as_version=4)), str(error))
    except Exception as error:  # whatever one run met, the others must not lose their table
        return Outcome(run, {}, f"{run.chapter.name}: {type(error).__name__}: {error}")


def _row(outcome: Outcome) -> dict[str, Any]:
    """A run's parameters and numbers; a number that shares a name with a parameter is marked ``recorded``."""
    given = outcome.run.values
    row = {p.name: _cell(given.get(p.name, p.default)) for p in outcome.run.chapter.parameters}
    taken = {*row, "error"}
    numbers = {f"{name} (recorded)" if name in taken else name: n for name, n in outcome.recorded.items()}
    return {**row, **numbers, "error": outcome.error}


def _cell(value: Any) -> Any:
    """Lists as JSON, everything else as it is."""
    return json.dumps(value) if isinstance(value, list) else value


def _names(chapter: str, combinations: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """File names that tell the runs apart, with a number where two values only differ in forbidden characters."""
    seen: dict[str, int] = {}
    for combination in combinations:
        plain = (f"{name}={UNSAFE.sub('-', str(_cell(value)))}" for name, value in combination.items())
        suffix = "_".join(plain)[:LONGEST]
        seen[suffix] = seen.get(suffix, 0) + 1
        again = f"_{seen[suffix]}" if seen[suffix] > 1 else ""
        yield f"{chapter}_{suffix}{again}.ipynb"


def _make_folder(folder: Path) -> None:
    """Make the folder of a sweep; the folder it is in has to be there."""
    try:
        folder.mkdir(exist_ok=True)
    except FileNotFoundError:
        raise TrustError(f"the output folder {folder.parent} does not exist") from None
    except OSError as error:
        raise TrustError(f"the output folder {folder} cannot be made: {error.strerror}") from None


def _refuse_unwritable(runs: Sequence[Run], *tables: Path) -> None:
    """Raise, before any work, if a notebook, page or table could not be made or written without loss."""
    need("papermill", "book")
    if any(run.html for run in runs):
        need_page_tools()
    first = runs[0]
    given = {run.values.get(p.name) for run in runs for p in first.chapter.parameters if p.is_path}
    outputs = [*(path for run in runs for path in run.outputs), *tables]
    plan_outputs([("the output", path) for path in outputs], [str(first.chapter.path), *filter(None, given)])


def _last_started(notebook: Path) -> tuple[int | None, str]:
    """The number and source of the last cell that papermill began, for failures that name no cell."""
    cells = need("nbformat", "book").read(notebook, as_version=4).cells
    begun = [c for c in cells if c.cell_type == "code" and c.metadata.get("papermill", {}).get("start_time")]
    return (len(begun), begun[-1].source) if begun else (None, "")


def _line(traceback: Iterable[str]) -> int:
    """Which line of its cell raised, counted from 1; 0 if the traceback does not say."""
    found = CELL_LINE.search(ANSI.sub("", "\n".join(traceback)))
    return int(found[1]) if found else 0


def _complaint(run: Run, what: str, number: int | None, source: str, line: int = 0) -> str:
    """The error, the line of the cell and the notebook, in one line."""
    lines = source.splitlines()
    first = next((text.strip() for text in lines if text.strip()), "")
    quoted = lines[line - 1].strip() if 0 < line <= len(lines) else first
    where = f"in cell [{number}], {quoted!r}" if number else "before its first cell"
    return f"{run.chapter.name} raised {' '.join(what.split())} {where}; what ran is in {run.notebook}"
