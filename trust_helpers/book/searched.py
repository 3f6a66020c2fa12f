"""Search that shows a line of what it found, in a book opened from a file too; a Sphinx extension.

Sphinx's search fetches every page it found to quote from it, and a browser lets no page fetch another from a disk. So
the text of all pages is written beside the search, as a script that answers in their place.
"""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from ..extras import need

__all__ = ["FILE", "setup", "text_of_page", "write_texts"]

FILE = "searched.js"
SCRIPT = """const texts = %s;
const ask = window.fetch;
window.fetch = function (address, ...more) {
  const path = new URL(address, window.location).pathname;
  const page = Object.keys(texts).find((name) => path.endsWith("/" + name));
  return page ? Promise.resolve(new Response(texts[page])) : ask(address, ...more);
};
"""


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def text_of_page(html: str) -> str:
    """What a page says, without what only its machinery needs, where Sphinx's search looks for it.

    >>> text_of_page('<article class="bd-article"><p>a &lt; b<a class="headerlink">#</a></p></article>')
    '<div role="main">a &lt; b</div>'
    """
    article = need("bs4", "book").BeautifulSoup(html, "html.parser").select_one("article.bd-article")
    if article is None:
        return ""
    for part in article.select("script, style, .headerlink, details.hide"):
        part.decompose()
    return f'<div role="main">{escape(" ".join(article.get_text().split()), quote=False)}</div>'


def write_texts(html: Path, pages: Iterable[str]) -> None:
    """Write the script with the texts of the pages, given as addresses within the folder of the book."""
    found = {page: text_of_page((html / page).read_text(encoding="utf-8")) for page in pages}
    texts = json.dumps({page: text for page, text in found.items() if text}, ensure_ascii=False)
    (html / "_static" / FILE).write_text(SCRIPT % texts, encoding="utf-8")


def _add_script(app: Any, name: str, template: str, context: Any, document: Any) -> None:
    if name == "search":
        app.add_js_file(FILE)


def _write(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        write_texts(Path(app.outdir), [f"{name}.html" for name in sorted(app.env.found_docs)])
