"""The experiments of chapter 2, against closed forms, simulation and an optimiser that knows nothing of them."""

import numpy as np
import pytest
from scipy import optimize, stats

from trust_helpers import OfflineData, instances
from trust_helpers.book.experiments import mixtures
from trust_helpers.book.pictures import Count

RNG = np.random.default_rng(4)


def test_the_error_of_random_mixtures_is_that_of_an_average():
    instance = instances.gaussian(np.zeros(64), 0.5)
    errors = mixtures.error_of_random_mixtures(instance, [1, 4, 64], 4_000, 1)
    # the relative standard error of a root mean square of n normals is 1 / sqrt(2 n)
    assert errors == pytest.approx(0.5 / np.sqrt([1, 4, 64]), rel=4 / np.sqrt(8_000))


@pytest.mark.parametrize("d", [1, 3, 50, 2_000])
def test_luck_by_simulation(d):
    q = mixtures.luck_quantile(d, 0.9)
    beyond = (mixtures.length_of_luck(d, 4_000, 2) > q).mean()
    assert abs(beyond - 0.1) < 4 * np.sqrt(0.09 / 4_000)
    assert abs((mixtures.length_of_luck(d, 4_000, 2) > 0.9 * q).mean() - 0.1) > 4 * np.sqrt(0.09 / 4_000)


def test_luck_is_below_the_ellipsoid_and_above_single_arms():
    for d in (2, 100, 10_000):
        one, every = mixtures.single_arm_multiplier(d, 0.9), mixtures.luck_quantile(d, 0.9)
        assert one < every < np.sqrt(stats.chi2.ppf(0.9, d))


def test_the_best_mixture_is_found():
    log = OfflineData(RNG.normal(size=5), [1, 2, 1, 3, 1], 0.7)
    found = mixtures.best_mixture(0.8)(log)

    def loss(w):
        return -(w @ log.means - 0.8 * np.sqrt((w**2 / log.precision).sum()))

    whole = {"type": "eq", "fun": lambda w: w.sum() - 1}
    best = optimize.minimize(loss, np.full(5, 0.2), bounds=[(0, 1)] * 5, constraints=whole, method="SLSQP")
    assert found.lower_bound == pytest.approx(-best.fun, abs=2e-4)  # the grid of roots steps by 3 %
    assert -loss(found.weights) == pytest.approx(found.lower_bound, abs=1e-3)


def test_the_margin_for_one_mixture_is_broken_by_a_search_and_the_one_for_all_is_kept():
    instance = instances.data_starved(1_000)
    log = instance.sample(np.random.default_rng(0))
    multipliers = {"one": np.sqrt(2 * np.log(20)), "all": mixtures.luck_quantile(1_000, 0.9)}
    one, every = mixtures.try_margins(instance, log, multipliers, 0.1, 60, 5)
    assert one.missed.verdict == "broken"
    assert every.missed.broken == 0
    assert every.promised < one.promised


def test_the_price_is_low_near_cloning_and_near_single_arms():
    share, needed = mixtures.multiplier_by_place(400, 400, 0.1, 3)
    assert (share[0], share[-1]) == (1.0, 0.0)
    assert needed[-1] == pytest.approx(stats.norm.ppf(0.9), abs=0.3)
    assert needed.max() > 2 * needed[0] > 2 * needed[-1]
    assert needed.max() < 1.02 * mixtures.luck_quantile(400, 0.9)


def test_one_margin_for_all_mixtures_does_not_find_the_excellent_arm():
    worlds = mixtures.worlds_of_few_and_many_good_arms(400)
    promised = mixtures.promises_in(worlds, 0.1, 5, 6)
    assert list(promised) == list(worlds)
    lone = promised["one arm of mean 5"]
    assert min(lone["LCB"], lone["TRUST"]) > 2
    assert lone["all mixtures"] < 1
    assert promised["half the arms good"]["LCB"] < promised["half the arms good"]["cloning"]


def test_four_kinds_of_search_need_ever_more():
    found = mixtures.multipliers_by_arms([4, 100], 0.1)
    assert list(found) == ["one fixed mixture", "all single arms", "all mixtures", "the ellipsoid"]
    one, single, every, ellipsoid = found.values()
    assert (one == stats.norm.ppf(0.9)).all()
    assert ((one < single) & (single < every) & (every < ellipsoid)).all()
    assert every == pytest.approx([mixtures.luck_quantile(d, 0.9) for d in (4, 100)])
    assert stats.chi2.cdf(ellipsoid**2, [4, 100]) == pytest.approx(0.9)


def test_a_random_policy_lies_where_it_is_said_to():
    w = RNG.dirichlet(np.ones(50), 20_000)
    squares = (w**2).sum(axis=1)
    excess = (squares.mean() - 1 / 50) / (1 - 1 / 50)
    error = squares.std() / np.sqrt(20_000) / (1 - 1 / 50)
    assert abs(mixtures.excess_of_a_random_policy(50) ** 2 - excess) < 4 * error
    assert abs(mixtures.excess_of_a_random_policy(45) ** 2 - excess) > 4 * error  # other arms would be noticed


def test_the_rows_of_margins_say_what_was_tried():
    kept = mixtures.Margin("all", 70.6, 0.5, 0.9, 0.55, Count("all", 0, 100, 0.1))
    broken = mixtures.Margin("one", 2.45, 1.5, 0.9, 1.4, Count("one", 99, 100, 0.1))
    first, second = mixtures.margin_rows([kept, broken])
    assert (first["multiplier"], first["promised"], first["worth"], first["promised on average"]) == (
        "70.6",
        0.5,
        0.9,
        0.55,
    )
    assert (first["missed"], first["promise"].plain) == ("0\u00a0%", "kept")
    assert (second["missed"], second["promise"].plain) == ("99\u00a0%", "broken")
