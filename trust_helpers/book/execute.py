"""Pages executed, with other numbers if asked: a page executes in the book's folder, cell by cell, on its own kernel.

What ran before a page raised is kept, and the complaint names the cell and its line.
:func:`write_page` makes an executed notebook one HTML file that needs nothing beside it, not even a network.
"""

import base64
import importlib.util
import json
import mimetypes
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .. import errors
from ..errors import TrustError
from ..extras import MissingExtra, need
from ..outputs import write_whole
from .notebook import PREFIX
from .prose import answer, ask, plain_notebook

CODE = re.compile(r"^```+\{code-cell\}", re.MULTILINE)
ANSI = re.compile(r"\x1b\[[0-9;]*m")
CELL_LINE = re.compile(r"Cell In\[\d+\], line (\d+)")
IMAGE = re.compile(r'(<img\b[^>]*\bsrc=")(?!\w+:)([^"]+)')  # by a path, not by a URL


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
    return [contents.parent / f"{file}.md" for file in _listed(listed)]


def _listed(contents: Any) -> Iterator[str]:
    """The files that a table of contents names, wherever in it."""
    if isinstance(contents, dict):
        yield from (contents[key] for key in ("root", "file") if key in contents)
        contents = list(contents.values())
    for part in contents if isinstance(contents, list) else ():
        yield from _listed(part)


def find_pages_with_code(book: Path) -> list[Path]:
    """The pages that have something to execute, in the order of the book."""
    return [page for page in find_pages(book) if CODE.search(page.read_text(encoding="utf-8"))]


def notebook_of(page: Path, book: Path) -> Path:
    """Where ``make book`` keeps the executed notebook of a page."""
    return book.parent / "_build" / "executed" / page.relative_to(book).with_suffix(".ipynb")


def stamp_of(notebook: Path) -> dict[str, Any]:
    """What ``make book`` wrote into a notebook when it was finished, its seconds among it; empty if it was not."""
    try:
        stamp: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))["metadata"].get("executed", {})
    except (OSError, ValueError, KeyError):
        return {}
    return stamp


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
        "shutdown_kernel": "immediate",  # a kernel that is asked politely complains of an interrupt on the terminal
    }
    try:
        papermill.execute_notebook(str(copy), str(copy), dict(values), progress_bar=progress, **options)
    except papermill.PapermillExecutionError as error:
        what = f"{error.ename}: {error.evalue}" if error.evalue else error.ename
        line = CELL_LINE.search(ANSI.sub("", "\n".join(error.traceback)))
        source = error.source.splitlines()[int(line[1]) - 1 :] if line else error.source.splitlines()
        failed = ChapterFailed(_complaint(page, target, what, error.exec_count, source))
        failed.refused = error.ename in errors.__all__
        raise failed from None
    except (RuntimeError, KeyError, OSError) as error:  # the kernel died, is not there, or the disk is full
        what = f"{type(error).__name__}: {error}"
        raise ChapterFailed(_complaint(page, target, what, *_last_started(copy))) from None


def _last_started(notebook: Path) -> tuple[int | None, list[str]]:
    """The number and lines of the last cell that papermill began, for failures that name no cell."""
    cells = need("nbformat", "book").read(notebook, as_version=4).cells
    begun = [c for c in cells if c.cell_type == "code" and c.metadata.get("papermill", {}).get("start_time")]
    return (len(begun), begun[-1].source.splitlines()) if begun else (None, [])


def _complaint(page: Path, target: Path, what: str, number: int | None, source: Iterable[str]) -> str:
    """The error, the first of the lines that may have raised it and the notebook, in one line."""
    line = next((line.strip() for line in source if line.strip()), "")
    where = f"in cell [{number}], {line!r}" if number else "before its first cell"
    return f"{page.stem} raised {' '.join(what.split())} {where}; what ran is in {target}"


def end_kernels() -> None:
    """Kill every kernel that this process started and that still runs, for whoever leaves in a hurry."""
    for kernel in need("psutil", "book").Process().children(recursive=True):
        kernel.kill()


def need_page_tools() -> None:
    """Raise MissingExtra unless all that a page needs is installed."""
    _exporter()
    _mathjax()


def write_page(notebook: Path, title: str, folder: Path) -> Path:
    """Write the page of an executed plain notebook beside it, with the pictures it has in ``folder``; its path.

    nbconvert's own template loads require.js, MathJax, Mermaid and the widgets' code from other people's servers; ours
    leaves them out, but for MathJax, which is written into the page, in the variant that needs no font files.
    """
    node = need("nbformat", "book").read(notebook, as_version=4)
    for cell in (cell for cell in node.cells if cell.cell_type == "code"):
        cell.outputs = [output for output in cell.outputs if PREFIX + "text/plain" not in output.get("data", {})]
    resources = {"metadata": {"name": title, "path": str(folder)}, "mathjax": _mathjax()}
    html, _ = _exporter().from_notebook_node(node, resources)
    page = notebook.with_suffix(".html")
    write_whole(page, IMAGE.sub(lambda match: _embedded(match, folder), html))
    return page


def _exporter() -> Any:
    """nbconvert's exporter to HTML with our template, that leaves out what the book leaves out."""
    removed = {"remove_cell_tags": "cell", "remove_input_tags": "input", "remove_all_outputs_tags": "output"}
    tags = {option: {f"remove-{part}"} for option, part in removed.items()}
    return need("nbconvert", "book").HTMLExporter(
        filters={"as_address": lambda svg: _address("image/svg+xml", svg.encode())},  # in one page names would clash
        template_file=str(Path(__file__).with_name("page.html.j2")),
        config=need("traitlets.config", "book").Config(TagRemovePreprocessor={"enabled": True} | tags),
    )


@cache
def _mathjax() -> str:
    """The code of MathJax, every extension included so that it never fetches one."""
    found = importlib.util.find_spec("sphinx-mathjax-offline")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("sphinx-mathjax-offline", "book")
    script = Path(found.submodule_search_locations[0]) / "static" / "mathjax" / "tex-svg-full.js"
    return script.read_text(encoding="utf-8")


def _address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _embedded(image: re.Match[str], folder: Path) -> str:
    """An image written into the page; nbconvert's ``embed_images`` would also close every box where it opens."""
    file = folder / image[2]
    kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
    return image[1] + _address(kind, file.read_bytes()) if file.is_file() else image[0]
