r"""Two guesses of the arms' means from one part of a log, by empirical Bayes.

They only *choose*: whatever is promised is judged on other samples, so a poor guess costs promise and never validity.
Each pair holds a parametric fit and a nonparametric one; where they disagree the data do not say which is right, and
whoever believes the smaller promise of the two is rarely disappointed.

*0/1 rewards.* Arm means are drawn from a beta law, fitted by maximum likelihood, or from any law on a grid, fitted by
400 steps of EM from the first. The steps are few on purpose: run to the end, EM puts all mass on a handful of points.

*Other rewards.* The arms' averages are taken as normal around their means: a normal law of means, or any law on a grid.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy  # which loads its parts when they are first needed
from numpy.typing import NDArray

from ..checks import Array

__all__ = ["Guesses", "coin_guesses", "normal_guesses"]

STEPS = 400
GRID = 120
ENDS = (-6.0, 12.0)  # of log a and log b
# EM learns the law of the means from at most this many arms (or distinct pairs of successes and trials)
LEARN = 2_000
CHUNK = 20_000


Likelihood = Callable[[Array, Array], Array]


class Guesses(NamedTuple):
    """The posterior means of every arm, under the parametric and the nonparametric fit.

    >>> Guesses(np.array([0.2, 0.4]), np.array([0.4, 0.4])).middle.round(6)
    array([0.3, 0.4])
    """

    parametric: Array
    free: Array

    @property
    def middle(self) -> Array:
        """Halfway between the two."""
        return (self.parametric + self.free) / 2

    def of(self, arms: NDArray[np.intp]) -> "Guesses":
        """The guesses of some arms, in that order."""
        return Guesses(self.parametric[arms], self.free[arms])


def coin_guesses(successes: NDArray[np.int64], trials: NDArray[np.int64]) -> Guesses:
    """Guesses of success probabilities; an arm without a trial gets the mean of the others.

    Examples
    --------
    >>> sure = coin_guesses(np.array([8] * 50 + [0] * 50), np.full(100, 8))
    >>> [bool(g[0] > 0.95 and g[-1] < 0.05) for g in sure]
    [True, True]
    """
    base = int(trials.max()) + 1
    pairs, back, times = np.unique(trials * base + successes, return_inverse=True, return_counts=True)
    n, k = (pairs // base).astype(float), (pairs % base).astype(float)
    learn = _some(k.size)
    a, b = _beta_fit(k[learn], n[learn], times[learn])
    grid = np.sin(np.pi / 2 * (np.arange(GRID) + 0.5) / GRID) ** 2  # finer towards 0 and 1

    logs = np.outer(k, np.log(grid)) + np.outer(n - k, np.log1p(-grid))
    likelihood = np.exp(logs - logs.max(axis=1, keepdims=True))
    # the beta density in the angle, in which the grid is even
    start = np.exp((a - 0.5) * np.log(grid) + (b - 0.5) * np.log1p(-grid) - scipy.special.betaln(a, b))
    free = _posterior_means(grid, _em(likelihood[learn], times[learn], start), likelihood)
    return Guesses(((k + a) / (n + a + b))[back], free[back])


def normal_guesses(means: Array, precision: Array) -> Guesses:
    """Guesses of the means behind averages that are normal with these precisions; a precision may be zero.

    Examples
    --------
    >>> same = normal_guesses(np.array([0.9, 1.0, 1.1, 1.0]), np.ones(4))
    >>> same.parametric.round(2).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    if not precision.any():
        return Guesses(np.zeros(means.size), np.zeros(means.size))
    centre, spread = _normal_fit(means, precision)
    shrunk = (precision * means * spread + centre) / (precision * spread + 1)
    used = means[precision > 0]
    grid = np.linspace(used.min(), used.max(), GRID)

    def likelihood(x: Array, p: Array) -> Array:
        logs = -0.5 * p[:, None] * (x[:, None] - grid) ** 2
        return np.exp(logs - logs.max(axis=1, keepdims=True))

    learn = _some(means.size)
    start = np.exp(-((grid - centre) ** 2) / (2 * max(spread, np.ptp(grid) ** 2 / GRID) or 1.0))
    law = _em(likelihood(means[learn], precision[learn]), np.ones(learn.size, dtype=np.int64), start)
    if means.size <= CHUNK:
        return Guesses(shrunk, _posterior_means(grid, law, likelihood(means, precision)))
    return Guesses(shrunk, _interpolated(means, precision, grid, law, likelihood))


def _interpolated(means: Array, precision: Array, grid: Array, law: Array, likelihood: Likelihood) -> Array:
    """Posterior means of very many arms: computed on the grid for 16 levels of precision, and read off between."""
    edges = np.quantile(precision, np.linspace(0, 1, 17))
    level = np.clip(np.searchsorted(edges, precision, side="right") - 1, 0, 15)
    free = np.empty(means.size)
    for j in np.unique(level):
        here = level == j
        curve = _posterior_means(grid, law, likelihood(grid, np.full(GRID, precision[here].mean())))
        free[here] = np.interp(means[here], grid, curve)
    return free


