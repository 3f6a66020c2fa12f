"""Chapter 6's tables over all data sets, on what is shipped and on scores of CQL that are made up."""

from dataclasses import replace

import pytest

from trust_helpers.chapters.experiments import robot_tables as made
from trust_helpers.chapters.experiments import robots
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
    said = made.cql_words(with_cql(rows, [high, rising, level, None]))
    assert (said["cql-scored"], said["cql-updates"]) == ("3", "50,000")
    # 7 is more than two errors of 1.4, 2 is not
    assert said["cql-rising"] == "2"
    assert (said["cql-stitched"], said["cql-behind"], said["cql-minutes"]) == ("1", "2", "15")
    assert said["cql-budget"] == "2.5\N{NO-BREAK SPACE}%"
    assert said["cql-paper-share"] == "76\N{NO-BREAK SPACE}%"  # Hopper, 2,606 of 3,437
    assert said["cql-seeds"] == ", ".join(str(run.seed) for run in rows[0].runs[:3])
    ways = [line["on the way"] for line in made.cql_rows(with_cql(rows, [rising, None, level]))]
    assert ways == ["0; 1; 2; 3"] * 2


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
        mistake = run.log.truth.values[-1] < run.worth("TRUST, calibrated")
        assert line["the last is"].plain == ("a mistake" if mistake else "no worse")
        assert max(line["last"], line["TRUST"]) <= line["best"]
    words = [line["the last is"].plain for line in lines]
    assert words.count("no worse") >= robots.times(rows, "last", "TRUST, calibrated")
