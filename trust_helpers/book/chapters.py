"""The chapters of the book: where they are, what they are called, and what each lets you change.

The pages of a book are those that ``_toc.yml`` beside its folder lists. A page with code cells is executed; one with a
cell tagged ``parameters`` is a chapter, which can be run with other numbers. How that cell is written is told in
:mod:`trust_helpers.book.parameters`. jupytext reads the notebooks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import TrustError
from ..extras import need
from .parameters import Parameter, parse_value, parse_values, read_parameters

__all__ = [
    "Chapter",
    "book_folder",
    "describe",
    "find_chapter",
    "find_chapters",
    "find_pages",
    "find_pages_with_code",
    "load_notebook",
    "read_chapter",
    "sweep_values",
    "values_for",
]

CODE = re.compile(r"^```+\{code-cell\}", re.MULTILINE)


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


def read_chapter(path: Path) -> Chapter | None:
    """The chapter written in ``path``, or None if the page has no parameters; TrustError if its cell makes no sense."""
    notebook = load_notebook(path)
    cell = _parameters_cell(notebook)
    if cell is None:
        return None
    try:
        parameters = read_parameters(cell.source)
    except TrustError as error:
        raise TrustError(f"{path}, parameters cell: {error}") from None
    return Chapter(path.stem, _title(notebook, path.stem), path, parameters)


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


def find_chapters(book: Path) -> list[Chapter]:
    """Every chapter of a book, in the order of the book."""
    found = (read_chapter(path) for path in find_pages_with_code(book))
    return [chapter for chapter in found if chapter is not None]


def find_chapter(book: Path, name: str) -> Chapter:
    """The chapter called ``name``; TrustError, with the nearest name and all names, if there is none."""
    pages = {path.stem: path for path in find_pages_with_code(book)}
    chapter = read_chapter(pages[name]) if name in pages else None
    if chapter is None:
        names = [stem for stem, path in pages.items() if _parameters_cell(load_notebook(path)) is not None]
        raise TrustError(f"there is no chapter {name!r}{_nearest(name, names)}; there is {', '.join(names) or 'none'}")
    return chapter


def values_for(chapter: Chapter, given: Iterable[Sequence[str]]) -> dict[str, Any]:
    """The values of ``(name, text)`` pairs; TrustError for an unknown or repeated name, or a bad value."""
    values: dict[str, Any] = {}
    for name, text in given:
        if name in values:
            raise TrustError(f"{chapter.name}: the parameter {name} is given twice")
        values[name] = _in_chapter(chapter, parse_value, name, text)
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
        values[name] = _in_chapter(chapter, parse_values, name, listed)
    return values


def describe(chapters: Iterable[Chapter]) -> str:
    """A table for people: each chapter with its parameters, their types, defaults and help."""
    return "\n\n".join(_describe(chapter) for chapter in chapters)


def _describe(chapter: Chapter) -> str:
    rows = [(p.name, p.type_name, repr(p.default), p.help) for p in chapter.parameters]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    lines = ["  " + "  ".join([*(row[i].ljust(widths[i]) for i in range(3)), row[3]]).rstrip() for row in rows]
    return "\n".join([f"{chapter.name}: {chapter.title}", *lines])


def _in_chapter(chapter: Chapter, parse: Any, name: str, text: str) -> Any:
    """Parse a value, with the chapter's name in front of a complaint about it."""
    parameter = chapter.parameter(name)
    try:
        return parse(parameter, text)
    except TrustError as error:
        raise TrustError(f"{chapter.name}: {error}") from None


def _listed(contents: Any) -> Iterator[str]:
    """The files that a table of contents names, wherever in it."""
    if isinstance(contents, dict):
        yield from (contents[key] for key in ("root", "file") if key in contents)
        yield from (file for key, part in contents.items() if key not in ("root", "file") for file in _listed(part))
    elif isinstance(contents, list):
        yield from (file for part in contents for file in _listed(part))


def _parameters_cell(notebook: Any) -> Any:
    """The first code cell tagged ``parameters``, as papermill finds it, or None."""
    cells = (cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", []))
    return next(cells, None)


def _title(notebook: Any, default: str) -> str:
    """The first top-level heading."""
    lines = (line for cell in notebook.cells if cell.cell_type == "markdown" for line in cell.source.splitlines())
    return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), default)


def _nearest(name: str, names: Sequence[str]) -> str:
    """A guess at what was meant."""
    near = get_close_matches(name, names, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
