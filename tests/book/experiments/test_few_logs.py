"""Two coins, every log counted: by hand for one toss each, and what the lowering is for."""

from itertools import product

import numpy as np
import pytest

from trust_helpers import OfflineData, split
from trust_helpers.book.experiments.few_logs import two_coins_missed

DELTA = 0.1


def test_one_toss_of_each_coin_is_counted_by_hand():
    logs = list(product((0, 1), repeat=2))
    made = [split(OfflineData.from_counts(won, [1, 1]), 0.6) for won in logs]
    worst = 0.0
    for p, q in product(np.linspace(0.02, 0.98, 25), repeat=2):
        chances = [(p if first else 1 - p) * (q if second else 1 - q) for first, second in logs]
        false = [one.lower_bound > one.weights @ [p, q] + 1e-12 for one in made]
        worst = max(worst, sum(chance for chance, missed in zip(chances, false, strict=True) if missed))
    assert two_coins_missed(1, 0.6) == pytest.approx(worst)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_seed_left_alone_misses_too_often_unless_promises_are_lowered(seed):
    # over seeds the share missed has a standard deviation of at most a tenth of delta: 0.14 is four of them
    assert two_coins_missed(6, DELTA, seed) < 0.14


def test_without_the_lowering_it_does():
    assert two_coins_missed(6, DELTA, lowered=False) > 0.14
