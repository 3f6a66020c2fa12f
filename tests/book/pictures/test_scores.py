"""Scores of methods stand where they were measured."""

import numpy as np
from drawing import words

from trust_helpers.book import pictures
from trust_helpers.paper import claim


def test_table_3_has_the_papers_dots_and_ours(ax):
    runs = {"table3.Hopper.low.TRUST": np.array([400.0, 600.0]), "table3.Hopper.low.CQL": np.array([300.0])}
    pictures.draw_table3_as_dots(ax, runs)
    dots = {line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 1}
    printed = {claim(f"table3.Hopper.low.{method}").value for method in ("CQL", "TRUST")}
    assert dots == printed | {500.0, 300.0}


def test_a_score_below_zero_stands_at_the_edge_with_its_number(ax):
    """A logarithmic axis has no place for it, and it must not vanish."""
    runs = {"table3.Hopper.low.TRUST": np.array([400.0]), "table3.Hopper.low.CQL": np.array([-340.0, -320.0])}
    pictures.draw_table3_as_dots(ax, runs)
    assert words(ax) == ["\N{MINUS SIGN}330"]
    ours = [line for line in ax.lines if line.get_transform() == ax.get_yaxis_transform()]
    assert [line.get_marker() for line in ours] == ["X"]
    assert ax.get_xscale() == "log"


def test_of_scores_of_either_sign_the_range_is_drawn_as_far_as_it_goes(ax):
    runs = {"table3.Hopper.low.TRUST": np.array([400.0]), "table3.Hopper.low.CQL": np.array([-10.0, 20.0, 80.0])}
    pictures.draw_table3_as_dots(ax, runs)
    assert [20.0, 80.0] in [list(line.get_xdata()) for line in ax.lines]
    assert 30.0 in [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
