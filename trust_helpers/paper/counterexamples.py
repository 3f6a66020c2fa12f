"""Statements of the paper that fail, each with an experiment that anybody can run again.

What a function returns is what the errata page prints. Probabilities are exact where a finite sum or a binomial gives
them, and simulated with their error where not.
"""

from dataclasses import dataclass
from math import ceil, log, sqrt

import numpy as np
from numpy.random import default_rng
from scipy import stats

from .. import bounds
from ..algorithm import trust_many
from ..band import band_for
from ..baselines import lcb
from ..checks import Array
from ..data import OfflineData
from ..instances import gaussian, strong_signal
from ..quantiles import least_draws
from ..region import TrustRegion
from ..simulate import noise_suprema
from ..trials import Share, play, share

__all__ = [
    "BelowTheGrid",
    "CoinsOverBand",
    "FineGrained",
    "Sign",
    "coins_exceed_the_band",
    "fine_grained_bound_broken",
    "lcb_claim_fails",
    "lcb_claim_simulated",
    "loss_of_the_higher_mean",
    "sign_in_the_proof",
    "worse_than_the_reference",
]

SHARE = 1e-3


def lcb_claim_fails(delta: float, factor: float, share: float = SHARE) -> float:
    r"""Theorem 3.1, claim 2, with ``factor`` in place of its 16 or 4: how often it fails on two arms, exactly.

    A bad arm is known almost exactly; the best arm, drawn with probability ``share``, has as few pulls as the statement
    allows, and a gap just above what :math:`\sqrt{\text{factor}\,C^*\log(2d/\delta)/N}` permits. LCB plays the bad arm
    whenever the best arm's interval reaches far enough down. Sum over the pulls of the best arm.

    >>> lcb_claim_fails(0.01, factor=4) > 2 * 0.01 > lcb_claim_fails(0.01, factor=16)
    True
    """
    samples, gap = _hard_pair(delta, factor, share)
    pulls = np.arange(1, samples)
    width, known = (np.sqrt(2 * log(4 / delta) / n) for n in (pulls, samples - pulls))
    wrong = stats.norm.sf((gap + known - width) / np.sqrt(1 / pulls + 1 / (samples - pulls)))
    return float((stats.binom.pmf(pulls, samples, share) * wrong).sum())


def lcb_claim_simulated(delta: float, factor: float, logs: int, seed: int) -> Share:
    """What :func:`lcb_claim_fails` sums exactly, by running LCB on drawn logs."""
    samples, gap = _hard_pair(delta, factor, SHARE)
    rng, wrong = default_rng(seed), []
    for n in np.maximum(rng.binomial(samples, SHARE, logs), 1):
        counts = np.array([n, samples - n])
        log_ = OfflineData([gap, 0.0] + rng.normal(size=2) / np.sqrt(counts), counts, 1.0)
        wrong.append(lcb(log_, delta, "paper").weights[1] > 0.5)
    return share(wrong)


def _hard_pair(delta: float, factor: float, share: float) -> tuple[int, float]:
    """The fewest samples that claim 2 allows, and a gap just above the one it permits."""
    samples = ceil(8 / share * log(1 / delta))
    return samples, sqrt(factor / share / samples * log(4 / delta)) * (1 + 1e-9)


@dataclass(frozen=True)
class FineGrained:
    """Theorem C.1, claim 1, on an instance: what it allows as printed and mended, and what TRUST falls short by."""

    short: Array
    printed: float
    mended: float
    doubled_band: float

    @property
    def broken(self) -> Share:
        """How often the printed bound is exceeded."""
        return share(self.short > self.printed)


