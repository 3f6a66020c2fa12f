"""What tests of the book share: a browser while they follow each other on a worker, and axes to draw on."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from browsing import Opened, browser, opened, server, visit

__all__ = ["browser", "opened", "server", "visit"]  # fixtures
mpl.use("Agg")


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    figure.canvas.draw()  # what cannot be drawn fails here
    plt.close(figure)


def pytest_runtest_teardown(nextitem):
    Opened.close_unless("opened" in getattr(nextitem, "fixturenames", ()))
