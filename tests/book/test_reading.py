"""The rules of reading in a real browser: programs in sight, pictures numbered, numbers and words well set."""

import re
from pathlib import Path

import pytest
from browsing import PAGES, each, needs_chromium

from trust_helpers.paper import claims

pytestmark = needs_chromium
PAPER_KEYS = [claim.key for claim in claims()]
EVERY_PAGE = each(PAGES)
CHAPTERS = each(p for p in PAGES if re.match(r"book/\d\d_", p))
# Text that people read: not code, not formulas, not the reference's signatures, not titles of papers.
PROSE = """(() => {
  const skip = 'pre, code, script, style, mjx-container, .math, dl.py, .bibliography, .citation, .headerlink';
  const walk = document.createTreeWalker(document.querySelector('article'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (parent && !parent.closest(skip) && walk.currentNode.textContent.trim())
      found.push(walk.currentNode.textContent);
  }
  return found;
})()"""
CONTRAST = """(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const linear = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, below) => { const a = top[3] === undefined ? 1 : top[3];
    return [0, 1, 2].map(i => top[i] * a + below[i] * (1 - a)); };
  const ground = (e) => {
    const layers = [];
    for (let p = e; p; p = p.parentElement) layers.push(parse(getComputedStyle(p).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const faint = [];
  for (const e of document.querySelectorAll(SELECTION)) {
    if (!e.checkVisibility() || !e.textContent.trim() || e.closest('.headerlink')) continue;
    const below = ground(e), words = over(parse(getComputedStyle(e).color), below);
    const [a, b] = [light(words), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push([e.tagName, e.className, ratio.toFixed(2), e.textContent.slice(0, 40)].join(' '));
  }
  return faint;
})()"""
READ = """article :is(p, li, td, a, caption, figcaption p, summary p, .verdict, dt, dd, span)"""


def prose(page):
    return page.evaluate(PROSE)


def texts_of(page, what):
    """The texts of all elements of one kind in the article."""
    return page.evaluate(f"[...document.querySelectorAll('article {what}')].map(e => e.innerText)")


def found(pattern, texts):
    """Where a pattern occurs, with some text around it."""
    return [text[max(m.start() - 25, 0) : m.end() + 25] for text in texts for m in re.finditer(pattern, text)]


@EVERY_PAGE
def test_no_raw_key_is_shown(visit, path):
    page = visit(path).page
    printed = texts_of(page, ".cell_output pre")
    texts = [*prose(page), *printed]
    assert [key for key in PAPER_KEYS for text in texts if key in text] == []
    assert found(r"\b[a-z]+_[a-z_]+\b", texts) == []
    assert found(r"pasted-text|glue:|\{numref\}", texts) == []


@EVERY_PAGE
def test_numbers_are_well_set(visit, path):
    texts = prose(visit(path).page)
    assert found(r"\+-|\+/-", texts) == []
    assert found(r"\de[-+]?\d", texts) == []
    assert found(r"(?<![\w.\u2011-])-\d", texts) == [], "a hyphen for a minus sign"
    assert found(r"\d%", texts) == [], "no space before the per cent sign"
    assert found(r"\bnan\b|\binf\b|np\.float", texts) == []


@EVERY_PAGE
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_words_can_be_read(visit, path, mode):
    page = visit(path, 1400, mode).page
    assert page.evaluate("document.documentElement.dataset.theme") == mode
    assert page.evaluate(CONTRAST.replace("SELECTION", repr(READ))) == []


@CHAPTERS
def test_titles_have_chapter_numbers(visit, path):
    number = visit(path).page.locator("article h1 .section-number").inner_text()
    assert number.strip() == f"{int(Path(path).name[:2])}."
