"""The factors c_N against the envelope they come from, by brute force."""

import numpy as np
import pytest
from scipy import optimize, special, stats

from trust_helpers.noise.convex_order import normal_factor


def binomial_stop_loss(n, p, s):
    """E(Bin(n, p)/n - p - s)_+ for arrays p."""
    k = np.arange(n + 1)
    return (stats.binom.pmf(k, n, p[:, None]) * np.maximum(k / n - p[:, None] - s, 0)).sum(axis=1)


def normal_stop_loss(factor, n, s):
    """The same of factor / sqrt(n) times a normal variable."""
    x = s * np.sqrt(n) / factor
    return factor / np.sqrt(n) * (np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) - x * special.ndtr(-x))


def envelope(n, s):
    """The largest binomial stop-loss at s over p, on a grid and on a finer one around its best point."""
    grid = np.linspace(0.02, 0.98, 97)
    best = grid[binomial_stop_loss(n, grid, s).argmax()]
    return binomial_stop_loss(n, np.linspace(best - 0.01, best + 0.01, 41), s).max()


@pytest.mark.parametrize("n", [1, 3, 5, 7, 15, *range(2, 101, 2)])
def test_no_number_of_the_table_is_too_small_or_larger_than_it_must_be(n):
    # the envelope on finer and finer grids, towards the point where it comes nearest to the normal curve
    low, high = 0.0, min(0.9, 1.5 / np.sqrt(n))
    for points in (41, 9, 9, 9):
        grid = np.linspace(low, high, points)
        lead = [normal_stop_loss(normal_factor(n), n, s) - envelope(n, s) for s in grid]
        best = int(np.argmin(lead))
        assert lead[best] >= -1e-9
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, points - 1)]
    assert lead[best] < 1e-6


@pytest.mark.parametrize("n", [*range(1, 100, 2), 2, 30, 100, 101, 250, 1001])
def test_dominates_binomials_and_the_standard_deviation_alone_does_not(n):
    p, grid = np.linspace(0.01, 0.99, 99), np.linspace(0, 3 / np.sqrt(n), 61)
    below = np.array([binomial_stop_loss(n, p, s).max() for s in grid])
    assert (normal_stop_loss(normal_factor(n), n, grid) >= below - 1e-12).all()
    assert (normal_stop_loss(0.5, n, grid) < below).any()


@pytest.mark.parametrize("s", [0.0, 0.1, 0.3, 0.6, 0.9])
def test_dominates_the_uniform_envelope_of_one_reward(s):
    # the largest stop-loss over all laws on an interval of length 1, by linear programming on a grid of 41 points:
    # with two constraints its vertices are the laws on two points
    points = np.linspace(0, 1, 41)
    best = 0.0
    for mean in points[1:-1]:
        gain = np.maximum(points - mean - s, 0)
        found = optimize.linprog(-gain, A_eq=np.array([np.ones(41), points]), b_eq=[1, mean])
        best = max(best, -found.fun)
    assert best <= (1 - s) ** 2 / 4 + 1e-9
    assert best == pytest.approx((1 - s) ** 2 / 4, abs=1e-4)
    assert normal_stop_loss(normal_factor(1), 1, s) >= best


def test_squares_are_subadditive_as_sums_in_convex_order_demand():
    n = np.arange(1, 101)
    square = n * normal_factor(n) ** 2
    for a in (1, 2, 17, 50):
        assert (square[a:] <= square[:-a] + square[a - 1] + 1e-6).all()


def test_beyond_the_table_the_factor_stays_near_a_half():
    beyond = normal_factor([101, 1001, 10**6, 10**9])
    assert ((beyond > 0.5) & (beyond < 0.503)).all()
