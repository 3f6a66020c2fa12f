"""Simulated suprema: the right law, and the same numbers wherever they are computed."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, Pooled, TrustError, TrustRegion, paper_band, simulation
from trust_helpers.noise.gaussian import gaussian_design
from trust_helpers.quantiles import expected_shortfall
from trust_helpers.simulation import (
    BATCH,
    NoiseDraws,
    batch_size,
    cores,
    draw_batch,
    noise_suprema,
    pilot_draws,
    simulate_design,
)
from trust_helpers.solvers import sorted as path

UNEQUAL = np.random.default_rng(0).uniform(0.1, 10, 300)


@pytest.mark.parametrize(
    "region",
    [TrustRegion(np.full(300, 2.0)), TrustRegion(UNEQUAL), TrustRegion(UNEQUAL, reference=np.full(300, 1 / 300))],
    ids=["equal", "unequal", "other reference"],
)
def test_suprema_have_the_law_of_solving_drawn_noise(region):
    radii = region.radii(3.0, 4)
    draws = 640 if region.centred else 192
    suprema, reference = noise_suprema(region, radii, draws, seed=4)
    noise = np.random.default_rng(5).normal(size=(draws, 300)) / np.sqrt(region.precision)
    direct = region.suprema(noise, radii)
    for ours, theirs in zip(suprema.T, direct.T, strict=True):
        assert stats.ks_2samp(ours, theirs).pvalue > 1e-4
    assert stats.kstest(reference / np.sqrt(region.reference_variance), "norm").pvalue > 1e-4


def test_improvement_noise_and_reference_noise_are_independent():
    suprema, reference = noise_suprema(TrustRegion(UNEQUAL), TrustRegion(UNEQUAL).radii(3.0, 4), 4000, seed=1)
    for column in suprema.T:
        # a correlation of independent samples has standard deviation 1 / sqrt(draws)
        assert abs(np.corrcoef(column, reference)[0, 1]) < 4 / np.sqrt(4000)


def test_numbers_do_not_depend_on_workers_or_chunks(monkeypatch):
    for precision in (np.full(300, 2.0), UNEQUAL):
        region = TrustRegion(precision)
        expected = noise_suprema(region, region.radii(), 200, 3)
        with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(3) as three:
            for executor in (one, three):
                for got, want in zip(noise_suprema(region, region.radii(), 200, 3, 0, executor), expected, strict=True):
                    np.testing.assert_array_equal(got, want)
        monkeypatch.setattr(simulation, "HELD", 900)
        monkeypatch.setattr(path, "GROUP", 700)
        for got, want in zip(noise_suprema(region, region.radii(), 200, 3), expected, strict=True):
            np.testing.assert_array_equal(got, want)
        monkeypatch.undo()


def test_more_draws_extend_fewer():
    region = TrustRegion(UNEQUAL)
    few, many = (noise_suprema(region, region.radii(), n, 3)[0] for n in (BATCH + 10, 3 * BATCH))
    np.testing.assert_array_equal(few[:BATCH], many[:BATCH])


def test_seeds_and_streams_are_independent():
    region = TrustRegion(UNEQUAL)
    radii = region.radii(size=3)
    samples = [noise_suprema(region, radii, 64, seed, stream)[0][:, 0] for seed in (0, 1) for stream in (0, 1)]
    assert len({tuple(s) for s in samples}) == 4


def test_process_pool_gives_the_same_band():
    region = TrustRegion(UNEQUAL)
    here = paper_band(region, region.radii(size=5), 0.2, 500, seed=8)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = paper_band(region, region.radii(size=5), 0.2, 500, seed=8, executor=pool)
    np.testing.assert_array_equal(here.widths, there.widths)


def test_dask_cluster_gives_the_same_band():
    from distributed import Client, LocalCluster

    region = TrustRegion(UNEQUAL)
    here = paper_band(region, region.radii(size=5), 0.2, 500, seed=8)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        there = paper_band(region, region.radii(size=5), 0.2, 500, seed=8, executor=client.get_executor())
    np.testing.assert_array_equal(here.widths, there.widths)


def test_batches_are_whole_up_to_a_million_arms_and_small_beyond():
    assert [batch_size(arms) for arms in (1, 10_000, 1_000_000)] == [BATCH] * 3
    assert batch_size(10_000_000) * 10_000_000 <= 1 << 27
    assert batch_size(1 << 40) == 1


def test_a_failing_batch_surfaces_and_cancels_the_rest():
    class Broken(ThreadPoolExecutor):
        def submit(self, fn, *args, **kwargs):
            return super().submit(self.fail)

        def fail(self):
            raise RuntimeError("worker lost")

    region = TrustRegion(UNEQUAL)
    with Broken(1) as executor, pytest.raises(RuntimeError, match="worker lost"):
        paper_band(region, region.radii(size=5), 0.2, 500, seed=8, executor=executor)


def test_progress_bar_counts_batches(capsys):
    region = TrustRegion(UNEQUAL)
    paper_band(region, region.radii(size=5), 0.2, 500, seed=8, progress=True)
    assert f"{-(-500 // BATCH)}/{-(-500 // BATCH)}" in capsys.readouterr().err


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_a_seed_is_a_whole_number_or_a_generator(seed):
    region = TrustRegion(UNEQUAL)
    with pytest.raises(TrustError, match="seed"):
        paper_band(region, region.radii(), 0.1, 10_000, seed=seed)


def test_a_generator_gives_a_seed_that_is_recorded():
    region = TrustRegion(UNEQUAL)
    band = paper_band(region, region.radii(size=5), 0.2, 500, seed=np.random.default_rng(6))
    again = paper_band(region, region.radii(size=5), 0.2, 500, seed=band.seed)
    np.testing.assert_array_equal(band.widths, again.widths)


def test_a_process_that_may_use_one_core_counts_one(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3}, raising=False)
    assert cores() == 1
    monkeypatch.delattr("os.sched_getaffinity")  # not every system has it
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    assert cores() == 6


PRECISION = {"equal": np.full(50, 4.0), "unequal": np.geomspace(0.1, 10, 50)}


@pytest.mark.parametrize("rows", [1, 7, 48])
@pytest.mark.parametrize("noisy", PRECISION)
@pytest.mark.parametrize("kind", PRECISION)
def test_suprema_are_those_of_the_streams_own_noise_of_whatever_deviations(kind, noisy, rows, monkeypatch):
    monkeypatch.setattr(simulation, "ROWS", rows)
    region, design = TrustRegion(PRECISION[kind]), gaussian_design(PRECISION[noisy])
    radii = region.radii(2.0, 6)
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


def test_rows_are_worked_on_forty_eight_at_a_time_or_as_many_as_fit(monkeypatch):
    steps = []

    def rows(region, design, radii, given, rng):
        steps.append(given)
        return simulation._unequal_rows(region, design, radii, given, rng)

    monkeypatch.setattr(simulation, "_equal_rows", rows)
    region = TrustRegion(PRECISION["equal"])
    for held, draws, expected in (
        (1 << 21, 100, [48, 48, 4]),
        (1 << 21, 96, [48, 48]),
        (100, 5, [2, 2, 1]),
        (1, 2, [1, 1]),
    ):
        monkeypatch.setattr(simulation, "HELD", held)
        made = draw_batch(
            region, gaussian_design(region.precision), region.radii(2.0, 2), draws, np.random.default_rng(0)
        )
        assert steps.pop() == expected
        assert made.arms.size == draws


DELTA, DRAWS = 0.1, 400


def simulated(data, seed=0, draws=DRAWS):
    return simulate_design(data.region, data.design, data.region.radii(2.0, 4), draws, seed, DELTA)


def standardised(made):
    centre, scale = made.pilot.suprema.mean(axis=0), made.pilot.suprema.std(axis=0)
    return centre, scale, ((made.fresh.suprema - centre) / scale).max(axis=1)


def test_a_dominating_laws_bound_is_the_shortfall_beyond_the_pilots_quantile():
    made = simulated(OfflineData(np.full(30, 0.5), np.full(30, 2), "range:0:1"))
    centre, scale, scores = standardised(made)
    pilot = ((made.pilot.suprema - centre) / scale).max(axis=1)
    bound = made.bound(made.pilot.suprema, made.fresh.suprema, centre, scale, DELTA)
    assert bound == expected_shortfall(scores, np.quantile(pilot, 1 - DELTA), DELTA)
    assert bound > np.quantile(scores, 1 - DELTA)


def test_a_radius_of_zero_has_no_noise_and_no_score():
    made = simulated(OfflineData(np.zeros(5), np.ones(5), 1.0))
    nothing = np.zeros((DRAWS, 2))
    assert made.bound(nothing, nothing, np.zeros(2), np.zeros(2), DELTA) == 0
    some = np.column_stack([made.fresh.suprema[:, :1], nothing[:, :1]])
    alone = made.bound(some[:, :1], some[:, :1], np.zeros(1), np.ones(1), DELTA)
    assert made.bound(some, some, np.zeros(2), np.array([1.0, 0.0]), DELTA) == alone


def test_pilot_and_fresh_draws_are_streams_of_their_own_and_of_the_seed():
    data = OfflineData(np.zeros(30), np.ones(30), 1.0)
    made, again, other = simulated(data), simulated(data), simulated(data, seed=1)
    np.testing.assert_array_equal(made.fresh.suprema, again.fresh.suprema)
    assert not np.isin(made.fresh.suprema[:, 0], made.pilot.suprema[:, 0]).any()
    assert not np.isin(made.fresh.suprema[:, 0], other.fresh.suprema[:, 0]).any()
    assert (made.draws, made.pilot.reference.size) == (DRAWS, pilot_draws(30))


def test_another_estimated_level_is_another_unit():
    ours, theirs = (OfflineData(np.zeros(12), np.full(12, 3), Pooled(level, 24)) for level in (1.0, 2.5))
    made, moved = simulated(ours), simulated(ours).for_log(theirs)
    np.testing.assert_allclose(moved.fresh.suprema, 2.5 * made.fresh.suprema)
    np.testing.assert_allclose(moved.fresh.reference, 2.5 * made.fresh.reference)
    np.testing.assert_allclose(moved.fresh.arms, made.fresh.arms)  # in deviations already
    np.testing.assert_allclose(moved.radii, 2.5 * made.radii)
    assert made.for_log(ours) is made


@pytest.mark.parametrize("sigma", [0.7, "range:0:1"])
def test_the_references_variance_is_that_of_its_simulated_noise(sigma):
    data = OfflineData(np.full(20, 0.5), np.arange(1, 21), sigma)
    made = simulated(data, draws=20_000)
    # the variance of 20,000 normal draws has relative error sqrt(2 / 20,000)
    assert made.fresh.reference.var() == pytest.approx(made.reference_variance, rel=4 * np.sqrt(2 / 20_000))


def test_a_large_design_has_a_smaller_pilot_but_never_too_small():
    assert [pilot_draws(n) for n in (1, 390_625, 400_000, 1_000_000, 10**8)] == [512, 512, 500, 200, 200]
