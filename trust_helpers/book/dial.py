"""Dials in a page that needs no network: for the radius of a log, the number of arms, a triangle of policies.

A dial knows everything it can show: what it says at each of its stops, and where the moving parts of its drawing are
then. Both are written into the page, ``dial.html.j2``, and its script only looks them up: ``data-word="truth"`` shows
that word of the stop, and ``data-moves="cx:cursor cy:truth"`` takes attributes from the stop's places. Without the
script the page shows the first stop. Colours follow the page, light or dark.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from ..checks import Array
from ..data import OfflineData
from ..decision import TrustDecision
from ..errors import DataError
from ..region import TrustRegion
from .notebook import number
from .pictures import water_level

Stop = Mapping[str, float]
Texts = dict[str, str]

WIDTH, EDGE = 480.0, 6.0  # of a drawing, and how far from its sides the scale begins
TOP, MIDDLE, LOW, BINS = 132.0, 158.0, 318.0, 60  # of the radius: where the histogram ends, the curves begin and end
ARMS_TOP, ARMS_LOW = 18.0, 218.0  # of the arms: between these ordinates are the curves
SIDE, MARGIN = 260.0, 110.0  # of the triangle, and what is left beside it
HEIGHT = SIDE * np.sqrt(3) / 2 + 40
CORNERS = np.array([MARGIN, HEIGHT - 22]) + SIDE * np.array([[0, 0], [1, 0], [0.5, -np.sqrt(3) / 2]])
CURVES = {"estimate": ("estimate", "estimate"), "truth": ("truth", "truth"), "guarantee": ("sure", "bound")}
EARNED = {"cloning": "behaviour", "single": "greedy", "trust": "trust"}  # and their colours
PROMISED = {"cloning_promise": "behaviour", "lcb_promise": "lcb", "trust_promise": "trust"}


@dataclass(frozen=True)
class Dial:
    """A page's dial: the numbers, words and places of each stop, at which stop it starts, and the page itself."""

    stops: tuple[Stop, ...]
    words: tuple[Texts, ...]
    places: tuple[Texts, ...]
    start: int
    html: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Texts:
        said = (f"{name}: {text}" for name, text in self.words[self.start].items())
        return {"text/html": self.html, "text/plain": f"a dial of {len(self.stops)} stops, at\n" + "\n".join(said)}


def _made(
    stops: Sequence[Stop], start: int, words: Sequence[Texts], places: Sequence[Texts], drawing: Sequence[str],
    readings: Sequence[str], height: float, **page: object,
) -> Dial:  # fmt: skip
    """The dial: ``page`` has the word that is ``turned`` and how it is announced; NAME in a drawing is the page's."""
    from jinja2 import Template  # takes longer to import than all the rest

    known = json.dumps({"words": words, "places": places}, separators=(",", ":"), ensure_ascii=False)
    name = "dial-" + sha256(known.encode()).hexdigest()[:12]
    page |= {"drawing": "\n".join(drawing).replace("NAME", name), "readings": "\n".join(readings), "name": name}
    page |= {"width": f"{WIDTH:g}", "height": f"{height:.0f}"}
    page |= {"last": len(stops) - 1, "start": start, "words": words[start], "known": known}
    source = Path(__file__).with_name("dial.html.j2").read_text(encoding="utf-8")
    html = Template(source, keep_trailing_newline=True).render(page)
    return Dial(tuple(stops), tuple(words), tuple(places), start, html)


