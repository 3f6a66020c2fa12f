"""The page to send, in a real browser: complete without a network, readable on a phone and on paper, sortable."""

import re

import numpy as np
import pytest
from browsing import CHROMIUM, FLAGS, needs_chromium

from trust_helpers import OfflineData, report
from trust_helpers.formatting import rounded_down
from trust_helpers.report.forms import as_html
from trust_helpers.report.words import About

ABOUT = About(
    "my <log>.csv",
    ("the decimal mark is a comma",),
    command="trust-helpers decide 'my <log>.csv'",
    seed="7",
    version="1",
    digest="ab" * 32,
    arm="<b>mail</b>",
    reward="opens",
    everything=True,
)

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(0)
    names = [f"arm {i:03d}" for i in range(118)] + ["<img src=x onerror=alert(1)>", "w" * 300]
    return report(OfflineData.from_counts(rng.binomial(40, np.linspace(0.1, 0.6, 120)), np.full(120, 40), names))


@pytest.fixture(scope="module")
def visits(made, tmp_path_factory):
    from playwright.sync_api import sync_playwright

    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(as_html(made, 12, ABOUT), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = {}
        for width in (390, 1280):
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.trouble = []
            page.on(
                "request", lambda r, page=page: page.trouble.append(r.url) if not r.url.startswith("file:") else None
            )
            page.on("console", lambda m, page=page: page.trouble.append(m.text) if m.type == "error" else None)
            page.on("pageerror", lambda error, page=page: page.trouble.append(str(error)))
            page.on("dialog", lambda dialog, page=page: (page.trouble.append(dialog.message), dialog.dismiss()))
            page.goto(path.as_uri())
            pages[width] = page
        yield pages
        browser.close()


def test_nothing_is_fetched_and_nothing_complains(visits):
    for page in visits.values():
        assert page.trouble == []
        assert page.locator("script[src], link[href], img").count() == 0


def test_one_sentence_first(visits, made):
    lead = visits[1280].locator(".lead").inner_text()
    taken = made.recommended.support
    assert 60 < taken < 120
    assert lead.startswith(f"Leave out these {120 - taken} of 120 <b>mail</b>s, use the others in these shares: ")
    least = rounded_down(100 * made.recommended.lower_bound)
    assert lead.endswith(f": at least {least} % opens, nine times in ten.")
    assert lead.count(". ") == 0


def test_everything_is_on_the_page(visits, made):
    text = visits[1280].locator("body").inner_text()
    for part in ("my <log>.csv", "the decimal mark is a comma", "trust-helpers decide", "ab" * 32):
        assert part in text
    widths = visits[1280].locator(".share").evaluate_all("cells => cells.map(cell => cell.style.cssText)")
    assert widths[0] == "--share: 100.0%;"
    assert len(widths) == visits[1280].locator("tbody").first.locator("tr").count() == 120
    for one in made.decisions[:-1]:
        assert one.method in text
    assert "the recommended policy, allows for having chosen it" in " ".join(text.split())


def test_the_picture_is_described_and_can_be_read_on_a_phone(visits, made):
    for width, least in ((1280, 11), (390, 9)):
        picture = visits[width].locator("svg")
        assert picture.get_attribute("role") == "img"
        assert "so far, should earn, and is promised" in picture.get_attribute("aria-label")
        texts = picture.locator("text").all()
        assert {names for names, _ in made.choices} <= {text.text_content() for text in texts}
        assert min(text.bounding_box()["height"] for text in texts) >= least


def test_it_is_dark_where_that_is_asked_for(visits):
    page = visits[1280]
    shade = "getComputedStyle(document.body).color"
    assert page.evaluate(shade) == "rgb(0, 0, 0)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(shade) == "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="light")


def test_it_is_no_wider_than_a_phone(visits):
    assert visits[390].evaluate("document.documentElement.scrollWidth") <= 390
    for table in visits[390].locator(".scroll").all():
        assert table.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_the_table_sorts_by_number_and_by_name(visits, made):
    page = visits[1280]
    rows = page.locator("table").first.locator("tbody tr")
    page.get_by_role("button", name="mean").click()
    assert rows.first.locator("td").nth(2).inner_text() == f"{100 * made.data.means.max():.4g} %"
    page.get_by_role("button", name="mean").click()
    assert rows.first.locator("td").nth(2).inner_text() == f"{100 * made.data.means.min():.4g} %"
    page.get_by_role("button", name="mail").first.click()
    names = rows.locator("td:first-child").all_inner_texts()
    assert names[0].startswith("www")
    assert names[1:-1] == sorted(names[1:-1], reverse=True)


def test_it_prints(visits):
    page = visits[1280]
    page.emulate_media(media="print")
    assert page.locator("section").evaluate("e => getComputedStyle(e).breakInside") == "avoid"
    assert page.pdf().startswith(b"%PDF")
    page.evaluate("for (const row of [...document.querySelector('tbody').rows].slice(35)) row.remove()")  # no --all
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) <= 3
    page.emulate_media(media="screen")
