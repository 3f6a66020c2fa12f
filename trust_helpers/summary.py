"""What a log comes down to: a mean and a count per arm under a law of the noise, and all that follows from them."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import Array, frozen
from .errors import DataError
from .laws import Bounded
from .noise import Design, NoiseLaw
from .region import TrustRegion
from .samples import Samples
from .values import Value, make_frame

__all__ = ["Summary"]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Summary(Value):
    """Means, counts and law of a log; :class:`trust_helpers.OfflineData` has the ways to one.

    Examples
    --------
    >>> from trust_helpers import OfflineData
    >>> isinstance(OfflineData([0.4, 0.9], counts=[4, 1], sigma=0.5), Summary)
    True
    """

    means: Array
    counts: NDArray[np.int64]
    law: NoiseLaw
    names: tuple[object, ...] | None
    reference: Array | None
    successes: NDArray[np.int64] | None
    squares: Array | None
    _samples: Samples | None

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
        return self.law.assumes_of_items if isinstance(self.law, Bounded) and self.by_item else self.law.assumes

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
        if self.successes is None or not isinstance(self.law, Bounded):
            return self._samples
        arm = np.repeat(np.arange(self.n_arms), self.counts)
        place = np.arange(self.n_samples) - np.repeat(np.cumsum(self.counts) - self.counts, self.counts)
        won = place < self.successes[arm]
        return Samples(frozen(arm, np.intp), frozen(np.where(won, self.law.high, self.law.low)), self.counts)
