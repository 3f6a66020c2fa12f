"""The experiments of chapter 1, against exact values and against rules that must fail."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, TrustError, instances
from trust_helpers.book.experiments.single_arms import (
    LcbTrial,
    arm_at_quantile,
    chance_that_the_best_sample_is_good,
    claim_rows,
    lcb_with_more_samples,
    one_arm_in_fifty_good,
    try_lcb_on_random_logs,
    worth_of_arms_by_rank,
)
from trust_helpers.paper import exact
from trust_helpers.trials import play

FLAT, NORMAL = stats.uniform(0.5, 1.0), stats.norm(1, 0.5)


@pytest.mark.parametrize("d", [2, 20, 100, 1_001, 10_000])
def test_greedy_by_two_integrals(d):
    assert chance_that_the_best_sample_is_good(d, FLAT) == pytest.approx(exact.greedy_value(d), abs=1e-6)


def test_greedy_is_as_often_right_as_computed():
    value = play(instances.data_starved(400), ["greedy"], 2_000, 1)["greedy"].value
    chance = chance_that_the_best_sample_is_good(400, FLAT)
    assert abs(value.mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / 2_000)  # four binomial standard errors


def test_it_takes_a_longer_tail_and_not_only_many_arms():
    assert min(chance_that_the_best_sample_is_good(d, NORMAL) for d in (20, 1_000, 10**6)) > 0.99
    assert chance_that_the_best_sample_is_good(10**6, FLAT) < 1e-6
    assert chance_that_the_best_sample_is_good(100, NORMAL, NORMAL) == pytest.approx(0.5)


def test_arms_by_rank():
    log = OfflineData([0.3, 0.1, 0.4, 0.2], np.ones(4), 1.0)
    assert [int(arm_at_quantile(share)(log).weights.argmax()) for share in (0.25, 0.5, 0.75, 1.0)] == [1, 3, 0, 2]
    with pytest.raises(TrustError, match="share is 0"):
        arm_at_quantile(0.0)


def test_an_arm_below_the_top_does_well_on_the_starved_instance_and_the_top_one_does_not():
    rules = {"below": arm_at_quantile(0.97), "top": arm_at_quantile(1.0)}
    made = play(instances.data_starved(10_000), rules, 60, 3)
    assert made["below"].value.mean() > 0.9
    assert made["top"].value.mean() < 0.1


def test_lcb_keeps_its_claims_and_would_not_keep_tighter_ones():
    small = instances.gaussian(np.linspace(0, 1, 20), 1.0)
    tried = try_lcb_on_random_logs(small, 60, 0.1, 200, 7)
    assert tried.samples == 1_200
    assert (tried.excess <= 0).mean() >= 0.9
    assert (tried.gap <= tried.allowed).mean() >= 0.8
    assert (tried.gap > tried.allowed / 16).mean() > 0.2  # the refuter: a sixteenth of the bound is broken


def test_more_samples_are_taken_where_claim_2_asks_for_them():
    small = instances.gaussian(np.linspace(0, 1, 5), 1.0)
    assert try_lcb_on_random_logs(small, 1, 0.01, 2, 7).samples == 5 * 37  # 8 log 100 = 36.8


def test_promises_grow_with_the_samples():
    runs = lcb_with_more_samples(instances.data_starved(200), [1, 4, 16], 0.1, 10, 2)
    assert np.all(np.diff([run.bound.mean() for run in runs]) > 0)


def test_broken_claims_are_counted_against_what_each_may_be():
    tried = LcbTrial(np.array([-1.0, 0.0, 0.5, 0.5]), np.array([0.1, 0.3, 0.3, 0.2]), 0.25, 40)
    first, second = tried.broken(0.1)
    assert (first.broken, first.trials, first.allowed) == (2, 4, 0.1)
    assert (second.broken, second.trials, second.allowed) == (2, 4, 0.2)


def test_the_rows_of_claims_have_share_allowance_and_verdict():
    tried = LcbTrial(np.r_[np.ones(60), -np.ones(40)], np.zeros(100), 0.25, 40)
    first, second = claim_rows(tried.broken(0.1))
    assert (first["broken"], first["allowed"], first["verdict"].plain) == (0.6, 0.1, "broken")
    assert (second["broken"], second["allowed"], second["verdict"].plain) == (0.0, 0.2, "kept")
    assert "claim 1" in first["claim"]
    assert "claim 2" in second["claim"]


def test_one_arm_in_fifty_is_good():
    world = one_arm_in_fifty_good(1_000)
    assert (world.means.sum(), world.means.max(), world.means.min()) == (20.0, 1.0, 0.0)
    assert (world.sigma == 0.5).all()


def test_which_rank_is_best_depends_on_the_world():
    worlds = {"half": instances.data_starved(5_000), "few": one_arm_in_fifty_good(5_000)}
    low, high, top = worth_of_arms_by_rank(worlds, (0.5, 0.97, 1.0), 60, 3)
    assert [row["rank"] for row in (low, high, top)] == ["50\u00a0%", "97\u00a0%", "100\u00a0%"]
    assert high["half"] > 0.9 > low["half"] > top["half"]
    assert top["few"] > 0.7  # four binomial standard errors below what is usual, 0.9
    assert high["few"] < 0.3
    alone = play(worlds["few"], {"top": arm_at_quantile(1.0)}, 60, 3)["top"].value.mean()
    assert top["few"] == alone  # the same logs
