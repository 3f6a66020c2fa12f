"""The machinery of a dial in a page: style, frame and script, for whatever is turned.

A dial knows everything it can show: what it says at each of its stops, and where the moving parts of its drawing are
then. Both are written into the page when it is built; the script looks them up. An element with ``data-word`` shows a
word of the stop; one with ``data-moves="cx:cursor cy:truth"`` takes its attributes from the stop's places.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from math import log
from string import Template
from typing import Any, Generic, Protocol, TypeVar

__all__ = ["WIDTH", "Dial", "Turned", "across", "make_dial", "mark", "points", "upwards"]

WIDTH, EDGE = 480.0, 6.0  # of a drawing, and how far from its sides the scale begins


class HasWords(Protocol):
    """A stop of a dial."""

    @property
    def words(self) -> dict[str, str]:
        """What the dial says there."""


Stops = TypeVar("Stops", bound=HasWords)


@dataclass(frozen=True)
class Turned:
    """What a dial turns: the name of its word, and how the label reads before and after it."""

    word: str
    before: str
    after: str


@dataclass(frozen=True)
class Dial(Generic[Stops]):
    """A page's dial, at the stop ``start``."""

    stops: tuple[Stops, ...]
    start: int
    html: str
    turned: Turned

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        lines = (f"{name}: {text}" for name, text in self.stops[self.start].words.items())
        return {"text/html": self.html, "text/plain": f"a dial: {self.turned.before}\n" + "\n".join(lines)}


def make_dial(
    stops: Sequence[Stops],
    start: int,
    turned: Turned,
    parts: tuple[Template, Template],
    places: Sequence[Mapping[str, str]],
    fixed: Mapping[str, str],
) -> Dial[Stops]:
    """The page of a dial whose drawing and readings are the two ``parts``.

    In the parts ``$word_NAME`` and ``$place_NAME`` are those of the first stop shown, other names come from ``fixed``:
    at least ``height`` and ``alt``.
    """
    known = {"words": [stop.words for stop in stops], "places": list(places)}
    text = json.dumps(known, separators=(",", ":"), ensure_ascii=False)
    words = {f"word_{name}": escape(word) for name, word in stops[start].words.items()}
    given = {
        **fixed,
        **words,
        **{f"place_{name}": place for name, place in places[start].items()},
        "width": f"{WIDTH:g}",
    }
    drawing, readings = (part.substitute(given) for part in parts)
    now = words["word_" + turned.word]
    html = PAGE.substitute(
        name="dial-" + sha256(text.encode()).hexdigest()[:12], known=text, last=len(stops) - 1, start=start,
        drawing=drawing, readings=readings, width=f"{WIDTH:g}", height=fixed["height"], alt=escape(fixed["alt"]),
        word=turned.word, now=now, said=f"{now} {turned.after}".strip(), before=turned.before, after=turned.after,
    )  # fmt: skip
    return Dial(tuple(stops), start, html, turned)


def across(value: float, low: float, high: float) -> float:
    """The abscissa of a value on a logarithmic scale.

    >>> across(10, 10, 1000), across(100, 10, 1000), across(1000, 10, 1000)
    (6.0, 240.0, 474.0)
    """
    return EDGE + (WIDTH - 2 * EDGE) * log(value / low) / log(high / low)


def upwards(value: float, scale: tuple[float, float], drawn: tuple[float, float]) -> float:
    """The ordinate of a value, where the scale's ends are drawn at the given ordinates.

    >>> upwards(0.5, (0.0, 1.0), (300.0, 100.0))
    200.0
    """
    return drawn[0] + (value - scale[0]) / (scale[1] - scale[0]) * (drawn[1] - drawn[0])


def mark(x: float, y: float, text: str) -> str:
    """Text under a scale, that does not leave the drawing."""
    side = "end" if x > WIDTH - 20 else "start" if x < 20 else "middle"
    return f'<text x="{x:.1f}" y="{y:.0f}" text-anchor="{side}">{text}</text>'


