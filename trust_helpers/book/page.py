"""An executed chapter as one HTML file that needs nothing beside it, not even a network.

nbconvert makes the page. Its own template loads require.js, MathJax, Mermaid and the widgets' code from other people's
servers; here the first and the last two are left out, and MathJax is written into the page, from the copy that
``sphinx-mathjax-offline`` installs, in the variant that draws formulas as SVG and so needs no font files.
"""

import base64
import importlib.util
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import Any

from ..extras import MissingExtra, need
from ..outputs import write_whole
from .notebook import PREFIX

__all__ = ["need_page_tools", "write_page"]

IMAGE = re.compile(r'(<img\b[^>]*\bsrc=")(?!\w+:)([^"]+)')  # by a path, not by a URL
TEMPLATE = """
{%- extends 'lab/index.html.j2' -%}
{%- block html_head_js_requirejs -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block jupyter_widgets -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}
<script>
window.MathJax = {
  tex: {inlineMath: [['$', '$'], ['\\\\(', '\\\\)']], processEscapes: true},
  svg: {fontCache: 'global'},
  options: {enableMenu: false}
};
</script>
<script>{{ resources.mathjax }}</script>
<style>
main { max-width: 60rem; margin: auto; }
.box { border-left: 0.25rem solid #0072b2; background: #f4f6f8; padding: 0.25rem 1rem; margin: 1rem 0; }
summary { cursor: pointer; font-weight: bold; font-family: var(--jp-content-font-family); }
caption { text-align: left; }
mjx-container[display="true"], .jp-RenderedMarkdown table { overflow-x: auto; max-width: 100%; }
.jp-InputArea-editor { overflow-x: auto; }
</style>
{%- endblock -%}
{%- block codecell -%}
{%- if 'hide-cell' in cell.metadata.get('tags', []) -%}
<details><summary>{{ cell.metadata.get('mystnb', {}).get('code_prompt_show', 'Code') | escape }}</summary>{{ super() }}
</details>
{%- else -%}{{ super() }}{%- endif -%}
{%- endblock -%}
{%- block input_group -%}
{%- if 'hide-input' in cell.metadata.get('tags', []) -%}
<details><summary>{{ cell.metadata.get('mystnb', {}).get('code_prompt_show', 'Code') | escape }}</summary>{{ super() }}
</details>
{%- else -%}{{ super() }}{%- endif -%}
{%- endblock -%}
{%- block data_png scoped -%}
<div class="jp-RenderedImage jp-OutputArea-output">
<img src="data:image/png;base64,{{ output.data['image/png'] | replace('\\n', '') }}"
 alt="{{ cell.metadata.get('mystnb', {}).get('image', {}).get('alt', 'a figure') | escape }}">
</div>
{%- endblock -%}
{%- block data_svg scoped -%}
<div class="jp-RenderedImage jp-OutputArea-output">
<img src="{{ output.data['image/svg+xml'] | as_address }}"
 alt="{{ cell.metadata.get('mystnb', {}).get('image', {}).get('alt', 'a figure') | escape }}">
</div>
{%- endblock -%}
"""


def write_page(notebook: Path, title: str, folder: Path) -> Path:
    """Write the page of an executed plain notebook beside it, with the pictures it has in ``folder``; its path."""
    node = need("nbformat", "book").read(notebook, as_version=4)
    for cell in (cell for cell in node.cells if cell.cell_type == "code"):
        cell.outputs = [output for output in cell.outputs if PREFIX + "text/plain" not in output.get("data", {})]
    resources = {"metadata": {"name": title, "path": str(folder)}, "mathjax": _mathjax()}
    html, _ = _exporter().from_notebook_node(node, resources)
    page = notebook.with_suffix(".html")
    write_whole(page, IMAGE.sub(lambda match: _embedded(match, folder), html))
    return page


def need_page_tools() -> None:
    """TrustError unless everything a page is made with is installed."""
    need("nbconvert", "book")
    _mathjax()


def _exporter() -> Any:
    """An nbconvert exporter with the template above, honouring the tags that hide parts of a cell."""
    loader = need("jinja2", "book").DictLoader({"chapter.html.j2": TEMPLATE})
    tags = {"remove_cell_tags": {"remove-cell"}, "remove_input_tags": {"remove-input"}}
    tags |= {"remove_all_outputs_tags": {"remove-output"}}
    return need("nbconvert", "book").HTMLExporter(
        filters={"as_address": _as_address},
        extra_loaders=[loader],
        template_file="chapter.html.j2",
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


def _as_address(svg: str) -> str:
    """A drawing as an address that an ``img`` can show: inside the page the names in two drawings would clash."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _embedded(image: re.Match[str], folder: Path) -> str:
    """An image written into the page; nbconvert's ``embed_images`` would also close every box where it opens."""
    file = folder / image[2]
    if not file.is_file():
        return image[0]
    mime = mimetypes.guess_type(file)[0] or "application/octet-stream"
    return f"{image[1]}data:{mime};base64,{base64.b64encode(file.read_bytes()).decode()}"
