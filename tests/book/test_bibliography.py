"""The list of references: what a label says, and that every entry can be found by its reader."""

import re
from pathlib import Path

from book_bibliography import AuthorYearLabels, BookStyle
from pybtex.database import parse_file, parse_string

FILE = Path(__file__).parents[2] / "book" / "references.bib"
ENTRIES = parse_file(str(FILE)).entries


def entry(key, authors, year, title="T"):
    text = f"@article{{{key}, author = {{{authors}}}, title = {{{title}}}, journal = {{J}}, year = {{{year}}}}}"
    return parse_string(text, "bibtex").entries[key]


def test_labels_are_authors_and_years():
    entries = [
        entry("a", "Hoeffding, Wassily", 1963),
        entry("b", r"P{\'a}l, D. and Fischer, Paul", 2002),
        entry("c", "A, B and C, D and E, F", 2024),
        entry("d", "Hoeffding, Wassily", 1963),
    ]
    labels = list(AuthorYearLabels().format_labels(entries))
    assert labels == ["Hoeffding, 1963a", "P\u00e1l and Fischer, 2002", "A et al., 2024", "Hoeffding, 1963b"]


def test_titles_keep_their_case():
    made = BookStyle().format_entries([entry("a", "Doe, J.", 2000, "Of {MuJoCo} and Lasso")])
    assert "Of MuJoCo and Lasso" in next(iter(made)).text.render_as("text")


def test_every_entry_has_a_year_and_an_address():
    assert len(ENTRIES) > 35
    for key, one in ENTRIES.items():
        assert "year" in one.fields, key
        assert ("doi" in one.fields) != ("url" in one.fields), key
        assert re.fullmatch(r"10\.\d{4,}/\S+", one.fields.get("doi", "10.1000/x")), key
        assert one.fields.get("url", "https://x").startswith("https://"), key
