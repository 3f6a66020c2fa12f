"""A dial for the number of arms of the paper's data-starved instance: what each method earns and promises as they grow.

What greedy, LCB and cloning do needs no simulation: their numbers are the integrals and formulas of
:mod:`trust_helpers.paper.exact`. TRUST is played on fresh logs, with one calibrated band for each number of arms; the
work at a stop is bounded, so that more arms mean fewer draws and fewer logs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from string import Template

import numpy as np

from ..band import band_for
from ..checks import probability
from ..instances import data_starved
from ..paper import exact
from ..region import TrustRegion
from ..trials import play
from .dial_page import WIDTH, Dial, Turned, across, make_dial, mark, points, upwards
from .table import number

__all__ = ["ArmsStop", "arms_dial", "arms_stops", "calibrating_draws", "numbers_of_arms"]

TOP, LOW = 18.0, 218.0  # of the drawing: between these ordinates are the curves
LARGEST = 20_000_000  # random numbers that a calibration may draw, where it needs more than usual
USUAL, DRAWS = 2_000_000, 499
REWARDS = 1_000_000  # of all fresh logs at one stop
EARNED, PROMISED = ("single", "cloning", "trust"), ("lcb", "cloning", "trust")


@dataclass(frozen=True)
class ArmsStop:
    """What one number of arms means: the mean worth of each method's choice, and the mean of what it promises.

    Attributes
    ----------
    arms : int
        How many there are, half of them good.
    single, cloning, trust : float
        What is earned: by the one arm that greedy and LCB both choose, by cloning the log, by TRUST.
    lcb_promise, cloning_promise, trust_promise : float
        What is promised; greedy promises nothing.
    logs : int
        How many logs TRUST was played on.
    error : float
        The standard error of TRUST's two means, the larger of both.
    """

    arms: int
    single: float
    cloning: float
    trust: float
    lcb_promise: float
    cloning_promise: float
    trust_promise: float
    logs: int
    error: float

    @property
    def words(self) -> dict[str, str]:
        """The numbers as the dial shows them."""
        names = (*EARNED, *(f"{name}_promise" for name in PROMISED))
        return {"arms": f"{self.arms:,}"} | {name: number(getattr(self, name), ".2f") for name in names}


def calibrating_draws(arms: int, delta: float) -> int:
    """How many draws calibrate the band of a stop: twice what there must be, more where arms are few.

    >>> [calibrating_draws(arms, 0.1) for arms in (1_000, 100_000, 1_000_000)]
    [499, 20, 19]
    """
    return max(ceil(2 / probability(delta)) - 1, min(DRAWS, USUAL // arms))


def numbers_of_arms(delta: float, most: int = 10**6) -> list[int]:
    """Five numbers of arms to a factor of ten, from 10 on, even, as far as a band of this confidence is affordable.

    >>> numbers_of_arms(0.1)[:7], numbers_of_arms(0.1)[-1], numbers_of_arms(0.001)[-1]
    ([10, 16, 26, 40, 64, 100, 160], 1000000, 10000)
    """
    rounded = (round(float(f"{10 ** (1 + k / 5):.1e}")) for k in range(26))
    sizes = (size + size % 2 for size in rounded)
    return [size for size in sizes if size <= most and size * calibrating_draws(size, delta) <= LARGEST]


def arms_stops(delta: float, logs: int, seed: int, sizes: Iterable[int]) -> list[ArmsStop]:
    """A stop for each number of arms; TRUST is averaged over at most so many ``logs``, at least four."""
    return [_stop(size, delta, max(4, min(logs, REWARDS // size)), seed) for size in sizes]


def _stop(arms: int, delta: float, logs: int, seed: int) -> ArmsStop:
    instance, largest = data_starved(arms), exact.of_starved(arms)
    design = TrustRegion(1 / instance.sigma**2)
    band = band_for(design, delta, "calibrated", seed, draws=calibrating_draws(arms, delta))
    made = play(instance, ["trust"], logs, seed, delta=delta, band=band)["trust"]
    return ArmsStop(
        arms=arms,
        single=largest.value.mean,
        cloning=float(instance.means.mean()),
        trust=float(made.value.mean()),
        lcb_promise=largest.mean_lcb_bound(delta),
        cloning_promise=exact.cloning_bound(arms, delta),
        trust_promise=float(made.bound.mean()),
        logs=logs,
        error=float(max(made.value.std(ddof=1), made.bound.std(ddof=1)) / np.sqrt(logs)),
    )


def arms_dial(delta: float, logs: int, seed: int, start: int = 10_000, most: int = 10**6) -> Dial[ArmsStop]:
    """The dial from ten arms to at ``most`` so many, first shown at the stop nearest to ``start`` arms.

    >>> dial = arms_dial(0.1, logs=5, seed=0, start=100, most=1_000)
    >>> first, last = dial.stops[dial.start], dial.stops[-1]
    >>> last.arms, first.words["single"], len(dial.html) < 20_000
    (1000, '0.93', True)
    """
    stops = arms_stops(delta, logs, seed, numbers_of_arms(delta, most))
    first = int(np.argmin([abs(np.log(stop.arms / start)) for stop in stops]))
    turned = Turned("arms", "number of arms", "")
    return make_dial(stops, first, turned, (DRAWING, READINGS), [_at(stop, stops) for stop in stops], _fixed(stops))


def _at(stop: ArmsStop, stops: Sequence[ArmsStop]) -> dict[str, str]:
    """Where the cursor and its dots are at one stop."""
    names = (*EARNED, *(f"{name}_promise" for name in PROMISED))
    heights = {name: f"{_height(getattr(stop, name), stops):.1f}" for name in names}
    return {"cursor": f"{_place(stop.arms, stops):.1f}"} | heights


def _place(arms: float, stops: Sequence[ArmsStop]) -> float:
    return across(arms, stops[0].arms, stops[-1].arms)


def _height(value: float, stops: Sequence[ArmsStop]) -> float:
    """Rewards from the lowest promise to 1, the worth of a good arm."""
    return upwards(value, (min(stop.lcb_promise for stop in stops), 1.0), (LOW, TOP))


def _fixed(stops: Sequence[ArmsStop]) -> dict[str, str]:
    """The parts that stay: curves, their names, and the two scales."""
    names = (*EARNED, *(f"{name}_promise" for name in PROMISED))
    curves = {
        f"curve_{name}": points([(_place(s.arms, stops), _height(getattr(s, name), stops)) for s in stops])
        for name in names
    }
    powers = [10**k for k in range(1, 7) if 10**k <= stops[-1].arms]
    ticks = "".join(mark(_place(power, stops), LOW + 16, f"{power:,}") for power in powers)
    heights = {f"at_{name}": f"{_height(value, stops):.1f}" for name, value in (("zero", 0), ("half", 0.5), ("one", 1))}
    below = {f"under_{name}": f"{_height(getattr(stops[-1], name), stops) + 16:.1f}" for name in names}
    falling = next((stop for stop in stops if stop.single < 0.3), stops[-1])
    named = {"name_at": f"{_place(falling.arms, stops) - 20:.1f}", "name_single": f"{_height(0.2, stops):.1f}"}
    edge = {"height": f"{LOW + 24:g}", "alt": ALT, "right": f"{WIDTH - 2:g}"}
    return curves | heights | below | named | edge | {"ticks": ticks}


ALT = """Against the number of arms on a logarithmic scale, what greedy and LCB, cloning and TRUST earn, and dashed what
LCB, cloning and TRUST promise, with a cursor at the number of the dial."""
DRAWING = Template("""<g class="guide"><line x1="0" x2="$width" y1="$at_zero" y2="$at_zero"></line>
<line x1="0" x2="$width" y1="$at_half" y2="$at_half"></line>
<line x1="0" x2="$width" y1="$at_one" y2="$at_one"></line></g>
<text x="0" y="$at_one" dy="-3">1</text><text x="0" y="$at_half" dy="-3">0.5</text>
<text x="0" y="$at_zero" dy="-3">0</text>
$ticks
<polyline points="$curve_cloning" style="stroke: var(--behaviour)"></polyline>
<polyline points="$curve_cloning_promise" style="stroke: var(--behaviour); stroke-dasharray: 5 4"></polyline>
<polyline points="$curve_lcb_promise" style="stroke: var(--lcb); stroke-dasharray: 5 4"></polyline>
<polyline points="$curve_single" style="stroke: var(--greedy)"></polyline>
<polyline points="$curve_trust_promise" style="stroke: var(--trust); stroke-dasharray: 5 4"></polyline>
<polyline points="$curve_trust" style="stroke: var(--trust)"></polyline>
<text x="$right" y="$under_trust" text-anchor="end" style="fill: var(--trust)">TRUST</text>
<text x="$right" y="$under_cloning" text-anchor="end" style="fill: var(--behaviour)">cloning</text>
<text x="$name_at" y="$name_single" text-anchor="end" style="fill: var(--greedy)">greedy, LCB</text>
<text x="2" y="$under_lcb_promise" style="fill: var(--lcb)">LCB's promise</text>
<line class="cursor" x1="$place_cursor" x2="$place_cursor" y1="10" y2="224" data-moves="x1:cursor x2:cursor"></line>
<circle cx="$place_cursor" cy="$place_cloning" class="earned" style="stroke: var(--behaviour)"
 data-moves="cx:cursor cy:cloning"></circle>
