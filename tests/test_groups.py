"""Tests that share something costly share a worker."""

import re
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"


@pytest.mark.xdist_group("together")
def test_a_grouped_test_is_known_by_its_group(request):
    """pytest-xdist deals tests out by the ``@group`` in their ids, which some versions of pytest do not show it."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("not dealt out in groups")  # but make test does
    assert request.node.nodeid.endswith("@together")


@pytest.fixture(scope="module", params=["one", "two"])
def costly(request):
    return request.param


def test_tests_that_share_a_fixture_of_their_module_are_grouped(request, costly):
    group = request.node.get_closest_marker("xdist_group").args[0]
    assert group == f"test_groups.py costly={['one', 'two'].index(costly)}"


def test_the_test_command_deals_tests_out_in_groups():
    assert re.search(r"pytest -n \d+ --dist loadgroup$", MAKEFILE.read_text(encoding="utf-8"), re.MULTILINE)
