"""Do other processors print the same numbers? The golden notebooks, executed as they would be elsewhere.

``make test-processors`` executes all of them in one environment after the other; ``ENVIRONMENTS="old --pages 03 07"``
picks environments and pages. OpenBLAS, numpy and glibc are told to use what other processors have. Names that
they do not know they pass over in silence, so each environment is first asked what is in force there.

The last two are no processors: what the method's solvers return is moved in the thirteenth digit, by what it was
computed from, so that whatever a last bit decides shows.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import numpy as np

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
FOREIGN = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES")
GLIBC = {"FMA": ("features[0x0].active[0x2]", 12), "AVX2": ("features[0x1].active[0x1]", 5)}  # words and bits of cpuid
STARTUP = "import runpy\nrunpy.run_path({path!r})['install'](seed={seed})\n"

MOVED = {
    "trust_helpers.solvers.sorted": ["suprema_of_sorted", "best_weights"],
    "trust_helpers.solvers.any_reference": ["best_weights_around", "suprema_around"],
    "trust_helpers.region": ["TrustRegion.radii"],
    "trust_helpers.instances": ["Instance.value"],
    "trust_helpers.band": ["_calibrated_widths", "gaussian_width"],
    "trust_helpers.baselines": ["confidence_widths"],
    "trust_helpers.quantiles": ["clopper_pearson", "pooled_proportion_bound"],
    "trust_helpers.split.posteriors": ["coin_guesses", "normal_guesses"],
    "trust_helpers.split.choose": ["choose"],
    "trust_helpers.split.judge": ["Bet.from_counts", "Bet.from_samples"],
}


@dataclass(frozen=True)
class Environment:
    """What is to be in force, by library, neither more nor less; None for all that the processor has."""

    wanted: dict[str, list[str]] | None = None
    seed: int | None = None  # of the jitter

    def variables(self, found):
        """What tells the libraries so, where they would use ``found``."""
        if self.wanted is None:
            return {}
        off = {library: [name for name in found[library] if name not in self.wanted[library]] for library in found}
        told = {"OPENBLAS_CORETYPE": self.wanted["OpenBLAS"][0], "NPY_DISABLE_CPU_FEATURES": " ".join(off["numpy"])}
        if off["glibc"]:
            told["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=" + ",".join(f"-{name}" for name in off["glibc"])
        return told

    def objections(self, found):
        """What is in force there and should not be, or the other way round."""
        wanted = self.wanted or found
        return [
            f"{library} uses {' '.join(names) or 'nothing'} instead of {' '.join(wanted[library]) or 'nothing'}"
            for library, names in found.items()
            if names != wanted[library]
        ]


ENVIRONMENTS = {
    "as-it-is": Environment(),
    "laptop": Environment({"OpenBLAS": ["Haswell"], "numpy": ["X86_V3"], "glibc": ["FMA", "AVX2"]}),
    "old": Environment({"OpenBLAS": ["Nehalem"], "numpy": [], "glibc": []}),
    "jitter-1": Environment(seed=1),
    "jitter-2": Environment(seed=2),
}


def in_force():
    """The kernels that OpenBLAS uses in this process, what numpy and glibc choose among versions of a function by."""
    import scipy.linalg  # noqa: F401 - has an OpenBLAS of its own
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
    from threadpoolctl import threadpool_info

    loader = Path("/lib64/ld-linux-x86-64.so.2")
    said = ""
    if loader.exists():
        said = subprocess.run([loader, "--list-diagnostics"], capture_output=True, text=True, check=False).stdout
    words = {name: re.search(rf"{re.escape(word)}=(\w+)", said) for name, (word, _) in GLIBC.items()}
    return {
        "OpenBLAS": sorted({x["architecture"] for x in threadpool_info() if x["internal_api"] == "openblas"}),
        "numpy": [name for name in __cpu_dispatch__ if __cpu_features__[name]],
        # what cannot be asked may be in force
        "glibc": [name for name, word in words.items() if not word or int(word[1], 16) >> GLIBC[name][1] & 1],
    }


def asked(variables):
    """What is in force in a process that is started so."""
    command = [sys.executable, __file__, "--in-force"]
    return json.loads(subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout)


def install(seed):
    """Move what the solvers return, wherever it has been imported to."""
    for module, names in MOVED.items():
        for name in names:
            *holder, last = name.split(".")
            home = import_module(module)
            owner = getattr(home, holder[0]) if holder else home
            true = getattr(owner, last)
            moved = jittered(true, seed)
            setattr(owner, last, moved)
            for other in [m for n, m in sys.modules.items() if n.startswith("trust_helpers")]:
                if vars(other).get(last) is true:
                    setattr(other, last, moved)


def jittered(function, seed):
    """The function with its results changed by their thirteenth digit: equal arguments, equal results."""

    @wraps(function)
    def changed(*given, **named):
        every = (*given, *named.values())
        # whom a function fills arrays for has other numbers there before
        numbers = [] if any(map(callable, every)) else [v for v in every if isinstance(v, np.ndarray | float | int)]
        key = seed
        for value in numbers:
            key = crc32(np.ascontiguousarray(value).tobytes(), key)
        return moved(function(*given, **named), key)

    return changed


def moved(result, key):
    """Numbers changed by at most 1e-13 of themselves, equal ones alike; zeros stay."""
    if isinstance(result, tuple):
        parts = [moved(part, key) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)
    bits = np.atleast_1d(np.asarray(result, dtype=float)).view(np.uint64)
    mixed = (bits ^ np.uint64(key)) * np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing: the upper bits are good
    change = (1 + 1e-13 * (mixed / 2.0**63 - 1)).reshape(np.shape(result))
    return result * change if np.ndim(result) else float(result * change)


def execute(variables, names):
    """Let nbval execute golden notebooks in an environment: how many cells passed, and the summary of what did not."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider"]
    command += ["-c", "pyproject.toml", "--nbval", *map(str, names)]
    done = subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True, check=False)
    passed = re.search(r"(\d+) passed", done.stdout)
    failed = re.findall(r"^(?:FAILED|ERROR) .*", done.stdout, re.MULTILINE)
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-2000:])
    return int(passed[1]) if passed else 0, failed or ["nothing was executed"] * bool(done.returncode)


