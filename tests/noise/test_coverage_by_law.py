"""Every law's band, by simulation: the noise it speaks of exceeds it anywhere in at most delta of the logs.

A claim is refuted when it fails more often than the 0.9999-quantile of Binomial(n, delta). Each has its refuter: a band
that assumes more must fail on the same noise.
"""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import Bounded, Gaussian, OfflineData, Pooled, TrustRegion, band_for, trust

DELTA, LOGS, ARMS = 0.1, 600, 400
ALLOWED = stats.binom.ppf(0.9999, LOGS, DELTA)
COUNTS = {
    "one": np.ones(ARMS, int),
    "two": np.full(ARMS, 2),
    "four": np.full(ARMS, 4),
    "sixteen": np.full(ARMS, 16),
    "mixed": np.random.default_rng(3).integers(1, 30, ARMS),
}


pytestmark = pytest.mark.usefixtures("few_splits")


def coins(p):
    """Rewards that are 0 or 1 with these means."""
    return p, lambda rng, n: rng.binomial(n, p, (LOGS, ARMS)) / n


def spread_evenly(rng, n):
    """Means of so many uniform rewards; a sum of uniforms, drawn one try at a time."""
    return sum(rng.uniform(0, 1, (LOGS, ARMS)) * (k < n) for k in range(n.max())) / n


def two_ended(rng, n):
    """Means of so many ratings that are mostly at the ends of their range."""
    return rng.multinomial(n, [0.45, 0.1, 0.45], (LOGS, ARMS)) @ [0.0, 0.25, 1.0] / n


REWARDS = {
    "fair coins": coins(np.full(ARMS, 0.5)),
    "coins from 0.05 to 0.95": coins(np.linspace(0.05, 0.95, ARMS)),
    "clicks": coins(np.full(ARMS, 0.03)),
    "beta means": coins(np.random.default_rng(4).beta(1, 9, ARMS)),
    "uniform": (np.full(ARMS, 0.5), spread_evenly),
    "two-ended ratings": (np.full(ARMS, 0.475), two_ended),
}


def noise_of(rewards, counts):
    means, draw = REWARDS[rewards]
    return draw(np.random.default_rng(11), COUNTS[counts]) - means


@pytest.fixture(scope="module", params=list(COUNTS))
def counts(request):
    return request.param


@pytest.fixture(scope="module")
def bounded(counts):
    return band_for(OfflineData(np.full(ARMS, 0.5), COUNTS[counts], "range:0:1"), DELTA, seed=2)


def exceeded(band, noise):
    suprema = band.region.suprema(noise, band.radii)
    return band.exceeded(suprema).sum(), band.exceeded(suprema, noise @ band.region.reference).sum()


@pytest.mark.parametrize("rewards", list(REWARDS))
def test_bounded_rewards_stay_below_their_band(bounded, counts, rewards):
    assert max(exceeded(bounded, noise_of(rewards, counts))) <= ALLOWED


def test_refuter_a_gaussian_band_fails_on_many_fair_coins():
    # told the largest deviation that [0, 1] allows, as the range would be read without its law
    noise = np.random.default_rng(12).integers(0, 2, (300, 3_000)) - 0.5
    one_each = np.ones(3_000, int)
    gaussian, bounded = (band_for(OfflineData(np.full(3_000, 0.5), one_each, said)) for said in (0.5, "range:0:1"))
    assert exceeded(gaussian, noise)[0] > 0.9 * 300
    assert max(exceeded(bounded, noise)) <= stats.binom.ppf(0.9999, 300, DELTA)


def test_refuter_a_quantile_in_place_of_the_shortfall_is_narrower(bounded):
    # the normal law above one reward has deviation c_1 > 1/2; its quantile alone proves nothing for coins
    same_noise = band_for(TrustRegion(1 / bounded.design.deviations**2), DELTA, seed=2)
    assert (same_noise.widths[:-1] < bounded.widths[:-1] * 1.2).all()
    assert bounded.widths[0] > same_noise.widths[0]


def test_two_ended_ratings_from_samples_keep_their_promise():
    rng, misses = np.random.default_rng(5), 0
    arm = np.repeat(np.arange(100), 3)
    design = OfflineData(np.full(100, 3.0), np.full(100, 3), "range:1:5")
    band = band_for(design, DELTA, seed=0)
    for _ in range(300):
        rewards = rng.choice([1.0, 2.0, 5.0], arm.size, p=[0.45, 0.1, 0.45])
        made = trust(OfflineData.from_samples(arm, rewards, "range:1:5"), DELTA, band)
        misses += made.lower_bound > made.weights.sum() * 2.9
    assert misses <= stats.binom.ppf(0.9999, 300, DELTA)


