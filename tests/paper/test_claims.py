"""The paper's numbers are all there, with the digits as printed."""

import pytest

from trust_helpers import paper


def test_every_table_is_complete():
    count = {
        name: sum(c.key.startswith(name) for c in paper.claims())
        for name in ("table1", "table2", "table3", "text", "time")
    }
    assert count == {"table1": 8, "table2": 8, "table3": 16, "text": 4, "time": 4}
    assert len({c.key for c in paper.claims()}) == len(paper.claims())


def test_tables_are_consistent_with_themselves():
    claim = paper.claim
    assert claim("table1.behaviour").value + claim("table1.improvement").value == pytest.approx(
        claim("table1.trust").value
    )
    for method in ("lcb", "trust"):
        assert claim(f"table2.{method}_min").value <= claim(f"table2.{method}_mean").value


def test_an_unknown_key_lists_the_known():
    with pytest.raises(KeyError, match=r"no claim 'table9'.*table1\.trust"):
        paper.claim("table9")
