"""Each quick way through a batch finds the suprema of the noise that its stream holds."""

import numpy as np
import pytest

from trust_helpers import TrustRegion, noise_rows
from trust_helpers.laws.gaussian import gaussian_design
from trust_helpers.noise_rows import NoiseDraws, draw_batch

PRECISION = {"equal": np.full(50, 4.0), "unequal": np.geomspace(0.1, 10, 50)}


@pytest.mark.parametrize("rows", [1, 7, 48])
@pytest.mark.parametrize("kind", PRECISION)
def test_suprema_are_those_of_the_streams_own_noise(kind, rows, monkeypatch):
    monkeypatch.setattr(noise_rows, "ROWS", rows)
    region = TrustRegion(PRECISION[kind])
    radii, design = region.radii(2.0, 6), gaussian_design(region.precision)
    made = draw_batch(region, design, radii, 20, np.random.default_rng(5))
    # rows hold minus the noise, whose law is the same
    noise = -np.random.default_rng(5).standard_normal((20, 50)) * design.deviations
    tolerance = {"rtol": 1e-8, "atol": 1e-10}  # the arm's number rides in the last bits
    np.testing.assert_allclose(made.suprema, region.suprema(noise, radii), **tolerance)
    np.testing.assert_allclose(made.reference, noise @ region.reference, **tolerance)
    np.testing.assert_allclose(made.arms, (noise / design.deviations).max(axis=1), **tolerance)


def test_around_another_reference_every_draw_is_solved():
    precision = PRECISION["unequal"]
    region = TrustRegion(precision, reference=np.full(50, 0.02))
    radii, design = region.radii(2.0, 4), gaussian_design(precision)
    made = draw_batch(region, design, radii, 5, np.random.default_rng(5))
    noise = np.random.default_rng(5).standard_normal((5, 50)) * design.deviations
    np.testing.assert_allclose(made.suprema, region.suprema(noise, radii))
    np.testing.assert_allclose(made.reference, noise.mean(axis=1))


def test_one_arm_has_its_own_noise_and_nowhere_to_go():
    region = TrustRegion([4.0])
    made = draw_batch(region, gaussian_design(region.precision), region.radii(), 3, np.random.default_rng(5))
    noise = -np.random.default_rng(5).standard_normal(3)
    assert not made.suprema.any()
    np.testing.assert_allclose(made.reference, noise / 2)
    np.testing.assert_allclose(made.arms, noise)


def test_draws_are_joined_in_order_and_scaled_row_by_row():
    one, two = (NoiseDraws(np.full((2, 3), x), np.full(2, x), np.full(2, x)) for x in (1.0, 2.0))
    made = NoiseDraws.joined([one, two])
    assert made.arms.tolist() == [1, 1, 2, 2]
    scaled = made.times(np.array([1.0, 2.0, 3.0, 4.0]))
    assert scaled.suprema[:, 2].tolist() == scaled.reference.tolist() == scaled.arms.tolist() == [1, 2, 6, 8]
    assert made.times(None) is made


@pytest.mark.parametrize(("kind", "noisy"), [("equal", "unequal"), ("unequal", "equal")])
def test_noise_may_have_other_deviations_than_the_regions(kind, noisy):
    region, design = TrustRegion(PRECISION[kind]), gaussian_design(PRECISION[noisy])
    radii = region.radii(2.0, 6)
    made = draw_batch(region, design, radii, 20, np.random.default_rng(5))
    noise = -np.random.default_rng(5).standard_normal((20, 50)) / np.sqrt(PRECISION[noisy])
    np.testing.assert_allclose(made.suprema, region.suprema(noise, radii), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(made.reference, noise @ region.reference, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(made.arms, (noise * np.sqrt(PRECISION[noisy])).max(axis=1), rtol=1e-8)


def test_rows_are_worked_on_forty_eight_at_a_time_or_as_many_as_fit(monkeypatch):
    steps = []

    def rows(region, design, radii, given, rng):
        steps.append(given)
        return noise_rows._unequal_rows(region, design, radii, given, rng)

    monkeypatch.setattr(noise_rows, "_equal_rows", rows)
    region = TrustRegion(PRECISION["equal"])
    for held, draws, expected in (
        (1 << 21, 100, [48, 48, 4]),
        (1 << 21, 96, [48, 48]),
        (100, 5, [2, 2, 1]),
        (1, 2, [1, 1]),
    ):
        monkeypatch.setattr(noise_rows, "HELD", held)
        made = draw_batch(
            region, gaussian_design(region.precision), region.radii(2.0, 2), draws, np.random.default_rng(0)
        )
        assert steps.pop() == expected
        assert made.arms.size == draws
