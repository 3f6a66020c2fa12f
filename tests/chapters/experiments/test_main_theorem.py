"""Chapter 5's experiments: what they report is checked against direct computation, and refuters are found."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, bounds, trust
from trust_helpers.chapters.experiments import main_theorem as tried
from trust_helpers.chapters.experiments import special_instances as special


@pytest.fixture(scope="module")
def settings():
    return tried.two_settings(40, 0.1, seed=1)


def test_the_proof_holds_on_one_log(settings):
    for where in settings.values():
        made = tried.proof_on_one_log(where, seed=2, size=200)
        assert made.noise <= 1  # the event, at this seed
        assert made.gain >= made.peaks.max() - 1e-12  # (a)
        assert made.beaten == 0  # (b): the lemma
        assert (made.objective >= made.rival).all()  # (c), at this seed
        assert np.isclose(made.objective[0], made.peaks[0])


def test_the_noise_may_leave_the_band_on_one_side_alone(settings):
    thin = dataclasses.replace(settings["equal"].band, widths=0.8 * settings["equal"].band.widths)
    above, below, both = tried.noise_on_both_sides(thin, seed=3)
    assert 0 < both < min(above, below)


def test_claims_are_kept_and_half_a_band_breaks_them(settings):
    where = settings["equal"]
    kept = tried.try_claims(where, 400, seed=4)
    assert [count.verdict for count in kept.counts] == ["kept"] * 4
    assert [round(count.allowed - kept.extra * (i in (1, 2)), 9) for i, count in enumerate(kept.counts)] == [
        0.1, 0.1, 0.1, 0.2,
    ]  # fmt: skip
    half = {name: getattr(where.band, name) / 2 for name in ("widths", "value_widths")}
    broken = tried.try_claims(dataclasses.replace(where, band=dataclasses.replace(where.band, **half)), 400, seed=4)
    assert broken.counts[0].verdict == "broken"
    assert broken.counts[3].verdict == "broken"


def test_the_price_of_the_repair_is_the_chance_of_one_normal_variable(settings):
    where = settings["unequal"]
    band, r = where.band, where.instance.means
    best = np.argmax(band.region.suprema(r, band.radii) - 2 * band.widths)
    step = band.region.improvement(r, band.radii[best])
    noise = np.random.default_rng(5).normal(size=(200_000, r.size)) / np.sqrt(band.region.precision)
    shrunk = dataclasses.replace(band, widths=band.widths / 3)  # so that it happens often enough to be counted
    best = np.argmax(band.region.suprema(r, band.radii) - 2 * shrunk.widths)
    step = band.region.improvement(r, band.radii[best])
    seen = (noise @ step < -shrunk.widths[best]).mean()
    expected = bounds.repair_probability(shrunk, r)
    assert abs(seen - expected) < 4 * np.sqrt(max(expected, 1e-5) / 200_000)
    assert bounds.repair_probability(band, r) <= 0.1


def test_the_printed_fine_grained_bound_is_refuted_and_the_corrected_one_is_not():
    hidden = tried.hide_a_signal_from_the_printed_bound(seed=6, logs=60)
    failed = (hidden.gaps > hidden.printed).mean()
    assert stats.binom.sf(int(failed * 60) - 1, 60, 0.1) < 1e-6
    assert (hidden.gaps <= hidden.corrected).all()


def test_each_step_of_the_fine_grained_theorem_costs_something():
    found = tried.fine_grained_step_by_step(0.1, seed=7, logs=50)
    assert found["measured"] <= found["simulated band"] <= found["claim 1, corrected"] <= found["claim 2, corrected"]
    assert found["claim 1, printed"] < found["claim 1, corrected"]
    assert found["enough"] >= found["enough promised"]


def test_with_two_arms_trust_is_a_test():
    assert special.trust_and_test_differ_by(4_096, 0.1, seed=8) < 1e-3


def test_two_arm_losses_lie_between_the_lower_bound_and_claim_two():
    made = special.try_two_arms(seed=9, logs=400)
    lower = [bounds.two_arm_lower_bound((8 * m) ** -0.5, m // 2) for m in made.sizes]
    upper = [special.two_arm_upper_bound(m) for m in made.sizes]
    assert (made.worst[:, 0] < upper).all()
    assert (made.worst.min(axis=1) > lower).all()
    assert made.times > 2


def test_the_threshold_is_a_quantile_of_the_absolute_value():
    assert 2 * stats.norm.sf(special.threshold(500, 20)) == pytest.approx(1 / (2 * 20 * 500))


def test_strong_signals_keep_their_bound_and_turn_by_a_cosine(settings):
    made = special.try_strong_signals(settings["equal"].band, seed=10, logs=40)
    assert made.broken.verdict == "kept"
    assert (made.fixed >= made.bound).all()
    cosine = 0.5 / np.sqrt(1 + 4 * made.levels**2)
    assert np.abs(made.fixed - cosine).max() < 0.05  # the direction is turned, not lost
    instance = special.strong_signal(20, 0.05)
    log = instance.sample(np.random.default_rng(11))
    unit = OfflineData(log.means / 0.05, log.counts, 1.0)
    gain = trust(unit, 0.1, settings["equal"].band).weights @ instance.means - 0.5
    assert gain == pytest.approx(made.trust[0], abs=0.02)
