"""Chapter 6's rows: no recipe or reading is mixed, and every number is what the data and the methods say."""

import numpy as np
import pytest

from trust_helpers import OfflineData, trust
from trust_helpers.chapters.experiments import robots
from trust_helpers.chapters.pictures import robots as pictures
from trust_helpers.paper import claim, tables
from trust_helpers.rl import ENVIRONMENTS, SETTINGS, collected_readings, collected_seeds, logged_returns, recipe_of

DELTA, SEED, SIGMA = 0.1, 2024, 150.0


@pytest.fixture(scope="module")
def rows():
    return robots.play_all_runs(DELTA, SEED, SIGMA)


def test_there_is_a_row_for_each_data_set_and_reading_with_all_its_seeds(rows):
    places = [(env, setting) for env in ENVIRONMENTS for setting in SETTINGS]
    asked = [(*place, reading) for place in places for reading in collected_readings(*place)]
    assert [(row.env, row.setting, row.reading) for row in rows] == asked
    for row in rows:
        assert row.recipe == recipe_of(row.env, row.setting, row.reading)
        seeds = collected_seeds(row.env, row.setting, row.reading, row.recipe)
        assert tuple(run.seed for run in row.runs) == seeds


def test_trust_earns_what_the_verdicts_are_given_on(rows):
    for row in rows:
        judged = tables.table3(reading=row.reading)[f"table3.{row.env}.{row.setting}.TRUST"]
        assert row.mean("TRUST, paper's band") == pytest.approx(judged.mean(), rel=1e-12)


def test_lcb_is_greedy_with_a_promise(rows):
    for run in (run for row in rows for run in row.runs):
        assert np.array_equal(run.decisions["LCB"].weights, run.decisions["greedy"].weights)
        assert np.isfinite(run.decisions["LCB"].lower_bound)
        assert not np.isfinite(run.decisions["greedy"].lower_bound)


def test_counts_agree_with_a_count_by_hand(rows):
    by_hand = [0, 0, 0]
    for row in rows:
        for seed in collected_seeds(row.env, row.setting, row.reading, row.recipe):
            data, truth = logged_returns(row.env, row.setting, seed, SIGMA, row.reading, row.recipe)
            one = trust(data, DELTA, "calibrated", SEED)
            value = truth.of(one.weights)[0]
            by_hand[0] += truth.values[-1] > value
            by_hand[1] += truth.values[np.argmax(data.means)] > value
            by_hand[2] += one.lower_bound <= value
    kept = sum(run.kept("TRUST, calibrated") for row in rows for run in row.runs)
    found = [robots.times(rows, "last", "TRUST, calibrated"), robots.times(rows, "greedy", "TRUST, calibrated"), kept]
    assert found == by_hand


def test_no_mixture_is_worth_more_than_the_best_policy(rows):
    for method in ("cloning", "greedy", "TRUST, paper's band", "TRUST, calibrated", "last"):
        assert robots.times(rows, method, "best") == 0


def test_tables_say_recipe_reading_and_seeds_in_every_row(rows):
    for made in (robots.reading_rows(rows), robots.method_rows(rows), robots.promise_rows(rows)[:-1]):
        said = [f"{row.recipe}, {row.reading}, {len(row.runs)}" for row in rows]
        assert [row["recipe, actions, seeds"].replace("\N{NO-BREAK SPACE}", " ") for row in made] == said


def test_the_last_row_of_the_promises_counts_those_above(rows):
    *above, total = robots.promise_rows(rows)
    for method in ("cloning", "LCB", "TRUST, calibrated"):
        counts = [row[method].split("(")[1].rstrip(")").split("/") for row in above]
        assert total[method] == f"{sum(int(k) for k, _ in counts)} of {sum(int(n) for _, n in counts)}"


def test_cql_is_shown_with_its_budget_or_not_at_all(rows):
    runs = [run for row in rows if row.reading == "sampled" for run in row.runs]
    for line, run in zip(robots.cql_rows(rows), runs, strict=True):
        assert (line["ours"] is None) == (run.cql is None)
        assert line["updates"] == (run.cql.updates if run.cql else None)


def test_a_seed_that_only_an_older_recipe_has_is_found_there():
    assert robots.recipe_with_seed("Hopper", "low", 1999) is None
    for env in ENVIRONMENTS:
        for seed in collected_seeds(env, "low", recipe="small"):
            recipe = robots.recipe_with_seed(env, "low", seed)
            assert logged_returns(env, "low", seed, recipe=recipe).data.n_arms == 100


def test_a_promise_is_a_number_and_a_refusal_a_word():
    repeats = OfflineData.from_samples([0, 0, 1, 1], [1.0, 2.0, 1.5, 2.5], "pooled")
    assert robots.promise_or_refusal(lambda: trust(repeats, DELTA)) != "refuses"
    once = ([0, 1], [1.0, 2.0], "pooled")
    assert robots.promise_or_refusal(lambda: trust(OfflineData.from_samples(*once), DELTA)) == "refuses"


@pytest.fixture
def ax():
    plt = pytest.importorskip("matplotlib.pyplot")
    fig, ax = plt.subplots()
    yield ax
    plt.close(fig)


def test_learning_curves_show_every_run_and_the_papers_scores(ax, rows):
    pictures.draw_learning_curves(ax, rows, "Hopper")
    heights = [np.atleast_1d(line.get_ydata()) for line in ax.lines]
    for setting in SETTINGS:
        assert any(h.size == 1 and h[0] == claim(f"table3.Hopper.{setting}.TRUST").value for h in heights)
    drawn = {(row.recipe, row.reading, run.seed) for row in rows if row.env == "Hopper" for run in row.runs}
    assert sum(h.size > 10 for h in heights) == len(drawn)
    best = max(run.best for row in rows if row.env == "Hopper" for run in row.runs)
    assert max(h.max() for h in heights if h.size > 10) == best


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


def test_the_scorecard_counts_the_training_runs_that_the_chapter_counts(rows):
    assert tables.training_runs() == len({(row.recipe, row.env, run.seed) for row in rows for run in row.runs})
