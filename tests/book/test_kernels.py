"""Kernels that are left in a hurry end with the command, and have no last word."""

import signal
import subprocess
import sys
import time

import pytest
from tiny_book import HEADER, write_book

from trust_helpers.book.execute import end_kernels, kernel_manager

SLOW = f"""{HEADER}
# Slow

```{{code-cell}} ipython3
:tags: [parameters]

seed: int = 0  # any whole number
```

```{{code-cell}} ipython3
import time
from pathlib import Path

Path(f"begun{{seed}}").touch()
time.sleep(600)
```
"""


@pytest.mark.parametrize("asked", [["-p", "seed", "1"], ["--sweep", "seed=1,2", "--jobs", "2"]], ids=["run", "sweep"])
def test_an_interrupted_run_says_one_line_and_leaves_no_kernel(tmp_path, asked):
    """Kernels hold the pipe of standard error, so its end is the end of the last of them."""
    book = write_book(tmp_path / "book")
    (book / "slow.md").write_text(SLOW)
    line = [sys.executable, "-m", "trust_helpers", "run", "slow", *asked, "--book", str(book)]
    with subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        while len(list(book.glob("begun*"))) < (2 if "--sweep" in asked else 1):
            assert run.poll() is None, run.stderr.read()
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=100)  # far less than the chapter sleeps
    assert (run.returncode, said) == (130, b"trust_helpers: interrupted\n")
    assert list(tmp_path.glob("*.ipynb")) == []


def test_every_kernel_that_runs_is_ended():
    manager = kernel_manager()(kernel_name="python3")
    assert end_kernels() == 0

    class Started:
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

    manager.provisioner = Started
    assert end_kernels() == 1
    assert Started.process.wait(timeout=100) == -signal.SIGKILL
