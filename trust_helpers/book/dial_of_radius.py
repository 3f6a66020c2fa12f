"""A dial for the radius, in a page that needs no network: turn it and see which arms are played and what is promised.

Everything it shows is computed here, at every radius of the band, and written into the page as numbers and as
coordinates of a drawing; the script in the page only looks them up. Without the script the page shows the critical
radius. It takes its colours from the page, light or dark.
"""

from dataclasses import dataclass
from string import Template

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Array
from ..data import OfflineData
from ..decision import TrustDecision
from .dial_page import WIDTH, Dial, Turned, across, make_dial, mark, points, upwards
from .pictures.radius import water_level
from .table import number

__all__ = ["Stop", "dial_stops", "radius_dial"]

TOP, MIDDLE, LOW = 132.0, 158.0, 318.0  # of the drawing: where the histogram ends, the curves begin and end
BINS = 60


@dataclass(frozen=True)
class Stop:
    """What one radius means: the mixture found there, what the log says it earns, what is sure, what is true."""

    share: float
    played: int
    estimate: float
    noise: float
    guarantee: float
    truth: float
    level: float
    weight: float

    @property
    def words(self) -> dict[str, str]:
        """The numbers as the dial shows them."""
        shown = {name: number(getattr(self, name), ".3f") for name in ("estimate", "noise", "guarantee", "truth")}
        return {"radius": number(self.share, ".3g"), "played": f"{self.played:,}"} | shown


def dial_stops(data: OfflineData, decision: TrustDecision, means: ArrayLike) -> list[Stop]:
    """A stop for each radius of the decision's band, smallest first."""
    return [_stop(data, decision, np.asarray(means, dtype=float), i) for i in reversed(range(decision.band.radii.size))]


def _stop(data: OfflineData, decision: TrustDecision, means: Array, i: int) -> Stop:
    band = decision.band
    weights = band.region.policy(data.means, float(band.radii[i]))
    estimate, noise = float(weights @ data.means), float(band.value_widths[i])
    return Stop(
        share=float(band.radii[i] / band.radii[0]),
        played=int(np.count_nonzero(weights)),
        estimate=estimate,
        noise=noise,
        guarantee=estimate - noise,
        truth=float(weights @ means),
        level=water_level(band.region, data.means, float(band.radii[i])),
        weight=float((weights / band.region.reference).max()),
    )


def radius_dial(data: OfflineData, decision: TrustDecision, means: ArrayLike) -> Dial[Stop]:
    """The dial of a decision on a log whose true means are known; the last expression of its cell.

    >>> from trust_helpers import instances, trust
    >>> instance = instances.data_starved(100)
    >>> log = instance.sample(np.random.default_rng(0))
    >>> dial = radius_dial(log, trust(log, 0.1, "calibrated"), instance.means)
    >>> len(dial.stops), len(dial.html) < 30_000
    (40, True)
    """
    truth = np.asarray(means, dtype=float)
    stops = tuple(dial_stops(data, decision, truth))
    start = len(stops) - 1 - int(np.argmax(decision.objective))
    drawing = _Drawing(data, truth, stops, start)
    fixed = drawing.fixed() | {"confidence": number(decision.confidence, ".0%"), "height": f"{LOW + 34:g}", "alt": ALT}
    turned = Turned("radius", "radius", "of the largest")
    return make_dial(stops, start, turned, (DRAWING, READINGS), [drawing.at(stop) for stop in stops], fixed)


