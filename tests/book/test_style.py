"""Colours, dashes and labels of all figures."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from trust_helpers.book import style as figures


def test_every_meaning_has_a_colour_of_its_own_and_is_told_apart_without_colour():
    assert len(set(figures.COLOURS.values())) == len(figures.COLOURS)
    looks = {meaning: str(style[1:]) for meaning, style in figures.STYLES.items()}
    assert len({looks[method] for method in ("trust", "lcb", "greedy", "behaviour", "split", "cql")}) == 6
    drawn_together = ("estimate", "bound", "truth")  # against the radius
    assert len({str(figures.STYLES[m][1]) + str(round(grey(m), 1)) for m in drawn_together}) == 3


def grey(meaning):
    return float(np.array(to_rgb(figures.COLOURS[meaning])) @ [0.299, 0.587, 0.114])


def test_good_and_bad_arms_differ_in_grey():
    assert grey("bad") - grey("good") > 0.3


@pytest.mark.parametrize("meaning", figures.COLOURS)
def test_words_in_a_colour_can_be_read_on_white(meaning):
    light = figures._luminance(np.array(figures.readable(meaning)))
    assert 1.05 / (light + 0.05) >= 4.5


def test_a_label_stands_on_its_line(ax):
    figures.label_line(ax, [1.0, 3.0, 2.0], [10.0, 30.0, 20.0], "here", "trust", at=1.5)
    assert ax.texts[0].xy == (1.5, 15.0)
    figures.label_line(ax, [1.0, 3.0], [10.0, 30.0], "end")
    assert ax.texts[1].xy == (3.0, 30.0)


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("slope", [5.0, -5.0])
def test_a_label_keeps_clear_of_its_line_on_any_scale(ax, above, slope):
    x = np.geomspace(1e-3, 1, 50)
    y = x ** (slope / 5)
    figures.label_line(ax, x, y, "a label of some length", "trust", at=0.03, above=above)
    ax.set(xscale="log", yscale="log", xlim=(1e-3, 1), ylim=(y.min(), y.max()))  # after the label
    ax.figure.canvas.draw()
    box = ax.texts[0].get_window_extent()
    line = ax.transData.transform(np.column_stack([x, y]))
    over = np.interp(np.linspace(box.x0, box.x1, 50), line[:, 0], line[:, 1])
    assert over.max() < box.y0 if above else over.min() > box.y1
