"""What a plan says before a log is paid for, against what logs of such arms then promise."""

import numpy as np
import pytest

from trust_helpers import Bounded, Gaussian, OfflineData, TrustError, combined, plan
from trust_helpers.cli import main
from trust_helpers.planning import expect


@pytest.mark.parametrize(("arms", "tries", "spread"), [(100, 4, 0.1), (24, 16, 0.2)])
def test_the_promise_foretold_is_within_a_tenth_of_what_logs_then_promise(arms, tries, spread):
    """Arms of another law, beta, with the same average and spread, and other seeds."""
    coins = Bounded(0.0, 1.0)
    foretold = expect(arms, tries, spread, coins, 0.1, 24, np.random.default_rng(1))
    rng, size = np.random.default_rng(8), 0.25 / spread**2 - 1
    came = []
    for _ in range(24):
        truth = rng.beta(size / 2, size / 2, arms)
        came.append(combined(OfflineData.from_counts(rng.binomial(tries, truth), [tries] * arms)).lower_bound)
    assert foretold.promise == pytest.approx(np.mean(came), rel=0.1)
    other = expect(arms, tries, 4 * spread, coins, 0.1, 6, np.random.default_rng(1))
    assert other.promise != pytest.approx(np.mean(came), rel=0.1)  # another spread would not do


def test_gaussian_promises_are_foretold_within_the_errors_that_are_said():
    """The two means differ by more than 3.5 of their standard errors once in 2,000 seeds."""
    foretold = expect(60, 2, 1.0, Gaussian(0.5), 0.1, 40, np.random.default_rng(1))
    rng, came = np.random.default_rng(4), []
    for _ in range(40):
        truth = rng.normal(0, 1, 60)
        came.append(combined(OfflineData(rng.normal(truth, 0.5 / np.sqrt(2)), [2] * 60, 0.5)).lower_bound)
    error = 3.5 * np.hypot(foretold.error, np.std(came, ddof=1) / np.sqrt(40))
    assert abs(foretold.promise - np.mean(came)) < error
    assert foretold.promise < foretold.earned
    other = expect(60, 2, 2.0, Gaussian(0.5), 0.1, 8, np.random.default_rng(1))
    assert abs(other.promise - np.mean(came)) > error  # another spread would not do


def test_designs_cost_the_same_and_the_same_seed_says_the_same():
    made = plan(20, 3, 0.2, "range:0:1", logs=2, seed=5)
    assert {one.arms * one.tries for one in made} == {60}
    assert {one.spread for one in made} == {0.1, 0.2, 0.4}
    assert made == plan(20, 3, 0.2, "range:0:1", logs=2, seed=5)
    assert [one.arms for one in plan(2, 3, 0.2, "range:0:1", logs=2)] == [2] * 3


def test_a_range_is_only_a_scale():
    """Rewards of 1 and 5 are those of 0 and 1, four times as large."""
    low = expect(60, 8, 0.1, Bounded(0.0, 1.0), 0.1, 12, np.random.default_rng(2))
    high = expect(60, 8, 0.4, Bounded(1.0, 5.0), 0.1, 12, np.random.default_rng(3))
    assert high.average == 3
    assert (high.promise - 1) / 4 == pytest.approx(low.promise, rel=0.1)


@pytest.mark.parametrize(
    "wrong", [{"arms": 0}, {"tries": 0}, {"spread": 0.0}, {"noise": "sd:1"}, {"noise": "pooled"}, {"logs": 1}]
)
def test_what_cannot_be_planned_is_refused(wrong):
    with pytest.raises(TrustError):
        plan(**{"arms": 4, "tries": 2, "spread": 0.1, "noise": "range:0:1", **wrong})


def test_the_command_says_what_the_function_does(capsys):
    assert main(["plan", "--arms", "8", "--tries", "4", "--spread", "0.2", "--noise", "range:0:1", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    for one in plan(8, 4, 0.2, "range:0:1", seed=3):
        assert any(f"{one.arms} x {one.tries}" in line and f"{one.promise:.4g}" in line for line in out.splitlines())
    assert main(["plan", "--arms", "0", "--tries", "4", "--spread", "0.2", "--noise", "range:0:1"]) == 2
    assert main(["plan", "--arms", "8", "--tries", "4", "--spread", "x", "--noise", "range:0:1"]) == 2
    assert capsys.readouterr().err.count("\n") == 2