def radius_dial(data: OfflineData, decision: TrustDecision, means: ArrayLike) -> Dial:
    """The dial of a decision on a log whose true means are known; the last expression of its cell.

    >>> from trust_helpers import instances, trust
    >>> instance = instances.data_starved(100)
    >>> log = instance.sample(np.random.default_rng(0))
    >>> dial = radius_dial(log, trust(log, 0.1, "calibrated"), instance.means)
    >>> len(dial.stops), len(dial.html) < 30_000
    (40, True)
    """
    stops = radius_stops(data, decision, means)
    start, least = len(stops) - 1 - int(np.argmax(decision.objective)), stops[0]["radius"]
    values = [stop[name] for stop in stops for name in CURVES]
    across = [_across(stop["radius"], least, 1) for stop in stops]
    at = {name: [_up(stop[name], (min(values), max(values)), (LOW, MIDDLE)) for stop in stops] for name in CURVES}
    zero = _up(0, (min(values), max(values)), (LOW, MIDDLE))
    lines = _weight_lines(data.means, stops, 0.6 * (TOP - 14) / stops[start]["weight"])
    places = _places(across, at, line=lines)
    words = [
        {"radius": number(stop["radius"], ".3g"), "played": f"{stop['played']:,.0f}"}
        | {name: number(stop[name], ".3f") for name in ("estimate", "noise", "guarantee", "truth")}
        for stop in stops
    ]
    weights = f'points="{lines[start]}" data-moves="points:line"></polyline>'
    drawing = [
        _bars(data.means, np.asarray(means, dtype=float)),
        '<text x="2" y="12" style="fill: var(--trust)">line: how often a reward is played</text>'
        '<text x="2" y="28">grey: bad arms</text>'
        '<text x="2" y="44" style="fill: var(--good)">violet: good arms</text>',
        f'<polyline class="weight halo" {weights}<polyline class="weight" {weights}',
        _guide(zero),
        *(_curve(across, at[name], CURVES[name][1], f'class="{name}"') for name in CURVES),
        _names(across, at),
        _cursor(places[start], 152, 322),
        *(_dot(places[start], name, CURVES[name][1], name) for name in CURVES),
        *(_mark(_across(10.0**k, least, 1), LOW + 16, f"{10.0**k:g}") for k in range(int(np.ceil(np.log10(least))), 1)),
    ]
    titles = {"played": ("arms played", "trust"), "estimate": ("estimate", "estimate")}
    titles |= {"noise": ("&minus; noise", "noise")}
    titles |= {"guarantee": (f"sure at {number(decision.confidence, '.0%')}", "bound"), "truth": ("truth", "truth")}
    readings = [_reading(title, colour, _word(words[start], name)) for name, (title, colour) in titles.items()]
    turned = {"turned": "radius", "before": "radius", "after": "of the largest", "alt": RADIUS_ALT}
    return _made(stops, start, words, places, drawing, readings, LOW + 34, **turned)


def radius_stops(data: OfflineData, decision: TrustDecision, means: ArrayLike) -> list[dict[str, float]]:
    """What each radius of the decision's band means, the smallest first: the mixture found there, what the log says it
    earns, the noise that is subtracted, what is sure, what is true, and where the water level stands."""
    band, stops = decision.band, []
    for radius, noise in zip(band.radii[::-1].tolist(), band.value_widths[::-1].tolist(), strict=True):
        weights = band.region.policy(data.means, radius)
        estimate = float(weights @ data.means)
        stop = {"radius": radius / float(band.radii[0]), "played": float(np.count_nonzero(weights))}
        stop |= {"estimate": estimate, "noise": noise, "guarantee": estimate - noise}
        stop |= {"truth": float(weights @ np.asarray(means)), "level": water_level(band.region, data.means, radius)}
        stops.append(stop | {"weight": float((weights / band.region.reference).max())})
    return stops


def _weight_lines(rewards: Array, stops: Sequence[Stop], per_weight: float) -> list[str]:
    """For each stop how the weight rises with the reward, as a line that ends where it leaves the drawing."""
    low, high, lines = float(rewards.min()), float(rewards.max()), []
    for stop in stops:
        level, weight = stop["level"], stop["weight"]
        rise = weight / (high - level) if level < high else 0.0
        corners = [low, max(level, low), high if weight * per_weight <= TOP else level + TOP / (per_weight * rise)]
        heights = [TOP - per_weight * rise * max(x - level, 0.0) for x in corners]
        lines.append(_points((WIDTH * (x - low) / (high - low), y) for x, y in zip(corners, heights, strict=True)))
    return lines


