"""From the paper to the book: the page lists everything, and every page it names is there."""

import re
from pathlib import Path

from trust_helpers.paper import claims
from trust_helpers.paper.errata import KINDS, errata

BOOK = Path(__file__).parents[2] / "book"
TEXT = {path.stem: path.read_text(encoding="utf-8") for path in BOOK.glob("*.md")}
ROW = r'^\| ([A-Z]\S+ [\w.]+) \| .* \| .* \| \{eval\}`said\["(.+?)"\]` \|$'
ITEMS = re.findall(ROW, TEXT["paper_map"], re.MULTILINE)


def keys(sort):
    return [key.partition(" ")[2] for _, key in ITEMS if key.partition(" ")[0] == sort]


def test_every_item_of_the_paper_is_listed_once_and_asks_for_its_own_standing():
    assert [name[0].lower() + name[1:] for name, _ in ITEMS] == [key for _, key in ITEMS]
    assert len(set(ITEMS)) == len(ITEMS)
    assert keys("equation") == [str(n) for n in range(1, 20)]
    assert keys("table") == keys("figure") == ["1", "2", "3"]
    assert keys("appendix") == list("ABCDEF")
    # the paper numbers statements within a section: 3.1 and 3.2, 4.1 and 4.2, 5.1 and 5.2, A.1, C.1 to C.7, E.1
    sorts = ("theorem", "definition", "lemma", "proposition", "corollary")
    statements = [key.split()[1] for _, key in ITEMS if key.split()[0] in sorts]
    assert statements == [*("3.1", "3.2", "4.1", "4.2", "5.1", "5.2", "A.1"), *(f"C.{n}" for n in range(1, 8)), "E.1"]


def test_its_pages_and_those_of_the_numbers_are_in_the_book():
    assert set(re.findall(r"\]\((\w+)\.md", TEXT["paper_map"])) <= set(TEXT)
    assert {one.page for one in claims()} <= set(TEXT)


def test_errata_are_about_items_and_have_a_section_each():
    anchors = re.findall(r"^\(erratum-([\w-]+)\)=$", TEXT["errata"], re.MULTILINE)
    assert anchors == [one.key for one in errata()]
    numbers = re.findall(r"^### (\d+)\. ", TEXT["errata"], re.MULTILINE)
    assert numbers == [str(n) for n in range(1, len(errata()) + 1)]
    assert {item for one in errata() for item in one.items} <= {key for _, key in ITEMS}
    assert [one.kind for one in errata()] == sorted((one.kind for one in errata()), key=KINDS.index)
    assert {one.kind for one in errata()} == set(KINDS)
