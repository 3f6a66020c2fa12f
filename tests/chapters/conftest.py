"""What tests of the book share: a browser for as long as they follow each other on a worker, and a kernel."""

from browsing import Opened, browser, opened, server, visit
from kept_kernel import kept_kernel, one_kernel

__all__ = ["browser", "kept_kernel", "one_kernel", "opened", "server", "visit"]  # fixtures


def pytest_runtest_teardown(nextitem):
    Opened.close_unless("opened" in getattr(nextitem, "fixturenames", ()))
