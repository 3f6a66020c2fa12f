"""A log that contradicts its assumption is doubted; one that fits is not."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import DataError, OfflineData
from trust_helpers.noise import diagnostics
from trust_helpers.noise.diagnostics import what_checks_see
from trust_helpers.tables import Totals

RNG = np.random.default_rng
ARM = np.repeat(np.arange(200), 5)


def log(draw, sigma, arm=ARM, seed=0):
    return OfflineData.from_samples(arm, draw(RNG(seed), arm), sigma)


DOUBTED = {
    "0 of clicks": (lambda rng, arm: (rng.random(arm.size) < 0.03) * 1.0, "not continuous"),
    "revenue": (lambda rng, arm: (rng.random(arm.size) < 0.05) * rng.lognormal(5, 1, arm.size), "not continuous"),
    "ratings": (lambda rng, arm: rng.integers(1, 6, arm.size) * 1.0, "not continuous"),
    "exponential": (lambda rng, arm: rng.exponential(size=arm.size), "skewed"),
    "laplace": (lambda rng, arm: rng.laplace(size=arm.size), "not Gaussian"),
    "two levels": (lambda rng, arm: rng.normal(0, np.where(arm < 100, 0.3, 2.0)), "differs between arms"),
}


@pytest.mark.parametrize("kind", list(DOUBTED))
def test_noise_that_is_not_gaussian_of_one_level_is_doubted(kind):
    draw, said = DOUBTED[kind]
    data = log(draw, "pooled")
    assert any(said in doubt for doubt in data.law.doubts(data)), data.law.doubts(data)


@pytest.mark.parametrize("pulls", [2, 3, 20])
def test_gaussian_noise_is_hardly_ever_doubted(pulls):
    arm = np.repeat(np.arange(60), pulls)

    def normal(rng, a):
        return rng.normal(a, 1.0)

    logs = [log(normal, sigma, arm, seed) for seed in range(50) for sigma in ("pooled", 1.0)]
    doubted = sum(bool(data.law.doubts(data)) for data in logs)
    # each of four checks stays silent but for one log in thousands; two of a hundred would be a fault
    assert doubted <= 1


def test_rounded_gaussian_rewards_are_not_doubted():
    data = log(lambda rng, arm: np.round(rng.normal(arm / 50, 1.0), 1), "pooled")
    assert data.law.doubts(data) == ()


def test_a_level_that_repeats_contradict_is_doubted():
    data = log(lambda rng, arm: rng.normal(0, 1.3, arm.size), 1.0)
    (doubt,) = data.law.doubts(data)
    # 800 spare samples: the ratio is 1.3 within four errors of 1.3 / sqrt(1600)
    assert float(doubt.split(" differ ")[1].split()[0]) == pytest.approx(1.3, abs=0.13)
    wide = log(lambda rng, arm: rng.normal(0, 0.8, arm.size), 1.0)
    assert wide.law.doubts(wide) == ()  # a level stated too large is no danger


def test_a_standard_deviation_that_repeats_contradict_is_doubted():
    heavy = lambda rng, arm: rng.standard_t(5, arm.size)  # noqa: E731
    assert log(heavy, "sd:1.3").law.doubts(log(heavy, "sd:1.3")) == ()
    data = log(heavy, "sd:0.8")
    assert "stated sd" in data.law.doubts(data)[0]


def test_without_samples_or_repeats_nothing_is_doubted():
    assert OfflineData([0.0, 1.0], [3, 3], 1.0).law.doubts(OfflineData([0.0, 1.0], [3, 3], 1.0)) == ()
    alone = OfflineData.from_samples([1, 2, 3], [0.1, 0.5, 0.7], 1.0)
    assert alone.law.doubts(alone) == ()
    ranged = log(lambda rng, arm: (rng.random(arm.size) < 0.03) * 1.0, "range:0:1")
    assert ranged.law.doubts(ranged) == ()


def test_every_arm_of_a_long_log_is_looked_at():
    # the first arms alone, as many as five thousand samples are, would all be alike
    arm = np.repeat(np.arange(200), 100)
    data = log(lambda rng, a: rng.normal(0, np.where(a < 100, 0.3, 2.0)), "pooled", arm)
    assert any("differs between arms" in doubt for doubt in data.law.doubts(data))
    many = log(lambda rng, a: rng.normal(0, np.where(a < 4000, 0.3, 2.0)), "pooled", np.repeat(np.arange(8000), 3))
    assert any("differs between arms" in doubt for doubt in many.law.doubts(many))


def revenue(rng, arm):
    """One in five pays; the standard deviation is 23.4."""
    return (rng.random(arm.size) < 0.2) * rng.lognormal(3, 1, arm.size)


@pytest.mark.parametrize("arm", [np.repeat(np.arange(60), 5), np.zeros(300, int)], ids=["60 arms", "one arm"])
def test_a_deviation_stated_far_too_small_is_noticed_however_heavy_the_tails(arm):
    data = log(revenue, "sd:2", arm)
    assert "stated sd" in data.law.doubts(data)[0]
    ordered = OfflineData.from_samples(arm, data.samples.reward[np.lexsort((data.samples.reward, arm))], "sd:2")
    assert ordered.law.doubts(ordered)  # a log sorted by its rewards says the same


def test_a_deviation_that_is_true_is_not_doubted_however_heavy_the_tails():
    # the chance of a doubt is below 1 / 10,000 for each log
    true = np.sqrt(0.2 * np.exp(8) - (0.2 * np.exp(3.5)) ** 2)
    assert not any(one.law.doubts(one) for one in (log(revenue, f"sd:{true}", seed=k) for k in range(60)))


def totals(sd, sigma, counts=10, means=0.5):
    sd = np.asarray(sd, dtype=float)
    counts = np.full(sd.size, counts)
    return OfflineData.from_log(
        Totals(tuple(range(sd.size)), counts, np.full(sd.size, means), (counts - 1) * sd**2), sigma
    )


@pytest.mark.parametrize(
    ("sigma", "said"), [(0.3, "stated sigma"), ("sd:0.3", "stated sd"), ("pooled", "between arms")]
)
def test_totals_are_doubted_by_their_deviations(sigma, said):
    bad = totals(np.where(np.arange(40) % 2, 5.0, 0.1), sigma)
    assert any(said in doubt for doubt in bad.law.doubts(bad))
    spread = 0.25 * np.sqrt(RNG(0).chisquare(9, 40) / 9)
    good = totals(spread, sigma)
    assert good.law.doubts(good) == ()


def test_deviations_that_are_all_alike_are_no_danger():
    data = totals(np.ones(500), "pooled")
    assert data.law.doubts(data) == ()


def test_a_deviation_that_a_range_does_not_allow_is_refused():
    with pytest.raises(DataError, match="deviation of arm 3 is more than rewards from 0 to 1"):
        totals([0.1, 0.2, 0.3, 0.6], "range:0:1")
    # two coins, one head: 0.707, written with two digits
    assert totals([0.71], "range:0:1", counts=2).n_arms == 1


@pytest.mark.parametrize("sigma", [0.3, "pooled"])
def test_successes_read_as_gaussian_rewards_are_doubted(sigma):
    counts, won = np.full(40, 50), RNG(0).binomial(50, 0.1, 40)
    read = Totals(tuple(range(40)), counts, won / counts, counts * won / counts * (1 - won / counts), won)
    data = OfflineData.from_log(read, sigma)
    assert "not continuous: all of them are 0 or 1" in data.law.doubts(data)[0]


@pytest.mark.parametrize(("chance", "doubted"), [(1.05e-4, False), (0.95e-4, True)])
def test_a_stated_level_is_doubted_of_one_log_in_ten_thousand(chance, doubted):
    squares = np.array([stats.chi2.isf(chance, 10)])  # of the level it is said to be, so seldom as large
    data = OfflineData.from_log(Totals(("a",), np.array([11]), np.zeros(1), squares), sigma=1.0)
    assert bool(data.law.doubts(data)) == doubted


@pytest.mark.parametrize(("money", "doubted"), [(9_995, False), (10_005, True)])
def test_a_stated_deviation_is_doubted_when_a_bet_against_it_makes_ten_thousand_of_one(money, doubted):
    # one pair of variance v multiplies the money by 1 + s (v - 1), on average over the stakes s by 1 + 0.384 (v - 1)
    half = np.sqrt((1 + (money - 1) / 0.384) / 2)
    data = OfflineData.from_samples([0, 0], [half, -half], "sd:1")
    assert bool(data.law.doubts(data)) == doubted


@pytest.mark.parametrize(("alike", "doubted"), [(95, False), (105, True)])
def test_a_tenth_of_the_rewards_may_be_alike_and_no_more(alike, doubted):
    def draw(rng, arm):
        reward = rng.normal(size=arm.size)
        reward[np.argsort(np.abs(reward))[:alike]] = 0.0  # of a thousand: the shape hardly changes
        return reward

    data = log(draw, 1.0)
    assert any("not continuous" in doubt for doubt in data.law.doubts(data)) == doubted


def test_neighbours_of_one_arm_make_a_pair_and_none_is_in_two():
    repeats = diagnostics.Repeats(np.array([0, 2, 5]), np.array([2, 3, 4]), np.array([0.0, 2, 1, 5, 9, 1, 2, 3, 6]))
    assert repeats.variances.tolist() == [2, 8, 0.5, 4.5]  # of 0 2, 1 5, 1 2 and 3 6; the 9 is left over
    assert repeats.spreads.variances.tolist() == [4, 107 / 2, 50 / 3]


@pytest.mark.parametrize(
    ("arms", "pulls", "kept", "each"), [(1, 6000, 1, 5000), (10, 1000, 10, 500), (4000, 3, 2500, 2), (3, 4, 3, 4)]
)
def test_of_a_long_log_five_thousand_samples_are_looked_at(arms, pulls, kept, each):
    arm = np.repeat(np.arange(arms), pulls)
    # the level is the arm's own number, and so are its rewards' distances from 0
    reward = np.tile(np.resize([1.0, -1.0], pulls), arms) * (arm + 1)
    data = OfflineData.from_samples(arm, reward, np.arange(1.0, arms + 1))
    seen = diagnostics._seen(data, data.sigma)
    assert seen.sizes.tolist() == [each] * kept
    assert np.abs(seen.residuals).max() <= 2
    assert np.add.reduceat(seen.residuals, seen.starts) == pytest.approx(np.zeros(kept))


def gaussian_logs(counts, rng):
    """A hundred logs of standard normal rewards, arm by arm, less the mean of each arm."""
    for _ in range(100):
        yield [x - x.mean() for x in np.split(rng.standard_normal(sum(counts)), np.cumsum(counts)[:-1])]


def test_residuals_are_compared_with_those_of_a_hundred_gaussian_logs():
    counts = [4, 7, 12]
    logs = [np.concatenate(log) for log in gaussian_logs(counts, RNG(0))]
    skewed = [stats.skew(log) for log in logs]
    tails = [np.log(stats.kurtosis(log, fisher=False)) for log in logs]
    expected = [(np.mean(values), np.std(values, ddof=1)) for values in (skewed, tails)]
    np.testing.assert_allclose(diagnostics._usual(np.array(counts, dtype=np.int64).tobytes()), expected, rtol=1e-9)


def test_variances_are_compared_with_those_of_a_hundred_gaussian_logs():
    freedom, rng = np.array([3, 6, 11]), RNG(1)
    values = []
    for squares in (rng.chisquare(freedom) for _ in range(100)):
        apart = squares / freedom / (squares.sum() / 20) - 1
        values.append(np.log(1 + (freedom * apart**2).mean()))
    np.testing.assert_allclose(
        diagnostics._usually_unequal(freedom.tobytes()), [np.mean(values), np.std(values, ddof=1)], rtol=1e-9
    )


def test_what_never_varies_may_be_off_by_rounding():
    # the residuals of pairs are as often up as down, and one arm is as spread as itself
    assert diagnostics._usual(np.full(5, 2).tobytes())[0][1] == 1e-6
    assert diagnostics._usually_unequal(np.array([7]).tobytes()) == (0, 1e-6)


@pytest.mark.parametrize(("far", "doubted"), [(4.9, False), (5.1, True)])
def test_five_deviations_from_what_is_usual_are_far(far, doubted):
    # two arms with a hundred degrees of freedom and variances 1 + e and 1 - e: their statistic is log(1 + 100 e^2)
    mean, spread = diagnostics._usually_unequal(np.array([100, 100]).tobytes())
    apart = np.sqrt(np.expm1(mean + far * spread) / 100) * np.array([1, -1])
    data = totals(np.sqrt(1 + apart), "pooled", counts=101)
    assert bool(data.law.doubts(data)) == doubted


@pytest.mark.parametrize(("alike", "doubted"), [(7, False), (8, True)])
def test_seven_rewards_may_be_alike_even_if_all_are(alike, doubted):
    data = OfflineData.from_samples(np.zeros(alike, int), np.ones(alike), 1.0)
    assert bool(data.law.doubts(data)) == doubted
    coins = OfflineData.from_log(Totals(("a",), np.array([alike]), np.array([0.5]), np.array([alike / 4])), 1.0)
    assert any("0 or 1" in doubt for doubt in coins.law.doubts(coins)) == doubted


@pytest.mark.parametrize(("alike", "doubted"), [(5, False), (6, True)])
def test_eight_samples_are_enough_to_compare_arms_and_seven_are_not(alike, doubted):
    # one arm hardly varies, and the other is a pair far apart
    reward = np.concatenate([1e-3 * np.arange(alike), [0.0, 1e3]])
    data = OfflineData.from_samples([0] * alike + [1, 1], reward, "pooled")
    assert any("differs between arms" in doubt for doubt in data.law.doubts(data)) == doubted


def test_pairs_are_enough_to_compare_arms():
    data = log(lambda rng, arm: rng.normal(0, np.where(arm < 20, 10.0, 0.1)), "pooled", np.repeat(np.arange(200), 2))
    assert any("differs between arms" in doubt for doubt in data.law.doubts(data))


@pytest.mark.parametrize(("off", "doubted"), [(0.95, True), (1.05, False)])
@pytest.mark.parametrize("mean", [0.5, 0.0])
def test_totals_of_coins_are_known_to_six_digits(mean, off, doubted):
    # 40 m (1 - m) is the sum of squares of 40 coins; by a millionth of it, or 1e-12, it may differ
    exact = 40 * mean * (1 - mean)
    squares = np.array([exact * (1 + 1e-6 * off) if mean else 1e-12 * off])
    data = OfflineData.from_log(Totals(("a",), np.array([40]), np.array([mean]), squares), 1.0)
    assert any("0 or 1" in doubt for doubt in data.law.doubts(data)) == doubted


@pytest.mark.parametrize(
    ("means", "doubted"), [([0.0, 1.0], True), ([1.0], True), ([0.5, 1 + 1e-14], False), ([-1e-14, 0.5], False)]
)
def test_means_of_coins_are_from_0_to_1_with_both_ends(means, doubted):
    counts, m = np.full(len(means), 40), np.array(means)
    squares = np.maximum(40 * m * (1 - m), 0)
    data = OfflineData.from_log(Totals(tuple(range(m.size)), counts, m, squares), 1.0)
    assert any("0 or 1" in doubt for doubt in data.law.doubts(data)) == doubted


def test_one_arm_whose_spread_is_no_coins_clears_the_others():
    counts, m = np.full(2, 40), np.array([0.5, 0.25])
    coins = 40 * m * (1 - m)
    for squares, doubted in ((coins, True), (coins * [1, 0.9], False), (coins * [0.9, 1], False), (None, False)):
        data = OfflineData.from_log(Totals(("a", "b"), counts, m, squares), 1.0)
        assert any("0 or 1" in doubt for doubt in data.law.doubts(data)) == doubted


def test_the_share_and_the_value_that_comes_up_most_are_said():
    data = OfflineData.from_samples([0] * 20, [0.25] * 5 + [4.0] * 9 + [*range(10, 16)], 1.0)
    assert diagnostics._discrete(data) == ("rewards are not continuous: 45 % of them are 4",)


PAIRS = np.repeat(np.arange(50), 2)


@pytest.mark.parametrize(
    ("draw", "sigma"),
    [
        (lambda rng, a: rng.exponential(1, a.size), "pooled"),
        (lambda rng, a: rng.exponential(1, a.size), 1.0),
        (lambda rng, a: rng.lognormal(0, 1, a.size), "pooled"),
    ],
)
def test_payments_tried_twice_are_doubted_though_pairs_have_no_skewness(draw, sigma):
    for seed in range(20):
        for sign, word in ((1, "below"), (-1, "above")):
            data = log(lambda rng, arm, sign=sign: sign * draw(rng, arm), sigma, PAIRS, seed)
            assert any(f"no reward is {word} zero" in doubt for doubt in data.law.doubts(data))


@pytest.mark.parametrize(("arms", "pulls", "mean"), [(200, 2, 2.5), (30, 2, 2.0), (10, 3, 1.5), (100, 5, 3.0)])
@pytest.mark.parametrize("sigma", ["pooled", 1.0])
def test_gaussian_rewards_that_happen_to_be_positive_are_not_doubted(arms, pulls, mean, sigma):
    """Looked at only where they are all positive, which is rare here: the test is a conditional one."""
    arm, positive = np.repeat(np.arange(arms), pulls), 0
    for seed in range(1_000):
        data = log(lambda rng, a: rng.normal(mean, 1, a.size), sigma, arm, seed)
        if data.samples.reward.min() > 0:
            positive += 1
            assert not any("zero" in doubt for doubt in data.law.doubts(data))
        if positive == 30:
            break
    assert positive >= 5


def test_the_chance_to_cross_zero_is_that_of_a_gaussian_residual():
    """Given the mean of its arm: exact for pairs, where both rewards are positive if their half distance is less."""
    rng = RNG(3)
    for spare, away in ((np.inf, 1.3), (40, 1.3), (3, 1.0)):
        residual = rng.standard_normal(200_000)
        rest = 0 if np.isinf(spare) else rng.chisquare(spare - 1, residual.size)
        scaled = residual if np.isinf(spare) else residual / np.sqrt((residual**2 + rest) / spare)
        seen, said = (scaled > away).mean(), float(diagnostics._thompson_tail(np.array(away), spare))
        assert abs(seen - said) < 4.5 * np.sqrt(said * (1 - said) / residual.size)
    assert diagnostics._thompson_tail(np.array(0.0), 7.0) == pytest.approx(0.5)


def test_zero_alone_is_on_neither_side():
    assert not any("zero" in doubt for doubt in diagnostics.about_known_level(log(lambda rng, a: 0.0 * a, 1.0, PAIRS)))


@pytest.mark.parametrize(("deviation", "doubted"), [(9.9, False), (10.1, True)])
def test_totals_of_few_arms_whose_deviation_is_ten_times_the_stated_are_doubted(deviation, doubted):
    counts = np.array([10_000, 10_000])
    squares = (counts - 1) * deviation**2
    data = OfflineData.from_log(Totals(("a", "b"), counts, np.array([2.0, 1.0]), squares), "sd:1")
    found = data.law.doubts(data)
    assert any("times as much as the stated sd says" in doubt for doubt in found) == doubted


def doubted(arms, noise, logs=60):
    """In how many logs of three tries per arm the checks speak up, and what they say of themselves."""
    rng, arm = np.random.default_rng(arms), np.repeat(np.arange(arms), 3)
    made = [OfflineData.from_samples(arm, arm % 7 + noise(rng, arm.size), "pooled") for _ in range(logs)]
    return sum(bool(data.law.doubts(data)) for data in made) / logs, what_checks_see(made[0])


def test_what_the_checks_are_said_to_see_is_what_they_see():
    gross, skewed = (lambda rng, n: rng.lognormal(0, 1, n)), (lambda rng, n: rng.exponential(1, n))
    share, said = doubted(10, gross)  # 20 repeats; the standard error of a share is at most 0.065
    assert share < 0.37
    assert "with 20 repeats the checks of one Gaussian level see next to nothing" in said
    share, said = doubted(35, gross)
    assert share > 0.63
    assert doubted(35, skewed)[0] < 0.37
    assert "grossly skewed noise" in said
    share, said = doubted(100, skewed)
    assert share > 0.75
    assert "as skewed as exponential" in said


def test_totals_are_said_to_show_no_shape():
    totals = Totals(("a", "b"), np.array([9, 9]), np.array([1.0, 2.0]), np.array([8.0, 8.0]))
    assert "totals do not show the shape" in what_checks_see(OfflineData.from_log(totals, "pooled"))
