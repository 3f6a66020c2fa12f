"""The chapters' MyST comes out as Markdown that every notebook tool reads, with the numbers that the book gives."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from trust_helpers.book import notebook
from trust_helpers.book.execute import book_folder, find_pages_with_code, load_notebook
from trust_helpers.book.notebook import table
from trust_helpers.book.prose import plain_markdown, plain_notebook, read_labels


def plain(source):
    return plain_markdown(source, read_labels([source])).strip()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("see {ref}`the functions <api>` and {ref}`api`", "see the functions and `api`"),
        ("{math}`x^2`", "$x^2$"),
        ("[the next](02_next.md#part) and [out](https://a.org/b.md)", "the next and [out](https://a.org/b.md)"),
        ("(target)=\n# Title", "# Title"),
        ("as [Auer et al. (2002)](references.md#auer2002) show", "as Auer et al. (2002) show"),
        ("`{glue}` is a role, `code` is not", "`{glue}` is a role, `code` is not"),
    ],
)
def test_roles_and_links(source, text):
    assert plain(source) == text


def test_equations_are_numbered_where_they_have_labels():
    source = "```{math}\na\n```\n```{math}\n:label: eq-b\nb\n```\n\n$$\nc\n$$ (eq-c)\n\n{eq}`eq-c` after {eq}`eq-b`"
    assert [line for line in plain(source).splitlines() if line] == [
        "$$a$$",
        r"$$b\tag{1}$$",
        r"$$c\tag{2}$$",
        "(2) after (1)",
    ]


def test_an_equation_inside_a_list_inside_a_statement():
    formula = "   ```{math}\n   :label: eq\n   x &= y \\\\ &= z\n   ```\n"
    source = ":::{prf:lemma} Twice\n:label: lem\n1. So\n\n" + formula + ":::\n{prf:ref}`lem`"
    assert [line for line in plain(source).splitlines() if line.strip()] == [
        '<div class="box">',
        "**Lemma 1 (Twice)**",
        "1. So",
        r"   $$\begin{split}x &= y \\ &= z\end{split}\tag{1}$$",
        "</div>",
        "Lemma 1",
    ]


def test_a_dropdown_is_folded():
    text = plain("```{admonition} Proof of $x$\n:class: dropdown\nEasy.\n```")
    assert text.splitlines()[:2] == ['<details class="box">', "<summary>Proof of $x$</summary>"]
    assert text.endswith("</details>")


def test_figures_and_tables_are_numbered_as_they_come_and_a_first_cell_says_how_to_run(monkeypatch):
    monkeypatch.setattr(notebook, "table_numbers", {})
    shown = table([{"x": 1}], caption="Numbers of $x$", name="tab-x")._repr_mimebundle_()
    cells = [
        new_markdown_cell("See {numref}`fig-a` and {numref}`tab-x`."),
        new_code_cell("plot()", metadata={"tags": ["hide-input"]}),
        new_markdown_cell(":::{figure}\n:name: fig-a\n:alt: a line\n\nUp.\n:::\n\nThen."),
        new_code_cell("table(rows)", outputs=[new_output("display_data", data=shown)]),
    ]
    made = new_notebook(cells=cells)
    plain_notebook(made)
    first, text, plot, caption, shows = made.cells
    assert "pip install '.[book]'" in first.source
    assert text.source == "See Figure 1 and Table 1."
    assert plot.metadata["mystnb"]["image"] == {"alt": "a line"}
    assert caption.source.split() == ["**Figure", "1.**", "Up.", "Then."]
    assert "<caption>Table 1. Numbers of $x$</caption>" in shows.outputs[0].data["text/html"]
    assert nbformat.validate(made) is None


@pytest.mark.parametrize("page", find_pages_with_code(book_folder()), ids=lambda page: page.stem)
def test_nothing_of_myst_is_left_in_any_page_and_references_are_to_the_page_itself(page):
    notebook = load_notebook(page)
    plain_notebook(notebook)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert re.findall(r"\{(?!eval)[\w:-]+\}`|```\{|:::|`(?:fig|eq|thm|prp|lem|def|alg|cor)-[\w-]+`", text) == []
