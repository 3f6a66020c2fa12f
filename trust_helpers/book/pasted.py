"""Figures and tables of an executed notebook with their numbers and captions, for a page without Sphinx.

In the book Sphinx pastes what ``{glue:figure}`` names, and numbers every figure and table. Here the same is done to the
notebook itself.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from .myst import plain_markdown

__all__ = ["as_address", "label_sources", "number_captions", "pasted_pictures"]

GLUED = re.compile(r'<img alt="([^"]*)" src="glue:([^"]+)" ?/?>')


def as_address(svg: str) -> str:
    """A drawing as an address that an ``img`` can show: inside the page the names in two drawings would clash."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def label_sources(node: Any) -> Iterator[str]:
    """The texts of a notebook in their order, with the names of what its code cells show as directives between them."""
    for cell in node.cells:
        if cell.cell_type == "markdown":
            yield cell.source
        else:
            name = _figure(cell).get("name")
            yield from [f":::{{glue:figure}} it\n:name: {name}\n:::"] if name else []
            yield from (text for output in cell.outputs if (text := _table(output)))


def number_captions(node: Any, numbers: Mapping[str, str], labels: Mapping[str, str]) -> None:
    """Write number and caption under every figure, and the number into every table's caption, in place."""
    for cell in node.cells:
        if cell.cell_type != "code":
            continue
        figure = _figure(cell)
        if figure.get("caption"):
            text = plain_markdown(str(figure["caption"]).strip(), numbers, labels)
            said = {"text/markdown": f"**{labels.get(figure.get('name', ''), 'Figure')}.** {text}"}
            cell.outputs = [*cell.outputs, type(node)(output_type="display_data", metadata={}, data=said)]
        for output in cell.outputs:
            _number_table(output, numbers, labels)


def pasted_pictures(node: Any, html: str) -> str:
    """The page with every picture that a cell showed under a name also where the text asks for it."""
    shown = {}
    for output in (output for cell in node.cells for output in cell.get("outputs", [])):
        name = output.get("metadata", {}).get("scrapbook", {}).get("name")
        if name and ("image/svg+xml" in output.get("data", {}) or "text/html" in output.get("data", {})):
            shown[name] = output.data
    return GLUED.sub(lambda match: _picture(shown.get(match[2], {}), match[1]), html)


def _picture(data: Mapping[str, str], alt: str) -> str:
    if "text/html" in data:
        return data["text/html"]
    if "image/svg+xml" in data:
        return f'<img alt="{alt}" src="{as_address(data["image/svg+xml"])}">'
    return ""


def _figure(cell: Any) -> Mapping[str, Any]:
    return cell.metadata.get("mystnb", {}).get("figure", {})


def _table(output: Any) -> str:
    """The MyST of a table among the outputs, or nothing."""
    text = str(output.get("data", {}).get("text/markdown", ""))
    return text if text.startswith(":::{table}") else ""


def _number_table(output: Any, numbers: Mapping[str, str], labels: Mapping[str, str]) -> None:
    said = re.match(r":::\{table\} ([^\n]+)\n:name: (\S+)\n", _table(output))
    if said and said[2] in labels:
        text = escape(plain_markdown(said[1], numbers, labels), quote=False)
        caption = f"<caption><b>{escape(labels[said[2]])}.</b> {text}</caption>"
        html = output["data"]["text/html"]
        output["data"]["text/html"] = html[: html.index("<caption>")] + caption + html.partition("</caption>")[2]
