"""The golden notebooks guard the chapters' numbers; these tests guard the golden notebooks."""

import json
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from make_golden import GOLDEN, ROOT, as_text, chapters, execute, skeleton

NAMES = [chapter.stem for chapter in chapters()]
SANITIZE = GOLDEN / "sanitize.cfg"


def load(name):
    return nbformat.read(GOLDEN / f"{name}.ipynb", as_version=4)


def nbval(path, **environment):
    """Run nbval on one notebook, as the test command does; the finished process."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval"]
    return subprocess.run(
        [*command, "--nbval-sanitize-with", str(SANITIZE), str(path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
    )


def test_there_is_one_golden_for_each_chapter():
    assert sorted(p.stem for p in GOLDEN.glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_golden_cells_are_the_chapters_cells(name):
    golden, source = load(name), skeleton(ROOT / "book" / f"{name}.md")
    assert [(c.cell_type, c.source, c.metadata.get("tags")) for c in golden.cells] == [
        (c.cell_type, c.source, c.metadata.get("tags")) for c in source.cells
    ], "the chapter has changed: make golden"


@pytest.mark.parametrize("name", NAMES)
def test_nbval_has_something_to_compare(name):
    code = [c for c in load(name).cells if c.cell_type == "code" and c.source.strip()]
    # nbval compares nothing in a cell without an execution count
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert sum(bool(c.outputs) for c in code) >= 3
    assert not any("image/png" in o.get("data", {}) for c in code for o in c.outputs)


@pytest.mark.parametrize("name", NAMES)
def test_the_head_prints_parameters_and_versions(name):
    printed = "".join(o.get("text", "") for c in load(name).cells if c.cell_type == "code" for o in c.outputs)
    assert re.search(r"^parameters:\n(  \w+ = .*\n)*  seed = \d+", printed, re.MULTILINE)
    assert re.search(r"^versions: Python 3\.\d+", printed, re.MULTILINE)


def test_a_golden_generated_again_is_the_same_byte_for_byte():
    def without_versions(text):
        return re.sub(r"versions: [^\"]*", "versions", text)

    again = as_text(execute(ROOT / "book" / "01_lcb_failure.md"))
    assert without_versions(again) == without_versions((GOLDEN / "01_lcb_failure.ipynb").read_text())


def change_digit(notebook, wanted):
    """Change the first digit after a decimal point in the first output that ``wanted`` accepts."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            holder, key = wanted(output)
            if holder is not None and (found := re.search(r"\.(\d)", "".join(holder[key]))):
                text, at = "".join(holder[key]), found.start(1)
                holder[key] = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
                return
    raise AssertionError("no number to change")


@pytest.mark.parametrize("kind", ["printed", "recorded"])
def test_canary_a_wrong_number_fails(tmp_path, kind):
    def wanted(output):
        if kind == "printed":
            usable = output.get("name") == "stdout" and "versions" not in "".join(output["text"])
            return (output, "text") if usable else (None, None)
        data, key = output.get("data", {}), "application/papermill.record/text/plain"
        return (data, key) if key in data else (None, None)

    notebook = json.loads((GOLDEN / "01_lcb_failure.ipynb").read_text())
    change_digit(notebook, wanted)
    (tmp_path / "wrong.ipynb").write_text(json.dumps(notebook))
    done = nbval(tmp_path / "wrong.ipynb")
    assert done.returncode == 1, done.stdout
    assert "1 failed" in done.stdout


@pytest.mark.parametrize(
    ("band", "chapter"), [("paper_band", "04_critical_radius"), ("calibrated_band", "07_beyond_the_paper")]
)
def test_canary_a_band_scaled_by_nine_tenths_fails(tmp_path, band, chapter):
    package = tmp_path / "trust_helpers"
    shutil.copytree(ROOT / "trust_helpers", package)
    source = (package / "band.py").read_text()
    start = source.index(f"def {band}(")
    head, body = source[:start], source[start:]
    assert "frozen(widths)" in body
    (package / "band.py").write_text(head + body.replace("frozen(widths)", "frozen(0.9 * widths)", 1))
    done = nbval(GOLDEN / f"{chapter}.ipynb", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1, done.stdout[-2000:]
    assert " failed" in done.stdout
