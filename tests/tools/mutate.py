"""Would the tests notice? Sixty changed tokens of the method, each against the tests of its room: ``make mutants``.

cosmic-ray swaps one operator or shifts one number at a time, in a copy of the checkout, and runs the module's own tests
and examples, then those of its room. The sample depends on the seed and the sources alone; a survivor is printed as a
difference, to be judged: some change nothing that anyone could see.
"""

import argparse
import os
import random
import re
import shutil
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT = Path(__file__).parents[2]
OTHERS = {"paper", "rl", "book", "report"}  # rooms beside the method
ARITHMETIC = "(Add|Sub|Mul|Div|FloorDiv|Mod|Pow)"
ORDER = "(Eq|NotEq|Lt|LtE|Gt|GtE)"
KINDS = re.compile(
    f"BinaryOperator_{ARITHMETIC}_{ARITHMETIC}$|Comparison.*_{ORDER}_{ORDER}$|Number|AndWithOr|OrWithAnd"
)
OPERATORS = {name: get_operator(name)() for name in operator_names() if KINDS.search(name)}
PATIENCE = 900  # seconds


def mutants(module):
    """The changes that can be made to each token of a module, by its place."""
    found, tree = defaultdict(list), get_ast_from_path(module)
    for name, operator in OPERATORS.items():
        places = (place for node in ast_nodes(tree) for place in operator.mutation_positions(node))
        for number, (start, end) in enumerate(places):
            found[module, start].append(MutationSpec(module, name, number, start, end))
    return list(found.values())


@cache
def command_for(module):
    """The module's own tests and examples, then the others of its room; of the top's, those that name it."""
    folder = Path("tests", *module.parent.parts[1:])
    own = [path for path in (folder / f"test_{module.stem}.py", module) if path.exists()]
    room = sorted(set((folder if folder.is_dir() else Path("tests")).glob("test_*.py")).difference(own))
    named = re.compile(rf"\b{module.stem}\b")
    room = [path for path in room if folder.parts[1:] or named.search(path.read_text(encoding="utf-8"))]
    command = " ".join([sys.executable, "-m pytest -x -q -p no:cacheprovider", *map(str, own + room)])
    outcome, said = run_tests(command, PATIENCE)
    assert outcome == TestOutcome.SURVIVED, f"the tests fail without a mutant: {said}"
    return command


def main():
    """Print what became of each mutant, and the survivors' differences."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    for name, default in (("count", 60), ("seed", 0), ("first", 0), ("last", None)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked, survivors = parser.parse_args(), []
    with TemporaryDirectory() as folder:
        shutil.copytree(ROOT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*", "_build", "golden"))
        os.chdir(folder)
        os.environ["PYTHONPATH"] = folder
        modules = [path for path in sorted(Path("trust_helpers").rglob("*.py")) if path.parts[1] not in OTHERS]
        rng = random.Random(asked.seed)
        sample = rng.sample([token for module in modules for token in mutants(module)], asked.count)
        for mutant in [rng.choice(token) for token in sample][asked.first : asked.last]:
            made = mutate_and_test([mutant], command_for(mutant.module_path), PATIENCE)
            print(made.test_outcome, mutant.module_path, *mutant.start_pos, mutant.operator_name, flush=True)
            survivors += [] if made.is_killed else [made.diff]
    print(f"{len(survivors)} survived", *survivors, sep="\n")


if __name__ == "__main__":
    main()
