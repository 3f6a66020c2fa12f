"""The book's MyST Markdown as the plain Markdown that every notebook tool understands.

JupyterLab and nbconvert show ``{glue:text}`` and ``{math}`` as they are typed. This puts the recorded numbers where the
prose quotes them, numbers equations and theorems as they come, and turns boxes into HTML. It knows what the chapters
use; of anything else it keeps the title and the content.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

__all__ = ["plain_markdown", "read_labels"]

OPENING = re.compile(r"^( *)(`{3,}|:{3,})\{([\w:-]+)\}[ \t]*(.*)$")
OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")
ROLE = re.compile(r"(?<!`)\{([a-z][\w:-]*)\}`([^`]+)`")
DOLLARS = re.compile(r"\$\$((?:(?!\$\$).)+)\$\$[ \t]*\(([\w:-]+)\)", re.DOTALL)
PAGE_LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)[^)\s]*\.md[^)\s]*\)")
TARGET = re.compile(r"^\([\w:.-]+\)=[ \t]*$", re.MULTILINE)


def read_labels(sources: Iterable[str]) -> dict[str, str]:
    """What to call each labelled equation, statement, figure and table of a chapter: ``(2)``, ``Theorem 1``."""
    text, labels, counts = "\n\n".join(sources), {}, Counter[str]()
    kinds, name = r"math|prf:\w+|glue:figure|figure|table", "(?:label|name):"
    block = rf"^ *(?:`{{3,}}|:{{3,}})\{{({kinds})\}}[^\n]*\n(?: *:(?!{name})[^\n]*\n)* *:{name} *(\S+)"
    dollars = r"\$\$(?:(?!\$\$).)+(\$\$)[ \t]*\(([\w:-]+)\)"
    for match in re.finditer(f"{block}|{dollars}", text, re.MULTILINE | re.DOTALL):
        kind, label = match[1] or "math", match[2] or match[4]
        kind = kind.removeprefix("prf:").removeprefix("glue:").capitalize()
        counts[kind] += 1
        labels[label] = f"({counts[kind]})" if kind == "Math" else f"{kind} {counts[kind]}"
    return labels


def plain_markdown(source: str, recorded: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """One cell's text without directives and roles: ``recorded`` are the quoted numbers, ``labels`` the references."""
    text = DOLLARS.sub(lambda match: _equation(match[1].strip(), labels.get(match[2])), _blocks(source, labels))
    text = ROLE.sub(lambda match: _role(match[1], match[2], recorded, labels), TARGET.sub("", text))
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
    if name == "glue:figure":  # the picture itself is known to the page alone
        caption = "\n".join(body).strip()
        return f'<img alt="{escape(options.get("alt", ""))}" src="glue:{title}">\n\n' + _caption(label, caption)
    if name in ("figure", "image"):
        return f"![{options.get('alt', '')}]({title})\n\n" + _blocks("\n".join(body), labels)
    if name in ("code", "code-block"):
        return "\n".join([f"```{title}", *body, "```"])
    if name.startswith("prf:"):
        title = (label or name[4:].capitalize()) + (f" ({title})" if title else "")
    return _box(title or name.capitalize(), _blocks("\n".join(body), labels), "dropdown" in options.get("class", ""))


def _caption(label: str | None, text: str) -> str:
    """A caption with its number."""
    return f"**{label}.** {text}" if label else text


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


def _as_text(work: str) -> str:
    """Authors and year as part of a sentence."""
    authors, _, year = work.rpartition(" ")
    return f"{authors} ({year})" if authors else work


def _role(name: str, text: str, recorded: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """One role as Markdown."""
    if name.startswith("glue"):
        return recorded.get(text, text)
    if name.startswith("cite"):
        works = [labels.get(f"cite:{key.strip()}", key.strip()) for key in text.split(",")]
        return " and ".join(map(_as_text, works)) if name == "cite:t" else f"({'; '.join(works)})"
    if name == "math":
        return f"${text}$"
    titled = re.fullmatch(r"(.*\S)\s*<[^<>]+>", text)
    if titled:
        return titled[1]
    return labels[text] if text in labels else f"`{text.lstrip('~')}`"
