"""Noise levels: given, from a reward range, or pooled within the arms of a log."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import Array, positive_vector
from .errors import DataError, TrustError

__all__ = ["Sigma", "neighbour_sigma", "pooled_sigma", "range_sigma", "resolve_sigma"]

Sigma = float | str | ArrayLike | Mapping[object, float]


def range_sigma(low: float, high: float) -> float:
    """Half the range: no reward confined to [low, high] has a larger standard deviation (Section 3.2)."""
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise TrustError(f"a reward range needs finite LO < HI, got {low:g} and {high:g}")
    return (high - low) / 2


def pooled_sigma(arm: NDArray[np.intp], rewards: Array) -> float:
    """The standard deviation within arms, pooled over all arms that have repeats.

    It is an estimate: the guarantees are stated for a known sigma and hold only as nearly as it is right.
    """
    counts = np.bincount(arm)
    spare = rewards.size - counts.size
    if spare < 1:
        raise DataError(
            "sigma cannot be pooled: no arm has two samples. Give sigma as a number, or a reward range as 'range:LO:HI'"
        )
    means = np.bincount(arm, weights=rewards) / counts
    sigma = float(np.sqrt(((rewards - means[arm]) ** 2).sum() / spare))
    if sigma == 0:
        raise DataError("sigma cannot be pooled: the repeated samples of every arm are all alike")
    return sigma


def neighbour_sigma(rewards: ArrayLike) -> float:
    r"""The noise level that neighbouring arms suggest, one sample each, in an order that means something.

    :math:`\hat\sigma^2=\frac1{2(d-1)}\sum_i(\hat r_{i+1}-\hat r_i)^2` (Rice, 1984). Its mean is the average noise
    variance plus half the mean squared difference of neighbouring means: on average it errs on the large side.
    """
    steps = np.diff(np.asarray(rewards, dtype=float))
    if not steps.size or not steps.any():
        raise DataError("sigma cannot be taken from neighbours: it needs two arms or more whose rewards differ")
    return float(np.sqrt(np.mean(steps**2) / 2))


def resolve_sigma(sigma: Sigma, arm: NDArray[np.intp], rewards: Array, names: Sequence[object]) -> Array:
    """One noise level per arm from any of the ways to say it.

    Parameters
    ----------
    sigma : float, (d,) array, mapping from arm name to float, ``"pooled"`` or ``"range:LO:HI"``
        How the noise level is known.
    arm, rewards, names
        The log: the arm number and reward of each sample, and the arms' names.
    """
    if isinstance(sigma, Mapping):
        missing = [name for name in names if name not in sigma]
        if missing:
            raise DataError(f"sigma has no entry for arm {missing[0]!r}")
        sigma = [sigma[name] for name in names]
    elif isinstance(sigma, str):
        sigma = pooled_sigma(arm, rewards) if sigma == "pooled" else _parse_range(sigma)
    return positive_vector(sigma, len(names), "sigma", names)


def _parse_range(text: str) -> float:
    try:
        word, low, high = text.split(":")
        bounds = float(low), float(high)
    except ValueError:
        word, bounds = "", (0.0, 0.0)
    if word != "range":
        raise TrustError(f"sigma is {text!r}: it must be a number, 'pooled' or 'range:LO:HI'")
    return range_sigma(*bounds)
