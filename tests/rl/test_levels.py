"""The experiment on the noise level: it agrees with TRUST, and it can tell a good level from a bad one."""

import numpy as np
import pytest

from trust_helpers import OfflineData, trust
from trust_helpers.errors import TrustError
from trust_helpers.noise import neighbour_sigma
from trust_helpers.rl import Logged, Truth, logged_returns
from trust_helpers.rl.levels import kept_with_estimated_deviations, tell

DELTA, SEED = 0.1, 7


def alike(deviation, told, d=40):
    """Policies of one value, so that every difference between returns is noise."""
    rng = np.random.default_rng(3)
    ones = np.ones(d)
    truth = Truth(np.arange(d), 5 * ones, ones, deviation * ones, 20 * np.ones(d, dtype=int))
    return Logged(OfflineData(5 + deviation * rng.standard_normal(d), ones, told), truth)


@pytest.mark.parametrize("name", ["same", "neighbours", "measured"])
def test_each_way_decides_as_trust_told_that_level(name):
    log = logged_returns("Hopper", "low", 2023)
    level = {"same": 150, "neighbours": neighbour_sigma(log.data.means), "measured": log.truth.deviations}[name]
    one = trust(OfflineData(log.data.means, log.data.counts, level), DELTA, "calibrated", SEED)
    told = tell(log, DELTA, SEED, 1, np.random.default_rng(0))[name]
    assert told.promised == pytest.approx(one.lower_bound, rel=1e-9)
    assert told.earned == pytest.approx(log.truth.of(one.weights)[0], rel=1e-9)


def test_the_right_level_keeps_the_promise_and_a_tenth_of_it_breaks_it():
    logs = 400
    error = np.sqrt(DELTA * (1 - DELTA) / logs)  # of a share, by the binomial
    told = tell(alike(deviation=3.0, told=0.3), DELTA, SEED, logs, np.random.default_rng(1))
    assert told["measured"].kept.value > 1 - DELTA - 4 * error
    assert told["same"].kept.value < 1 - DELTA - 4 * error


def test_neighbours_find_the_level_of_policies_that_are_alike():
    told = tell(alike(deviation=3.0, told=3.0), DELTA, SEED, 400, np.random.default_rng(1))
    assert told["same"].promised == pytest.approx(told["measured"].promised, rel=1e-9)
    assert told["same"].kept == told["measured"].kept
    # forty returns give the level to about an eighth, so the promise may fail a little more often than asked
    assert told["neighbours"].kept.value > 1 - 2 * DELTA


def test_three_episodes_are_too_few_for_the_deviations_and_many_are_enough():
    logs = 100
    log = alike(deviation=3.0, told=3.0)
    few, many = (kept_with_estimated_deviations(log, k, DELTA, logs, np.random.default_rng(5)) for k in (3, 400))
    error = np.sqrt(DELTA * (1 - DELTA) / logs)  # of a share, by the binomial
    assert many.value > 1 - DELTA - 4 * error
    assert few.value < 1 - DELTA - 4 * error  # the refuter: the same logs, read with three episodes
    assert few.error == pytest.approx(np.sqrt(few.value * (1 - few.value) / logs))


def test_one_episode_has_no_deviation():
    with pytest.raises(TrustError, match="episodes"):
        kept_with_estimated_deviations(alike(3.0, 3.0), 1, DELTA, 10, np.random.default_rng(5))
