"""A chapter in JupyterLab: it opens whole, runs, takes another parameter, and is the same file when it is saved."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from browsing import ROOT, chromium, needs_chromium

from trust_helpers.book.notebook import ELLIPSIS

pytestmark = [needs_chromium, pytest.mark.xdist_group("jupyterlab")]
SMALL = {
    "01_lcb_failure": {"arms": "60", "replications": "5"},
    "03_trust_regions": {"arms": "40", "problems": "1", "draws": "200"},
}
PATIENCE = 60_000  # milliseconds, on a machine that may be busy
NOTEBOOK = "jupyterapp.shell.currentWidget"
READY = f"window.jupyterapp && {NOTEBOOK}?.sessionContext?.session?.kernel?.status === 'idle'"
TEXTS = f"{NOTEBOOK}.content.widgets.filter(cell => cell.model.type === 'markdown').map(cell => cell.node.innerText)"
VALUES = f"""{NOTEBOOK}.content.widgets.flatMap(cell => (cell.model.getMetadata('user_expressions') || [])
  .map(one => [one.expression, one.result.data?.['text/plain'] ?? one.result.evalue]))"""
SHOWN = f"""([expression, value]) => {{
  const texts = {TEXTS}.join(' '), values = new Map({VALUES});
  return values.get(expression) === value && texts.includes(value) && !texts.includes('said[');
}}"""
ERRORS = f"""{NOTEBOOK}.content.widgets.flatMap(cell => cell.model.type === 'code' ? cell.model.outputs.toJSON() : [])
  .filter(output => output.output_type === 'error').map(output => output.evalue)"""
CHANGE = f"""([old, changed]) => {{
  const cell = {NOTEBOOK}.content.widgets.find(cell => cell.model.sharedModel.getSource().includes(old));
  cell.model.sharedModel.setSource(cell.model.sharedModel.getSource().replace(old, changed));
}}"""
ARMS = 'said["arms"]'
RAW = r"\{\w[\w:-]*\}`|:::|```|NameError|said\[|\b(?:fig|tab)-\w"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A checkout of two chapters whose parameters are small, with the settings that ``make lab`` makes."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "book").mkdir()
    shutil.copy(ROOT / "book" / "jupytext.toml", folder / "book")
    for name, values in SMALL.items():
        text = (ROOT / "book" / f"{name}.md").read_text(encoding="utf-8")
        for parameter, value in values.items():
            text, found = re.subn(rf"^({parameter}: int =) [\d_]+", rf"\1 {value}", text, flags=re.MULTILINE)
            assert found == 1, parameter
        (folder / "book" / f"{name}.md").write_text(text, encoding="utf-8")
    settings = folder / "config" / "labconfig"
    settings.mkdir(parents=True)
    shutil.copy(ROOT / "book" / "_ext" / "jupyterlab.json", settings / "default_setting_overrides.json")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder / "book")]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "as it is"]):
        subprocess.run([*git, *command], check=True)
    return folder


@pytest.fixture(scope="module")
def lab(folder):
    """JupyterLab on loopback; its address."""
    places = {f"JUPYTER_{what}_DIR": str(folder / what.lower()) for what in ("CONFIG", "DATA", "RUNTIME")}
    lab = Path(sys.executable).with_name("jupyter-lab")
    options = ["--no-browser", "--port=0", "--IdentityProvider.token=", "--expose-app-in-browser", "--allow-root"]
    process = subprocess.Popen([lab, *options, f"--notebook-dir={folder / 'book'}"], env=os.environ | places,
                               stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        yield address(folder / "runtime", process)
    finally:
        process.terminate()
        process.wait()


def address(runtime, process):
    """Where the server listens, as soon as it says so."""
    for _ in range(600):
        assert process.poll() is None, "JupyterLab ended"
        for file in runtime.glob("jpserver-*.json"):
            return json.loads(file.read_text(encoding="utf-8"))["url"]
        time.sleep(0.1)
    raise AssertionError("JupyterLab did not start")


def run(page, arms):
    """Run all cells, and wait until the prose shows every value, that of the arms among them; all, by expression."""
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(READY, timeout=PATIENCE)
    page.wait_for_function(SHOWN, arg=[ARMS, arms], timeout=PATIENCE)  # after the kernel's last word
    assert page.evaluate(ERRORS) == []
    return dict(page.evaluate(VALUES))


@pytest.mark.parametrize("name", SMALL)
def test_a_chapter_is_read_run_changed_and_saved(folder, lab, name):
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.goto(f"{lab}lab/workspaces/{name}/tree/{name}.md")
        page.wait_for_selector(".jp-Notebook h2", state="attached", timeout=PATIENCE)
        page.wait_for_function(READY, timeout=PATIENCE)
        few, more = SMALL[name]["arms"], SMALL[name]["arms"] + "0"
        first = run(page, few)
        source = (folder / "book" / f"{name}.md").read_text(encoding="utf-8")
        assert first.keys() == set(re.findall(r"\{eval\}`([^`]+)`", source))
        assert ELLIPSIS not in first.values()
        text = "\n".join(page.evaluate(TEXTS))
        assert re.findall(rf".*(?:{RAW}).*", text) == []
        assert len(re.findall(r"^Figure\s\d+:", text, re.MULTILINE)) == source.count(":::{figure}")

        page.evaluate(CHANGE, [f"arms: int = {few}", f"arms: int = {more}"])
        run(page, more)

        page.evaluate(CHANGE, [f"arms: int = {more}", f"arms: int = {few}"])
        page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        page.wait_for_function(f"!{NOTEBOOK}.model.dirty", timeout=PATIENCE)
    status = subprocess.run(["git", "-C", folder / "book", "diff"], capture_output=True, text=True, check=True)
    assert status.stdout == ""
