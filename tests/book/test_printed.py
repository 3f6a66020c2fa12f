"""The book as one page: every article, names that do not clash, links that lead within."""

import pytest
from printed import joined_pages

PAGE = """<html><head><title>{0}</title></head><body><article class="bd-article"><h1 id="top">{0}</h1>{1}</article>
</body></html>"""


@pytest.fixture
def html(tmp_path):
    (tmp_path / "book" / "api").mkdir(parents=True)
    links = '<a href="one.html#top">a</a><a href="api/two.html">b</a><a href="#top">c</a><a href="https://a.org/">d</a>'
    pictures = '<img src="../_images/x.svg"><img src="data:image/png;base64,AA">'
    fold = '<div class="cell tag_hide-cell"><details></details></div>'
    pages = {"book/index": links + pictures, "book/one": fold, "book/api/two": '<a href="../one.html">e</a>'}
    for name, body in pages.items():
        (tmp_path / f"{name}.html").write_text(PAGE.format(name, body), encoding="utf-8")
    return tmp_path


def test_all_articles_are_there_with_names_and_links_of_their_own(html):
    page = joined_pages(html, ["book/index", "book/one", "book/api/two"])
    for name in ("page-book-index", "page-book-one", "page-book-api-two"):
        assert page.count(f'id="{name}"') == 1
        assert page.count(f'id="{name}--top"') == 1
    for link in ("book-one--top", "book-api-two", "book-index--top", "book-one"):
        assert f'href="#page-{link}"' in page
    assert 'href="https://a.org/"' in page
    assert 'src="../_images/x.svg"' in page
    assert 'src="data:image/png;base64,AA"' in page
    assert '<details open="">' in page


def test_a_link_to_a_page_that_is_not_printed_stays_where_it_is(html):
    page = joined_pages(html, ["book/index"])
    assert 'href="#page-book-index"' in page


def test_a_shape_is_clipped_by_its_own_page(html):
    drawing = '<svg><clipPath id="edge"></clipPath><polygon clip-path="url(#edge)"></polygon></svg>'
    (html / "book" / "one.html").write_text(PAGE.format("one", drawing), encoding="utf-8")
    page = joined_pages(html, ["book/index", "book/one"])
    assert 'id="page-book-one--edge"' in page
    assert 'clip-path="url(#page-book-one--edge)"' in page
