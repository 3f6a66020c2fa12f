"""The chapters' MyST comes out as Markdown that every notebook tool reads."""

import re

import pytest

from trust_helpers.book.chapters import book_folder, find_chapters, load_notebook
from trust_helpers.book.elsewhere import names_elsewhere
from trust_helpers.book.myst import plain_markdown, read_labels
from trust_helpers.book.pasted import label_sources


def plain(source, **recorded):
    return plain_markdown(source, recorded, read_labels([source])).strip()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("about {glue:text}`width` wide", "about 2.5 wide"),
        ("as {cite}`auer2002,jin2021` show", "as (auer2002; jin2021) show"),
        ("see {ref}`the functions <api>` and {ref}`api`", "see the functions and `api`"),
        ("{math}`x^2`", "$x^2$"),
        ("[the next](02_next.md#part) and [out](https://a.org/b.md)", "the next and [out](https://a.org/b.md)"),
        ("(target)=\n# Title", "# Title"),
        ("`{glue}` is a role, `code` is not", "`{glue}` is a role, `code` is not"),
    ],
)
def test_roles_and_links(source, text):
    assert plain(source, width="2.5") == text


def test_citations_are_authors_and_years():
    names = {"cite:auer2002": "Auer et al. 2002", "cite:jin2021": "Jin and Li 2021"}
    assert plain_markdown("{cite}`auer2002, jin2021`", {}, names) == "(Auer et al. 2002; Jin and Li 2021)"
    assert plain_markdown("{cite:t}`auer2002,jin2021`", {}, names) == "Auer et al. (2002) and Jin and Li (2021)"


def test_every_reference_of_every_chapter_is_resolved_to_text():
    for chapter in find_chapters(book_folder()):
        node = load_notebook(chapter.path)
        cells = [cell.source for cell in node.cells if cell.cell_type == "markdown"]
        labels = {**names_elsewhere(chapter.path), **read_labels(label_sources(node))}
        text = "\n".join(plain_markdown(cell, {}, labels) for cell in cells)
        found = re.findall(r"\{(?:cite|eq|prf:ref|numref)[\w:]*\}`([^`<]+)`", "\n".join(cells))
        keys = {part.strip() for key in found for part in key.split(",")}
        keys = {key for key in keys if not key.startswith("tab-")}  # a table is known once its cell was executed
        assert [key for key in sorted(keys) if f"`{key}`" in text or f"({key}" in text or f"; {key}" in text] == []


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


def test_nothing_of_myst_is_left_in_any_chapter():
    for chapter in find_chapters(book_folder()):
        cells = [cell.source for cell in load_notebook(chapter.path).cells if cell.cell_type == "markdown"]
        labels = read_labels(cells)
        text = "\n".join(plain_markdown(cell, {}, labels) for cell in cells)
        assert "}`" not in text, chapter.name
        assert "```{" not in text, chapter.name
        assert ":::" not in text, chapter.name
