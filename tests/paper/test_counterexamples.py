"""The counterexamples refute what they should, and the mended statements survive them."""

import numpy as np
import pytest

from trust_helpers.paper import counterexamples, slips
from trust_helpers.paper.shapes import shapes

pytestmark = pytest.mark.xdist_group("replication")  # they share bands


@pytest.mark.parametrize("delta", [0.1, 0.05, 0.01, 0.001])
def test_lcbs_second_claim_needs_its_sixteen(delta):
    four, sixteen = (counterexamples.lcb_claim_fails(delta, factor) for factor in (4, 16))
    assert sixteen < 2 * delta
    assert (four > 2 * delta) == (delta < 0.06)  # a refutation for small delta, and none at the paper's 0.1


def test_the_sum_agrees_with_lcb_itself():
    exact, run = counterexamples.lcb_claim_fails(0.01, 4), counterexamples.lcb_claim_simulated(0.01, 4, 3_000, 1)
    assert abs(run.value - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 3_000)
    # the refuter: with 16 in the bound LCB hardly ever fails
    assert counterexamples.lcb_claim_simulated(0.01, 16, 500, 1).value == 0


def test_the_printed_fine_grained_bound_breaks_and_the_mended_one_holds():
    made = counterexamples.fine_grained_bound_broken(2_000, 2.0, 0.1, 40, 0)
    assert made.broken.value - 4.5 * made.broken.error > 0.1
    assert (made.short <= made.mended).all()
    assert made.printed < made.doubled_band < made.mended


@pytest.mark.parametrize(("radii", "spread"), [(40, 0.02), (1, 0.2)])
def test_trust_is_worse_than_the_reference_more_often_than_printed(radii, spread):
    made = counterexamples.worse_than_the_reference(radii, spread, 0.1, 400, 2024)
    assert made.worse.value - 3 * made.worse.error > 0.15
    assert (made.loss > made.allowed).mean() <= 0.1 + 4.5 * np.sqrt(0.09 / 400)
    assert made.loss.max() > (0.3 if radii == 1 else 0)


def test_the_loss_falls_at_a_fixed_gap_and_not_at_a_moving_one():
    rate = [np.sqrt(2 / n) for n in (20, 200, 2_000)]
    fixed = [counterexamples.loss_of_the_higher_mean(0.25, n // 2) for n in (20, 200, 2_000)]
    moving = [counterexamples.loss_of_the_higher_mean(n**-0.5, n // 2) for n in (20, 200, 2_000)]
    assert fixed[2] / rate[2] < 1e-10
    assert min(m / r for m, r in zip(moving, rate, strict=True)) > 0.1


def test_some_rival_is_below_while_the_event_holds_but_not_the_fixed_one():
    made = counterexamples.sign_in_the_proof(0.1, 2_000, 3)
    assert abs(made.holds.value - 0.9) < 4.5 * np.sqrt(0.09 / 2_000) + 4.5 * np.sqrt(0.09 / 2_000)
    assert made.some_rival_below.value - 4.5 * made.some_rival_below.error > 0
    assert made.fixed_rival_below < 1e-6


def test_coins_exceed_the_band_that_gaussian_noise_keeps():
    made = counterexamples.coins_exceed_the_band(2_000, 0.1, 100, 5)
    assert made.by_coins.value > 0.9
    assert made.by_gaussian.value <= 0.1 + 4.5 * np.sqrt(0.09 / 100)
    assert made.promise_missed.value - 4.5 * made.promise_missed.error > 0.1


def test_small_checks_say_what_the_errata_say():
    assert all(row["probability"] > row["formula"] for row in slips.chernoff())
    assert all(0.5 < row["width"] < row["Lemma C.5"] for row in slips.width_at_the_root())
    assert all(row["shifted simplex"] < row["hyperplane"] for row in slips.simplex())
    assert all(row["printed"] > row["variance at most"] for row in slips.variance())
    assert all(row["printed"] < row["deviation"] for row in slips.variance())
    gain = slips.strong_signal_gain()
    assert gain["bound"] < gain["least gain"]
    assert slips.least_weight_of_the_printed_optimum() < 0
    first, _, last = slips.tails()
    assert first["printed step"] > first["allowed"] > last["printed step"]
    assert all(row["our step"] <= row["allowed"] for row in slips.tails())
    assert all(row["width / bound"] < 1 for row in slips.diameter())
    assert all(0.5 - 1e-9 <= row["printed D"] / row["true D"] <= 1 + 1e-9 for row in slips.diameter())
    one, other = slips.two_bands()
    assert one["at the largest radius"] < other["at the largest radius"]
    assert one["at the smallest"] > other["at the smallest"]
    swept, on_grid = slips.best_radius_between_grid_points()
    assert swept == pytest.approx(on_grid, abs=1e-12)
    assert slips.where_claim_2_begins() == pytest.approx(1.47, abs=0.005)
    assert slips.order_statistic_below_its_quantile() <= 0.05
    assert len(set(np.round(slips.largest_radius_both_ways(), 9))) == 1
    assert [row["constants"] for row in slips.constants()] == ["printed", "mended"]


def test_the_printed_bound_of_table_1_cannot_come_from_its_formula():
    made = slips.table1_bound()
    assert made["chance"] < 1e-9
    assert made["low"] < made["mean"] < made["high"] < 0


def test_the_figures_have_their_shapes():
    assert [(one.key, one.word) for one in shapes()] == [(f"figure {n}", "reproduced") for n in (1, 2, 3)]
