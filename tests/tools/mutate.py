"""Would the tests notice? Single-token mutants of the method, each against the tests of its own room: ``make mutants``.

A mutant swaps one operator (arithmetic, comparison, boolean) or shifts one constant, in a copy of the checkout. It is
caught when a test fails or nothing ends in time. First come the module's own tests and examples, then, for what
survives them, those of the room: ``tests/ROOM``, and for the modules at the top what uses them in ``tests/test_*.py``.
The sample depends on the seed and the sources alone: slices of it can be run apart, ``mutate.py --first 20 --last 30``.
"""

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tokenize
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import StringIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "trust_helpers"
OTHERS = {"paper", "rl", "book", "report"}  # rooms beside the method
SWAPS = {
    "+": "-", "-": "+", "*": "/", "/": "*", "**": "*", "//": "/", "%": "*",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&": "|", "|": "&",
    "and": "or", "or": "and",
}  # fmt: skip
WAIT = 120  # seconds of a test run that took none before, and as many times what it took
# Mutants that change nothing anyone could see, with the reason; they count as neither caught nor survived.
EQUIVALENT: dict[str, str] = {
    "region: step = max(1, 16 * GROUP // self.n_arms) [17] * -> /": "how many rows are solved at a time",
    "choosing: ones = [np.cumsum((counts * np.clip(guess, 0, 1))[order])[size - 1] for guess in guesses] [46] 1 -> 2": (
        "the guesses are chances of coins, which are below 1"
    ),
    (
        "choosing: weights[self.order[:k]] = self.p[:k] * (1.0 if np.isinf(level) else self.x[:k] - level) "
        "[40] 1.0 -> 1.1"
    ): "weights are divided by their sum",
    "choosing: level = np.where(flat, 0.0, self.level) [23] 0.0 -> 0.1": "flat mixtures have their squares elsewhere",
    (
        "choosing: below = top[-1] - max(-top[-1], 1e-12) * np.geomspace(0.03, 30, 20) "
        "[32] 1e-12 -> 1.1000000000000002e-12"
    ): "guesses that all tie are played in proportion to their precision, whatever the level",
    "trials: size = max(1, NUMBERS // instance.n_arms) [11] 1 -> 2": "how many logs are held at a time",
    "posteriors: law = (law + 1e-9) / (1 + 1e-9 * law.size) [24] + -> -": "a step of EM sets the scale anew",
    "posteriors: law = (law + 1e-9) / (1 + 1e-9 * law.size) [31] * -> /": "a step of EM sets the scale anew",
    "posteriors: base = int(trials.max()) + 1 [27] 1 -> 2": "any base above all trials tells the pairs apart",
    "noise_rows: step = max(1, min(ROWS, HELD // region.n_arms)) [11] 1 -> 2": "how many rows are held at a time",
    "noise_rows: if kept is None or kept.shape[0] < rows or kept.shape[1] != arms: [33] < -> <=": (
        "fresh memory does as well as what was kept"
    ),
    "recentred: low, high = (t, high) if excess < 0 else (low, t) [32] < -> <=": (
        "where the distance is the radius t is found, and Newton's step from there is none"
    ),
    "recentred: if abs(following - t) <= 1e-15 * t: [25] 1e-15 -> 1.1000000000000001e-15": (
        "a step of five roundings of t or of four: the mixture is the same"
    ),
    "doubts: place = np.full(data.n_arms, -1) [30] 1 -> 2": "any negative place is none",
    "doubts: @lru_cache(maxsize=8) [19] 8 -> 9": "how many designs are remembered",
    "bounded: hoeffding = self.width * np.sqrt(log(1 / share) / (2 * data.counts)) [53] * -> /": (
        "of two samples or more the shortfall is the better bound wherever either is above the range"
    ),
}


@cache
def source(module):
    """A module as it was at the beginning, whatever happens to the checkout meanwhile."""
    return module.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Mutant:
    """One token of a module and what stands there instead."""

    module: Path
    line: int
    column: int
    old: str
    new: str

    def __str__(self):
        return f"{self.module.relative_to(ROOT)}:{self.line}:{self.column} {self.old} -> {self.new}"

    @property
    def known_as(self):
        """A name that outlives changes elsewhere in the module: the line's text, the column in it, and the swap."""
        text = source(self.module).splitlines()[self.line - 1]
        shift = len(text) - len(text.lstrip())
        return f"{self.module.stem}: {text.strip()} [{self.column - shift}] {self.old} -> {self.new}"

    def write(self, package):
        """Change the module in a copy of the package."""
        target = package / self.module.relative_to(PACKAGE)
        lines = source(self.module).splitlines(keepends=True)
        text = lines[self.line - 1]
        assert text[self.column :].startswith(self.old)
        lines[self.line - 1] = text[: self.column] + self.new + text[self.column + len(self.old) :]
        target.write_text("".join(lines), encoding="utf-8")


def modules():
    """The method: every module outside the rooms that are built on it."""
    found = (path for path in sorted(PACKAGE.rglob("*.py")) if not path.name.startswith("__"))
    return [path for path in found if path.relative_to(PACKAGE).parts[0] not in OTHERS]


