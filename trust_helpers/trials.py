"""Methods tried on many fresh logs of an instance whose truth is known.

A band depends on the design alone, so all logs of a design share one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.random import SeedSequence, default_rng
from numpy.typing import ArrayLike

from .band import Band, Kind, band_for
from .baselines import behaviour_cloning, greedy, lcb
from .checks import Array, frozen, probability, whole_number
from .combined import combined
from .data import OfflineData
from .decision import Decision, TrustDecision
from .errors import TrustError
from .instances import Instance
from .trust import trust, trust_many

__all__ = ["METHODS", "Played", "Share", "binomial_error", "play", "share"]

Method = Callable[[OfflineData], Decision]
Rule = Callable[[Instance, Sequence[OfflineData]], Array]  # a row for each log: value, bound and radius

NUMBERS = 4_000_000  # rewards that are held at once
METHODS = ("greedy", "behaviour", "lcb", "exact_lcb", "trust", "combined")


class Share(NamedTuple):
    """A share of trials, and its binomial standard error.

    >>> print(Share(0.098, 0.007))
    9.8 ± 0.7 %
    >>> print(Share(0.0, 0.0))  # all trials agree: the formula then knows no error, though there is one
    0.0 %
    """

    value: float
    error: float

    def __str__(self) -> str:
        """As in "9.8 ± 0.7 %"."""
        error = f" \N{PLUS-MINUS SIGN} {100 * self.error:.1f}" if self.error else ""
        return f"{100 * self.value:.1f}{error} %"


def share(hits: ArrayLike) -> Share:
    r"""The share of hits among independent trials, with the standard error :math:`\sqrt{p(1-p)/n}`.

    Raises TrustError if there are no trials.

    >>> print(share([True, False, False, False]))
    25.0 ± 21.7 %
    """
    seen = np.asarray(hits, dtype=bool).ravel()
    if not seen.size:
        raise TrustError("a share needs at least one trial")
    rate = float(seen.mean())
    return Share(rate, binomial_error(rate, seen.size))


def binomial_error(chance: float, trials: int) -> float:
    r"""The standard error :math:`\sqrt{p(1-p)/n}` of the share of hits in n independent trials of chance p.

    >>> round(binomial_error(0.1, 900), 12)
    0.01
    """
    return sqrt(chance * (1 - chance) / trials)


@dataclass(frozen=True, eq=False)
class Played:
    """What one method did, one entry per log.

    Attributes
    ----------
    value : (n,) array
        The true value of the policy it played.
    bound : (n,) array
        The lower bound it promised; minus infinity where it promises none.
    radius : (n,) array
        TRUST's critical radius; NaN for the other methods.

    Examples
    --------
    >>> str(Played(np.array([1.0, 2.0]), np.array([0.5, 2.5]), np.full(2, np.nan)).missed)
    '50.0 ± 35.4 %'
    """

    value: Array
    bound: Array
    radius: Array

    @property
    def missed(self) -> Share:
        """How often the promise was not kept."""
        return share(self.bound > self.value + 1e-12)


def play(
    instance: Instance,
    methods: Sequence[str] | Mapping[str, Method],
    replications: int,
    seed: int,
    *,
    delta: float | None = None,
    band: Band | Kind | None = None,
    pulls: int | ArrayLike | None = None,
) -> dict[str, Played]:
    """Play every method on the same fresh logs of an instance, ``replications`` of them.

    ``methods`` are names out of ``METHODS``, or a mapping from name to a function of the log. The band is what
    ``trust`` takes, and ``combined`` (here the better of LCB and TRUST, Appendix E); it is made once for all logs. The
    failure probability and the samples of each arm, ``pulls``, are by default the band's, or 0.1 and one. ``seed`` is
    that of the logs, and of a band made here. Each log has a stream of its own, so that the first logs of a longer
    trial are those of a shorter one.

    >>> from trust_helpers import instances
    >>> made = play(instances.general(50), ["lcb", "behaviour"], replications=200, seed=0)
    >>> bool(made["lcb"].value.mean() > made["behaviour"].value.mean())
    True
    >>> made["behaviour"].missed.value <= 0.1
    True
    """
    streams = SeedSequence(seed).spawn(whole_number(replications, "replications"))
    if delta is None:
        delta = band.delta if isinstance(band, Band) else 0.1
    if pulls is None:
        pulls = np.rint(band.region.precision * instance.sigma**2) if isinstance(band, Band) else 1
    if isinstance(methods, Mapping):
        rules: dict[str, Rule] = {name: partial(_each, method) for name, method in methods.items()}
    else:
        rules = _named(methods, instance, delta, band, seed, pulls)
    size = max(1, NUMBERS // instance.n_arms)
    parts: dict[str, list[Array]] = {name: [] for name in rules}
    for start in range(0, len(streams), size):
        logs = [instance.sample(default_rng(stream), pulls) for stream in streams[start : start + size]]
        for name, rule in rules.items():
            parts[name].append(rule(instance, logs))
    return {name: Played(*(frozen(column) for column in np.concatenate(rows).T)) for name, rows in parts.items()}


def _each(method: Method, instance: Instance, logs: Sequence[OfflineData]) -> Array:
    """A method on one log after the other."""
    made = [method(log) for log in logs]
    radii = [one.radius if isinstance(one, TrustDecision) else np.nan for one in made]
    return np.array([(instance.value(d.weights), d.lower_bound, r) for d, r in zip(made, radii, strict=True)])


def _together(band: Band, instance: Instance, logs: Sequence[OfflineData]) -> Array:
    """TRUST with one band on many logs at once: the same decisions as one by one, several times faster."""
    band.for_log(logs[0])  # refuses a band of another design
    made = trust_many(band, np.array([log.means for log in logs]))
    values = [instance.value(weights) for weights in made.weights]
    return np.column_stack([values, made.lower_bound, made.radius])


def _named(
    names: Sequence[str], instance: Instance, delta: float, band: Band | Kind | None, seed: int, pulls: int | ArrayLike
) -> dict[str, Rule]:
    """The named methods at ``delta``; a band is made only if one of them needs it."""
    probability(delta)
    unknown = [name for name in names if name not in METHODS]
    if unknown:
        raise TrustError(f"there is no method {unknown[0]!r}: it must be one of {', '.join(METHODS)}")
    if {"trust", "combined"} & set(names) and not isinstance(band, Band):
        band = band_for(instance.sample(default_rng(seed), pulls), delta, band, seed)
    known: dict[str, Method] = {
        "greedy": greedy,
        "behaviour": lambda log: behaviour_cloning(log, delta),
        "lcb": lambda log: lcb(log, delta, "paper"),
        "exact_lcb": lambda log: lcb(log, delta),
        "trust": lambda log: trust(log, delta, band, seed),
        "combined": lambda log: combined(log, delta, band, seed),
    }
    rules: dict[str, Rule] = {name: partial(_each, known[name]) for name in names}
    if "trust" in rules and isinstance(band, Band) and band.delta == delta:
        rules["trust"] = partial(_together, band)
    return rules
