"""Methods on many fresh logs: the same logs for all, one band, shares with their error."""

import numpy as np
import pytest

from trust_helpers import band_for, greedy, instances, lcb, trust
from trust_helpers.errors import TrustError
from trust_helpers.trials import METHODS, Played, binomial_error, play, share

PROBLEM = instances.general(30)


def band_of(instance, pulls=1, delta=0.2):
    region = instance.sample(np.random.default_rng(0), pulls).region
    return band_for(region, delta, radii=region.radii(1.5, 8), draws=200)


def test_a_share_has_the_binomial_error():
    found = share([True] * 30 + [False] * 70)
    assert found == pytest.approx((0.3, np.sqrt(0.3 * 0.7 / 100)))
    assert found.error == binomial_error(0.3, 100)
    assert str(found) == "30.0 \u00b1 4.6 %"
    with pytest.raises(TrustError, match="at least one trial"):
        share([])


def test_shares_vary_by_their_binomial_error():
    seen = np.random.default_rng(0).binomial(400, 0.1, 20_000) / 400
    # the deviation of 20,000 shares is known to about one in two hundred
    assert seen.std() == pytest.approx(binomial_error(0.1, 400), rel=0.02)


def test_every_entry_is_what_the_method_does_on_its_log():
    band = band_of(PROBLEM)
    made = play(PROBLEM, METHODS, 3, seed=4, band=band)
    streams = np.random.SeedSequence(4).spawn(3)
    for i, stream in enumerate(streams):
        log = PROBLEM.sample(np.random.default_rng(stream))
        mixture = trust(log, 0.2, band)
        assert made["trust"].value[i] == PROBLEM.value(mixture.weights)
        assert made["trust"].bound[i] == pytest.approx(mixture.lower_bound, abs=1e-12)
        assert made["trust"].radius[i] == mixture.radius
        assert made["lcb"].bound[i] == lcb(log, 0.2, "paper").lower_bound
        assert made["exact_lcb"].bound[i] == lcb(log, 0.2).lower_bound
        assert made["greedy"].value[i] == PROBLEM.value(greedy(log).weights)
    assert np.isnan(made["lcb"].radius).all()
    assert (made["greedy"].bound == -np.inf).all()


def test_logs_held_a_few_at_a_time_are_the_same_logs(monkeypatch):
    whole = play(PROBLEM, ["trust", "lcb"], 7, seed=3, band=band_of(PROBLEM))
    monkeypatch.setattr("trust_helpers.trials.NUMBERS", 2 * PROBLEM.n_arms)
    parts = play(PROBLEM, ["trust", "lcb"], 7, seed=3, band=band_of(PROBLEM))
    for name in whole:
        assert np.array_equal(whole[name].value, parts[name].value)
        assert np.allclose(whole[name].bound, parts[name].bound, atol=1e-12)


def test_a_band_of_another_design_or_level_is_refused():
    band = band_of(PROBLEM)
    with pytest.raises(TrustError, match="design"):
        play(PROBLEM, ["trust"], 1, seed=0, band=band, pulls=2)
    with pytest.raises(TrustError, match=r"delta is 0\.1 but the band"):
        play(PROBLEM, ["trust"], 1, seed=0, band=band, delta=0.1)


def test_a_longer_trial_begins_with_the_shorter_one():
    short, long = (play(PROBLEM, ["lcb"], n, seed=1)["lcb"].value for n in (5, 9))
    assert np.array_equal(short, long[:5])


def test_a_band_brings_its_counts_and_its_delta():
    counts = np.arange(1, 31)
    made = play(PROBLEM, ["trust", "lcb"], 4, seed=2, band=band_of(PROBLEM, counts, 0.3))
    log = PROBLEM.sample(np.random.default_rng(np.random.SeedSequence(2).spawn(1)[0]), counts)
    assert made["lcb"].bound[0] == lcb(log, 0.3, "paper").lower_bound


def test_own_methods_and_missed_promises():
    def boastful(log):
        made = lcb(log, 0.1)
        return type(made)(made.weights, made.estimate, 2.0, made.confidence, "boastful")

    made = play(PROBLEM, {"boastful": boastful, "modest": lcb}, 10, seed=0)
    assert made["boastful"].missed == (1.0, 0.0)
    assert made["modest"].missed.value <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / 10)


def test_a_band_is_made_when_none_is_given():
    made = play(instances.general(6), ["trust"], 2, seed=0, delta=0.2, band="calibrated")
    again = play(instances.general(6), ["trust"], 2, seed=0, delta=0.2, band="calibrated")
    assert np.array_equal(made["trust"].bound, again["trust"].bound)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"methods": ["ucb"], "replications": 1}, "no method 'ucb': it must be one of greedy, behaviour"),
        ({"methods": ["lcb"], "replications": 0}, "replications"),
        ({"methods": ["lcb"], "replications": 1, "delta": 1.5}, "delta"),
    ],
)
def test_bad_input_is_named(asked, message):
    with pytest.raises(TrustError, match=message):
        play(PROBLEM, seed=0, **asked)


def test_a_promise_that_is_over_by_rounding_is_kept():
    value = np.zeros(3)
    assert Played(value, np.array([1e-12, 0.0, -1.0]), value).missed.value == 0
    assert Played(value, np.array([1.1e-12, 0.0, -1.0]), value).missed.value == pytest.approx(1 / 3)
