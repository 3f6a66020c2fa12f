"""The offline log and the ways to one: from means and counts, samples, successes, tables and frames."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import Array, counts_vector, finite_vector, frozen, refuse_extreme, simplex_vector, successes_vector
from .errors import DataError
from .noise import EXAMPLES, Bounded, Noise, Pooled, level_column, read_noise
from .noise.base import Design, NoiseLaw
from .region import TrustRegion
from .samples import Samples, arm_labels, distinct_names, finite_rewards, number_arms, number_items, samples_of
from .values import Value, make_frame

__all__ = ["Log", "OfflineData", "Totals"]


@dataclass(frozen=True, eq=False)
class Log:
    """One row per try: ``names`` are sorted, ``arm`` and ``rewards`` have an entry for each sample.

    ``items`` numbers what each was tried on, where the table says; ``levels`` are the standard deviations that a column
    gave; ``where`` says where a sample stands.

    >>> log = Log(("a", "b"), np.array([1, 0, 1]), np.array([1.0, 0.0, 2.0]))
    >>> OfflineData.from_log(log, sigma=1.0)
    <OfflineData: 2 arms, 3 samples (1 to 2 per arm), means 0 to 1.5>
    """

    names: tuple[object, ...]
    arm: NDArray[np.intp]
    rewards: Array
    notices: tuple[str, ...] = ()
    where: Callable[[int], str] = "sample {}".format
    levels: Array | None = None
    items: NDArray[np.intp] | None = None


@dataclass(frozen=True, eq=False)
class Totals:
    """One total per arm: samples, their mean, and the sum of their squared differences from it where that is known.

    Of rewards of 0 and 1, how many ``successes`` there were; ``levels`` as in a :class:`Log`.

    >>> totals = Totals(("a", "b"), counts=np.array([4, 2]), means=np.array([0.5, 1.0]))
    >>> OfflineData.from_log(totals, sigma=1.0)
    <OfflineData: 2 arms, 6 samples (2 to 4 per arm), means 0.5 to 1>
    """

    names: tuple[object, ...]
    counts: NDArray[np.int64]
    means: Array
    squares: Array | None = None
    successes: NDArray[np.int64] | None = None
    notices: tuple[str, ...] = ()
    levels: Array | None = None


@dataclass(frozen=True, eq=False, init=False, repr=False)
class OfflineData(Value):
    r"""An offline bandit log (Section 3.1): per arm the empirical mean and the number of pulls, and a noise law.

    What is given are attributes too, of the same names; the law is ``law``, and its standard deviations are ``sigma``.
    Of rewards that are 0 or 1, ``successes`` says how many were 1.

    Parameters
    ----------
    means : (d,) array
        Empirical means :math:`\hat r_i`.
    counts : (d,) array of int
        Pulls :math:`N_i`, at least one each.
    sigma : float, (d,) array, mapping, text or law
        What is known of the noise of a single pull. Numbers: Gaussian of this standard deviation, one for all arms, one
        each or by name. ``"range:LO:HI"``: any rewards in that interval. ``"sd:S"``: any of that standard deviation.
        ``"pooled"`` (where there are samples): Gaussian of one unknown level. ``"column:NAME"`` (of a table or frame):
        Gaussian, each arm's standard deviation in that column. Or a law of :mod:`trust_helpers.noise`.
    names : sequence, optional
        What the arms are called, one name each, no two alike.
    reference : (d,) array, optional
        The policy at the centre of the trust regions; by default the least noisy mixture.

    Raises
    ------
    DataError
        Naming the arm: a mean that is not finite, a count that is not whole or below one, a sigma that is not
        positive, a mean outside the stated range, lengths that differ, names that repeat.

    Examples
    --------
    >>> log = OfflineData([0.4, 0.9, 0.6], counts=[4, 1, 2], sigma=0.5)
    >>> log.n_arms, log.n_samples, log.precision.tolist()
    (3, 7, [16.0, 4.0, 8.0])
    """

    means: Array
    counts: NDArray[np.int64]
    law: NoiseLaw
    names: tuple[object, ...] | None
    reference: Array | None
    successes: NDArray[np.int64] | None
    squares: Array | None
    _samples: Samples | None

    def __init__(
        self,
        means: ArrayLike,
        counts: ArrayLike,
        sigma: Noise,
        names: Sequence[object] | None = None,
        reference: ArrayLike | None = None,
    ) -> None:
        labels = None if names is None else distinct_names(names, np.size(means))
        rewards = finite_vector(means, "mean", labels)
        law = read_noise(sigma, rewards.size, labels)
        pulls = counts_vector(counts, rewards.size, labels)
        refuse_extreme(law.levels(rewards.size), rewards, labels)
        law.refuse_totals(rewards, pulls, None, labels)
        centre = None if reference is None else simplex_vector(reference, rewards.size, "reference")
        self._set(
            means=rewards, counts=pulls, law=law, names=labels, reference=centre,
            successes=None, squares=None, _samples=None,
        )  # fmt: skip

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_samples(
        cls,
        arms: Sequence[object] | ArrayLike,
        rewards: ArrayLike,
        sigma: Noise,
        reference: ArrayLike | None = None,
        *,
        items: Sequence[object] | ArrayLike | None = None,
    ) -> "OfflineData":
        """A log given as one arm and one reward per sample; arms come out sorted by name.

        ``sigma`` is as in :class:`OfflineData`, and ``"pooled"`` estimates one level within arms. ``items`` says what
        each sample was seen on, where arms met the same items (test cases, patients, days): rewards of one item may
        depend on each other. Several of one arm on one item are averaged. For rewards in a range only.

        >>> log = OfflineData.from_samples(["a", "b", "a"], [1, 0, 0], sigma="range:0:1")
        >>> log.names, log.successes.tolist()
        (('a', 'b'), [1, 0])
        """
        labels, reward = arm_labels(arms), finite_rewards(rewards)
        if labels.ndim != 1 or labels.shape != reward.shape:
            raise DataError(f"arms has shape {labels.shape} but rewards has shape {reward.shape}")
        names, arm = number_arms(arms, labels)
        item = None if items is None else number_items(items, reward.size)
        return cls.from_log(Log(names, arm, reward, items=item), sigma, reference)

    @classmethod
    def from_counts(
        cls,
        successes: ArrayLike,
        trials: ArrayLike,
        names: Sequence[object] | None = None,
        reference: ArrayLike | None = None,
    ) -> "OfflineData":
        """A log of rewards that are 0 or 1, given as successes and trials of each arm.

        >>> log = OfflineData.from_counts([3, 0, 9], [10, 12, 20], ["red", "green", "blue"])
        >>> log.means.tolist()
        [0.3, 0.0, 0.45]
        """
        labels = None if names is None else distinct_names(names, np.size(successes))
        tried = counts_vector(trials, np.size(successes), labels)
        won = successes_vector(successes, tried, labels)
        data = cls(won / tried, tried, Bounded(0.0, 1.0, two_valued=True), labels, reference)
        data._set(successes=won)
        return data

    @classmethod
    def from_table(
        cls,
        path: str | PathLike[str],
        arm: str = "arm",
        reward: str = "reward",
        *,
        sigma: Noise,
        reference: ArrayLike | None = None,
        item: str = "",
        decimal: str | None = None,
        encoding: str | None = None,
    ) -> "OfflineData":
        """A log in a file, one row per sample: delimited text, JSON lines, parquet, feather or xlsx.

        What the file is, and whether it is compressed, is told by its content; ``decimal`` ("." or ",") and
        ``encoding`` say how a text is written where that cannot be seen. ``item`` is the column of what each sample was
        tried on, where arms met the same items. Raises DataError naming the missing column, or the column, line and
        text of what is unusable.
        """
        from .tables import read_log

        level = level_column(sigma)
        log = read_log(path, arm, reward, item=item, level=level, decimal=decimal, encoding=encoding)
        return cls.from_log(log, sigma, reference)

    from_csv = from_table  # the name that people look for

    @classmethod
    def from_frame(
        cls,
        frame: object,
        arm: str = "arm",
        reward: str = "reward",
        *,
        sigma: Noise,
        reference: ArrayLike | None = None,
        item: str = "",
    ) -> "OfflineData":
        """A log in a frame of pandas, polars or pyarrow, or a mapping from names to columns; names keep their type.

        >>> log = OfflineData.from_frame({"arm": [7, 5, 7], "reward": [1.0, 2.0, 4.0]}, sigma=1.0)
        >>> log.names, log.means.tolist()
        ((5, 7), [2.0, 2.5])
        """
        from .tables import frame_log

        return cls.from_log(frame_log(frame, arm, reward, item=item, level=level_column(sigma)), sigma, reference)

    @classmethod
    def from_log(
        cls, log: Log | Totals, sigma: Noise | None = None, reference: ArrayLike | None = None
    ) -> "OfflineData":
        """A log as :mod:`trust_helpers.tables` reads it: samples, or totals of each arm.

        Successes and trials are enough to know what is to be known, so they need no ``sigma``; ``"pooled"`` is
        estimated from samples, or from the standard deviations of totals.
        """
        if level_column(sigma) is not None and log.levels is not None:
            sigma = log.levels
        coins = sigma is None or (isinstance(sigma, str) and sigma == "range:0:1")
        if isinstance(log, Totals) and log.successes is not None and coins:
            return cls.from_counts(log.successes, log.counts, log.names, reference)
        if sigma is None:
            raise DataError(f"say what is known of the noise: sigma may be {EXAMPLES}")
        if isinstance(log, Log):
            return cls._of_samples(log, sigma, reference)
        return cls._of_totals(log, sigma, reference)

    @classmethod
    def _of_samples(cls, log: Log, sigma: Noise, reference: ArrayLike | None) -> "OfflineData":
        size, names = len(log.names), log.names
        samples = samples_of(log.arm, log.rewards, log.items, size)
        law = read_noise(sigma, size, names, lambda: Pooled.estimated(samples.residual_squares, samples.spare))
        law.refute(log.rewards, log.where)
        if samples.item is not None and law.ends is None:
            raise DataError("items need rewards in a range: give sigma as 'range:LO:HI'")
        data = cls(samples.means, samples.counts, law, names, reference)
        if law.ends == (0, 1) and samples.item is None and np.isin(samples.reward, (0, 1)).all():
            won = np.bincount(samples.arm[samples.reward == 1], minlength=size)  # which say it all
            data._set(law=Bounded(0.0, 1.0, two_valued=True), successes=frozen(won, np.int64))
        else:
            data._set(_samples=samples)
        return data

    @classmethod
    def _of_totals(cls, log: Totals, sigma: Noise, reference: ArrayLike | None) -> "OfflineData":
        squares = log.squares if log.successes is None else log.counts * log.means * (1 - log.means)
        spare = int(log.counts.sum()) - log.counts.size

        def pooled() -> Pooled:
            if squares is None:
                raise DataError("sigma cannot be pooled from counts and means: the standard deviations are needed too")
            return Pooled.estimated(float(squares.sum()), spare)

        data = cls(log.means, log.counts, read_noise(sigma, len(log.names), log.names, pooled), log.names, reference)
        if squares is not None:
            data.law.refuse_totals(data.means, data.counts, squares, data.names)
            data._set(squares=frozen(squares))
        return data

    def columns(self) -> dict[str, Any]:
        """The arms' names or numbers, samples and means, as columns."""
        arms = np.arange(self.n_arms) if self.names is None else list(self.names)
        return {"arm": arms, "samples": self.counts, "mean": self.means}

    def to_frame(self) -> Any:
        """One row per arm, as a frame of pandas, or of polars where there is no pandas."""
        return make_frame(self.columns())

    def __repr__(self) -> str:
        means = f"means {self.means.min():.4g} to {self.means.max():.4g}"
        return f"<{type(self).__name__}: {self.extent}, {means}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self).strip('<>'))}; {escape(self.assumes)}</p>"

    @property
    def extent(self) -> str:
        """How large the log is, as in ``5 arms, 10 samples (2 each)``."""
        least, most = int(self.counts.min()), int(self.counts.max())
        each = f"{least:,} each" if least == most else f"{least:,} to {most:,} per arm"
        arms = "1 arm" if self.n_arms == 1 else f"{self.n_arms:,} arms"
        samples = "1 sample" if self.n_samples == 1 else f"{self.n_samples:,} samples"
        return f"{arms}, {samples} ({each})"

    @property
    def n_arms(self) -> int:
        """The number of arms d."""
        return int(self.means.size)

    @cached_property
    def n_samples(self) -> int:
        """The number of samples N in the log."""
        return int(self.counts.sum())

    @cached_property
    def sigma(self) -> Array:
        r"""The largest standard deviation :math:`\sigma_i` of one reward that the law allows."""
        return frozen(self.law.levels(self.n_arms))

    @cached_property
    def precision(self) -> Array:
        r""":math:`p_i=N_i/\sigma_i^2`, the inverse variance of :math:`\hat r_i`."""
        return frozen(self.counts / self.sigma**2)

    @cached_property
    def region(self) -> TrustRegion:
        """The trust regions of this log, around its reference policy."""
        return TrustRegion(self.precision, self.reference)

    @property
    def by_item(self) -> bool:
        """Whether arms met the same items, so that rewards of one item may depend on each other."""
        return self._samples is not None and self._samples.item is not None

    @property
    def uniform(self) -> bool:
        """Whether a bound for every mixture at once holds, as the law has one and all rewards are independent."""
        return self.law.uniform and not self.by_item

    @property
    def assumes(self) -> str:
        """What every promise rests on, as the end of a sentence."""
        return self.law.assumes_of_items if self.by_item else self.law.assumes

    @cached_property
    def design(self) -> Design:
        """Counts and law, all that a band depends on; DataError where arms met the same items."""
        if self.by_item:
            raise DataError(
                "no bound holds for every mixture at once where arms met the same items: use split, lcb, "
                "behaviour_cloning or combined"
            )
        return Design(self.counts, self.law)

    @property
    def has_samples(self) -> bool:
        """Whether single samples were kept, or can be told from successes."""
        return self._samples is not None or self.successes is not None

    @cached_property
    def samples(self) -> Samples | None:
        """The single samples where the log was given by samples, or can be told from successes; otherwise None."""
        if self.successes is None:
            return self._samples
        arm = np.repeat(np.arange(self.n_arms), self.counts)
        place = np.arange(self.n_samples) - np.repeat(np.cumsum(self.counts) - self.counts, self.counts)
        won = place < self.successes[arm]
        return Samples(frozen(arm, np.intp), frozen(np.where(won, 1.0, 0.0)), self.counts)
