"""What a plan says before a log is paid for, against what logs of such arms then promise."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from trust_helpers import Bounded, Gaussian, OfflineData, TrustError, combined, plan
from trust_helpers.cli import main
from trust_helpers.planning import Belief, expect, pilot, plot_plan, shortlist, tries_to_tell

COINS = Bounded(0.0, 1.0)


def uniform(rng, arms, average, spread):
    """Means of another law than a plan takes them to be of, with the same average and spread."""
    return rng.uniform(average - np.sqrt(3) * spread, average + np.sqrt(3) * spread, arms)


def realised(noise, arms, tries, average, spread, logs=24):
    """The mean promise of logs of such arms, with other seeds."""
    rng, came = np.random.default_rng(8), []
    for k in range(logs):
        truth, counts = uniform(rng, arms, average, spread), np.full(arms, tries)
        if noise is COINS:
            log = OfflineData.from_counts(rng.binomial(counts, truth), counts)
        else:
            log = OfflineData(rng.normal(truth, noise.sigma / np.sqrt(counts)), counts, noise.sigma)
        came.append(combined(log, seed=k).lower_bound)
    return np.mean(came)


@pytest.mark.parametrize(
    ("noise", "arms", "tries", "average", "spread"),
    [
        (COINS, 100, 4, 0.5, 0.1),
        (COINS, 400, 2, 0.5, 0.28),  # those of chapter 10
        (COINS, 24, 16, 0.6, 0.2),
        (Gaussian(0.5), 100, 1, 0.5, 0.29),
        (Gaussian(0.5), 60, 4, 1.0, 0.25),
        (Gaussian(3.0), 30, 9, 20.0, 2.0),
    ],
)
def test_the_promise_foretold_is_within_a_tenth_of_what_logs_then_promise(noise, arms, tries, average, spread):
    """Beyond the average arm's value, which any design promises nearly; seeds fixed, means of another law."""
    foretold = expect(arms, tries, Belief(noise, average, spread), 0.1, 24, np.random.default_rng(1))
    came = realised(noise, arms, tries, average, spread)
    assert foretold.promise == pytest.approx(came, rel=0.1)
    assert foretold.promise < foretold.earned
    other = expect(arms, tries, Belief(noise, average, 4 * spread), 0.1, 6, np.random.default_rng(1))
    assert other.promise != pytest.approx(came, rel=0.1)  # another spread would not do


def test_rewards_that_vary_less_than_they_could_are_planned_for_by_their_level():
    """Ratings about their means: foretold with their level, and not without it."""
    scale, rng = Bounded(1.0, 5.0), np.random.default_rng(3)
    came = []
    for k in range(12):
        truth = uniform(rng, 80, 3.5, 0.4)
        arm = np.repeat(np.arange(80), 6)
        came.append(
            combined(
                OfflineData.from_samples(arm, np.clip(rng.normal(truth[arm], 0.7), 1, 5), scale), seed=k
            ).lower_bound
        )
    with_level, without = (
        expect(80, 6, Belief(scale, 3.5, 0.4, level), 0.1, 12, np.random.default_rng(1)).promise
        for level in (0.7, None)
    )
    assert with_level - 1 == pytest.approx(np.mean(came) - 1, rel=0.1)
    assert without - 1 != pytest.approx(np.mean(came) - 1, rel=0.1)


def test_a_pilot_tells_average_spread_and_level():
    """Standard errors of spread and level are some hundredths with 400 arms; five of them are allowed."""
    rng = np.random.default_rng(2)
    truth = rng.normal(3, 0.5, 400)
    arm = np.repeat(np.arange(400), 5)
    seen = pilot(OfflineData.from_samples(arm, np.clip(rng.normal(truth[arm], 0.6), 0, 6), "range:0:6"))
    assert seen.average == pytest.approx(3, abs=5 * 0.5 / 20)
    assert seen.spread == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(800))
    assert seen.level[0] == pytest.approx(0.6, abs=5 * 0.6 / np.sqrt(3_200))
    levels = rng.uniform(0.2, 1, 400)
    known = pilot(OfflineData(rng.normal(truth, levels), np.ones(400, int), levels))
    np.testing.assert_array_equal(known.level, levels)
    assert known.spread == pytest.approx(0.5, abs=0.12)
    alike = pilot(OfflineData.from_counts(np.full(50, 5), np.full(50, 10)))
    assert (alike.spread, tries_to_tell(0.5, alike.spread, 50, 0.1)) == (0, None)


