"""A dial for the radius, in a page that needs no network: turn it and see which arms are played and what is promised.

Everything it shows is computed here, at every radius of the band, and written into the page as numbers and as
coordinates of a drawing; the script in the page only looks them up. Without the script the page shows the critical
radius. It takes its colours from the page, light or dark.
"""

import json
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Array
from ..data import OfflineData
from ..decision import TrustDecision
from .dial_page import PAGE
from .pictures.radius import water_level
from .table import number

__all__ = ["Dial", "Stop", "dial_stops", "radius_dial"]

WIDTH, TOP, MIDDLE, LOW = 480.0, 132.0, 158.0, 318.0  # of the drawing: its width, where histogram and curves begin, end
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


@dataclass(frozen=True)
class Dial:
    """A page's dial, at the stop ``start``."""

    stops: tuple[Stop, ...]
    start: int
    html: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        stop = self.stops[self.start]
        lines = (f"{name}: {text}" for name, text in stop.words.items())
        return {"text/html": self.html, "text/plain": "a dial of the radius\n" + "\n".join(lines)}


def radius_dial(data: OfflineData, decision: TrustDecision, means: ArrayLike) -> Dial:
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
    moving = [drawing.at(stop) for stop in stops]
    known = {"words": [stop.words for stop in stops], "places": moving}
    text = json.dumps(known, separators=(",", ":"), ensure_ascii=False)
    words = {f"word_{name}": escape(word) for name, word in stops[start].words.items()}
    places = {f"place_{name}": value for name, value in moving[start].items()}
    html = PAGE.substitute(
        name="dial-" + sha256(text.encode()).hexdigest()[:12], known=text, last=len(stops) - 1, start=start,
        confidence=number(decision.confidence, ".0%"), width=WIDTH, height=LOW + 34,
        **drawing.fixed(), **words, **places,
    )  # fmt: skip
    return Dial(stops, start, html)


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
        rise = (
            stop.weight / (self.high - stop.level) if stop.level < self.high else 0.0
        )  # of the weight with the reward
        corners = [self.low, max(stop.level, self.low), self.high]
        if stop.weight * self.per_weight > TOP:  # the line leaves the drawing before it ends
            corners[2] = stop.level + TOP / (self.per_weight * rise)
        line = [(self._reward(x), TOP - self.per_weight * rise * max(x - stop.level, 0.0)) for x in corners]
        heights = {k: f"{self._value(getattr(stop, k)):.1f}" for k in ("estimate", "guarantee", "truth")}
        return {"line": _points(line), "cursor": f"{self._radius(stop.share):.1f}"} | heights

    def fixed(self) -> dict[str, str]:
        """The parts that stay: bars, curves, axes."""
        tops = np.stack([self.bad, self.bad + self.good]) / max((self.bad + self.good).max(), 1)
        ground = np.zeros(BINS)
        shapes = {"bad": self._bars(ground, tops[0]), "good": self._bars(tops[0], tops[1])}
        curves = {
            f"curve_{k}": _points([(self._radius(s.share), self._value(getattr(s, k))) for s in self.stops])
            for k in ("estimate", "guarantee", "truth")
        }
        return shapes | curves | {"zero": f"{self._value(0.0):.1f}", "axis": self._axis(), "ticks": self._ticks()}

    def _reward(self, x: float) -> float:
        return (x - self.low) / (self.high - self.low) * WIDTH

    def _radius(self, share: float) -> float:
        return (1 - np.log(share) / np.log(self.stops[0].share)) * (WIDTH - 12) + 6

    def _value(self, value: float) -> float:
        return LOW - (value - self.least) / (self.most - self.least) * (LOW - MIDDLE)

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
        return "".join(_mark(self._reward(float(m)), TOP + 14, number(m, ".0f")) for m in marks)

    def _ticks(self) -> str:
        """Radii written under the curves, at powers of ten."""
        powers = range(int(np.ceil(np.log10(self.stops[0].share))), 1)
        return "".join(_mark(self._radius(10.0**p), LOW + 16, f"{10.0**p:g}") for p in powers)


def _mark(x: float, y: float, text: str) -> str:
    side = "end" if x > WIDTH - 20 else "start" if x < 20 else "middle"
    return f'<text x="{x:.1f}" y="{y:.0f}" text-anchor="{side}">{text}</text>'


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
