"""The offline log, reduced to what every method needs: a mean, a count and a noise level per arm."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import Array, counts_vector, finite_vector, frozen, positive_vector
from .errors import DataError
from .noise import Sigma, resolve_sigma
from .region import TrustRegion

__all__ = ["OfflineData"]


@dataclass(frozen=True, eq=False, init=False)
class OfflineData:
    r"""An offline bandit log (Section 3.1): per arm the empirical mean, the number of pulls and the noise level.

    Parameters
    ----------
    means : (d,) array
        Empirical means :math:`\hat r_i`.
    counts : (d,) array of int
        Pulls :math:`N_i`, at least one each.
    sigma : float or (d,) array
        Noise standard deviation :math:`\sigma_i` of a single pull, one for all arms or one each.
    names : sequence, optional
        What the arms are called, one name each, no two alike.

    Raises
    ------
    DataError
        Naming the arm: a mean that is not finite, a count that is not whole or below one, a sigma that is not
        positive, lengths that differ, names that repeat.
    """

    means: Array
    counts: NDArray[np.int64]
    sigma: Array
    names: tuple[object, ...] | None

    def __init__(
        self, means: ArrayLike, counts: ArrayLike, sigma: ArrayLike, names: Sequence[object] | None = None
    ) -> None:
        labels = None if names is None else _distinct(names, np.size(means))
        rewards = finite_vector(means, "mean", labels)
        object.__setattr__(self, "names", labels)
        object.__setattr__(self, "means", rewards)
        object.__setattr__(self, "counts", counts_vector(counts, rewards.size, labels))
        object.__setattr__(self, "sigma", positive_vector(sigma, rewards.size, "sigma", labels))

    @property
    def n_arms(self) -> int:
        """The number of arms d."""
        return int(self.means.size)

    @property
    def n_samples(self) -> int:
        """The number of samples N in the log."""
        return int(self.counts.sum())

    @cached_property
    def precision(self) -> Array:
        r""":math:`p_i=N_i/\sigma_i^2`, the inverse variance of :math:`\hat r_i`."""
        return frozen(self.counts / self.sigma**2)

    @cached_property
    def region(self) -> TrustRegion:
        """The trust regions of this design, around the least noisy mixture."""
        return TrustRegion(self.precision)

    @classmethod
    def from_samples(cls, arms: Sequence[object] | ArrayLike, rewards: ArrayLike, sigma: Sigma) -> "OfflineData":
        """A log given as one arm and one reward per sample; arms come out sorted by name.

        Parameters
        ----------
        arms, rewards : sequences of the same length
            The arm and the reward of each sample.
        sigma : float, (d,) array, mapping, ``"pooled"`` or ``"range:LO:HI"``
            The noise level: one number, one per arm (in sorted order) or by name, the standard deviation pooled
            within arms that have repeats, or half the range of the rewards.
        """
        labels = np.asarray(arms)
        reward = _rewards(rewards)
        if labels.ndim != 1 or labels.shape != reward.shape:
            raise DataError(f"arms has shape {labels.shape} but rewards has shape {reward.shape}")
        names, arm = _number_arms(labels)
        levels = resolve_sigma(sigma, arm, reward, names)
        counts = np.bincount(arm)
        return cls(np.bincount(arm, weights=reward) / counts, counts, levels, names)

    @classmethod
    def from_csv(
        cls, path: str | PathLike[str], arm: str = "arm", reward: str = "reward", *, sigma: Sigma
    ) -> "OfflineData":
        """A log in a CSV file with a header, one row per sample; needs the extra ``csv`` (pandas).

        Raises DataError naming the missing column, or the first lines whose arm or reward is unusable.
        """
        from .logs import read_log

        log = read_log(path, arm, reward)
        return cls.from_samples(log.arms, log.rewards, sigma)


def _distinct(names: Sequence[object], size: int) -> tuple[object, ...]:
    """The names as a tuple, one for each arm and no two alike."""
    if len(names) != size:
        raise DataError(f"names has {len(names)} entries but there are {size} arms")
    name, times = Counter(names).most_common(1)[0] if size else (None, 0)
    if times > 1:
        raise DataError(f"two arms are named {name!r}")
    return tuple(names)


def _rewards(rewards: ArrayLike) -> Array:
    try:
        values = np.asarray(rewards, dtype=float)
    except (TypeError, ValueError) as error:
        raise DataError(f"rewards must be numbers: {error}") from error
    if values.size == 0:
        raise DataError("the log is empty: no sample to decide from")
    bad = np.flatnonzero(~np.isfinite(values.ravel()))
    if bad.size:
        raise DataError(f"reward of sample {bad[0]} is {values.ravel()[bad[0]]:g}: every reward must be finite")
    return values


def _number_arms(labels: NDArray) -> tuple[tuple[object, ...], NDArray[np.intp]]:
    """The distinct labels in sorted order, and the position of each sample's label among them."""
    missing = [i for i, a in enumerate(labels.tolist()) if a is None or a != a]
    if missing:
        raise DataError(f"arm of sample {missing[0]} is missing")
    try:
        names, arm = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise DataError(f"arm names must be all of one kind: {error}") from error
    return tuple(names.tolist()), arm
