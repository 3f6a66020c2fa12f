"""TRUST and its combination with LCB, step by step against their definitions."""

import numpy as np
import pytest

from trust_helpers import (
    DataError,
    OfflineData,
    TrustError,
    TrustRegion,
    calibrated_band,
    combined,
    draws_for,
    instances,
    lcb,
    paper_band,
    trust,
)


@pytest.fixture(scope="module", params=["equal", "unequal"])
def data(request):
    rng = np.random.default_rng(1)
    if request.param == "equal":
        return instances.data_starved(300).sample(rng)
    return instances.gaussian(rng.uniform(0, 1, 300), rng.uniform(0.3, 1, 300)).sample(rng, rng.integers(1, 9, 300))


@pytest.fixture(scope="module")
def band(data):
    return paper_band(data.region, data.region.radii(), 0.1, draws_for(0.1, 40), seed=3)


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


@pytest.mark.parametrize(("kind", "confidence"), [("paper", 0.8), ("calibrated", 0.9), (None, 0.8)])
def test_a_band_by_name_is_computed_on_the_papers_grid(data, kind, confidence):
    made = trust(data, 0.1, kind, seed=5)
    assert made.confidence == confidence
    np.testing.assert_allclose(made.band.radii, data.region.radii(1.2, 40))
    assert made.band.seed == 5
    assert made.band.method == (kind or "paper")
    again = trust(data, 0.1, made.band)
    np.testing.assert_array_equal(again.weights, made.weights)
    assert again.lower_bound == made.lower_bound


def test_the_default_band_uses_the_tenth_largest_supremum(data):
    assert trust(data).band.draws == draws_for(0.1, 40, rank=10)


def test_a_band_serves_every_log_of_its_design(data, band):
    other = OfflineData(data.means[::-1], data.counts, data.sigma)
    assert trust(other, 0.1, band).band is band


def test_a_band_of_another_design_is_refused(data, band):
    with pytest.raises(DataError, match="another design"):
        trust(OfflineData(data.means, data.counts + 1, data.sigma), 0.1, band)
    with pytest.raises(DataError, match="another design"):
        trust(OfflineData([1.0, 2.0], [1, 1], 1.0), 0.1, band)


def test_a_band_for_another_delta_is_refused(data, band):
    with pytest.raises(TrustError, match=r"delta is 0\.05 but the band was computed for 0\.1"):
        trust(data, 0.05, band)


@pytest.mark.parametrize("method", [trust, combined])
def test_unknown_bands_and_deltas_are_refused(data, method):
    with pytest.raises(TrustError, match="band is 'papper'"):
        method(data, 0.1, "papper")
    with pytest.raises(TrustError, match=r"delta is 1\.5"):
        method(data, 1.5)


def test_another_reference_policy(data):
    nu = np.full(data.n_arms, 1 / data.n_arms) * np.linspace(0.5, 1.5, data.n_arms)
    region = TrustRegion(data.precision, reference=nu / nu.sum())
    band = calibrated_band(region, region.radii(4.0, 5), 0.1, 99, seed=0)
    made = trust(data, 0.1, band)
    assert region.norm(made.weights - region.reference) <= made.radius * (1 + 1e-12)


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
    assert made.lower_bound == lcb(data, 0.1).lower_bound
    assert made.confidence == pytest.approx(0.7)


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
