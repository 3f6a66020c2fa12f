"""The prose of an executed chapter, for everybody who does not read it in JupyterLab.

There it quotes a number by an expression, ``{eval}`said["width"]```, and an empty ``{figure}`` under a code cell gives
that cell's picture its number and caption. :func:`ask` and :func:`answer` write the values in place of the expressions;
:func:`captions` finds the captions. :func:`plain_notebook` turns all of MyST that the chapters use into Markdown and
HTML that every notebook tool shows, numbers what is numbered, and says in a first cell how to run the notebook.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Any

from ..errors import TrustError
from ..extras import need
from .notebook import ELLIPSIS, escaped

MIME = "application/vnd.trust-helpers.said+json"
CODE_BLOCK = r"^ *(?P<fence>`{3,}|~{3,}|:{3,}) *(?:\w|\{code)(?s:.*?)^ *(?P=fence)[`~:]* *$"
CODE_SPAN = r"(?<!`)(?P<ticks>`{2,})(?!`).*?(?<!`)(?P=ticks)(?!`)"
QUOTED = re.compile(rf"{CODE_BLOCK}|{CODE_SPAN}|\{{eval\}}`(?P<asked>[^`\n]+)`", re.MULTILINE)
FIGURE = re.compile(r"\s*:::\{figure\}[ \t]*\n((?::[\w-]+:[^\n]*\n)*)(.*?)\n?:::[ \t]*(?:\n+|\Z)", re.DOTALL)
OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)

FIRST = """\
*A notebook of the book on TRUST. To run it, install the package that it imports: in the folder of the project,
`python -m pip install '.[book]'`. The numbers in its text are those of the run that wrote it.*"""
OPENING = re.compile(r"^( *)(`{3,}|:{3,})\{([\w:-]+)\}[ \t]*(.*)$")
ROLE = re.compile(r"(?<!`)\{([a-z][\w:-]*)\}`([^`]+)`")
DOLLARS = re.compile(r"\$\$((?:(?!\$\$).)+)\$\$[ \t]*\(([\w:-]+)\)", re.DOTALL)
PAGE_LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)[^)\s]*\.(?:md|ipynb)[^)\s]*\)")
TARGET = re.compile(r"^\([\w:.-]+\)=[ \t]*$", re.MULTILINE)
TABLE = re.compile(r":::\{table\} [^\n]+\n:name: \S+\n")
LABELLED = re.compile(
    r"^ *(?:`{3,}|:{3,})\{(math|prf:\w+|figure|table)\}[^\n]*\n(?: *:(?!label:|name:)[^\n]*\n)*"
    rf" *:(?:label|name): *(\S+)|{DOLLARS.pattern}",
    re.MULTILINE | re.DOTALL,
)


def ask(notebook: Any) -> None:
    """Append the cell that evaluates every expression that the prose, or Markdown that code prints, quotes."""
    asked = {expression: expression for expression in expressions(notebook)}
    if asked:
        shown = f"display({{{MIME!r}: get_ipython().user_expressions({asked!r})}}, raw=True)"
        source = f"from IPython import get_ipython\nfrom IPython.display import display\n\n{shown}"
        notebook.cells.append(need("nbformat", "book").v4.new_code_cell(source, metadata={"tags": ["remove-cell"]}))


def expressions(notebook: Any) -> list[str]:
    """Every expression that a notebook's prose, or Markdown that its code prints, quotes; each once."""
    found: dict[str, str] = {}
    for cell in notebook.cells:
        _replaced(cell.source, lambda asked, before: found.setdefault(asked, ""))
    return list(found)


def answer(notebook: Any) -> None:
    """Take the last cell away again, and write its answers where they are quoted; TrustError if one is not known."""
    if not (notebook.cells and MIME in notebook.cells[-1].source):
        return
    found = [output.data[MIME] for output in notebook.cells.pop().outputs if MIME in output.get("data", {})]
    if not found:  # the notebook did not run to its end
        return
    known = {expression: _text(expression, result) for expression, result in found[0].items()}

    def value(asked: str, before: str) -> str:
        return known[asked] if before.startswith(":alt:") else escaped(known[asked])

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _replaced(cell.source, value)
        for output in cell.get("outputs", []):
            for kind in {"text/markdown", "text/html"} & output.get("data", {}).keys():
                output.data[kind] = _replaced(output.data[kind], value)


def _text(expression: str, result: Any) -> str:
    """What JupyterLab shows for an expression: its repr without the quotes around it."""
    if result["status"] != "ok":
        raise TrustError(f"{{eval}}`{expression}` raises {result['ename']}: {result['evalue']}")
    text = str(result["data"]["text/plain"])
    if ELLIPSIS in text:
        raise TrustError(f"{{eval}}`{expression}` is never recorded")
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _replaced(text: str, value: Callable[[str, str], str]) -> str:
    """The text with every quoted expression replaced, save in code: by a value that may depend on the line before."""

    def place(found: re.Match[str]) -> str:
        if not found["asked"]:
            return found[0]
        before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        known = value(found["asked"], before)
        lists = known.isdigit() and not before.strip() and text.startswith((".", ")"), found.end())
        return known + "\\" if lists else known  # a number that begins a line would number a list

    return QUOTED.sub(place, text)


