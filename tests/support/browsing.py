"""The built book in a real browser: a server, a browser, and pages opened once."""

import functools
import os
import threading
from contextlib import ExitStack, contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from book_pages import MOVED
from printed import CHROMIUM, FLAGS

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
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


@contextmanager
def serving():
    """A server of the built book; its address."""
    assert PAGES, "the book is not built: make book"
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=HTML)) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}/"
        httpd.shutdown()


@contextmanager
def chromium():
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "CI must not skip the browser tests: no Chromium found"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


class Visit:
    """A page, what left the local server, and what it complained about."""

    def __init__(self, browser, server, path, width):
        self.left, self.complaints = [], []
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.add_init_script("localStorage.setItem('mode', 'light'); localStorage.setItem('theme', 'light')")
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

    def turn(self, mode):
        """Light or dark, by the button a reader has for it; what fades from one to the other has done so."""
        self.page.evaluate(
            """mode => {
                const shown = document.documentElement.dataset, button = document.querySelector('.theme-switch-button');
                for (let turns = 0; turns < 3 && shown.mode !== mode; turns++) button.click();
                document.getAnimations().forEach(animation => animation.finish());
            }""",
            mode,
        )


class Opened:
    """A server, a browser, and the page that is looked at, as wide as was asked for.

    Tests share it for as long as they follow each other (``tests/book/conftest.py`` closes it): a browser that
    stays open keeps an event loop running, which other tests must not find.
    """

    one = None

    def __init__(self):
        self.stack, self.path, self.visits = ExitStack(), None, {}
        self.server = self.stack.enter_context(serving())
        self.browser = self.stack.enter_context(chromium())

    def visit(self, path, width=1400, mode="light"):
        """Open a page once for each width, for all tests of it; the page before is left."""
        if path != self.path:
            for visit in self.visits.values():
                visit.page.close()
            self.path, self.visits = path, {}
        if width not in self.visits:
            self.visits[width] = Visit(self.browser, self.server, path, width)
        self.visits[width].turn(mode)
        return self.visits[width]

    @classmethod
    def close_unless(cls, needed):
        """Close what is open, unless it is needed again at once."""
        if cls.one and not needed:
            cls.one.stack.close()
            cls.one = None


@pytest.fixture
def opened():
    Opened.one = Opened.one or Opened()
    return Opened.one


@pytest.fixture
def server(opened):
    return opened.server


@pytest.fixture
def browser(opened):
    return opened.browser


@pytest.fixture
def visit(opened):
    """Each page is opened once per width, and all its tests look at that."""
    return opened.visit
