"""A log that contradicts its assumption is doubted; one that fits is not."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import DataError, OfflineData
from trust_helpers.data import Totals
from trust_helpers.noise import diagnostics
from trust_helpers.noise.diagnostics import what_checks_see

RNG = np.random.default_rng
ARM, PAIRS = np.repeat(np.arange(200), 5), np.repeat(np.arange(50), 2)


def log(draw, sigma, arm=ARM, seed=0):
    return OfflineData.from_samples(arm, draw(RNG(seed), arm), sigma)


def totals(sd, sigma, counts=10, means=0.5):
    sd = np.asarray(sd, dtype=float)
    counts = np.full(sd.size, counts)
    given = Totals(tuple(range(sd.size)), counts, np.full(sd.size, means), (counts - 1) * sd**2)
    return OfflineData.from_log(given, sigma)


def coin_totals(means, off=1.0, more=0.0):
    """Forty tries of each arm at a known level, spread as coins of these means are, by what is said."""
    m = np.array(means)
    squares = np.maximum(40 * m * (1 - m), 0) * off + more
    return OfflineData.from_log(Totals(tuple(range(m.size)), np.full(m.size, 40), m, squares), 1.0)


def doubted(data, word):
    return any(word in doubt for doubt in data.law.doubts(data))


def revenue(rng, arm):
    """One in five pays; the standard deviation is 23.4."""
    return (rng.random(arm.size) < 0.2) * rng.lognormal(3, 1, arm.size)


def mostly_zero(alike):
    """Gaussian rewards of which the smallest of a thousand are 0: the shape hardly changes."""

    def draw(rng, arm):
        reward = rng.normal(size=arm.size)
        reward[np.argsort(np.abs(reward))[:alike]] = 0.0
        return reward

    return log(draw, 1.0)


def two_levels(arms, pulls, low=0.3, high=2.0, first=0.5):
    arm = np.repeat(np.arange(arms), pulls)
    return log(lambda rng, a: rng.normal(0, np.where(a < first * arms, low, high)), "pooled", arm)


def successes(sigma):
    counts, won = np.full(40, 50), RNG(0).binomial(50, 0.1, 40)
    read = Totals(tuple(range(40)), counts, won / counts, counts * won / counts * (1 - won / counts), won)
    return OfflineData.from_log(read, sigma)


def seldom(chance):
    """One arm of eleven tries whose spread is as large by this chance, of the level it is said to be."""
    squares = np.array([stats.chi2.isf(chance, 10)])
    return OfflineData.from_log(Totals(("a",), np.array([11]), np.zeros(1), squares), sigma=1.0)


def pair(money):
    """A pair of variance v multiplies the money by 1 + s (v - 1), on average over the stakes s by 1 + 0.384 (v - 1)."""
    half = np.sqrt((1 + (money - 1) / 0.384) / 2)
    return OfflineData.from_samples([0, 0], [half, -half], "sd:1")


def unequal(far):
    """Two arms of a hundred spare samples and variances 1 + e and 1 - e: their statistic is log(1 + 100 e^2)."""
    mean, spread = diagnostics._usually_unequal(np.array([100, 100]).tobytes())
    apart = np.sqrt(np.expm1(mean + far * spread) / 100) * np.array([1, -1])
    return totals(np.sqrt(1 + apart), "pooled", counts=101)


def alike(size):
    return OfflineData.from_samples(np.zeros(size, int), np.ones(size), 1.0)


def coins_alike(size):
    return OfflineData.from_log(Totals(("a",), np.array([size]), np.array([0.5]), np.array([size / 4])), 1.0)


def quiet_and_loud(size):
    """One arm hardly varies, and the other is a pair far apart."""
    reward = np.concatenate([1e-3 * np.arange(size), [0.0, 1e3]])
    return OfflineData.from_samples([0] * size + [1, 1], reward, "pooled")


DISCRETE, SKEWED, SHAPE, LEVELS, COINS = "not continuous", "skewed", "not Gaussian", "differs between arms", "0 or 1"
HEAVY = np.where(np.arange(40) % 2, 5.0, 0.1)
DOUBTED = {
    "0 of clicks": (DISCRETE, lambda: log(lambda rng, arm: (rng.random(arm.size) < 0.03) * 1.0, "pooled")),
    "revenue": (DISCRETE, lambda: log(revenue, "pooled")),
    "ratings": (DISCRETE, lambda: log(lambda rng, arm: rng.integers(1, 6, arm.size) * 1.0, "pooled")),
    "exponential": (SKEWED, lambda: log(lambda rng, arm: rng.exponential(size=arm.size), "pooled")),
    "laplace": (SHAPE, lambda: log(lambda rng, arm: rng.laplace(size=arm.size), "pooled")),
    "two levels": (LEVELS, lambda: two_levels(200, 5)),
    # the first arms alone, as many as five thousand samples are, would all be alike
    "two levels of a long log": (LEVELS, lambda: two_levels(200, 100)),
    "two levels of many arms": (LEVELS, lambda: two_levels(8_000, 3)),
    "two levels of pairs": (LEVELS, lambda: two_levels(200, 2, 10.0, 0.1, 0.1)),
    "a deviation far too small": ("stated sd", lambda: log(lambda rng, arm: rng.standard_t(5, arm.size), "sd:0.8")),
    "heavy tails, sixty arms": ("stated sd", lambda: log(revenue, "sd:2", np.repeat(np.arange(60), 5))),
    "heavy tails, one arm": ("stated sd", lambda: log(revenue, "sd:2", np.zeros(300, int))),
    "heavy tails, in order": ("stated sd", lambda: log(lambda rng, a: np.sort(revenue(rng, a)), "sd:2", 0 * ARM)),
    "totals of a level": ("stated sigma", lambda: totals(HEAVY, 0.3)),
    "totals of a deviation": ("stated sd", lambda: totals(HEAVY, "sd:0.3")),
    "totals of two levels": ("between arms", lambda: totals(HEAVY, "pooled")),
    "successes read with a level": ("not continuous: all of them are 0 or 1", lambda: successes(0.3)),
    "successes read as pooled": ("not continuous: all of them are 0 or 1", lambda: successes("pooled")),
    "a level, of one log in 10,000": ("stated sigma", lambda: seldom(0.95e-4)),
    "a bet makes ten thousand of one": ("stated sd", lambda: pair(10_005)),
    "more than a tenth alike": (DISCRETE, lambda: mostly_zero(105)),
    "five deviations from what is usual": (LEVELS, lambda: unequal(5.1)),
    "eight alike": (DISCRETE, lambda: alike(8)),
    "eight coins": (COINS, lambda: coins_alike(8)),
    "eight samples compared": (LEVELS, lambda: quiet_and_loud(6)),
    "coins to six digits": (COINS, lambda: coin_totals([0.5], 1 + 0.95e-6)),
    "coins that never paid": (COINS, lambda: coin_totals([0.0], more=0.95e-12)),
    "coins at both ends": (COINS, lambda: coin_totals([0.0, 1.0])),
    "coins that always paid": (COINS, lambda: coin_totals([1.0])),
    "two coins": (COINS, lambda: coin_totals([0.5, 0.25])),
    "ten times the stated deviation": ("times as much as the stated sd", lambda: totals([10.1] * 2, "sd:1", 10_000)),
}
USUAL = 0.25 * np.sqrt(RNG(0).chisquare(9, 40) / 9)
FINE = {
    "rounded": lambda: log(lambda rng, arm: np.round(rng.normal(arm / 50, 1.0), 1), "pooled"),
    "a level stated too large": lambda: log(lambda rng, arm: rng.normal(0, 0.8, arm.size), 1.0),
    "a deviation stated too large": lambda: log(lambda rng, arm: rng.standard_t(5, arm.size), "sd:1.3"),
    "no samples": lambda: OfflineData([0.0, 1.0], [3, 3], 1.0),
    "no repeats": lambda: OfflineData.from_samples([1, 2, 3], [0.1, 0.5, 0.7], 1.0),
    "a range": lambda: log(lambda rng, arm: (rng.random(arm.size) < 0.03) * 1.0, "range:0:1"),
    "totals of a level": lambda: totals(USUAL, 0.3),
    "totals of a deviation": lambda: totals(USUAL, "sd:0.3"),
    "totals of one level": lambda: totals(USUAL, "pooled"),
    "deviations all alike": lambda: totals(np.ones(500), "pooled"),
    "a level, of one log in 10,000": lambda: seldom(1.05e-4),
    "a bet makes ten thousand of one": lambda: pair(9_995),
    "five deviations from what is usual": lambda: unequal(4.9),
    "seven alike": lambda: alike(7),
    "ten times the stated deviation": lambda: totals([9.9] * 2, "sd:1", 10_000),
}
CLEAR = {  # of this doubt, whatever else there is
    "less than a tenth alike": (DISCRETE, lambda: mostly_zero(95)),
    "seven coins": (COINS, lambda: coins_alike(7)),
    "seven samples compared": (LEVELS, lambda: quiet_and_loud(5)),
    "coins to six digits": (COINS, lambda: coin_totals([0.5], 1 + 1.05e-6)),
    "coins that never paid": (COINS, lambda: coin_totals([0.0], more=1.05e-12)),
    "a mean above one": (COINS, lambda: coin_totals([0.5, 1 + 1e-14])),
    "a mean below zero": (COINS, lambda: coin_totals([-1e-14, 0.5])),
    "the first is no coin": (COINS, lambda: coin_totals([0.5, 0.25], np.array([0.9, 1]))),
    "the second is no coin": (COINS, lambda: coin_totals([0.5, 0.25], np.array([1, 0.9]))),
    "no deviations": (COINS, lambda: OfflineData([0.5, 0.25], [40, 40], 1.0)),
    "zero on neither side": ("zero", lambda: log(lambda rng, a: 0.0 * a, 1.0, PAIRS)),
}


@pytest.mark.parametrize("kind", DOUBTED)
def test_a_log_that_contradicts_its_assumption_is_doubted(kind):
    word, make = DOUBTED[kind]
    assert doubted(make(), word)


@pytest.mark.parametrize("kind", FINE)
def test_a_log_that_fits_is_not(kind):
    data = FINE[kind]()
    assert data.law.doubts(data) == ()


@pytest.mark.parametrize("kind", CLEAR)
def test_a_log_that_comes_near_is_not_doubted_of_this(kind):
    word, make = CLEAR[kind]
    assert not doubted(make(), word)


@pytest.mark.parametrize("pulls", [2, 3, 20])
def test_gaussian_noise_is_hardly_ever_doubted(pulls):
    arm = np.repeat(np.arange(60), pulls)
    logs = [log(lambda rng, a: rng.normal(a, 1.0), s, arm, seed) for seed in range(50) for s in ("pooled", 1.0)]
    # each of four checks stays silent but for one log in thousands; two of a hundred would be a fault
    assert sum(bool(data.law.doubts(data)) for data in logs) <= 1


def test_how_much_more_repeats_differ_is_said():
    data = log(lambda rng, arm: rng.normal(0, 1.3, arm.size), 1.0)
    (doubt,) = data.law.doubts(data)
    # 800 spare samples: the ratio is 1.3 within four errors of 1.3 / sqrt(1600)
    assert float(doubt.split(" differ ")[1].split()[0]) == pytest.approx(1.3, abs=0.13)


def test_a_deviation_that_is_true_is_not_doubted_however_heavy_the_tails():
    # the chance of a doubt is below 1 / 10,000 for each log
    true = np.sqrt(0.2 * np.exp(8) - (0.2 * np.exp(3.5)) ** 2)
    assert not any(one.law.doubts(one) for one in (log(revenue, f"sd:{true}", seed=k) for k in range(60)))


def test_a_deviation_that_a_range_does_not_allow_is_refused():
    with pytest.raises(DataError, match="deviation of arm 3 is more than rewards from 0 to 1"):
        totals([0.1, 0.2, 0.3, 0.6], "range:0:1")
    # two coins, one head: 0.707, written with two digits
    assert totals([0.71], "range:0:1", counts=2).n_arms == 1


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


def test_the_share_and_the_value_that_comes_up_most_are_said():
    data = OfflineData.from_samples([0] * 20, [0.25] * 5 + [4.0] * 9 + [*range(10, 16)], 1.0)
    assert diagnostics._discrete(data) == ("rewards are not continuous: 45 % of them are 4",)


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


def share_doubted(arms, noise, logs=60):
    """In how many logs of three tries per arm the checks speak up, and what they say of themselves."""
    rng, arm = np.random.default_rng(arms), np.repeat(np.arange(arms), 3)
    made = [OfflineData.from_samples(arm, arm % 7 + noise(rng, arm.size), "pooled") for _ in range(logs)]
    return sum(bool(data.law.doubts(data)) for data in made) / logs, what_checks_see(made[0])


def test_what_the_checks_are_said_to_see_is_what_they_see():
    gross, skewed = (lambda rng, n: rng.lognormal(0, 1, n)), (lambda rng, n: rng.exponential(1, n))
    share, said = share_doubted(10, gross)  # 20 repeats; the standard error of a share is at most 0.065
    assert share < 0.37
    assert "with 20 repeats the checks of one Gaussian level see next to nothing" in said
    share, said = share_doubted(35, gross)
    assert share > 0.63
    assert share_doubted(35, skewed)[0] < 0.37
    assert "grossly skewed noise" in said
    share, said = share_doubted(100, skewed)
    assert share > 0.75
    assert "as skewed as exponential" in said


def test_totals_are_said_to_show_no_shape():
    totals = Totals(("a", "b"), np.array([9, 9]), np.array([1.0, 2.0]), np.array([8.0, 8.0]))
    assert "totals do not show the shape" in what_checks_see(OfflineData.from_log(totals, "pooled"))
