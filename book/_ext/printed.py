"""The whole book as one PDF: ``python book/_ext/printed.py`` after ``make book``.

The articles of all pages become one long page, in the order of the contents, whose links lead within it; a Chromium
without a window prints it, and its headings become the bookmarks. Code that is folded away on the screen is left out,
what it shows is not; solutions and proofs are open. Jupyter Book's own builder, ``pdfhtml``, prints raw TeX without a
style sheet, since its one page looks for both in the wrong folder, and neither bookmarks nor page numbers.
"""

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urldefrag

from trust_helpers import TrustError
from trust_helpers.extras import need

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PRINTED = """
section.printed-page { break-before: page; }
section.printed-page:first-of-type { break-before: auto; }
#jb-print-docs-body { display: none !important; }
.bd-article section > h1 { display: block !important; }
.bd-article { max-width: none; padding: 0; }
.bd-main, .bd-content, .bd-article-container { max-width: none !important; display: block !important; }
"""
PATIENCE = 300_000  # milliseconds: all pages at once, on a machine that may be busy
FOOT = '<div style="font-size: 8px; width: 100%; text-align: center"><span class="pageNumber"></span></div>'


def pages_of(contents: Mapping[str, Any]) -> list[str]:
    """The pages that a table of contents names, in its order.

    >>> pages_of({"root": "book/index", "parts": [{"chapters": [{"file": "a", "sections": [{"file": "b"}]}]}]})
    ['book/index', 'a', 'b']
    """
    found = [contents[key] for key in ("root", "file") if key in contents]
    for key in ("parts", "chapters", "sections"):
        for child in contents.get(key, ()):
            found += pages_of(child)
    return found


def joined_pages(html: Path, pages: Sequence[str]) -> str:
    """One page with the articles of all, on the first page's styles and scripts."""
    soup = need("bs4", "book").BeautifulSoup
    first = soup((html / f"{pages[0]}.html").read_text(encoding="utf-8"), "html.parser")
    home = first.select_one("article.bd-article")
    home.clear()
    for page in pages:
        one = soup((html / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
        article = one.select_one("article.bd-article")
        _within(article, page, pages[0], set(pages))
        article.name, article["class"], article["id"] = "section", "printed-page", _anchor(page)
        home.append(article)
    style = first.new_tag("style")
    style.string = PRINTED
    first.head.append(style)
    return str(first)


def print_book(html: Path, pages: Sequence[str], target: Path) -> None:
    """Write the PDF; TrustError if there is no Chromium."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        raise TrustError("printing the book needs Chromium: apt-get install chromium")
    start = need("playwright.sync_api", "dev").sync_playwright
    whole = (html / f"{pages[0]}_printed.html").absolute()
    whole.write_text(joined_pages(html, pages), encoding="utf-8")
    try:
        with start() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page()
            page.goto(whole.as_uri(), wait_until="load", timeout=PATIENCE)
            page.wait_for_function("MathJax.startup.promise.then(() => true)", timeout=PATIENCE)
            page.pdf(
                path=target, format="A4", scale=0.82, outline=True, tagged=True, print_background=True,
                display_header_footer=True, header_template="<span></span>", footer_template=FOOT,
                margin=dict.fromkeys(("top", "bottom", "left", "right"), "18mm"),
            )  # fmt: skip
            browser.close()
    finally:
        whole.unlink()


def _anchor(page: str) -> str:
    return "page-" + page.replace("/", "-")


def _within(article: Any, page: str, first: str, pages: set[str]) -> None:
    """Give the names of an article its page's prefix, and lead its links to where the pages now are; in place."""
    for element in article.select("[id]"):
        element["id"] = f"{_anchor(page)}--{element['id']}"
    for clipped in article.select("[clip-path]"):
        clipped["clip-path"] = clipped["clip-path"].replace("#", f"#{_anchor(page)}--")
    for fold in article.select("div.tag_hide-cell details"):
        fold["open"] = ""
    for link in article.select("a[href]"):
        link["href"] = _inner(link["href"], page, pages)
    for picture in article.select("img[src]"):
        if not picture["src"].startswith("data:"):
            picture["src"] = _seen_from(first, _resolved(page, picture["src"]))


def _inner(address: str, page: str, pages: set[str]) -> str:
    """An address as a place in the joined page, if it is one."""
    path, anchor = urldefrag(address)
    if "://" in path or path.startswith("mailto:"):
        return address
    target = _resolved(page, path).removesuffix(".html") if path else page
    if target not in pages:
        return "#" + _anchor(page)
    return f"#{_anchor(target)}--{anchor}" if anchor else f"#{_anchor(target)}"


def _resolved(page: str, path: str) -> str:
    """A path seen from a page, as seen from the folder of all pages."""
    parts: list[str] = list(PurePosixPath(page).parent.parts)
    for part in PurePosixPath(path).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _seen_from(page: str, path: str) -> str:
    return "../" * page.count("/") + path


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the book that ``make book`` rendered into ``_build/html``."""
    root = Path(__file__).resolve().parents[2]
    contents = need("yaml", "book").safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    target = Path(*(arguments or [])) if arguments else root / "_build" / "trust.pdf"
    print_book(root / "_build" / "html", pages_of(contents), target)
    print(f"wrote {target}")


if __name__ == "__main__":
    main(sys.argv[1:])
