"""How often a promise was broken in simulation, against how often it may be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from ..style import COLOURS, line, readable
from ..table import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Count", "draw_missed_promises"]


@dataclass(frozen=True)
class Count:
    """A promise that was broken ``broken`` times in ``trials`` simulations and may be in a share ``allowed``.

    >>> Count("claim 1", 3, 1_000, 0.1).verdict, Count("plug-in", 440, 1_000, 0.1).verdict
    ('kept', 'broken')
    """

    name: str
    broken: int
    trials: int
    allowed: float

    @property
    def share(self) -> float:
        """How often it was broken."""
        return self.broken / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of Clopper and Pearson for the probability that it breaks."""
        low = stats.beta.ppf(0.025, self.broken, self.trials - self.broken + 1) if self.broken else 0.0
        missed = self.trials - self.broken
        high = stats.beta.ppf(0.975, self.broken + 1, missed) if missed else 1.0
        return float(low), float(high)

    @property
    def verdict(self) -> str:
        """``broken`` if the whole interval lies above what is allowed, else ``kept``."""
        return "broken" if self.interval[0] > self.allowed else "kept"


def draw_missed_promises(ax: "Axes", rows: Sequence[Count], delta: float) -> None:
    """How often the promise was missed under each noise law, against the one line that is allowed."""
    _dots(ax, rows)
    ax.axvline(delta, **line("bound", linewidth=2.5))
    words = {"xycoords": ("data", "axes fraction"), "va": "bottom", "color": readable("bound")}
    ax.annotate(f"allowed: {number(delta, '.3g') if delta < 0.01 else number(delta, '.0%')}", (delta, 1.0), **words)
    ax.set_ylim(len(rows) - 0.5, -0.5)


def _dots(ax: "Axes", rows: Sequence[Count]) -> None:
    """The dots: filled circles for kept promises, crosses for broken ones."""
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    for y, row in enumerate(rows):
        ax.plot(row.interval, [y, y], color=COLOURS["quiet"], linewidth=1.5)
        marker = "o" if row.verdict == "kept" else "X"
        ax.plot(row.share, y, marker, color=COLOURS["truth"], markersize=8 if marker == "o" else 10, clip_on=False)
    most = max(max(row.interval[1], row.allowed) for row in rows)
    ax.set(yticks=np.arange(len(rows)), yticklabels=[row.name for row in rows], xlim=(0, min(1.0, 1.08 * most)))
    ax.set_xlabel(f"share of {rows[0].trials:,} logs in which it was missed")
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))  # whole per cents, so that none is rounded
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %", decimals=0 if most > 0.05 else 1))
    ax.grid(visible=False, axis="y")
