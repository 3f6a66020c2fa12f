"""Prose for readers without JupyterLab: numbers and captions stand where they belong, and MyST is Markdown."""

import re

import jupytext
import nbformat
import pytest
from jupytext.config import load_jupytext_config
from make_book import move_captions
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from trust_helpers import TrustError
from trust_helpers.book import notebook as tools
from trust_helpers.book.execute import book_folder, find_pages_with_code
from trust_helpers.book.prose import MIME, answer, ask, plain_markdown, plain_notebook, read_labels

EVERY_PAGE = pytest.mark.parametrize("page", find_pages_with_code(book_folder()), ids=lambda page: page.stem)
KNOWN = {"a": "2.50", "b": "x_1 *", "n": "20", "'q'": "'quoted'"}


def answered(*cells, **results):
    """The cells after their expressions were answered, without a kernel."""
    notebook = new_notebook(cells=list(cells))
    ask(notebook)
    known = {name: {"status": "ok", "data": {"text/plain": text}} for name, text in KNOWN.items()} | results
    notebook.cells[-1].outputs = [new_output("display_data", data={MIME: known})]
    answer(notebook)
    return notebook.cells


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("about {eval}`a`, {eval}`a`.", "about 2.50, 2.50."),
        ("{eval}`b`", r"x\_1 \*"),
        ("{eval}`'q'`", "quoted"),
        ("of {eval}`n`. And", "of 20. And"),
        ("of\n{eval}`n`. And", "of\n20\\. And"),  # or it would number a list
        ("`` {eval}`a` `` is {eval}`a`", "`` {eval}`a` `` is 2.50"),
        ("```python\n{eval}`a`\n```\n{eval}`a`", "```python\n{eval}`a`\n```\n2.50"),
        (
            "````{admonition} A\n```{tip}\n{eval}`a`\n```\n{eval}`a`\n````",
            "````{admonition} A\n```{tip}\n2.50\n```\n2.50\n````",
        ),
        (
            ":::{figure}\n:alt: up to {eval}`b`\n\nis {eval}`b`\n:::",
            ":::{figure}\n:alt: up to x_1 *\n\nis x\\_1 \\*\n:::",
        ),
    ],
)
def test_expressions_become_text(source, text):
    assert answered(new_markdown_cell(source))[0].source == text


def test_what_code_prints_is_answered_and_its_source_is_not():
    shown = new_output("display_data", data={"text/markdown": "{eval}`a`", "text/plain": "{eval}`a`"})
    (cell,) = answered(new_code_cell("table('{eval}`a`')", outputs=[shown]))
    assert cell.source == "table('{eval}`a`')"
    assert cell.outputs[0].data == {"text/markdown": "2.50", "text/plain": "{eval}`a`"}


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        ({"status": "error", "ename": "KeyError", "evalue": "'z'"}, r"\{eval\}`z` raises KeyError: 'z'"),
        ({"status": "ok", "data": {"text/plain": "\N{HORIZONTAL ELLIPSIS}"}}, r"\{eval\}`z` is never recorded"),
    ],
)
def test_an_expression_without_a_value_is_an_error(result, complaint):
    with pytest.raises(TrustError, match=complaint):
        answered(new_markdown_cell("{eval}`z`"), z=result)


def test_a_notebook_that_stopped_keeps_its_expressions_and_not_the_last_cell():
    notebook = new_notebook(cells=[new_markdown_cell("{eval}`a`")])
    ask(notebook)
    answer(notebook)
    assert [cell.source for cell in notebook.cells] == ["{eval}`a`"]


def test_a_caption_moves_to_the_cell_above_it():
    text = ":::{figure}\n:name: fig-x\n:alt: a line\n\nUp, as $x$.\nAnd on.\n:::\n\nThen."
    notebook = new_notebook(cells=[new_code_cell("plot()", metadata={"mystnb": {"a": 1}}), new_markdown_cell(text)])
    move_captions(notebook)
    code, rest = notebook.cells
    figure = {"name": "fig-x", "caption": "Up, as $x$.\nAnd on."}
    assert code.metadata["mystnb"] == {"a": 1, "image": {"alt": "a line"}, "figure": figure}
    assert rest.source == "Then."


def test_a_picture_in_a_file_keeps_its_caption_and_one_without_code_is_refused():
    file, none = ":::{figure} x.png\nIt.\n:::", ":::{figure}\n:name: fig-x\n\nIt.\n:::"
    notebook = new_notebook(cells=[new_code_cell("x"), new_markdown_cell(file)])
    move_captions(notebook)
    assert notebook.cells[1].source == file
    with pytest.raises(TrustError, match="'fig-x' stands under no code cell"):
        move_captions(new_notebook(cells=[new_markdown_cell("a"), new_markdown_cell(none)]))


@EVERY_PAGE
def test_a_page_saved_by_jupyterlab_is_the_same_page(page):
    settings = load_jupytext_config(str(page))
    notebook = jupytext.read(page, config=settings)
    for cell in notebook.cells:
        cell.metadata["trusted"] = True
        if cell.cell_type == "markdown":
            cell.metadata["user_expressions"] = [{"expression": "x", "result": {"status": "ok"}}]
    assert jupytext.writes(notebook, fmt="md:myst", config=settings) == page.read_text(encoding="utf-8")


@EVERY_PAGE
def test_what_is_folded_on_the_page_is_folded_in_jupyterlab(page):
    cells = [cell for cell in jupytext.read(page).cells if cell.cell_type == "code"]
    folds = {"hide-input", "hide-cell", "remove-cell", "remove-input"}
    folded = [cell.source for cell in cells if folds & set(cell.metadata.get("tags", []))]
    assert folded == [cell.source for cell in cells if cell.metadata.get("jupyter", {}).get("source_hidden")]


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
    monkeypatch.setattr(tools, "table_numbers", {})
    shown = tools.table([{"x": 1}], caption="Numbers of $x$", name="tab-x")._repr_mimebundle_()
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


@EVERY_PAGE
def test_nothing_of_myst_is_left_in_any_page_and_references_are_to_the_page_itself(page):
    notebook = jupytext.read(page)
    plain_notebook(notebook)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert re.findall(r"\{(?!eval)[\w:-]+\}`|```\{|:::|`(?:fig|eq|thm|prp|lem|def|alg|cor)-[\w-]+`", text) == []
