"""The errata page's tables say what the counterexamples found."""

from trust_helpers import bounds
from trust_helpers.paper import counterexamples, refuted


def share(text):
    """A share out of a cell such as "7.9 %"."""
    return float(text.replace("\N{NO-BREAK SPACE}", " ").split()[0]) / 100


def test_four_is_refuted_where_delta_is_small_and_eight_nowhere():
    rows = {row["delta"]: row for row in refuted.failing_lcb_rows()}
    assert list(rows) == ["0.1", "0.05", "0.01", "0.001"]
    broken = {delta: share(row["fails with 4"]) > share(row["allowed"]) for delta, row in rows.items()}
    assert broken == {"0.1": False, "0.05": True, "0.01": True, "0.001": True}
    assert all(share(row["with 8"]) <= share(row["allowed"]) for row in rows.values())
    assert abs(share(rows["0.01"]["fails with 4"]) - counterexamples.lcb_claim_fails(0.01, 4)) <= 5e-5


def test_the_printed_fine_grained_bound_is_the_lowest_in_every_row():
    rows = refuted.broken_fine_grained_rows(0.1, 12, 0)
    assert [row["arms"] for row in rows] == [1_000, 2_000, 4_000]
    for row in rows:
        assert row["printed"] < row["twice the band"] < row["mended"]
    made = counterexamples.fine_grained_bound_broken(1_000, 1.5, 0.1, 12, 0)
    assert rows[0]["broken in"] == str(made.broken)
    assert float(rows[0]["short by"].split("\N{NO-BREAK SPACE}")[0]) == round(made.short.mean(), 3)


def test_a_single_radius_loses_more_than_a_fine_grid():
    fine, single = refuted.worse_than_the_reference_rows(0.1, 200, 2024)
    assert (fine["radii"], single["radii"]) == (40, 1)
    for row in (fine, single):
        assert 0 < float(row["by, on average"]) <= float(row["at most"])
    assert float(single["at most"]) > 10 * float(fine["at most"])
    assert float(single["allowed by 2 G(min E)"]) > float(fine["allowed by 2 G(min E)"])


def test_the_loss_over_the_rate_goes_to_zero_at_a_fixed_gap_only():
    rows = refuted.two_arm_loss_rows()
    moving = [float(row["at gap 1 / root of N"]) for row in rows]
    assert moving[2] == round(
        counterexamples.loss_of_the_higher_mean(2_000**-0.5, 1_000) / bounds.minimax_rate(2, 2_000), 3
    )
    assert min(moving) > 0.1
    assert "\N{SUPERSCRIPT MINUS}" in rows[2]["at gap 1/4"]
