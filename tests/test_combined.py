"""The best promise of several, and the paper's combination of LCB and TRUST."""

from dataclasses import astuple

import numpy as np
import pytest
from scipy import stats

from trust_helpers import (
    OfflineData,
    Pooled,
    TrustError,
    band_for,
    behaviour_cloning,
    combined,
    instances,
    lcb,
    split,
    trust,
)
from trust_helpers.combined import SPARE as LEAST
from trust_helpers.combined import Shares, best_promise, joint_band, shares_for, simulate_log

pytestmark = pytest.mark.usefixtures("few_splits")


@pytest.fixture(scope="module")
def data():
    return instances.data_starved(300).sample(np.random.default_rng(1))


@pytest.fixture(scope="module")
def band(data):
    return band_for(data, 0.1, "paper", seed=3)


def test_combined_takes_the_larger_lower_bound(band, data):
    mixture, arm = trust(data, 0.1, band), lcb(data, 0.1)
    assert mixture.lower_bound > arm.lower_bound
    made = combined(data, 0.1, band)
    np.testing.assert_array_equal(made.weights, mixture.weights)
    assert (made.lower_bound, made.method) == (mixture.lower_bound, "combined (TRUST)")
    assert made.confidence == pytest.approx(0.7)


def test_combined_takes_lcb_when_one_arm_stands_out():
    # then the best mixture is that arm, and LCB pays one union bound over arms where TRUST pays one over radii too
    data = OfflineData(np.where(np.arange(50) == 0, 5.0, 0.0), np.full(50, 100), 1.0)
    made = combined(data, 0.1, "paper")
    assert made.method == "combined (LCB)"
    assert made.weights[0] == 1
    assert made.lower_bound == lcb(data, 0.1, "paper").lower_bound
    assert made.confidence == pytest.approx(0.7)


def test_one_confidence_for_the_best_of_all_promises(data):
    made = combined(data, 0.1)
    assert made.confidence == 0.9
    assert made.lower_bound > lcb(data, 0.1).lower_bound
    with pytest.raises(TrustError, match="band is 'papper'"):
        combined(data, 0.1, "papper")
    with pytest.raises(TrustError, match=r"delta is 1\.5"):
        combined(data, 1.5)


COINS = {
    # design: true means, tosses, and the promise that nothing but [0, 1] must support, at 1 - delta
    "halves, two each": (np.repeat([0.9, 0.1], 1_000), 2, 0.76),
    "halves, four each": (np.repeat([0.9, 0.1], 1_000), 4, 0.85),
    "halves, sixteen each": (np.repeat([0.9, 0.1], 1_000), 16, 0.87),
    "even, two each": (np.linspace(0, 1, 2_000), 2, 0.61),
    "even, four each": (np.linspace(0, 1, 2_000), 4, 0.69),
    "even, sixteen each": (np.linspace(0, 1, 2_000), 16, 0.85),
    "clicks, many tries": (np.where(np.arange(1_500) < 150, 0.08, 0.01), (100, 401), 0.062),
    "clicks, few tries": (np.where(np.arange(1_500) < 150, 0.08, 0.01), (4, 61), 0.040),
}


def promises(means, counts, logs, draw):
    """The combined promises on fresh logs of one design, and whether each held."""
    found, simulated = [], None
    for k in range(logs):
        log = draw(np.random.default_rng([9, k]))
        shares = shares_for(log)
        simulated = simulated or (simulate_log(log, 0.1 * shares.joint, 0) if shares.joint else None)
        made = best_promise(log, 0.1, shares, simulated, seed=k)
        found.append((made.lower_bound, made.lower_bound <= made.weights @ means))
    return np.array(found).T


@pytest.mark.parametrize("kind", list(COINS))
def test_promises_worth_having_from_coins_alone(kind):
    means, tosses, least = COINS[kind]
    rng = np.random.default_rng(3)
    counts = rng.integers(*tosses, means.size) if isinstance(tosses, tuple) else np.full(means.size, tosses)
    bounds, held = promises(means, counts, 8, lambda r: OfflineData.from_counts(r.binomial(counts, means), counts))
    assert bounds.mean() >= least
    assert (~held.astype(bool)).sum() <= stats.binom.ppf(0.9999, 8, 0.1)


