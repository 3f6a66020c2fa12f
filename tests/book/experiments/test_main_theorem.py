"""The main theorem tried: what is reported is checked against direct computation, and refuters are found."""

import dataclasses

import numpy as np
import pytest

from trust_helpers import bounds
from trust_helpers.book.experiments import main_theorem as tried


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


def test_the_steps_of_the_table_are_those_of_the_proof(settings):
    made = tried.proof_on_one_log(settings["unequal"], seed=2, size=200)
    event, a, b, c = (row["found"] for row in tried.proof_step_by_step(made))
    assert (event, b) == (made.noise, 0)
    assert made.peaks.max() + a == pytest.approx(made.gain)
    assert (made.rival + c <= made.objective + 1e-12).all()
    assert np.isclose(made.rival + c, made.objective).any()


def test_counts_are_named_after_claim_and_design(settings):
    claims = {name: tried.try_claims(where, 50, seed=4) for name, where in settings.items()}
    counts = tried.counts_of_all_designs(claims)
    assert [one.name for one in counts][3:5] == ["claim 3, equal", "event, unequal"]
    assert [one.broken for one in counts] == [one.broken for its in claims.values() for one in its.counts]


def test_claim_2_allows_more_than_happens_and_claim_1_promises_no_more_than_is_gained(settings):
    claims = {name: tried.try_claims(where, 50, seed=4) for name, where in settings.items()}
    rows = {row.pop(""): row for row in tried.how_generous_the_claims_are(settings, claims)}
    for name, where in settings.items():
        assert rows["its mean gap"][name] < rows["claim 2: allowed gap to the best arm"][name]
        assert rows["claim 1: improvement promised"][name] == claims[name].promised
        p, r = where.band.region.precision, where.instance.means
        ratio = np.sqrt(np.average((r - np.average(r, weights=p)) ** 2, weights=p) * p.mean())
        assert rows["signal to noise per arm"][name] == pytest.approx(ratio)
