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


def words(axes):
    """The texts on an Axes."""
    return [text.get_text() for text in axes.texts]


def data_of(line):
    """Abscissae and ordinates of a line."""
    return line.get_xdata(), line.get_ydata()


def vertical_lines(axes):
    """Abscissae of the lines that run from the bottom to the top."""
    return [line.get_xdata()[0] for line in axes.lines if list(line.get_ydata()) == [0, 1]]


def horizontal_lines(axes):
    """Ordinates of the lines that run from the left to the right."""
    return [line.get_ydata()[0] for line in axes.lines if list(line.get_xdata()) == [0, 1]]