def test_so_many_tries_tell_two_arms_apart_nine_times_in_ten():
    """Of 400 logs at least 90 %, but for four standard errors; half as many tries do not."""
    tries = tries_to_tell(1.0, 0.5, 2, 0.1)
    told = []
    for n in (tries, tries // 2):
        rng = np.random.default_rng(6)
        logs = (OfflineData(rng.normal([0, 0.5], 1 / np.sqrt(n)), [n, n], 1.0) for _ in range(400))
        told.append(np.mean([shortlist(log, 0.1) == [1] for log in logs]))
    assert told[1] < 0.7 < 0.9 - 4 * np.sqrt(0.09 / 400) < told[0]
    assert told[0] < 0.96


def test_designs_cost_the_same_and_the_same_seed_says_the_same():
    made = plan(20, 3, 0.2, "range:0:1", logs=2, seed=5)
    assert {one.arms * one.tries for one in made} == {60}
    assert {one.spread for one in made} == {0.1, 0.2, 0.4}
    assert made == plan(20, 3, 0.2, "range:0:1", logs=2, seed=5)
    assert [one.arms for one in plan(2, 3, 0.2, "range:0:1", logs=2)] == [2] * 3


def test_a_range_is_only_a_scale():
    """Rewards of 1 and 5 are those of 0 and 1, four times as large."""
    low = expect(60, 8, Belief(COINS, 0.5, 0.1), 0.1, 12, np.random.default_rng(2))
    high = expect(60, 8, Belief(Bounded(1.0, 5.0), 3.0, 0.4), 0.1, 12, np.random.default_rng(3))
    assert (high.promise - 1) / 4 == pytest.approx(low.promise, rel=0.1)


def test_the_picture_has_every_design_at_every_spread(tmp_path, capsys):
    made = plan(8, 4, 0.2, "range:0:1", logs=2)
    ax = plot_plan(made, Figure().subplots())
    assert [label.get_text() for label in ax.get_xticklabels()] == ["8 x 4", "4 x 8", "2 x 16"]
    drawn = [y for bars in ax.containers for y in bars.lines[0].get_ydata()]
    assert sorted(drawn) == sorted(one.promise for one in made)
    out = tmp_path / "plan.png"
    assert main(["plan", "--arms", "4", "--tries", "4", "--spread", "0.2", "--noise", "1", "--plot", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_from_a_pilot_the_command_plans_with_what_it_tells(tmp_path, capsys):
    log = tmp_path / "pilot.csv"
    won = np.random.default_rng(0).binomial(10, np.linspace(0.1, 0.9, 12))
    log.write_text("ad,clicks,shown\n" + "".join(f"{i},{k},10\n" for i, k in enumerate(won)), encoding="utf-8")
    totals = ["--pilot", str(log), "--arm", "ad", "--successes", "clicks", "--trials", "shown"]
    assert main(["plan", *totals, "--arms", "10"]) == 0
    out = capsys.readouterr().out
    seen = pilot(OfflineData.from_counts(won, np.full(12, 10)))
    for one in plan(10, 10, seen.spread, "range:0:1", average=seen.average):
        assert any(f"{one.arms} x {one.tries}" in line and f"{one.promise:.4g}" in line for line in out.splitlines())
    assert "Of these designs, at equal cost, " in out
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("arm,reward\n" + "".join(f"{i % 5},{1 + i % 5}\n" for i in range(40)), encoding="utf-8")
    assert main(["plan", "--pilot", str(ratings), "--noise", "range:1:5"]) == 0
    ratings.write_text("arm,reward\n" + "".join(f"{i % 5},{1 + i % 4}\n" for i in range(40)), encoding="utf-8")
    assert main(["plan", "--pilot", str(ratings), "--noise", "range:1:5"]) == 2
    assert "differ no more than by chance: say --spread" in capsys.readouterr().err
    for noise in ("range:1:5", "pooled"):
        assert main(["plan", "--pilot", str(ratings), "--noise", noise, "--spread", "0.5", "--arms", "3"]) == 0
    assert "3 x 8 " in capsys.readouterr().out
    assert main(["plan", "--pilot", str(ratings), "--noise", "range:1:5", "--plot", str(ratings)]) == 2


@pytest.mark.parametrize(
    "wrong",
    [{"arms": 0}, {"tries": 0}, {"spread": 0.0}, {"noise": "sd:1"}, {"noise": "pooled"}, {"logs": 1}, {"average": 2.0}],
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
    assert main(["plan", "--arms", "8", "--tries", "4", "--noise", "range:0:1"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 3
    assert "--spread is needed, or a --pilot that tells it" in err
