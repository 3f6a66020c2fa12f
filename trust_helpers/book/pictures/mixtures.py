"""Chapter 2's pictures: how quiet mixtures are, what choosing among them does, and what the search costs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...checks import Array
from ..style import label_line, line, readable, spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_errors_of_random_mixtures",
    "draw_even_mixtures_of_the_best",
    "draw_multiplier_by_place",
    "draw_multipliers_needed",
]


def draw_errors_of_random_mixtures(ax: "Axes", sizes: ArrayLike, errors: ArrayLike, sigma: float) -> None:
    r"""Standard errors of even mixtures of k arms picked blindly, and the line :math:`\sigma/\sqrt k` above them."""
    k = np.asarray(sizes)
    most = sigma / np.sqrt(k)
    ax.loglog(k, most, **line("quiet", linestyle="-"))
    ax.loglog(k, np.asarray(errors), **spot("behaviour", markersize=5))
    label_line(ax, k, most, r"$\sigma/\sqrt{k}$", "quiet", k[k.size // 2], ha="left")
    ax.set(xlabel="arms in the mixture, k", ylabel="standard error (reward units)")


def draw_even_mixtures_of_the_best(ax: "Axes", seen: Array, real: Array, cloning: float) -> None:
    """What the even mixture of the k arms with the best samples seems to be worth and is worth, beside cloning.

    ``seen`` and ``real`` have an entry for k = 1, 2, ...; three hundred of them are drawn.
    """
    arms = seen.size
    count = np.arange(1, arms + 1)
    shown = np.unique(np.geomspace(1, arms, 300).astype(int)) - 1
    ax.plot(count[shown], seen[shown], **line("estimate"))
    ax.plot(count[shown], real[shown], **line("truth"))
    ax.axhline(cloning, **line("behaviour"))
    middle = arms**0.5
    label_line(ax, count, seen, "seems to be worth", "estimate", at=middle)
    label_line(ax, count, real, "is worth", "truth", at=middle, above=False, ha="left")
    label_line(ax, [1, arms], [cloning, cloning], "cloning", "behaviour", middle, False)
    ax.set(xlabel="arms in the mixture, best samples first, k", ylabel="value per play")
    ax.set_xscale("log")


def draw_multipliers_needed(
    ax: "Axes", dimensions: ArrayLike, multipliers: Mapping[str, Array], simulated: ArrayLike
) -> None:
    """How many standard errors cover one fixed mixture, all single arms, all mixtures (``simulated`` as dots), and
    what the ellipsoid charges, against the number of arms.

    ``multipliers`` are those of :func:`trust_helpers.book.experiments.mixtures.multipliers_by_arms`.
    """
    d = np.asarray(dimensions, dtype=int)
    looks = {"the ellipsoid": "quiet", "all mixtures": "bound", "all single arms": "lcb"}
    words = {"the ellipsoid": "ellipsoid ", "all mixtures": "  all mixtures", "all single arms": "all single arms"}
    for name, meaning in looks.items():
        over, values = name == "the ellipsoid", multipliers[name]
        ax.plot(d, values, **line(meaning, linestyle="--" if over else line(meaning)["linestyle"]))
        side = "right" if over else "left"
        label_line(ax, d, values, words[name], meaning, float(d[len(d) // 2]), above=over, ha=side)
    ax.plot(d, np.asarray(simulated), **spot("noise", marker="o", markersize=5))
    one = float(multipliers["one fixed mixture"][0])
    ax.axhline(one, **line("behaviour"))
    ax.annotate("one fixed mixture", (d[0], one), (0, 4), textcoords="offset points", color=readable("behaviour"))
    ax.set(xscale="log", yscale="log", xlabel="number of arms, d", ylabel="multiplier needed")


def draw_multiplier_by_place(ax: "Axes", share: Array, needed: Array, every: float, at: tuple[float, float]) -> None:
    """How many standard errors a search needs up to each excess, below the one multiplier for ``every`` mixture.

    The excess is a share of a single arm's and falls to 0, which a logarithmic axis leaves out. A ring stands ``at``
    the excess of one policy, and what a search as far as that needs.
    """
    ax.loglog(share[:-1], needed[:-1], **line("noise", linestyle="-"))
    ax.axhline(every, **line("bound"))
    ax.plot(*at, **spot("truth"))
    label_line(ax, share[:-1], needed[:-1], "needed up to here", "noise", at[0], False)
    label_line(ax, [share[-2], 1], [every] * 2, "one for all mixtures", at=at[0] / 10)
    ax.set(xlabel="excess (single arm = 1)", ylabel="multiplier", ylim=(1, 3 * every))
