"""The notation page: every symbol once, every page it names there."""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[2] / "book"
ROWS = re.findall(
    r"^\| (\$.*?\$) \| (.*?) \| (.*?) \| (.*?) ?\|$", (BOOK / "notation.md").read_text(encoding="utf-8"), re.MULTILINE
)


def symbols() -> list[str]:
    """The first column, one entry per symbol where a row explains several."""
    cells = [cell.strip("$") for cell, *_ in ROWS]
    return [part.strip() for cell in cells for part in cell.split(r",\ ")]


def test_a_symbol_is_listed_once() -> None:
    listed = symbols()
    assert len(listed) > 60
    assert sorted(listed) == sorted(set(listed))


@pytest.mark.parametrize("name", sorted({name for row in ROWS for name in re.findall(r"\]\((.*?)\)", row[2])}))
def test_the_page_of_a_symbol_exists(name: str) -> None:
    assert (BOOK / name).is_file()


def test_every_symbol_has_a_meaning_and_a_page() -> None:
    assert all(meaning and page for _, meaning, page, _ in ROWS)


FOLLOWING = sorted(path.stem for path in BOOK.glob("0[1-8]_*.md"))


def bare(text: str) -> str:
    """TeX without spaces and braces, so that two ways to write a symbol agree."""
    return re.sub(r"\\[,;! ]|[\s{}]", "", text.replace(r"\lvert", "|").replace(r"\rvert", "|"))


@pytest.mark.parametrize("page", FOLLOWING)
def test_a_symbol_is_on_the_page_that_introduces_it(page: str) -> None:
    text = bare((BOOK / f"{page}.md").read_text(encoding="utf-8"))
    asked = [cell.strip("$").split(r",\ ") for cell, _, pages, _ in ROWS if pages == f"[{page[1]}]({page}.md)"]
    assert asked
    assert [symbol for symbols in asked for symbol in symbols if bare(symbol) not in text] == []
