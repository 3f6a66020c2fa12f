"""The choice on one part: it finds the best of what it looks through, and keeps to what can be judged."""

import numpy as np
import pytest
from scipy import optimize

from trust_helpers.splitting import choosing
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


def test_a_little_of_the_larger_prediction_counts():
    # a quarter of it: one arm, 0.8 under one guess and 0.4 under the other, at no width
    made = smooth_choice(Guesses(np.array([0.8]), np.array([0.4])), np.array([1.0]), 0.0)
    assert made.predicted == pytest.approx(0.75 * 0.4 + 0.25 * 0.8)


def test_a_path_goes_on_until_every_arm_is_played_much_alike():
    # guesses 1 apart: twenty levels below the lower one, from three hundredths of their distance to thirty times it
    path = choosing._path(np.array([2.0, 1.0]), np.array([4.0, 1.0]))
    depths = -1 - path.level[-20:]
    assert depths[0] == pytest.approx(0.03)
    assert depths[1:] / depths[:-1] == pytest.approx(np.full(19, 1000 ** (1 / 19)))
    assert path.size[-20:].tolist() == [2] * 20
    # the mixtures p (x - level), at a level of 30 below the lower guess 4 * 31 to 1 * 30
    np.testing.assert_allclose(path.weights(-1), np.array([4 * 31, 30]) / 154)
    np.testing.assert_allclose(path.weights(0), [1, 0])


def test_mixtures_of_a_path_are_worth_what_their_weights_are():
    rng = np.random.default_rng(3)
    x, p, y = rng.uniform(0, 1, 12), rng.uniform(1, 9, 12), rng.normal(size=12)
    path = choosing._path(x, p)
    weights = np.array([path.weights(i) for i in range(path.size.size)])
    np.testing.assert_allclose(path.values(y), weights @ y)
    np.testing.assert_allclose(path.deviation, np.sqrt((weights**2 / p).sum(axis=1)))
    # flat ones first, the arms of highest guess in the proportions of their precision
    top = np.argsort(-x)[: path.size[3]]
    np.testing.assert_allclose(weights[3][top], p[top] / p[top].sum())


def test_four_hundred_sizes_are_compared_at_most():
    assert choosing._path(np.linspace(1, 0, 5_000), np.ones(5_000)).size[0] == 1
    tried = np.unique(np.geomspace(1, 5_000, 400).astype(int))
    path = choosing._path(np.linspace(1, 0, 5_000), np.ones(5_000))
    assert path.size[: tried.size].tolist() == tried.tolist()
    # and the ends of ties: 200 arms of one guess, 300 of another, and the rest
    ties = np.repeat([0.9, 0.5, 0.1], [200, 300, 4_500])
    assert set(choosing._sizes(ties)) == {*tried.tolist(), 200, 500, 5_000}


def test_guesses_are_settled_to_ten_digits_of_the_largest():
    assert choosing._settled(np.array([-8.0, 4e-10, 3.9e-10, 8e-10])).tolist() == [-8, 0, 0, 8e-10]
    assert choosing._settled(np.zeros(2)).tolist() == [0, 0]


def test_a_rehearsal_takes_off_what_fell_short_on_average():
    x, p = both([0.9, 0.5]), np.full(2, 1e12)
    told = [Rehearsal(x, np.array([0.8, 0.5])), Rehearsal(x, np.array([0.6, 0.5]))]  # 0.1 and 0.3 short
    assert smooth_choice(x, p, 1.28, told).predicted == pytest.approx(0.7, abs=1e-5)
    better = [Rehearsal(x, np.array([1.0, 0.5]))]  # a pleasant surprise adds nothing
    assert smooth_choice(x, p, 1.28, better).predicted == pytest.approx(0.9, abs=1e-5)