def mutants(module):
    """Every mutant of a module: operators and numbers that compute, not those of annotations and complaints."""
    text = source(module)
    tokens = list(tokenize.generate_tokens(StringIO(text).readline))
    for node in computing(ast.parse(text)):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            old = ast.get_source_segment(text, node)
            yield Mutant(module, node.lineno, node.col_offset, old, shifted(node.value))
        for left, right in gaps(node):
            between = (t for t in tokens if left <= t.start and t.end <= right and t.string in SWAPS)
            token = next(between, None)
            if token is not None:
                yield Mutant(module, *token.start, token.string, SWAPS[token.string])


def computing(node):
    """The nodes of a tree without annotations, docstrings and what an error says."""
    if isinstance(node, ast.Raise | ast.arg):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from computing(child)


def gaps(node):
    """Where the operators of a node stand: from the end of one operand to the beginning of the next."""
    if isinstance(node, ast.BinOp):
        operands = [node.left, node.right]
    elif isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
    else:
        operands = node.values if isinstance(node, ast.BoolOp) else []
    for left, right in pairwise(operands):
        yield (left.end_lineno, left.end_col_offset), (right.lineno, right.col_offset)


def shifted(value):
    """A number near another."""
    return repr(value + 1 if isinstance(value, int) else 1.1 * value or 0.1)


def sample(count, seed):
    """``count`` mutants, the same for the same seed and sources."""
    found = [mutant for module in modules() for mutant in mutants(module)]
    return random.Random(seed).sample(found, count)


def own_tests(module):
    """The module's own tests and examples."""
    inside = module.relative_to(PACKAGE)
    tests = ROOT / "tests" / inside.parent / f"test_{inside.stem}.py"
    return [path.relative_to(ROOT) for path in (tests, module) if path.exists()]


def room_tests(module):
    """The other tests of the module's room; of the top, which also serves rooms without tests, those that use it."""
    folder, top = ROOT / "tests" / module.relative_to(PACKAGE).parent, ROOT / "tests"
    found = sorted((folder if folder.is_dir() else top).glob("test_*.py"))
    words = re.compile(rf"\b({'|'.join([module.stem, *public_names(module)])})\b")
    found = [path for path in found if path.parent != top or words.search(path.read_text(encoding="utf-8"))]
    return [path.relative_to(ROOT) for path in found if path.relative_to(ROOT) not in own_tests(module)]


def public_names(module):
    """What a module's ``__all__`` lists."""
    for node in ast.parse(source(module)).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return []


def passes(place, tests, wait=None):
    """Whether tests pass in a copy of the checkout, and how long they took."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *map(str, tests)]
    environment = os.environ | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = time.monotonic()
    with subprocess.Popen(command, cwd=place, env=environment, start_new_session=True, **quiet) as running:
        try:
            code = running.wait(wait)
        except subprocess.TimeoutExpired:
            code = None
        with suppress(ProcessLookupError):  # with all that the tests have started
            os.killpg(running.pid, signal.SIGKILL)
    return code in (0, 5), time.monotonic() - start  # 5: nothing to run


def copy_checkout(place):
    """What the tests of the package need."""
    for name in ("trust_helpers", "tests", "book"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "golden"))
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, place)


class Judge:
    """Runs mutants in one copy of the checkout, and knows how long tests take there."""

    def __init__(self, place):
        self.place, self.usual = place, {}
        copy_checkout(place)

    def wait_for(self, tests):
        """How long tests may take; measured on the unchanged package, where they have to pass."""
        key = tuple(tests)
        if key not in self.usual:
            good, took = passes(self.place, tests)
            assert good, f"the tests fail without a mutant: {key}"
            self.usual[key] = took
        return WAIT + 5 * self.usual[key]

    def caught_by(self, mutant, own):
        """Who catches a mutant: its module's own tests, the room's (unless ``own`` are all to be asked), or nobody."""
        room = [] if own else room_tests(mutant.module)
        for name, tests in (("own tests", own_tests(mutant.module)), ("room", room)):
            if not tests:
                continue
            wait = self.wait_for(tests)
            mutant.write(self.place / PACKAGE.name)
            good, _ = passes(self.place, tests, wait)
            (self.place / mutant.module.relative_to(ROOT)).write_text(source(mutant.module), encoding="utf-8")
            if not good:
                return name
        return ""


def main():
    """Print who catches each mutant, and those that nobody catches."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    for name, default in (("count", 60), ("seed", 0), ("first", 0), ("last", None)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--own", action="store_true", help="ask the module's own tests only, which is quicker")
    parser.add_argument("--list", action="store_true", help="print the sample and leave")
    asked = parser.parse_args()
    chosen = sample(asked.count, asked.seed)[asked.first : asked.last]
    if asked.list:
        print(*chosen, sep="\n")
        return
    survivors, equivalent = [], 0
    with TemporaryDirectory() as folder:
        judge = Judge(Path(folder))
        for mutant in chosen:
            if mutant.known_as in EQUIVALENT:
                equivalent += 1
                print(f"{'equivalent':<10} {mutant}: {EQUIVALENT[mutant.known_as]}", flush=True)
                continue
            by = judge.caught_by(mutant, asked.own)
            survivors += [] if by else [mutant]
            print(f"{by or 'SURVIVED':<10} {mutant}", flush=True)
    print(f"{len(chosen)} mutants, {equivalent} equivalent, {len(survivors)} survived")
    for mutant in survivors:
        print(f"  {mutant.known_as}")


if __name__ == "__main__":
    main()
