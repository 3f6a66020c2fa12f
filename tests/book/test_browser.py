"""Every built page in a real browser: nothing from a network, nothing broken, nothing too wide."""

import functools
import re
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import nbformat
import numpy as np
import pytest
from browsing import HTML, PAGES, ROOT, each, needs_chromium
from scipy import stats

from trust_helpers import TrustRegion, band_for, instances, least_draws, trust
from trust_helpers.book.chapters import find_chapter
from trust_helpers.book.dial import radius_dial, triangle_dial
from trust_helpers.book.execute import book_folder
from trust_helpers.paper import exact
from trust_helpers.quantiles import sidak

pytestmark = needs_chromium
EVERY_PAGE = each(PAGES)


def test_every_chapter_was_built():
    sources = {p.relative_to(ROOT).with_suffix(".html").as_posix() for p in (ROOT / "book").rglob("*.md")}
    assert set(PAGES) == sources


@EVERY_PAGE
def test_page_is_complete_without_a_network(visit, path):
    seen = visit(path)
    assert seen.left == []
    assert seen.complaints == []


# What is wrong with a page, found by script: for each rule the width of the window, and the offenders.
ALL = "[...document.querySelectorAll('article {}')]"
RULES = {
    "mathematics is rendered": (1400, ALL.format(".math") + """
        .filter(e => !e.querySelector('mjx-container')).map(e => e.textContent)"""),
    "TeX has no errors": (1400, ALL.format("mjx-merror") + ".map(e => e.textContent)"),
    "an image is loaded and described": (1400, ALL.format("img") + """
        .filter(e => !(e.complete && e.naturalWidth > 0 && e.alt.trim().length > 10)).map(e => e.src.slice(0, 80))"""),
    "a picture has a number and a caption": (1400, ALL.format(":is(img, .dial)") + """.filter(e => {
            const caption = e.closest('figure')?.querySelector('figcaption');
            return !(caption?.querySelector('.caption-number')
                     && caption.querySelector('.caption-text').textContent.trim().length > 15);
        }).map(e => e.tagName + ' ' + (e.alt || e.id).slice(0, 60))"""),
    "an id is one element's": (1400, """(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        return ids.filter((id, i) => ids.indexOf(id) !== i); })()"""),
    "an open cell neither plots nor records": (1400, ALL.format("div.cell_input") + """
        .filter(e => !e.closest('details')).map(e => e.innerText)
        .filter(text => /plt\\.|\\brecord\\(|import matplotlib|COLOURS/.test(text))"""),
    "a fold says what is in it": (1400, ALL.format("summary p.collapsed") + """.map(e => e.innerText)
        .filter(text => /^(Code|Show code cell (source|content|output))$/.test(text))"""),
    "numbers stand right": (1400, ALL.format("table.book-table td") + """.filter(e => {
            const plain = !e.querySelector('a') && /^[\\u2212+]?[\\d.,]+$/.test(e.textContent.trim());
            const rows = [...e.closest('table').querySelectorAll('tbody tr')];
            return plain && getComputedStyle(e).textAlign !== 'right' && rows.every(row =>
                /^([\\u2212+]?[\\d.,]+.*|\\u2013|)$/.test(row.children[e.cellIndex].textContent.trim()));
        }).map(e => e.textContent)"""),
    "a proof has no icon": (1400, ALL.format(":is(.proof.admonition, .proof-fold) > .admonition-title") + """
        .filter(e => !['none', 'normal'].includes(getComputedStyle(e, '::after').content)).map(e => e.innerText)"""),
    "proofs and solutions are folds": (1400, ALL.format(".admonition:not(.proof-fold) > .admonition-title") + """
        .map(e => e.innerText).filter(title => /^(Proof|Solution)/.test(title))"""),
    "nothing is wider than a phone": (390, ALL.format("*") + """.filter(e => {
            const box = e.getBoundingClientRect();
            if (box.width === 0 || box.height === 0 || box.right <= 391) return false;
            for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
                const flow = getComputedStyle(p).overflowX;
                if (flow === 'auto' || flow === 'scroll') return false;
            }
            return !e.closest('mjx-assistive-mml');
        }).map(e => e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 60))
        .concat(document.documentElement.scrollWidth > 390 ? ['the page'] : [])"""),
    "the column that matters is in sight": (390, ALL.format("table[class*=key-]") + """
        .filter(e => e.checkVisibility()).filter(e => {
            const key = +e.className.match(/key-(\\d+)/)[1];
            const box = e.querySelector('tbody tr').children[key - 1].getBoundingClientRect();
            return box.left < 0 || box.right > 391;
        }).map(e => e.id)"""),
    "no formula is cut": (390, ALL.format("mjx-container") + """
        .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 0
                     && !e.closest('dl.py') && getComputedStyle(e).overflowX !== 'visible')
        .map(e => (e.closest('[id]') || e).id + ': ' + e.scrollWidth + ' > ' + e.clientWidth)"""),
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
@EVERY_PAGE
def test_rule(visit, path, rule):
    width, offenders = RULES[rule]
    assert visit(path, width).page.evaluate(offenders) == []


@functools.cache
def anchors(file):
    """The places of a page that links may lead to."""
    return set(re.findall(r'\bid="([^"]*)"', file.read_text(encoding="utf-8")))


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
            assert anchor in anchors(file), f"{path} links to {link}"


@EVERY_PAGE
def test_the_executed_notebook_can_be_downloaded(visit, server, path):
    page = visit(path).page
    if page.locator("article div.cell").count() == 0:
        return  # a page without code has no notebook
    link = page.locator(f'article a[href$="{Path(path).stem}.ipynb"]').first.get_attribute("href")
    target = HTML / urlsplit(urljoin(server + path, link)).path.lstrip("/")
    offered, executed = (code(file) for file in (target, ROOT / "_build" / "executed" / target.name))
    assert all(cell.execution_count for cell in offered)
    assert [cell.outputs for cell in offered] == [cell.outputs for cell in executed]  # MyST-NB would change them


def code(file):
    return [cell for cell in nbformat.read(file, as_version=4).cells if cell.cell_type == "code"]


DIALS = {"book/index.html": "index", "book/04_critical_radius.html": "04_critical_radius"}


def expected_words(name):
    """What the dial of a page should say at each stop, from the page's own parameters and the package."""
    values = {p.name: p.default for p in find_chapter(book_folder(), name).parameters}
    instance = instances.data_starved(values["arms"])
    log = instance.sample(np.random.default_rng(values["seed"]))
    if name == "index":
        band = band_for(log, values["delta"], "calibrated", values["seed"])
    else:  # chapter 4 follows the paper, with the fewest draws that its order statistic allows
        grid = log.region.radii(values["decay"], values["radii"])
        draws = least_draws(values["delta"] / (2 * values["radii"]))
        band = band_for(log, values["delta"], "paper", values["seed"], radii=grid, draws=draws)
    return radius_dial(log, trust(log, values["delta"], band), instance.means).words


def turned_by_keys(page, dial, turned):
    """Turn a dial by its keys from end to end: what it says at each stop, and that its drawing moves."""
    names = set(dial.locator("[data-word]").evaluate_all("parts => parts.map(part => part.dataset.word)"))
    dial.locator("input").focus()
    page.keyboard.press("Home")
    home, heard = dial.locator("svg").inner_html(), []
    for _ in range(int(dial.locator("input").get_attribute("max")) + 1):
        shown = {name: dial.locator(f"[data-word={name}]").first.inner_text() for name in names}
        heard.append(shown | {turned: dial.locator("output").inner_text()})
        assert heard[-1][turned] in dial.locator("input").get_attribute("aria-valuetext")
        page.keyboard.press("ArrowRight")
    assert dial.locator("svg").inner_html() != home
    return heard


@each(DIALS)
def test_the_dial_shows_what_the_package_computes(visit, path):
    page = visit(path).page
    assert turned_by_keys(page, page.locator(".dial").first, "radius") == list(expected_words(DIALS[path]))


def test_the_dial_of_arms_shows_what_needs_no_simulation(visit):
    page = visit("book/index.html").page
    values = {p.name: p.default for p in find_chapter(book_folder(), "index").parameters}
    dial = page.locator(".dial").nth(1)
    assert dial.locator("output").inner_text() == f"{values['arms']:,}"
    heard = turned_by_keys(page, dial, "arms")
    numbers = [{k: float(v.replace(",", "").replace("\N{MINUS SIGN}", "-")) for k, v in stop.items()} for stop in heard]
    assert [numbers[0]["arms"], numbers[-1]["arms"]] == [10, 10**6]
    for stop in numbers:
        d, half = int(stop["arms"]), {"abs": 0.005 + 1e-9}
        lucky, width = exact.of_starved(d), 0.5 * stats.norm.isf(sidak(values["delta"], d))
        assert stop["single"] == pytest.approx(lucky.value.mean, **half)
        assert stop["lcb_promise"] == pytest.approx(lucky.expected - width, **half)
        assert stop["cloning_promise"] == pytest.approx(exact.cloning_bound(d, values["delta"]), **half)
        assert stop["trust_promise"] < stop["trust"]
    both = page.evaluate(
        "[...document.querySelectorAll('.dial')].map(d => d.outerHTML + d.nextElementSibling.outerHTML)"
    )
    assert len(both) == 2
    assert len("".join(both).encode()) < 60_000


@each(DIALS)
def test_the_dial_works_from_a_file(browser, path):
    page = browser.new_page()
    page.goto((HTML / path).as_uri(), wait_until="load")
    before = page.locator(".dial output").first.inner_text()
    page.locator(".dial input").first.focus()
    page.keyboard.press("End")
    assert page.locator(".dial output").first.inner_text() == "1" != before
    page.close()


def test_the_dial_of_the_triangle_shows_the_best_policies(visit):
    page = visit("book/03_trust_regions.html").page
    dial = page.locator(".dial").first
    made = triangle_dial(TrustRegion([6.0, 3.0, 1.0]), [0.1, 0.6, 1.0], ["one", "two", "three"])
    assert turned_by_keys(page, dial, "radius") == list(made.words)
    assert dial.locator(".rim").get_attribute("points") == made.places[-1]["rim"]


@each(["book/01_lcb_failure.html"])
def test_proofs_and_answers_open(visit, path):
    page = visit(path).page
    proof = page.locator(".admonition.dropdown").first
    proof.locator(".admonition-title").click()
    assert proof.locator("p").nth(1).is_visible()
    answer = page.locator("details.hide, .cell details").first
    answer.locator("summary").click()
    assert answer.locator("pre").first.is_visible()


@each(["a server", "a file"])
def test_search_finds_a_page(browser, server, path):
    page = browser.new_page()
    page.goto((server if path == "a server" else HTML.as_uri() + "/") + "search.html?q=exchangeability")
    page.locator("#search-results li", has_text="Beyond the paper").first.wait_for()
    page.close()
