r"""Monte Carlo suprema of the noise: :math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top\eta` over many draws.

Draws come in batches (see ``batch_size``), each with a random stream of its own that depends on the seed and the
batch number alone. So the numbers do not depend on the executor, on how many workers it has, or on how many rows
are worked on at a time.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng

from .checks import Array
from .errors import NotEnoughDraws, TrustError
from .noise.base import Design
from .noise.gaussian import gaussian_design
from .quantiles import conformal_rank, expected_shortfall, shortfall_draws
from .region import TrustRegion
from .solvers.sorted import suprema_of_sorted

if TYPE_CHECKING:
    from .data import OfflineData

__all__ = ["NoiseDraws", "Simulation", "cores", "noise_draws", "noise_suprema", "seed_number", "simulate_design"]

# Rows of one batch worked on at a time: at most 16 MB of numbers, and few enough for the search to stay near the core.
HELD = 1 << 21
ROWS = 48


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

    Examples
    --------
    >>> made = NoiseDraws(suprema=np.ones((2, 3)), reference=np.zeros(2), arms=np.ones(2))
    >>> made.times(np.array([1.0, 2.0])).arms
    array([1., 2.])
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


def draw_batch(region: TrustRegion, design: Design, radii: Array, draws: int, rng: Generator) -> NoiseDraws:
    """Draws one after the other from a stream.

    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> made = draw_batch(region, gaussian_design(region.precision), region.radii(), 5, np.random.default_rng(0))
    >>> made.suprema.shape, bool((np.diff(made.suprema) <= 0).all())
    ((5, 40), True)
    """
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


_KEPT = threading.local()


def _buffer(name: str, rows: int, arms: int) -> Array:
    """Rows to work on, kept by a thread from one batch to the next: fresh memory costs more than writing to it."""
    kept: Array | None = getattr(_KEPT, name, None)
    if kept is None or kept.shape[0] < rows or kept.shape[1] != arms:
        kept = np.empty((rows, arms))
        setattr(_KEPT, name, kept)
    return kept[:rows]


def _equal_rows(
    region: TrustRegion, design: Design, radii: Array, steps: list[int], rng: Generator
) -> Iterator[NoiseDraws]:
    """Equal precisions and deviations: rows in the law's own unit, sorted in place, scaled at the end."""
    gaps, least = _buffer("gaps", steps[0], region.n_arms), np.empty(steps[0])
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
    gaps, precision = (_buffer(name, steps[0], arms) for name in ("gaps", "precision"))
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


