"""The choice on one part: monotone, and no worse than what it is compared with."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trust_helpers.split.choose import choose
from trust_helpers.split.posteriors import Guesses, coin_guesses, normal_guesses

levels = st.lists(st.integers(0, 12), min_size=2, max_size=30)


@given(levels, st.integers(12, 40), st.floats(0.5, 4))
def test_at_equal_counts_a_worse_looking_arm_never_gets_more_weight(won, tried, factor):
    successes, trials = np.array(won), np.full(len(won), tried)
    guesses = coin_guesses(successes, trials)
    weights = choose(guesses, trials, guesses.middle * (1 - guesses.middle), factor)
    order = np.argsort(successes, kind="stable")
    assert (np.diff(weights[order]) >= -1e-12).all()
    for k in set(won):
        assert np.ptp(weights[successes == k]) <= 1e-12
    assert abs(weights.sum() - 1) < 1e-12


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=30), st.floats(0.5, 4))
def test_so_too_for_averages(means, factor):
    x, precision = np.array(means), np.full(len(means), 2.0)
    weights = choose(normal_guesses(x, precision), precision, np.ones(x.size), factor)
    order = np.argsort(x, kind="stable")
    assert (np.diff(weights[order]) >= -1e-9).all()


def test_an_arm_that_cannot_be_judged_is_left_out():
    sure = Guesses(np.array([0.9, 0.5, 0.1]), np.array([0.9, 0.5, 0.1]))
    assert choose(sure, np.array([0, 50, 50]), np.full(3, 0.01), 2.0).tolist() == [0, 1, 0]


def test_one_promise_is_the_best_of_a_fine_search():
    # two arms: every mixture of them, by hand
    x, n, v, factor = np.array([0.6, 0.5]), np.array([30.0, 60.0]), np.array([0.2, 0.25]), 2.0
    made = choose(Guesses(x, x), n, v, factor)
    first = np.linspace(0, 1, 2_001)
    promise = (
        first * x[0] + (1 - first) * x[1] - factor * np.sqrt(first**2 * v[0] / n[0] + (1 - first) ** 2 * v[1] / n[1])
    )
    found = made @ x - factor * np.sqrt((made**2 * v / n).sum())
    assert found >= promise.max() - 0.002  # levels are a grid
