r"""Monte Carlo suprema of the noise: :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta` over many draws.

Draws come in batches of :data:`BATCH`, each with a random stream of its own that depends on the seed and the
batch number alone. So the numbers do not depend on the executor, on how many workers it has, or on how many rows
are worked on at a time.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng

from .checks import Array
from .errors import TrustError
from .extras import need
from .laws.gaussian import gaussian_design
from .noise import Design
from .region import TrustRegion
from .solvers.sorted import suprema_of_sorted

__all__ = ["BATCH", "NoiseDraws", "noise_draws", "noise_suprema", "seed_number"]

BATCH = 128
# Rows of one batch worked on at a time: at most 16 MB of numbers, and few enough for the search to stay near the core.
HELD = 1 << 21
ROWS = 48


def seed_number(seed: int | Generator) -> int:
    """The seed as a number that can be recorded; a Generator is asked for one."""
    if isinstance(seed, Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise TrustError(f"seed is {seed!r}: it must be a whole number of at least 0, or a numpy Generator")
    return int(seed)


@dataclass(frozen=True, eq=False)
class NoiseDraws:
    r"""Simulated noise vectors, as far as bands need them.

    Attributes
    ----------
    suprema : (draws, n) array
        :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta` for each radius.
    reference : (draws,) array
        :math:`\hat\mu^\top\eta`.
    arms : (draws,) array
        The largest noise of a single arm, in units of its own deviation.
    """

    suprema: Array
    reference: Array
    arms: Array

    @classmethod
    def joined(cls, parts: "list[NoiseDraws]") -> "NoiseDraws":
        """The draws of several batches, in order."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__annotations__))

    def times(self, factors: Array | None) -> "NoiseDraws":
        """Each draw multiplied by a factor; suprema over a region are homogeneous."""
        if factors is None:
            return self
        return NoiseDraws(self.suprema * factors[:, None], self.reference * factors, self.arms * factors)


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
    """
    starts = range(0, draws, BATCH)
    jobs = [(region, design, radii, min(BATCH, draws - s), (seed, stream, s // BATCH)) for s in starts]
    if executor is None:
        threads = ThreadPoolExecutor(_cores())
        try:
            parts = _gather([threads.submit(_batch, *job) for job in jobs], progress)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)  # an interrupt does not wait for what is running
    else:
        parts = _gather([executor.submit(_batch, *job) for job in jobs], progress)
    return NoiseDraws.joined(parts)


def _cores() -> int:
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


def _batch(region: TrustRegion, design: Design, radii: Array, draws: int, key: tuple[int, int, int]) -> NoiseDraws:
    """One batch of draws from its own stream."""
    seed, *spawn = key
    rng = default_rng(SeedSequence(seed, spawn_key=tuple(spawn)))
    alike = region.equal and bool((design.deviations == design.deviations[0]).all())
    kernel = _equal_rows if alike else _unequal_rows
    if not region.centred:
        kernel = _general_rows
    step = max(1, min(ROWS, HELD // region.n_arms))
    return NoiseDraws.joined(
        list(kernel(region, design, radii, [min(step, draws - s) for s in range(0, draws, step)], rng))
    )


def _negated(design: Design) -> Callable[[Generator, Array], float]:
    """Fills rows with minus the noise, so that the gaps of sorted rows come out ascending."""
    fill = design.law.sampler(design.counts)
    if design.law.symmetric:
        return fill  # minus the noise has the same law

    def fill_negated(rng: Generator, out: Array) -> float:
        unit = fill(rng, out)
        np.negative(out, out=out)
        return unit

    return fill_negated


def _equal_rows(
    region: TrustRegion, design: Design, radii: Array, steps: list[int], rng: Generator
) -> Iterator[NoiseDraws]:
    """Equal precisions and deviations: rows in the law's own unit, sorted in place, scaled at the end."""
    gaps, least = np.empty((steps[0], region.n_arms)), np.empty(steps[0])
    fill, scale = _negated(design), 1 / np.sqrt(region.precision[0])
    unit = 1.0

    def draw(part: slice) -> None:
        nonlocal unit
        block = gaps[part]
        unit = fill(rng, block)
        block.sort(axis=1)
        least[part] = block[:, 0]
        block -= least[part, None]

    for rows in steps:
        suprema, below = suprema_of_sorted(gaps[:rows], None, radii / scale, draw)
        top = -least[:rows]
        yield NoiseDraws(unit * suprema, unit * (top - below), unit / design.deviations[0] * top)


def _unequal_rows(
    region: TrustRegion, design: Design, radii: Array, steps: list[int], rng: Generator
) -> Iterator[NoiseDraws]:
    """Unequal precisions: the arm's number rides in the last bits of its noise, so that a plain sort does.

    That rounds the noise to at least 32 significant bits, a relative change below 2.4e-10 (2e-12 up to 16,000
    arms), and the suprema are exact for the noise so rounded. It halves the time that argsort and gathering take.
    """
    arms = region.n_arms
    mask = (1 << arms.bit_length()) - 1
    number, inverse, fill = np.arange(arms), 1 / design.deviations, _negated(design)
    gaps, precision = np.empty((steps[0], arms)), np.empty((steps[0], arms))
    least, single = np.empty(steps[0]), np.empty(steps[0])

    def draw(part: slice) -> None:
        block = gaps[part]
        unit = fill(rng, block)
        if unit != 1:
            block *= unit
        single[part] = np.multiply(block, inverse, out=precision[part]).min(axis=1)
        bits = block.view(np.int64)
        bits &= ~mask
        bits |= number
        block.sort(axis=1)
        np.take(region.precision, bits & mask, out=precision[part], mode="clip")
        least[part] = block[:, 0]
        block -= least[part, None]

    for rows in steps:
        suprema, below = suprema_of_sorted(gaps[:rows], precision[:rows], radii, draw)
        yield NoiseDraws(suprema, -least[:rows] - below, -single[:rows])


def _general_rows(
    region: TrustRegion, design: Design, radii: Array, steps: list[int], rng: Generator
) -> Iterator[NoiseDraws]:
    """Any reference policy: one solve for each draw and radius."""
    fill = design.law.sampler(design.counts)
    for rows in steps:
        noise = np.empty((rows, region.n_arms))
        noise *= fill(rng, noise)
        yield NoiseDraws(
            region.suprema(noise, radii), noise @ region.reference, (noise / design.deviations).max(axis=1)
        )
