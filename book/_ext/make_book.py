"""The book executed and laid out for Jupyter Book to render: ``python book/_ext/make_book.py [--force]``.

An executed notebook in ``_build/executed`` carries a hash of all that its numbers can depend on; one whose hash is
right is not executed again, and the rendered book and the golden notebooks read the same files. ``_build/pages`` is a
copy of the book with these notebooks in place of their sources, captions where MyST-NB looks for them.
"""

import argparse
import json
import platform
import re
import shutil
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
import yaml

import trust_helpers
from trust_helpers import TrustError
from trust_helpers.book.execute import (
    ChapterFailed,
    book_folder,
    execute,
    find_pages_with_code,
    notebook_of,
    stamp_of,
)
from trust_helpers.book.prose import captions, describe

PACKAGE = Path(trust_helpers.__file__).parent
IRRELEVANT = {".md", ".bib", ".css", ".js", ".png", ".svg", ".ipynb", ".toml"}  # what no chapter computes with
LINK = re.compile(r"(\]\()([\w./-]+)\.md(?=[#)])")
JOBS = 2


def fingerprint(page: Path, book: Path) -> str:
    """The sha256 of a page, the package, the book's data files, the lock and the version of Python."""
    data = (p for p in book.rglob("*") if p.suffix not in IRRELEVANT and "_ext" not in p.parts)
    files = [page, book.parent / "requirements.txt", *data]
    return sha256(f"{platform.python_version()} {_package()} {_digest(files, book.parent)}".encode()).hexdigest()


@cache
def _package() -> str:
    """The hash of the package that is imported, its tables included."""
    return _digest((path for path in PACKAGE.rglob("*") if path.parent.name != "__pycache__"), PACKAGE)


def _digest(files: Iterable[Path], root: Path) -> str:
    """The sha256 of files, whatever order they come in, and of where they stand."""
    found = sorted((str(path.relative_to(root)), path) for path in files if path.is_file())
    lines = (f"{name} {sha256(path.read_bytes()).hexdigest()}\n" for name, path in found)
    return sha256("".join(lines).encode()).hexdigest()


def is_fresh(page: Path, book: Path) -> bool:
    """Whether the executed notebook of a page is there, finished, and made from what is there now."""
    return stamp_of(notebook_of(page, book)).get("hash") == fingerprint(page, book)


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


def _expected(page: Path, book: Path) -> tuple[float, int]:
    """How long a page took last time; pages never executed come first, the longest text before the others."""
    return stamp_of(notebook_of(page, book)).get("seconds", float("inf")), page.stat().st_size


def _attempt(page: Path, book: Path) -> str:
    """Execute a page and stamp its notebook; what went wrong, if something did."""
    target, hashed = notebook_of(page, book), fingerprint(page, book)  # of what is about to be executed
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        execute(page, target, plain=False)
    except ChapterFailed as error:
        return str(error)
    notebook = nbformat.read(target, as_version=4)
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


def as_text(notebook: Any) -> str:
    """A notebook as it is stored: sorted keys, so that a difference is a difference in content."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


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
        _copy(source, (folder / path.relative_to(book.parent)).with_suffix(source.suffix), names)
    shutil.copy(book.parent / "_toc.yml", folder)
    config = yaml.safe_load((book.parent / "_config.yml").read_text(encoding="utf-8"))
    config["execute"] = {**config.get("execute", {}), "execute_notebooks": "off"}
    config["exclude_patterns"] = [p for p in config.get("exclude_patterns", []) if not p.endswith(".ipynb")]
    (folder / "_config.yml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")


def _copy(source: Path, target: Path, notebooks: set[str]) -> None:
    """Copy a file; the links of a page, and of what it shows, lead to notebooks where pages became notebooks."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix == ".md":
        target.write_text(_relinked(source.read_text(encoding="utf-8"), notebooks), encoding="utf-8")
    elif source.suffix == ".ipynb":
        notebook = nbformat.read(source, as_version=4)
        move_captions(notebook)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = _relinked(cell.source, notebooks)
            for shown in (output.get("data", {}) for output in cell.get("outputs", ())):
                shown |= {k: _relinked(shown[k], notebooks) for k in shown.keys() & {"text/markdown", "text/html"}}
        target.write_text(as_text(notebook), encoding="utf-8")
    else:
        shutil.copy(source, target)


def _relinked(text: str, notebooks: set[str]) -> str:
    """Markdown with ``page.md`` changed to ``page.ipynb`` in the links to the pages that became notebooks."""
    return LINK.sub(lambda m: f"{m[1]}{m[2]}.ipynb" if m[2].split("/")[-1] in notebooks else m[0], text)


def move_captions(notebook: Any) -> None:
    """Move every ``{figure}`` without a picture that begins a text into the metadata of the code cell above it."""
    for above, cell, found, options in captions(notebook):
        describe(above, options)
        name = {"name": options["name"]} if "name" in options else {}
        above.metadata["mystnb"]["figure"] = {"caption": found[2].strip()} | name
        cell.source = cell.source[found.end() :]


def main() -> int:
    """Execute what has to be, and lay the pages out; the exit code."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--force", action="store_true", help="execute every page again, whatever its hash says")
    asked, book = parser.parse_args(), book_folder()
    try:
        refresh(book, asked.force)
        stage(book, book.parent / "_build" / "pages")
    except TrustError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
