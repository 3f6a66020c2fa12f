"""A page is executed when what its numbers depend on has changed, and rendered so; kernels end with the command."""

import json
import signal
import subprocess
import sys
import time

import make_book
import nbformat
import pytest
import yaml
from make_book import is_fresh, refresh, stage
from tiny_book import HEADER, write_book

from trust_helpers import TrustError
from trust_helpers.book.execute import (
    ChapterFailed,
    find_pages,
    find_pages_with_code,
    load_notebook,
    notebook_of,
)

CELL = "\n# A page\n\nSee [it](small.md#a), [that](about.md).\n\n```{code-cell} ipython3\nprint(1)\n```\n"


@pytest.fixture
def book(tmp_path):
    """A book of one chapter, a page with code in a folder below, a page without, and one that is not listed."""
    book = write_book(tmp_path / "book")
    (book / "more").mkdir()
    (book / "more" / "page.md").write_text(HEADER + CELL, encoding="utf-8")
    (book / "unlisted.md").write_text(HEADER + CELL, encoding="utf-8")
    (book / "book.css").write_text("p {}", encoding="utf-8")
    (book / "log.csv").write_text("arm,reward\n", encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("numpy==2.0\n", encoding="utf-8")
    chapters = [{"file": "book/small", "sections": [{"file": "book/more/page"}]}]
    contents = {"format": "jb-book", "root": "book/about", "parts": [{"chapters": chapters}]}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(contents), encoding="utf-8")
    config = {"title": "Small", "exclude_patterns": ["tests", "**.ipynb"], "execute": {"execute_notebooks": "force"}}
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return book


@pytest.fixture
def runs(monkeypatch):
    """Instead of kernels: cells that print slowly, take as long as their page's name, and fail on request."""
    runs = []

    def execute(page, target, plain):
        runs.append(page.stem)
        if "boom" in page.read_text(encoding="utf-8"):
            raise ChapterFailed(f"{page.stem} raised")
        notebook = load_notebook(page)
        notebook.metadata["papermill"] = {"duration": len(page.stem)}
        for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
            cell.execution_count, cell.metadata["papermill"] = number + 1, {"duration": 1}
            data = {"text/markdown": "[it](small.md), [that](about.md)"}
            shown = nbformat.v4.new_output("display_data", data=data)
            slow = [nbformat.v4.new_output("stream", name="stdout", text=text) for text in ("a", "b")]
            cell.outputs = [slow[0], shown, slow[1], nbformat.v4.new_output("stream", name="stderr", text="c")]
        nbformat.write(notebook, target)

    monkeypatch.setattr(make_book, "execute", execute)
    return runs


def test_the_pages_are_those_of_the_contents_in_their_order(book):
    assert [page.relative_to(book).as_posix() for page in find_pages(book)] == ["about.md", "small.md", "more/page.md"]
    assert [page.stem for page in find_pages_with_code(book)] == ["small", "page"]


def test_without_contents_every_page_of_the_folder_is_one(book):
    (book.parent / "_toc.yml").unlink()
    assert [page.stem for page in find_pages(book)] == ["about", "small", "unlisted"]


def test_a_page_is_executed_once(book, runs):
    assert sorted(page.stem for page in refresh(book)) == ["page", "small"] == sorted(runs)
    assert refresh(book) == []
    assert len(refresh(book, force=True)) == 2
    assert len(refresh(book, force=True, only=["small"])) == 1
    assert len(runs) == 5


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("book/small.md", ["small"]),
        ("book/about.md", []),
        ("book/book.css", []),
        ("book/log.csv", ["page", "small"]),
        ("requirements.txt", ["page", "small"]),
    ],
)
def test_what_a_change_executes_again(book, runs, changed, again):
    refresh(book)
    with (book.parent / changed).open("a") as file:
        file.write("\n")
    assert sorted(page.stem for page in refresh(book)) == again


def test_a_change_in_the_package_or_of_python_executes_everything_again(book, runs, monkeypatch):
    refresh(book)
    with monkeypatch.context() as patch:
        patch.setattr("platform.python_version", lambda: "3.99.0")
        assert not is_fresh(book / "small.md", book)
    assert is_fresh(book / "small.md", book)
    monkeypatch.setattr(make_book, "_package", lambda: "another")
    assert not is_fresh(book / "small.md", book)


def test_the_hash_of_the_package_covers_every_module_and_table(tmp_path, monkeypatch):
    (tmp_path / "rl" / "tables").mkdir(parents=True)
    monkeypatch.setattr(make_book, "PACKAGE", tmp_path)
    hashes = [make_book._package.__wrapped__()]
    for name in ("band.py", "rl/shipped.py", "rl/tables/cql.csv"):
        (tmp_path / name).write_text("x", encoding="utf-8")
        hashes.append(make_book._package.__wrapped__())
    (tmp_path / "rl" / "__pycache__").mkdir()
    (tmp_path / "rl" / "__pycache__" / "x.pyc").write_text("x", encoding="utf-8")
    assert len(set(hashes)) == 4
    assert make_book._package.__wrapped__() == hashes[-1]


