"""The choice on one part: it finds the best of what it looks through, and keeps to what can be judged."""

import numpy as np
import pytest
from scipy import optimize

from trust_helpers.splitting.choosing import Rehearsal, flat_choice, smooth_choice
from trust_helpers.splitting.judging import clopper_pearson
from trust_helpers.splitting.posteriors import Guesses


def both(x):
    return Guesses(np.asarray(x), np.asarray(x))


def test_flat_choice_finds_the_best_number_of_arms():
    rng = np.random.default_rng(0)
    x, n = np.sort(rng.uniform(0, 1, 60))[::-1], rng.integers(1, 20, 60)
    choice = flat_choice(both(x), n, 0.1)
    every = clopper_pearson(np.cumsum(n * x), np.cumsum(n), 0.1)
    assert choice.predicted == pytest.approx(every.max())
    np.testing.assert_allclose(
        choice.weights[: every.argmax() + 1], n[: every.argmax() + 1] / n[: every.argmax() + 1].sum()
    )


def test_the_smaller_of_two_predictions_counts():
    bold, careful = np.array([0.99, 0.5, 0.5]), np.array([0.1, 0.5, 0.5])
    choice = flat_choice(Guesses(bold, careful), np.full(3, 1000), 0.1)
    assert choice.weights[0] == 0
    choice = smooth_choice(Guesses(bold, careful), np.full(3, 1000.0), 1.28)
    assert choice.weights[0] < 0.34


def test_smooth_choice_is_the_best_mixture():
    rng = np.random.default_rng(1)
    x, p = rng.uniform(0, 1, 6), rng.uniform(5, 50, 6)
    choice = smooth_choice(both(x), p, 1.28)
    found = optimize.minimize(
        lambda w: -(w @ x) + 1.28 * np.sqrt((w**2 / p).sum()),
        np.full(6, 1 / 6),
        bounds=[(0, 1)] * 6,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
    )
    assert choice.predicted == pytest.approx(-found.fun, abs=5e-3)
    assert choice.predicted == pytest.approx(choice.weights @ x - 1.28 * np.sqrt((choice.weights**2 / p).sum()))


def test_without_a_signal_it_is_the_reference():
    p = np.array([1.0, 2.0, 5.0])
    np.testing.assert_allclose(smooth_choice(both([0.3, 0.3, 0.3]), p, 1.28).weights, p / p.sum())


def test_arms_that_cannot_be_judged_are_left_out():
    x = both([0.9, 0.5, 0.4])
    assert flat_choice(x, np.array([0, 5, 5]), 0.1).weights[0] == 0
    assert smooth_choice(x, np.array([0.0, 5, 5]), 1.28).weights[0] == 0


def test_a_disappointing_rehearsal_makes_it_careful():
    x, p = both(np.linspace(1, 0, 50)), np.full(50, 100.0)
    bold = smooth_choice(x, p, 1.28)
    careful = smooth_choice(x, p, 1.28, [Rehearsal(x, np.full(50, 0.5))])
    assert (careful.weights > 0).sum() > (bold.weights > 0).sum()
    assert careful.predicted < bold.predicted


def test_flat_only_means_flat():
    x, p = both(np.linspace(1, 0, 30)), np.arange(1.0, 31)
    weights = smooth_choice(x, p, 1.28, flat=True).weights
    assert np.ptp((weights / p)[weights > 0]) < 1e-12


def test_last_digits_of_guesses_decide_nothing():
    rng = np.random.default_rng(2)
    x, counts = rng.choice([0.2, 0.5, 0.8], 3_000), rng.integers(1, 9, 3_000)
    nearly = x * (1 + 1e-13 * rng.normal(size=x.size))
    for choose in (lambda g: flat_choice(g, counts, 0.1), lambda g: smooth_choice(g, counts * 4.0, 1.28)):
        np.testing.assert_array_equal(choose(both(nearly)).weights > 0, choose(both(x)).weights > 0)
