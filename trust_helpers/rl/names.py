"""The names of the bundled data: which robots, settings, seeds, readings and recipes there can be."""

__all__ = ["ENVIRONMENTS", "READINGS", "RECIPES", "SEEDS", "SETTINGS"]

ENVIRONMENTS = ("Hopper", "Ant", "Walker2d", "HalfCheetah")
SETTINGS = ("low", "high")
SEEDS = (2023, 2024, 2025, 2026)
# What "rolling out a policy" can mean: each action drawn from it, or its mean action every time.
READINGS = ("sampled", "mean")
# How SAC was trained, the preferred recipe first; a data set comes from one of them alone.
RECIPES = ("standard", "small")
