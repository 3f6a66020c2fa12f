"""One kernel for several runs of chapters: what all of them import is imported once.

Each run has a namespace of its own, as it has in a kernel of its own; the book is executed with a kernel for each page.
"""

import pytest
from papermill.clientwrap import PapermillNotebookClient

one_group = pytest.mark.xdist_group("one kernel")  # its tests follow each other on one worker


class InKeptKernel(PapermillNotebookClient):
    """What papermill executes a notebook with: in the kernel of the notebook before, emptied, if there was one."""

    last = None

    def execute(self, **options):
        if InKeptKernel.last:
            self.km, self.kc = InKeptKernel.last.km, InKeptKernel.last.kc
            self.wait_for_reply(self.kc.execute("%reset -f", silent=True))
        InKeptKernel.last = self
        return super().execute(cleanup_kc=False, **options)


@pytest.fixture(scope="session")
def kept_kernel():
    yield
    if InKeptKernel.last:
        InKeptKernel.last._cleanup_kernel()
        InKeptKernel.last = None


@pytest.fixture
def one_kernel(kept_kernel, monkeypatch):
    """Let this test's runs share the kernel of the tests before it."""
    monkeypatch.setattr("papermill.engines.PapermillNotebookClient", InKeptKernel)
