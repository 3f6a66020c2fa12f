"""The experiments of chapter 1, against exact values and against rules that must fail."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, TrustError, instances
from trust_helpers.chapters.experiments.single_arms import (
    arm_at_quantile,
    chance_that_the_best_sample_is_good,
    lcb_with_more_samples,
    try_lcb_on_random_logs,
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