@pytest.mark.parametrize(("mean", "tosses"), [(0.5, 2), (0.5, 4), (0.5, 16), (0.02, (4, 61)), (0.02, (100, 401))])
def test_without_signal_little_is_lost_to_cloning(mean, tosses):
    counts = np.random.default_rng(3).integers(*tosses, 1_500) if isinstance(tosses, tuple) else np.full(2_000, tosses)

    def draw(rng):
        return OfflineData.from_counts(rng.binomial(counts, mean), counts)

    own = np.mean([behaviour_cloning(draw(np.random.default_rng([9, k]))).lower_bound for k in range(8)])
    bounds, _ = promises(np.full(counts.size, mean), counts, 8, draw)
    assert bounds.mean() >= own - 0.01


def test_promises_worth_having_from_one_gaussian_sample_each():
    first, second = instances.data_starved(), instances.general()
    few = instances.gaussian(np.linspace(0, 1, 20), 0.5)
    for instance, logs, least in ((first, 3, 0.60), (second, 8, 0.56), (few, 60, 0.30)):
        bounds, held = promises(instance.means, None, logs, instance.sample)
        assert bounds.mean() >= least
        assert (~held.astype(bool)).sum() <= stats.binom.ppf(0.9999, logs, 0.1)


def test_the_estimate_is_that_of_the_whole_log_whoever_promised():
    counts = np.full(300, 4)
    log = OfflineData.from_counts(np.random.default_rng(0).binomial(4, np.repeat([0.9, 0.1], 150)), counts)
    made = combined(log)
    assert made.method == "combined (split)"
    assert made.estimate == pytest.approx(made.weights @ log.means)


@pytest.mark.parametrize("sigma", [0.5, "pooled", "range:0:1", "sd:0.5"])
def test_the_shares_of_every_kind_of_log_add_up_to_one(sigma):
    """More than one would break the promise, and less would waste it."""
    rng = np.random.default_rng(0)
    for arms in (np.repeat(np.arange(9), 4), np.arange(36), np.repeat(np.arange(18), 2)):
        if sigma == "pooled" and np.unique(arms).size == arms.size:
            continue  # nothing to tell the level from
        kept = OfflineData.from_samples(arms, rng.uniform(size=arms.size), sigma)
        for log in (kept, OfflineData(kept.means, kept.counts, kept.law)):
            assert sum(astuple(shares_for(log))) == pytest.approx(1)
    successes = OfflineData.from_counts([3, 1], [4, 4])
    assert sum(astuple(shares_for(successes))) == pytest.approx(1)


def coin(means):
    return means, lambda rng, arm: (rng.random(arm.size) < means[arm]) * 1.0


KINDS = {
    # kind: true means with a way to draw rewards, samples of each arm, what is said
    "fair coins, once": (coin(np.full(40, 0.5)), np.ones(40, int), "range:0:1"),
    "fair coins, twice": (coin(np.full(40, 0.5)), np.full(40, 2), "range:0:1"),
    "coins from 0.05 to 0.95, mixed": (
        coin(np.linspace(0.05, 0.95, 40)),
        np.random.default_rng(1).integers(1, 17, 40),
        "range:0:1",
    ),
    "clicks, sixteen": (coin(np.full(40, 0.03)), np.full(40, 16), "range:0:1"),
    "beta means, four": (coin(np.random.default_rng(2).beta(0.5, 2, 40)), np.full(40, 4), "range:0:1"),
    "uniform, four": ((np.full(40, 0.5), lambda rng, arm: rng.random(arm.size)), np.full(40, 4), "range:0:1"),
    "two-ended ratings, two": (
        (np.full(40, 2.9), lambda rng, arm: rng.choice([1.0, 2.0, 5.0], arm.size, p=[0.45, 0.1, 0.45])),
        np.full(40, 2),
        "range:1:5",
    ),
    "heavy tails, four": (
        (np.full(40, np.exp(0.5)), lambda rng, arm: rng.lognormal(0, 1, arm.size)),
        np.full(40, 4),
        f"sd:{np.sqrt(np.exp(2) - np.exp(1))}",
    ),
}
SPARE = {f"Gaussian, {spare} to spare": spare for spare in (1, 3, 10, 50)}
for name, spare in SPARE.items():
    pulls = 1 + (np.arange(40) < spare) + (np.arange(40) < spare - 40)
    KINDS[name] = ((np.zeros(40), lambda rng, arm: rng.normal(size=arm.size)), pulls, "pooled")


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_best_of_all_promises_holds_for_the_rewards_people_have(kind):
    (means, draw), counts, said = KINDS[kind]
    arm, logs, misses, simulated = np.repeat(np.arange(40), counts), 80, 0, None
    for k in range(logs):
        log = OfflineData.from_samples(arm, draw(np.random.default_rng([12, k]), arm), said)
        shares = shares_for(log)
        simulated = simulated or (simulate_log(log, 0.1 * shares.joint, 0) if shares.joint else None)
        made = best_promise(log, 0.1, shares, simulated, seed=k)
        misses += made.lower_bound > made.weights @ means + 1e-12
        # and never further behind cloning than its share costs
        cloned = log.law.mixture_bound(log, log.counts / log.n_samples, 0.1 * shares.cloning)
        assert made.lower_bound >= cloned
    assert misses <= stats.binom.ppf(0.9999, logs, 0.1)


