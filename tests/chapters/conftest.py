"""One browser for all tests of the built book that follow each other on a worker."""

from browsing import Opened, browser, opened, server, visit

__all__ = ["browser", "opened", "server", "visit"]  # fixtures


def pytest_runtest_teardown(nextitem):
    Opened.close_unless("opened" in getattr(nextitem, "fixturenames", ()))
