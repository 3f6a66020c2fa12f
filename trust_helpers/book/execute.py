"""Pages executed: one with other numbers, or every page of the book once, for the book to be rendered from.

A page executes in the book's folder. What ran is kept cell by cell, so that a page that raises leaves what it did until
then. In the book an executed notebook carries a hash of all that its numbers can depend on, and one whose hash is right
is not executed again: the rendered book and the golden notebooks read the same files.

``python -m trust_helpers.book.execute [--force]`` brings ``_build/executed`` up to date and lays out
``_build/pages``, a copy of the book with the executed notebooks in place of their sources, for Jupyter Book to render.
"""

import argparse
import json
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import WeakSet

from .. import errors
from ..errors import TrustError
from ..extras import need
from ..outputs import write_whole
from .plain import plain_notebook
from .prose import answer, ask, move_captions

__all__ = [
    "ChapterFailed",
    "as_text",
    "book_folder",
    "copy_page",
    "end_kernels",
    "execute",
    "executed_from",
    "find_pages",
    "find_pages_with_code",
    "fingerprint",
    "is_fresh",
    "kernel_manager",
    "load_notebook",
    "notebook_of",
    "refresh",
    "seconds_of",
    "stage",
]

PACKAGE = Path(__file__).resolve().parents[1]
CODE = re.compile(r"^```+\{code-cell\}", re.MULTILINE)
IRRELEVANT = {".md", ".bib", ".css", ".js", ".png", ".svg", ".ipynb", ".toml"}  # what no chapter computes with
LINK = re.compile(r"(\]\()([\w./-]+)\.md(?=[#)])")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
CELL_LINE = re.compile(r"Cell In\[\d+\], line (\d+)")
JOBS = 2
MANAGERS: WeakSet[Any] = WeakSet()


class ChapterFailed(TrustError):
    """A chapter raised; the message carries its error, the line, and where the executed part is kept.

    ``refused`` says that it was an error of this package's, so that what was given to the chapter is at fault.
    """

    refused = False


def book_folder(given: str | None = None) -> Path:
    """The folder of chapters: the given one, or ``book`` beside the package, as in a checkout."""
    folder = Path(given).absolute() if given else Path(__file__).resolve().parents[2] / "book"
    if folder.is_dir():
        return folder
    if given:
        raise TrustError(f"the book folder {given} does not exist")
    raise TrustError("the chapters are not installed with the package: work in a checkout, or say --book DIR")


def load_notebook(path: Path) -> Any:
    """The notebook written in ``path``, as nbformat's ``NotebookNode``."""
    jupytext = need("jupytext", "book")
    try:
        return jupytext.read(path)
    except Exception as error:  # jupytext and YAML raise many kinds
        raise TrustError(f"{path} cannot be read as a notebook: {' '.join(str(error).split())}") from None


def find_pages(book: Path) -> list[Path]:
    """Every page of a book, in the order of ``_toc.yml`` beside its folder; without one, every ``.md`` file by name."""
    contents = book.parent / "_toc.yml"
    if not contents.is_file():
        return sorted(book.glob("*.md"))
    listed = need("yaml", "book").safe_load(contents.read_text(encoding="utf-8"))
    return [contents.parent / f"{file.removesuffix('.md')}.md" for file in _listed(listed)]


def find_pages_with_code(book: Path) -> list[Path]:
    """The pages that have something to execute, in the order of the book."""
    return [page for page in find_pages(book) if CODE.search(page.read_text(encoding="utf-8"))]


def execute(
    page: Path,
    target: Path,
    values: Mapping[str, Any] | None = None,
    plain: bool = True,
    progress: bool = False,
    scratch: str | None = None,
) -> Any:
    """Execute a page with parameters set to ``values``, write ``target``, and return it; ChapterFailed if it raises.

    The notebook's prose is ``plain`` Markdown, for any reader, or MyST, for the book. papermill works on a copy, in the
    folder ``scratch`` or the system's for temporary files, and what ran is put in place at the end: an interrupt leaves
    the old notebook.
    """
    nbformat = need("nbformat", "book")
    with TemporaryDirectory(prefix="trust-helpers-", dir=scratch, ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "chapter.ipynb")
        notebook = load_notebook(page)
        ask(notebook)
        nbformat.write(notebook, copy)
        try:
            _papermill(page, target, values or {}, copy, progress)
        except ChapterFailed:
            _keep(copy, page, target, plain)
            raise
        return _keep(copy, page, target, plain)