def test_a_log_is_split_if_it_kept_samples_and_a_few_repeat():
    arm, reward = np.repeat(np.arange(5), 3), np.tile([0.2, 0.5, 0.9], 5)
    kept = OfflineData.from_samples(arm, reward, "range:0:1")
    fewer = OfflineData.from_samples(arm[1:], reward[1:], "range:0:1")
    assert (kept.n_samples - kept.n_arms, fewer.n_samples - fewer.n_arms) == (LEAST, LEAST - 1)
    assert shares_for(kept).split > 0
    assert shares_for(fewer).split == 0
    assert shares_for(OfflineData(kept.means, 100 * kept.counts, "range:0:1")).split == 0  # nothing was kept


REPEATED = np.repeat(np.arange(6), 3)
KEPT = np.linspace(0.1, 0.9, 18)


@pytest.mark.parametrize(
    ("log", "shares"),
    [
        (OfflineData.from_samples(REPEATED, KEPT, "sd:0.5"), Shares(cloning=0.2, arms=0.2, split=0.6)),
        (OfflineData(KEPT, np.full(18, 3), "sd:0.5"), Shares(cloning=0.5, arms=0.5)),
        (OfflineData(KEPT, np.ones(18), "range:0:1"), Shares(cloning=0.9, joint=0.1)),
        (OfflineData.from_counts([1, 0], [1, 1]), Shares(cloning=0.9, joint=0.1)),
        (OfflineData.from_counts([1] * 12, [2] * 12), Shares(cloning=0.1, joint=0.1, arms=0.8)),
        (OfflineData.from_counts([1] * 13, [2] * 13), Shares(cloning=0.1, joint=0.2, arms=0.1, split=0.6)),
        (OfflineData.from_counts([5], [9]), Shares(cloning=0.9, joint=0.1)),
        (OfflineData.from_samples(REPEATED, KEPT, "range:0:1"), Shares(cloning=0.1, joint=0.3, split=0.6)),
        (OfflineData(KEPT, np.full(18, 3), "range:0:1"), Shares(cloning=0.2, joint=0.8)),
        (OfflineData(KEPT, np.ones(18), 0.5), Shares(cloning=0.1, joint=0.45, split=0.45)),
        (OfflineData.from_samples(REPEATED, KEPT, "pooled"), Shares(cloning=0.1, joint=0.45, split=0.45)),
        (OfflineData.from_samples(REPEATED[:8], KEPT[:8], "pooled"), Shares(cloning=0.1, joint=0.9)),
    ],
)
def test_split_has_half_of_what_cloning_leaves_or_more_and_single_arms_what_they_need(log, shares):
    assert astuple(shares_for(log)) == pytest.approx(astuple(shares))


@pytest.mark.parametrize("sigma", [0.5, "range:0:1", "sd:0.5", "pooled"])
def test_cloning_promises_at_its_share_what_it_would_alone(sigma):
    log = OfflineData.from_samples(REPEATED, KEPT, sigma)
    made, alone = behaviour_cloning(log, 0.03, "exact"), behaviour_cloning(log, 0.03)
    # but that of Gaussian noise has the quantile itself, and not the paper's bound of it
    bound = KEPT.mean() - stats.norm.isf(0.03) * 0.5 / np.sqrt(18) if sigma == 0.5 else alone.lower_bound
    np.testing.assert_allclose(made.weights, np.full(6, 1 / 6))
    assert (made.estimate, made.lower_bound) == pytest.approx((KEPT.mean(), bound))
    assert made.confidence == alone.confidence == pytest.approx(0.97)
    assert best_promise(log, 0.3, Shares(cloning=0.1), None).lower_bound == pytest.approx(bound)


def test_each_method_promises_at_its_own_share():
    log = OfflineData.from_counts([90, 40, 45], [100, 100, 100])
    for shares, alone in (
        (Shares(cloning=1e-9, arms=0.4), lcb(log, 0.04)),
        (Shares(cloning=1e-9, split=0.4), split(log, 0.04, seed=5)),
    ):
        made = best_promise(log, 0.1, shares, None, seed=5)
        assert made.lower_bound == pytest.approx(alone.lower_bound)
        assert (made.confidence, made.method) == (0.9, f"combined ({alone.method})")


