"""Guesses of the means: right where the truth is known, and never out of bounds."""

import numpy as np
import pytest

from trust_helpers.splitting import posteriors
from trust_helpers.splitting.posteriors import Guesses, coin_guesses, normal_guesses


def test_beta_means_are_recovered_by_both():
    # the true prior is Beta(2, 6): the posterior mean is (k + 2) / (n + 8)
    rng = np.random.default_rng(0)
    n = rng.integers(2, 30, 5000)
    k = rng.binomial(n, rng.beta(2, 6, n.size))
    for guess in coin_guesses(k, n):
        assert np.abs(guess - (k + 2) / (n + 8)).mean() < 0.015


def test_two_groups_are_seen_by_the_free_fit_alone():
    rng = np.random.default_rng(1)
    p = np.repeat([0.9, 0.1], 1000)
    k = rng.binomial(6, p)
    parametric, free = coin_guesses(k, np.full(k.size, 6))
    assert np.abs(free[k == 6] - 0.9).max() < 0.02
    assert parametric[k == 6][0] > 0.92


def test_no_signal_is_no_signal():
    rng = np.random.default_rng(2)
    parametric, free = coin_guesses(rng.binomial(10, 0.4, 2000), np.full(2000, 10))
    assert np.ptp(parametric) < 0.1
    assert free.std() < 0.03


def test_an_arm_without_a_sample_gets_the_middle():
    parametric, free = coin_guesses(np.array([9, 8, 1, 2, 0]), np.array([10, 10, 10, 10, 0]))
    assert 0.4 < parametric[-1] < 0.6
    assert 0.4 < free[-1] < 0.6
    shrunk, _ = normal_guesses(np.array([1.0, 3.0, 0.0]), np.array([1.0, 1.0, 0.0]))
    assert shrunk[2] == pytest.approx(2.0)


def test_normal_means_are_recovered_by_both():
    rng = np.random.default_rng(3)
    truth, precision = rng.normal(1.0, 0.5, 4000), rng.choice([1.0, 4.0, 16.0], 4000)
    x = rng.normal(truth, 1 / np.sqrt(precision))
    ideal = (4.0 * 1.0 + precision * x) / (4.0 + precision)
    for guess in normal_guesses(x, precision):
        assert np.abs(guess - ideal).mean() < 0.05


def test_very_many_arms_are_read_off_the_same_curve(monkeypatch):
    rng = np.random.default_rng(4)
    x, precision = rng.normal(np.repeat([0.0, 1.0], 12_000), 0.5), rng.choice([3.9, 4.0, 9.0], 24_000)
    read_off = normal_guesses(x, precision).free
    monkeypatch.setattr(posteriors, "CHUNK", x.size)
    assert np.abs(read_off - normal_guesses(x, precision).free).max() < 0.01


def test_alike_arms_and_an_empty_part_are_no_trouble():
    assert np.ptp(normal_guesses(np.full(5, 2.0), np.ones(5)).free) < 1e-9
    assert not normal_guesses(np.zeros(3), np.zeros(3)).parametric.any()


def test_the_middle_of_two_guesses():
    np.testing.assert_array_equal(Guesses(np.array([0.2, 1.0]), np.array([0.6, 0.0])).middle, [0.4, 0.5])


def test_guesses_do_not_depend_on_the_unit():
    rng = np.random.default_rng(5)
    for x in (rng.normal(0, 0.1, 40), rng.normal(np.repeat([0.0, 5.0], 20), 1.0)):  # no spread, and two groups
        ours, theirs = normal_guesses(x, np.ones(40)), normal_guesses(1024 * x, np.full(40, 1024.0**-2))
        np.testing.assert_allclose(1024 * ours.free, theirs.free, rtol=1e-6, atol=1e-3)
        np.testing.assert_allclose(1024 * ours.parametric, theirs.parametric, rtol=1e-4, atol=1e-2)


def test_many_trials_of_an_arm_say_what_it_is():
    trials = np.full(4, 20_000)
    for guess in coin_guesses(np.array([2_000, 10_000, 15_000, 19_000]), trials):
        np.testing.assert_allclose(guess, [0.1, 0.5, 0.75, 0.95], atol=0.01)


def test_one_trial_each_leaves_the_even_law_of_their_mean():
    # the likelihood knows a / (a + b) = 1/2 alone; a + b = 2 makes it uniform, whose posterior means are 2/3 and 1/3
    parametric, _ = coin_guesses(np.repeat([0, 1], 500), np.ones(1000, dtype=int))
    np.testing.assert_allclose(parametric[[0, -1]], [1 / 3, 2 / 3], atol=0.01)
