r"""Monte Carlo suprema of the noise: :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta` over many draws.

Draws come in batches (see ``batch_size``), each with a random stream of its own that depends on the seed and the
batch number alone. So the numbers do not depend on the executor, on how many workers it has, or on how many rows
are worked on at a time. Processes and clusters get the design packed, the same few bytes with every batch.
"""

import os
import pickle
import zlib
from collections.abc import Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import lru_cache

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng

from .checks import Array
from .errors import TrustError
from .extras import need
from .laws.gaussian import gaussian_design
from .noise import Design
from .noise_rows import NoiseDraws, draw_batch
from .region import TrustRegion

__all__ = ["BATCH", "batch_size", "cores", "noise_draws", "noise_suprema", "seed_number"]

BATCH, NUMBERS = 128, 1 << 27  # draws of a batch, and at most so many numbers, lest one keeps a worker for minutes


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
    region, radii : TrustRegion, (n,) array
        The regions and their radii, largest first.
    design : Design
        Counts and law.
    draws, seed, stream : int
        Number of draws; seed; which of the seed's independent samples to take.
    executor : concurrent.futures.Executor, optional
        Where the batches run. By default a thread for each core this process may use.
    progress : bool
        Show a progress bar (needs tqdm).

    Examples
    --------
    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> made = noise_draws(region, gaussian_design(region.precision), region.radii(2.0, 3), draws=300, seed=0)
    >>> made.suprema.shape
    (300, 3)
    """
    size = batch_size(region.n_arms)
    jobs = [(min(size, draws - start), (seed, stream, start // size)) for start in range(0, draws, size)]
    if executor is None:
        threads = ThreadPoolExecutor(cores())
        try:
            parts = _gather([threads.submit(_batch, (region, design, radii), *job) for job in jobs], progress)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)  # an interrupt does not wait for what is running
    else:
        what = (region, design, radii) if isinstance(executor, ThreadPoolExecutor) else _packed(region, design, radii)
        parts = _gather([executor.submit(_batch, what, *job) for job in jobs], progress)
    return NoiseDraws.joined(parts)


def cores() -> int:
    """How many cores this process may use.

    >>> 1 <= cores() <= os.cpu_count()
    True
    """
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _gather(futures: list[Future], progress: bool) -> list[NoiseDraws]:
    """The results in order; if one fails, the rest are cancelled."""
    waiting: Iterable[Future] = futures
    if progress:
        tqdm = need("tqdm.auto", "book").tqdm
        waiting = tqdm(futures, desc="noise draws", unit=f"x{BATCH}")
    try:
        return [future.result() for future in waiting]
    finally:
        for future in futures:
            future.cancel()


def _packed(region: TrustRegion, design: Design, radii: Array) -> bytes:
    """What every batch needs, to be sent with each: counts are mostly small numbers, or all alike."""
    return zlib.compress(pickle.dumps((region, design, radii), protocol=5), 1)


@lru_cache(1)
def _unpacked(packed: bytes) -> tuple[TrustRegion, Design, Array]:
    """The same in a worker, which keeps it for its next batch."""
    made: tuple[TrustRegion, Design, Array] = pickle.loads(zlib.decompress(packed))
    return made


def _batch(what: bytes | tuple[TrustRegion, Design, Array], draws: int, key: tuple[int, int, int]) -> NoiseDraws:
    """One batch of draws from its own stream."""
    region, design, radii = _unpacked(what) if isinstance(what, bytes) else what
    seed, *spawn = key
    return draw_batch(region, design, radii, draws, default_rng(SeedSequence(seed, spawn_key=tuple(spawn))))
