"""Guesses of the means: right where the truth is known, and never out of bounds."""

import numpy as np
import pytest
from scipy import optimize, special, stats

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
        ours, theirs = normal_guesses(x, np.ones(40)), normal_guesses(1000 * x, np.full(40, 1000.0**-2))
        np.testing.assert_allclose(1000 * ours.free, theirs.free, rtol=1e-9)
        np.testing.assert_allclose(1000 * ours.parametric, theirs.parametric, rtol=1e-9)


def test_many_trials_of_an_arm_say_what_it_is():
    trials = np.full(4, 20_000)
    for guess in coin_guesses(np.array([2_000, 10_000, 15_000, 19_000]), trials):
        np.testing.assert_allclose(guess, [0.1, 0.5, 0.75, 0.95], atol=0.01)


def test_one_trial_each_leaves_the_even_law_of_their_mean():
    # the likelihood knows a / (a + b) = 1/2 alone; a + b = 2 makes it uniform, whose posterior means are 2/3 and 1/3
    parametric, _ = coin_guesses(np.repeat([0, 1], 500), np.ones(1000, dtype=int))
    np.testing.assert_allclose(parametric[[0, -1]], [1 / 3, 2 / 3], atol=0.01)


def em_by_hand(grid, start, likelihood, steps=400):
    """Posterior means of the rows of a likelihood, under the law on a grid that EM has made of another."""
    law = start / start.sum() + 1e-9
    for _ in range(steps):
        joint = likelihood * law / (likelihood * law).sum(axis=1, keepdims=True)
        law = joint.mean(axis=0)
    joint = likelihood * law
    return (joint * grid).sum(axis=1) / joint.sum(axis=1)


def test_the_free_guess_of_coins_is_four_hundred_steps_of_em_from_the_beta_law():
    k, n = np.repeat([0, 1, 2, 3, 12], [30, 40, 20, 8, 2]), 12
    parametric, free = coin_guesses(k, np.full(k.size, n))
    # (k + a) / (n + a + b) says what a and b are
    both = n / (parametric[-1] - parametric[0]) - n
    a = parametric[0] * (n + both)
    angle = np.pi / 2 * (np.arange(120) + 0.5) / 120
    p = np.sin(angle) ** 2
    start = stats.beta.pdf(p, a, both - a) * np.sin(2 * angle)  # the density of the angle
    expected = em_by_hand(p, start, stats.binom.pmf(k[:, None], n, p))
    np.testing.assert_allclose(free, expected, rtol=1e-8)
    assert np.abs(free - em_by_hand(p, start, stats.binom.pmf(k[:, None], n, p), 401)).max() > 1e-6


def test_the_free_guess_of_averages_is_four_hundred_steps_of_em_from_the_normal_law():
    x = np.concatenate([np.linspace(-1, 1, 40), [4.0, 4.5]])
    parametric, free = normal_guesses(x, np.full(x.size, 2.0))
    # a share s of the way from the centre to the average, s = precision / (precision + 1 / spread)
    share = (parametric[-1] - parametric[0]) / (x[-1] - x[0])
    centre, spread = (parametric[0] - share * x[0]) / (1 - share), share / (1 - share) / 2
    grid = np.linspace(-1, 4.5, 120)
    expected = em_by_hand(
        grid, stats.norm.pdf(grid, centre, np.sqrt(spread)), stats.norm.pdf(x[:, None], grid, np.sqrt(0.5))
    )
    np.testing.assert_allclose(free, expected, rtol=1e-8)


def test_the_beta_law_is_the_likeliest_but_for_a_weak_pull_towards_two():
    k, n = np.array([0, 1, 2, 2, 4, 5, 1]), np.array([3, 3, 2, 5, 6, 5, 4])

    def loss(log_ab):
        a, b = np.exp(log_ab)
        return -stats.betabinom.logpmf(k, n, a, b).sum() + 0.02 * np.log((a + b) / 2) ** 2

    a, b = np.exp(optimize.minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12}).x)
    np.testing.assert_allclose(coin_guesses(k, n).parametric, (k + a) / (n + a + b), rtol=1e-4)


def jittered(function):
    """A function whose last digits depend on what it is given, as they do on the processor."""

    def changed(*given):
        found = np.asarray(function(*given))
        return found * (1 + 1e-15 * np.sin(1e6 * found))

    return changed


@pytest.mark.parametrize("trials", [1, 12, 40, 3000])
@pytest.mark.parametrize("spread", [1.0, 30.0, 1e9])
def test_the_beta_law_does_not_hang_on_the_last_digits_of_the_likelihood(trials, spread, monkeypatch):
    rng = np.random.default_rng(6)
    k = rng.binomial(trials, rng.beta(0.3 * spread, 0.7 * spread, 200))
    exact = coin_guesses(k, np.full(200, trials)).parametric
    for name in ("betaln", "polygamma"):
        monkeypatch.setattr(special, name, jittered(getattr(special, name)))
    moved = coin_guesses(k, np.full(200, trials)).parametric
    np.testing.assert_allclose(moved, exact, rtol=1e-9)


