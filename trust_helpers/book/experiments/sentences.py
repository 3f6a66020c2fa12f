"""Chapter 9's experiment on sentences about the noise, true and false ones, where every arm is worth the same."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from ...checks import Array
from ...combination import Shares, best_promise, simulate_log
from ...data import OfflineData
from ...laws.said import Noise
from .counts import Count

__all__ = ["KINDS", "SENTENCES", "Rewards", "missed_when_said", "sentence_row"]

SENTENCES = ("a number", "pooled", "range", "sd")


@dataclass(frozen=True, eq=False)
class Rewards:
    """What rewards may really be like; every arm is worth ``mean``.

    Attributes
    ----------
    name : str
        What happens.
    draw : callable
        ``draw(rng, arm)`` draws one reward for each entry of an array of arm numbers.
    said : mapping from text to what is said of the noise
        What somebody might say: by number, pooled, range and sd; a sentence that nobody would say is left out.
    """

    name: str
    mean: float
    draw: Callable[[Generator, NDArray[np.intp]], Array]
    said: Mapping[str, Noise]


def _shocked(rng: Generator, arm: NDArray[np.intp]) -> Array:
    return np.sqrt(0.5) * (rng.standard_normal() + rng.standard_normal(arm.size))


def _two_levels(rng: Generator, arm: NDArray[np.intp]) -> Array:
    return np.where(arm % 2, 0.3, 1.4) * rng.standard_normal(arm.size)


_UNIT: dict[str, Noise] = {"a number": 1.0, "pooled": "pooled", "sd": "sd:1"}
_CLICK = float(np.sqrt(0.05 * 0.95))
KINDS: tuple[Rewards, ...] = (
    Rewards("Gaussian, as said", 0.0, lambda rng, arm: rng.normal(size=arm.size), _UNIT),
    Rewards("Gaussian, half as much again", 0.0, lambda rng, arm: 1.5 * rng.normal(size=arm.size), _UNIT),
    Rewards("two levels, half the arms each", 0.0, _two_levels, {**_UNIT, "a number": 1.0125, "sd": "sd:1.4"}),
    Rewards("clicks, one in twenty", 0.05, lambda rng, arm: (rng.random(arm.size) < 0.05) * 1.0,
         {"a number": _CLICK, "pooled": "pooled", "range": "range:0:1", "sd": f"sd:{_CLICK}"}),
    Rewards("rare large rewards (exponential)", 1.0, lambda rng, arm: rng.exponential(size=arm.size), _UNIT),
    Rewards("half of the noise shared by all", 0.0, _shocked, _UNIT),
)  # fmt: skip


def missed_when_said(
    kind: Rewards, said: str, counts: Sequence[int], logs: int, seed: int, delta: float
) -> tuple[int, int]:
    """In how many logs the promise was missed, and in how many the log itself was found to contradict the sentence.

    Promised is the best of cloning, mixtures and single arms at shares fixed in advance; nothing is split.

    Examples
    --------
    >>> missed_when_said(KINDS[0], "sd", [4] * 20, logs=10, seed=0, delta=0.1)
    (0, 0)
    """
    arm, sentence = np.repeat(np.arange(len(counts)), counts), kind.said[said]
    streams = [default_rng(stream) for stream in SeedSequence([seed, 10]).spawn(logs)]
    data = [OfflineData.from_samples(arm, kind.draw(rng, arm), sentence) for rng in streams]
    shares = Shares(0.1, 0.9) if data[0].law.uniform else Shares(0.5, arms=0.5)
    simulated = simulate_log(data[0], delta * shares.joint, seed) if shares.joint else None
    missed = sum(best_promise(one, delta, shares, simulated).lower_bound > kind.mean + 1e-12 for one in data)
    return missed, sum(bool(one.law.doubts(one)) for one in data)


def sentence_row(kind: Rewards, arms: int, pulls: int, logs: int, seed: int, delta: float) -> dict[str, str]:
    """Under each sentence whether the promise was kept, and ``seen`` if half of the logs or more spoke against it.

    Empty where nobody would say it. Broken: the 95 % interval for how often it is missed lies above ``delta``.

    >>> sentence_row(KINDS[3], 60, 4, logs=20, seed=0, delta=0.1)["range"]
    'kept'
    """
    found = {said: missed_when_said(kind, said, [pulls] * arms, logs, seed, delta) for said in kind.said}
    words = {
        said: Count(said, missed, logs, delta).verdict + (", seen" if 2 * doubted >= logs else "")
        for said, (missed, doubted) in found.items()
    }
    return {said: words.get(said, "") for said in SENTENCES}
