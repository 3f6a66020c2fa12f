"""Noise of many arms on a cluster of processes, and the same in this one: ``python tests/tools/cluster.py``.

For equal and for unequal counts it draws the noise of a log in worker processes of ``dask.distributed``, and again in
this process alone, and stops if one number differs. The table it prints goes into ``book/api/cluster.csv`` with
``--write``; the page beside it says when a cluster is worth it.
"""

import argparse
import csv
import io
import os
import time
from pathlib import Path

import numpy as np
from distributed import Client, LocalCluster

from trust_helpers import OfflineData
from trust_helpers.outputs import write_whole
from trust_helpers.simulation import batch_size, noise_draws

TABLE = Path(__file__).parents[2] / "book" / "api" / "cluster.csv"


def log_of(arms, equal):
    """A log of rewards in [0, 1]: four samples of every arm, or 1 to 60."""
    counts = np.full(arms, 4) if equal else np.random.default_rng(4).integers(1, 60, arms)
    return OfflineData(np.full(arms, 0.5), counts, "range:0:1")


def peak_memory():
    """Peak memory of this process, in GB."""
    with open("/proc/self/status", encoding="utf-8") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1e6


def drawn(data, draws, executor=None):
    """The noise of a log, and the processor seconds that this process spent on it, whoever else used the machine."""
    start = time.process_time()
    made = noise_draws(data.region, data.design, data.region.radii(), draws, 0, executor=executor)
    return made, time.process_time() - start


def batches(arms, draws):
    """How many batches there are to be spread."""
    return -(-draws // batch_size(arms))


def measure(client, workers, arms, draws, equal):
    """One row of the table."""
    data = log_of(arms, equal)
    before, start = client.run(time.process_time), time.perf_counter()
    there, handing = drawn(data, draws, client.get_executor())
    waited, memory, after = time.perf_counter() - start, client.run(peak_memory), client.run(time.process_time)
    busy = {worker: after[worker] - before[worker] for worker in after}
    print(
        f"{batches(arms, draws)} batches, {waited:.0f} s, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        flush=True,
    )
    print(f"GB and processor seconds of each worker: {memory}, {busy}; handing out: {handing:.0f}", flush=True)
    start = time.perf_counter()
    here, alone = drawn(data, draws)
    print(f"in one process: {time.perf_counter() - start:.0f} s", flush=True)
    for name in ("suprema", "reference", "arms"):
        np.testing.assert_array_equal(getattr(there, name), getattr(here, name))
    return {
        "counts": "equal" if equal else "unequal",
        "arms": f"{arms:,}",
        "draws": draws,
        "workers": workers,
        "processor seconds of all workers": f"{sum(busy.values()):.0f}",
        "most GB of a worker": f"{max(memory.values()):.2f}",
        "processor seconds in one process": f"{alone:.0f}",
        "its GB": f"{peak_memory():.2f}",
    }


def main():
    """Print the table, and write it where the page finds it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arms", type=int, default=10_000_000)
    parser.add_argument("--draws", type=int, default=450, help="of a report: 200 of a pilot and 250 to calibrate")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    rows = []
    for equal in (True, False):
        cluster = LocalCluster(n_workers=asked.workers, threads_per_worker=1, dashboard_address=None, memory_limit=0)
        with cluster, Client(cluster) as client:
            rows.append(measure(client, asked.workers, asked.arms, asked.draws, equal))
            print(rows[-1], flush=True)
    if asked.write:
        table = io.StringIO(newline="")
        writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_whole(TABLE, table.getvalue())


if __name__ == "__main__":
    main()