def _keep(copy: Path, page: Path, target: Path, plain: bool) -> Any:
    """Put what ran in its place, numbers written into its prose, and return it; ChapterFailed if one is not known."""
    nbformat = need("nbformat", "book")
    done = nbformat.read(copy, as_version=4)
    try:
        answer(done)
        if plain:
            plain_notebook(done)
    except TrustError as error:
        raise ChapterFailed(f"{page.stem}: {error}") from None
    finally:
        write_whole(target, nbformat.writes(done) + "\n")
    return done


def _papermill(page: Path, target: Path, values: Mapping[str, Any], copy: Path, progress: bool) -> None:
    """Execute the notebook ``copy`` in place."""
    papermill = need("papermill", "book")
    options = {
        "resources": {"metadata": {"path": str(page.parent)}},  # papermill's ``cwd`` would move all threads
        "kernel_manager_class": kernel_manager(),
        "shutdown_kernel": "immediate",  # a kernel that is asked politely complains of an interrupt on the terminal
    }
    try:
        papermill.execute_notebook(str(copy), str(copy), dict(values), progress_bar=progress, **options)
    except papermill.PapermillExecutionError as error:
        what = f"{error.ename}: {error.evalue}" if error.evalue else error.ename
        failed = ChapterFailed(_complaint(page, target, what, error.exec_count, error.source, _line(error.traceback)))
        failed.refused = error.ename in errors.__all__
        raise failed from None
    except (RuntimeError, KeyError, OSError) as error:  # the kernel died, is not there, or the disk is full
        what = f"{type(error).__name__}: {error}"
        raise ChapterFailed(_complaint(page, target, what, *_last_started(copy))) from None


def _last_started(notebook: Path) -> tuple[int | None, str]:
    """The number and source of the last cell that papermill began, for failures that name no cell."""
    cells = need("nbformat", "book").read(notebook, as_version=4).cells
    begun = [c for c in cells if c.cell_type == "code" and c.metadata.get("papermill", {}).get("start_time")]
    return (len(begun), begun[-1].source) if begun else (None, "")


def _line(traceback: Iterable[str]) -> int:
    """Which line of its cell raised, counted from 1; 0 if the traceback does not say."""
    found = CELL_LINE.search(ANSI.sub("", "\n".join(traceback)))
    return int(found[1]) if found else 0


def _complaint(page: Path, target: Path, what: str, number: int | None, source: str, line: int = 0) -> str:
    """The error, the line of the cell and the notebook, in one line."""
    lines = source.splitlines()
    first = next((text.strip() for text in lines if text.strip()), "")
    quoted = lines[line - 1].strip() if 0 < line <= len(lines) else first
    where = f"in cell [{number}], {quoted!r}" if number else "before its first cell"
    return f"{page.stem} raised {' '.join(what.split())} {where}; what ran is in {target}"


def kernel_manager() -> type:
    """A class of kernel managers, for nbclient, that remembers them, for whoever leaves in a hurry to take along."""
    base = need("jupyter_client.manager", "book").AsyncKernelManager

    class Remembered(base):  # type: ignore[misc, valid-type]
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            MANAGERS.add(self)

    return Remembered


def end_kernels() -> int:
    """Kill every kernel that still runs; how many there were."""
    provisioners = [getattr(manager, "provisioner", None) for manager in list(MANAGERS)]
    running = [process for one in provisioners if (process := getattr(one, "process", None)) is not None]
    for process in running:
        process.kill()
    return len(running)


