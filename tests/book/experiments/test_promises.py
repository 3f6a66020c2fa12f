"""The experiments of chapter 8: what breaks, what holds, and that the numbers are what they are called."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, behaviour_cloning, combined, split, trust
from trust_helpers.book.experiments import promises, routes, scenarios
from trust_helpers.book.pictures.promises import normal_stop_loss
from trust_helpers.trials import share


def named(part):
    return next(one for one in scenarios.SCENARIOS if part in one.name)


@pytest.mark.parametrize(
    "part", ["clicks, 3 % in all arms, 1,000", "5 spare", "half the arms at 0.3", "Poisson", "revenue, 200"]
)
def test_plugging_in_a_level_breaks_what_the_fitting_law_keeps(part):
    found = scenarios.tried(named(part), 60, seed=5)
    allowed = stats.binom.ppf(0.9999, 60, 0.1)
    assert found.before.value * 60 > allowed
    assert found.after.value * 60 <= allowed
    assert found.promised <= found.worth


@pytest.mark.parametrize("one", scenarios.SCENARIOS, ids=lambda one: one.name)
def test_a_scenario_has_the_means_and_the_law_it_claims(one):
    arm = np.repeat(np.arange(one.means.size), one.counts)
    rewards = np.array([one.draw(np.random.default_rng(seed), arm) for seed in range(4)])
    level = rewards.std()
    # the mean over all samples of four logs, within five standard errors
    assert rewards.mean() == pytest.approx(one.means[arm].mean(), abs=5 * level / np.sqrt(rewards.size))
    log = one.log(np.random.default_rng(0))
    assert log.n_arms == one.means.size
    if one.said.startswith("sd"):
        assert level == pytest.approx(log.law.s, rel=0.1)


def test_many_fair_coins_exceed_a_gaussian_band_and_not_that_of_their_range():
    found = promises.fair_coins_exceed(2_000, 1, 100, seed=1, delta=0.1)
    assert found["gaussian"].value > 0.5
    assert found["range"].value <= stats.binom.ppf(0.9999, 100, 0.1) / 100


def test_one_coin_per_arm_supports_no_more_than_cloning():
    found = promises.promises_against_samples(routes.halves(400), [1, 4], "coins", 3, seed=2, delta=0.1)
    assert found["trust"][0] <= found["cloning"][0]
    assert np.isnan(found["split"][0])
    assert found["trust"][1] > found["cloning"][1]
    assert found["split"][1] > found["trust"][1]


def test_cloning_promises_what_the_package_promises():
    data = OfflineData.from_counts(np.random.default_rng(0).binomial(4, routes.halves(100)), np.full(100, 4))
    design = routes.KindOfLog("one log", routes.halves(100), lambda rng: data)
    found = routes.routes(design, 2, seed=0, delta=0.1)
    assert found.cloning.value == behaviour_cloning(data).lower_bound
    assert found.cloning.error == 0  # the same log twice
    made = trust(data, 0.1, seed=0)
    assert found.trust.value == pytest.approx(made.lower_bound, rel=1e-12)
    assert found.trust_missed.value == (made.lower_bound > made.weights @ routes.halves(100))
    apart = [split(data, 0.1, seed=seed).lower_bound for seed in range(2)]
    assert found.split.value == pytest.approx(np.mean(apart))


def test_the_promises_of_a_row_have_as_many_digits_as_the_largest_needs():
    few, lots = routes.Mean(-0.0663, 0.0191), routes.Mean(0.5804, 0.0203)
    row = routes.Routes("a log", few, lots, few, share([True]), share([False])).row
    assert row["cloning"] == row["split"] == "\u22120.066\u00a0\u00b1\u00a00.019"
    assert row["TRUST's band"] == "0.580\u00a0\u00b1\u00a00.020"
    assert (row["band missed"], row["split missed"]) == ("100.0 %", "0.0 %")


def test_each_kind_of_log_has_the_means_it_claims():
    for kind in (*routes.coin_designs(), *routes.fresh_coin_designs(), *routes.gaussian_designs()):
        logs = [kind.sample(np.random.default_rng(seed)) for seed in range(8)]
        seen = np.mean([log.means for log in logs], axis=0)
        spread = logs[0].sigma / np.sqrt(8 * logs[0].counts)  # at most, for rewards of 0 and 1
        error = np.sqrt((spread**2).sum()) / spread.size
        assert abs((seen - kind.means).mean()) < 5 * error


def test_turns_are_the_promises_of_one_split_and_of_two():
    data = OfflineData.from_counts(np.random.default_rng(0).binomial(4, routes.halves(100)), np.full(100, 4))
    found = routes.turns(routes.KindOfLog("one log", routes.halves(100), lambda rng: data), 2, seed=0, delta=0.1)
    for row, folds in ((found.once, 1), (found.twice, 2)):
        assert row.tolist() == [split(data, 0.1, seed=seed, folds=folds).lower_bound for seed in range(2)]
    assert found.lead.value == pytest.approx((found.once - found.twice).mean())


def test_a_lead_counts_as_clear_beyond_two_standard_errors():
    twice = np.zeros(4)
    clear, faint, behind = (
        routes.Turns("", np.array(once), twice) for once in ([2, 3, 2, 3], [-1, 2, -1, 1], [-2, -3, -2, -3])
    )
    words = routes.turn_words([clear, faint, behind])
    assert words == {
        "turns-designs": "3", "turns-more": "2", "turns-clearly-more": "1", "turns-clearly-less": "1"
    }  # fmt: skip


def test_the_best_of_several_seeds_is_missed_where_any_of_them_is():
    one, best = promises.best_of_seeds_missed(20, 4, 3, 12, seed=3, delta=0.4)
    rng = np.random.default_rng(3)
    logs = [OfflineData.from_counts(rng.binomial(4, 0.5, 20), np.full(20, 4)) for _ in range(12)]
    over = [[split(log, 0.4, seed=seed).lower_bound > 0.5 for seed in range(3)] for log in logs]
    assert one.value == np.mean([row[0] for row in over])
    assert best.value == np.mean([any(row) for row in over]) > one.value


def test_what_is_known_of_one_reward_is_what_each_method_promises():
    data = OfflineData.from_counts(np.random.default_rng(0).binomial(4, routes.halves(60)), np.full(60, 4))
    coins, deviation = promises.known_rows(data, {"ends": "range:0:1", "spread": "sd:0.5"}, 0.1, seed=0)
    assert coins["combined"] == combined(data, 0.1, seed=0).lower_bound
    assert coins["TRUST's band"] == trust(data, 0.1, seed=0).lower_bound
    assert deviation["TRUST's band"] is None  # nothing bounds every mixture at once
    assert deviation["cloning"] < coins["cloning"]


def test_the_words_and_rows_of_scenarios_say_what_was_counted():
    kinds = [named("Laplace"), named("control")]
    before, after = (
        (share([True] * 19 + [False]), share([False] * 20)),
        (share([False] * 20), share([True] * 8 + [False] * 12)),
    )
    found = [
        scenarios.Missed(kind, 20, 0.1, b, a, -0.163, 0.0, share([True] * 10))
        for kind, b, a in zip(kinds, before, after, strict=True)
    ]
    words = scenarios.missed_words(found)
    assert words["broken-after"] == "1 of them"  # 8 of 20 against 10 %
    assert (words["worst-before"], words["pooled-after"]) == ("95\u00a0%", "20.0\u00a0%")
    assert [count.broken for count in found[0].counts] == [19, 0]
    assert [found[0].row[key] for key in ("promised", "worth", "doubted")] == ["\u22120.163", "0.000", "10 of 10"]


def test_dropping_arms_after_failures_breaks_the_promise_and_a_shared_shock_does_too():
    dropped = promises.dropped_after_failures(600, 20, seed=3, delta=0.1)
    assert dropped["split"].value > 0.5
    assert dropped["trust"].value > 0.5
    calm, shaken = (promises.shared_shocks(100, 4, size, 200, seed=3, delta=0.1) for size in (0.0, 0.3))
    assert calm.value * 200 <= stats.binom.ppf(0.9999, 200, 0.1) < shaken.value * 200
    later = promises.shared_shocks(100, 4, 0.0, 200, seed=3, delta=0.1, drift=0.2)
    assert later.value * 200 > stats.binom.ppf(0.9999, 200, 0.1)
    told = promises.ways_to_break(80, seed=3, delta=0.1)
    assert told[0].band == promises.shared_shocks(200, 4, 0.0, 80, seed=3, delta=0.1)
    assert [one.row["split"] == "" for one in told] == [True] * 4 + [False]


def test_stop_losses_are_in_the_order_that_is_drawn():
    s = np.linspace(0, 1, 50)
    uniform, normal = (1 - s) ** 2 / 4, normal_stop_loss(s, np.sqrt(2 * np.pi) / 4)
    assert (normal >= uniform - 1e-12).all()
    assert normal[0] == pytest.approx(0.25)
    simulated = np.maximum(np.random.default_rng(0).normal(0, 0.6, 400_000) - 0.3, 0)
    assert normal_stop_loss(0.3, 0.6) == pytest.approx(simulated.mean(), abs=5 * simulated.std() / np.sqrt(400_000))
