"""The whole book as one PDF: ``python book/_ext/printed.py`` after ``make book``.

The articles of all pages become one long page, in the order of the contents, whose links lead within it; a Chromium
without a window prints it, and its headings become the bookmarks. Code that is folded away on the screen is left out,
what it shows is not; solutions and proofs are open. Jupyter Book's own builder, ``pdfhtml``, prints raw TeX without a
style sheet, since its one page looks for both in the wrong folder, and neither bookmarks nor page numbers.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any
from urllib.parse import urldefrag

from bs4 import BeautifulSoup

from trust_helpers import TrustError
from trust_helpers.book.execute import book_folder, find_pages

ON_A_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", ON_A_MAC))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]  # fmt: skip
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


def joined_pages(html: Path, pages: Sequence[str]) -> str:
    """One page with the articles of all, on the first page's styles and scripts."""
    texts = ((html / f"{page}.html").read_text(encoding="utf-8") for page in pages)
    soups: list[Any] = [BeautifulSoup(text, "html.parser") for text in texts]
    articles, first = [soup.select_one("article.bd-article") for soup in soups], soups[0]
    home = first.new_tag("article", attrs={"class": "bd-article"})
    articles[0].replace_with(home)
    for page, article in zip(pages, articles, strict=True):
        _within(article, page, pages)
        article.name, article["class"], article["id"] = "section", "printed-page", _anchor(page)
        home.append(article)
    style = first.new_tag("style")
    style.string = PRINTED
    first.head.append(style)
    return str(first)


def print_book(html: Path, pages: Sequence[str], target: Path) -> None:
    """Write the PDF; TrustError if there is no Chromium."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise TrustError("printing the book needs Chromium: apt-get install chromium")
    whole = (html / f"{pages[0]}_printed.html").absolute()
    whole.write_text(joined_pages(html, pages), encoding="utf-8")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page()
            page.goto(whole.as_uri(), wait_until="load", timeout=PATIENCE)
            page.wait_for_function("MathJax.startup.promise.then(() => true)", timeout=PATIENCE)
            page.pdf(
                path=target, format="A4", scale=0.82, outline=True, tagged=True, print_background=True,
                display_header_footer=True, header_template="<span></span>", footer_template=FOOT,
                margin={"top": "18mm", "bottom": "18mm", "left": "18mm", "right": "18mm"},
            )  # fmt: skip
            browser.close()
    finally:
        whole.unlink()


def _anchor(page: str) -> str:
    return "page-" + page.replace("/", "-")


def _within(article: Any, page: str, pages: Sequence[str]) -> None:
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
            picture["src"] = relpath(join(dirname(page), picture["src"]), dirname(pages[0]))


def _inner(address: str, page: str, pages: Sequence[str]) -> str:
    """An address as a place in the joined page, if it is one."""
    path, anchor = urldefrag(address)
    if "://" in path or path.startswith("mailto:"):
        return address
    target = normpath(join(dirname(page), path)).removesuffix(".html") if path else page
    if target not in pages:
        return "#" + _anchor(page)
    return f"#{_anchor(target)}--{anchor}" if anchor else f"#{_anchor(target)}"


def main() -> None:
    """Print the book that ``make book`` rendered into ``_build/html``."""
    book = book_folder()
    pages = [page.relative_to(book.parent).with_suffix("").as_posix() for page in find_pages(book)]
    target = book.parent / "_build" / "trust.pdf"
    print_book(book.parent / "_build" / "html", pages, target)
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
