"""Chapter 6's rows: no reading is mixed, and every number is what the data and the methods say."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers import OfflineData, trust
from trust_helpers.book.experiments import robots
from trust_helpers.paper import claim, tables, verdict
from trust_helpers.rl import (
    ENVIRONMENTS,
    SETTINGS,
    Logged,
    Truth,
    collected_readings,
    collected_seeds,
    logged_returns,
)

DELTA, SEED, SIGMA = 0.1, 2024, 150.0


@pytest.fixture(scope="module")
def rows():
    return robots.play_all_runs(DELTA, SEED, SIGMA)


def test_there_is_a_row_for_each_data_set_and_reading_with_all_its_seeds(rows):
    places = [(env, setting) for env in ENVIRONMENTS for setting in SETTINGS]
    asked = [(*place, reading) for place in places for reading in collected_readings(*place)]
    assert [(row.env, row.setting, row.reading) for row in rows] == asked
    for row in rows:
        seeds = collected_seeds(row.env, row.setting, row.reading)
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
        for seed in collected_seeds(row.env, row.setting, row.reading):
            data, truth = logged_returns(row.env, row.setting, seed, SIGMA, row.reading)
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


def test_the_scorecard_counts_the_training_runs_that_the_chapter_counts(rows):
    assert tables.training_runs() == len({(row.env, run.seed) for row in rows for run in row.runs})


def row_of(values, seeds=1, setting="low", reading="sampled", logged=None):
    """A row of made-up runs: as many seeds, each with policies of these values, logged without noise."""
    runs = []
    for seed in range(seeds):
        truth = made_up_truth(values)
        data = OfflineData(np.asarray(logged or values, dtype=float), np.ones(len(values)), SIGMA)
        bands = robots.bands_for(data, DELTA, SEED)
        runs.append(robots.DataSet(2023 + seed, Logged(data, truth), robots.decisions_of(data, DELTA, bands), None))
    return robots.Row("Hopper", setting, reading, tuple(runs))


def made_up_truth(values, deviation=10.0):
    d, ones = len(values), np.ones(len(values))
    return Truth(np.arange(d), np.asarray(values, dtype=float), ones, deviation * ones, 20 * ones.astype(int))


def test_rows_are_counted_beside_the_papers_score():
    printed = claim("table3.Hopper.low.TRUST").value  # 999
    near, far = [0.9 * printed] * 4, [0.5 * printed] * 4
    rows = [row_of(near), row_of(far, reading="mean"), row_of([4_000.0] * 4, 4, "high")]
    assert robots.count_rows_beside_the_paper(rows) == {
        "rows": 3,
        "out-of-reach": 2,
        "near-reach": 2,
        "above-paper": 1,
        "both": 1,
        "mean-closer": 0,
    }
    assert robots.count_rows_beside_the_paper([row_of(far), row_of(near, reading="mean")])["mean-closer"] == 1


def test_a_row_says_its_data_its_reading_and_its_seeds():
    said = robots.first_columns(row_of([1.0] * 4, 4, "high", "mean"))
    assert said == {"data": "Hopper\N{NO-BREAK SPACE}high", "actions, seeds": "mean,\N{NO-BREAK SPACE}4"}


def test_a_run_is_whole_with_the_last_policy_of_the_high_setting():
    made = {"sac": {"high": [11, 1001]}, "runs": {"a": {"epochs": 1001}, "b": {"epochs": 1001}}}
    assert robots.whole_runs(made) == "all"
    made["runs"]["b"]["epochs"] = 1000  # one short
    assert robots.whole_runs(made) == "1"


def test_out_of_reach_is_what_no_policy_of_any_run_is_worth():
    printed = claim("table3.Hopper.low.TRUST").value
    below, above = row_of([0.95 * printed] * 4), row_of([1.01 * printed] * 4)
    both = replace(below, runs=below.runs + above.runs)
    assert both.mean("best") < printed
    assert [robots.count_rows_beside_the_paper([row])["out-of-reach"] for row in (below, both)] == [1, 0]


def test_the_scorecard_says_out_of_reach_where_the_chapter_does(rows):
    for row in (row for row in rows if row.reading == "sampled"):
        said = verdict(f"table3.{row.env}.{row.setting}.TRUST").reason
        away = robots.count_rows_beside_the_paper([row])["out-of-reach"]
        assert said.startswith("Out of reach" if away else "Other logging policies")
        assert said.endswith(f"worth {max(run.best for run in row.runs):,.0f}.")


def test_what_less_than_two_standard_errors_separate_is_not_clear():
    def run(errors):
        (one,) = row_of([0.0, 100.0, 90.0, 80.0], logged=[0.0, 0.0, 0.0, 9_000.0]).runs
        return replace(one, log=Logged(one.log.data, replace(one.log.truth, standard_errors=np.array(errors))))

    sharp, vague = run([0.0, 3.0, 3.0, 3.0]), run([0.0, 8.0, 8.0, 8.0])  # 20 apart: 4.7 and 1.8 errors
    assert [one.ahead("best", "last") for one in (sharp, vague)] == [True, True]
    assert [one.ahead("best", "last", clearly=True) for one in (sharp, vague)] == [True, False]
    assert not sharp.ahead("last", "last")
    assert [one.missed("TRUST, calibrated", clearly=True) for one in (sharp, run([0.0, 1.0, 1.0, 1e5]))] == [
        True,
        False,
    ]
    row = robots.Row("Hopper", "low", "sampled", (sharp, vague))
    found = robots.count_data_sets([row])
    assert (found["last-not-best"], found["last-not-best-clearly"]) == (2, 1)
    assert (found["trust-kept"], found["trust-missed-clearly"], found["lcb-missed-clearly"]) == (0, 2, 2)


def test_greedy_is_counted_on_its_own_side():
    # the luckiest return is of the worst policy: greedy takes it, and TRUST with it
    bad = row_of([9_000.0, 9_000.0, 9_000.0, 0.0], logged=[9_000.0, 9_000.0, 9_000.0, 9_100.0])
    found = robots.count_data_sets([bad])
    assert (found["greedy-beats"], found["greedy-loses-clearly"]) == (0, 1)
    assert (found["paper-beats-cloning"], found["beats-cloning"]) == (0, 0)
    good = row_of([0.0, 0.0, 0.0, 9_000.0], logged=[8_900.0, 8_900.0, 8_900.0, 9_000.0])
    found = robots.count_data_sets([good])
    assert (found["greedy-beats"], found["greedy-beats-clearly"], found["greedy-loses-clearly"]) == (1, 1, 0)
    assert (found["last-beats"], found["last-beats-clearly"], found["last-loses-clearly"]) == (1, 1, 0)


def test_the_seeds_of_rows_are_said_as_one_number_or_two():
    alike, more = row_of([1.0] * 4, 2), row_of([1.0] * 4, 3, "high")
    assert robots.seeds_of_a_row([alike, alike]) == "2"
    assert robots.seeds_of_a_row([more, alike]) == "2 to 3"


def test_data_sets_are_counted_by_who_earns_more():
    rising, fallen = [0.0, 1_000.0, 2_000.0, 9_000.0], [0.0, 9_000.0, 2_000.0, 1_000.0]
    found = robots.count_data_sets([row_of(rising), row_of(fallen, 2)])
    assert found["datasets"] == 3
    assert found["last-not-best"] == 2
    assert found["last-beats"] == 0  # TRUST finds the best policy, which is the last of the first log only
    assert found["beats-cloning"] == found["spread-out"] == found["trust-kept"] == found["lcb-kept"] == 3
    lucky = row_of([0.0] * 4, logged=[0.0, 0.0, 0.0, 9_000.0])  # a return that its policy is not worth
    assert robots.count_data_sets([lucky])["trust-kept"] == 0
    assert robots.count_data_sets([lucky])["spread-out"] == 0
