"""A triangle of policies with a slider for the radius, in a page that needs no network.

Every position is computed here and written into the page as coordinates and words; the script only looks them up.
Without it the page shows the first position. Colours follow the page, light or dark.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from string import Template
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Array, whole_number
from ..region import TrustRegion
from .dial_page import points
from .figures import simplex_xy
from .pictures.triangle import path_of_best_policies, rim_of_region
from .table import number

__all__ = ["TriangleSlider", "triangle_slider"]

SIDE, MARGIN = 360.0, 40.0
HEIGHT = SIDE * np.sqrt(3) / 2 + MARGIN


@dataclass(frozen=True)
class TriangleSlider:
    """A page's slider: the radii it offers, the best policy at each (n, 3), and the page itself."""

    radii: Array
    policies: Array
    html: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        words = f"a slider of {self.radii.size} radii from 0 to {self.radii[-1]:.3f}"
        return {"text/html": self.html, "text/plain": words}


def triangle_slider(
    region: TrustRegion, rewards: ArrayLike, names: Sequence[str], frames: int = 40, start: int | None = None
) -> TriangleSlider:
    """Trust regions of ``frames`` radii, from none to the largest, and the best policy of each.

    >>> region = TrustRegion([6.0, 3.0, 1.0])
    >>> made = triangle_slider(region, [0.1, 0.6, 1.0], ["one", "two", "three"])
    >>> first, last = made.policies[[0, -1]].round(2).tolist()
    >>> first, last, len(made.html) < 60_000
    ([0.6, 0.3, 0.1], [0.0, 0.0, 1.0], True)
    """
    radii = np.linspace(0, region.largest_radius, whole_number(frames, "frames", least=2))
    policies = np.array([region.policy(rewards, float(eps)) for eps in radii])
    first = frames // 3 if start is None else start
    known = [_position(region, float(eps), policy) for eps, policy in zip(radii, policies, strict=True)]
    text = json.dumps(known, separators=(",", ":"), ensure_ascii=False)
    shown = {key: escape(str(value)) for key, value in known[first].items() if key != "shares"}
    shares = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(share)}</dd></div>"
        for name, share in zip(names, known[first]["shares"], strict=True)
    )
    html = PAGE.substitute(
        name="triangle-" + sha256(text.encode()).hexdigest()[:12], known=text, last=frames - 1, start=first,
        width=SIDE + 2 * MARGIN, height=f"{HEIGHT:.0f}", corners=_points(np.eye(3)), labels=_labels(names),
        trail=_points(path_of_best_policies(region, rewards)), home=_circle(region.reference), shares=shares, **shown,
    )  # fmt: skip
    return TriangleSlider(radii, policies, html)


def _position(region: TrustRegion, radius: float, policy: Array) -> dict[str, Any]:
    """What the slider shows at one radius."""
    x, y = _place(policy)
    return {
        "radius": number(radius, ".2f"),
        "rim": _points(rim_of_region(region, radius, 48)),
        "x": f"{x:.1f}",
        "y": f"{y:.1f}",
        "shares": [number(share, ".0%") for share in policy],
    }


def _place(policies: ArrayLike) -> Array:
    """Policies as points of the drawing, whose ordinate points down."""
    return np.array([MARGIN, HEIGHT - 22]) + SIDE * np.array([1, -1]) * simplex_xy(policies)


def _points(policies: ArrayLike) -> str:
    return points(_place(policies).tolist())


def _circle(policy: Array) -> str:
    x, y = _place(policy)
    return f'cx="{x:.1f}" cy="{y:.1f}"'


def _labels(names: Sequence[str]) -> str:
    """The corners' names: below the two lower ones and not beyond the drawing's edge, beside the upper one."""
    shifts = ((-MARGIN, 17, "start"), (MARGIN, 17, "end"), (10, 6, "start"))
    places = zip(_place(np.eye(3)), shifts, names, strict=True)
    return "".join(
        f'<text x="{x + right:.0f}" y="{y + down:.0f}" text-anchor="{side}">{escape(name)}</text>'
        for (x, y), (right, down, side), name in places
    )


PAGE = Template("""<div class="triangle" id="$name">
<style>
.triangle { --ground: #f7f7f7; --trust: #0072b2; --noise: #56b4e9; --home: #009e73; max-width: 30rem; margin: 0 auto; }
html[data-theme="dark"] .triangle { --ground: #20262e; --trust: #5bb0ee; --home: #3fcfa2; }
.triangle svg { display: block; width: 100%; height: auto; overflow: visible; }
.triangle svg text { font: 13px sans-serif; fill: currentColor; }
.triangle .whole { fill: var(--ground); stroke: currentColor; stroke-width: 1.4; }
.triangle .rim { fill: var(--noise); fill-opacity: 0.35; stroke: var(--noise); stroke-width: 2; }
.triangle .trail { fill: none; stroke: var(--trust); stroke-width: 2; }
.triangle .best { fill: var(--trust); }
.triangle .home { fill: var(--home); }
.triangle input { width: 100%; margin: 0.2rem 0; accent-color: var(--trust); }
.triangle label { display: block; font-size: 0.9rem; }
.triangle dl { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.6rem; margin: 0.2rem 0 0; }
.triangle dl div { border-top: 3px solid var(--trust); }
.triangle dt { font-weight: normal; font-size: 0.85rem; }
.triangle dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
</style>
<svg viewBox="0 0 $width $height" role="img" aria-label="A triangle of policies with the trust region of the slider's
radius around the reference, the best policy in it, and the path of the best policies.">
<clipPath id="$name-inside"><polygon points="$corners"></polygon></clipPath>
<polygon class="whole" points="$corners"></polygon>
<polygon class="rim" points="$rim" clip-path="url(#$name-inside)"></polygon>
<polyline class="trail" points="$trail"></polyline>
<circle class="home" r="5.5" $home></circle>
<circle class="best" r="6" cx="$x" cy="$y"></circle>
$labels
</svg>
<label>radius <output>$radius</output>
<input type="range" min="0" max="$last" step="1" value="$start" aria-label="Radius" aria-valuetext="$radius"></label>
<dl>$shares</dl>
</div>
<script>
setTimeout(function () {
  const known = $known;
  const box = document.getElementById("$name");
  const find = (what) => box.querySelector(what);
  const range = find("input");
  range.addEventListener("input", function () {
    const now = known[range.value];
    find("output").textContent = now.radius;
    range.setAttribute("aria-valuetext", now.radius);
    find(".rim").setAttribute("points", now.rim);
    find(".best").setAttribute("cx", now.x);
    find(".best").setAttribute("cy", now.y);
    box.querySelectorAll("dd").forEach((share, arm) => { share.textContent = now.shares[arm]; });
  });
}, 0);
</script>
""")
