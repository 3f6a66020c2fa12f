"""What the scorecard and the map count adds up, and says what the verdicts say."""

import pytest

from trust_helpers.paper import claim, exact, tables, tallies, verdicts
from trust_helpers.paper.shapes import shapes

pytestmark = pytest.mark.xdist_group("replication")  # they share bands


def test_every_verdict_is_counted_at_one_place():
    listed = [one.claim.key for group in tallies.verdicts_by_place().values() for one in group]
    assert sorted(listed) == sorted(one.claim.key for one in verdicts())


def test_on_the_coarser_grid_all_of_table_1_is_met_and_that_grid_was_looked_for():
    found = tallies.table1_on_two_grids()
    assert (len(found.decays), found.hits) == (20, (1.3, 1.45, 1.5))
    assert (found.met, found.asked) == (4, 4)


def test_the_order_agrees_where_both_differences_have_one_sign(monkeypatch):
    leads = {
        "Hopper.low": (10.0, 4.0),
        "Ant.low": (-10.0, 4.0),
        "HalfCheetah.low": (-10.0, 4.0),
        "Ant.high": (7.9, 4.0),
    }
    monkeypatch.setattr(tables, "trust_ahead_of_cql", lambda: leads)
    # in the paper TRUST is ahead on all of these but HalfCheetah low; less than two standard errors decide nothing
    assert tallies.trust_and_cql_in_the_papers_order() == [True, False, True, None]


def test_simulated_verdicts_are_judged_twice_and_exact_ones_are_not():
    pairs = tallies.judged_twice(7)
    assert {one.claim.key for one, _ in pairs} == {one.claim.key for one in verdicts() if one.judge == "simulation"}
    assert any(one.ours != other.ours for one, other in pairs)
    for row, (one, other) in zip(tallies.judged_twice_rows(pairs), pairs, strict=True):
        assert (row["verdict"].plain, row["by the other logs"].plain) == (one.word, other.word)
        assert float(row["other logs"]) == round(other.ours, 4)


def test_a_figure_has_the_verdict_of_its_shape_and_a_table_its_count():
    assert [row["verdict"].plain for row in tallies.figure_rows()] == [one.word for one in shapes()]
    rows = {row["paper"]: row["we found"] for row in tallies.table_and_figure_rows()}
    for number in (1, 2, 3):
        group = verdicts(f"table{number}.")
        assert rows[f"Table {number}"] == f"{sum(one.met for one in group)} of {len(group)} numbers met"
        assert rows[f"Figure {number}"].plain == shapes()[number - 1].word


def test_the_reading_that_is_closer_to_the_paper_is_named():
    rows = tallies.trust_by_reading_rows()
    mean = tables.table3(reading="mean")
    assert len(rows) == sum(key.endswith(".TRUST") for key in mean)
    for row in rows:
        apart = {reading: abs(row[f"{reading} actions"] - row["printed"]) for reading in ("sampled", "mean")}
        assert apart[row["closer"]] == min(apart.values())
    first = next(key for key in mean if key.endswith(".TRUST"))
    assert (rows[0]["printed"], rows[0]["mean actions"]) == (claim(first).value, mean[first].mean())


def test_scores_outside_the_range_of_runs_are_counted_beside_chance():
    outside, by_chance, asked = tallies.trust_outside_the_range_of_runs()
    scores = {key: values for key, values in tables.table3().items() if key.endswith(".TRUST")}
    by_hand = [
        not v.min() - claim(k).rounding <= claim(k).value <= v.max() + claim(k).rounding for k, v in scores.items()
    ]
    assert (outside, asked) == (sum(by_hand), len(scores))
    chances = [exact.chance_outside_range(values.size) for values in scores.values()]
    assert by_chance == pytest.approx(sum(chances))
    assert 0 < by_chance < asked
