"""The picture of a report: what mixtures are estimated and promised to earn, the further they leave the log's own.

Once as SVG text, which needs no library and goes into a page, and once on matplotlib's axes.
"""

from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checks import Array
from ..errors import TrustError
from ..formatting import percent_sure, rounded_down, rounded_off
from ..values import axes

if TYPE_CHECKING:
    from . import Report

__all__ = ["Curve", "as_svg", "curve", "draw", "plot_report"]

COLOURS = {"estimate": "#767676", "promise": "#B34700", "critical": "#000000"}
WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM = 640, 330, 64, 16, 34, 60
TICKS = 6


@dataclass(frozen=True, eq=False)
class Curve:
    """TRUST's mixtures: their radii, smallest first, what each is estimated and promised to earn.

    ``marks`` has the number of arms that some of the mixtures play, by position; ``best`` is the position of TRUST's.
    """

    radii: Array
    estimate: Array
    promise: Array
    marks: dict[int, int]
    best: int
    confidence: float

    @property
    def title(self) -> str:
        """What the picture shows."""
        sure = percent_sure(self.confidence)
        return f"What TRUST's mixtures are estimated and, with {sure} confidence, promised to earn"

    @property
    def described(self) -> str:
        """The picture in words."""
        best = self.best
        return (
            f"{self.title}: from {self._both(0)} near the log's own policy to {self._both(-1)} at the largest radius; "
            f"the critical radius, where {self.marks[best]:,} arms are played, has {self._both(best)}."
        )

    def _both(self, at: int) -> str:
        return f"{rounded_off(self.estimate[at])} and {rounded_down(self.promise[at])}"

    @property
    def ticks(self) -> dict[int, int]:
        """The marks to be written, the best and of the others those far from it that say anything new."""
        far = {i: arms for i, arms in self.marks.items() if i == self.best or abs(i - self.best) > 2}
        before = [None, *far.values()]
        return {i: arms for (i, arms), last in zip(far.items(), before, strict=False) if i == self.best or arms != last}


def curve(made: "Report") -> Curve | None:
    """What to draw; None where TRUST has no promise."""
    mixture, means = made.mixture, made.data.means
    if mixture is None:
        return None
    band = mixture.band
    estimate = band.region.suprema(means, band.radii) + float(band.region.reference @ means)
    last = band.radii.size - 1
    best = last - int(np.argmax(mixture.objective))
    places = {*np.linspace(0, last, TICKS).round().astype(int).tolist(), best}
    arms = {i: int(np.count_nonzero(band.region.policy(means, float(band.radii[last - i])))) for i in sorted(places)}
    return Curve(band.radii[::-1], estimate[::-1], (estimate - band.value_widths)[::-1], arms, best, band.confidence)


def draw(ax: Any, made: Curve) -> None:
    """The picture on matplotlib's axes."""
    at = np.arange(made.radii.size)
    ax.plot(at, made.estimate, color=COLOURS["estimate"], label="estimated value")
    ax.plot(at, made.promise, color=COLOURS["promise"], label=f"promised value ({percent_sure(made.confidence)})")
    label = f"critical radius: {made.marks[made.best]:,} arms"
    ax.axvline(made.best, color=COLOURS["critical"], linestyle=":", linewidth=1.2, label=label)
    ax.set_xticks(list(made.ticks), [f"{arms:,}" for arms in made.ticks.values()])
    ax.set(xlabel="arms played, fewer as the radius grows", ylabel="value (reward per try)")
    ax.legend()


def plot_report(made: "Report", ax: Any = None) -> Any:
    """The picture of a report on the axes given, or new ones."""
    drawn, target = curve(made), axes(ax)
    if drawn is None:
        raise TrustError("there is nothing to draw: TRUST has no promise under this law")
    draw(target, drawn)
    target.set_title(drawn.title, fontsize="medium")
    return target


def as_svg(made: Curve) -> str:
    """The picture as SVG, to be put into a page."""
    low, high = float(min(made.promise.min(), made.estimate.min())), float(max(made.estimate.max(), made.promise.max()))
    low = max(low, high - 3 * (high - float(made.promise.max())) - (made.estimate.max() - made.estimate.min()))
    high = high if high > low else low + 1.0
    right = WIDE - LEFT - RIGHT

    def x(i: int) -> str:
        return f"{LEFT + right * i / (made.radii.size - 1 or 1):.1f}"

    def y(value: float) -> str:
        return f"{HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * (value - low) / (high - low):.1f}"

    parts = []
    for value in _round_numbers(low, high):
        parts.append(f'<line x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y(value)}" y2="{y(value)}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 8, float(y(value)) + 4, f"{value:.6g}", "end"))
    for i, arms in made.ticks.items():
        parts.append(_text(float(x(i)), HIGH - BOTTOM + 22, f"{arms:,}", "middle"))
    parts.append(_text(LEFT + right / 2, HIGH - 10, "arms played, fewer as the radius grows", "middle"))
    best = x(made.best)
    parts.append(
        f'<line x1="{best}" x2="{best}" y1="{TOP}" y2="{HIGH - BOTTOM}" stroke="#000" stroke-dasharray="2 4"/>'
    )
    for name, values in (("estimate", made.estimate), ("promise", made.promise)):
        points = " ".join(f"{x(i)},{y(max(float(value), low))}" for i, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2.5"/>')
    legend = (("estimated", "estimate"), ("promised", "promise"), ("critical radius", "critical"))
    for k, (label, name) in enumerate(legend):
        parts.append(_text(LEFT + 10 + 150 * k, 22, label, "start", 12, COLOURS[name], "bold"))
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'font-family="sans-serif"><title>{escape(made.described)}</title>{"".join(parts)}</svg>'
    )


def _text(
    x: float, y: float, text: str, anchor: str, size: int = 12, colour: str = "#333", weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )


def _round_numbers(low: float, high: float) -> list[float]:
    """Four to eight round numbers in an interval."""
    step = 10 ** floor(log10((high - low) / 3))
    step *= next(k for k in (5, 2.5, 2, 1) if (high - low) / (k * step) >= 3 or k == 1)
    first = int(np.ceil(low / step))
    return [k * step for k in range(first, int(np.floor(high / step)) + 1)]
