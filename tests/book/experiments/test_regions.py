"""The experiments of chapter 3 find what they should, and would find what they should not."""

import numpy as np
import pytest

from trust_helpers import OfflineData, TrustRegion
from trust_helpers.book.experiments.regions import (
    best_of_a_certificate,
    correlations_of_centre_and_step,
    difference_rows,
    differences_from_the_formulas,
    gaps_to_cone_solver,
    noise_of_reference_and_step,
    power_of_ten_above,
)

RNG = np.random.default_rng(3)
DATA = OfflineData(RNG.normal(size=12), RNG.integers(1, 6, 12), RNG.uniform(0.4, 1.6, 12))
DRAWS = 40_000
FOUR = 4 / np.sqrt(DRAWS)  # four standard errors of a correlation that is zero


@pytest.mark.parametrize(("worst", "power"), [(0.9e-8, 1e-8), (1e-8, 1e-7), (2.0, 10.0), (0.0, 1e-12)])
def test_the_power_of_ten_is_above(worst, power):
    assert power_of_ten_above([0.0, -worst], 1e-12) == power


def correlation(centre, target):
    return np.corrcoef(*noise_of_reference_and_step(DATA.precision, centre, target, DRAWS, 5))[0, 1]


def test_only_around_the_least_noisy_reference_are_the_noises_uncorrelated():
    target = DATA.region.policy(DATA.means, 0.3)
    assert abs(correlation(DATA.region.reference, target)) < FOUR
    assert abs(correlation(DATA.region.reference, 0.3)) < FOUR
    cloning = DATA.counts / DATA.counts.sum()
    exact = (cloning * (target - cloning) / DATA.precision).sum()  # the covariance
    assert abs(exact) > 0
    assert np.sign(correlation(cloning, target)) == np.sign(exact)
    assert abs(correlation(cloning, target)) > FOUR


def test_the_luckiest_step_is_lucky():
    _, lucky = noise_of_reference_and_step(DATA.precision, DATA.region.reference, 0.3, 200, 5)
    assert (lucky >= 0).all()


def test_formulas_agree_with_other_ways_to_them():
    found = differences_from_the_formulas(DATA, 1)
    assert len(found) == 3
    assert all(power_of_ten_above(*pair) == pair[1] for pair in found.values())


def test_the_cone_solver_finds_no_more_than_the_closed_form():
    gaps = gaps_to_cone_solver(15, 6, 2)
    assert gaps.shape == (6,)
    assert np.abs(gaps).max() < 1e-7


@pytest.mark.parametrize("level", np.quantile(DATA.means, [0.1, 0.5, 0.9]))
def test_the_certificate_is_tight_and_a_smaller_policy_is_not(level):
    limit, attained = best_of_a_certificate(DATA.region, DATA.means, level)
    assert attained == pytest.approx(limit, abs=1e-9)
    assert TrustRegion(DATA.precision).reference @ DATA.means < limit


def test_the_rows_of_correlations_are_zero_but_around_cloning():
    rows = correlations_of_centre_and_step(DATA, 0.3, DRAWS, 5)
    assert [row["centre"] for row in rows] == ["least noisy", "least noisy", "plain cloning"]
    fixed, lucky, cloned = (row["correlation"] for row in rows)
    assert max(abs(fixed), abs(lucky)) < FOUR < abs(cloned)
    cloning, target = DATA.counts / DATA.counts.sum(), DATA.region.policy(DATA.means, 0.3)
    assert cloned == correlation(cloning, target)


def test_differences_are_said_as_the_next_power_of_ten_and_never_below_their_floor():
    rows = difference_rows({"near": ([3e-9, -1e-10], 1e-12), "same": (0.0, 1e-6)})
    assert rows == [{"what is compared": "near", "below": 1e-8}, {"what is compared": "same", "below": 1e-6}]
