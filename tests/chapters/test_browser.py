"""Every built page in a real browser: nothing from a network, nothing broken, nothing too wide."""

import functools
import os
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

HTML = Path(__file__).parents[2] / "_build" / "html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PAGES = sorted(p.relative_to(HTML).as_posix() for p in HTML.glob("book/*.html"))
EVERY_PAGE = pytest.mark.parametrize("path", [pytest.param(p, marks=pytest.mark.xdist_group(p)) for p in PAGES])

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium on this machine (apt-get install chromium)"
)


class Quiet(SimpleHTTPRequestHandler):
    """Serve files without writing to the terminal."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    assert PAGES, "the book is not built: make book"
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=HTML)) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}/"
        httpd.shutdown()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "CI must not skip the browser tests: no Chromium found"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Visit:
    """A page, what left the local server, and what it complained about."""

    def __init__(self, browser, server, path, width=1280):
        self.left, self.complaints = [], []
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.route("**/*", lambda route: self.check(route, server))
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda r: self.complaints.append(f"failed: {r.url}"))
        self.page.on("response", lambda r: self.complaints.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
        self.page.goto(server + path, wait_until="load")
        self.page.wait_for_function(
            "!document.querySelector('.math') || document.querySelectorAll('mjx-container').length > 0"
        )
        self.page.wait_for_function("!window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)")

    def check(self, route, server):
        if route.request.url.startswith((server, "data:", "blob:")):
            route.continue_()
        else:
            self.left.append(route.request.url)
            route.abort()


@pytest.fixture(scope="module")
def visit(browser, server):
    """Each page is opened once per width, and all its tests look at that."""
    return functools.cache(lambda path, width=1280: Visit(browser, server, path, width))


def test_every_chapter_was_built():
    sources = {p.stem for p in (HTML.parent.parent / "book").glob("*.md")}
    assert {Path(p).stem for p in PAGES} == sources


@EVERY_PAGE
def test_page_is_complete_without_a_network(visit, path):
    seen = visit(path)
    assert seen.left == []
    assert seen.complaints == []


@EVERY_PAGE
def test_all_mathematics_is_rendered(visit, path):
    page = visit(path).page
    bare = page.evaluate(
        "[...document.querySelectorAll('.math')].filter(m => !m.querySelector('mjx-container')).map(m => m.textContent)"
    )
    assert bare == []
    assert page.locator("mjx-merror").count() == 0


@EVERY_PAGE
def test_every_image_is_loaded_and_described(visit, path):
    page = visit(path).page
    broken = page.evaluate(
        "[...document.querySelectorAll('article img')]"
        ".filter(i => !(i.complete && i.naturalWidth > 0 && i.alt.trim().length > 10)).map(i => i.src.slice(0, 80))"
    )
    assert broken == []


@EVERY_PAGE
def test_nothing_is_wider_than_a_phone(visit, path):
    page = visit(path, width=390).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    hidden = page.evaluate(
        """[...document.querySelectorAll('article *')].filter(e => {
            const box = e.getBoundingClientRect();
            if (box.width === 0 || box.right <= 391) return false;
            for (let p = e; p && p !== document.body; p = p.parentElement) {
                const flow = getComputedStyle(p).overflowX;
                if (flow === 'auto' || flow === 'scroll' || flow === 'hidden') return false;
            }
            return !e.closest('mjx-assistive-mml');
        }).map(e => e.tagName + '.' + e.className)"""
    )
    assert hidden == []


@EVERY_PAGE
def test_links_resolve(visit, server, path):
    page = visit(path).page
    for link in page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"):
        target, anchor = urldefrag(urljoin(server + path, link))
        if not target.startswith(server):
            continue
        file = HTML / urlsplit(target).path.lstrip("/")
        file = file / "index.html" if file.is_dir() else file
        assert file.exists(), f"{path} links to {link}"
        if anchor and file.suffix == ".html":
            assert f'id="{anchor}"' in file.read_text(), f"{path} links to {link}"


@EVERY_PAGE
def test_the_executed_notebook_can_be_downloaded(visit, server, path):
    page = visit(path).page
    if page.locator("article div.cell").count() == 0:
        return  # a page without code has no notebook
    link = page.locator(f'article a[href$="{Path(path).stem}.ipynb"]').first.get_attribute("href")
    import nbformat

    target = HTML / urlsplit(urljoin(server + path, link)).path.lstrip("/")
    notebook = nbformat.read(target, as_version=4)
    assert all(c.execution_count for c in notebook.cells if c.cell_type == "code")


def test_the_radius_slider_moves(visit):
    page = visit("book/03_trust_regions.html").page
    slider, rim, best = (page.locator(f".triangle {part}") for part in ("input[type=range]", ".rim", ".best"))
    shares, label = page.locator(".triangle dd"), page.locator(".triangle output")
    before = rim.get_attribute("points"), best.get_attribute("cx"), label.inner_text()
    slider.focus()
    page.keyboard.press("End")
    assert (rim.get_attribute("points"), best.get_attribute("cx"), label.inner_text()) != before
    assert [share.strip() for share in shares.all_inner_texts()] == ["0\N{NO-BREAK SPACE}%"] * 2 + [
        "100\N{NO-BREAK SPACE}%"
    ]


def test_proofs_and_answers_open(visit):
    page = visit("book/01_lcb_failure.html").page
    proof = page.locator(".admonition.dropdown").first
    proof.locator(".admonition-title").click()
    assert proof.locator("p").nth(1).is_visible()
    answer = page.locator("details.hide, .cell details").first
    answer.locator("summary").click()
    assert answer.locator("pre").first.is_visible()
