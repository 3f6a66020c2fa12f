"""nbval without kernels: the notebooks that were executed for the book answer in their place.

With NBVAL_EXECUTE=1 in the environment nbval executes every cell itself, as it does everywhere else.
"""

import os
from collections import deque
from pathlib import Path

import nbformat
import pytest

from trust_helpers.chapters.book import book_folder, find_pages_with_code
from trust_helpers.chapters.executed import executed_from, notebook_of


class Replay:
    """Answers nbval as a kernel would, with the outputs of an executed notebook."""

    def __init__(self, notebook):
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.messages = deque()

    def execute_cell_input(self, source, allow_stdin=None):
        """Look the cell up, further down than the last one; the id of the answer."""
        at = next((i for i, cell in enumerate(self.cells) if cell.source == source), None)
        assert at is not None, "the executed notebook has no such cell here: make golden"
        self.messages = deque((output.output_type, output) for output in self.cells[at].outputs)
        self.cells = self.cells[at + 1 :]
        self.messages.append(("status", {"execution_state": "idle"}))
        return "replayed"

    def get_message(self, stream, timeout=None):
        """The next thing the cell sent."""
        kind, content = self.messages.popleft()
        return {"msg_type": kind, "content": content, "parent_header": {"msg_id": "replayed"}}

    def await_reply(self, msg_id, timeout=None):
        """The reply is there already."""

    await_idle = await_reply

    def is_alive(self):
        """As kernels say."""
        return True

    def stop(self):
        """Nothing to stop."""


def setup(file):
    """Stand in for :meth:`nbval.plugin.IPyNbFile.setup`: no kernel, and nothing that is out of date."""
    book = book_folder()
    page = next((page for page in find_pages_with_code(book) if page.stem == file.path.stem), None)
    assert page is not None, f"{file.path.name} is no page of the book: make golden"
    folder = os.environ.get("NBVAL_EXECUTED")  # the canaries bring their own
    notebook = Path(folder) / file.path.name if folder else notebook_of(page, book)
    if not executed_from(notebook, page, book):
        pytest.fail(f"{notebook} is missing or was executed before something changed: make book", pytrace=False)
    file.kernel = Replay(nbformat.read(notebook, as_version=4))
    file.setup_sanitize_files()


def execute_cell_input(kernel, source, allow_stdin=None):
    """Execute a cell as nbval does, but keep it in the history: that is where IPython looks for a last semicolon."""
    return kernel.kc.execute(source, allow_stdin=allow_stdin, stop_on_error=False)


def replace_kernels():
    """Let nbval compare what is stored, unless it is asked to execute."""
    from nbval.kernel import RunningKernel
    from nbval.plugin import IPyNbFile

    if os.environ.get("NBVAL_EXECUTE"):
        RunningKernel.execute_cell_input = execute_cell_input
    else:
        IPyNbFile.setup = setup
