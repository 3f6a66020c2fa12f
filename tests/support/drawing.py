"""An Axes to draw on, and what stands on it."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import pytest


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    figure.canvas.draw()  # what cannot be drawn fails here
    plt.close(figure)


def vertical_lines(axes):
    """Abscissae of the lines that run from the bottom to the top."""
    return [line.get_xdata()[0] for line in axes.lines if list(line.get_ydata()) == [0, 1]]
