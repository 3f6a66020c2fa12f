"""The chapters are found, their parameters read as they are written, and values held to what they declare."""

import re

import pytest
from tiny_book import HEADER, PARAMETERS, write_book

from trust_helpers import TrustError
from trust_helpers.book.chapters import (
    find_chapter,
    find_chapters,
    read_parameters,
    sweep_values,
    values_for,
)
from trust_helpers.book.execute import book_folder, load_notebook
from trust_helpers.cli import main


@pytest.fixture
def chapter(tmp_path):
    return find_chapter(write_book(tmp_path / "book"), "small")


def declared(line):
    (parameter,) = read_parameters(line)
    return parameter


def test_a_cell_declares_names_types_defaults_and_help():
    table = [(p.name, p.kind, p.default, p.allowed) for p in read_parameters(PARAMETERS)]
    assert table == [
        ("arms", "int", 1000, "[1, 10**6]"),
        ("delta", "float", 0.1, "(0, 1)"),
        ("band", "str", "paper", "{paper, calibrated}"),
        ("log", "str", "", ""),
        ("note", "str", "a # b", ""),
    ]


def test_papermill_reads_the_same_parameters_help_and_types(tmp_path):
    import jupytext
    import papermill

    book = write_book(tmp_path / "book")
    jupytext.write(jupytext.read(book / "small.md"), tmp_path / "small.ipynb")
    theirs = papermill.inspect_notebook(tmp_path / "small.ipynb")
    ours = {p.name: (p.kind, p.help) for p in find_chapter(book, "small").parameters}
    del ours["note"], theirs["note"]  # papermill takes the # inside its default for the beginning of the comment
    assert ours == {name: (p["inferred_type_name"], p["help"]) for name, p in theirs.items()}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("arms = 3", "'name: type = value  # help'"),
        ("arms: complex = 3", "type int, float, str"),
        ("arms: int = 2.5", "arms = 2.5 is not a whole number"),
        ("arms: int = n", "default of arms is not a whole number"),
        ("arms: int = 0  # arms, in [1, inf)", "arms = 0 is out of range, it must be in [1, inf)"),
        ("word: str = 'a'  # a word, in [1, 2]", "word = 'a' is out of range"),
        ("x = 2 # b", "'x = 2 # b' is not of the form"),
    ],
)
def test_a_cell_that_breaks_the_convention_is_refused(line, complaint):
    with pytest.raises(TrustError) as caught:
        read_parameters(line)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("ends", "inside", "outside"),
    [
        ("(0, 1)", [1e-9, 0.5], [0, 1, -1]),
        ("[0, 1]", [0, 1], [-1e-9, 1 + 1e-9]),
        ("[1, 10**6]", [1, 1e6], [0.5, 1_000_001]),
        ("(-inf, .5)", [-1e300, 0.25], [0.5]),
        ("[1e-3, 2_000)", [1e-3, 1999], [9e-4, 2000]),
    ],
)
def test_an_interval_includes_the_ends_its_brackets_say(ends, inside, outside):
    parameter = declared(f"x: float = {inside[0]}  # help, in {ends}")
    assert [parameter.checked(x) for x in inside] == inside
    for x in outside:
        with pytest.raises(TrustError, match="out of range"):
            parameter.checked(x)


