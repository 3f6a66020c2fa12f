"""Chapter 6's tables over all data sets, on what is shipped and on scores of CQL that are made up."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers.book.experiments import robot_tables as made
from trust_helpers.book.experiments import robots
from trust_helpers.paper import claim
from trust_helpers.rl import CqlPoint, CqlScore


@pytest.fixture(scope="module")
def rows():
    return robots.play_all_runs(0.1, 2024, 150.0)


def test_tables_say_in_every_row_how_it_was_made(rows):
    said = [list(robots.first_columns(row).values()) for row in rows]
    for lines in (made.reading_rows(rows), made.method_rows(rows), made.promise_rows(rows)[:-1]):
        assert [list(row.values())[:2] for row in lines] == said


def test_the_last_row_of_the_promises_counts_those_above(rows):
    *above, total = made.promise_rows(rows)
    for method in ("cloning", "LCB", "TRUST, calibrated"):
        counts = [row[method].split("(")[1].rstrip(")").split("/") for row in above]
        assert total[method] == f"{sum(int(k) for k, _ in counts)} of {sum(int(n) for _, n in counts)}"


def test_cql_is_shown_with_its_budget_or_not_at_all(rows):
    trained = [(row, run) for row in rows for run in row.runs if run.cql]
    assert trained
    for line, (row, run) in zip(made.cql_rows(rows), trained, strict=True):
        assert line["data"] == f"{row.name}, {run.seed}"
        assert line["updates"] == run.cql.updates


def with_cql(rows, scores):
    """The rows with these scores, one after the other, on their first runs with sampled actions; None is no score."""
    left = iter(scores)
    return [
        replace(row, runs=tuple(replace(run, cql=next(left, None)) for run in row.runs))
        for row in rows
        if row.reading == "sampled"
    ]


def curve(*values, error=1.0):
    points = tuple(CqlPoint(10_000 * k, value, error) for k, value in enumerate(values, 1))
    return CqlScore(values[-1], error, 50, 10_000 * len(values), 0.25, (128, 128), 128, points)


def test_no_cql_at_all_is_said_in_words(rows):
    said = made.cql_words(with_cql(rows, []))
    assert (said["cql-scored"], said["cql-updates"], said["cql-minutes"]) == ("0", "no", "no")
    assert (said["cql-rising"], said["cql-seeds"]) == ("0", "no")
    assert made.cql_rows(with_cql(rows, [])) == []


def test_cql_is_said_with_its_budget_and_rises_only_beyond_its_error(rows):
    rising, level, high = (curve(0.0, 1.0, 2.0, 3.0, last) for last in (10.0, 5.0, 1e9))
    falling, short = curve(0.0, 1.0, 2.0, 10.0, 3.0), curve(3.0)
    said = made.cql_words(with_cql(rows, [high, rising, level, falling, None, short]))
    assert (said["cql-scored"], said["cql-updates"]) == ("5", "50,000")
    # 7 is more than two errors of 1.4, 2 is not, and a single score neither rises nor falls
    assert (said["cql-rising"], said["cql-falling"]) == ("2", "1")
    assert (said["cql-stitched"], said["cql-ahead"], said["cql-behind"], said["cql-minutes"]) == ("1", "1", "4", "15")
    assert said["cql-budget"] == "2.5\N{NO-BREAK SPACE}%"
    assert said["cql-paper-share"] == "76\N{NO-BREAK SPACE}%"  # Hopper, 2,606 of 3,437
    one = made.cql_words(with_cql(rows, [rising]))
    assert one["cql-seeds"] == str(rows[0].runs[0].seed)
    ways = [line["on the way"] for line in made.cql_rows(with_cql(rows, [rising, None, level]))]
    assert ways == ["0; 1; 2; 3"] * 2
    assert made.cql_rows(with_cql(rows, [falling]))[0]["ours"].startswith("3\N{NO-BREAK SPACE}")


def test_cql_beside_trust_is_level_within_two_standard_errors(rows):
    sampled = next(row for row in rows if row.reading == "sampled")
    value, error = sampled.runs[0].log.truth.of(sampled.runs[0].weights("TRUST, paper's band"))
    for score, words in ((value, ("0", "0")), (value + 3 * error, ("1", "0")), (value - 3 * error, ("0", "1"))):
        run = replace(sampled.runs[0], cql=curve(0.0, score, error=0.0))
        said = made.cql_words([replace(sampled, runs=(run,))])
        assert (said["cql-ahead"], said["cql-behind"]) == words


def test_cql_beats_all_policies_only_if_it_beats_them_under_either_reading(rows):
    """It is run with mean actions, and so may be the policies."""
    sampled, mean = (row for row in rows if (row.env, row.setting) == ("Ant", "low"))
    assert (sampled.reading, mean.reading) == ("sampled", "mean")
    assert sampled.runs[0].best < mean.runs[0].best
    for score, word in ((sampled.runs[0].best + 1, "none"), (mean.runs[0].best + 1, "1")):
        trained = replace(sampled, runs=(replace(sampled.runs[0], cql=curve(0.0, score)),))
        assert made.cql_words([trained, replace(mean, runs=mean.runs[:1])])["cql-stitched"] == word


def test_rows_average_over_their_seeds(rows):
    row = rows[0]
    (reading,), (method,) = made.reading_rows([row]), made.method_rows([row])
    scores = [run.log.truth.of(run.decisions["TRUST, paper's band"].weights)[0] for run in row.runs]
    bests = [run.log.truth.values.max() for run in row.runs]
    shown = (
        f"{np.mean(scores):,.0f}\N{NO-BREAK SPACE}\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}{np.std(scores, ddof=1):,.0f}"
    )
    assert reading["TRUST"] == shown
    assert reading["best policy"].startswith(f"{np.mean(bests):,.0f}\N{NO-BREAK SPACE}")
    off = round(100 * (np.mean(scores) / claim(f"table3.{row.env}.{row.setting}.TRUST").value - 1))
    assert reading["off by"].replace("\N{MINUS SIGN}", "-") == f"{off:+d}\N{NO-BREAK SPACE}%"
    assert method["paper's band"] == pytest.approx(np.mean(scores))
    greedy = [run.log.truth.values[run.log.data.means.argmax()] for run in row.runs]
    assert (method["greedy, LCB"], method["best"]) == (pytest.approx(np.mean(greedy)), pytest.approx(np.mean(bests)))
    calibrated = [run.log.truth.of(run.decisions["TRUST, calibrated"].weights)[0] for run in row.runs]
    assert method["calibrated"] == pytest.approx(np.mean(calibrated))
    promised = np.mean([run.decisions["LCB"].lower_bound for run in row.runs])
    assert made.promise_rows([row])[0]["LCB"].startswith(f"{promised:,.0f} (")


def test_cql_in_the_high_setting_is_held_against_cloning(rows):
    high = next(row for row in rows if (row.setting, row.reading) == ("high", "sampled"))
    low = next(row for row in rows if (row.setting, row.reading) == ("low", "sampled"))
    level = high.runs[0].worth("cloning")
    for score, poor in ((level - 1, "1"), (level + 1, "0")):
        trained = [replace(row, runs=(replace(row.runs[0], cql=curve(0.0, score)),)) for row in (low, high)]
        said = made.cql_words(trained)
        assert (said["cql-high"], said["cql-high-poor"]) == ("1", poor)


def test_the_last_policy_is_a_mistake_where_trust_earns_more(rows):
    runs = [run for row in rows for run in row.runs]
    lines = made.last_policy_rows(rows)
    for line, run in zip(lines, runs, strict=True):
        lead, error = run.log.truth.lead(np.eye(100)[-1], run.decisions["TRUST, calibrated"].weights)
        word = "not clear" if abs(lead) <= 2 * error else "better" if lead > 0 else "a mistake"
        assert line["the last is"].plain == word
        assert max(line["last"], line["TRUST"]) <= line["best"]
    words = [line["the last is"].plain for line in lines]
    assert words.count("better") == robots.times(rows, "last", "TRUST, calibrated", clearly=True)
