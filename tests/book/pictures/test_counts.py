"""Counts of missed promises: shares, intervals and what is allowed."""

import pytest
from drawing import vertical_lines, words

from trust_helpers.book import pictures


def test_a_count_is_broken_only_beyond_chance():
    assert pictures.Count("a", 10, 100, 0.1).verdict == "kept"
    assert pictures.Count("b", 14, 100, 0.1).verdict == "kept"  # its interval begins at 7.9 %
    assert pictures.Count("c", 18, 100, 0.1).verdict == "broken"  # its interval begins at 11.0 %
    assert pictures.Count("d", 0, 50, 0.1).interval[0] == 0.0
    assert pictures.Count("e", 50, 50, 0.1).interval[1] == 1.0


@pytest.mark.parametrize("most", [0.12, 0.2, 0.45, 0.9])
def test_no_per_cent_on_the_axis_is_rounded(ax, most):
    pictures.draw_missed_promises(ax, [pictures.Count("a", 0, 1_000, most)], most)
    ax.figure.canvas.draw()
    shown = [float(label.get_text().split()[0]) / 100 for label in ax.get_xticklabels()]
    assert shown == pytest.approx(list(ax.get_xticks()), abs=1e-12)


def test_missed_promises_stand_against_the_line_of_delta(ax):
    pictures.draw_missed_promises(ax, [pictures.Count("coins", 100, 100, 0.1)], 0.1)
    assert vertical_lines(ax) == [0.1]
    assert words(ax) == ["allowed: 10\u00a0%"]
