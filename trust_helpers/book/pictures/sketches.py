"""Boxes and arrows: what rests on what, how an episode becomes an arm, which method when."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_boxes_and_arrows",
    "draw_episode_to_arm",
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


def draw_episode_to_arm(ax: "Axes") -> None:
    """How a log of episodes becomes a bandit: a policy is an arm, the return of its one episode its one reward."""
    boxes = {
        "policy": (0.0, 1.6, "policy $\\pi_i$", "cql"),
        "episode": (2.1, 1.6, "one episode\n$s_0,a_0,\\rho_0,s_1,a_1,\\rho_1,\\ldots$", "estimate"),
        "return": (2.1, 0.0, "its return\n$\\rho_0+\\rho_1+\\cdots$", "estimate"),
        "arm": (0.0, 0.0, "arm $a_i$\nwith one reward", "trust"),
    }
    arrows = [("policy", "episode", ""), ("episode", "return", "add up"), ("return", "arm", "")]
    draw_boxes_and_arrows(ax, boxes, arrows)
    ax.annotate("", (0, 1.3), (0, 0.42), arrowprops={"arrowstyle": "-", "linestyle": ":", "color": COLOURS["quiet"]})
    ax.text(0.06, 0.86, "stands for", va="center")


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
