"""The numbers and captions of a chapter's prose, for everybody who does not read it in JupyterLab.

There the prose quotes a number by an expression, ``{eval}`said["width"]```, and an empty ``{figure}`` under a code cell
gives that cell's picture its number and caption. Here the expressions are evaluated in a last cell that nobody sees and
their values written in their places (:func:`ask`, :func:`answer`), and captions are moved to where MyST-NB looks for
them (:func:`move_captions`).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..errors import TrustError
from ..extras import need
from .notebook import ELLIPSIS, escaped

__all__ = ["answer", "ask", "captions", "describe", "expressions", "move_captions"]

MIME = "application/vnd.trust-helpers.said+json"
CODE_SPAN = r"(?<!`)(`{2,})(?!`).*?(?<!`)\1(?!`)"
QUOTED = re.compile(CODE_SPAN + r"|\{eval\}`([^`\n]+)`")
FENCE = re.compile(r" *(`{3,}|~{3,}|:{3,})(.*)")
FIGURE = re.compile(r"\s*:::\{figure\}[ \t]*\n((?::[\w-]+:[^\n]*\n)*)(.*?)\n?:::[ \t]*(?:\n+|\Z)", re.DOTALL)


def ask(notebook: Any) -> None:
    """Append the cell that evaluates every expression that the prose, or Markdown that code prints, quotes."""
    asked = {expression: expression for expression in expressions(notebook)}
    if asked:
        shown = f"display({{{MIME!r}: get_ipython().user_expressions({asked!r})}}, raw=True)"
        source = f"from IPython import get_ipython\nfrom IPython.display import display\n\n{shown}"
        tags = {"tags": ["remove-cell"]}
        notebook.cells.append(need("nbformat", "book").v4.new_code_cell(source, metadata=tags))


def expressions(notebook: Any) -> list[str]:
    """Every expression that a notebook's prose, or Markdown that its code prints, quotes; each once."""
    texts = [source for cell in notebook.cells for source in _texts(cell)]
    return list(dict.fromkeys(expression for text in texts for expression in _expressions(text)))


def answer(notebook: Any) -> None:
    """Take the last cell away again, and write its answers where they are quoted; TrustError if one is not known."""
    if not (notebook.cells and MIME in notebook.cells[-1].source):
        return
    found = [output.data[MIME] for output in notebook.cells.pop().outputs if MIME in output.get("data", {})]
    if not found:  # the notebook did not run to its end
        return
    known = {expression: _text(expression, result) for expression, result in found[0].items()}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _written(cell.source, known)
        for output in cell.get("outputs", []):
            for kind in {"text/markdown", "text/html"} & output.get("data", {}).keys():
                output.data[kind] = _written(output.data[kind], known)
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if "caption" in figure:
            figure["caption"] = _written(figure["caption"], known)


def move_captions(notebook: Any) -> None:
    """Move every ``{figure}`` without a picture that begins a text into the metadata of the code cell above it."""
    for above, cell, found, options in captions(notebook):
        name = {key: options[key] for key in ("name",) if key in options}
        describe(above, options)
        above.metadata["mystnb"]["figure"] = {"caption": found[2].strip()} | name
        cell.source = cell.source[found.end() :]


def captions(notebook: Any) -> Iterator[tuple[Any, Any, re.Match[str], dict[str, str]]]:
    """Every code cell with a caption below it, the text that the caption begins, the caption, and its options."""
    for above, cell in zip(notebook.cells, notebook.cells[1:], strict=False):
        found = FIGURE.match(cell.source) if cell.cell_type == "markdown" else None
        if found:
            options = dict(re.findall(r"^:([\w-]+):[ \t]*(.*?)[ \t]*$", found[1], re.MULTILINE))
            if above.cell_type != "code":
                raise TrustError(f"the caption {options.get('name', found[2])!r} stands under no code cell")
            yield above, cell, found, options


def describe(cell: Any, options: Mapping[str, str]) -> None:
    """Give a code cell's picture its alternative text and width, where MyST-NB and the page of a run look for them."""
    image = {key: options[key] for key in ("alt", "width") if key in options}
    cell.metadata["mystnb"] = cell.metadata.get("mystnb", {}) | {"image": image}


def _texts(cell: Any) -> list[str]:
    return [cell.source, str(cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", ""))]


def _expressions(text: str) -> list[str]:
    found: list[str] = []

    def value(expression: str, line: str) -> str:
        found.append(expression)
        return ""

    _replaced(text, value)
    return found


def _written(text: str, known: dict[str, str]) -> str:
    def value(expression: str, line: str) -> str:
        return known[expression] if line.startswith(":alt:") else escaped(known[expression])

    return _replaced(text, value)


def _replaced(text: str, value: Callable[[str, str], str]) -> str:
    """The text with every quoted expression replaced, save in code."""
    fences: list[tuple[str, str]] = []
    lines = text.split("\n")
    for i, line in enumerate(lines):
        fence = FENCE.fullmatch(line)
        if fence and fences and fence[1].startswith(fences[-1][0]) and not fence[2].strip():
            fences.pop()
        elif fence and not _is_code(fences):
            fences.append((fence[1], fence[2].strip()))
        if not _is_code(fences):
            lines[i] = QUOTED.sub(lambda found: found[0] if found[1] else _in_place(found, value), line)
    return "\n".join(lines)


def _is_code(fences: list[tuple[str, str]]) -> bool:
    """Whether the innermost open fence is one of code."""
    return bool(fences) and (not fences[-1][1].startswith("{") or fences[-1][1].startswith("{code"))


def _in_place(found: re.Match[str], value: Callable[[str, str], str]) -> str:
    """The text of an expression; a number that begins a line and ends a sentence is no number of a list."""
    text, line = value(found[2], found.string), found.string
    begins = text.isdigit() and not line[: found.start()].strip()
    return text + "\\" if begins and line[found.end() :].startswith((".", ")")) else text


def _text(expression: str, result: Any) -> str:
    """What JupyterLab shows for an expression: its repr without the quotes around it."""
    if result["status"] != "ok":
        raise TrustError(f"{{eval}}`{expression}` raises {result['ename']}: {result['evalue']}")
    text = str(result["data"]["text/plain"])
    if ELLIPSIS in text:
        raise TrustError(f"{{eval}}`{expression}` is never recorded")
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
