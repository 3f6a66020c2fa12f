"""Kinds of logs of 0/1 rewards on which the choice of a split was not found."""

from typing import NamedTuple

import numpy as np

from trust_helpers import OfflineData

__all__ = ["CoinLogs", "fresh_coin_designs"]


class CoinLogs(NamedTuple):
    """True means and counts of a kind of log."""

    name: str
    means: np.ndarray
    counts: np.ndarray

    def sample(self, rng):
        """One log."""
        return OfflineData.from_counts(rng.binomial(self.counts, self.means), self.counts)


def fresh_coin_designs():
    """Eight kinds, from three levels to a dozen arms."""
    rng = np.random.default_rng(77)
    return [
        CoinLogs("three levels", np.repeat([0.2, 0.5, 0.8], 100), np.full(300, 3)),
        CoinLogs("one good of 300", np.where(np.arange(300) == 0, 0.95, 0.3), np.full(300, 6)),
        CoinLogs("skewed, uneven counts", rng.beta(0.3, 3, 500), rng.integers(1, 20, 500)),
        CoinLogs("a weak spread", np.linspace(0.45, 0.55, 800), np.full(800, 5)),
        CoinLogs("rare and alike", np.full(400, 0.004), rng.integers(20, 200, 400)),
        CoinLogs("nearly all pay", np.linspace(0.9, 1, 200), np.full(200, 10)),
        CoinLogs("alike", np.full(600, 0.3), rng.integers(1, 10, 600)),
        CoinLogs("few arms", np.linspace(0.2, 0.5, 12), np.full(12, 20)),
    ]
