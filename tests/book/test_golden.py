"""The golden notebooks guard the chapters' numbers; these tests guard the golden notebooks."""

import json
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from make_golden import BOOK, GOLDEN, ROOT, pages

from trust_helpers.book.chapters import find_chapters
from trust_helpers.book.execute import load_notebook

NAMES = sorted(pages())
CHAPTERS = [chapter.name for chapter in find_chapters(BOOK)]
QUICK = "01_lcb_failure"  # a chapter that takes a few seconds


def load(name):
    return nbformat.read(GOLDEN / f"{name}.ipynb", as_version=4)


def nbval(*paths, stop=False, **environment):
    """Run nbval on notebooks, as the test command does; the finished process."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(["-x"] if stop else [])]
    command += ["-c", "pyproject.toml", "--nbval", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | environment, check=False)


def failures(done):
    """What failed or could not be set up, as pytest's summary lists it."""
    return re.findall(r"^(FAILED|ERROR) \S*?(\w+)/(\w+)\.ipynb::Cell", done.stdout, re.MULTILINE)


def test_there_is_one_golden_for_each_page_with_code():
    assert sorted(p.stem for p in GOLDEN.glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_golden_cells_are_the_chapters_cells(name):
    golden, source = load(name), load_notebook(pages()[name])
    assert [(c.source, c.metadata.get("tags")) for c in golden.cells] == [
        (c.source, c.metadata.get("tags")) for c in source.cells if c.cell_type == "code"
    ], "the chapter has changed: make golden"


@pytest.mark.parametrize("name", NAMES)
def test_nbval_has_something_to_compare(name):
    code = [c for c in load(name).cells if c.cell_type == "code" and c.source.strip()]
    # nbval compares nothing in a cell without an execution count
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert sum(bool(c.outputs) for c in code) >= (3 if name in CHAPTERS else 1)
    assert not any("image/png" in o.get("data", {}) for c in code for o in c.outputs)


def test_the_numbers_of_a_page_are_recorded_once_each():
    """In JupyterLab prose shows what a name has in the end, wherever it stands."""
    for name in NAMES:
        outputs = [output for cell in load(name).cells for output in cell.outputs]
        names = [o.metadata["scrapbook"]["name"] for o in outputs if "scrapbook" in o.get("metadata", {})]
        assert sorted(names) == sorted(set(names)), name


def change_digit(source, target, wanted):
    """Copy a notebook with one digit changed, the third after a decimal point, in an output that ``wanted`` accepts."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    for holder, key in (wanted(output) for output in outputs):
        text = "".join(holder[key]) if holder else ""
        if found := re.search(r"\.\d\d(\d)", text):
            at = found.start(1)
            holder[key] = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
            target.parent.mkdir(exist_ok=True)
            target.write_text(json.dumps(notebook), encoding="utf-8")
            return
    raise AssertionError("no number to change")


def shown(output):
    """What a reader sees: printed text, or a table."""
    if output.get("name") == "stdout" and "versions" not in "".join(output["text"]):
        return output, "text"
    data = output.get("data", {})
    key = next((kind for kind in ("text/markdown", "text/html") if kind in data), None)
    return (data, key) if key else (None, None)


def recorded(output):
    data, key = output.get("data", {}), "application/papermill.record/text/plain"
    return (data, key) if key in data else (None, None)


def test_canary_a_wrong_digit_in_a_golden_fails(tmp_path):
    shutil.copy(GOLDEN / "conftest.py", tmp_path)
    right = GOLDEN / f"{QUICK}.ipynb"
    change_digit(right, tmp_path / "shown" / right.name, shown)
    change_digit(right, tmp_path / "recorded" / right.name, recorded)
    elsewhere, found = re.subn("versions: Python [^,]*", "versions: Python 3.99.0", right.read_text(encoding="utf-8"))
    assert found == 1
    (tmp_path / "right").mkdir()
    (tmp_path / "right" / right.name).write_text(elsewhere, encoding="utf-8")
    done = nbval(tmp_path)
    assert done.returncode == 1, done.stdout
    assert failures(done) == [("FAILED", kind, QUICK) for kind in ("recorded", "shown")]


NARROW = """
from trust_helpers import Band
made = Band.__init__
def narrow(self, *args, **named):
    made(self, *args, **named)
    if self.method == {method!r}:
        object.__setattr__(self, "widths", 0.9 * self.widths)
Band.__init__ = narrow
"""


@pytest.mark.parametrize(("method", "chapter"), [("paper", "04_critical_radius"), ("calibrated", "index")])
def test_canary_a_band_scaled_by_nine_tenths_fails(tmp_path, method, chapter):
    """A kernel that narrows the bands of one kind as they are made; nbval stops at the first number that tells."""
    startup = tmp_path / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "narrow.py").write_text(NARROW.format(method=method), encoding="utf-8")
    done = nbval(GOLDEN / f"{chapter}.ipynb", stop=True, IPYTHONDIR=str(tmp_path))
    assert done.returncode == 1, done.stdout[-2000:]
    assert failures(done) == [("FAILED", "golden", chapter)]
    assert "Cell outputs differ" in done.stdout or "AssertionError" in done.stdout  # some chapters check themselves
