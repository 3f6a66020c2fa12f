"""Speed and memory, as ratios measured in one run: ``make bench``.

Each row names what is to be reached; the last column says whether it was. Times are the least of several rounds in
which the things compared take turns, so that a busy machine slows all of them alike.
"""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import log2

import numpy as np

from trust_helpers import OfflineData, Pooled, TrustRegion, draws_for, instances, order_statistic, split, trust
from trust_helpers.simulation import BATCH, noise_draws, noise_suprema
from trust_helpers.solvers.cone import improvement_problem
from trust_helpers.solvers.sorted import GROUP

RADII = 40
ROUNDS = 40
MILLION = 1_000_000


def best_times(*calls, rounds=ROUNDS):
    """The least time of each call over rounds in which they take turns."""
    least = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            least[i] = min(least[i], time.perf_counter() - start)
    return least


def design(arms, equal):
    """Unit precisions, or precisions that spread over about two orders of magnitude."""
    return TrustRegion(np.ones(arms) if equal else np.exp(np.random.default_rng(0).normal(size=arms)))


def floor(region, draws, deviation=None):
    """Drawing the noise, and sorting it (equal precisions) or argsorting it (unequal): what no method can avoid."""
    rng, arms = np.random.default_rng(1), region.n_arms
    deviation = 1 / np.sqrt(region.precision) if deviation is None else deviation
    group = np.empty((max(1, min(draws, GROUP // arms)), arms))

    def run():
        for start in range(0, draws, len(group)):
            rows = group[: draws - start]
            rng.standard_normal(out=rows)
            if region.equal:
                rows.sort(axis=1)
            else:
                rows *= deviation
                np.argsort(rows, axis=1)

    return run


def against_sorting(arms, equal):
    """Time of a band per time of drawing and sorting its noise, on one thread; and seconds per draw."""
    region, draws = design(arms, equal), BATCH
    radii = region.radii(size=RADII)
    with ThreadPoolExecutor(1) as one:
        band, least = best_times(lambda: noise_suprema(region, radii, draws, 0, 0, one), floor(region, draws))
    return band / least, band / draws


def law_against_sorting(said, counts):
    """Time of the draws of a log's law per time of drawing from that law and sorting, on one thread."""
    data = OfflineData(np.full(counts.size, 0.5), counts, said)
    radii = data.region.radii(size=RADII)
    with ThreadPoolExecutor(1) as one:
        band, least = best_times(
            lambda: noise_draws(data.region, data.design, radii, BATCH, 0, executor=one),
            floor(data.region, BATCH, data.design.deviations),
        )
    return band / least


def against_cvxpy(solver, per_draw):
    """How many times longer one compiled cone program per radius takes than our whole path, per draw.

    Every fifth radius is solved, because small regions are quicker than large ones.
    """
    region = design(10_000, equal=True)
    problem, _, vector, size = improvement_problem(region.precision, region.reference)
    rng, radii = np.random.default_rng(2), region.radii(size=RADII)[::5]
    spent = []
    for radius in (radii[0], *radii):
        vector.value, size.value = rng.normal(size=region.n_arms), radius
        start = time.perf_counter()
        problem.solve(solver=solver)
        spent.append(time.perf_counter() - start)
    return np.mean(spent[1:]) * RADII / per_draw  # the first solve compiles


def two_threads():
    """Time on one thread per time on two, having checked that the numbers are the same bit for bit."""
    region = design(10_000, equal=True)
    radii, draws = region.radii(size=RADII), 16 * BATCH
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(2) as two:
        single, double = (noise_suprema(region, radii, draws, 0, 0, pool)[0] for pool in (one, two))
        np.testing.assert_array_equal(single, double)
        slow, fast = best_times(
            lambda: noise_suprema(region, radii, draws, 0, 0, one),
            lambda: noise_suprema(region, radii, draws, 0, 0, two),
            rounds=15,
        )
    return slow / fast


def around_a_reference(arms=20, rows=200):
    """One problem at a time around a reference of one's own, over all rows and radii at once."""
    rng = np.random.default_rng(3)
    region = TrustRegion(rng.uniform(1, 3, arms), reference=rng.dirichlet(np.ones(arms)))
    x, radii = rng.standard_normal((rows, arms)), region.radii()
    alone, together = best_times(
        lambda: [[region.improvement(row, radius) for radius in radii] for row in x], lambda: region.suprema(x, radii)
    )
    return alone / together


def growth():
    """Largest over smallest time per d log d, for the band and for drawing and sorting alone."""
    ours, alone = [], []
    for arms in (1_000, 10_000, 100_000, MILLION):
        region, draws = design(arms, equal=True), max(4, min(BATCH, MILLION // arms))
        radii = region.radii(size=RADII)
        with ThreadPoolExecutor(1) as one:
            band, least = best_times(
                lambda r=region, e=radii, n=draws, p=one: noise_suprema(r, e, n, 0, 0, p),
                floor(region, draws),
                rounds=15,
            )
        ours.append(band / draws / (arms * log2(arms)))
        alone.append(least / draws / (arms * log2(arms)))
    return max(ours) / min(ours), max(alone) / min(alone)


def whole_trust():
    """Seconds for trust() on the 10,000-arm instance with the paper's band, and the order statistic it used."""
    data = instances.data_starved().sample(np.random.default_rng(0))
    start = time.perf_counter()
    trust(data, band="paper")
    spent = time.perf_counter() - start
    draws = draws_for(0.1, RADII)
    return spent, draws, order_statistic(draws, 0.1 / (2 * RADII))


def peak_memory(code):
    """Peak memory in GB of a fresh process that runs ``code``."""
    tail = "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')), file=sys.stderr)"
    folder = os.path.dirname(os.path.abspath(__file__))
    head = f"import sys; sys.path.insert(0, {folder!r})\n"
    done = subprocess.run([sys.executable, "-c", head + code + tail], capture_output=True, text=True, check=True)
    return int(done.stderr.split()[-2]) / 1e6


def band_memory(equal):
    """Peak memory of a band of 1,000 draws over a million arms."""
    return peak_memory(
        "from bench import MILLION, RADII, design, noise_suprema\n"
        f"region = design(MILLION, {equal})\n"
        "noise_suprema(region, region.radii(size=RADII), 1000, 0)"
    )


def many_splits(arms=2_000):
    """The most seconds that splitting one log takes: clicks, ratings, and one Gaussian sample each."""
    rng = np.random.default_rng(6)
    rates, shown = np.where(np.arange(arms) < arms // 10, 0.08, 0.01), rng.integers(100, 400, arms)
    rated = np.clip(rng.normal(3.5, 1.0, 4 * arms), 1, 5)
    logs = [
        OfflineData.from_counts(rng.binomial(shown, rates), shown),
        OfflineData.from_samples(np.repeat(np.arange(arms), 4), rated, "range:1:5"),
        instances.general(arms).sample(rng),
    ]
    return max(best_times(*(partial(split, log) for log in logs), rounds=3))


def decide_on_a_million():
    """Minutes and peak GB of the command ``decide`` on a log with a million arms, one sample each."""
    rewards = np.random.default_rng(3).normal(size=MILLION)
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.csv")
        with open(log, "w", encoding="utf-8") as file:
            file.write("arm,reward\n")
            file.writelines(f"option {i},{reward:.6f}\n" for i, reward in enumerate(rewards))
        start = time.perf_counter()
        memory = peak_memory(
            "from trust_helpers.cli import main\n"
            f"assert main(['decide', {log!r}, '--sigma', '1', '--policy', {log + '.out'!r}]) == 0"
        )
        return (time.perf_counter() - start) / 60, memory


def rows_of(size, path):
    """Write a log of so many rows and ten thousand arms, and a column that nobody asks for."""
    import polars

    rng = np.random.default_rng(4)
    arm, reward = rng.integers(0, 10_000, size), rng.normal(size=size).round(4)
    table = polars.DataFrame({"day": np.arange(size) % 365, "arm": arm, "reward": reward})
    table.with_columns(arm=polars.format("option {}", polars.col("arm"))).write_csv(path)


def reading(size=20_000_000):
    """Reading a log of so many rows: time per that of the reader's own group-by, seconds, and peak GB.

    Processor time, so that what else the machine does matters less, of whole processes: threads and imports count.
    """
    grouped = "import polars as pl; pl.scan_csv({path!r}).group_by('arm').agg(pl.col('reward').mean()).collect()"
    ours = "from trust_helpers.tables import read_log; read_log({path!r}, 'arm', 'reward')"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.csv")
        rows_of(size, path)
        spent = []
        for code in (grouped, ours):
            tail = "\nimport time, sys; print(time.process_time(), file=sys.stderr)"
            line = [sys.executable, "-c", code.format(path=path) + tail]
            runs = (subprocess.run(line, capture_output=True, text=True, check=True).stderr for _ in range(3))
            spent.append(min(float(text.split()[-1]) for text in runs))
        start = time.perf_counter()
        memory = peak_memory(ours.format(path=path))
        return spent[1] / spent[0], time.perf_counter() - start, memory


def row(what, measured, target, reached):
    """One line of the table, printed as soon as it is known."""
    print(f"| {what:<62} | {measured:>22} | {target:>18} | {'yes' if reached else 'NO':<7} |", flush=True)


def main():
    """Print the table."""
    print(f"| {'what':<62} | {'measured':>22} | {'to reach':>18} | reached |")
    print(f"|{'-' * 64}|{'-' * 24}|{'-' * 20}|---------|")
    ratio, per_draw = against_sorting(10_000, equal=True)
    row("band per draw / drawing and sorting, equal precisions", f"{ratio:.2f} x", "at most 1.5 x", ratio <= 1.5)
    ratio, _ = against_sorting(10_000, equal=False)
    row("band per draw / drawing and argsorting, unequal", f"{ratio:.2f} x", "at most 1.5 x", ratio <= 1.5)
    alike, mixed = np.full(10_000, 4), np.random.default_rng(4).integers(1, 60, 10_000)
    for name, said in (("pooled", Pooled(0.5, 100)), ("range", "range:0:1")):
        for kind, counts in (("equal", alike), ("unequal", mixed)):
            ratio = law_against_sorting(said, counts)
            row(f"the same, law {name}, {kind} counts", f"{ratio:.2f} x", "at most 1.5 x", ratio <= 1.5)
    for solver in ("CLARABEL", "SCS"):
        ratio = against_cvxpy(solver, per_draw)
        row(f"{solver} per draw and radius / band", f"{ratio:,.0f} x", "at least 20,000 x", ratio >= 20_000)
    spent, draws, rank = whole_trust()
    row(f"trust(), paper's band, {draws:,} draws, M0 = {rank}", f"{spent:.1f} s", "seconds", spent < 10)
    ratio = two_threads()
    row("one thread / two threads, same numbers bit for bit", f"{ratio:.2f} x", "at least 1.7 x", ratio >= 1.7)
    ratio = around_a_reference()
    row("20 arms around a reference, one by one / all rows at once", f"{ratio:.0f} x", "at least 10 x", ratio >= 10)
    ours, alone = growth()
    row(
        "time per d log d, largest / smallest, d = 10^3 to 10^6",
        f"{ours:.2f} x ({alone:.2f} x sort)",
        "at most 2 x",
        ours <= 2,
    )
    spent = many_splits()
    row("many splits of a log of 2,000 arms", f"{spent:.2f} s", "at most 3 s", spent <= 3)
    ratio, spent, memory = reading()
    row("reading 20 million rows / the reader's own group-by", f"{ratio:.2f} x", "at most 2 x", ratio <= 2)
    row("reading 20 million rows", f"{spent:.1f} s, {memory:.2f} GB", "15 s, 2 GB", spent <= 15 and memory <= 2)
    minutes, memory = decide_on_a_million()
    row("decide on a log with 10^6 arms", f"{60 * minutes:.0f} s, {memory:.2f} GB", "half a minute", minutes <= 0.5)
    for equal in (True, False):
        memory = band_memory(equal)
        kind = "equal" if equal else "unequal"
        row(f"peak memory, d = 10^6, 1,000 draws, {kind}", f"{memory:.2f} GB", "under 1.5 GB", memory < 1.5)


if __name__ == "__main__":
    main()
