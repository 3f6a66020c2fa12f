"""The samples of a log: arms numbered by their names, rewards that are numbers, and what varies within arms."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import Array, frozen, missing
from .errors import DataError
from .formatting import quoted


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples of a log, or of a part of it: the arm's number and the reward of each, and how many every arm has.

    ``item`` says what each was seen on, where arms met the same items.

    >>> part = Samples(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0]), np.array([2, 1]))
    >>> part.means.tolist(), part.spare, part.residual_variance
    ([2.0, 5.0], 1, 2.0)
    """

    arm: NDArray[np.intp]
    reward: Array
    counts: NDArray[np.int64]
    item: NDArray[np.intp] | None = None

    @property
    def means(self) -> Array:
        """The average of each arm; 0 without a sample."""
        return np.bincount(self.arm, self.reward, self.counts.size) / np.maximum(self.counts, 1)

    @property
    def spare(self) -> int:
        """Samples beyond the first of each arm."""
        return int(np.maximum(self.counts - 1, 0).sum())

    @property
    def residual_squares(self) -> float:
        """Squared differences from the arm's average, summed."""
        return float(((self.reward - self.means[self.arm]) ** 2).sum())

    @property
    def residual_variance(self) -> float:
        """The variance within arms; nan without a repeat."""
        return self.residual_squares / self.spare if self.spare else float("nan")

    def part(self, chosen: NDArray[np.bool_]) -> "Samples":
        """Some of the samples, their items numbered anew."""
        arm = self.arm[chosen]
        item = None if self.item is None else np.unique(self.item[chosen], return_inverse=True)[1]
        return Samples(arm, self.reward[chosen], np.bincount(arm, minlength=self.counts.size), item)

    @property
    def items(self) -> NDArray[np.intp]:
        """The item of each sample, where arms met the same ones; otherwise each has its own."""
        return np.arange(self.arm.size) if self.item is None else self.item

    @property
    def n_items(self) -> int:
        """How many items there are; none where arms did not meet the same ones."""
        return 0 if self.item is None or not self.item.size else int(self.item.max()) + 1

    def centred(self) -> "Samples":
        """The same with every item as hard as the average one, which leaves what tells arms apart."""
        if self.item is None or not self.item.size:
            return self
        return replace(self, reward=self.reward - self._item_means[self.items] + self.reward.mean())

    @property
    def item_variance(self) -> float:
        """The variance between the items' averages."""
        return float(self._item_means.var()) if self.n_items > 1 else 0.0

    @property
    def _item_means(self) -> Array:
        return np.bincount(self.items, self.reward) / np.bincount(self.items)

    def item_scores(self, weights: Array) -> Array:
        """What a mixture scored on each item that one of its arms met."""
        played = np.bincount(self.items, weights[self.arm])
        scored = np.bincount(self.items, weights[self.arm] * self.reward)
        return weights.sum() * scored[played > 0] / played[played > 0]


def arm_labels(arms: object) -> NDArray:
    """The arms of the samples as an array, which makes one arm of no two.

    numpy would make one number of 2**53 and 2**53 + 1 beside 0.5, and one text of ``a`` and ``a`` with a zero after it:
    what it would change stays an array of Python's own objects.

    >>> arm_labels(["a", "b"]).dtype, arm_labels([2**53, 2**53 + 1, 0.5]).dtype
    (dtype('<U1'), dtype('O'))
    """
    try:
        labels = np.asarray(arms)
    except ValueError as error:
        raise DataError(f"arms must be a vector with one name per sample: {error}") from error
    if labels.ndim == 1 and isinstance(arms, Sequence) and labels.tolist() != list(arms):
        labels = np.empty(len(arms), dtype=object)
        labels[:] = arms
    return labels


