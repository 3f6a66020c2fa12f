"""Simulated suprema: the right law, and the same numbers wherever they are computed."""

from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, TrustError, TrustRegion, noise_rows, paper_band, simulate
from trust_helpers.laws.gaussian import gaussian_design
from trust_helpers.simulate import BATCH, _packed, _unpacked, batch_size, cores, noise_suprema
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
        monkeypatch.setattr(noise_rows, "HELD", 900)
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


def test_what_is_sent_with_every_batch_is_small():
    """A worker's share of memory and network: a hundredth of the arrays where counts are alike, else an eighth."""
    rng = np.random.default_rng(0)
    for counts, share in ((np.full(100_000, 3), 0.01), (rng.integers(1, 60, 100_000), 0.13)):
        data = OfflineData(np.zeros(counts.size), counts, 0.5)
        packed = _packed(data.region, data.design, data.region.radii())
        assert len(packed) < share * 3 * 8 * counts.size
        region, design, _ = _unpacked(packed)
        assert region == data.region
        np.testing.assert_array_equal(design.deviations, data.design.deviations)


class Idle(Executor):
    """Works only when it is waited for, and remembers how many jobs were waiting at most."""

    def __init__(self):
        self.waiting, self.most = 0, 0

    def submit(self, fn, *args):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        future = Future()
        future.result = lambda: self.work(fn, *args)
        return future

    def work(self, fn, *args):
        self.waiting -= 1
        return fn(*args)


@pytest.mark.parametrize(("designs", "most"), [(0, 2), (3.5, 3), (100, 8)])
def test_no_more_designs_wait_than_a_fixed_number_of_bytes_allows(monkeypatch, designs, most):
    """Eight batches: two may always wait, lest a worker has nothing to do; otherwise what fits."""
    region, executor = TrustRegion(UNEQUAL), Idle()
    expected = noise_suprema(region, region.radii(), 8 * BATCH, 3)
    size = len(_packed(region, gaussian_design(region.precision), region.radii()))
    monkeypatch.setattr(simulate, "UNDER_WAY", designs * size)
    there = noise_suprema(region, region.radii(), 8 * BATCH, 3, executor=executor)
    assert executor.most == most
    for got, want in zip(there, expected, strict=True):
        np.testing.assert_array_equal(got, want)


def test_another_reference_travels_with_the_design():
    region = TrustRegion(UNEQUAL, reference=np.full(300, 1 / 300))
    packed = _packed(region, gaussian_design(region.precision), region.radii())
    assert _unpacked(packed)[0] == region


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
