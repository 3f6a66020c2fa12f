"""A machine that is set up otherwise prints the same page."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = "summary"  # one that takes a few seconds


def on_one_core():
    """For the program about to start: one core, and files that are nobody else's."""
    os.umask(0o077)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def test_a_page_is_the_same_with_another_path_locale_time_zone_umask_home_and_one_core(tmp_path):
    there = tmp_path / "Größe und Maß, мера"
    generated = (".git", ".venv*", ".*_cache", ".hypothesis", "_build", "__pycache__", "*.ipynb", "*.egg-info")
    shutil.copytree(ROOT, there, ignore=shutil.ignore_patterns(*generated))
    (there / ".venv").symlink_to(sys.prefix)
    (tmp_path / "file").touch()
    usual = {name: value for name, value in os.environ.items() if not re.match("LC_|LANG|MPL|IPYTHON|MAKE", name)}
    other = {"LC_ALL": "C", "TZ": "NPT-5:45", "HOME": str(tmp_path / "file" / "no home"), "PYTHONPATH": str(there)}
    # the environment that is there need not be made, however old its files look from there
    command = ["make", "--old-file=.venv/ready", "VENV=.venv", f"PAGES={PAGE}", "golden"]
    done = subprocess.run(
        command, cwd=there, env=usual | other, preexec_fn=on_one_core, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    goldens = [(root / "tests" / "golden" / f"{PAGE}.ipynb").read_text(encoding="utf-8") for root in (there, ROOT)]
    found, golden = (re.sub(r"versions: [^\"]*", "versions", text) for text in goldens)
    assert found == golden
    assert (there / "_build" / "executed").exists()
