"""The names of the bundled data: which robots, settings, seeds and readings there can be."""

__all__ = ["ENVIRONMENTS", "METHODS", "READINGS", "SEEDS", "SETTINGS"]

ENVIRONMENTS = ("Hopper", "Ant", "Walker2d", "HalfCheetah")
SETTINGS = ("low", "high")
SEEDS = (2023, 2024, 2025, 2026)
# What "rolling out a policy" can mean: each action drawn from it, or its mean action every time.
READINGS = ("sampled", "mean")
# What was learned from the logged transitions: CQL, cloning with the same network, and, on a data set or two, CQL
# without one of what it was found to need.
METHODS = ("cql", "cloning", "plain observations", "no layer norm", "neither", "last policy")