<circle cx="$place_cursor" cy="$place_lcb_promise" style="fill: var(--lcb)"
 data-moves="cx:cursor cy:lcb_promise"></circle>
<circle cx="$place_cursor" cy="$place_single" class="earned" style="stroke: var(--greedy)"
 data-moves="cx:cursor cy:single"></circle>
<circle cx="$place_cursor" cy="$place_trust_promise" style="fill: var(--trust)"
 data-moves="cx:cursor cy:trust_promise"></circle>
<circle cx="$place_cursor" cy="$place_trust" class="earned" style="stroke: var(--trust)"
 data-moves="cx:cursor cy:trust"></circle>
""")
READINGS = Template("""<div style="border-color: var(--greedy)"><dt>greedy</dt>
<dd><small>earns</small> <span data-word="single">$word_single</span></dd><dd><small>no promise</small></dd></div>
<div style="border-color: var(--lcb)"><dt>LCB</dt>
<dd><small>earns</small> <span data-word="single">$word_single</span></dd>
<dd><small>sure</small> <span data-word="lcb_promise">$word_lcb_promise</span></dd></div>
<div style="border-color: var(--behaviour)"><dt>cloning</dt>
<dd><small>earns</small> <span data-word="cloning">$word_cloning</span></dd>
<dd><small>sure</small> <span data-word="cloning_promise">$word_cloning_promise</span></dd></div>
<div style="border-color: var(--trust)"><dt>TRUST</dt>
<dd><small>earns</small> <span data-word="trust">$word_trust</span></dd>
<dd><small>sure</small> <span data-word="trust_promise">$word_trust_promise</span></dd></div>
""")
