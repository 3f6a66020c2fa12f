"""The reference documents the contract, and the book has one page for each file of the contents."""

import re
from pathlib import Path

import pytest

import trust_helpers
from trust_helpers.book.execute import find_pages

ROOT = Path(__file__).parents[2]
REFERENCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "book" / "api").glob("*.md")))
WHOLE_MODULES = {"bounds", "instances", "paper"}


@pytest.mark.parametrize("name", trust_helpers.__all__)
def test_every_public_name_is_documented(name):
    if name in WHOLE_MODULES:
        assert f"automodule:: trust_helpers.{name}" in REFERENCE
    elif name == "Instance":
        assert "automodule:: trust_helpers.instances\n   :members:\n" in REFERENCE
    else:
        assert re.search(rf"auto\w+:: {name}$", REFERENCE, re.MULTILINE)


def test_nothing_is_documented_twice():
    documented = re.findall(r"auto(?:class|function|exception|module):: (\S+)", REFERENCE)
    assert len(documented) == len(set(documented))


def test_every_page_is_in_the_contents_once():
    assert sorted(find_pages(ROOT / "book")) == sorted((ROOT / "book").rglob("*.md"))