def try_out(name, usual, pages):
    """Execute the pages in one environment; a line on what happened, and whether all was well."""
    wanted = ENVIRONMENTS[name]
    if wanted.wanted and platform.machine() not in ("x86_64", "AMD64"):
        return f"{name}: cannot be emulated on {platform.machine()}", True
    variables = usual | wanted.variables(asked(usual))
    found = asked(variables)
    there = "; ".join(f"{library} {' '.join(names) or '-'}" for library, names in found.items())
    if objections := wanted.objections(found):
        return f"{name}: {'; '.join(objections)}", False
    with TemporaryDirectory() as profile:
        if wanted.seed is not None:
            startup = Path(profile, "profile_default", "startup")
            startup.mkdir(parents=True)
            (startup / "jitter.py").write_text(STARTUP.format(path=__file__, seed=wanted.seed), encoding="utf-8")
        began = time.monotonic()
        passed, failed = execute(variables | {"IPYTHONDIR": profile}, pages)
    return f"{name}: {there}: {passed} cells pass, {len(failed)} fail, {time.monotonic() - began:.0f} s", not failed


def main():
    """Try every environment out, or those named; the exit code."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("environments", nargs="*", metavar="ENVIRONMENT", help=", ".join(ENVIRONMENTS))
    parser.add_argument("--pages", nargs="*", default=[], help="beginnings of their names")
    parser.add_argument("--in-force", action="store_true", help="print what this process computes with")
    given = parser.parse_args()
    if given.in_force:
        print(json.dumps(in_force()))
        return 0
    if unknown := set(given.environments) - ENVIRONMENTS.keys():
        parser.error(f"no such environment: {', '.join(sorted(unknown))}")
    pages = [p for p in sorted(GOLDEN.glob("*.ipynb")) if p.name.startswith(tuple(given.pages) or "")]
    usual = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    well = True
    for name in given.environments or ENVIRONMENTS:
        said, fine = try_out(name, usual, pages)
        print(said, flush=True)
        well &= fine
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
