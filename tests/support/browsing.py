"""The built book in a real browser: a server, a browser, and pages opened once."""

import functools
import os
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from trust_helpers.chapters.sphinx_pages import MOVED

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
LEFT_BEHIND = {f"{old}.html" for old in MOVED}  # pages that only lead to others
PAGES = sorted({p.relative_to(HTML).as_posix() for p in (HTML / "book").rglob("*.html")} - LEFT_BEHIND)

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium on this machine (apt-get install chromium)"
)


def each(pages):
    """A test for each page; those of one page on one worker, where it is open already."""
    return pytest.mark.parametrize("path", [pytest.param(p, marks=pytest.mark.xdist_group(p)) for p in pages])


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

    def __init__(self, browser, server, path, width=1400, mode="light"):
        self.left, self.complaints = [], []
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.add_init_script(f"localStorage.setItem('mode', '{mode}'); localStorage.setItem('theme', '{mode}')")
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
    """Each page is opened once per width and mode, and all its tests look at that."""
    return functools.cache(lambda path, width=1400, mode="light": Visit(browser, server, path, width, mode))
