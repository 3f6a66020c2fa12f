"""The parts of a log and the random numbers that make them."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import DataError
from trust_helpers.samples import Samples
from trust_helpers.split.parts import (
    by_what_was_seen,
    deal_counts,
    deal_items,
    fission,
    seen_of_samples,
    split_successes,
    stream_of,
)
from trust_helpers.split.posteriors import coin_guesses, normal_guesses


def seen_of(*columns):
    return by_what_was_seen(*columns)[1]


def test_every_log_has_a_stream_of_its_own():
    # the logs of two arms with six tries each, and logs whose means are multiples or nearly equal
    coins = [seen_of(np.array([a, b]), np.array([6, 6])) for a in range(7) for b in range(7)]
    ordered = {tuple(np.sort(seen).tolist()) for seen in coins}
    assert len(ordered) == 28  # unordered pairs: the order of arms does not matter
    means = [(1.0, 2.0), (10.0, 20.0), (0.1, 0.2), (1e8, 1e8), (1e8 + 1, 1e8 - 1), (1e8 + 2, 1e8 + 0.3)]
    streams = [stream_of(0, seen_of(np.array(pair), np.array([4, 4]), np.ones(2))).random() for pair in means]
    assert len(set(streams)) == len(means)
    assert stream_of(1, coins[0]).random() != stream_of(0, coins[0]).random()


def test_rewards_with_equal_means_are_different_logs():
    arm, counts = np.array([0, 0, 0]), np.array([3])
    two = [seen_of_samples(Samples(arm, np.array(reward), counts)) for reward in ([1.0, 3, 5], [3.0, 3, 3])]
    assert two[0] != two[1]
    assert two[0] == seen_of_samples(Samples(arm, np.array([5.0, 1, 3]), counts))


def test_half_of_each_arm_and_never_all():
    rng = np.random.default_rng(0)
    first = np.array([deal_counts(np.array([5, 4, 1]), rng) for _ in range(2_000)])
    assert set(first[:, 0]) == {2, 3}
    assert set(first[:, 1]) == {2}
    assert abs(first[:, 2].mean() - 0.5) < 3 * 0.5 / np.sqrt(2_000)
    assert {int(deal_counts(np.array([1, 1]), rng).sum()) for _ in range(50)} == {1}


def test_dealt_successes_are_hypergeometric_and_add_up():
    rng = np.random.default_rng(1)
    parts = [split_successes(np.array([6]), np.array([10]), rng) for _ in range(4_000)]
    assert all((a[0] + b[0], a[1] + b[1]) == (6, 10) for a, b in parts)
    seen = np.bincount([int(a[0][0]) for a, _ in parts], minlength=6) / 4_000
    law = stats.hypergeom.pmf(np.arange(6), 10, 6, 5)
    assert np.abs(seen - law).max() < 4 * np.sqrt(law.max() / 4_000)
    with pytest.raises(DataError, match="needs no splitting"):
        split_successes(np.array([1]), np.array([10**9]), rng)


def test_items_stay_whole():
    rng = np.random.default_rng(2)
    arm, item = (axis.ravel() for axis in np.indices((3, 9)))
    log = Samples(arm, rng.random(27), np.full(3, 9), item)
    sizes = set()
    for _ in range(20):
        first, second = deal_items(log, rng)
        assert first.counts.tolist() == [first.n_items] * 3
        assert first.n_items + second.n_items == 9
        sizes.add(first.n_items)
    assert sizes == {4, 5}


def test_fission_is_independent():
    rng = np.random.default_rng(3)
    x = rng.normal(2.0, 0.5, 100_000)
    first, second = fission(x, np.full(x.size, 0.5), rng)
    assert abs(np.corrcoef(first, second)[0, 1]) < 4 / np.sqrt(x.size)
    assert first.var() == pytest.approx(0.5, rel=0.03)


def test_guesses_of_coins_and_averages_find_what_made_them():
    rng = np.random.default_rng(4)
    truth = rng.beta(2, 6, 4_000)
    made = coin_guesses(rng.binomial(10, truth), np.full(4_000, 10))
    best = np.mean((truth - (rng.binomial(10, truth) + 2) / 18) ** 2)  # the error of the true posterior mean
    for guess in made:
        assert np.mean((guess - truth) ** 2) < 1.05 * best
    means = rng.normal(1.0, 0.5, 4_000)
    averages = means + rng.normal(size=4_000)
    for guess in normal_guesses(averages, np.ones(4_000)):
        assert np.mean((guess - means) ** 2) < 1.05 * 0.2  # 1 / (1 + 1 / 0.25)


@pytest.mark.parametrize("tried", [1, 4])
def test_arms_that_are_all_alike_or_all_lost_have_guesses(tried):
    for won in (0, tried):
        made = coin_guesses(np.full(6, won), np.full(6, tried))
        assert all(np.ptp(guess) < 1e-12 and (guess > 0).all() and (guess < 1).all() for guess in made)
    made = coin_guesses(np.array([1, 0]), np.array([1, 0]))
    assert made.parametric[1] < made.parametric[0]