def _bars(rewards: Array, means: Array) -> str:
    """The histogram of the rewards, good arms stacked on bad ones, each kind as one path; and the rewards under it."""
    low, high = float(rewards.min()), float(rewards.max())
    edges, good = np.linspace(low, high, BINS + 1), means > (means.max() + means.min()) / 2
    tops = np.cumsum([np.zeros(BINS), *(np.histogram(rewards[kind], edges)[0] for kind in (~good, good))], axis=0)
    heights, step, parts = TOP - (TOP - 14) * tops / max(tops[-1].max(), 1), WIDTH / BINS, []
    for kind, below, above in zip(("bad", "good"), heights[:2], heights[1:], strict=True):
        pairs = enumerate(zip(below, above, strict=True))
        bars = (f"M{i * step:.1f} {b:.1f}V{t:.1f}h{step:.1f}V{b:.1f}z" for i, (b, t) in pairs if t < b)
        parts.append(f'<path d="{"".join(bars)}" style="fill: var(--{kind})"></path>')
    whole = np.arange(np.ceil(low), np.floor(high) + 1) if high - low < 40 else ()
    parts += [_mark(WIDTH * (m - low) / (high - low), TOP + 14, number(m, ".0f")) for m in whole]
    return "".join(parts)


def _names(across: Sequence[float], at: Mapping[str, Sequence[float]]) -> str:
    """The names of the three curves, each beside its own where the others are far."""
    texts = []
    for name, (text, colour) in CURVES.items():
        others = [at[other] for other in CURVES if other != name]
        room = [min(abs(y - other[i]) for other in others) for i, y in enumerate(at[name])]
        inside = [i for i, x in enumerate(across) if 60 <= x <= WIDTH - 70]
        i = max(inside or range(len(across)), key=room.__getitem__)
        right, down, side = (6, -4, "start") if name == "truth" else (-6, 14 if name == "guarantee" else -4, "end")
        texts.append(_text(across[i] + right, at[name][i] + down, side, colour, text, 'class="name" '))
    return "".join(texts)


def arms_dial(stops: Sequence[Stop], start: int) -> Dial:
    """A dial for the number of arms: what methods earn and promise, first shown at the stop of number ``start``.

    A stop has ``arms``; what is earned by the one arm that greedy and LCB both choose (``single``), by ``cloning`` and
    by ``trust``; and ``lcb_promise``, ``cloning_promise``, ``trust_promise``.

    >>> names = ("arms", *EARNED, *PROMISED)
    >>> stops = [dict(zip(names, (d, 0.5, 0.9, 0.7, 0.3, 0.1, 0.4))) for d in (10, 100, 1_000)]
    >>> dial = arms_dial(stops, 1)
    >>> dial.words[1]["arms"], dial.words[1]["lcb_promise"], len(dial.html) < 20_000
    ('100', '0.10', True)
    """
    colours, first, last = EARNED | PROMISED, stops[0]["arms"], stops[-1]["arms"]
    scale, drawn = (min(stop["lcb_promise"] for stop in stops), 1.0), (ARMS_LOW, ARMS_TOP)
    across = [_across(stop["arms"], first, last) for stop in stops]
    at = {name: [_up(stop[name], scale, drawn) for stop in stops] for name in colours}
    places = _places(across, at)
    words = [{"arms": f"{s['arms']:,.0f}"} | {name: number(s[name], ".2f") for name in colours} for s in stops]
    falls = next((i for i, stop in enumerate(stops) if stop["single"] < 0.3), len(stops) - 1)
    levels = {value: _up(value, scale, drawn) for value in (1, 0.5, 0)}
    drawing = [
        *(f'{_guide(y)}<text x="0" y="{y - 3:.1f}">{value:g}</text>' for value, y in levels.items()),
        *(_mark(_across(10**k, first, last), ARMS_LOW + 16, f"{10**k:,}") for k in range(1, 7) if 10**k <= last),
        *(_curve(across, at[name], colour) for name, colour in EARNED.items()),
        *(_curve(across, at[name], colour, 'stroke-dasharray="5 4"') for name, colour in PROMISED.items()),
        _text(WIDTH - 2, at["trust"][-1] + 16, "end", "trust", "TRUST"),
        _text(WIDTH - 2, at["cloning"][-1] + 16, "end", "behaviour", "cloning"),
        _text(across[falls] - 20, _up(0.2, scale, drawn), "end", "greedy", "greedy, LCB"),
        _text(WIDTH - 2, at["lcb_promise"][-1] - 6, "end", "lcb", "LCB's promise"),
        _cursor(places[start], 10, 224),
        *(_dot(places[start], name, colour, "promised") for name, colour in PROMISED.items()),
        *(_dot(places[start], name, colour, "earned") for name, colour in EARNED.items()),
    ]
    methods = {"greedy": ("single", ""), "LCB": ("single", "lcb_promise")}
    methods |= {"cloning": ("cloning", "cloning_promise"), "TRUST": ("trust", "trust_promise")}
    readings = []
    for title, (earned, promised) in methods.items():
        sure = f"sure {_word(words[start], promised)}" if promised else "no promise"
        lines = f"<span>earns {_word(words[start], earned)}</span><span>{sure}</span>"
        readings.append(_reading(title, colours[promised or earned], lines))
    turned = {"turned": "arms", "before": "number of arms", "alt": ARMS_ALT}
    return _made(stops, start, words, places, drawing, readings, ARMS_LOW + 24, **turned)


