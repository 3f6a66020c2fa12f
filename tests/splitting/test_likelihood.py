"""Promises about few coins hold for a fixed seed too: likelihoods against a general optimiser.

That they hold is counted, log by log, in ``chapters/experiments/test_few_logs.py``.
"""

import cvxpy
import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, combined, split
from trust_helpers.combination import shares_for
from trust_helpers.split import stream_of
from trust_helpers.splitting.judges import judge_coins
from trust_helpers.splitting.judging import clopper_pearson
from trust_helpers.splitting.likelihood import LESS, largest_log_likelihood, promise_for_a_fixed_seed

DELTA = 0.1


def log_likelihood(won, tried, p):
    return stats.binom.logpmf(won, tried, p).sum()


@pytest.mark.parametrize("value", [0.2, 0.45, 0.6])
def test_the_largest_likelihood_is_what_a_general_optimiser_finds(value):
    won, tried, w = np.array([7, 3, 9, 1]), np.array([10, 4, 12, 5]), np.array([0.5, 0.3, 0.2, 0.0])
    p = cvxpy.Variable(4)
    likelihood = won @ cvxpy.log(p) + (tried - won) @ cvxpy.log(1 - p)
    cvxpy.Problem(cvxpy.Maximize(likelihood), [w @ p <= value]).solve(solver="CLARABEL")
    found = log_likelihood(won, tried, p.value)
    assert largest_log_likelihood(won, tried, w, value) == pytest.approx(found, abs=1e-5)


def test_what_the_mixture_may_be_worth_anyway_is_no_constraint():
    won, tried, w = np.array([7, 3]), np.array([10, 4]), np.array([0.5, 0.5])
    assert largest_log_likelihood(won, tried, w, 0.9) == pytest.approx(log_likelihood(won, tried, won / tried))
    none = np.array([0, 3])  # an arm that never won is likeliest never to win
    assert largest_log_likelihood(none, tried, w, 0.9) == pytest.approx(log_likelihood(3, 4, 0.75))
    sure = np.array([10, 4])
    assert largest_log_likelihood(sure, tried, w, 1.0) == pytest.approx(0, abs=1e-12)
    assert largest_log_likelihood(sure, tried, w, 0.99) < 0


def test_a_lowered_promise_is_as_unlikely_to_be_false_as_asked():
    won, tried, w = np.array([17, 9]), np.array([20, 20]), np.array([0.7, 0.3])
    lowered = promise_for_a_fixed_seed(won, tried, w, 0.65, DELTA)
    assert lowered < 0.65
    assert largest_log_likelihood(won, tried, w, lowered) == pytest.approx(np.log(DELTA / LESS), abs=1e-6)
    assert promise_for_a_fixed_seed(won, tried, w, lowered / 2, DELTA) == lowered / 2
    assert promise_for_a_fixed_seed(np.zeros(2, dtype=int), tried, w, 0.0, DELTA) == 0


def test_logs_of_many_arms_are_left_alone():
    rng = np.random.default_rng(2)
    data = OfflineData.from_counts(rng.binomial(4, np.linspace(0.1, 0.9, 60)), np.full(60, 4))
    made = split(data, DELTA)
    assert made.judge == "Clopper and Pearson's bound"
    assert made.lower_bound == judge_coins(data.successes, data.counts, DELTA, 0.6, stream_of(data, 0)).bound


def test_one_arm_is_judged_by_the_whole_log():
    for k in (0, 2, 20, 37, 40):
        log = OfflineData.from_counts([k], [40])
        assert split(log, DELTA).lower_bound == pytest.approx(float(clopper_pearson(k, 40, DELTA)), abs=1e-12)
        whole = float(clopper_pearson(k, 40, DELTA * shares_for(log).cloning))
        assert combined(log, DELTA).lower_bound == pytest.approx(whole, abs=1e-12)
        assert shares_for(log).cloning >= 0.9
    gaussian = OfflineData([3.0], [4], 2.0)
    assert split(gaussian, DELTA).lower_bound == pytest.approx(3 - stats.norm.ppf(0.9))
    assert shares_for(OfflineData.from_samples([0] * 9, np.arange(9.0), "sd:4")).cloning == 1
