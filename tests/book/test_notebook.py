"""What the chapters share: how they begin and end, and the numbers and pictures they hand to the page."""

import numpy as np
import pytest

from trust_helpers.book import notebook


@pytest.fixture
def shown(monkeypatch):
    """What a cell displays: pairs of data and metadata."""
    calls = []
    monkeypatch.setattr("IPython.display.display", lambda data, metadata, raw=False: calls.append((data, metadata)))
    return calls


def test_a_recorded_number_is_read_back_in_full_and_shown_as_the_book_prints_it(shown):
    notebook.record("bound", -0.63214, ".2f")
    (data, metadata) = shown[0]
    assert data == {notebook.PREFIX + "text/plain": "'\u22120.63'"}
    cells = [{"outputs": [{"data": data, "metadata": metadata}]}]
    assert notebook.recorded({"cells": cells}) == {"bound": -0.63214}


def test_the_opening_figure_can_be_pasted_by_name_and_is_no_recorded_number(shown):
    import matplotlib.pyplot as plt

    figure = plt.figure()
    notebook.opening(figure, "first")
    assert shown == [(figure, {"scrapbook": {"name": "first", "mime_prefix": ""}})]
    assert not plt.fignum_exists(figure.number)
    cells = [{"outputs": [{"metadata": shown[0][1]}]}]
    assert notebook.recorded({"cells": cells}) == {}


def test_a_chapter_ends_with_one_line_of_versions(capsys):
    notebook.versions()
    line = capsys.readouterr().out
    assert line.startswith("versions: Python 3.")
    assert f"numpy {np.__version__}" in line
    assert line.count("\n") == 1


def test_a_chapter_begins_silently(capsys):
    notebook.begin()
    assert capsys.readouterr().out == ""
