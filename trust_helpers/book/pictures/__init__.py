"""The book's pictures: each a function that draws on an Axes what package objects say."""

from .counts import Count, draw_missed_promises
from .radius import (
    draw_band_beside_single_arms,
    draw_flat_top_of_the_guarantee,
    draw_noise_of_regions,
    draw_signal_minus_noise,
    draw_suprema_on_a_line,
    draw_water_level,
    draw_weights_over_rewards,
    water_level,
)
from .regions import draw_best_improvement_against_radius, draw_thresholds_and_arms_played
from .rewards import (
    draw_lcb_intervals_of_sorted_arms,
    draw_worst_mixture_of_noise,
)
from .scores import Worth, draw_table3_as_dots, draw_value_and_guarantee_of_methods
from .sketches import (
    draw_boxes_and_arrows,
    draw_episode_to_arm,
    draw_which_method_when,
)
from .triangle import draw_trust_regions_in_a_triangle, path_of_best_policies, rim_of_region

__all__ = [
    "Count",
    "Worth",
    "draw_band_beside_single_arms",
    "draw_best_improvement_against_radius",
    "draw_boxes_and_arrows",
    "draw_episode_to_arm",
    "draw_flat_top_of_the_guarantee",
    "draw_lcb_intervals_of_sorted_arms",
    "draw_missed_promises",
    "draw_noise_of_regions",
    "draw_signal_minus_noise",
    "draw_suprema_on_a_line",
    "draw_table3_as_dots",
    "draw_thresholds_and_arms_played",
    "draw_trust_regions_in_a_triangle",
    "draw_value_and_guarantee_of_methods",
    "draw_water_level",
    "draw_weights_over_rewards",
    "draw_which_method_when",
    "draw_worst_mixture_of_noise",
    "path_of_best_policies",
    "rim_of_region",
    "water_level",
]
