"""Greedy, behaviour cloning and LCB, by hand."""

from math import inf, log, sqrt

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, TrustError, behaviour_cloning, confidence_widths, greedy, lcb, paper

DATA = OfflineData([1.0, 1.2, 0.4], [100, 1, 4], [0.5, 0.5, 1.0])


def test_greedy_takes_the_highest_mean_and_promises_nothing():
    made = greedy(DATA)
    np.testing.assert_array_equal(made.weights, [0, 1, 0])
    assert (made.estimate, made.lower_bound, made.confidence, made.support) == (1.2, -inf, 1.0, 1)


def test_lcb_prefers_the_arm_it_knows():
    for width, half in (("paper", sqrt(2 * log(60))), ("exact", stats.norm.isf(1 - 0.9 ** (1 / 3)))):
        made = lcb(DATA, 0.1, width)
        np.testing.assert_array_equal(made.weights, [1, 0, 0])
        assert made.lower_bound == pytest.approx(1.0 - half * 0.05)
        assert made.confidence == 0.9


@pytest.mark.parametrize("method", [behaviour_cloning, lcb])
def test_a_width_that_does_not_exist_is_refused(method):
    with pytest.raises(TrustError, match="width is 'papr': it must be 'exact' or 'paper'"):
        method(DATA, 0.1, "papr")


def test_widths_are_equation_1():
    np.testing.assert_allclose(confidence_widths(DATA, 0.1), [sqrt(2 * v * log(60)) for v in (0.0025, 0.25, 0.25)])


def test_with_equal_widths_lcb_is_greedy():
    data = OfflineData(np.random.default_rng(0).normal(size=30), np.ones(30), 0.5)
    np.testing.assert_array_equal(lcb(data).weights, greedy(data).weights)


def test_ties_go_to_the_first_arm():
    data = OfflineData([1.0, 2.0, 2.0], [1, 1, 1], 1.0)
    assert lcb(data).weights.argmax() == greedy(data).weights.argmax() == 1


def test_behaviour_cloning_follows_the_counts():
    made = behaviour_cloning(DATA, 0.1)
    np.testing.assert_allclose(made.weights, np.array([100, 1, 4]) / 105)
    variance = (100 * 0.25 + 0.25 + 4) / 105**2
    assert made.estimate - made.lower_bound == pytest.approx(sqrt(2 * log(20) * variance))
    assert made.confidence == 0.9


def test_the_papers_bound_for_behaviour_cloning():
    data = OfflineData(np.full(10_000, 0.5), np.ones(10_000), 0.5)
    claim = paper.claim("text.bc_bound")
    assert behaviour_cloning(data, 0.1).lower_bound == pytest.approx(claim.value, abs=claim.rounding)


def test_the_papers_width_and_sample_size():
    data = OfflineData(np.zeros(10_000), np.ones(10_000), 0.5)
    claim = paper.claim("text.lcb_width")
    assert confidence_widths(data, 0.1)[0] == pytest.approx(claim.value, abs=claim.rounding)
    assert np.ceil(8 * log(1 / 0.05)) == paper.claim("text.lcb_samples").value


@pytest.mark.parametrize("method", [behaviour_cloning, confidence_widths, lcb])
@pytest.mark.parametrize("delta", [0, 1, -0.1, 1.5, float("nan"), "a"])
def test_delta_outside_the_unit_interval(method, delta):
    with pytest.raises(TrustError, match="delta is"):
        method(DATA, delta)


@pytest.mark.parametrize(("sigma", "tries"), [(0.5, 1), ("pooled", 3)])
def test_the_exact_width_is_missed_as_often_as_it_says(sigma, tries):
    # 2,000 logs of twenty equal arms: all is noise, and the best-looking arm's bound is above zero in a tenth of them
    rng, missed, halved = np.random.default_rng(5), 0, 0
    for _ in range(2_000):
        rewards = rng.normal(scale=0.5, size=(20, tries))
        log_ = OfflineData.from_samples(np.repeat(np.arange(20), tries), rewards.ravel(), sigma)
        made = lcb(log_, 0.1)
        missed += made.lower_bound > 0
        halved += made.estimate - (made.estimate - made.lower_bound) / 2 > 0  # the refuter
    error = 3 * sqrt(2_000 * 0.1 * 0.9)
    assert missed <= 200 + error
    assert sigma == "pooled" or missed >= 200 - error  # with the level estimated, the bounds are not independent
    assert halved > 600
