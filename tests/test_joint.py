"""The joint promise: mixtures of every radius, single arms and the reference policy, whichever promises most."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, Pooled, band_for, combined, instances, trust
from trust_helpers.combination import best_promise, shares_for, simulate_log
from trust_helpers.joint import joint_band

DELTA, LOGS, ARMS = 0.1, 500, 40


@pytest.fixture(scope="module", params=["equal", "unequal"])
def design(request):
    counts = np.full(ARMS, 4) if request.param == "equal" else np.random.default_rng(1).integers(1, 20, ARMS)
    return OfflineData(np.full(ARMS, 0.5), counts, "range:0:1")


def truths():
    """Means with no signal, a spread, and one arm that stands out."""
    return {
        "alike": np.full(ARMS, 0.5),
        "spread": np.linspace(0.05, 0.95, ARMS),
        "one good": np.where(np.arange(ARMS) == 7, 0.97, 0.1),
    }


@pytest.mark.parametrize("kind", list(truths()))
def test_the_highest_of_all_promises_holds(design, kind):
    means, rng = truths()[kind], np.random.default_rng(3)
    band = joint_band(simulate_log(design, DELTA, 0), DELTA)
    misses = 0
    for _ in range(LOGS):
        data = OfflineData(rng.binomial(design.counts, means) / design.counts, design.counts, "range:0:1")
        made = band.decide(data)
        misses += made.lower_bound > made.weights @ means + 1e-12
    assert misses <= stats.binom.ppf(0.9999, LOGS, DELTA)


def test_refuter_half_the_widths_miss():
    rng, counts = np.random.default_rng(4), np.ones(300, int)
    design = OfflineData(np.zeros(300), counts, 1.0)
    band = joint_band(simulate_log(design, DELTA, 0), DELTA)
    half = type(band)(band.simulated, DELTA, band.mixtures / 2, band.arms / 2, band.reference / 2)
    for one, fails in ((band, False), (half, True)):
        made = [one.decide(OfflineData(rng.normal(size=300), counts, 1.0)) for _ in range(200)]
        misses = sum(each.lower_bound > 0 for each in made)
        assert (misses > stats.binom.ppf(0.9999, 200, DELTA)) == fails


def test_the_joint_promise_costs_little_more_than_trusts_own():
    data = instances.general(300).sample(np.random.default_rng(0), 4)
    own = trust(data, DELTA, band_for(data, DELTA)).lower_bound
    joint = joint_band(simulate_log(data, DELTA, 0), DELTA).decide(data).lower_bound
    assert joint == pytest.approx(own, abs=0.03)


def test_one_simulation_serves_logs_of_every_estimated_level():
    rng, counts = np.random.default_rng(5), np.full(20, 3)
    means = rng.normal(size=20)
    one, other = (OfflineData(k * means, counts, Pooled(k * 0.4, 40)) for k in (1.0, 5.0))
    shares = shares_for(one)
    simulated = simulate_log(one, DELTA * shares.joint, 2)
    made = best_promise(other, DELTA, shares, simulated)
    assert made.lower_bound == pytest.approx(combined(other, DELTA, seed=2).lower_bound)
    assert made.lower_bound == pytest.approx(5 * combined(one, DELTA, seed=2).lower_bound)


def test_the_joint_band_never_depends_on_the_rewards(design):
    other = OfflineData(np.random.default_rng(8).uniform(size=ARMS), design.counts, "range:0:1")
    one, two = (joint_band(simulate_log(log, DELTA, 0), DELTA) for log in (design, other))
    np.testing.assert_array_equal(one.mixtures, two.mixtures)
    np.testing.assert_array_equal(one.arms, two.arms)
    assert one.reference == two.reference
