"""Noise levels that a log suggests."""

import numpy as np
import pytest

from trust_helpers import DataError
from trust_helpers.noise.base import neighbour_sigma


def test_neighbours_of_equal_worth_give_the_average_noise():
    rng = np.random.default_rng(5)
    sigma = np.repeat([1.0, 3.0], 500)
    squares = [neighbour_sigma(7 + sigma * rng.standard_normal(1_000)) ** 2 for _ in range(400)]
    # the average variance is 5; an estimate has variance about 3 mean(sigma^4) / d = 0.123, so four errors are 0.07
    assert np.mean(squares) == pytest.approx(5, abs=0.07)


def test_neighbours_of_unequal_worth_only_add():
    assert neighbour_sigma([1.0, -1.0]) == pytest.approx(np.sqrt(2))


@pytest.mark.parametrize("rewards", [[3.0], [2.0, 2.0, 2.0]])
def test_neighbours_that_say_nothing_are_refused(rewards):
    with pytest.raises(DataError, match="neighbours"):
        neighbour_sigma(rewards)
