"""What the book's own Sphinx extension does to a page."""

from book_pages import (
    keep_per_cents,
    keep_together,
    shorten_defaults,
    skip_numbered_fields,
    tell_ids_apart,
)
from docutils import nodes
from docutils.utils import new_document

from trust_helpers.trials import Played, Share


def test_statements_have_ids_of_their_own():
    document = new_document("page")
    for name in ("proof-content", "a-heading", "proof-content"):
        document += nodes.section("", ids=[name])
    tell_ids_apart(None, document)
    assert [section["ids"] for section in document.findall(nodes.section)] == [
        ["proof-content-1"],
        ["a-heading"],
        ["proof-content-2"],
    ]


def test_a_formula_keeps_what_clings_to_it():
    document = new_document("page")
    words = [nodes.Text(text) for text in ("the ", "-th, of ", " more")]
    document += nodes.paragraph("", "", words[0], nodes.math("", "M"), words[1], nodes.math("", "L"), words[2])
    before = document.astext()
    keep_together(None, document)
    assert document.astext() == before
    assert [node.astext() for node in document.findall(nodes.inline)] == ["M-th,"]
    assert isinstance(document[0][2], nodes.Text)


def test_a_number_keeps_its_per_cent_sign():
    document = new_document("page")
    document += nodes.paragraph("", "", nodes.Text("in 95 % of logs, a % b"))
    document += nodes.literal_block("", "", nodes.Text("95 % printed"))
    keep_per_cents(None, document)
    assert [node.astext() for node in document] == ["in 95\N{NO-BREAK SPACE}% of logs, a % b", "95 % printed"]


def test_only_fields_that_say_nothing_are_left_out_of_the_reference():
    assert skip_numbered_fields(None, "class", "error", Share.error, False, None) is True
    assert skip_numbered_fields(None, "class", "missed", Played.missed, False, None) is None
    assert skip_numbered_fields(None, "class", "__str__", Share.__str__, False, None) is None


def test_a_default_without_a_name_is_three_dots():
    written, short = "(path, law=<object at 0x7f>, level=None)", ("(path, law=..., level=None)", "Log")
    assert shorten_defaults(None, "function", "read", None, None, written, "Log") == short
    assert shorten_defaults(None, "module", "tables", None, None, None, None) is None
