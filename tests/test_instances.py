"""The paper's instances: their means, their noise, their logs."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import TrustError, instances


def test_data_starved_rewards_have_the_papers_laws():
    instance = instances.data_starved(4000)
    np.testing.assert_array_equal(instance.means, np.repeat([1.0, 0.0], 2000))
    assert (instance.sigma == 0.5).all()
    rewards = instance.sample(np.random.default_rng(1)).means
    assert stats.kstest(rewards[:2000], "uniform", args=(0.5, 1.0)).pvalue > 1e-3
    assert stats.kstest(rewards[2000:], "norm", args=(0, 0.5)).pvalue > 1e-3


def test_general_means_climb_to_one():
    instance = instances.general()
    assert instance.n_arms == 1000
    np.testing.assert_allclose(instance.means, np.arange(1, 1001) / 1000)
    noise = instance.sample(np.random.default_rng(2)).means - instance.means
    assert stats.kstest(noise, "norm", args=(0, 0.5)).pvalue > 1e-3


def test_strong_signal_has_two_d_arms():
    instance = instances.strong_signal(7, 0.3)
    np.testing.assert_array_equal(instance.means, [1.0] * 7 + [0.0] * 7)
    assert (instance.sigma == 0.3).all()


@pytest.mark.parametrize(("better", "mean"), [(True, 0.7), (False, 0.3)])
def test_two_arms_pay_zero_or_one(better, mean):
    instance = instances.two_arm(0.2, better)
    rewards = instance.rewards(np.random.default_rng(3), np.ones(20_000, dtype=int))
    assert set(rewards) == {0.0, 1.0}
    assert rewards.mean() == pytest.approx(mean, abs=4 * np.sqrt(0.21 / 20_000))


def test_a_gap_goes_from_nothing_to_a_quarter():
    assert instances.two_arm(0.0, True).means.tolist() == [0.5, 0.5]
    assert instances.two_arm(0.25, False).means.tolist() == [0.5, 0.25]


def test_half_of_the_arms_pay_and_of_an_odd_number_one_less():
    assert instances.data_starved().n_arms == 10_000
    assert [instances.data_starved(d).means.sum() for d in (2, 3, 4)] == [1, 1, 2]


def test_counts_average_the_noise_down():
    counts = np.repeat([1, 16], 3000)
    data = instances.gaussian(np.zeros(6000), 2.0).sample(np.random.default_rng(4), counts)
    np.testing.assert_array_equal(data.counts, counts)
    for part, deviation in ((data.means[:3000], 2.0), (data.means[3000:], 0.5)):
        assert part.std() == pytest.approx(deviation, rel=4 / np.sqrt(6000))


@pytest.mark.parametrize(
    ("message", "make"),
    [
        ("gap is 0.3", lambda: instances.two_arm(0.3, True)),
        ("gap is -0.1", lambda: instances.two_arm(-0.1, True)),
        ("d is 1: it must be at least 2", lambda: instances.data_starved(1)),
        ("d is 0", lambda: instances.general(0)),
        ("d is 2.5: it must be a whole number", lambda: instances.strong_signal(2.5, 1.0)),
        ("sigma is -1", lambda: instances.strong_signal(2, -1.0)),
        ("count of arm 0 is 0", lambda: instances.general(3).sample(np.random.default_rng(0), 0)),
    ],
)
def test_bad_instances_are_refused(message, make):
    with pytest.raises(TrustError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize("d", [2, 5])
def test_every_arm_of_a_starved_log_pays_what_its_mean_says(d):
    instance = instances.data_starved(d)
    arms = np.repeat(np.arange(d), 4_000)
    rewards = instance.rewards(np.random.default_rng(5), arms).reshape(d, -1)
    # four errors of an average of 4,000 rewards with a standard deviation of a half or less
    np.testing.assert_allclose(rewards.mean(axis=1), instance.means, atol=4 * 0.5 / np.sqrt(4_000))
    # and only the good ones never lose: of the others one reward in two is below 0
    np.testing.assert_array_equal(rewards.min(axis=1) >= 0.5, np.arange(d) < d // 2)
    np.testing.assert_array_equal(rewards.max(axis=1) <= 1.5, np.arange(d) < d // 2)