def triangle_dial(region: TrustRegion, rewards: ArrayLike, names: Sequence[str]) -> Dial:
    """Trust regions over three arms, of forty radii from none to the largest, and the best policy of each.

    >>> region = TrustRegion([6.0, 3.0, 1.0])
    >>> made = triangle_dial(region, [0.1, 0.6, 1.0], ["one", "two", "three"])
    >>> [round(made.stops[i]["share_2"], 9) for i in (0, -1)], len(made.html) < 60_000
    ([0.1, 1.0], True)
    """
    radii, start = np.linspace(0, region.largest_radius, 40).tolist(), 13
    policies = [region.policy(rewards, radius) for radius in radii]
    shares = [{f"share_{i}": float(weight) for i, weight in enumerate(policy)} for policy in policies]
    stops = [{"radius": radius, **share} for radius, share in zip(radii, shares, strict=True)]
    words = [{name: number(x, ".2f" if name == "radius" else ".0%") for name, x in stop.items()} for stop in stops]
    path = [region.policy(rewards, radius) for radius in np.linspace(0, region.largest_radius, 200).tolist()]
    (x, y), trail = (np.array(policies) @ CORNERS).T, (np.array(path) @ CORNERS).T
    rims = [_points(rim_of_region(region, radius) @ CORNERS) for radius in radii]
    places = _places(x, {"best": y}, rim=rims)
    shifts = ((0, 17, "middle"), (0, 17, "middle"), (10, 6, "start"))
    drawing = [
        f'<clipPath id="NAME-inside"><polygon points="{_points(CORNERS)}"></polygon></clipPath>',
        f'<polygon class="whole" points="{_points(CORNERS)}"></polygon>',
        f'<polygon class="rim" points="{rims[start]}" clip-path="url(#NAME-inside)" data-moves="points:rim"></polygon>',
        _curve(trail[0], trail[1], "trust"),
        '<circle cx="{:.1f}" cy="{:.1f}" style="fill: var(--behaviour)"></circle>'.format(*region.reference @ CORNERS),
        _dot(places[start], "best", "trust", "promised"),
        *(
            f'<text x="{x + right:.0f}" y="{y + down:.0f}" text-anchor="{side}">{escape(name)}</text>'
            for (x, y), (right, down, side), name in zip(CORNERS, shifts, names, strict=True)
        ),
    ]
    readings = [_reading(escape(name), "trust", _word(words[start], f"share_{i}")) for i, name in enumerate(names)]
    turned = {"turned": "radius", "before": "radius", "alt": TRIANGLE_ALT}
    return _made(stops, start, words, places, drawing, readings, HEIGHT, **turned)


def rim_of_region(region: TrustRegion, radius: float) -> Array:
    r"""Points (48, 3) at distance ``radius`` from the reference whose entries sum to one: an ellipse in the triangle's
    plane, which may leave the triangle.

    >>> region = TrustRegion([6.0, 3.0, 1.0])
    >>> {round(region.norm(step), 9) for step in rim_of_region(region, 0.3) - region.reference}
    {0.3}
    """
    if region.n_arms != 3:
        raise DataError(f"there are {region.n_arms} arms: a triangle shows three")
    root, angles = np.sqrt(region.precision), np.linspace(0, 2 * np.pi, 48, endpoint=False)
    flat = root[:, None] * linalg.null_space(root[None])  # steps of length one that sum to zero
    return np.asarray(region.reference + radius * np.c_[np.cos(angles), np.sin(angles)] @ flat.T)


