"""Chapter 4's experiments: what they find agrees with closed forms, and a wrong rank is found out."""

import numpy as np
import pytest

from trust_helpers import instances
from trust_helpers.book.experiments.radius import (
    FlatTop,
    decay_rows,
    flat_top,
    radii_within,
)
from trust_helpers.quantiles import draws_for


@pytest.fixture(scope="module")
def top():
    return flat_top(instances.data_starved(200), 0.1, 0.1, logs=10, seed=3)


def test_the_zoom_stays_inside_the_simplex_and_holds_its_centre(top):
    assert top.share.max() <= 1 + 1e-12
    assert np.isclose(top.share, 0.1).any()
    assert np.allclose(top.share[:-1] / top.share[1:], 1.05)


def test_guarantee_and_truth_are_read_off_between_radii(top):
    here = top.at(float(top.share[5]))
    assert here == pytest.approx((top.guarantee[5], top.truth[5]))
    low, high = top.flat
    assert low <= top.best <= high
    assert top.at(top.best)[0] == pytest.approx(top.guarantee.max())


def test_a_grid_chooses_the_best_of_its_own_radii():
    share = 1.05 ** -np.arange(40.0)
    peak = FlatTop(share, -((np.log(share) - np.log(0.5)) ** 2), share)
    assert peak.best == pytest.approx(0.5, rel=0.03)
    assert peak.chosen(2.0) == pytest.approx(0.5)
    assert peak.chosen(1.5) == pytest.approx(1.5**-2)  # the nearest of 1, 2/3, 4/9 ... to one half, in the logarithm


def test_each_decay_has_the_radius_it_chooses_and_what_is_there():
    share = 1.05 ** -np.arange(40.0)
    peak = FlatTop(share, -((np.log(share) - np.log(0.5)) ** 2), share)
    two, fine = decay_rows(peak, (2.0, 1.5), 0.1, smallest=2.0**-9)
    assert (two["decay"], two["radii"], two["draws"]) == ("2.00", 10, draws_for(0.1, 10))
    assert (two["chosen radius"], two["true value"]) == ("0.5000", pytest.approx(0.5, abs=1e-3))
    assert fine["chosen radius"] == "0.4444"
    assert fine["radii"] == radii_within(2.0**-9, 1.5) == 16
    assert fine["guaranteed"] < two["guaranteed"] <= 0
