"""Boxes and arrows, and which method when."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_boxes_and_arrows",
    "draw_which_method_when",
]

Boxes = Mapping[str, tuple[float, float, str, str]]


def draw_boxes_and_arrows(ax: "Axes", boxes: Boxes, arrows: Sequence[tuple[str, str, str]]) -> None:
    """Boxes ``name: (x, y, text, meaning)`` and arrows ``(from, to, label)`` between them, on an empty Axes."""
    drawn = {}
    for name, (x, y, text, meaning) in boxes.items():
        style = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": COLOURS[meaning], "linewidth": 1.8}
        drawn[name] = ax.text(x, y, text, ha="center", va="center", bbox=style, fontsize=11, zorder=3)
    for start, end, label in arrows:  # above the boxes, whose edges are known only once they are drawn
        way = {"arrowstyle": "-|>", "color": COLOURS["quiet"], "linewidth": 1.5}
        ends = {"patchA": drawn[start].get_bbox_patch(), "patchB": drawn[end].get_bbox_patch()}
        (x0, y0, *_), (x1, y1, *_) = boxes[start], boxes[end]
        ax.annotate("", (x1, y1), (x0, y0), arrowprops=way | ends | {"shrinkA": 0, "shrinkB": 2}, zorder=5)
        if label:
            middle = ((x0 + x1) / 2, (y0 + y1) / 2)
            pad = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
            ax.text(*middle, label, ha="center", va="center", bbox=pad, fontsize=11, zorder=6)
    _room(ax, boxes)


def draw_which_method_when(ax: "Axes") -> None:
    """A chain of questions from top to bottom; each yes leads to a method on the right."""
    questions = {
        "shape": "One reward per arm, and\nonly its range known?",
        "many": "Enough rewards per arm\nto tell arms apart?",
        "rivals": "Is it to be compared\nwith every rival?",
        "few": "Few arms, Gaussian noise\nof known level?",
        "rest": "Otherwise",
    }
    answers = {
        "shape": ("clone the log: no more\ncan be promised", "behaviour"),
        "many": ("LCB", "lcb"),
        "rivals": ("TRUST's band", "trust"),
        "few": ("TRUST's band", "trust"),
        "rest": ("choose on one part,\njudge on the other", "split"),
    }
    height = {name: 1.25 * (len(questions) - i) for i, name in enumerate(questions)}
    boxes: dict[str, tuple[float, float, str, str]] = {
        name: (0.0, height[name], text, "quiet") for name, text in questions.items()
    }
    boxes |= {f"{name}!": (3.0, height[name], *answer) for name, answer in answers.items()}
    boxes["doubt"] = (1.5, 0.1, "In doubt: combined, the best of them\nat one confidence", "truth")
    names = list(questions)
    arrows = [(a, b, "no") for a, b in pairwise(names)]
    arrows += [(name, f"{name}!", "" if name == "rest" else "yes") for name in names]
    draw_boxes_and_arrows(ax, boxes, arrows)


def _room(ax: "Axes", boxes: Boxes) -> None:
    """Limits that hold all boxes, and nothing else on the Axes."""
    xs, ys = [box[0] for box in boxes.values()], [box[1] for box in boxes.values()]
    ax.set(xlim=(min(xs) - 0.95, max(xs) + 0.95), ylim=(min(ys) - 0.6, max(ys) + 0.6))
    ax.set_axis_off()
