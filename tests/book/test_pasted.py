"""A page without Sphinx has the same pictures, numbers and captions."""

import nbformat
import pytest

from trust_helpers.book.myst import read_labels
from trust_helpers.book.pasted import as_address, label_sources, number_captions, pasted_pictures
from trust_helpers.book.table import table

SVG = "<svg xmlns='http://www.w3.org/2000/svg'></svg>"


def output(data, **metadata):
    return nbformat.v4.new_output("display_data", data=data, metadata=metadata)


@pytest.fixture
def node():
    text = "```{glue:figure} opening\n:name: fig-first\n:alt: a drawing\n\nThe idea.\n```\n{numref}`fig-second`"
    shown = table([{"x": 1}], caption="Numbers of {numref}`fig-first`", name="tab-x")
    second = nbformat.v4.new_code_cell("draw()", outputs=[output({"image/svg+xml": SVG})])
    second.metadata = nbformat.from_dict(
        {"mystnb": {"figure": {"name": "fig-second", "caption": "At {glue:text}`n`."}}}
    )
    cells = [
        nbformat.v4.new_markdown_cell(text),
        nbformat.v4.new_code_cell(
            "opening(fig)", outputs=[output({"image/svg+xml": SVG}, scrapbook={"name": "opening", "mime_prefix": ""})]
        ),
        second,
        nbformat.v4.new_code_cell("table(rows)", outputs=[output(shown._repr_mimebundle_())]),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def test_figures_and_tables_are_numbered_as_they_come(node):
    labels = read_labels(label_sources(node))
    assert labels == {"fig-first": "Figure 1", "fig-second": "Figure 2", "tab-x": "Table 1"}


def test_captions_have_their_numbers(node):
    number_captions(node, {"n": "7"}, read_labels(label_sources(node)))
    assert node.cells[2].outputs[1].data["text/markdown"] == "**Figure 2.** At 7."
    assert "<caption><b>Table 1.</b> Numbers of Figure 1</caption>" in node.cells[3].outputs[0].data["text/html"]


def test_a_picture_stands_where_the_text_asks_for_it(node):
    page = pasted_pictures(node, '<p><img alt="a drawing" src="glue:opening"/></p>')
    assert page == f'<p><img alt="a drawing" src="{as_address(SVG)}"></p>'
    assert pasted_pictures(node, '<img alt="" src="glue:nothing">') == ""