def captions(notebook: Any) -> Iterator[tuple[Any, Any, re.Match[str], dict[str, str]]]:
    """Every code cell with a caption below it, the text that the caption begins, the caption, and its options."""
    for above, cell in zip(notebook.cells, notebook.cells[1:], strict=False):
        found = FIGURE.match(cell.source) if cell.cell_type == "markdown" else None
        if found:
            options = dict(OPTION.findall(found[1]))
            if above.cell_type != "code":
                raise TrustError(f"the figure {options.get('name', '')!r} stands under no code cell")
            yield above, cell, found, options


def describe(cell: Any, options: Mapping[str, str]) -> None:
    """Give a code cell's picture its alternative text and width, where MyST-NB and the page of a run look for them."""
    image = {key: options[key] for key in ("alt", "width") if key in options}
    cell.metadata["mystnb"] = cell.metadata.get("mystnb", {}) | {"image": image}


def plain_notebook(notebook: Any) -> None:
    """Write the prose of an executed notebook as plain Markdown, in place, and put a cell about it in front."""
    labels = read_labels(_sources(notebook))
    for above, _, _, options in captions(notebook):
        describe(above, options)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain_markdown(cell.source, labels)
    notebook.cells.insert(0, need("nbformat", "book").v4.new_markdown_cell(FIRST, id="how-to-run"))


def _sources(notebook: Any) -> Iterator[str]:
    """The texts of a notebook in their order, the heads of the tables that its code shows between them."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.source
        shown = (TABLE.match(output.get("data", {}).get("text/markdown", "")) for output in cell.get("outputs", []))
        yield from (found[0] for found in shown if found)


def read_labels(sources: Iterable[str]) -> dict[str, str]:
    """What to call each labelled equation, statement, figure and table of a chapter: ``(2)``, ``Theorem 1``."""
    labels, counts = {}, Counter[str]()
    for match in LABELLED.finditer("\n\n".join(sources)):
        kind, label = (match[1] or "math").removeprefix("prf:").capitalize(), match[2] or match[4]
        counts[kind] += 1
        labels[label] = f"({counts[kind]})" if kind == "Math" else f"{kind} {counts[kind]}"
    return labels


def plain_markdown(source: str, labels: Mapping[str, str]) -> str:
    """One cell's text without directives and roles; ``labels`` are the references."""
    text = DOLLARS.sub(lambda match: _equation(match[1].strip(), labels.get(match[2])), _blocks(source, labels))
    text = ROLE.sub(lambda match: _role(match[1], match[2], labels), TARGET.sub("", text))
    return PAGE_LINK.sub(r"\1", text)


def _blocks(source: str, labels: Mapping[str, str]) -> str:
    """The text with every directive replaced, the ones inside others first."""
    lines, done = source.splitlines(), []
    while lines:
        line = lines.pop(0)
        match = OPENING.match(line)
        if not match:
            done.append(line)
            continue
        indent, fence, name, title = match.groups()
        closing = re.compile(rf"\s*{fence[0]}{{{len(fence)},}}\s*")
        end = next((i for i, other in enumerate(lines) if closing.fullmatch(other)), len(lines))
        body = [other.removeprefix(indent) for other in lines[:end]]
        done += ["", textwrap.indent(_directive(name, title.strip(), body, labels), indent), ""]
        del lines[: end + 1]
    return "\n".join(done)


def _directive(name: str, title: str, lines: list[str], labels: Mapping[str, str]) -> str:
    """One directive as Markdown and HTML; of one that the chapters do not use, the title and the content."""
    count = next((i for i, line in enumerate(lines) if not OPTION.match(line)), len(lines))
    options, body = dict(OPTION.findall("\n".join(lines[:count]))), "\n".join(lines[count:])
    label = labels.get(str(options.get("label", options.get("name"))))
    if name == "math":
        return _equation(body.strip(), label)
    if name.startswith("code"):
        return f"```{title}\n{body}\n```"
    body = _blocks(body.strip() if name == "figure" else body, labels)
    if name == "figure":
        picture = f"![{options.get('alt', '')}]({title})\n\n" if "." in title else ""
        return picture + (f"**{label}.** {body}" if label else body)
    if name.startswith("prf:"):
        title = (label or name[4:].capitalize()) + (f" ({title})" if title else "")
    return _box(title or name.capitalize(), body, "dropdown" in options.get("class", ""))


def _equation(body: str, number: str | None) -> str:
    """A displayed formula, its lines kept together as Sphinx does, with its number if it has one."""
    split = rf"\begin{{split}}{body}\end{{split}}" if r"\\" in body else body
    tag = rf"\tag{{{number.strip('()')}}}" if number else ""
    return f"$${split}{tag}$$"


def _box(title: str, body: str, folded: bool) -> str:
    """A box with a title, folded away if it should be; the empty lines let Markdown go on inside."""
    if folded:
        return f'<details class="box">\n<summary>{escape(title)}</summary>\n\n{body}\n\n</details>'
    return f'<div class="box">\n\n**{title}**\n\n{body}\n\n</div>'


def _role(name: str, text: str, labels: Mapping[str, str]) -> str:
    """One role as Markdown."""
    if name == "math":
        return f"${text}$"
    titled = re.fullmatch(r"(.*\S)\s*<[^<>]+>", text)
    if titled:
        return titled[1]
    return labels[text] if text in labels else f"`{text.lstrip('~')}`"