def number_arms(arms: object, labels: NDArray) -> tuple[tuple[object, ...], NDArray[np.intp]]:
    """The distinct labels in sorted order, and the position of each sample's label among them.

    >>> number_arms(["b", "a", "b"], np.array(["b", "a", "b"]))
    (('a', 'b'), array([1, 0, 1]))
    """
    if labels.dtype.kind not in "iu" or isinstance(arms, Sequence):  # an array of whole numbers has nothing to look for
        listed = labels.tolist()
        _refuse_missing(listed, "arm of sample {}")
        _refuse_several_kinds(arms if isinstance(arms, Sequence) else listed)
    try:
        names, arm = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise DataError(f"arm names must be all of one kind: {error}") from error
    return tuple(names.tolist()), arm


def number_items(items: Sequence[object] | ArrayLike, size: int) -> NDArray[np.intp]:
    """The position of each sample's item among the distinct ones.

    >>> number_items(["q2", "q1", "q2"], 3)
    array([1, 0, 1])
    """
    labels = arm_labels(items)
    if labels.shape != (size,):
        raise DataError(f"items has shape {labels.shape} but rewards has shape ({size},)")
    _refuse_missing(labels.tolist(), "item of sample {}")
    return np.unique(labels, return_inverse=True)[1]


def samples_of(arm: NDArray[np.intp], reward: Array, item: NDArray[np.intp] | None, n_arms: int) -> Samples:
    """The samples, unwritable; several of one arm on one item are averaged.

    >>> samples_of(np.array([0, 0, 1]), np.array([1.0, 0.0, 1.0]), np.array([4, 4, 4]), 2).reward.tolist()
    [0.5, 1.0]
    """
    if item is not None:
        cells, place, times = np.unique(np.column_stack([arm, item]), axis=0, return_inverse=True, return_counts=True)
        arm, item = cells.T
        reward = np.bincount(place.ravel(), reward) / times
        item = frozen(np.unique(item, return_inverse=True)[1], np.intp)
    counts = np.bincount(arm, minlength=n_arms)
    return Samples(frozen(arm, np.intp), frozen(reward), frozen(counts, np.int64), item)


def finite_rewards(rewards: ArrayLike) -> Array:
    """The rewards as numbers, at least one and all finite.

    >>> finite_rewards([1, 0])
    array([1., 0.])
    """
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


def distinct_names(names: Sequence[object], size: int) -> tuple[object, ...]:
    """The names as a tuple, one for each arm and no two alike.

    >>> distinct_names(["a", "a"], 2)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: two arms are named 'a'
    """
    if len(names) != size:
        raise DataError(f"names has {len(names)} entries but there are {size} arms")
    _refuse_missing(names, "the name of arm {}")
    _refuse_several_kinds(names)
    name, times = Counter(names).most_common(1)[0] if size else (None, 0)
    if times > 1:
        raise DataError(f"two arms are named {name!r}")
    return tuple(names)


def _refuse_missing(names: Sequence[object], what: str) -> None:
    """Raise for a name that is missing or blank, as no table's may be either."""
    for index, name in enumerate(names):
        if not name.strip() if isinstance(name, str) else missing(name):
            raise DataError(f"{what.format(index)} is missing")


def _refuse_several_kinds(names: Iterable[object]) -> None:
    """Raise for numbers and texts together, which would be merged or could not be told apart in print."""
    examples = {type(name): name for name in names}
    kinds = {_kind(name): name for name in examples.values()}
    if len(kinds) > 1:
        one, other, *_ = kinds.values()
        raise DataError(f"arm names must be all of one kind, not {quoted(one)} and {quoted(other)}")


def _kind(name: object) -> type:
    """Text, number, or its own type: 1 and '1', True and 1 are equal to Python or to people, and are not one arm."""
    try:
        hash(name)
    except TypeError:
        raise DataError(f"an arm is named {quoted(name)}: a name is a text or a number") from None
    if isinstance(name, str):
        return str
    return float if isinstance(name, int | float | np.number) and not isinstance(name, bool | np.bool_) else type(name)