def fine_grained_bound_broken(arms: int, sigma: float, delta: float, logs: int, seed: int) -> FineGrained:
    """Half of the arms have mean 1 and half 0, all with Gaussian noise, one sample each; the rival mixes the good ones.

    TRUST has the paper's band, with the fewest draws that its order statistic allows.
    """
    instance = strong_signal(arms // 2, sigma)
    region = TrustRegion(1 / instance.sigma**2)
    band = band_for(region, delta, "paper", seed, draws=least_draws(delta / 80))
    rival = instance.means / instance.means.sum()
    short = 1 - play(instance, ["trust"], logs, seed, band=band)["trust"].value
    printed, mended = (bounds.fine_grained_gap(region, band.radii, delta, rival, printed=p) for p in (True, False))
    return FineGrained(short, printed, mended, bounds.suboptimality_gap(band, rival))


@dataclass(frozen=True)
class BelowTheGrid:
    """What TRUST loses to the reference, log by log (negative where it gains), and what 2 G(min E) allows."""

    loss: Array
    allowed: float

    @property
    def worse(self) -> Share:
        """How often TRUST is worth less than the reference."""
        return share(self.loss > 0)


def worse_than_the_reference(radii: int, spread: float, delta: float, logs: int, seed: int) -> BelowTheGrid:
    """TRUST on fifty arms, unit noise, means drawn with standard deviation ``spread``, on a grid of so many radii.

    The reference is at distance zero from itself, so Theorem C.1 as printed allows no loss to it at all.
    """
    instance = gaussian(default_rng(seed).normal(0, spread, 50), 1.0)
    region = TrustRegion(1 / instance.sigma**2)
    band = band_for(region, delta, "calibrated", seed, radii=region.radii(1.2, radii))
    made = play(instance, ["trust"], logs, seed, band=band)["trust"]
    return BelowTheGrid(instance.value(region.reference) - made.value, float(2 * band.widths[-1]))


def loss_of_the_higher_mean(gap: float, pulls: int) -> float:
    """Corollary C.2: what playing the higher empirical mean loses in expectation on the worse of the two instances.

    Exact, by the binomial; ties are split evenly.

    >>> loss_of_the_higher_mean(0.0, 10), loss_of_the_higher_mean(0.25, 1_000) < 1e-12
    (0.0, True)
    """
    k = np.arange(pulls + 1)
    first = stats.binom.pmf(k, pulls, 0.5)
    losses = []
    for mean in (0.5 + gap, 0.5 - gap):
        below = stats.binom.cdf(k, pulls, mean) - stats.binom.pmf(k, pulls, mean) / 2
        first_wins = float((first * below).sum())
        losses.append(gap * (first_wins if mean > 0.5 else 1 - first_wins))
    return max(losses)


@dataclass(frozen=True)
class Sign:
    """The last step of the main theorem's proof: its event, and noise below minus the band while the event holds."""

    holds: Share
    some_rival_below: Share
    fixed_rival_below: float


def sign_in_the_proof(delta: float, draws: int, seed: int) -> Sign:
    """Fifty arms with unequal precisions: how often some rival's noise is below minus the band though the event holds.

    By symmetry that is the event failing for the mirrored noise. The last number is the one that the repaired proof
    needs: the probability for one fixed rival.
    """
    region = TrustRegion(np.geomspace(1, 30, 50))
    band = band_for(region, delta, seed=seed, draws=2_000)
    noise = default_rng(seed).normal(size=(draws, 50)) / np.sqrt(region.precision)
    above, below = (band.exceeded(region.suprema(x, band.radii)) for x in (noise, -noise))
    return Sign(share(~above), share(below[~above]), bounds.repair_probability(band, np.linspace(0, 3, 50)))


@dataclass(frozen=True)
class CoinsOverBand:
    """How often a Gaussian band told sigma = 1/2 is exceeded by coins, and by the Gaussian noise it was made for.

    ``promise_missed`` is how often TRUST's lower bound on the coins is above what they are worth.
    """

    nominal: float
    by_coins: Share
    by_gaussian: Share
    promise_missed: Share


def coins_exceed_the_band(arms: int, delta: float, logs: int, seed: int) -> CoinsOverBand:
    """One fair coin per arm, whose largest standard deviation is 1/2, against the calibrated Gaussian band."""
    region = TrustRegion(np.full(arms, 4.0))
    band = band_for(region, delta, "calibrated", seed)
    coins = default_rng([seed, arms, 1]).binomial(1, 0.5, (logs, arms)) - 0.5  # the coins of chapter 8
    normal, _ = noise_suprema(region, band.radii, logs, seed, stream=7)
    by_coins, by_gaussian = (share(band.exceeded(x)) for x in (region.suprema(coins, band.radii), normal))
    return CoinsOverBand(delta, by_coins, by_gaussian, share(trust_many(band, coins).lower_bound > 0))
