"""Optional libraries are asked for in one way, which says how to install them."""

import re
import sys
from pathlib import Path

import pytest

from trust_helpers.errors import TrustError
from trust_helpers.extras import MissingExtra, has, need

PACKAGE = Path(__file__).parents[1] / "trust_helpers"


def test_a_missing_library_names_itself_and_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(MissingExtra, match=r"^the cone needs cvxpy: pip install 'trust-helpers\[cvxpy\]'$") as caught:
        need("cvxpy", "cvxpy", "the cone")
    assert isinstance(caught.value, TrustError)
    assert not has("cvxpy")


def test_every_extra_that_is_named_exists():
    extras = set(
        re.findall(r"^([a-z]+) = \[", (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    asked = {
        match
        for path in PACKAGE.rglob("*.py")
        for match in re.findall(r'\b(?:need|MissingExtra)\("[\w.-]+", "(\w+)"', path.read_text(encoding="utf-8"))
    }
    assert {"book", "cvxpy"} <= asked <= extras