def points(places: Sequence[tuple[float, float]]) -> str:
    """Places as a polyline has them, with no minus before a zero.

    >>> points([(0, 1), (2.25, 3)])
    '0.0,1.0 2.2,3.0'
    >>> points([(-0.01, 0)])
    '0.0,0.0'
    """
    return " ".join(f"{round(x, 1) + 0.0:.1f},{round(y, 1) + 0.0:.1f}" for x, y in places)


PAGE = Template("""<div class="dial" id="$name">
<style>
.dial { --paper: #fff; --good: #5d3a9b; --bad: #c4c4c4; --trust: #0072b2; --bound: #b84a00; --truth: #000;
  --estimate: #5f5f5f; --lcb: #a8477f; --greedy: #946200; --behaviour: #007a58; max-width: 34rem; margin: 0 auto;
  text-align: left; }
html[data-theme="dark"] .dial { --paper: #14181e; --good: #a78be6; --bad: #6d6d6d; --trust: #5bb0ee; --bound: #ff9d5c;
  --truth: #fff; --estimate: #b5b5b5; --lcb: #e79bc4; --greedy: #f0b429; --behaviour: #3fcfa2; }
.dial svg { display: block; width: 100%; height: auto; overflow: visible; }
.dial svg text { font: 13px sans-serif; fill: currentColor; }
.dial polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.dial .estimate { stroke: var(--estimate); stroke-dasharray: 6 3; }
.dial .guarantee { stroke: var(--bound); }
.dial .truth { stroke: var(--truth); }
.dial .weight { stroke: var(--trust); stroke-width: 3; }
.dial .halo { stroke: var(--paper); stroke-width: 6; }
.dial .cursor { stroke: currentColor; stroke-dasharray: 2 3; }
.dial .guide { stroke: currentColor; stroke-opacity: 0.35; }
.dial circle { stroke-width: 2.5; r: 4.5px; fill: currentColor; }
.dial circle.estimate { fill: var(--estimate); stroke-dasharray: none; }
.dial circle.guarantee { fill: var(--bound); }
.dial circle.truth { fill: #fff; }
.dial circle.earned { fill: var(--paper); }
.dial input { width: 100%; margin: 0.2rem 0; accent-color: var(--trust); }
.dial label { display: block; font-size: 0.9rem; }
.dial dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.2rem, 1fr)); gap: 0.2rem 0.6rem;
  margin: 0.3rem 0 0; }
.dial dl:has(> :nth-child(4):last-child) { grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); }
.dial dl div { border-top: 3px solid currentColor; padding-top: 0.1rem; }
.dial dt { font-weight: normal; font-size: 0.85rem; }
.dial dd small { font-weight: normal; }
.dial dd { margin: 0; font-size: 1.1rem; font-weight: 600; font-variant-numeric: tabular-nums; }
</style>
<svg viewBox="0 0 $width $height" role="img" aria-label="$alt">
$drawing</svg>
<label>$before <output>$now</output> $after
<input type="range" min="0" max="$last" step="1" value="$start" aria-label="$before"
 aria-valuetext="$said"></label>
<dl>
$readings</dl>
</div>
<script>
setTimeout(function () {
  const known = $known;
  const box = document.getElementById("$name");
  const range = box.querySelector("input");
  range.addEventListener("input", function () {
    const words = known.words[range.value], places = known.places[range.value];
    box.querySelector("output").textContent = words.$word;
    range.setAttribute("aria-valuetext", (words.$word + " $after").trim());
    for (const part of box.querySelectorAll("[data-word]")) part.textContent = words[part.dataset.word];
    for (const part of box.querySelectorAll("[data-moves]")) {
      for (const move of part.dataset.moves.split(" ")) {
        const [attribute, place] = move.split(":");
        part.setAttribute(attribute, places[place]);
      }
    }
  });
}, 0);
</script>
""")
