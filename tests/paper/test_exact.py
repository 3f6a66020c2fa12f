"""The exact laws against simulation, closed forms and each other."""

import numpy as np
import pytest

from trust_helpers import greedy, instances, lcb
from trust_helpers.paper import exact
from trust_helpers.paper.exact import Law
from trust_helpers.trials import binomial_error

NORMAL = 4.5  # standard errors: one in 100,000


@pytest.mark.parametrize(("largest", "instance"), [("of_starved", "data_starved"), ("of_general", "general")])
def test_the_law_of_the_largest_sample_agrees_with_simulated_logs(largest, instance):
    arms, logs = 200, 4_000
    law, bandit = getattr(exact, largest)(arms), getattr(instances, instance)(arms)
    rng = np.random.default_rng(1)
    rewards = np.array([bandit.sample(rng).means for _ in range(logs)])
    earned, seen = bandit.means[rewards.argmax(axis=1)], rewards.max(axis=1)
    assert abs(earned.mean() - law.value.mean) < NORMAL * earned.std() / np.sqrt(logs)
    assert abs(seen.mean() - law.expected) < NORMAL * seen.std() / np.sqrt(logs)
    half = np.diff(law.size.points[:2])[0] / 2  # a cell ends half a step beyond its midpoint
    for level in (0.1, 0.5, 0.9):
        point = law.size.quantile(level)
        assert abs((seen <= point + half).mean() - law.size.at_most(point)) < NORMAL * 0.5 / np.sqrt(logs)
    # the refuter: a shift by a twentieth of the sample's spread would be seen
    assert NORMAL * seen.std() / np.sqrt(logs) < 0.1 * seen.std()


@pytest.mark.parametrize("d", [2, 3, 20, 999, 10_000])
def test_chances_sum_to_one_and_both_means_of_the_size_agree(d):
    law = exact.of_starved(d)
    assert law.value.chances.sum() == pytest.approx(1, abs=1e-9)
    assert law.size.chances.sum() == pytest.approx(1, abs=1e-9)
    assert law.size.mean == pytest.approx(law.expected, abs=2.5e-4)  # half a cell


def test_two_normal_arms_in_closed_form():
    # arms N(1/2, 1/4) and N(1, 1/4): the difference is N(1/2, 1/2), and E max is a classical formula
    from scipy.stats import norm

    law, root = exact.of_general(2), np.sqrt(0.5)
    assert law.value.chances[1] == pytest.approx(norm.cdf(0.5 / root), abs=1e-12)
    ratio = 0.5 / root
    assert law.expected == pytest.approx(0.5 + 0.5 * norm.cdf(ratio) + root * norm.pdf(ratio), abs=1e-12)


def quantile_error(ordered, level):
    """The standard error of a quantile of sorted draws: that of its rank over the density."""
    rank = binomial_error(level, ordered.size)
    low, high = np.quantile(ordered, [max(level - rank, 0.0), min(level + rank, 1.0)])
    return (high - low) / 2


def test_the_spread_of_eight_and_its_error():
    high = np.quantile(exact.spread_of_eight(), 0.975)
    error = quantile_error(exact.spread_of_eight(), 0.975)
    assert error < 5e-4
    # another seed agrees within the errors of both; the printed 0.265, less its rounding, is far outside
    again = exact.spread_of_eight(5, 200_000)
    assert abs(np.quantile(again, 0.975) - high) < NORMAL * np.hypot(error, quantile_error(again, 0.975))
    assert high + 10 * error < 0.2645


def test_equal_counts_make_lcb_greedy():
    log = instances.data_starved(300).sample(np.random.default_rng(0))
    assert np.array_equal(lcb(log, 0.1).weights, greedy(log).weights)
    half = exact.lcb_half_width(300, 0.1)
    assert lcb(log, 0.1, "paper").lower_bound == pytest.approx(log.means.max() - half)


def test_averages_and_minima_by_enumeration():
    law = Law(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.3, 0.2]))
    kinds = list(zip(law.points, law.chances, strict=True))
    pairs = [((a + b) / 2, min(a, b), p * q) for a, p in kinds for b, q in kinds]
    for value in (0.0, 0.5, 1.0, 1.5, 2.0):
        assert law.average(2).at_most(value) == pytest.approx(sum(p for mean, _, p in pairs if mean <= value))
        assert law.least(2).at_most(value) == pytest.approx(sum(p for _, least, p in pairs if least <= value))
    assert (law.quantile(0.5), law.quantile(0.51), law.quantile(1.0)) == (0.0, 1.0, 2.0)