def test_only_the_end_of_a_comment_is_a_range():
    assert declared("x: float = 5  # a point in (0, 1) of the plane").allowed == ""
    assert declared("x: float = 5  # anything (0, 1)").allowed == ""


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("arms", "2000", 2000),
        ("arms", "2_000", 2000),
        ("delta", "5e-2", 0.05),
        ("band", "calibrated", "calibrated"),
        ("note", " 3 ", " 3 "),
        ("note", "true", "true"),
        ("log", "", ""),
    ],
)
def test_a_value_is_read_by_its_declared_type(chapter, name, text, value):
    parsed = values_for(chapter, [(name, text)])[name]
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("arms", "2.5", "small: arms = '2.5' is not a whole number in [1, 10**6]"),
        ("arms", "1e3", "not a whole number"),
        ("arms", "0", "small: arms = 0 is out of range, it must be in [1, 10**6]"),
        ("delta", "lots", "small: delta = 'lots' is not a finite number in (0, 1)"),
        ("delta", "nan", "not a finite number"),
        ("delta", "inf", "not a finite number"),
        ("delta", "1", "delta = 1.0 is out of range"),
        ("band", "Paper", "band = 'Paper' is out of range, it must be in {paper, calibrated}"),
        ("amrs", "3", "small has no parameter 'amrs' (did you mean 'arms'?); it has arms, delta, band"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_be_right(chapter, name, text, complaint):
    with pytest.raises(TrustError) as caught:
        values_for(chapter, [(name, text)])
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_is_seen_from_where_the_user_stands(chapter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert chapter.parameter("log").read("mine.csv") == str(tmp_path / "mine.csv")


def test_a_sweep_lists_values(chapter):
    assert sweep_values(chapter, ["arms=10,2_0", "note=a,b"]) == {"arms": [10, 20], "note": ["a", "b"]}


@pytest.mark.parametrize(
    ("read", "given", "complaint"),
    [
        (values_for, [("arms", "1"), ("arms", "2")], "arms is given twice"),
        (sweep_values, ["arms"], "NAME=VALUE,VALUE"),
        (sweep_values, ["arms="], "arms = '' is not a whole number"),
        (sweep_values, ["arms=1,2,1"], "repeats arms = 1"),
        (sweep_values, ["arms=1", "arms=2"], "swept twice"),
    ],
)
def test_values_that_make_no_sense_are_refused(chapter, read, given, complaint):
    with pytest.raises(TrustError, match=complaint):
        read(chapter, given)


def test_a_broken_chapter_is_named_and_does_not_hide_the_others(tmp_path):
    book = write_book(tmp_path / "book")
    cell = "\n```{code-cell} ipython3\n:tags: [parameters]\n\narms = 3\n```\n"
    (book / "broken.md").write_text(HEADER + cell, encoding="utf-8")
    with pytest.raises(TrustError, match=r"broken\.md, parameters cell: 'arms = 3'"):
        find_chapters(book)
    assert find_chapter(book, "small").title == "A small chapter"


def test_the_listing_shows_title_types_defaults_and_help(tmp_path, capsys):
    assert main(["chapters", "--book", str(write_book(tmp_path / "book"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "small: A small chapter"
    assert lines[1].split(maxsplit=3) == ["arms", "int", "1000", "number of arms, in [1, 10**6]"]
    assert len(lines) == 6


def test_the_books_own_chapters_keep_the_convention():
    found = {chapter.name: chapter for chapter in find_chapters(book_folder())}
    assert [p.name for p in found["01_lcb_failure"].parameters] == ["arms", "delta", "replications", "seed"]
    for chapter in found.values():
        assert chapter.title != chapter.name
        assert all(p.help for p in chapter.parameters), f"{chapter.name} has a parameter without help"


FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
ASIDE = re.compile(r"^(`{3,}|:{3,})\{(?:math\}|admonition\}[^\n]*\n:class: dropdown).*?^\1$", re.MULTILINE | re.DOTALL)
WORDIER = {"05_bounds": 3_000, "06_reinforcement_learning": 3_000}


NUMBERED = [chapter for chapter in find_chapters(book_folder()) if chapter.name[0].isdigit()]
each = pytest.mark.parametrize("chapter", NUMBERED, ids=lambda chapter: chapter.name)


@each
def test_a_chapter_has_a_program_one_can_read_and_few_words(chapter):
    """Lines that are not empty, of cells in sight; words that are not in folds, formulas or code."""
    cells = load_notebook(chapter.path).cells
    shown = [c.source for c in cells if c.cell_type == "code" and not FOLDED & set(c.metadata.get("tags", []))]
    lines = [sum(bool(line.strip()) for line in source.splitlines()) for source in shown]
    assert 60 <= sum(lines) <= 180
    assert max(lines) <= 15
    text = ASIDE.sub("", "\n".join(cell.source for cell in cells if cell.cell_type == "markdown"))
    text = re.sub(r"^(:[\w-]+:|:::|```).*$", "", text, flags=re.MULTILINE)
    assert len(text.split()) <= WORDIER.get(chapter.name, 2_500)


@each
def test_a_chapter_begins_with_its_idea_and_parameters_and_ends_with_exercises_and_versions(chapter):
    idea, parameters, imports, *rest = load_notebook(chapter.path).cells
    assert re.match(r"# .*\n\n\w", idea.source)
    assert parameters.metadata["tags"] == ["parameters"]
    assert imports.metadata["mystnb"]["code_prompt_show"] == "Imports"
    assert rest[-1].source == "versions()"
    text = "\n".join(cell.source for cell in rest if cell.cell_type == "markdown")
    numbers = [int(n) for n in re.findall(r"\*\*Exercise (\d+)", text)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 2 <= len(numbers) <= text.count("} Solution")
    assert "{numref}`tab-" not in text  # JupyterLab knows no tables that code makes


def test_without_a_checkout_the_folder_has_to_be_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(
        "trust_helpers.book.execute.__file__", str(tmp_path / "site-packages" / "trust_helpers" / "chapters" / "x.py")
    )
    assert main(["chapters"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "trust_helpers: the chapters are not installed with the package: work in a checkout, or say --book DIR"
    ]
    assert main(["chapters", "--book", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"trust_helpers: the book folder {tmp_path / 'none'} does not exist\n"


def test_every_statement_is_on_the_list_of_statements():
    texts = {page.name: page.read_text(encoding="utf-8") for page in book_folder().glob("*.md")}
    stated = re.findall(r"^:::\{prf:\w+\} ([^\n]*)\n:label: ([\w-]+)$", "\n".join(texts.values()), re.MULTILINE)
    table = texts["notation.md"].split("## Statements")[1].split("\n## ")[0]
    listed = re.findall(r"^\| ([^|]+) \| \[", table, re.MULTILINE)
    assert len(stated) >= 20
    assert sorted(listed) == sorted(title.split(", after ")[0] for title, _ in stated)
