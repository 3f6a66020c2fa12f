"""The rooms of the package: the method stands on its own, and a wheel brings all of it."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import trust_helpers

PACKAGE = Path(trust_helpers.__file__).parent
ROOT = PACKAGE.parent
OTHERS = {"paper", "rl", "book"}  # what is built on the method
DOORS = {"__init__.py", "__main__.py", "cli.py"}
INSIDE = [p for p in sorted(PACKAGE.rglob("*.py")) if p.relative_to(PACKAGE).parts[0] not in OTHERS]
METHOD = [p for p in INSIDE if p.parent != PACKAGE or p.name not in DOORS]


def imported(source, package):
    """The full names of all that a module of ``package`` imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            start = ".".join([*parts, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


def rooms_entered(source, package, rooms=OTHERS):
    """The rooms beside the method that a module imports from."""
    names = (name.split(".") for name in imported(source, package))
    return {name[1] for name in names if name[0] == "trust_helpers" and name[1:2] and name[1] in rooms}


@pytest.mark.parametrize("module", METHOD, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_method_imports_nothing_that_is_built_on_it(module):
    package = ".".join(module.parent.relative_to(ROOT).parts)
    assert rooms_entered(module.read_text(encoding="utf-8"), package) == set()


def test_only_a_report_knows_how_it_is_shown():
    shown = [path for path in METHOD if path.relative_to(PACKAGE).parts[0] != "report"]
    packages = {path: ".".join(path.parent.relative_to(ROOT).parts) for path in shown}
    asking = [
        path.name for path in shown if rooms_entered(path.read_text(encoding="utf-8"), packages[path], {"report"})
    ]
    assert asking == []  # but the package and the command, which are doors


@pytest.mark.parametrize(
    ("source", "package", "found"),
    [
        ("from .paper import claims", "trust_helpers", {"paper"}),
        ("from . import paper, region", "trust_helpers", {"paper"}),
        ("from .. import book", "trust_helpers.solvers", {"book"}),
        ("from ..rl.shipped import load", "trust_helpers.solvers", {"rl"}),
        ("def f():\n    import trust_helpers.book.style", "trust_helpers", {"book"}),
        ("from trust_helpers import rl", "trust_helpers", {"rl"}),
        ("import scipy.cli, rl\nfrom paper import x\nfrom .region import paper", "trust_helpers", set()),
        ("from .sorted import paper", "trust_helpers.solvers", set()),
    ],
)
def test_canary_an_import_from_another_room_is_seen(source, package, found):
    assert rooms_entered(source, package) == found


def test_the_method_is_there():
    names = {path.stem for path in METHOD}
    assert {"data", "base", "region", "simulation", "band", "trust", "sorted", "any_reference"} <= names
    assert {path.name for path in PACKAGE.iterdir()} >= OTHERS


# Modules of the method without a file of tests of their own, and where what they do is tested.
ELSEWHERE = {
    "errors": "test_data",
    "split/posteriors": "split/test_parts",
    "split/splitters": "split/test_split",
    "noise/gaussian": "noise/test_laws",
    "noise/second_moment": "noise/test_laws",
}
TESTED = [p.relative_to(PACKAGE).with_suffix("") for p in METHOD if p.name not in DOORS]
TESTED = [path for path in TESTED if path.parts[0] != "report"]


@pytest.mark.parametrize("module", TESTED, ids=str)
def test_every_module_of_the_method_has_tests_in_its_own_room(module):
    own = (module.parent / f"test_{module.stem}").as_posix()
    assert (ROOT / "tests" / f"{ELSEWHERE.get(module.as_posix(), own)}.py").exists()
    assert not (module.as_posix() in ELSEWHERE and (ROOT / "tests" / f"{own}.py").exists())


def test_every_room_of_tests_is_a_room_of_the_package():
    rooms = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")}
    assert [str(room) for room in sorted(rooms) if not (PACKAGE / room).is_dir()] == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy so that the checkout stays clean, with no network."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    code = "from setuptools import build_meta; build_meta.build_wheel('.')"
    subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_module_and_every_table(wheel):
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    assert packed == {path.relative_to(ROOT).as_posix() for path in files}
    assert {"trust_helpers/py.typed", "trust_helpers/rl/tables/mujoco.csv"} <= packed


def test_the_wheel_says_what_it_is(wheel):
    with ZipFile(wheel) as archive:
        information = next(name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name)
        told = Parser().parsestr(archive.read(f"{information}/METADATA").decode())
        commands = archive.read(f"{information}/entry_points.txt").decode()
    assert (told["Name"], told["Version"]) == ("trust-helpers", trust_helpers.__version__)
    assert told["Author"] == "TRUST companion contributors"
    assert told.get_all("Project-URL")
    assert "trust-helpers = trust_helpers.cli:run" in commands
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(told.get_all("Provides-Extra")) == set(extras)


def test_the_wheel_works_where_there_is_no_checkout(wheel, tmp_path):
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = f"""if True:
        import trust_helpers
        from trust_helpers.cli import main
        from trust_helpers.rl import shipped
        assert trust_helpers.__file__.startswith({str(tmp_path)!r})
        raise SystemExit(main(["decide", "log.csv", "--sigma", "1"]))
    """
    (tmp_path / "log.csv").write_text("arm,reward\na,1\nb,0\na,2\n", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "trust" in done.stdout.lower()