def _places(across: Iterable[float], at: Mapping[str, Sequence[float]], **more: Sequence[str]) -> list[Texts]:
    """Where the parts are at each stop: the cursor, heights by name, and what is ready as text."""
    return [
        {name: _points([[height]]) for name, height in [("cursor", x), *((name, at[name][i]) for name in at)]}
        | {name: texts[i] for name, texts in more.items()}
        for i, x in enumerate(across)
    ]


def _points(places: Iterable[Iterable[float]]) -> str:
    """Places as a polyline has them.

    >>> _points([(0, 1), (2.25, 3)])
    '0.0,1.0 2.2,3.0'
    """
    return " ".join(",".join(f"{round(one, 1) + 0.0:.1f}" for one in place) for place in places)  # no minus zero


def _curve(x: Iterable[float], y: Iterable[float], colour: str, how: str = "") -> str:
    return f'<polyline {how} points="{_points(zip(x, y, strict=True))}" style="stroke: var(--{colour})"></polyline>'


def _guide(y: float) -> str:
    return f'<line x1="0" x2="{WIDTH:g}" y1="{y:.1f}" y2="{y:.1f}" class="guide"></line>'


def _cursor(place: Texts, top: int, low: int) -> str:
    x = place["cursor"]
    return f'<line class="cursor" x1="{x}" x2="{x}" y1="{top}" y2="{low}" data-moves="x1:cursor x2:cursor"></line>'


def _dot(place: Texts, name: str, colour: str, kind: str) -> str:
    where = f'cx="{place["cursor"]}" cy="{place[name]}" data-moves="cx:cursor cy:{name}"'
    return f'<circle class="{kind}" {where} style="--one: var(--{colour})"></circle>'


def _text(x: float, y: float, side: str, colour: str, text: str, how: str = "") -> str:
    return f'<text {how}x="{x:.1f}" y="{y:.1f}" text-anchor="{side}" style="fill: var(--{colour})">{text}</text>'


def _mark(x: float, y: float, text: str) -> str:
    """Text under a scale, that does not leave the drawing."""
    side = "end" if x > WIDTH - 20 else "start" if x < 20 else "middle"
    return f'<text x="{x:.1f}" y="{y:.0f}" text-anchor="{side}">{text}</text>'


def _word(words: Texts, name: str) -> str:
    return f'<b data-word="{name}">{escape(words[name])}</b>'


def _reading(title: str, colour: str, lines: str) -> str:
    return f'<div style="border-color: var(--{colour})">{title} {lines}</div>'


def _across(value: float, low: float, high: float) -> float:
    """The abscissa of a value on a logarithmic scale.

    >>> _across(10, 10, 1000), _across(100, 10, 1000), _across(1000, 10, 1000)
    (6.0, 240.0, 474.0)
    """
    return EDGE + (WIDTH - 2 * EDGE) * log(value / low) / log(high / low)


def _up(value: float, scale: tuple[float, float], drawn: tuple[float, float]) -> float:
    """The ordinate of a value, where the scale's ends are drawn at the given ordinates.

    >>> _up(0.5, (0.0, 1.0), (300.0, 100.0))
    200.0
    """
    return drawn[0] + (value - scale[0]) / (scale[1] - scale[0]) * (drawn[1] - drawn[0])


RADIUS_ALT = """Above, a histogram of the rewards seen with the line of weights that the mixture gives them. Below,
against the radius, the estimated, the guaranteed and the true value of the mixture, with a cursor."""
ARMS_ALT = """Against the number of arms on a logarithmic scale, what greedy and LCB, cloning and TRUST earn, and dashed
what LCB, cloning and TRUST promise, with a cursor at the number of the dial."""
TRIANGLE_ALT = """A triangle of policies with the trust region of the dial's radius around the reference, the best
policy in it, and the path of the best policies."""