BATCH, NUMBERS = 128, 1 << 27  # draws and numbers of a batch at most: a larger one would keep a worker for minutes


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
) -> tuple[Array, Array]:
    r"""Of :func:`noise_draws` the suprema and :math:`\hat\mu^\top\eta`, for Gaussian noise of the region's precision.

    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> suprema, reference = noise_suprema(region, region.radii(2.0, 3), draws=100, seed=0)
    >>> suprema.shape, reference.shape
    ((100, 3), (100,))
    """
    made = noise_draws(region, gaussian_design(region.precision), radii, draws, seed, stream, executor=executor)
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

    ``stream`` says which of the seed's independent samples to take. Batches run on the ``executor``, by default a
    thread for each core that this process may use.

    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> design = gaussian_design(region.precision)
    >>> made = noise_draws(region, design, region.radii(2.0, 3), draws=300, seed=0)
    >>> made.suprema.shape
    (300, 3)
    """
    region, design = _in_order(region, design)
    size = batch_size(region.n_arms)
    sizes = [min(size, draws - start) for start in range(0, draws, size)]
    streams = [default_rng(SeedSequence(seed, spawn_key=(stream, number))) for number in range(len(sizes))]
    threads = ThreadPoolExecutor(cores()) if executor is None else None
    try:
        made = (threads or executor).map(partial(draw_batch, region, design, radii), sizes, streams)  # type: ignore[union-attr]
        if progress:
            from tqdm.auto import tqdm

            made = tqdm(made, desc="noise draws", unit=f"x{size}", total=len(sizes))
        return NoiseDraws.joined(list(made))
    finally:
        if threads:
            threads.shutdown(wait=False, cancel_futures=True)  # an interrupt does not wait for what is running


def _in_order(region: TrustRegion, design: Design) -> tuple[TrustRegion, Design]:
    """Both with the arms sorted by precision, so that the draws of a log do not depend on the order of its arms."""
    order = np.lexsort((design.deviations, region.reference, region.precision))
    if (np.diff(order) == 1).all():
        return region, design
    reference = None if region.centred else region.reference[order]
    return TrustRegion(region.precision[order], reference), design.of_arms(order)


def cores() -> int:
    """How many cores this process may use.

    >>> 1 <= cores() <= os.cpu_count()
    True
    """
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


# Draws of the pilot; on a large design fewer, as its numbers in all are limited too, but never too few.
PILOT_DRAWS, PILOT_NUMBERS, LEAST_PILOT = 512, 200_000_000, 200
# The random streams of a seed: fresh draws, the pilot, and the factors of an estimated level.
FRESH, PILOT, FACTORS = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Simulation:
    """Draws of a design, and from an independent pilot the centre and scale of every score.

    >>> from trust_helpers.combined import simulate_log
    >>> from trust_helpers import OfflineData
    >>> simulate_log(OfflineData([0.1, 0.9], counts=[4, 4], sigma=0.5), delta=0.1, seed=0).draws
    2000
    """

    region: TrustRegion
    design: Design
    radii: Array
    seed: int
    pilot: NoiseDraws
    fresh: NoiseDraws

    def for_log(self, data: "OfflineData") -> "Simulation":
        """The same draws for a log of the design, in the log's unit where the level of the noise is estimated."""
        unit = self.design.unit_of(data.design)
        if unit == 1:
            return self
        both = (self.pilot, self.fresh)  # whose arms are in deviations already
        drawn = (NoiseDraws(unit * one.suprema, unit * one.reference, one.arms) for one in both)
        return Simulation(data.region, data.design, self.radii * unit, self.seed, *drawn)

    @property
    def draws(self) -> int:
        """How many fresh draws there are."""
        return int(self.fresh.reference.size)

    @property
    def reference_variance(self) -> float:
        """The variance of the reference policy's simulated noise."""
        if self.design.law.exact:
            return self.region.reference_variance
        return float(((self.region.reference * self.design.deviations) ** 2).sum())

    def bound(self, pilot: Array, fresh: Array, centre: Array, scale: Array, delta: float) -> float:
        """What the largest standardised entry of a row exceeds with probability at most delta."""
        moving = scale > 0  # at radius 0 the supremum is always 0 and needs no score
        if not moving.any():
            return 0.0
        scores = ((fresh[:, moving] - centre[moving]) / scale[moving]).max(axis=1)
        if self.design.law.exact:
            rank = conformal_rank(scores.size, delta)
            return float(np.partition(scores, rank - 1)[rank - 1])
        before = ((pilot[:, moving] - centre[moving]) / scale[moving]).max(axis=1)
        return expected_shortfall(scores, float(np.quantile(before, 1 - delta)), delta)


def pilot_draws(n_arms: int) -> int:
    """How many draws tell the centre and scale of every score: it costs width and never validity.

    >>> pilot_draws(10_000), pilot_draws(1_000_000)
    (512, 200)
    """
    return max(min(PILOT_DRAWS, PILOT_NUMBERS // n_arms), LEAST_PILOT)


def simulate_design(
    region: TrustRegion,
    design: Design,
    radii: Array,
    draws: int,
    seed: int,
    delta: float,
    executor: Executor | None = None,
    progress: bool = False,
) -> Simulation:
    """Simulate a design; NotEnoughDraws, before any work, if the draws are too few for ``delta``.

    The pilot has the noise of a known level, so that centre and scale depend on the design alone.

    >>> region = TrustRegion([1.0, 1.0, 4.0])
    >>> made = simulate_design(region, gaussian_design(region.precision), region.radii(2.0, 3), 99, 0, 0.1)
    >>> made.fresh.suprema.shape, made.pilot.suprema.shape
    ((99, 3), (512, 3))
    """
    conformal_rank(draws, delta)
    least = 1 if design.law.exact else shortfall_draws(delta)
    if draws < least:
        raise NotEnoughDraws(draws, least, f"for an expected shortfall at delta = {delta:g}")
    pilot = noise_draws(region, design, radii, pilot_draws(region.n_arms), seed, PILOT, executor=executor)
    fresh = noise_draws(region, design, radii, draws, seed, FRESH, executor=executor, progress=progress)
    factors = design.law.row_factors(default_rng(SeedSequence(seed, spawn_key=(FACTORS,))), draws)
    return Simulation(region, design, radii, seed, pilot, fresh.times(factors))
