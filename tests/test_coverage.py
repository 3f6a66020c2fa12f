"""The guarantees, by simulation: each claim may fail in at most its stated share of logs.

Tolerances are binomial: with n logs and failure probability p a claim is refuted when it fails more often than the
0.9999-quantile of Binomial(n, p).
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from trust_helpers import band_for, bounds, combined, lcb
from trust_helpers.instances import gaussian
from trust_helpers.trials import play

pytestmark = pytest.mark.usefixtures("few_splits")


LOGS = 1500
DELTA = 0.1


def design(kind):
    """A Gaussian instance with 40 arms and its pulls."""
    rng = np.random.default_rng(7)
    if kind == "equal":
        return gaussian(rng.uniform(0, 1, 40), 0.5), 1
    return gaussian(rng.uniform(0, 1, 40), rng.uniform(0.2, 1.5, 40)), rng.integers(1, 20, 40)


def make_band(kind, method):
    return band_for(sampled(kind), DELTA, method, seed=1)


def sampled(kind):
    """One log of a design."""
    instance, pulls = design(kind)
    return instance.sample(np.random.default_rng(0), pulls)


def played_with(kind, band, *methods):
    """Methods on the same fresh logs of a design."""
    instance, pulls = design(kind)
    return play(instance, methods, LOGS, seed=11, band=band, pulls=pulls)


def allowed(probability):
    return stats.binom.ppf(0.9999, LOGS, probability)


@pytest.fixture(scope="module", params=["paper", "calibrated"])
def method(request):
    return request.param


@pytest.fixture(scope="module", params=["equal", "unequal"])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def band(kind, method):
    return make_band(kind, method)


@pytest.fixture(scope="module")
def played(kind, band):
    return played_with(kind, band, "lcb", "trust", "combined")


def test_main_theorem_claims_1_and_2(kind, band, played):
    instance, _ = design(kind)
    gain = played["trust"].value - instance.value(band.region.reference)
    short = band.region.suprema(instance.means, band.radii) - gain[:, None]
    failed = (gain < bounds.guaranteed_improvement(band, instance.means)) | (short > 2 * band.widths).any(axis=1)
    assert failed.sum() <= allowed(DELTA)


def test_claim_2_against_single_arms(kind, band, played):
    instance, _ = design(kind)
    gap = np.array([bounds.suboptimality_gap(band, vertex) for vertex in np.eye(instance.n_arms)])
    failed = (instance.means - played["trust"].value[:, None] > gap).any(axis=1)
    assert failed.sum() <= allowed(DELTA)


def test_claim_3_the_computable_lower_bound(band, played):
    assert (played["trust"].bound > played["trust"].value).sum() <= allowed(1 - band.confidence)


def test_the_simulation_can_refute(kind):
    # half the band is no band: the same check must see it
    band = make_band(kind, "calibrated")
    narrow = replace(band, widths=band.widths / 2, value_widths=band.value_widths / 3)
    made = played_with(kind, narrow, "trust")["trust"]
    assert (made.bound > made.value).sum() > allowed(DELTA)


def test_lcb_intervals_and_claim_1(kind, played):
    instance, _ = design(kind)
    value, gap = played["lcb"].value, bounds.lcb_gap_to_arm(sampled(kind), DELTA)
    failed = (played["lcb"].bound > value) | (instance.means - value[:, None] > gap).any(axis=1)
    assert failed.sum() <= allowed(DELTA)


def test_lcb_claim_2_with_arms_drawn_at_random():
    policy = np.array([0.4, 0.3, 0.2, 0.1])
    instance, samples = gaussian([0.0, 0.3, 0.5, 1.0], 1.0), 400
    rng = np.random.default_rng(3)
    bound = bounds.lcb_gap_to_best(bounds.concentrability(policy, 3), samples, 4, DELTA)
    failed = 0
    for _ in range(LOGS):
        data = instance.sample(rng, rng.multinomial(samples, policy))
        failed += instance.means.max() - instance.value(lcb(data, DELTA).weights) > bound
    assert failed <= allowed(2 * DELTA)


def test_combined_is_worth_the_larger_lower_bound(kind, band, played):
    both = np.maximum(played["lcb"].bound, played["trust"].bound)
    np.testing.assert_allclose(played["combined"].bound, both, rtol=1e-12)
    confidence = combined(sampled(kind), DELTA, band).confidence
    assert (both > played["combined"].value).sum() <= allowed(1 - confidence)


def test_all_arms_are_sampled_as_often_as_the_chernoff_lemma_says():
    policy, samples = np.array([0.5, 0.3, 0.2]), 60
    counts = np.random.default_rng(5).multinomial(samples, policy, size=20_000)
    rate = (counts >= samples * policy / 2).all(axis=1).mean()
    bound = bounds.all_arms_sampled(policy, samples)
    assert rate >= bound - 4 * np.sqrt(bound * (1 - bound) / 20_000)
    # the inequality as printed, with the direction reversed, is false
    assert rate > bound


def test_strong_signal_proposition():
    from trust_helpers import TrustRegion
    from trust_helpers.instances import strong_signal

    for d, sigma in ((8, 0.3), (200, 0.1)):
        instance = strong_signal(d, sigma)
        radius = 1 / np.sqrt(2 * d)
        bound = bounds.strong_signal_improvement(radius, d, sigma, DELTA)
        region = TrustRegion(np.ones(2 * d))  # the proposition's region is not weighted
        rng = np.random.default_rng(1)
        failed = sum(
            region.improvement(instance.sample(rng).means, radius) @ instance.means < bound for _ in range(LOGS)
        )
        assert failed <= allowed(DELTA)