def fingerprint(page: Path, book: Path) -> str:
    """The sha256 of a page, the package, the book's data files, the lock and the version of Python."""
    data = (p for p in book.rglob("*") if p.suffix not in IRRELEVANT and "_ext" not in p.parts)
    files = [page, book.parent / "requirements.txt", *data]
    return sha256(f"{platform.python_version()} {_package()} {_digest(files, book.parent)}".encode()).hexdigest()


def notebook_of(page: Path, book: Path) -> Path:
    """Where the executed notebook of a page is kept."""
    return book.parent / "_build" / "executed" / page.relative_to(book).with_suffix(".ipynb")


def is_fresh(page: Path, book: Path) -> bool:
    """Whether the executed notebook of a page is there, finished, and made from what is there now."""
    return executed_from(notebook_of(page, book), page, book)


def executed_from(notebook: Path, page: Path, book: Path) -> bool:
    """Whether a notebook was executed, to its end, from the page, the package and the lock as they are now."""
    return _stamp(notebook).get("hash") == fingerprint(page, book)


def refresh(book: Path, force: bool = False, only: Iterable[str] = ()) -> list[Path]:
    """Execute every page that needs it, or those of the names ``only``, two at a time and the longest first.

    Returns the pages that were executed. A page that raises does not stop the others: ChapterFailed tells of all.
    """
    wanted = [page for page in find_pages_with_code(book) if not only or page.stem in only]
    stale = [page for page in wanted if force or not is_fresh(page, book)]
    stale.sort(key=partial(_expected, book=book), reverse=True)
    with ThreadPoolExecutor(JOBS) as pool:
        errors = [error for error in pool.map(partial(_attempt, book=book), stale) if error]
    if errors:
        raise ChapterFailed("\n".join(errors))
    return stale


def seconds_of(page: Path, book: Path) -> float | None:
    """How long a page took when it was last executed for the book; None if it was not."""
    return _stamp(notebook_of(page, book)).get("seconds")


def stage(book: Path, folder: Path) -> None:
    """Lay out a copy of the book, executed notebooks in place of their sources, that Jupyter Book renders as it is."""
    notebooks = {page: notebook_of(page, book) for page in find_pages_with_code(book)}
    for page in notebooks:
        if not is_fresh(page, book):
            raise TrustError(f"{page.name} is not executed, or something has changed since: make book")
    shutil.rmtree(folder, ignore_errors=True)
    names = {page.stem for page in notebooks}
    for path in (path for path in book.rglob("*") if path.is_file() and path.suffix != ".ipynb"):
        source = notebooks.get(path, path)
        copy_page(source, (folder / path.relative_to(book.parent)).with_suffix(source.suffix), names)
    shutil.copy(book.parent / "_toc.yml", folder)
    _write_config(book.parent / "_config.yml", folder / "_config.yml")


def as_text(notebook: Any) -> str:
    """A notebook as it is stored: sorted keys, so that a difference is a difference in content."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


@cache
def _package() -> str:
    """The hash of the package that is imported, its tables included."""
    return _digest((path for path in PACKAGE.rglob("*") if path.parent.name != "__pycache__"), PACKAGE)


def _digest(files: Iterable[Path], root: Path) -> str:
    """The sha256 of files, whatever order they come in, and of where they stand."""
    found = sorted((str(path.relative_to(root)), path) for path in files if path.is_file())
    lines = (f"{name} {sha256(path.read_bytes()).hexdigest()}\n" for name, path in found)
    return sha256("".join(lines).encode()).hexdigest()


def _stamp(notebook: Path) -> dict[str, Any]:
    """What was written into an executed notebook when it was finished; empty if it is not there or was not finished."""
    try:
        stamp: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))["metadata"].get("executed", {})
    except (OSError, ValueError, KeyError):
        return {}
    return stamp


def _expected(page: Path, book: Path) -> tuple[float, int]:
    """How long a page took last time; pages never executed come first, the longest text before the others."""
    seconds = seconds_of(page, book)
    return float("inf") if seconds is None else seconds, page.stat().st_size


def _attempt(page: Path, book: Path) -> str:
    """Execute a page and stamp its notebook; what went wrong, if something did."""
    target, hashed = notebook_of(page, book), fingerprint(page, book)  # of what is about to be executed
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        execute(page, target, plain=False)
    except ChapterFailed as error:
        return str(error)
    notebook = need("nbformat", "book").read(target, as_version=4)
    seconds = notebook.metadata.pop("papermill")["duration"]
    _tidy(notebook)
    notebook.metadata["executed"] = {"hash": hashed, "seconds": seconds}
    target.write_text(as_text(notebook), encoding="utf-8")
    print(f"executed {page.stem} in {seconds:.0f} s", flush=True)
    return ""


def _tidy(notebook: Any) -> None:
    """Drop in place what changes from run to run: times, random cell ids, how slowly something was printed."""
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:03d}"
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if not cell.metadata.get("tags", True):
            del cell.metadata["tags"]
        if cell.cell_type == "code":
            cell.outputs = _merged(cell.outputs)


def _merged(outputs: Iterable[Any]) -> list[Any]:
    """The outputs, with all that a cell printed as one: a page shows it so, and a reader's notebook agrees with it."""
    kept: list[Any] = []
    printed: dict[str, Any] = {}
    for output in outputs:
        name = output.get("name")
        if name in printed:
            printed[name]["text"] += output["text"]
        else:
            kept.append(output)
            printed |= {name: output} if name else {}
    return kept


