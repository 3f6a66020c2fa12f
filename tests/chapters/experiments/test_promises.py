"""The experiments of chapter 8: what breaks, what holds, and that the numbers are what they are called."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, behaviour_cloning
from trust_helpers.chapters.experiments import promises, scenarios
from trust_helpers.chapters.pictures.promises import normal_stop_loss
from trust_helpers.paper import counterexamples


def named(part):
    return next(one for one in scenarios.SCENARIOS if part in one.name)


@pytest.mark.parametrize("part", ["clicks, 3 % in all arms, 1,000", "5 spare", "half the arms at 0.3", "Poisson"])
def test_plugging_in_a_level_breaks_what_the_fitting_law_keeps(part):
    found = scenarios.tried(named(part), 60, seed=5)
    allowed = stats.binom.ppf(0.9999, 60, 0.1)
    assert found.before.value * 60 > allowed
    assert found.after.value * 60 <= allowed
    assert found.promised <= found.worth


@pytest.mark.parametrize("one", scenarios.SCENARIOS, ids=lambda one: one.name)
def test_a_scenario_has_the_means_and_the_law_it_claims(one):
    arm = np.repeat(np.arange(one.means.size), one.counts)
    rewards = np.array([one.draw(np.random.default_rng(seed), arm) for seed in range(4)])
    level = rewards.std()
    # the mean over all samples of four logs, within five standard errors
    assert rewards.mean() == pytest.approx(one.means[arm].mean(), abs=5 * level / np.sqrt(rewards.size))
    log = one.log(np.random.default_rng(0))
    assert log.n_arms == one.means.size
    if one.said.startswith("sd"):
        assert level == pytest.approx(log.law.s, rel=0.1)


def test_many_fair_coins_exceed_a_gaussian_band_and_not_that_of_their_range():
    found = promises.fair_coins_exceed(2_000, 1, 100, seed=1, delta=0.1)
    assert found["gaussian"].value > 0.5
    assert found["range"].value <= stats.binom.ppf(0.9999, 100, 0.1) / 100
    assert found["gaussian"] == counterexamples.coins_exceed_the_band(2_000, 0.1, 100, 1).by_coins  # of the errata


def test_one_coin_per_arm_supports_no_more_than_cloning():
    found = promises.promises_against_samples(promises.halves(400), [1, 4], "coins", 3, seed=2, delta=0.1)
    assert found["trust"][0] <= found["cloning"][0]
    assert np.isnan(found["split"][0])
    assert found["trust"][1] > found["cloning"][1]
    assert found["split"][1] > found["trust"][1]


def test_cloning_promises_what_the_package_promises():
    data = OfflineData.from_counts(np.random.default_rng(0).binomial(4, promises.halves(100)), np.full(100, 4))
    design = promises.KindOfLog("one log", promises.halves(100), lambda rng: data)
    found = promises.routes(design, 2, seed=0, delta=0.1)
    assert found.cloning == behaviour_cloning(data).lower_bound


def test_dropping_arms_after_failures_breaks_the_promise_and_a_shared_shock_does_too():
    dropped = promises.dropped_after_failures(600, 20, seed=3, delta=0.1)
    assert dropped["split"].value > 0.5
    calm, shaken = (promises.shared_shocks(100, 4, size, 200, seed=3, delta=0.1) for size in (0.0, 0.3))
    assert calm.value * 200 <= stats.binom.ppf(0.9999, 200, 0.1) < shaken.value * 200
    later = promises.shared_shocks(100, 4, 0.0, 200, seed=3, delta=0.1, drift=0.2)
    assert later.value * 200 > stats.binom.ppf(0.9999, 200, 0.1)


def test_stop_losses_are_in_the_order_that_is_drawn():
    s = np.linspace(0, 1, 50)
    uniform, normal = (1 - s) ** 2 / 4, normal_stop_loss(s, np.sqrt(2 * np.pi) / 4)
    assert (normal >= uniform - 1e-12).all()
    assert normal[0] == pytest.approx(0.25)
    simulated = np.maximum(np.random.default_rng(0).normal(0, 0.6, 400_000) - 0.3, 0)
    assert normal_stop_loss(0.3, 0.6) == pytest.approx(simulated.mean(), abs=5 * simulated.std() / np.sqrt(400_000))
