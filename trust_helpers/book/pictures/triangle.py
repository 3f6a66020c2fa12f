"""Policies over three arms as points of a triangle, with trust regions around the reference."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from ...checks import Array
from ...errors import DataError
from ...region import TrustRegion
from ..style import COLOURS, line, readable, simplex_xy, spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Polygon

__all__ = ["draw_trust_regions_in_a_triangle", "path_of_best_policies", "rim_of_region"]


def rim_of_region(region: TrustRegion, radius: float, points: int = 120) -> Array:
    r"""Points (n, 3) at distance ``radius`` from the reference whose entries sum to one: an ellipse in the triangle's
    plane, which may leave the triangle.

    >>> region = TrustRegion([6.0, 3.0, 1.0])
    >>> rim = rim_of_region(region, 0.3)
    >>> bool(np.allclose(rim.sum(axis=1), 1))
    True
    >>> {round(region.norm(step), 9) for step in rim - region.reference}
    {0.3}
    """
    if region.n_arms != 3:
        raise DataError(f"there are {region.n_arms} arms: a triangle shows three")
    root = np.sqrt(region.precision)
    flat = root[:, None] * linalg.null_space(root[None])  # steps of length one that sum to zero
    angles = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.asarray(region.reference + radius * np.c_[np.cos(angles), np.sin(angles)] @ flat.T)


def path_of_best_policies(region: TrustRegion, rewards: ArrayLike, points: int = 200) -> Array:
    """The best policies (n, 3) from the reference to the best arm, as the radius grows to the largest."""
    return np.array([region.policy(rewards, eps) for eps in np.linspace(0, region.largest_radius, points)])


def draw_trust_regions_in_a_triangle(
    ax: "Axes", region: TrustRegion, rewards: ArrayLike, radii: Sequence[float], names: Sequence[str]
) -> None:
    """Figure 1 of the paper: trust regions of several radii, the best policy of each, and the path they lie on."""
    from matplotlib.patheffects import withStroke

    corners = simplex_xy(np.eye(3))
    ax.fill(*corners.T, facecolor="#f7f7f7", edgecolor=COLOURS["truth"], linewidth=1.2)
    for radius in sorted(radii, reverse=True):
        (patch,) = ax.fill(*simplex_xy(rim_of_region(region, radius)).T, facecolor="#56B4E930")
        patch.set(edgecolor=COLOURS["noise"], linewidth=1.5)
        patch.set_clip_path(_inside(ax, corners))
    ax.plot(*simplex_xy(path_of_best_policies(region, rewards)).T, **line("trust"))
    for radius in radii:
        ax.plot(*simplex_xy(region.policy(rewards, radius)), **spot("trust", zorder=4))
    home = tuple(simplex_xy(region.reference))
    ax.plot(*home, **spot("behaviour", zorder=5))
    words = {"textcoords": "offset points", "ha": "center", "va": "top", "color": readable("behaviour")}
    words["path_effects"] = [withStroke(linewidth=3, foreground="#d5ebf8")]
    ax.annotate("reference", home, (0, -7), **words)
    for (x, y), name in zip(corners, names, strict=True):
        place = (8, 0) if y > 0 else (0, -6)
        ax.annotate(name, (x, y), place, textcoords="offset points", ha="left" if y else "center", va="top")
    ax.set(xlim=(-0.12, 1.12), ylim=(-0.14, 0.9), aspect="equal")
    ax.axis("off")


def _inside(ax: "Axes", corners: Array) -> "Polygon":
    """The triangle, to cut what leaves it."""
    from matplotlib.patches import Polygon

    return Polygon(corners.tolist(), transform=ax.transData)
