"""What the book's own Sphinx extension does to a page."""

from docutils import nodes
from docutils.utils import new_document

from trust_helpers.chapters.sphinx_pages import tell_ids_apart


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