@pytest.mark.parametrize("spare", [1, 3, 10, 50])
def test_an_estimated_level_is_allowed_for(spare):
    logs, arms = 1_500, 100
    rng = np.random.default_rng(6)
    counts = np.ones(arms, int)
    counts[: min(spare, 50)] += 1
    noise = rng.standard_normal((logs, arms)) / np.sqrt(counts)
    estimate = np.sqrt(rng.chisquare(spare, logs) / spare)[:, None]
    pooled = band_for(OfflineData(np.zeros(arms), counts, Pooled(1.0, spare)), DELTA, seed=1)
    plugged = band_for(OfflineData(np.zeros(arms), counts, 1.0), DELTA, seed=1)
    # exact: given a band of M draws the chance is Beta(delta (M + 1), ...), so hits are beta-binomial
    rank = int(DELTA * (pooled.draws + 1))
    low, high = stats.betabinom.ppf([0.0001, 0.9999], logs, rank, pooled.draws + 1 - rank)
    for hits in exceeded(pooled, noise / estimate):
        assert low <= hits <= high
    if spare <= 10:
        assert exceeded(plugged, noise / estimate)[1] > high


@pytest.mark.parametrize("spare", [1, 3])
def test_radii_are_multiples_of_the_largest_and_in_reward_units_they_would_fail(spare):
    # A radius fixed in reward units lets a level that came out too small widen the region too. Small regions grow in
    # proportion, so what noise reaches grows by 1 / level where the band has room for one such factor and not for two:
    # missed where level^2 < q instead of level < q, with q the quantile of the level, up to what spread X has itself.
    logs, rng = 1_000, np.random.default_rng([13, spare])
    counts = 1 + (np.arange(20) < spare)
    band = band_for(OfflineData(np.zeros(20), counts, Pooled(1.0, spare)), DELTA, seed=1)
    small = band.radii <= 0.1 * band.radii[0]
    noise = rng.standard_normal((logs, 20)) / np.sqrt(counts)
    levels = np.sqrt(rng.chisquare(spare, logs) / spare)
    multiples = fixed = 0
    for row, level in zip(noise, levels, strict=True):
        region = TrustRegion(counts / level**2)  # of a log whose estimated level this is
        scaled, kept = (region.suprema(row, radii[small]) for radii in (level * band.radii, band.radii))
        multiples += (scaled > level * band.widths[small]).any()
        fixed += (kept > level * band.widths[small]).any()
    allowed = stats.binom.ppf(0.9999, logs, DELTA)
    assert multiples <= allowed < fixed
    twice = stats.chi2.cdf(spare * np.sqrt(stats.chi2.ppf(DELTA, spare) / spare), spare)
    assert fixed / logs == pytest.approx(twice, abs=0.08)


def test_a_pooled_band_serves_every_level():
    rng = np.random.default_rng(7)
    arm = np.repeat(np.arange(30), 2)
    rewards = rng.normal(arm / 30, 0.4)
    one = OfflineData.from_samples(arm, rewards, "pooled")
    other = OfflineData.from_samples(arm, 3 * rewards, "pooled")
    band = band_for(one, DELTA, seed=3)
    assert trust(other, DELTA, band).lower_bound == pytest.approx(3 * trust(one, DELTA, band).lower_bound)
    assert trust(other, DELTA, seed=3).lower_bound == pytest.approx(3 * trust(one, DELTA, seed=3).lower_bound)


@pytest.mark.parametrize("law", [Gaussian(0.5), Pooled(0.5, 20), Bounded(0.0, 1.0)], ids=lambda law: type(law).__name__)
def test_a_band_never_depends_on_the_rewards(law):
    rng, counts = np.random.default_rng(8), np.random.default_rng(9).integers(1, 5, 50)
    one, other = (band_for(OfflineData(rng.uniform(0, 1, 50), counts, law), DELTA, seed=4) for _ in range(2))
    np.testing.assert_array_equal(one.widths, other.widths)
    np.testing.assert_array_equal(one.value_widths, other.value_widths)
