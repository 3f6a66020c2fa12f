"""A chapter's notebook for whoever opens it without the book: plain Markdown that every notebook tool understands.

JupyterLab by itself and nbconvert show ``{math}``, boxes and references as they are typed. :func:`plain_notebook`
numbers equations, statements, figures and tables as they come, writes references as text, turns boxes into HTML, and
says in a first cell how to run the notebook. It knows what the chapters use; of anything else it keeps the title and
the content.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from ..extras import need
from .prose import captions, describe

__all__ = ["plain_markdown", "plain_notebook", "read_labels"]

FIRST = """\
*A notebook of the book on TRUST. To run it, install the package that it imports: in the folder of the project,
`python -m pip install '.[book]'`. The numbers in its text are those of the run that wrote it.*"""
OPENING = re.compile(r"^( *)(`{3,}|:{3,})\{([\w:-]+)\}[ \t]*(.*)$")
OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")
ROLE = re.compile(r"(?<!`)\{([a-z][\w:-]*)\}`([^`]+)`")
DOLLARS = re.compile(r"\$\$((?:(?!\$\$).)+)\$\$[ \t]*\(([\w:-]+)\)", re.DOTALL)
PAGE_LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)[^)\s]*\.(?:md|ipynb)[^)\s]*\)")
TARGET = re.compile(r"^\([\w:.-]+\)=[ \t]*$", re.MULTILINE)
TABLE = re.compile(r":::\{table\} ([^\n]+)\n:name: (\S+)\n")


def plain_notebook(notebook: Any) -> None:
    """Write the prose of an executed notebook as plain Markdown, in place, and put a cell about it in front."""
    labels = read_labels(_sources(notebook))
    for above, _, _, options in captions(notebook):
        describe(above, options)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain_markdown(cell.source, labels)
        for output in cell.get("outputs", []):
            _number_table(output, labels)
    first = need("nbformat", "book").v4.new_markdown_cell(FIRST, id="how-to-run")
    notebook.cells.insert(0, first)


def _sources(notebook: Any) -> Iterator[str]:
    """The texts of a notebook in their order, the tables that its code shows between them."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.source
        for output in cell.get("outputs", []):
            if found := TABLE.match(output.get("data", {}).get("text/markdown", "")):
                yield found[0]


def _number_table(output: Any, labels: Mapping[str, str]) -> None:
    found = TABLE.match(output.get("data", {}).get("text/markdown", ""))
    if found and found[2] in labels and "text/html" in output.data:
        text = escape(plain_markdown(found[1], labels), quote=False)
        caption = f"<caption><b>{escape(labels[found[2]])}.</b> {text}</caption>"
        before, _, after = output.data["text/html"].partition("<caption>")
        output.data["text/html"] = before + caption + after.partition("</caption>")[2]


def read_labels(sources: Iterable[str]) -> dict[str, str]:
    """What to call each labelled equation, statement, figure and table of a chapter: ``(2)``, ``Theorem 1``."""
    text, labels, counts = "\n\n".join(sources), {}, Counter[str]()
    kinds, name = r"math|prf:\w+|(?:glue:)?figure|table", "(?:label|name):"
    block = rf"^ *(?:`{{3,}}|:{{3,}})\{{({kinds})\}}[^\n]*\n(?: *:(?!{name})[^\n]*\n)* *:{name} *(\S+)"
    dollars = r"\$\$(?:(?!\$\$).)+(\$\$)[ \t]*\(([\w:-]+)\)"
    for match in re.finditer(f"{block}|{dollars}", text, re.MULTILINE | re.DOTALL):
        kind, label = match[1] or "math", match[2] or match[4]
        kind = kind.removeprefix("prf:").removeprefix("glue:").capitalize()
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
        end = next((i for i, other in enumerate(lines) if _closes(fence, other)), len(lines))
        body = [other.removeprefix(indent) for other in lines[:end]]
        done += ["", textwrap.indent(_directive(name, title.strip(), body, labels), indent), ""]
        del lines[: end + 1]
    return "\n".join(done)


def _closes(fence: str, line: str) -> bool:
    """Whether a line ends the block that ``fence`` began."""
    line = line.strip()
    return len(line) >= len(fence) and set(line) == {fence[0]}


def _directive(name: str, title: str, lines: list[str], labels: Mapping[str, str]) -> str:
    """One directive as Markdown and HTML."""
    options, body = _options(lines)
    label = labels.get(options.get("label", options.get("name", "")))
    if name == "math":
        return _equation("\n".join(body).strip(), label)
    if name == "figure":
        text = _blocks("\n".join(body).strip(), labels)
        picture = f"![{options.get('alt', '')}]({title})\n\n" if "." in title else ""
        return picture + (f"**{label}.** {text}" if label else text)
    if name in ("code", "code-block"):
        return "\n".join([f"```{title}", *body, "```"])
    if name.startswith("prf:"):
        title = (label or name[4:].capitalize()) + (f" ({title})" if title else "")
    return _box(title or name.capitalize(), _blocks("\n".join(body), labels), "dropdown" in options.get("class", ""))


def _options(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """The ``:name: value`` lines that a directive begins with, and what follows them."""
    options: dict[str, str] = {}
    for i, line in enumerate(lines):
        match = OPTION.match(line)
        if not match:
            return options, lines[i:]
        options[match[1]] = match[2]
    return options, []


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
