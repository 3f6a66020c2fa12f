"""What may be promised: stop-losses in convex order, and promises against the samples there are."""

from collections.abc import Mapping, Sequence
from math import pi, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from ...checks import Array
from ...dominating import normal_factor
from ..style import COLOURS, line, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_promises_against_samples",
    "draw_promises_of_each_kind_of_reward",
    "draw_stop_losses",
    "normal_stop_loss",
]

METHODS = {"cloning": ("behaviour", "cloning"), "trust": ("trust", "TRUST's band"), "split": ("split", "split")}


def normal_stop_loss(s: ArrayLike, deviation: float) -> Array:
    r""":math:`\mathbb E(\sigma G-s)_+=\sigma\varphi(s/\sigma)-s\,\Phi(-s/\sigma)` for a standard normal G.

    >>> normal_stop_loss(0.0, 1.0).round(4)
    np.float64(0.3989)
    """
    z = np.asarray(s, dtype=float) / deviation
    return deviation * (np.exp(-(z**2) / 2) / sqrt(2 * pi) - z * ndtr(-z))


def draw_stop_losses(ax: "Axes", shares: Sequence[float] = (0.1, 0.3, 0.5)) -> None:
    """Stop-losses of centred coins, of the uniform law above all of them, and of the normal law above that."""
    s = np.linspace(0, 1, 201)
    for share in shares:
        coin = share * np.maximum(1 - share - s, 0)
        ax.plot(s, coin, color=COLOURS["quiet"], linewidth=1.6)
        words = {"ha": "right", "va": "center", "color": readable("quiet")}
        ax.annotate(f"coin {share:g}", (0, coin[0]), (-4, 0), textcoords="offset points", **words)
    ax.plot(s, (1 - s) ** 2 / 4, **line("trust", linewidth=2.5))
    ax.annotate("uniform: the least law above all", (0.3, 0.49 / 4), xytext=(8, 4), textcoords="offset points",
                color=readable("trust"))  # fmt: skip
    ax.plot(s, normal_stop_loss(s, float(normal_factor(1))), **line("noise", linewidth=2.5))
    place = (0.62, float(normal_stop_loss(0.62, float(normal_factor(1)))))
    ax.annotate("normal, deviation 0.627", place, (8, 8), textcoords="offset points", color=readable("noise"))
    ax.set(xlim=(-0.19, 1), ylim=(0, 0.29), xlabel="threshold K (in lengths of the range)", ylabel="mean excess over K")
    ax.set_xticks(np.arange(6) / 5)


def draw_promises_against_samples(
    ax: "Axes", pulls: Sequence[int], promises: Mapping[tuple[str, str], ArrayLike], best: float
) -> None:
    """Promises against samples per arm, a line for each ``(meaning, label)``, and the best value there is."""
    ends = [float(np.asarray(values, dtype=float)[-1]) for values in promises.values()]
    for (meaning, label), values in promises.items():
        heights = np.asarray(values, dtype=float)
        ax.plot(pulls, heights, marker="o", markersize=4, **line(meaning))
        above = [best, *(end for end in ends if end > heights[-1])]
        down = -8 if min(above) - heights[-1] < 0.04 else 0  # off the line of the best, and off another label
        ax.annotate(label, (pulls[-1], heights[-1]), xytext=(6, down), textcoords="offset points", va="center",
                    color=readable(meaning), annotation_clip=False)  # fmt: skip
    ax.axhline(best, **line("truth", linewidth=1.2))
    ax.annotate(
        "the best there is", (pulls[0], best), xytext=(0, 4), textcoords="offset points", color=readable("truth")
    )
    ax.set(xscale="log", xlabel="samples per arm", ylabel="promise")
    ax.set_xticks(list(pulls), [str(n) for n in pulls])
    ax.minorticks_off()
    ax.set_xlim(pulls[0] * 0.9, pulls[-1] * 2.6)


def draw_promises_of_each_kind_of_reward(
    axes: "Sequence[Axes]", pulls: Sequence[int], promises: Mapping[str, Mapping[str, ArrayLike]], best: float
) -> None:
    """Promises of cloning, TRUST's band and split against samples per arm, one picture above the other."""
    for ax, (kind, found) in zip(axes, promises.items(), strict=True):
        draw_promises_against_samples(ax, pulls, {METHODS[name]: row for name, row in found.items()}, best)
        ax.set_ylabel(f"promise, {kind}")
        ax.set_ylim(top=best + 0.07)
    for ax in axes[:-1]:
        ax.set_xlabel("")
