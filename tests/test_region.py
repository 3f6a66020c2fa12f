"""Trust regions: their geometry, and every way to ask wrongly."""

import numpy as np
import pytest

from trust_helpers import DataError, TrustError, TrustRegion

REGION = TrustRegion([1.0, 4.0, 2.0])


def test_region_is_a_chi_square_ball_around_the_reference():
    # sum Delta^2 / p = sum w^2 / p - 1 / S
    weights = np.array([0.2, 0.5, 0.3])
    direct = REGION.norm(weights - REGION.reference) ** 2
    assert direct == pytest.approx((weights**2 / REGION.precision).sum() - 1 / 7)


def test_largest_radius_is_the_papers_formula():
    mu, p = REGION.reference, REGION.precision
    paper = [(mu**2 / p).sum() - mu[i] ** 2 / p[i] + (1 - mu[i]) ** 2 / p[i] for i in range(3)]
    assert REGION.largest_radius == pytest.approx(np.sqrt(max(paper)))


def test_reference_has_the_least_variance():
    others = np.random.default_rng(0).dirichlet(np.ones(3), size=1000)
    assert REGION.reference_variance == pytest.approx(1 / 7)
    assert ((others**2 / REGION.precision).sum(axis=1) >= REGION.reference_variance).all()
    another = TrustRegion([1.0, 4.0, 2.0], reference=[0.7, 0.1, 0.2])
    assert another.reference_variance == pytest.approx(0.49 / 1 + 0.01 / 4 + 0.04 / 2)


def test_grid_is_geometric_from_the_largest_radius_down():
    radii = REGION.radii(1.5, 7)
    assert radii[0] == REGION.largest_radius
    np.testing.assert_allclose(radii[:-1] / radii[1:], 1.5)
    assert radii.size == 7
    assert REGION.radii().size == 40


def test_one_arm_has_nothing_to_improve():
    region = TrustRegion([3.0])
    assert region.largest_radius == 0
    np.testing.assert_array_equal(region.radii(size=3), 0)
    np.testing.assert_array_equal(region.policy([7.0], 0.5), [1.0])
    np.testing.assert_array_equal(region.suprema([7.0], [1.0, 0.0]), 0)


def test_batches_have_the_shape_of_their_rows():
    x = np.arange(12.0).reshape(4, 3)
    assert REGION.suprema(x, [0.2, 0.1]).shape == (4, 2)
    assert REGION.suprema(x[0], [0.2, 0.1]).shape == (2,)
    assert REGION.suprema(x[:0], [0.2, 0.1]).shape == (0, 2)


def test_regions_compare_by_design():
    assert TrustRegion([1.0, 4.0, 2.0]) == REGION
    assert hash(TrustRegion([1.0, 4.0, 2.0])) == hash(REGION)
    assert TrustRegion([1.0, 4.0, 2.1]) != REGION
    assert TrustRegion([1.0, 4.0, 2.0], reference=[1, 0, 0]) != REGION


BAD = {
    "precision of arm 1 is 0": lambda: TrustRegion([1.0, 0.0]),
    "precision of arm 0 is nan": lambda: TrustRegion([np.nan, 1.0]),
    "precision must be a vector": lambda: TrustRegion([[1.0, 2.0]]),
    "reference has 2 entries but there are 3 arms": lambda: TrustRegion([1.0, 1, 1], reference=[0.5, 0.5]),
    "reference sums to 0.9": lambda: TrustRegion([1.0, 1], reference=[0.5, 0.4]),
    "reference of arm 0 is -0.5": lambda: TrustRegion([1.0, 1], reference=[-0.5, 1.5]),
    "decay is 1: it must be larger than 1": lambda: REGION.radii(decay=1.0),
    "decay is 0.5": lambda: REGION.radii(decay=0.5),
    "decay is nan": lambda: REGION.radii(decay=np.nan),
    "size is 0: it must be at least 1": lambda: REGION.radii(size=0),
    "size is 2.5: it must be a whole number": lambda: REGION.radii(size=2.5),
    "radius -0.1 is negative": lambda: REGION.suprema([1.0, 2, 3], [0.1, -0.1]),
    "radius -1 is negative": lambda: REGION.improvement([1.0, 2, 3], -1),
    "sorted, largest first: 0.2 follows 0.1": lambda: REGION.suprema([1.0, 2, 3], [0.1, 0.2]),
    "radii must be a vector of at least one finite number": lambda: REGION.suprema([1.0, 2, 3], []),
    "at least one finite": lambda: REGION.suprema([1.0, 2, 3], [np.nan]),
    "radii must be numbers": lambda: REGION.suprema([1.0, 2, 3], ["wide"]),
    "x of arm 2 is nan": lambda: REGION.improvement([1.0, 2, np.nan], 0.1),
    "x of arm 1 in row 1 is inf": lambda: REGION.suprema([[1.0, 2, 3], [1, np.inf, 3]], [0.1]),
    "x has 2 entries but there are 3 arms": lambda: REGION.improvement([1.0, 2], 0.1),
    "x has shape (2, 2) but there are 3 arms": lambda: REGION.suprema([[1.0, 2], [1, 2]], [0.1]),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_questions_are_refused_by_name(message):
    design = message.startswith(("precision", "reference", "x "))
    with pytest.raises(DataError if design else TrustError) as caught:
        BAD[message]()
    assert message in str(caught.value)


@pytest.mark.parametrize(("off", "centred"), [(0.95e-12, True), (1.05e-12, False)])
def test_a_reference_may_be_off_by_rounding_and_no_more(off, centred):
    assert TrustRegion([1.0, 1.0], reference=[0.5 * (1 + off), 0.5 * (1 - off)]).centred == centred
