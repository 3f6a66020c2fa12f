"""The reference documents the contract."""

import re
from pathlib import Path

import pytest

import trust_helpers

PAGES = (Path(__file__).parents[2] / "book" / "api").glob("*.md")
REFERENCE = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
WHOLE_MODULES = {"bounds", "instances", "paper"}


@pytest.mark.parametrize("name", trust_helpers.__all__)
def test_every_public_name_is_documented(name):
    if name in WHOLE_MODULES:
        assert f"automodule:: trust_helpers.{name}" in REFERENCE
    elif name == "Instance":
        assert "automodule:: trust_helpers.instances\n   :members:\n" in REFERENCE
    else:
        assert re.search(rf"auto\w+:: {name}$", REFERENCE, re.MULTILINE)
