"""Chapter 3's pictures: the thresholds that decide how many arms are played, and the gain of a growing region."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...data import OfflineData
from ...region import TrustRegion
from ..style import label_line, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_best_improvement_against_radius", "draw_thresholds_and_arms_played"]


def draw_thresholds_and_arms_played(
    above: "Axes", below: "Axes", region: TrustRegion, thresholds: ArrayLike, radius: float
) -> None:
    r"""The thresholds :math:`f_j`, times S, and under them how many arms are played against the radius.

    One radius is marked in both: :math:`\kappa=\varepsilon^2+1/S` above, its share of the largest below.
    """
    f, total = np.asarray(thresholds, dtype=float), 1 / region.reference_variance
    above.semilogy(np.arange(1, f.size + 1), f * total, ".", ms=4, color=line("trust")["color"])
    kappa = total * radius**2 + 1
    above.axhline(kappa, **line("bound"))
    label_line(above, [1, f.size + 1], [kappa, kappa], "one radius", "bound", at=0.9 * (f.size + 1))
    above.set(xlabel="j", ylabel="threshold, times S")
    largest = region.largest_radius
    fine = np.geomspace(largest / 400, largest, 2000)
    played = np.searchsorted(-f, -(fine**2 + 1 / total)) + 1
    below.step(fine / largest, played, where="post", **line("trust"))
    below.axvline(radius / largest, **line("bound"))
    below.set(xlabel="radius / largest radius", ylabel="arms played, k", xscale="log")


def draw_best_improvement_against_radius(ax: "Axes", data: OfflineData, radii: ArrayLike, best: ArrayLike) -> None:
    r"""The best improvement against the radius, and the straight line of slope :math:`\sqrt{Sv}` that it leaves.

    v is the variance of the rewards under the reference: as long as every arm is played the improvement is
    :math:`\varepsilon\sqrt{Sv}`.
    """
    region, gain = data.region, np.asarray(best, dtype=float)
    mean, square = region.reference @ data.means, region.reference @ data.means**2
    slope = np.sqrt((square - mean**2) / region.reference_variance)
    share, straight = np.asarray(radii) / region.largest_radius, slope * np.asarray(radii)
    ax.plot(share, np.where(straight < gain[-1], straight, np.nan), **line("quiet"))
    ax.plot(share, gain, **line("estimate"))
    ax.set(xlabel="radius / largest radius", ylabel="improvement (reward per play)")
    label_line(ax, share, gain, "best improvement", "estimate", 0.6, False)
