"""The texts that the search quotes from are the pages', and answer for the pages and for nothing else."""

import json

from trust_helpers.book.searched import FILE, text_of_page, write_texts

PAGE = """<nav>elsewhere</nav><article class="bd-article"><h1>A title<a class="headerlink">#</a></h1>
<p>Rank &lt;b&gt; and\nfile.</p><details class="hide"><pre>code = 1</pre></details><style>p {}</style></article>"""


def test_a_text_is_what_the_article_says():
    assert text_of_page(PAGE) == '<div role="main">A title Rank &lt;b&gt; and file.</div>'


def test_a_page_without_an_article_has_no_text():
    assert text_of_page("<p>moved</p>") == ""


def test_the_script_has_the_texts_of_all_pages(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "one.html").write_text(PAGE)
    (tmp_path / "two.html").write_text("<p>moved</p>")
    write_texts(tmp_path, ["book/one.html", "two.html"])
    first = (tmp_path / "_static" / FILE).read_text().splitlines()[0]
    texts = json.loads(first.removeprefix("const texts = ").removesuffix(";"))
    assert texts == {"book/one.html": text_of_page(PAGE)}
