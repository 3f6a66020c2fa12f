"""The best promise of several, and the paper's combination of LCB and TRUST."""

import numpy as np
import pytest

from trust_helpers import OfflineData, TrustError, combined, draws_for, instances, lcb, paper_band, trust
from trust_helpers.combination import shares_for


@pytest.fixture(scope="module")
def data():
    return instances.data_starved(300).sample(np.random.default_rng(1))


@pytest.fixture(scope="module")
def band(data):
    return paper_band(data.region, data.region.radii(), 0.1, draws_for(0.1, 40), seed=3)


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


@pytest.mark.parametrize("sigma", [0.5, "range:0:1", "sd:0.5"])
@pytest.mark.parametrize("pulls", [1, 3])
def test_the_shares_add_up_and_do_not_look_at_rewards(sigma, pulls):
    one, other = (OfflineData(means, np.full(3, pulls), sigma) for means in ([0.1, 0.2, 0.3], [0.9, 0.0, 0.5]))
    shares = shares_for(one)
    assert shares == shares_for(other)
    assert sum(vars(shares).values()) == pytest.approx(1)


def test_one_confidence_for_the_best_of_all_promises(data):
    made = combined(data, 0.1)
    assert made.confidence == 0.9
    assert made.lower_bound > lcb(data, 0.1).lower_bound
    with pytest.raises(TrustError, match="band is 'papper'"):
        combined(data, 0.1, "papper")
    with pytest.raises(TrustError, match=r"delta is 1\.5"):
        combined(data, 1.5)
