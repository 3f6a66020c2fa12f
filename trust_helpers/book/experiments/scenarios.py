"""Chapter 8's logs as people have them, the truth known: promises with a level plugged in or a law that fits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from ...algorithm import trust_many
from ...band import band_for
from ...checks import Array
from ...combination import best_promise, shares_for, simulate_log
from ...data import OfflineData
from ...doubts import about_one_level
from ...laws.said import Noise
from ...trials import Share, share
from ..pictures.counts import Count
from ..table import form_for, number

__all__ = ["SCENARIOS", "Missed", "Scenario", "missed_words", "tried"]

# Logs of a scenario that are searched for doubts; they hardly differ in that.
DOUBTED = 10

Draw = Callable[[Generator, NDArray[np.intp]], Array]


@dataclass(frozen=True, eq=False)
class Scenario:
    """A kind of log.

    Attributes
    ----------
    name : str
        What the rewards are.
    means : (d,) array
        The arms' true means.
    counts : (d,) array of int
        Samples of each arm.
    draw : callable
        ``draw(rng, arm)`` draws one reward for each entry of an array of arm numbers.
    fitting : text, number or (d,) array
        What may honestly be said of the noise.
    short : str
        A name for the margin of a picture; empty for a scenario that is not drawn.
    """

    name: str
    means: Array
    counts: NDArray[np.int64]
    draw: Draw
    fitting: Noise
    short: str = ""

    @property
    def said(self) -> str:
        """What is said of the noise, in words."""
        if isinstance(self.fitting, str):
            word, _, rest = self.fitting.partition(":")
            return f"{word}:{float(rest):.3g}" if word == "sd" else self.fitting
        return "a number" if isinstance(self.fitting, float) else "a number per arm"

    def log(self, rng: Generator) -> OfflineData:
        """A log read under the fitting law."""
        arm = np.repeat(np.arange(self.means.size), self.counts)
        return OfflineData.from_samples(arm, self.draw(rng, arm), self.fitting)


@dataclass(frozen=True)
class Missed:
    """How often a scenario's promise was missed.

    Attributes
    ----------
    scenario, logs, delta
        What was tried, how often, and what may be missed.
    before, after : Share
        With the level pooled and plugged into Gaussian noise, and with the fitting law.
    promised, worth : float
        Under the fitting law, the mean promise and the mean true value of what is recommended.
    doubted : Share
        How often the log itself speaks against Gaussian noise of one level, among the first ten.
    """

    scenario: Scenario
    logs: int
    delta: float
    before: Share
    after: Share
    promised: float
    worth: float
    doubted: Share

    @property
    def counts(self) -> tuple[Count, Count]:
        """The two shares as counts, for a picture, with the plug-in, and with the fitting law."""
        words = {"plug-in": self.before, "its law": self.after}
        plugged, fitting = (
            Count(f"{self.scenario.short}, {word}", round(one.value * self.logs), self.logs, self.delta)
            for word, one in words.items()
        )
        return plugged, fitting

    @property
    def row(self) -> dict[str, object]:
        """As a row of a table."""
        form, looked = form_for(self.promised, self.worth), min(DOUBTED, self.logs)
        return {
            "log": self.scenario.name,
            "plug-in": str(self.before),
            "said of the noise": self.scenario.said,
            "its law": str(self.after),
            "promised": number(self.promised, form),
            "worth": number(self.worth, form),
            "doubted": f"{round(self.doubted.value * looked)} of {looked}",
        }


def missed_words(found: Sequence[Missed]) -> dict[str, str]:
    """What the prose says of many kinds of logs: the worst before, all after, and who then misses beyond chance."""
    after = [one.counts[1] for one in found]
    broken = sum(one.verdict == "broken" for one in after)
    return {
        "kinds": str(len(found)),
        "worst-before": number(max(one.before.value for one in found), ".0%"),
        "pooled-after": number(sum(one.broken for one in after) / sum(one.trials for one in after), ".1%"),
        "broken-after": f"{broken} of them" if broken else "none of them",
        "worst-after": str(max((one.after for one in found), key=lambda one: one.value)),
    }


def tried(scenario: Scenario, logs: int, seed: int, delta: float = 0.1) -> Missed:
    """Play a scenario on fresh logs, with the plug-in level and with the fitting law, both at 1 - delta."""
    streams = [default_rng(stream) for stream in SeedSequence(seed).spawn(logs)]
    data = [scenario.log(rng) for rng in streams]
    shares = shares_for(data[0])
    simulated = simulate_log(data[0], delta * shares.joint, seed) if shares.joint else None
    made = [best_promise(one, delta, shares, simulated) for one in data]
    worth = np.array([one.weights @ scenario.means for one in made])
    promised = np.array([one.lower_bound for one in made])
    return Missed(
        scenario,
        logs,
        delta,
        share(_plugged_in(scenario, data, delta, seed)),
        share(promised > worth + 1e-12),
        float(promised.mean()),
        float(worth.mean()),
        share([bool(about_one_level(one)) for one in data[:DOUBTED]]),
    )


def _plugged_in(scenario: Scenario, data: list[OfflineData], delta: float, seed: int) -> NDArray[np.bool_]:
    """Whether TRUST misses on each log when the pooled level is taken for the true one."""
    means = np.array([one.means for one in data])
    levels = np.array([_pooled_level(one) for one in data])[:, None]
    unit = OfflineData(np.zeros(scenario.means.size), scenario.counts, 1.0)
    made = trust_many(band_for(unit, delta, seed=seed), means / levels)
    return made.lower_bound * levels[:, 0] > made.weights @ scenario.means


def _pooled_level(data: OfflineData) -> float:
    """The standard deviation within arms; a tiny one where all repeats agree, the stated one where there are none."""
    samples = data.samples
    if samples is None or not samples.spare:
        return float(data.sigma[0])
    return max(float(np.sqrt(samples.residual_variance)), 1e-9)


def _clicks(name: str, means: Array, pulls: int, short: str = "") -> Scenario:
    def draw(rng: Generator, arm: NDArray[np.intp]) -> Array:
        return (rng.random(arm.size) < means[arm]) * 1.0

    return Scenario(name, means, np.full(means.size, pulls), draw, "range:0:1", short)


def _noisy(
    name: str, counts: NDArray[np.int64], noise: Draw, fitting: Noise, mean: float = 0.0, short: str = ""
) -> Scenario:
    def draw(rng: Generator, arm: NDArray[np.intp]) -> Array:
        return noise(rng, arm)

    return Scenario(name, np.full(counts.size, mean), counts, draw, fitting, short)


def _repeated(arms: int, spare: int) -> NDArray[np.int64]:
    """One sample each, and spare ones spread over the first arms."""
    return np.ones(arms, dtype=np.int64) + np.bincount(np.arange(spare) % arms, minlength=arms)


def _normal(rng: Generator, arm: NDArray[np.intp]) -> Array:
    return rng.standard_normal(arm.size)


def _revenue(rng: Generator, arm: NDArray[np.intp]) -> Array:
    """One in twenty buys, for a lognormal sum."""
    return (rng.random(arm.size) < 0.05) * rng.lognormal(5.0, 0.8, arm.size)


_BUYER = np.exp(5 + 0.8**2 / 2)
_REVENUE_SD = float(np.sqrt(0.05 * np.exp(10 + 2 * 0.8**2) - (0.05 * _BUYER) ** 2))
_QUIET = np.where(np.arange(200) < 20, 0.1, 1.0)
_TWO_LEVELS = np.where(np.arange(200) < 100, 0.3, 2.0)


def _beta(seed: int, mean: float, arms: int) -> Array:
    return default_rng(seed).beta(2 * mean, 2 * (1 - mean), arms)


SCENARIOS: tuple[Scenario, ...] = (
    _clicks("clicks, 3 % in all arms, 1,000 arms, 3 each", np.full(1_000, 0.03), 3, "clicks"),
    _clicks("clicks, 3 % in all arms, 10,000 arms, 2 each", np.full(10_000, 0.03), 2),
    _clicks("clicks, 10 % in all arms, 200 arms, 20 each", np.full(200, 0.1), 20),
    _clicks("clicks, 1 % in all arms, 100 arms, 200 each", np.full(100, 0.01), 200),
    _clicks("clicks, means around 3 %, 1,000 arms, 10 each", _beta(0, 0.03, 1_000), 10),
    _clicks("clicks, means around 3 %, 200 arms, 20 each", _beta(1, 0.03, 200), 20, "uneven clicks"),
    _clicks("clicks, means around 3 %, 1,000 arms, 50 each", _beta(4, 0.03, 1_000), 50),
    _clicks("clicks, means around 3 %, 50 arms, 100 each", _beta(2, 0.03, 50), 100),
    _clicks("clicks, means around 1 %, 50 arms, 100 each", _beta(3, 0.01, 50), 100),
    _noisy("Gaussian, 100 arms, 1 spare sample", _repeated(100, 1), _normal, "pooled"),
    _noisy("Gaussian, 100 arms, 2 spare samples", _repeated(100, 2), _normal, "pooled"),
    _noisy("Gaussian, 100 arms, 3 spare samples", _repeated(100, 3), _normal, "pooled"),
    _noisy("Gaussian, 100 arms, 5 spare samples", _repeated(100, 5), _normal, "pooled", short="few repeats"),
    _noisy("Gaussian, 100 arms, 10 spare samples", _repeated(100, 10), _normal, "pooled"),
    _noisy("Gaussian, 100 arms, 20 spare samples", _repeated(100, 20), _normal, "pooled"),
    _noisy("Gaussian, 100 arms, 50 spare samples", _repeated(100, 50), _normal, "pooled"),
    _noisy("revenue, 200 arms, 20 each", np.full(200, 20), _revenue, f"sd:{_REVENUE_SD}", 0.05 * _BUYER, "revenue"),
    _noisy("revenue, 50 arms, 100 each", np.full(50, 100), _revenue, f"sd:{_REVENUE_SD}", 0.05 * _BUYER),
    _noisy("revenue, 10 arms, 2,000 each", np.full(10, 2_000), _revenue, f"sd:{_REVENUE_SD}", 0.05 * _BUYER),
    _noisy("Poisson of mean 0.2, 500 arms, 3 each", np.full(500, 3),
           lambda rng, arm: rng.poisson(0.2, arm.size) * 1.0, f"sd:{np.sqrt(0.2)}", 0.2),
    _noisy("Laplace, 1,000 arms, 3 each", np.full(1_000, 3),
           lambda rng, arm: rng.laplace(size=arm.size), f"sd:{np.sqrt(2)}"),
    _noisy("half the arms at 0.3, half at 2, 200 arms, 3 each", np.full(200, 3),
           lambda rng, arm: rng.normal(0, _TWO_LEVELS[arm]), _TWO_LEVELS, short="two levels"),
    _noisy("repeated arms quieter than the others, 200 arms", 1 + 4 * (np.arange(200) < 20),
           lambda rng, arm: rng.normal(0, _QUIET[arm]), _QUIET),
    _noisy("Gaussian, known level, 100 arms, 1 each (control)", np.ones(100, dtype=np.int64), _normal, 1.0),
)  # fmt: skip
