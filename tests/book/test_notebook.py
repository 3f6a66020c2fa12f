"""What the chapters share: how they begin and end, the numbers they record, and tables in each of their faces."""

import numpy as np
import pytest

from trust_helpers.book import notebook
from trust_helpers.book.notebook import formula, link, number, table, verdict, verdict_table
from trust_helpers.errors import TrustError


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


def test_a_chapter_ends_with_one_line_of_versions(capsys):
    notebook.versions()
    line = capsys.readouterr().out
    assert line.startswith("versions: Python 3.")
    assert f"numpy {np.__version__}" in line
    assert line.count("\n") == 1


ROWS = [
    {"claim": "a_b | c", "ours": -0.5, "verdict": verdict("differs")},
    {"claim": "<b>", "ours": 1234.5, "verdict": verdict("reproduced")},
]


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (-0.632, ".2f", "\u22120.63"),
        (-0.001, ".2f", "0.00"),
        (np.float64(0.9), ".0%", "90\u00a0%"),
        (np.int64(10_380), ",d", "10,380"),
        (1234567890123457, ",d", "1,234,567,890,123,457"),
        (1e-61, ".0e", "10\u207b\u2076\u00b9"),
        (-2.5e-7, ".1e", "\u22122.5\u00a0\u00d7\u00a010\u207b\u2077"),
        (5e-05, "g", "5\u00a0\u00d7\u00a010\u207b\u2075"),
        (-np.inf, ".2f", "\u2212\u221e"),
        (np.nan, ".2f", "\u2013"),
    ],
)
def test_a_number_has_true_signs_and_no_exponent(value, form, text):
    assert number(value, form) == text


@pytest.mark.parametrize(("half", "form"), [(0.5125, ".3f"), (0.565, ".0%"), (0.985, ".0%"), (1234.5, ",.0f")])
def test_a_half_is_rounded_whatever_its_last_digits(half, form):
    assert len({number(half * (1 + change), form) for change in (-1e-13, 0, 1e-15, 1e-13)}) == 1


def test_the_page_gets_a_numbered_table_with_its_caption_on_one_line():
    text = table(ROWS, caption="What\n  we see", name="tab-x", key="verdict", form=",.2f").markdown
    assert text.splitlines() == [
        ":::{table} What we see",
        ":name: tab-x",
        ":class: book-table key-3",
        "",
        "| claim | ours | verdict |",
        "| :--- | ---: | :--- |",
        r"| a\_b \| c | " + "\u22120.50 | [differs]{.verdict .verdict-bad} |",
        r"| \<b\> | 1,234.50 | [reproduced]{.verdict .verdict-good} |",
        ":::",
    ]


def test_the_notebook_gets_html_that_no_text_can_break():
    html = table(ROWS, caption="see {numref}`fig-x` & $a<b$").html
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    assert '<td style="text-align: right">' in html
    assert "&amp; $a&lt;b$" in html


def test_the_terminal_gets_aligned_text():
    assert str(table(ROWS, form=",.2f")).splitlines() == [
        "claim        ours  verdict",
        "a_b | c     \u22120.50  differs",
        "<b>      1,234.50  reproduced",
    ]


def test_whole_numbers_and_others_have_their_own_default_format():
    shown = table([{"n": 12_000, "x": 0.5, "y": 2.0, "z": None, "m": np.int64(7)}])
    assert [cell.plain for cell in shown.rows[0]] == ["12,000", "0.500", "2.000", "", "7"]
    assert all(shown.right)
    assert table([{"x": "1"}, {"x": "refuses"}]).right == (True,)
    assert table([{"x": "1"}, {"x": "none"}]).right == (False,)


def test_formulas_and_links_are_kept():
    shown = table([{formula(r"\hat r"): formula("a|b".replace("|", "")), "page": link("chapter 4", "04.md")}])
    assert r"$\hat r$" in shown.markdown
    assert "[chapter 4](04.md)" in shown.markdown
    assert "04.md" not in shown.html


def test_a_row_without_a_column_of_the_first_is_an_error():
    with pytest.raises(KeyError, match="value"):
        table([{"arm": "a", "value": 1}, {"arm": "b"}])


def test_no_rows_and_no_colour_are_errors():
    with pytest.raises(TrustError, match="at least one row"):
        table([])
    with pytest.raises(TrustError, match="no colour for the verdict 'hm'"):
        verdict("hm")


def test_a_table_without_a_caption_has_no_number_and_keeps_its_class():
    made = table(ROWS, key="verdict")
    assert made.markdown.startswith(":::{table}\n:class: book-table key-")
    assert "<caption>" not in made.html


def test_rows_print_true_minus_signs_and_the_papers_digits():
    (row,) = verdict_table(["table1.lcb_bound"]).rows
    assert [cell.plain for cell in row[1:3]] == ["\u22121.5", "\u22120.63"]
    assert row[4].plain == "differs"
    assert "-" not in row[5].plain
    robots = verdict_table(["table3.HalfCheetah.high.TRUST"], reasons=False)
    assert [cell.plain for cell in robots.head] == ["number", "printed", "ours", "spread", "verdict"]
    assert robots.rows[0][1].plain == "10,380"
