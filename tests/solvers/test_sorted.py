"""The exact solver, against a cone solver, a dual certificate and its own invariances."""

import numpy as np
import pytest
from cone import clarabel_value
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems, size

from trust_helpers import TrustRegion
from trust_helpers.solvers.sorted import nearest_on_face, pull_inside, suprema_of_sorted, without_dust


def supremum(region, x, radius):
    return float(region.suprema(x, [radius])[0])


def dual_value(region, x, radius):
    """The least over lambda of lambda + sqrt(kappa sum p (x - lambda)_+^2), which bounds every feasible mixture.

    Convex in lambda and smooth between arms, so its least value is found by ternary search in exactly rounded sums.
    """
    kappa = radius**2 + 1 / region.precision.sum()

    def bound(lam):
        return lam + np.sqrt(kappa * (region.precision * np.maximum(x - lam, 0) ** 2).sum())

    low, high = x.min() - 1e5 * (np.ptp(x) + 1), x.max()
    for _ in range(160):  # (2/3)^160 of the first interval is far below rounding
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if bound(left) <= bound(right) else (left, high)
    return bound((low + high) / 2) - region.reference @ x


@given(problems())
@settings(max_examples=2000)
def test_agrees_with_clarabel(problem):
    region, x, radius = problem
    ours = region.improvement(x, radius) @ x
    theirs = clarabel_value(region, x, radius)
    assert ours == pytest.approx(theirs, rel=1e-8, abs=1e-8 * size(x))


@given(problems(most_arms=60))
@settings(max_examples=1000)
def test_policy_is_feasible_and_meets_its_dual_bound(problem):
    region, x, radius = problem
    weights = region.policy(x, radius)
    assert weights.min() >= 0
    assert abs(weights.sum() - 1) <= 1e-12
    assert region.norm(weights - region.reference) <= radius * (1 + 1e-12)
    if radius > 0:
        value = (weights - region.reference) @ x
        assert value == pytest.approx(dual_value(region, x, radius), rel=1e-8, abs=1e-9 * size(x))


@given(problems(most_arms=60))
@settings(max_examples=1000)
def test_one_sort_gives_what_single_solves_give(problem):
    region, x, radius = problem
    radii = np.sort(radius * np.array([1.0, 0.5, 0.1, 0.0]))[::-1]
    single = [region.improvement(x, r) @ x for r in radii]
    np.testing.assert_allclose(region.suprema(x, radii), single, rtol=1e-8, atol=1e-9 * size(x))


@pytest.mark.parametrize("gap", [1e-100, 1e-145, 3e-162, 1e-160, 2.4e-203, 5e-324])
@pytest.mark.parametrize("arms", [6, 40])
def test_gaps_whose_squares_underflow_are_ties(gap, arms):
    region, x = TrustRegion(np.ones(arms)), np.zeros(arms)
    x[-2:] = gap, -1
    radii = region.largest_radius * np.array([1.0, 0.5, 0.1, 0.05, 0.01])
    x_tied = np.append(np.zeros(arms - 1), -1.0)
    np.testing.assert_allclose(region.suprema(x, radii), region.suprema(x_tied, radii), rtol=1e-9)
    np.testing.assert_allclose(region.suprema(x, radii), [region.improvement(x, r) @ x for r in radii], rtol=1e-9)


@pytest.mark.parametrize("arms", [1, 2, 7, 8, 9, 63, 64, 65, 1000, 4097])
@pytest.mark.parametrize("equal", [True, False])
def test_blocks_of_arms_do_not_show(arms, equal):
    rng = np.random.default_rng(arms)
    region = TrustRegion(np.full(arms, 4.0) if equal else rng.uniform(0.1, 9, arms))
    x = np.round(rng.normal(size=(3, arms)), 2)
    radii = np.append(region.radii(1.5, 25), 0.0)
    single = [[region.improvement(row, r) @ row for r in radii] for row in x]
    np.testing.assert_allclose(region.suprema(x, radii), single, rtol=1e-10, atol=1e-12)


@given(problems(), st.floats(0.01, 100), st.floats(-100, 100))
def test_scale_and_shift(problem, scale, shift):
    region, x, radius = problem
    base = supremum(region, x, radius)
    tolerance = 1e-8 * size(x)
    assert supremum(region, scale * x, radius) == pytest.approx(scale * base, rel=1e-9, abs=scale * tolerance)
    assert supremum(region, x + shift, radius) == pytest.approx(base, rel=1e-9, abs=tolerance)
    # a unit of reward in which all noise is `scale` times larger
    wider = TrustRegion(region.precision / scale**2)
    assert supremum(wider, scale * x, scale * radius) == pytest.approx(scale * base, rel=1e-9, abs=scale * tolerance)


@given(problems(), st.randoms(use_true_random=False))
def test_permuting_arms_permutes_the_policy(problem, random):
    region, x, radius = problem
    order = list(range(x.size))
    random.shuffle(order)
    permuted = TrustRegion(region.precision[order]).policy(x[order], radius)
    np.testing.assert_allclose(permuted, region.policy(x, radius)[order], rtol=1e-7, atol=1e-9)


@given(problems())
def test_monotone_and_concave_in_the_radius(problem):
    region, x, _ = problem
    radii = np.linspace(1.2 * region.largest_radius, 0, 41)
    value = region.suprema(x, radii)[::-1]
    slack = 1e-9 * size(x)
    assert (np.diff(value) >= -slack).all()
    assert (np.diff(value, 2) <= slack).all()


