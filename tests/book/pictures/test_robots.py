"""Chapter 6's pictures: every run, every method and every score stands where the data have it."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers.book.experiments import robots
from trust_helpers.book.pictures import robots as pictures
from trust_helpers.paper import claim
from trust_helpers.rl import SETTINGS, CqlPoint, CqlScore

SIGMA = 150.0


@pytest.fixture(scope="module")
def rows():
    return robots.play_all_runs(0.1, 2024, SIGMA)


def test_learning_curves_show_every_run_and_the_papers_scores(ax, rows):
    pictures.draw_learning_curves(ax, rows, "Hopper")
    heights = [np.atleast_1d(line.get_ydata()) for line in ax.lines]
    for setting in SETTINGS:
        assert any(h.size == 1 and h[0] == claim(f"table3.Hopper.{setting}.TRUST").value for h in heights)
    drawn = {(row.reading, run.seed) for row in rows if row.env == "Hopper" for run in row.runs}
    thin = [h for h, line in zip(heights, ax.lines, strict=True) if h.size > 10 and line.get_linewidth() < 1]
    assert len(thin) == len(drawn)
    best = max(run.best for row in rows if row.env == "Hopper" for run in row.runs)
    assert max(h.max() for h in thin) == best


def test_a_thick_line_is_the_mean_of_the_runs_that_reach_the_end(ax, rows):
    """A run cut after its low setting has a line of its own, and no part in the mean."""
    cut = [replace(row, runs=row.runs[:2]) if row.setting == "low" else replace(row, runs=row.runs[:1]) for row in rows]
    for shown, runs in ((rows, slice(None)), (cut, slice(1))):
        ax.clear()
        pictures.draw_learning_curves(ax, shown, "Ant")
        thick = {line.get_label(): line.get_ydata() for line in ax.lines if line.get_label().endswith("actions")}
        for row in (row for row in rows if (row.env, row.setting) == ("Ant", "high")):
            last = np.mean([run.log.truth.values[-1] for run in row.runs[runs] if len(row.runs[runs])])
            assert thick[f"{row.reading} actions"][-1] == pytest.approx(last)


def test_the_mixture_is_filled_where_it_has_weight(ax, rows):
    run = rows[0].runs[0]
    mixture = run.decisions["TRUST, calibrated"]
    pictures.draw_log_and_mixture(ax, run.log.data, mixture, run.log.truth)
    assert len(ax.collections[0].get_offsets()) == mixture.support
    ax.clear()
    pictures.draw_log_and_mixture(ax, run.log.data, mixture, None)
    assert len(ax.lines) == 1


def test_deviations_have_a_box_for_each_row_and_the_level_told(ax, rows):
    pictures.draw_deviations(ax, rows, SIGMA)
    assert len(ax.get_yticklabels()) == len(rows)
    assert any(list(line.get_xdata()) == [SIGMA, SIGMA] for line in ax.lines)


def test_each_method_stands_at_its_share_of_the_best(ax, rows):
    pictures.draw_methods_beside_the_best_policy(ax, rows)
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if len(line.get_xdata()) == 1]
    for y, row in enumerate(rows):
        mine = [x for x, height in dots if height == y]
        methods = ("cloning", "greedy", "TRUST, paper's band", "TRUST, calibrated", "last")
        expected = [row.mean(method) / row.mean("best") for method in methods]
        trained = [run for run in row.runs if run.cql]
        if trained:
            expected.append(sum(run.cql.value for run in trained) / sum(run.best for run in trained))
        assert mine == pytest.approx(expected)
        assert max(mine[:5]) <= 1 + 1e-12
    assert [text.get_text() for text in ax.get_legend().get_texts()][1] == "greedy = LCB"


def score(*values):
    points = tuple(CqlPoint(10_000 * k, value, 1.0) for k, value in enumerate(values, 1))
    return CqlScore(values[-1], 1.0, 50, 10_000 * len(values), 0.25, (128, 128), 128, points)


def given(rows, cql):
    return [replace(row, runs=tuple(replace(run, cql=cql) for run in row.runs[:1])) for row in rows]


def test_cql_is_a_curve_along_its_updates(ax, rows):
    pictures.draw_cql_along_its_training(ax, given(rows, score(100.0, 300.0, 200.0)), "Ant")
    curves = [line for line in ax.lines if line.get_marker() == "X"]
    assert len(curves) == 2
    for line in curves:
        assert list(line.get_xdata()) == [10.0, 20.0, 30.0]
        assert list(line.get_ydata()) == [100.0, 300.0, 200.0]
    level = {line.get_ydata()[0] for line in ax.lines if line.get_marker() != "X"}
    assert level == {claim(f"table3.Ant.{setting}.CQL").value for setting in SETTINGS}
    assert ax.get_xlim()[1] > 30


def test_a_robot_without_cql_says_so(ax, rows):
    pictures.draw_cql_along_its_training(ax, given(rows, None), "Ant")
    assert "not trained" in [text.get_text() for text in ax.texts]
    ax.clear()
    pictures.draw_cql_along_its_training(ax, given(rows, score(1.0)), "Ant")
    assert "not trained" not in [text.get_text() for text in ax.texts]