def copy_page(source: Path, target: Path, notebooks: set[str]) -> None:
    """Copy a file; the links of a page, and of what it shows, lead to notebooks where pages became notebooks."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix == ".md":
        target.write_text(_relinked(source.read_text(encoding="utf-8"), notebooks), encoding="utf-8")
    elif source.suffix == ".ipynb":
        notebook = need("nbformat", "book").read(source, as_version=4)
        try:
            move_captions(notebook)
        except TrustError as error:
            raise TrustError(f"{source.stem}: {error}") from None
        for cell in notebook.cells:
            _relink(cell, notebooks)
        target.write_text(as_text(notebook), encoding="utf-8")
    else:
        shutil.copy(source, target)


def _relink(cell: Any, notebooks: set[str]) -> None:
    """Change in place the links of a cell's text, or of the Markdown it displays."""
    if cell["cell_type"] == "markdown":
        cell["source"] = _relinked("".join(cell["source"]), notebooks)
    for output in cell.get("outputs", ()):
        shown = output.get("data", {})
        for kind in shown.keys() & {"text/markdown", "text/html"}:
            shown[kind] = _relinked("".join(shown[kind]), notebooks)


def _relinked(text: str, notebooks: set[str]) -> str:
    """Markdown with ``page.md`` changed to ``page.ipynb`` in the links to the pages that became notebooks."""
    return LINK.sub(lambda m: f"{m[1]}{m[2]}.ipynb" if m[2].split("/")[-1] in notebooks else m[0], text)


def _write_config(source: Path, target: Path) -> None:
    """The book's configuration, with nothing left to execute and notebooks no longer passed over."""
    yaml = need("yaml", "book")
    config = yaml.safe_load(source.read_text(encoding="utf-8"))
    config["execute"] = {**config.get("execute", {}), "execute_notebooks": "off"}
    config["exclude_patterns"] = [p for p in config.get("exclude_patterns", []) if not p.endswith(".ipynb")]
    target.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")


def _listed(contents: Any) -> Iterator[str]:
    """The files that a table of contents names, wherever in it."""
    if isinstance(contents, dict):
        yield from (contents[key] for key in ("root", "file") if key in contents)
        yield from (file for key, part in contents.items() if key not in ("root", "file") for file in _listed(part))
    elif isinstance(contents, list):
        yield from (file for part in contents for file in _listed(part))


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute what has to be, and lay the pages out; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m trust_helpers.book.execute", description=main.__doc__)
    parser.add_argument("--force", action="store_true", help="execute every page again, whatever its hash says")
    asked, book = parser.parse_args(arguments), book_folder()
    try:
        refresh(book, asked.force)
        stage(book, book.parent / "_build" / "pages")
    except TrustError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