def _some(size: int) -> NDArray[np.intp]:
    """All positions, or a random choice of them that never changes."""
    if size <= LEARN:
        return np.arange(size)
    return np.random.default_rng(0).choice(size, LEARN, replace=False)


def _beta_fit(k: Array, n: Array, times: NDArray[np.int64]) -> Array:
    """The beta law under which these counts are most likely.

    One trial per arm says nothing of the spread; a weak pull towards a + b = 2 decides then, and is felt nowhere else.
    """
    share = float(np.clip((times @ k + 0.5) / (times @ n + 1), 1e-6, 1 - 1e-6))

    def loss(log_ab: Array) -> float:
        a, b = np.exp(log_ab)
        fit = times @ (scipy.special.betaln(k + a, n - k + b) - scipy.special.betaln(a, b))
        return float(-fit + 0.02 * np.log((a + b) / 2) ** 2)

    starts = [np.log([share * size, (1 - share) * size]) for size in (1.0, 8.0, 64.0)]
    return np.exp(_least(loss, lambda x: _slopes_of_beta(np.exp(x), k, n, times), min(starts, key=loss)))


def _least(loss: Callable[[Array], float], slopes: Callable[[Array], tuple[Array, Array]], x: Array) -> Array:
    """Where a smooth function is least between two ends, by Newton's steps, uphill nowhere and never past an end.

    To the last digits: a choice may hang on the fifth, and what is cut short there differs between processors.
    """
    low, high = ENDS
    for _ in range(50):
        slope, curvature = slopes(x)
        free = ((x > low) | (slope < 0)) & ((x < high) | (slope > 0))
        bends, axes = np.linalg.eigh(curvature[np.ix_(free, free)])
        step = np.zeros(x.size)
        step[free] = axes @ (slope[free] @ axes / np.maximum(np.abs(bends), 1e-9))
        step /= max(1.0, np.abs(step).max())
        while np.abs(step).max() > 1e-4 and loss(np.clip(x - step, low, high)) > loss(x):
            step /= 2
        x = np.clip(x - step, low, high)
        if np.abs(step).max() < 1e-9:
            break
    return x


def _slopes_of_beta(ab: Array, k: Array, n: Array, times: NDArray[np.int64]) -> tuple[Array, Array]:
    """The first and second derivatives in log a and log b of what :func:`_beta_fit` makes least."""
    size = ab.sum()

    def rise(order: int, more: Array, x: float) -> float:
        return float(times @ (scipy.special.polygamma(order, x + more) - scipy.special.polygamma(order, x)))

    def derivatives(order: int) -> Array:
        return np.array([rise(order, k, ab[0]), rise(order, n - k, ab[1])])

    pull = np.log(size / 2)
    by = ab * (rise(0, n, size) - derivatives(0) + 0.04 * pull / size)
    both = rise(1, n, size) + 0.04 * (1 - pull) / size**2
    return by, np.outer(ab, ab) * (both - np.diag(derivatives(1))) + np.diag(by)


def _normal_fit(means: Array, precision: Array) -> tuple[float, float]:
    """Mean and variance of the normal law of means under which these averages are most likely."""
    x, p = means[precision > 0], precision[precision > 0]
    noise = float(np.median(1 / p))

    def at(spread: float) -> tuple[float, float, float]:
        """The likeliest mean, what is to be least, and its slope in the logarithm of the spread."""
        share = 1 / (1 / p + spread)
        centre = float(share @ x / share.sum())
        away = share * (x - centre) ** 2
        return centre, float((away - np.log(share)).sum()), spread * float((share * (1 - away)).sum())

    # in units of the noise, with nothing below a thousandth of it: there no arm is told from another
    from scipy import optimize  # takes longer to import than all the rest

    ends = np.log([1e-3, 1e4])
    t = optimize.minimize_scalar(lambda t: at(noise * np.exp(t))[1], bounds=tuple(ends), method="bounded").x
    around = np.clip([t - 0.01, t + 0.01], *ends)  # there the slope crosses zero, or the range ends
    down, up = (at(noise * np.exp(end))[2] for end in around)
    if down < 0 < up:
        t = optimize.brentq(lambda t: at(noise * np.exp(t))[2], *around, xtol=1e-14)
    else:
        t = next((end for end in ends if end in around), t)
    spread = noise * float(np.exp(t))
    spread = 0.0 if at(0.0)[1] <= at(spread)[1] else spread
    return at(spread)[0], spread


def _em(likelihood: Array, times: NDArray[np.int64], start: Array) -> Array:
    """The law on the grid after a fixed number of EM steps."""
    law = start / start.sum()
    law = (law + 1e-9) / (1 + 1e-9 * law.size)
    share = times / times.sum()
    for _ in range(STEPS):
        law = law * (likelihood.T @ (share / (likelihood @ law)))
    return law


def _posterior_means(grid: Array, law: Array, likelihood: Array) -> Array:
    joint = likelihood * law
    return joint @ grid / joint.sum(axis=1)
