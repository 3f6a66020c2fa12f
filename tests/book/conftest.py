"""What tests of the book share: a browser while they follow each other on a worker, a kernel, and axes to draw on."""

from browsing import Opened, browser, opened, server, visit
from drawing import ax
from kept_kernel import kept_kernel, one_kernel

__all__ = ["ax", "browser", "kept_kernel", "one_kernel", "opened", "server", "visit"]  # fixtures


def pytest_runtest_teardown(nextitem):
    Opened.close_unless("opened" in getattr(nextitem, "fixturenames", ()))
