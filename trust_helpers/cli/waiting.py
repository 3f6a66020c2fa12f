"""Work that can be interrupted, and what it will cost before it begins."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from math import log2
from typing import TypeVar

from ..calibration import calibration_draws
from ..combination import shares_for
from ..data import OfflineData
from ..errors import TrustError
from ..quantiles import draws_for
from ..scores import pilot_draws
from ..simulate import cores

__all__ = ["Cost", "agree_on", "cost_of", "interruptible"]

Result = TypeVar("Result")

RADII = 40
LOOKED_UP = 0.1  # seconds between looking up from the work
# Seconds of one core for each number that is drawn and sorted, for each draw besides and for each arm that is listed,
# measured generously; bytes kept of each draw and radius while a band is made of them.
PER_NUMBER, PER_DRAW, PER_ROW, KEPT = 3.5e-9, 1e-5, 1e-5, 40
PATIENCE, MOST_MEMORY = 60.0, 4e9


@dataclass(frozen=True)
class Cost:
    """What simulating the noise, and listing arms, takes."""

    draws: int
    seconds: float
    bytes: float
    rows: int = 0


def interruptible(work: Callable[[], Result]) -> Result:
    """Do the work in a thread: the main one waits, and is there when somebody interrupts a long call."""
    pool = ThreadPoolExecutor(1)
    try:
        future = pool.submit(work)
        while not wait([future], timeout=LOOKED_UP).done:  # some libraries' signal handlers let a plain wait go on
            pass
        return future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def cost_of(data: OfflineData, delta: float, band: str, top: int = 0, forms: int = 1) -> Cost:
    """An estimate, from the number of draws and arms, and of arms to be listed in so many forms."""
    share = shares_for(data).joint
    if band == "paper":
        draws = draws_for(delta, RADII) if delta >= 1e-7 else int(10 * RADII / delta)
    else:
        draws = calibration_draws(data.n_arms, delta * share) + pilot_draws(data.n_arms) if share else 0
    size = data.n_arms
    seconds = draws * (PER_DRAW + PER_NUMBER * size * log2(size + 1)) / cores()
    rows = forms * min(top, size)
    return Cost(draws, seconds + PER_ROW * rows, float(draws) * RADII * KEPT, rows)


def agree_on(cost: Cost, yes: bool, delta: float) -> None:
    """Refuse what does not fit into memory; ask for ``--yes`` before a long wait that nobody watches."""
    if cost.bytes > MOST_MEMORY:
        needed = f"{cost.draws:,} simulated logs, about {cost.bytes / 1e9:,.0f} GB of memory"
        raise TrustError(f"--delta {delta:g} needs {needed}: take a larger delta, or --noise sd:S")
    if cost.seconds > PATIENCE and not yes:
        wait = f"{cost.draws:,} simulated logs and {cost.rows:,} rows will take about {_spoken(cost.seconds)}"
        if not sys.stderr.isatty():
            raise TrustError(f"{wait}: say --yes to wait for it, or take a larger delta or a smaller --top")
        print(f"trust_helpers: {wait}; Ctrl-C ends it", file=sys.stderr)


def _spoken(seconds: float) -> str:
    return f"{seconds / 60:,.0f} minutes" if seconds < 7200 else f"{seconds / 3600:,.0f} hours"
