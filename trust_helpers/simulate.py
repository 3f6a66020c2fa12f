r"""Monte Carlo suprema of the noise: :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta` over many draws.

Draws come in batches (see ``batch_size``), each with a random stream of its own that depends on the seed and the
batch number alone. So the numbers do not depend on the executor, on how many workers it has, or on how many rows
are worked on at a time. Processes and clusters get the design packed, the same bytes with every batch, and at most
512 MB of them at a time: what waits for a worker is bounded, however many draws there are.
"""

import os
import pickle
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import lru_cache

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng

from .checks import Array
from .errors import TrustError
from .laws.gaussian import gaussian_design
from .noise import Design
from .noise_rows import NoiseDraws, draw_batch
from .region import TrustRegion

__all__ = ["BATCH", "batch_size", "cores", "noise_draws", "noise_suprema", "seed_number"]

BATCH, NUMBERS = 128, 1 << 27  # draws of a batch, and at most so many numbers, lest one keeps a worker for minutes
UNDER_WAY = 1 << 29  # bytes of packed designs that may be handed out and not yet worked on
Unpacked = tuple[TrustRegion, Design, Array]  # regions, noise and radii
Job = tuple[int, tuple[int, int, int]]  # draws of a batch; seed, stream and number of the batch


def batch_size(n_arms: int) -> int:
    """How many draws share a stream: it depends on the design and on nothing else.

    >>> batch_size(1_000), batch_size(1_000_000), batch_size(10_000_000)
    (128, 128, 13)
    """
    return max(1, min(BATCH, NUMBERS // n_arms))


def seed_number(seed: int | Generator) -> int:
    """The seed as a number that can be recorded; a Generator is asked for one.

    >>> seed_number(7)
    7
    """
    if isinstance(seed, Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise TrustError(f"seed is {seed!r}: it must be a whole number of at least 0, or a numpy Generator")
    return int(seed)


def noise_suprema(
    region: TrustRegion,
    radii: Array,
    draws: int,
    seed: int,
    stream: int = 0,
    executor: Executor | None = None,
    progress: bool = False,
) -> tuple[Array, Array]:
    r"""Suprema over each radius, and the noise of the reference policy, for Gaussian noise of the region's precision.

    Parameters are those of :func:`noise_draws`.

    Returns
    -------
    (draws, n) array, (draws,) array
        :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta`, and :math:`\hat\mu^\top\eta` of the same draws.

    Examples
    --------
    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> suprema, reference = noise_suprema(region, region.radii(2.0, 3), draws=100, seed=0)
    >>> suprema.shape, reference.shape
    ((100, 3), (100,))
    """
    design = gaussian_design(region.precision)
    made = noise_draws(region, design, radii, draws, seed, stream, executor=executor, progress=progress)
    return made.suprema, made.reference


def noise_draws(
    region: TrustRegion,
    design: Design,
    radii: Array,
    draws: int,
    seed: int,
    stream: int = 0,
    *,
    executor: Executor | None = None,
    progress: bool = False,
) -> NoiseDraws:
    """Noise vectors of a design, as their suprema over each radius and what else a band needs.

    Parameters
    ----------
    region : TrustRegion
        The regions.
    design : Design
        Counts and law.
    radii : (n,) array
        Radii of the regions, largest first.
    draws : int
        How many.
    seed : int
        Seed of all streams.
    stream : int
        Which of the seed's independent samples to take.
    executor : concurrent.futures.Executor, optional
        Where the batches run. By default a thread for each core this process may use.
    progress : bool
        Show a progress bar.

    Examples
    --------
    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> design = gaussian_design(region.precision)
    >>> made = noise_draws(region, design, region.radii(2.0, 3), draws=300, seed=0)
    >>> made.suprema.shape
    (300, 3)
    """
    size = batch_size(region.n_arms)
    jobs = [(min(size, draws - start), (seed, stream, start // size)) for start in range(0, draws, size)]
    if executor is None:
        threads = ThreadPoolExecutor(cores())
        try:
            return NoiseDraws.joined(_gathered(threads, (region, design, radii), jobs, progress))
        finally:
            threads.shutdown(wait=False, cancel_futures=True)  # an interrupt does not wait for what is running
    what = (region, design, radii) if isinstance(executor, ThreadPoolExecutor) else _packed(region, design, radii)
    return NoiseDraws.joined(_gathered(executor, what, jobs, progress))


def cores() -> int:
    """How many cores this process may use.

    >>> 1 <= cores() <= os.cpu_count()
    True
    """
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _gathered(executor: Executor, what: bytes | Unpacked, jobs: list[Job], progress: bool) -> list[NoiseDraws]:
    """The batches in order, each made by the executor."""
    ahead = max(2, UNDER_WAY // len(what)) if isinstance(what, bytes) else len(jobs)
    results = _in_order(lambda job: executor.submit(_batch, what, *job), jobs, ahead)
    if progress:
        from tqdm.auto import tqdm

        return list(tqdm(results, desc="noise draws", unit=f"x{BATCH}", total=len(jobs)))
    return list(results)


def _in_order(submit: Callable[[Job], Future], jobs: list[Job], ahead: int) -> Iterator[NoiseDraws]:
    """The results in order, at most ``ahead`` jobs under way; if one fails, the rest are cancelled."""
    waiting: deque[Future] = deque()
    try:
        for job in jobs:
            if len(waiting) == ahead:
                yield waiting[0].result()
                waiting.popleft()
            waiting.append(submit(job))
        while waiting:
            yield waiting[0].result()
            waiting.popleft()
    finally:
        for future in waiting:
            future.cancel()


def _packed(region: TrustRegion, design: Design, radii: Array) -> bytes:
    """What every batch needs, to be sent with each: counts are mostly small numbers, or all alike."""
    reference = None if region.centred else region.reference  # the usual one follows from the precision
    return zlib.compress(pickle.dumps((region.precision, reference, design, radii), protocol=5), 1)


@lru_cache(1)
def _unpacked(packed: bytes) -> Unpacked:
    """The same in a worker, which keeps it for its next batch."""
    precision, reference, design, radii = pickle.loads(zlib.decompress(packed))
    return TrustRegion(precision, reference), design, radii


def _batch(what: bytes | Unpacked, draws: int, key: tuple[int, int, int]) -> NoiseDraws:
    """One batch of draws from its own stream."""
    region, design, radii = _unpacked(what) if isinstance(what, bytes) else what
    seed, *spawn = key
    return draw_batch(region, design, radii, draws, default_rng(SeedSequence(seed, spawn_key=tuple(spawn))))
