"""How often a promise was broken in simulation, against how often it may be."""

from dataclasses import dataclass

from scipy import stats

__all__ = ["Count"]


@dataclass(frozen=True)
class Count:
    """A promise that was broken ``broken`` times in ``trials`` simulations and may be in a share ``allowed``.

    >>> Count("claim 1", 3, 1_000, 0.1).verdict, Count("plug-in", 440, 1_000, 0.1).verdict
    ('kept', 'broken')
    """

    name: str
    broken: int
    trials: int
    allowed: float

    @property
    def share(self) -> float:
        """How often it was broken."""
        return self.broken / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of Clopper and Pearson for the probability that it breaks."""
        low = stats.beta.ppf(0.025, self.broken, self.trials - self.broken + 1) if self.broken else 0.0
        missed = self.trials - self.broken
        high = stats.beta.ppf(0.975, self.broken + 1, missed) if missed else 1.0
        return float(low), float(high)

    @property
    def verdict(self) -> str:
        """``broken`` if the whole interval lies above what is allowed, else ``kept``."""
        return "broken" if self.interval[0] > self.allowed else "kept"
