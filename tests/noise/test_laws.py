"""What each law says of itself: its draws, its bounds, its sentence, and how it is said."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy import stats

from trust_helpers import (
    Bounded,
    DataError,
    Gaussian,
    OfflineData,
    Pooled,
    StandardDeviation,
    TrustError,
    TrustRegion,
    band_for,
    behaviour_cloning,
    calibrated_band,
    lcb,
    paper_band,
    split,
    trust,
)
from trust_helpers.noise import level_column, read_noise
from trust_helpers.noise.base import Design, normal_sampler
from trust_helpers.simulation import noise_draws


def design(kind):
    if kind == "equal":
        return OfflineData(np.zeros(300), np.full(300, 3), 0.7)
    rng = np.random.default_rng(0)
    return OfflineData(np.zeros(300), rng.integers(1, 9, 300), rng.uniform(0.3, 1, 300))


# made by the draws of version 0.1 on arms sorted by precision, in which order all arms are drawn since 0.3: the first
# and a middle width, the last value width, and the sum of the widths
FIRST_EDITION = [
    ("equal", paper_band, (2.007910898844526, 0.20692898161785964, 0.04835645211153403, 20.90822999605875)),
    ("equal", calibrated_band, (1.3903711698342027, 0.1919433441626857, 0.0425009889151959, 17.358933672687385)),
    ("unequal", paper_band, (3.6937096378271126, 0.4251823553110302, 0.04276729139639588, 38.22029642631729)),
    ("unequal", calibrated_band, (2.4447189088973085, 0.39399117812051687, 0.039768289707574914, 29.47713183178533)),
]


@pytest.mark.parametrize(("kind", "make", "numbers"), FIRST_EDITION)
def test_gaussian_bands_are_drawn_as_in_version_0_1(kind, make, numbers):
    # the last bits differ between processors, whose sums are taken in different orders
    region = design(kind).region
    band = make(region, region.radii(), 0.2, 3_000, seed=5)
    found = (band.widths[0], band.widths[20], band.value_widths[39], band.widths.sum())
    np.testing.assert_allclose(found, numbers, rtol=1e-12)


@pytest.mark.parametrize("method", ["paper", "calibrated"])
@pytest.mark.parametrize("kind", ["equal", "unequal"])
def test_a_logs_law_and_its_precisions_give_the_same_band_bit_for_bit(kind, method):
    data = design(kind)
    ours, theirs = (band_for(one, 0.2, method, seed=5, draws=3_000) for one in (data, data.region))
    assert ours.widths.tobytes() == theirs.widths.tobytes()
    assert ours.value_widths.tobytes() == theirs.value_widths.tobytes()


@dataclass(frozen=True)
class Centred:
    """Exponential noise: nothing symmetric about it."""

    exact: ClassVar[bool] = True
    symmetric: ClassVar[bool] = False
    uniform: ClassVar[bool] = True

    def deviations(self, counts):
        return np.ones(counts.size)

    def sampler(self, counts):
        def fill(rng, out):
            rng.standard_exponential(out=out)
            out -= 1
            return 1.0

        return fill


@pytest.mark.parametrize("precision", [np.ones(60), np.linspace(0.5, 2, 60)], ids=["equal", "unequal"])
def test_noise_need_not_be_symmetric(precision):
    region = TrustRegion(precision)
    radii = region.radii(3.0, 4)
    made = noise_draws(region, Design(np.ones(60, int), Centred()), radii, 1_500, seed=1)
    noise = np.random.default_rng(2).exponential(size=(1_500, 60)) - 1
    direct, mirrored = region.suprema(noise, radii), region.suprema(-noise, radii)
    for k in range(radii.size):
        assert stats.ks_2samp(made.suprema[:, k], direct[:, k]).pvalue > 1e-4
    assert stats.ks_2samp(made.suprema[:, 0], mirrored[:, 0]).pvalue < 1e-20  # what sorting minus the noise would give
    assert stats.ks_2samp(made.reference, noise @ region.reference).pvalue > 1e-4
    assert stats.ks_2samp(made.arms, noise.max(axis=1)).pvalue > 1e-4


@pytest.mark.parametrize(
    "counts", [np.full(50, 2), np.random.default_rng(1).integers(1, 9, 50)], ids=["equal", "mixed"]
)
def test_bounded_noise_is_drawn_from_the_dominating_normal_law(counts):
    data = OfflineData(np.full(50, 0.5), counts, "range:0:2")
    made = noise_draws(data.region, data.design, data.region.radii(3.0, 3), 2_000, seed=1)
    noise = np.random.default_rng(2).normal(size=(2_000, 50)) * data.design.deviations
    for k, column in enumerate(data.region.suprema(noise, data.region.radii(3.0, 3)).T):
        assert stats.ks_2samp(made.suprema[:, k], column).pvalue > 1e-4
    assert stats.ks_2samp(made.reference, noise @ data.region.reference).pvalue > 1e-4
    assert stats.kstest(made.arms, stats.norm(0, 1).cdf).pvalue < 1e-4  # it is the largest of fifty
    assert np.median(made.arms) == pytest.approx(stats.norm.ppf(0.5 ** (1 / 50)), abs=0.05)


@pytest.mark.parametrize(
    ("deviations", "unit"), [([0.5], 0.5), ([0.5, 0.5], 0.5), ([1.0, 2.0], 1), ([3.0, 0.5, 3.0], 1)]
)
def test_normal_rows_come_in_the_unit_that_arms_share_or_scaled(deviations, unit):
    rows = np.empty((4, len(deviations)))
    assert normal_sampler(np.array(deviations))(np.random.default_rng(3), rows) == unit
    np.testing.assert_allclose(unit * rows, np.random.default_rng(3).standard_normal(rows.shape) * deviations)


@pytest.mark.parametrize(
    ("law", "factor"),
    [
        (Gaussian(2.0), stats.norm.isf(0.05)),
        (Pooled(2.0, 4), stats.t.isf(0.05, 4)),
        (StandardDeviation(2.0), np.sqrt(19)),
    ],
    ids=["gaussian", "pooled", "sd"],
)
def test_bounds_of_fixed_mixtures_and_arms_are_so_many_deviations_wide(law, factor):
    data = OfflineData([1.0, 2.0], [4, 16], law)
    weights = np.array([0.25, 0.75])
    width = 2 * np.sqrt(0.25**2 / 4 + 0.75**2 / 16)
    assert law.mixture_bound(data, weights, 0.05) == pytest.approx(1.75 - factor * width)
    np.testing.assert_allclose(law.arm_bounds(data, 0.05), [1 - factor, 2 - factor / 2])


def test_cloning_and_lcb_of_clicks_are_clopper_and_pearsons():
    cloned = behaviour_cloning(OfflineData.from_counts([3, 0, 9], [100, 100, 200]), 0.1)
    assert cloned.lower_bound == pytest.approx(stats.beta.ppf(0.1, 12, 389))  # of all clicks
    best = lcb(OfflineData.from_counts([3, 0, 90], [100, 100, 200]), 1 - 0.9**3)
    assert best.lower_bound == pytest.approx(stats.beta.ppf(0.1, 90, 111))  # of each arm's


def test_bounds_of_bounded_rewards_never_fall_below_the_range():
    data = OfflineData([1.2, 1.0], [1, 1], "range:1:5")
    assert behaviour_cloning(data).lower_bound == lcb(data).lower_bound == 1


@pytest.mark.parametrize(
    ("said", "law"),
    [
        ("range:0:1", Bounded(0.0, 1.0)),
        (" range:-1:2.5 ", Bounded(-1.0, 2.5)),
        ("sd:3", StandardDeviation(3.0)),
        (Pooled(1.0, 3), Pooled(1.0, 3)),
    ],
)
def test_laws_are_said_by_text_or_given(said, law):
    assert read_noise(said, 2) == law


@pytest.mark.parametrize(
    "said",
    [
        *("", "sd", "sd:", "sd:x", "sd:1:2", "sd:1:x", "level:1", "level:1:2", "pooled:1", "1:2"),
        *("range", "range:1", "range:1:x", "range:1:2:3", "range:1:2:x"),
    ],
)
def test_a_law_that_is_half_said_or_said_too_much_is_refused(said):
    with pytest.raises(TrustError, match=f"^sigma is {said!r}: it must be a number, 'pooled', 'range:LO:HI', 'sd:S'"):
        read_noise(said, 2)


def test_a_law_that_needs_what_is_not_there_is_refused():
    with pytest.raises(DataError, match=r"^sigma cannot be pooled without samples"):
        read_noise(" pooled ", 2)
    assert read_noise("pooled", 2, pooled=lambda: Pooled(2.0, 7)) == Pooled(2.0, 7)
    with pytest.raises(TrustError, match="'column:s': it needs a table that has this column"):
        read_noise("column:s", 2)
    with pytest.raises(DataError, match=r"^sigma has no entry for arm 'b'"):
        read_noise({"a": 1.0}, 2, ["a", "b"])


@pytest.mark.parametrize(
    ("said", "column"), [(" column:s ", "s"), ("column: s", " s"), ("sd:1", None), ("a column:s", None), (1.0, None)]
)
def test_a_column_of_levels_is_said_by_its_name(said, column):
    assert level_column(said) == column
    with pytest.raises(TrustError, match="needs the name of a column"):
        level_column(" column: ")


@pytest.mark.parametrize("said", [[1.0, 2.0], {"b": 2.0, "a": 1.0}, {1: 2.0, 0: 1.0}])
def test_numbers_are_gaussian(said):
    names = ["a", "b"] if "a" in said else None  # arms without names are 0, 1
    np.testing.assert_array_equal(read_noise(said, 2, names).levels(2), [1, 2])
    np.testing.assert_array_equal(read_noise("0.5", 2, names).levels(2), [0.5, 0.5])


def test_every_sentence_speaks_of_counts_that_do_not_depend_on_rewards():
    for law in (Gaussian(0.5), Pooled(1.0, 3), Bounded(0.0, 1.0), StandardDeviation(1.0)):
        assert "dropping arms after failures" in law.assumes
        assert "independent" in law.assumes


def means(law):
    return OfflineData([0.5, 0.5], [9, 9], law)


NO_SAMPLES = "nothing can be split: the log holds means and counts alone"
REFUSED = [
    (lambda: split(means("range:0:1")), DataError, NO_SAMPLES),
    (lambda: split(means("sd:0.5")), DataError, NO_SAMPLES),
    (lambda: split(means(Pooled(0.5, 9))), DataError, NO_SAMPLES),
    (lambda: band_for(means("range:0:1"), kind="paper"), TrustError, "ask for 'calibrated'.*bounded"),
    (lambda: band_for(means(Pooled(1.0, 5)), kind="paper"), TrustError, "ask for 'calibrated'.*estimated"),
    (lambda: trust(means("sd:1"), band="paper"), TrustError, "use split, behaviour_cloning or combined"),
    (lambda: trust(means("sd:1"), band="calibrated"), TrustError, "use split, behaviour_cloning or combined"),
    (lambda: trust(means("range:0:1"), 0.1, band_for(means(0.5))), DataError, "another design"),
]


@pytest.mark.parametrize(("ask", "error", "message"), REFUSED)
def test_what_a_law_does_not_support_is_refused(ask, error, message):
    np.testing.assert_array_equal(means("range:0:1").precision, means(0.5).precision)  # and yet another design
    with pytest.raises(error, match=message):
        ask()


def test_a_law_keeps_no_array_of_its_callers():
    level = np.array([1.0, 2.0])
    data = OfflineData([1.0, 2.0], [3, 4], Gaussian(level))
    single = [Gaussian(level[:1].reshape(())), Pooled(level[:1], 3), StandardDeviation(level[:1])]
    level[:] = 100
    assert data.sigma.tolist() == [1.0, 2.0]
    assert [law.levels(1).tolist() for law in single] == [[1.0]] * 3
    with pytest.raises(ValueError, match="read-only"):
        data.law.sigma[0] = 3


@pytest.mark.parametrize("level", [-1, 0, np.nan, [1.0, 0.0], [], [[1.0]]])
def test_a_law_without_a_level_is_refused_when_it_is_made(level):
    with pytest.raises(DataError, match=r"^sigma"):
        Gaussian(level)
