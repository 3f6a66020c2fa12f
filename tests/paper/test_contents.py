"""From the paper to the book: complete, and every page and label is there."""

import re
from pathlib import Path

import pytest

from trust_helpers.paper import CLAIMS
from trust_helpers.paper.contents import ITEMS, SETTINGS, page_of, standing
from trust_helpers.paper.errata import ERRATA, KINDS, about, erratum
from trust_helpers.paper.shown import errata_rows, map_rows

BOOK = Path(__file__).parents[2] / "book"
TEXT = {path.stem: path.read_text(encoding="utf-8") for path in BOOK.glob("*.md")}
LABELS = set(re.findall(r"^:label: (\S+)$", "\n".join(TEXT.values()), re.MULTILINE))
LABELS |= set(re.findall(r"\$\$ \((eq-[\w-]+)\)", "\n".join(TEXT.values())))


def keys(sort):
    return [item.key for item in ITEMS if item.sort == sort]


def test_every_item_of_the_paper_is_listed_once():
    everything = [item.key for item in ITEMS]
    assert len(set(everything)) == len(everything)
    assert keys("equation") == [f"equation {n}" for n in range(1, 20)]
    assert keys("table") == [f"table {n}" for n in (1, 2, 3)]
    assert keys("figure") == [f"figure {n}" for n in (1, 2, 3)]
    assert [key for key in keys("section") if key.startswith("appendix")] == [f"appendix {c}" for c in "ABCDEF"]
    # the paper numbers statements within a section: 3.1 and 3.2, 4.1 and 4.2, 5.1 and 5.2, A.1, C.1 to C.7, E.1
    assert [key.split()[1] for key in keys("statement")] == [
        *("3.1", "3.2", "4.1", "4.2", "5.1", "5.2", "A.1"),
        *(f"C.{n}" for n in range(1, 8)),
        "E.1",
    ]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.key)
def test_its_pages_and_its_label_are_in_the_book(item):
    assert set(item.pages) <= set(TEXT)
    assert not item.label or item.label in LABELS
    assert item.pages or item.key == "section 8"  # an impact statement


def test_every_printed_number_and_setting_has_a_page():
    assert {page_of(one.key) for one in CLAIMS} <= set(TEXT)
    assert {one.page for one in SETTINGS} <= set(TEXT)


def test_what_stands_is_what_no_erratum_is_about():
    for item in ITEMS:
        found = standing(item)
        if item.sort in ("statement", "algorithm", "equation"):
            wrong = [one for one in about(item.key) if one.kind != "right"]
            assert (found == "holds") == (not wrong)
        else:
            assert found == ""
    assert standing(next(item for item in ITEMS if item.key == "theorem C.1")) == "false"


def test_errata_are_about_items_and_have_a_section_each():
    known = {item.key for item in ITEMS}
    anchors = re.findall(r"^\(erratum-([\w-]+)\)=$", TEXT["errata"], re.MULTILINE)
    assert anchors == [one.key for one in ERRATA]
    numbers = re.findall(r"^### (\d+)\. ", TEXT["errata"], re.MULTILINE)
    assert numbers == [str(n) for n in range(1, len(ERRATA) + 1)]
    assert all(set(one.items) <= known for one in ERRATA)
    assert [one.kind for one in ERRATA] == sorted((one.kind for one in ERRATA), key=KINDS.index)
    with pytest.raises(KeyError, match=r"no erratum 'x'; there are lcb"):
        erratum("x")


def test_rows_lead_where_they_say():
    row = next(row for row in map_rows("statement") if row["paper"] == "Theorem C.1")
    assert row["in the book"].markdown == "[chapter 5](05_bounds.md), {prf:ref}`thm-fine-grained`"
    assert row["we found"].plain == "false"
    section = next(row for row in map_rows("section") if row["paper"] == "Section 5.2")
    assert "(#erratum-sign)" in section["errata"].markdown
    assert [row["no."].plain for row in errata_rows()] == [str(n) for n in range(1, len(ERRATA) + 1)]
