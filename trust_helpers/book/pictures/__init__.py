"""The book's pictures: each a function that draws on an Axes what package objects say."""

from .counts import Count
from .radius import (
    draw_signal_minus_noise,
    draw_water_level,
    water_level,
)
from .rewards import (
    draw_lcb_intervals_of_sorted_arms,
    draw_worst_mixture_of_noise,
)
from .sketches import (
    draw_boxes_and_arrows,
    draw_which_method_when,
)

__all__ = [
    "Count",
    "draw_boxes_and_arrows",
    "draw_lcb_intervals_of_sorted_arms",
    "draw_signal_minus_noise",
    "draw_water_level",
    "draw_which_method_when",
    "draw_worst_mixture_of_noise",
    "water_level",
]