def test_the_beta_law_stays_within_its_ends():
    # neither a coin that never wins nor coins that are all alike can run away
    for won, tried in (([0, 0], 10), ([500, 500, 500], 1000)):
        k, n = np.array(won, dtype=float), np.full(len(won), tried, dtype=float)
        found = np.log(posteriors._beta_fit(k, n, np.ones(len(won), dtype=np.int64)))
        assert (found >= -6).all()
        assert (found <= 12).all()


@pytest.mark.parametrize(
    ("won", "tried", "share", "size"),
    [
        ([0, 0, 9], 9, 9.5 / 28, 1),
        ([0, 2, 4], 9, 6.5 / 28, 8),
        ([2, 2, 2], 9, 6.5 / 28, 64),
        ([0], 10**7, 1e-6, 1),
        ([10**7], 10**7, 1 - 1e-6, 1),
    ],
    ids=["far apart", "apart", "alike", "none", "all"],
)
def test_the_beta_law_is_sought_from_the_share_of_successes(won, tried, share, size, monkeypatch):
    # with half a success and half a failure more, never quite 0 or 1, and from the likeliest of three sizes a + b
    starts = []
    search = posteriors._least
    monkeypatch.setattr(posteriors, "_least", lambda f, g, x: starts.append(np.exp(x)) or search(f, g, x))
    coin_guesses(np.array(won), np.full(len(won), tried))
    ((a, b),) = starts
    assert [a / size, b / size] == pytest.approx([share, 1 - share], rel=1e-6)


def test_the_normal_law_is_the_likeliest():
    x, precision = np.array([0.1, 2.0, 1.2, -1.5, 0.4, 3.0]), np.array([1.0, 2.0, 4.0, 1.0, 0.5, 3.0])

    def loss(given):
        return -stats.norm.logpdf(x, given[0], np.sqrt(1 / precision + np.exp(given[1]))).sum()

    found = optimize.minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).x
    share = precision / (precision + np.exp(-found[1]))
    np.testing.assert_allclose(normal_guesses(x, precision).parametric, share * x + (1 - share) * found[0], rtol=1e-4)


@pytest.mark.parametrize(("likeliest", "found"), [(1e6, 1e4), (8e-4, 1e-3)])
def test_the_spread_is_sought_from_a_thousandth_to_ten_thousand_times_the_noise(likeliest, found):
    # of two averages of precision 1 it is likeliest that the means have the variance of both less 1
    x = np.array([-1, 1]) * np.sqrt(1 + likeliest)
    share = np.ptp(normal_guesses(x, np.ones(2)).parametric) / np.ptp(x)
    assert share / (1 - share) == pytest.approx(found, rel=1e-3)


def test_the_law_is_learnt_from_two_thousand_arms_at_most():
    assert posteriors._some(2_000).tolist() == list(range(2_000))
    some = posteriors._some(2_001)
    assert np.unique(some).size == some.size == 2_000
    # which ones never changes, or promises would
    assert some[:4].tolist() == [104, 1880, 1792, 130]


@pytest.mark.parametrize("arms", [20_000, 20_001])
def test_more_than_twenty_thousand_arms_are_read_off_a_curve(arms, monkeypatch):
    read_off = []
    monkeypatch.setattr(posteriors, "_interpolated", lambda means, *_: read_off.append(means.size) or means)
    monkeypatch.setattr(posteriors, "STEPS", 1)
    normal_guesses(np.linspace(0, 1, arms), np.ones(arms))
    assert read_off == [arms] * (arms > 20_000)


def test_arms_are_read_off_at_sixteen_levels_of_precision():
    # 32 precisions, equally often: each level has two and takes their average; on the grid nothing is interpolated
    grid, law = np.linspace(0, 1, 120), np.linspace(1, 3, 120)
    values = np.geomspace(1, 100, 32)
    precision, means = np.repeat(values, 120), np.tile(grid, 32)

    def likelihood(x, p):
        return np.exp(-0.5 * p[:, None] * (x[:, None] - grid) ** 2)

    made = posteriors._interpolated(means, precision, grid, law, likelihood)
    joint = likelihood(means, np.repeat(values.reshape(16, 2).mean(axis=1), 240)) * law
    np.testing.assert_allclose(made, joint @ grid / joint.sum(axis=1), rtol=1e-9)


def test_no_coin_is_taken_for_sure():
    # half of the middle is a mean over a grid that stays clear of 0 and 1 by (pi / 480)^2
    middle = coin_guesses(np.array([0, 10**6]), np.full(2, 10**6)).middle
    assert 2e-5 < middle.min() < middle.max() < 1 - 2e-5


def test_averages_known_exactly_are_their_own_guesses():
    # up to half a step of the grid; none of its points is at all likely
    x = np.array([0.0, 0.2513, 0.5, 0.7489, 1.0])
    for guess in normal_guesses(x, np.full(5, 1e9)):
        assert np.abs(guess - x).max() < 0.5 / 119 + 1e-9
