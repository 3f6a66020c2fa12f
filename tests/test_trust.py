"""TRUST and its combination with LCB, step by step against their definitions."""

import numpy as np
import pytest

from trust_helpers import (
    DataError,
    OfflineData,
    TrustError,
    band_for,
    draws_for,
    instances,
    trust,
    trust_many,
)


@pytest.fixture(scope="module", params=["equal", "unequal"])
def data(request):
    rng = np.random.default_rng(1)
    if request.param == "equal":
        return instances.data_starved(300).sample(rng)
    return instances.gaussian(rng.uniform(0, 1, 300), rng.uniform(0.3, 1, 300)).sample(rng, rng.integers(1, 9, 300))


@pytest.fixture(scope="module")
def band(data):
    return band_for(data, 0.1, "paper", seed=3)


def test_algorithm_1_step_by_step(data, band):
    made = trust(data, 0.1, band)
    improvements = [data.region.improvement(data.means, eps) for eps in band.radii]
    objective = [delta @ data.means - width for delta, width in zip(improvements, band.widths, strict=True)]
    best = int(np.argmax(objective))
    np.testing.assert_allclose(made.objective, objective, rtol=1e-9, atol=1e-11)
    assert made.radius == band.radii[best]
    np.testing.assert_allclose(made.weights, data.region.reference + improvements[best], atol=1e-14)
    assert made.estimate == pytest.approx(made.weights @ data.means)
    assert made.lower_bound == pytest.approx(made.estimate - band.value_widths[best])
    assert made.band is band
    assert made.confidence == 0.8


def test_lemma_5_2_no_radius_off_the_grid_does_better(data, band):
    made = trust(data, 0.1, band)
    rng = np.random.default_rng(0)
    for eps in band.radii[0] * 10 ** rng.uniform(-4, 0, 200):
        value = data.region.suprema(data.means, [eps])[0] - band.widths[band.at(eps)]
        assert value <= made.objective.max() + 1e-12


@pytest.mark.parametrize(("kind", "confidence"), [("paper", 0.8), ("calibrated", 0.9), (None, 0.9)])
def test_a_band_by_name_is_computed_on_the_papers_grid(data, kind, confidence):
    made = trust(data, 0.1, kind, seed=5)
    assert made.confidence == confidence
    np.testing.assert_allclose(made.band.radii, data.region.radii(1.2, 40))
    assert made.band.seed == 5
    assert made.band.method == (kind or "calibrated")
    again = trust(data, 0.1, made.band)
    np.testing.assert_array_equal(again.weights, made.weights)
    assert again.lower_bound == made.lower_bound


def test_the_papers_band_uses_the_tenth_largest_supremum(data):
    assert trust(data, band="paper").band.draws == draws_for(0.1, 40, rank=10)


def test_many_logs_are_decided_as_one_by_one(data, band):
    rng = np.random.default_rng(2)
    rewards = data.means + rng.normal(size=(5, data.n_arms))
    many = trust_many(band, rewards)
    for k, row in enumerate(rewards):
        one = trust(OfflineData(row, data.counts, data.sigma), 0.1, band)
        np.testing.assert_array_equal(many.weights[k], one.weights)
        assert (many.radius[k], many.lower_bound[k]) == (one.radius, pytest.approx(one.lower_bound))
    with pytest.raises(DataError, match="a row per log and 300 columns"):
        trust_many(band, rewards[:, :-1])


def test_a_reference_policy_given_with_the_log(data):
    nu = np.linspace(0.5, 1.5, data.n_arms) / data.n_arms
    around = OfflineData(data.means, data.counts, data.sigma, reference=nu)
    np.testing.assert_allclose(around.region.reference, nu, rtol=1e-12)
    small = band_for(around, 0.1, radii=around.region.radii(8.0, 3), draws=99)
    for log in (around, data):  # of which the second names no policy, and takes the band's
        made = trust(log, 0.1, small)
        assert around.region.norm(made.weights - nu) <= made.radius * (1 + 1e-12)
    with pytest.raises(DataError, match="reference policy differs"):
        trust(around, 0.1, band_for(data, 0.1))


def test_a_band_serves_every_log_of_its_design(data, band):
    other = OfflineData(data.means[::-1], data.counts, data.sigma)
    assert trust(other, 0.1, band).band is band


@pytest.mark.parametrize(
    ("error", "message", "ask"),
    [
        (DataError, "another design", lambda data: (OfflineData(data.means, data.counts + 1, data.sigma), 0.1, None)),
        (DataError, "another design", lambda data: (OfflineData([1.0, 2.0], [1, 1], 1.0), 0.1, None)),
        (TrustError, r"delta is 0\.05 but the band was computed for 0\.1", lambda data: (data, 0.05, None)),
        (TrustError, "band is 'papper'", lambda data: (data, 0.1, "papper")),
        (TrustError, r"delta is 1\.5", lambda data: (data, 1.5, "calibrated")),
    ],
)
def test_bands_and_levels_that_do_not_fit_are_refused(data, band, error, message, ask):
    log, delta, kind = ask(data)
    with pytest.raises(error, match=message):
        trust(log, delta, kind or band)


def test_one_arm_leaves_nothing_to_choose():
    for kind in ("paper", "calibrated"):
        made = trust(OfflineData([2.0], [4], 1.0), 0.1, kind)
        np.testing.assert_array_equal(made.weights, [1.0])
        assert made.radius == 0
        assert made.lower_bound < 2.0


def test_all_rewards_equal_leaves_the_reference():
    data = OfflineData(np.ones(20), np.arange(1, 21), 1.0)
    made = trust(data, 0.1, "calibrated")
    assert made.estimate == pytest.approx(1.0)
    assert made.lower_bound < 1.0


def test_a_generator_as_seed(data):
    one = trust(data, 0.1, "calibrated", np.random.default_rng(1))
    two = trust(data, 0.1, "calibrated", one.band.seed)
    assert one.lower_bound == two.lower_bound