DELTA, LOGS, ARMS = 0.1, 500, 40


@pytest.fixture(scope="module", params=["equal", "unequal"])
def design(request):
    counts = np.full(ARMS, 4) if request.param == "equal" else np.random.default_rng(1).integers(1, 20, ARMS)
    return OfflineData(np.full(ARMS, 0.5), counts, "range:0:1")


def truths():
    """Means with no signal, a spread, and one arm that stands out."""
    return {
        "alike": np.full(ARMS, 0.5),
        "spread": np.linspace(0.05, 0.95, ARMS),
        "one good": np.where(np.arange(ARMS) == 7, 0.97, 0.1),
    }


@pytest.mark.parametrize("kind", list(truths()))
def test_the_highest_of_all_promises_holds(design, kind):
    means, rng = truths()[kind], np.random.default_rng(3)
    band = joint_band(simulate_log(design, DELTA, 0), DELTA)
    misses = 0
    for _ in range(LOGS):
        data = OfflineData(rng.binomial(design.counts, means) / design.counts, design.counts, "range:0:1")
        made = band.decide(data)
        misses += made.lower_bound > made.weights @ means + 1e-12
    assert misses <= stats.binom.ppf(0.9999, LOGS, DELTA)


def test_refuter_half_the_widths_miss():
    rng, counts = np.random.default_rng(4), np.ones(300, int)
    design = OfflineData(np.zeros(300), counts, 1.0)
    band = joint_band(simulate_log(design, DELTA, 0), DELTA)
    half = type(band)(band.simulated, DELTA, band.mixtures / 2, band.arms / 2, band.reference / 2)
    for one, fails in ((band, False), (half, True)):
        made = [one.decide(OfflineData(rng.normal(size=300), counts, 1.0)) for _ in range(200)]
        misses = sum(each.lower_bound > 0 for each in made)
        assert (misses > stats.binom.ppf(0.9999, 200, DELTA)) == fails


def test_the_joint_promise_costs_little_more_than_trusts_own():
    data = instances.general(300).sample(np.random.default_rng(0), 4)
    own = trust(data, DELTA, band_for(data, DELTA)).lower_bound
    joint = joint_band(simulate_log(data, DELTA, 0), DELTA).decide(data).lower_bound
    assert joint == pytest.approx(own, abs=0.03)


def test_one_simulation_serves_logs_of_every_estimated_level():
    rng, counts = np.random.default_rng(5), np.full(20, 3)
    means = rng.normal(size=20)
    one, other = (OfflineData(k * means, counts, Pooled(k * 0.4, 40)) for k in (1.0, 5.0))
    shares = shares_for(one)
    simulated = simulate_log(one, DELTA * shares.joint, 2)
    made = best_promise(other, DELTA, shares, simulated)
    assert made.lower_bound == pytest.approx(combined(other, DELTA, seed=2).lower_bound)
    assert made.lower_bound == pytest.approx(5 * combined(one, DELTA, seed=2).lower_bound)


def test_the_joint_band_never_depends_on_the_rewards(design):
    other = OfflineData(np.random.default_rng(8).uniform(size=ARMS), design.counts, "range:0:1")
    one, two = (joint_band(simulate_log(log, DELTA, 0), DELTA) for log in (design, other))
    np.testing.assert_array_equal(one.mixtures, two.mixtures)
    np.testing.assert_array_equal(one.arms, two.arms)
    assert one.reference == two.reference


@pytest.mark.parametrize("method", [trust, combined])
@pytest.mark.parametrize("around", [None, [0.4, 0.1, 0.1, 0.2, 0.2]], ids=["least noisy", "a policy"])
def test_no_promise_depends_on_the_order_of_the_arms(method, around):
    means, counts, levels = np.array([[0.3, 0.9, 0.1, 0.6, 0.2], [9, 2, 30, 4, 4], [1.0, 0.5, 2.0, 1.0, 0.7]])
    order = np.array([3, 0, 4, 2, 1])
    nu = None if around is None else np.array(around)
    given = method(OfflineData(means, counts, levels, reference=nu))
    moved = method(OfflineData(means[order], counts[order], levels[order], reference=None if nu is None else nu[order]))
    assert moved.lower_bound == pytest.approx(given.lower_bound, rel=1e-12)
    np.testing.assert_allclose(moved.weights, given.weights[order], atol=1e-12)
