"""The public interface: names, docstrings, and what importing costs."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import trust_helpers

ROOT = Path(__file__).parents[1]
CONTRACT = [
    "OfflineData",
    "Instance",
    "TrustRegion",
    "Band",
    "Decision",
    "greedy",
    "behaviour_cloning",
    "lcb",
    "trust",
    "split",
    "combined",
    "report",
    "trust_many",
    "paper_band",
    "calibrated_band",
    "band_for",
    "order_statistic",
    "TrustError",
    "DataError",
    "NotEnoughDraws",
]


@pytest.mark.parametrize("name", CONTRACT)
def test_the_contract_is_kept(name):
    assert name in trust_helpers.__all__
    assert inspect.getdoc(getattr(trust_helpers, name))


# What is taken where nobody says otherwise. A promise says which delta and seed made it, so these may be relied on.
DEFAULTS = {
    trust_helpers.trust: {"delta": 0.1, "seed": 0},
    trust_helpers.split: {"delta": 0.1, "seed": 0},
    trust_helpers.outperform: {"delta": 0.1, "seed": 0},
    trust_helpers.combined: {"delta": 0.1, "seed": 0},
    trust_helpers.report: {"delta": 0.1, "seed": 0},
    trust_helpers.band_for: {"delta": 0.1, "seed": 0},
    trust_helpers.lcb: {"delta": 0.1},
    trust_helpers.behaviour_cloning: {"delta": 0.1},
    trust_helpers.confidence_widths: {"delta": 0.1},
    trust_helpers.TrustRegion.radii: {"decay": 1.2, "size": 40},  # the paper's grid
    trust_helpers.Instance.sample: {"pulls": 1},
    trust_helpers.Decision.plot: {"top": 20},
    trust_helpers.Report.summary: {"top": 10},
    trust_helpers.Report.to_dict: {"top": 10},
    trust_helpers.Report.to_html: {"top": 25},
    trust_helpers.Report.to_markdown: {"top": 10},
}


@pytest.mark.parametrize("function", DEFAULTS, ids=lambda function: function.__qualname__)
def test_numbers_that_need_not_be_given_are_the_documented_ones(function):
    given = {name: one.default for name, one in inspect.signature(function).parameters.items()}
    assert {name: x for name, x in given.items() if type(x) in (int, float)} == DEFAULTS[function]


BESIDE = {"book", "cli.py", "paper", "report", "rl"}  # what is not the method
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "trust_helpers").rglob("[a-z]*.py"))
    if path.relative_to(ROOT / "trust_helpers").parts[0] not in BESIDE
]


def test_every_public_class_and_function_has_an_example_that_runs():
    offered = {name: getattr(trust_helpers, name) for name in trust_helpers.__all__}
    without = [name for name, made in offered.items() if callable(made) and ">>>" not in (made.__doc__ or "")]
    assert without == [], "pytest --doctest-modules runs them"


def first_lines_of_properties():
    """What every property of the package says in its first line, formulas and names left out."""
    for path in sorted((ROOT / "trust_helpers").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            marks = {ast.unparse(mark) for mark in getattr(node, "decorator_list", ())}
            if isinstance(node, ast.FunctionDef) and marks & {"property", "cached_property"}:
                line = (ast.get_docstring(node) or "").split("\n")[0]
                yield f"{path.stem}.{node.name}", re.sub(r":\w+:`[^`]*`|``[^`]*``", "", line)


def test_no_property_says_what_the_reference_would_take_for_its_type():
    lines = dict(first_lines_of_properties())  # "Counts and law: all there is" would have the type "Counts and law"
    assert len(lines) > 50
    assert [name for name, line in lines.items() if ":" in line] == []


def test_what_the_package_offers_is_offered_by_a_module_of_the_method():
    names = [*MODULES, "trust_helpers.report", "trust_helpers.split"]
    offered = {key for name in names for key in getattr(importlib.import_module(name), "__all__", ())}
    called = {name for name in trust_helpers.__all__ if callable(getattr(trust_helpers, name))}
    assert called <= offered


@pytest.mark.parametrize("name", trust_helpers.bounds.__all__)
def test_every_bound_cites_its_statement(name):
    text = inspect.getdoc(getattr(trust_helpers.bounds, name))
    assert any(word in text for word in ("Theorem", "Lemma", "Corollary", "Proposition", "Section"))


def test_importing_needs_numpy_and_scipy_only():
    code = "import sys, trust_helpers; print(*{m.split('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"cvxpy", "pandas", "matplotlib", "IPython", "papermill", "jupytext", "distributed", "tqdm", "torch", "jax"}
    assert not heavy & set(loaded)


def test_importing_leaves_the_slow_parts_of_scipy_for_later():
    code = "import sys, trust_helpers; print(*{'scipy.stats', 'scipy.optimize', 'scipy.special'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == []


def test_the_version_is_said_once_and_agreed_on():
    assert version("trust-helpers") == trust_helpers.__version__, "make setup"
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert citation[1] == newest[1] == trust_helpers.__version__


def test_a_commit_is_held_to_what_make_lint_runs():
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe.splitlines()]
    hooks = re.findall(r"^ +entry: (.*)$", (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    assert hooks == commands
