"""The report on a log: what it says, for people and for machines."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from trust_helpers import (
    Decision,
    OfflineData,
    TrustError,
    band,
    band_for,
    behaviour_cloning,
    combined,
    greedy,
    instances,
    lcb,
    outperform,
    report,
    split,
    stein_estimate,
    trust,
)
from trust_helpers.combined import shares_for
from trust_helpers.formatting import rounded_down


@pytest.fixture(scope="module")
def data():
    made = instances.data_starved(200).sample(np.random.default_rng(3))
    return OfflineData(made.means, made.counts, made.sigma, [f"arm {i}" for i in range(200)])


@pytest.fixture(scope="module")
def made(data):
    return report(data, 0.1, "calibrated", seed=4)


def test_it_is_what_the_library_decides(data, made):
    expected = [
        greedy(data),
        lcb(data),
        behaviour_cloning(data),
        trust(data, 0.1, "calibrated", seed=4),
        combined(data, 0.1, seed=4),
    ]
    for one, other in zip(made.decisions, expected, strict=True):
        np.testing.assert_array_equal(one.weights, other.weights)
        assert (one.estimate, one.lower_bound) == (other.estimate, other.lower_bound)
    assert made.stein == stein_estimate(data.region, data.means, made.mixture.radius)


def test_the_json_has_the_numbers_of_the_report(made):
    content = json.loads(json.dumps(made.to_dict(3), allow_nan=False))
    took_part = (*made.decisions[:-1], made.split, made.recommended)
    assert [m["method"] for m in content["methods"]] == [one.method for one in took_part]
    assert content["methods"][0]["lower_bound"] is None
    assert content["methods"][3]["lower_bound"] == made.mixture.lower_bound
    assert content["band"] == {"method": "calibrated", "draws": 2000, "seed": 4}
    assert content["radius"]["critical"] == made.mixture.radius
    assert len(content["top"]) == 3
    weights = [one["weight"] for one in content["top"]]
    assert weights == sorted(made.recommended.weights, reverse=True)[:3]


def test_the_text_shows_every_method_and_the_heaviest_arms(made):
    text = made.summary(4)
    for one in made.decisions[:-1]:
        assert one.method in text
        assert re.search(rf"^.*{one.method}.* +{one.support:,} +{one.estimate:.4g} ", text, re.MULTILINE)
    heaviest = made.data.names[int(made.recommended.weights.argmax())]
    assert f"\n{heaviest} " in text
    assert f"and {made.recommended.support - 4:,} more" in text
    assert "200 arms, 200 tries (1 each)." in text


def test_one_arm_leaves_nothing_to_choose():
    made = report(OfflineData([2.0], [4], 1.0))
    assert "there is one arm, so there is nothing to choose" in made.summary().lower()
    assert "1 arm, 4 tries" in made.summary()


def test_recommends_lcb_when_one_arm_stands_out():
    data = OfflineData(np.where(np.arange(50) == 0, 5.0, 0.0), np.full(50, 100), 1.0)
    made = report(data, band="paper")
    assert made.recommended.method == "combined (LCB)"
    assert made.why == "this one arm has the highest promise; no mixture that was tried promises more"


def test_an_arm_that_does_not_stand_out_is_not_said_to():
    """Where a split chose it, another arm may have the higher mean."""
    made = report(OfflineData.from_samples(["a", "a", "b"], [1, 0, 1], "range:0:1"))
    chosen = Decision(np.array([1.0, 0.0]), 0.5, 0.6, 0.9, "combined (split)")
    alone = replace(made, decisions=(*made.decisions[:-1], chosen))
    assert alone.why == "this one arm has the highest promise; no mixture that was tried promises more"


def test_stays_near_the_logging_policy_when_nothing_stands_out():
    rng = np.random.default_rng(0)
    data = OfflineData(rng.normal(0, 1 / np.sqrt(50), 40), np.full(40, 50), 1.0)
    made = report(data, band="paper")
    assert "combined (TRUST)" in made.recommended.method
    np.testing.assert_allclose(made.recommended.weights, 1 / 40, rtol=0.02)


def test_the_recommended_promise_costs_no_more_than_its_share(made):
    # TRUST alone has all of delta and one radius; the joint promise has a share and every radius, a split has another
    assert made.recommended.confidence == made.mixture.confidence
    assert made.recommended.lower_bound >= made.mixture.lower_bound - 0.05


def test_nothing_but_a_deviation_known_leaves_trust_out():
    made = report(OfflineData([0.4, 0.6], [50, 50], "sd:0.5"))
    assert made.mixture is None
    assert "standard deviation of at most 0.5" in made.assumes
    assert made.to_dict()["band"] is None


def test_stein_is_left_out_where_it_does_not_exist():
    made = report(OfflineData([5.0, 0.0], [400, 400], 1.0))
    assert made.stein is None
    assert made.to_dict()["stein"] is None
    assert "Stein" not in made.summary()


@pytest.fixture
def few_draws(monkeypatch):
    """Around a reference that was given each draw is a search at each radius: fewer draws."""
    monkeypatch.setattr(band, "CALIBRATED_DRAWS", 300)


def test_a_reference_policy_given_with_the_log_is_the_reports(few_draws):
    rng = np.random.default_rng(0)
    nu = np.linspace(1, 3, 40) / np.linspace(1, 3, 40).sum()
    log = OfflineData(rng.normal(np.repeat([0.0, 1.0], 20), 0.35), np.full(40, 2), 0.5, reference=nu)
    made = report(log, 0.2, seed=1)
    mixture = trust(log, 0.2, seed=1)
    assert mixture.band.draws == 300
    np.testing.assert_allclose(mixture.band.region.reference, nu, rtol=1e-15)
    assert log.region.norm(mixture.weights - nu) <= mixture.radius * (1 + 1e-12)
    (shown,) = (one for one in made.decisions if one.method == "TRUST")
    np.testing.assert_array_equal(shown.weights, mixture.weights)
    assert shown.lower_bound == mixture.lower_bound
    usual = trust(OfflineData(log.means, log.counts, 0.5), 0.2, seed=1)
    assert abs(usual.weights - mixture.weights).max() > 0.01


def test_staying_with_a_reference_that_was_given_is_not_called_the_logs_proportions(few_draws):
    nu = np.linspace(1, 3, 40) / np.linspace(1, 3, 40).sum()
    made = report(OfflineData(np.zeros(40), np.full(40, 2), 0.5, reference=nu), 0.2, seed=1)
    chosen = made.recommended.method
    assert ("reference that was given" in made.why) == ("reference" in chosen)
    given = replace(made, decisions=(replace(made.recommended, method="combined (reference policy)"),))
    assert given.why.endswith("stays with the reference that was given")


def test_ten_arms_are_listed_unless_said(made):
    for shown, many in ((made.summary, 10), (made.to_markdown, 10), (made.to_html, 25)):
        assert shown() == shown(many) != shown(many + 1)
    assert made.to_dict() == made.to_dict(10) != made.to_dict(11)


@pytest.mark.parametrize("band", ["foo", "Paper", "", 1, band_for(OfflineData([0.1, 0.9], [4, 4], 0.5))])
def test_a_band_that_is_not_known_is_refused_before_any_work(data, band):
    with pytest.raises(TrustError, match=r"^band is .*: it must be 'paper' or 'calibrated'$"):
        report(data, band=band)


def test_rounding_does_not_make_a_mixture_of_one_arm():
    made = report(OfflineData([3, 5], [10, 10], 1.0, reference=[1, 0]))
    assert made.recommended.weights.tolist() == made.mixture.weights.tolist() == [0, 1]
    assert "Use the arm 1: a mean reward" in made.summary()
    assert made.why.startswith("this one arm has the highest promise")


def test_against_a_baseline_the_advice_is_what_is_promised_to_be_better_or_to_stay():
    log = OfflineData.from_counts([60, 20, 90], [100, 100, 100], ["a", "b", "c"])
    made = report(log, baseline="a")
    expected = outperform(log, "a")
    assert made.gain.lower_bound == expected.lower_bound > 0.1
    np.testing.assert_array_equal(made.advised.weights, expected.weights)
    assert (
        made.summary().count(
            f"at least {rounded_down(100 * expected.lower_bound)} percentage points more reward, nine times in ten"
        )
        == 1
    )
    assert made.to_dict()["gain"]["baseline"] == "a"
    best = report(log, baseline="c")
    assert best.gain.lower_bound <= 0
    assert best.advised.weights.tolist() == [0, 0, 1]
    assert "Stay with c" in best.to_html()
    with pytest.raises(TrustError, match="there is no arm 'd'"):
        report(log, baseline="d")


def test_the_split_that_took_part_is_that_of_its_share(made):
    share = shares_for(made.data).split
    assert made.split.lower_bound == split(made.data, 0.1 * share, seed=4).lower_bound
