"""Counts of missed promises: shares, intervals and what is allowed."""

from trust_helpers.book.experiments.counts import Count


def test_a_count_is_broken_only_beyond_chance():
    assert Count("a", 10, 100, 0.1).verdict == "kept"
    assert Count("b", 14, 100, 0.1).verdict == "kept"  # its interval begins at 7.9 %
    assert Count("c", 18, 100, 0.1).verdict == "broken"  # its interval begins at 11.0 %
    assert Count("d", 0, 50, 0.1).interval[0] == 0.0
    assert Count("e", 50, 50, 0.1).interval[1] == 1.0