def test_the_longest_page_comes_first(book, runs, monkeypatch):
    monkeypatch.setattr(make_book, "JOBS", 1)
    refresh(book)
    assert runs == ["small", "page"]  # never executed: the longer text
    assert refresh(book, force=True) == [book / "small.md", book / "more" / "page.md"]  # five letters, four letters
    stamp = json.loads(notebook_of(book / "more" / "page.md", book).read_text(encoding="utf-8"))
    stamp["metadata"]["executed"]["seconds"] = 60
    notebook_of(book / "more" / "page.md", book).write_text(json.dumps(stamp), encoding="utf-8")
    assert refresh(book, force=True) == [book / "more" / "page.md", book / "small.md"]


def test_a_page_that_raises_is_told_and_does_not_stop_the_others(book, runs):
    with (book / "small.md").open("a") as file:
        file.write("\nboom\n")
    with pytest.raises(ChapterFailed, match="small raised"):
        refresh(book)
    assert is_fresh(book / "more" / "page.md", book)
    with pytest.raises(TrustError, match=r"small\.md is not executed"):
        stage(book, book.parent / "pages")
    assert not (book.parent / "pages").exists()


def test_a_notebook_that_was_not_finished_is_not_fresh(book, runs):
    refresh(book)
    notebook = notebook_of(book / "small.md", book)
    notebook.write_text(notebook.read_text(encoding="utf-8")[:-100], encoding="utf-8")
    assert [page.stem for page in refresh(book)] == ["small"]


def test_what_changes_from_run_to_run_is_dropped(book, runs):
    refresh(book)
    notebook = nbformat.read(notebook_of(book / "more" / "page.md", book), as_version=4)
    assert [cell.id for cell in notebook.cells] == ["cell-000", "cell-001"]
    assert not any("papermill" in part for part in (notebook.metadata, *(c.metadata for c in notebook.cells)))
    first, *others = notebook.cells[1].outputs
    assert first.text == "ab"
    assert [output.output_type for output in others] == ["display_data", "stream"]


def test_links_lead_to_notebooks_where_pages_became_notebooks(book, runs):
    (book / "about.md").write_text(
        "See [it](small.md), [more](more/page.md#x), [me](about.md), not small.md itself.\n", encoding="utf-8"
    )
    pages = book.parent / "pages"
    refresh(book)
    stage(book, pages)
    assert (pages / "book" / "about.md").read_text(encoding="utf-8") == (
        "See [it](small.ipynb), [more](more/page.ipynb#x), [me](about.md), not small.md itself.\n"
    )
    notebook = nbformat.read(pages / "book" / "more" / "page.ipynb", as_version=4)
    assert "[it](small.ipynb#a), [that](about.md)" in notebook.cells[0].source
    assert notebook.cells[1].outputs[1].data["text/markdown"] == "[it](small.ipynb), [that](about.md)"


def test_the_staged_book_has_nothing_left_to_execute(book, runs):
    (book / "stray.ipynb").write_text("left by an editor", encoding="utf-8")
    refresh(book)
    for _ in range(2):
        stage(book, book.parent / "pages")
    pages = book.parent / "pages"
    config = yaml.safe_load((pages / "_config.yml").read_text(encoding="utf-8"))
    assert config == {"title": "Small", "exclude_patterns": ["tests"], "execute": {"execute_notebooks": "off"}}
    assert (pages / "_toc.yml").read_text(encoding="utf-8") == (book.parent / "_toc.yml").read_text(encoding="utf-8")
    files = {path.relative_to(pages / "book").as_posix() for path in (pages / "book").rglob("*.*")}
    assert files == {"about.md", "small.ipynb", "more/page.ipynb", "unlisted.md", "book.css", "log.csv"}


SLOW = f"""{HEADER}
# Slow

```{{code-cell}} ipython3
:tags: [parameters]

seed: int = 0  # any whole number
```

```{{code-cell}} ipython3
import time
from pathlib import Path

Path(f"begun{{seed}}").touch()
time.sleep(600)
```
"""


@pytest.mark.parametrize("asked", [["-p", "seed", "1"], ["--sweep", "seed=1,2", "--jobs", "2"]], ids=["run", "sweep"])
def test_an_interrupted_run_says_one_line_and_leaves_no_kernel(tmp_path, asked):
    """Kernels hold the pipe of standard error, so its end is the end of the last of them."""
    book = write_book(tmp_path / "book")
    (book / "slow.md").write_text(SLOW, encoding="utf-8")
    line = [sys.executable, "-m", "trust_helpers", "run", "slow", *asked, "--book", str(book)]
    with subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        while len(list(book.glob("begun*"))) < (2 if "--sweep" in asked else 1):
            assert run.poll() is None, run.stderr.read()
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=100)  # far less than the chapter sleeps
    assert (run.returncode, said) == (130, b"trust_helpers: interrupted\n")
    assert list(tmp_path.glob("*.ipynb")) == []
