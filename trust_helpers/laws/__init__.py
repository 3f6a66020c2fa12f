"""The four assumptions about the noise that a log may be read under, and how they are said."""

from .bounded import Bounded, range_sigma
from .gaussian import Gaussian, Pooled
from .said import read_noise
from .second_moment import StandardDeviation

__all__ = ["Bounded", "Gaussian", "Pooled", "StandardDeviation", "range_sigma", "read_noise"]