class _Drawing:
    """Rewards above, curves below: from numbers to coordinates of the drawing."""

    def __init__(self, data: OfflineData, means: Array, stops: tuple[Stop, ...], start: int) -> None:
        self.stops = stops
        self.low, self.high = float(data.means.min()), float(data.means.max())
        good = means > (means.max() + means.min()) / 2
        edges = np.linspace(self.low, self.high, BINS + 1)
        self.bad, self.good = (np.histogram(data.means[w], edges)[0] for w in (~good, good))
        self.per_weight = 0.6 * (TOP - 14) / stops[start].weight  # at the critical radius the line ends in sight
        values = [v for s in stops for v in (s.estimate, s.guarantee, s.truth)]
        self.least, self.most = min(values), max(values)

    def at(self, stop: Stop) -> dict[str, str]:
        """Where the moving parts are at one stop."""
        # how the weight rises with the reward
        rise = stop.weight / (self.high - stop.level) if stop.level < self.high else 0.0
        corners = [self.low, max(stop.level, self.low), self.high]
        if stop.weight * self.per_weight > TOP:  # the line leaves the drawing before it ends
            corners[2] = stop.level + TOP / (self.per_weight * rise)
        line = [(self._reward(x), TOP - self.per_weight * rise * max(x - stop.level, 0.0)) for x in corners]
        heights = {k: f"{self._value(getattr(stop, k)):.1f}" for k in ("estimate", "guarantee", "truth")}
        return {"line": points(line), "cursor": f"{self._radius(stop.share):.1f}"} | heights

    def fixed(self) -> dict[str, str]:
        """The parts that stay: bars, curves, axes."""
        tops = np.stack([self.bad, self.bad + self.good]) / max((self.bad + self.good).max(), 1)
        ground = np.zeros(BINS)
        shapes = {"bad": self._bars(ground, tops[0]), "good": self._bars(tops[0], tops[1])}
        curves = {
            f"curve_{k}": points([(self._radius(s.share), self._value(getattr(s, k))) for s in self.stops])
            for k in ("estimate", "guarantee", "truth")
        }
        return shapes | curves | {"zero": f"{self._value(0.0):.1f}", "axis": self._axis(), "ticks": self._ticks()}

    def _reward(self, x: float) -> float:
        return (x - self.low) / (self.high - self.low) * WIDTH

    def _radius(self, share: float) -> float:
        return across(share, self.stops[0].share, self.stops[-1].share)

    def _value(self, value: float) -> float:
        return upwards(value, (self.least, self.most), (LOW, MIDDLE))

    def _bars(self, bottom: Array, top: Array) -> str:
        """All bars of one kind as one path."""
        step, scale = WIDTH / BINS, TOP - 14
        parts = [
            f"M{i * step:.1f} {TOP - b * scale:.1f}V{TOP - t * scale:.1f}h{step:.1f}V{TOP - b * scale:.1f}z"
            for i, (b, t) in enumerate(zip(bottom, top, strict=True))
            if t > b
        ]
        return "".join(parts)

    def _axis(self) -> str:
        """Rewards written under the histogram."""
        marks = [m for m in np.arange(np.ceil(self.low), np.floor(self.high) + 1) if self.high - self.low < 40]
        return "".join(mark(self._reward(float(m)), TOP + 14, number(m, ".0f")) for m in marks)

    def _ticks(self) -> str:
        """Radii written under the curves, at powers of ten."""
        powers = range(int(np.ceil(np.log10(self.stops[0].share))), 1)
        return "".join(mark(self._radius(10.0**p), LOW + 16, f"{10.0**p:g}") for p in powers)


ALT = """Above, a histogram of the rewards seen with the line of weights that the mixture gives them. Below, against the
radius, the estimated, the guaranteed and the true value of the mixture, with a cursor at the radius of the dial."""
DRAWING = Template("""<path d="$bad" style="fill: var(--bad)"></path><path d="$good" style="fill: var(--good)"></path>
<text x="2" y="12"><tspan style="fill: var(--trust)">line: how often a reward is played</tspan></text>
<text x="2" y="28">grey: bad arms</text><text x="2" y="44" style="fill: var(--good)">violet: good arms</text>
$axis
<polyline class="weight halo" points="$place_line" data-moves="points:line"></polyline>
<polyline class="weight" points="$place_line" data-moves="points:line"></polyline>
<line x1="0" x2="$width" y1="$zero" y2="$zero" class="guide"></line>
<polyline class="estimate" points="$curve_estimate"></polyline>
<polyline class="truth" points="$curve_truth"></polyline>
<polyline class="guarantee" points="$curve_guarantee"></polyline>
<line class="cursor" x1="$place_cursor" x2="$place_cursor" y1="152" y2="322" data-moves="x1:cursor x2:cursor"></line>
<circle class="estimate" cx="$place_cursor" cy="$place_estimate" data-moves="cx:cursor cy:estimate"></circle>
<circle class="truth" cx="$place_cursor" cy="$place_truth" data-moves="cx:cursor cy:truth"></circle>
<circle class="guarantee" cx="$place_cursor" cy="$place_guarantee" data-moves="cx:cursor cy:guarantee"></circle>
$ticks
""")
READINGS = Template("""<div style="border-color: var(--trust)">
<dt>arms played</dt><dd data-word="played">$word_played</dd></div>
<div style="border-color: var(--estimate); border-top-style: dashed">
<dt>estimate</dt><dd data-word="estimate">$word_estimate</dd></div>
<div style="border-color: #56b4e9"><dt>less noise</dt><dd data-word="noise">$word_noise</dd></div>
<div style="border-color: var(--bound)"><dt>sure at $confidence</dt><dd data-word="guarantee">$word_guarantee</dd></div>
<div style="border-color: var(--truth)"><dt>truth</dt><dd data-word="truth">$word_truth</dd></div>
""")