@given(problems())
def test_the_largest_radius_holds_the_best_arm_and_radius_zero_the_reference(problem):
    region, x, _ = problem
    eps0 = region.largest_radius
    assert supremum(region, x, eps0) == pytest.approx(x.max() - region.reference @ x, abs=1e-9 * size(x))
    np.testing.assert_array_equal(region.improvement(x, 0.0), 0)
    assert supremum(region, x, 0.0) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("share", [1e-9, 1e-6, 0.5, 0.999])
def test_while_no_arm_has_left_the_gain_is_the_radius_times_the_length_of_the_centred_rewards(share):
    # however small the radius: sums of a thousand precisions, in two orders, differ by more than its square
    rng = np.random.default_rng(4)
    region, x = TrustRegion(rng.uniform(0.1, 9, 1000)), rng.normal(size=(5, 1000))
    for row in x - (x @ region.reference)[:, None]:
        length = np.sqrt((region.precision * row**2).sum())
        radius = share * length / region.precision.sum() / -row.min()  # at 1 the first arm leaves
        assert supremum(region, row, radius) == pytest.approx(radius * length, rel=1e-5 if share < 1e-3 else 1e-12)


def test_ties_at_the_top_share_in_proportion_to_their_precision():
    region = TrustRegion([1.0, 3.0, 2.0, 5.0])
    weights = region.policy([2.0, 2.0, 1.0, 0.0], region.largest_radius)
    np.testing.assert_allclose(weights, [0.25, 0.75, 0, 0], atol=1e-15)


def test_many_tied_arms_at_a_radius_that_rounding_overshoots():
    # two groups of tied rewards: the mixture of the upper group alone is reached at radius 1 / sqrt(S), and just before
    # it every weight of the lower group is a rounding error
    region, x = TrustRegion(np.full(2000, 4.0)), 1.0 - 2 * (np.arange(2000) % 2)
    for share in (1 - 1e-12, 1 - 1e-15, 1.0, 1 + 1e-15):
        weights = region.policy(x, share * 0.5 / np.sqrt(2000))
        assert abs(weights.sum() - 1) <= 1e-12
        assert weights @ x == pytest.approx(1, abs=1e-11)


def test_two_arms_by_hand():
    # w = (1/2 + t, 1/2 - t) with 2 t^2 = eps^2, so the gain is 2 t (x1 - x2) / 2 = sqrt(2) eps / 2 per unit of gap.
    region = TrustRegion([1.0, 1.0])
    np.testing.assert_allclose(region.improvement([3.0, 1.0], 0.2), np.array([1, -1]) * 0.2 / np.sqrt(2))


def test_rows_of_a_batch_do_not_see_each_other():
    rng = np.random.default_rng(0)
    gaps = np.sort(rng.exponential(size=(5, 200)), axis=1)
    gaps -= gaps[:, :1]
    radii = np.array([0.5, 0.1, 0.01])
    together, _ = suprema_of_sorted(gaps, None, radii)
    apart = np.concatenate([suprema_of_sorted(row[None], None, radii)[0] for row in gaps])
    np.testing.assert_array_equal(together, apart)


@pytest.mark.parametrize("scale", [5e-324, 1e-212, 1e300])
@pytest.mark.parametrize("reference", [None, [0.3, 0.1, 0.2, 0.2, 0.2]])
def test_rewards_whose_squares_leave_the_range_of_floats(scale, reference):
    region = TrustRegion(np.ones(5), reference=reference)
    for radius in (0.09, 0.3, 0.6):
        expected = region.policy([0.0, 0, 0, 0, 1], radius)
        np.testing.assert_allclose(region.policy([0.0, 0, 0, 0, scale], radius), expected, rtol=1e-14)
        assert region.norm(expected - region.reference) <= radius * (1 + 1e-12)
        if scale < 1:
            assert supremum(region, np.array([0.0, 0, 0, 0, scale]), radius) <= scale


def test_weights_outside_the_ball_are_pulled_onto_it_along_their_face():
    precision = np.array([1.0, 4.0, 2.0, 3.0])
    reference, weights = precision / precision.sum(), np.array([0.7, 0.3, 0.0, 0.0])
    centre = nearest_on_face(weights > 0, reference, precision)
    np.testing.assert_allclose(centre, [0.2, 0.8, 0.0, 0.0])  # in proportion to the precision
    least = np.sqrt(((centre - reference) ** 2 / precision).sum())
    pulled = pull_inside(weights, reference, precision, 1.2 * least)
    assert ((pulled - reference) ** 2 / precision).sum() == pytest.approx((1.2 * least) ** 2)
    assert pulled.sum() == pytest.approx(1)
    np.testing.assert_array_equal(pulled > 0, weights > 0)
    # in a unit of reward in which all noise is ten times larger
    np.testing.assert_allclose(pull_inside(weights, reference, precision / 100, 12 * least), pulled)
    np.testing.assert_array_equal(pull_inside(weights, reference, precision, 2.0), weights)  # inside already


@given(problems())
def test_no_weight_is_made_by_rounding(problem):
    region, x, radius = problem
    weights = region.policy(x, radius)
    share, height = weights / weights.max(), weights / region.precision
    assert not ((weights > 0) & (share < 1e-12) & (height < 1e-12 * height.max())).any()


def test_the_largest_radius_plays_one_arm():
    # found by search: the radius is a rounding short of the corner
    region = TrustRegion(np.full(2, 29.0))
    assert region.policy([0.6, 0.3], region.largest_radius).tolist() == [1, 0]


def test_dust_is_tiny_as_a_share_and_per_precision():
    rare = np.array([1e-13, 1.0])
    np.testing.assert_array_equal(without_dust(rare, rare), rare)  # an arm in proportion to its few samples
    np.testing.assert_array_equal(without_dust(rare, np.ones(2)), [0, 1])
    left = without_dust(np.array([1e-14, 0.25, 0.75]), np.ones(3))
    assert (left[0], left.sum()) == (0, 1)
