"""Chapters run with the values asked for, leave what they did behind, and say what went wrong."""

import csv
import os
import re
import subprocess
import sys

import nbformat
import pytest
from tiny_book import write_book

from trust_helpers import TrustError
from trust_helpers.book.chapters import Outcome, Run, draw_sweep, find_chapter, plan_run, plan_sweep, write_table
from trust_helpers.book.execute import load_notebook
from trust_helpers.book.notebook import recorded
from trust_helpers.cli import main


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return write_book(tmp_path_factory.mktemp("runner") / "book")


@pytest.fixture
def chapter(book):
    return find_chapter(book, "small")


def command(book, folder, *arguments):
    """What a user types, in a folder of the user's."""
    line = [sys.executable, "-m", "trust_helpers", "run", *arguments, "--book", str(book)]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def ask(book, tmp_path, monkeypatch, capsys):
    """The same without a process of its own."""

    def ask(*arguments):
        monkeypatch.chdir(tmp_path)
        code = main(["run", *arguments, "--book", str(book)])
        return subprocess.CompletedProcess(arguments, code, *capsys.readouterr())

    return ask


def printed(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.output_type == "stream")


@pytest.fixture(scope="module")
def good(book, tmp_path_factory):
    """A run that works, as the command line does it, in a folder whose name papermill would fill with parameters."""
    folder = tmp_path_factory.mktemp("user") / "{arms}"
    folder.mkdir()
    done = command(book, folder, "small", "-p", "arms", "2_000", "-p", "log", "mine.csv", "-o", "out.ipynb", "--html")
    return folder, done


def test_a_run_executes_with_its_values_in_the_books_folder_and_says_what_it_wrote(good):
    folder, done = good
    assert (done.returncode, done.stdout, done.stderr) == (0, "wrote out.ipynb\nwrote out.html\n", "")  # and no bar
    assert sorted(path.name for path in folder.iterdir()) == ["out.html", "out.ipynb"]
    notebook = nbformat.read(folder / "out.ipynb", as_version=4)
    assert recorded(notebook) == {"double": 4000.0, "arms": 2000.0, "gap": float(f"{1 / 1987:.10g}")}
    (injected,) = (cell for cell in notebook.cells if "injected-parameters" in cell.metadata.get("tags", []))
    assert "arms = 2000" in injected.source
    assert printed(notebook) == f"folder: book log: {folder / 'mine.csv'}\n"  # a path as the user sees it


def test_the_page_needs_no_network_and_quotes_the_recorded_number(good):
    page = (good[0] / "out.html").read_text(encoding="utf-8")
    tags = re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page)
    assert len(tags) >= 2
    assert not [tag for tag in tags if re.search(r"\b(?:src|href)\s*=", tag) and "data:" not in tag]
    assert not re.search(r"@import|url\(\s*[\"']?(?:https?:)?//", page)
    assert "output/svg" in page, "MathJax is not in the page"
    assert "By Theorem 1 and (1) twice the arms are 4000.0, see the next." in page


def test_a_chapter_that_raises_names_its_cell_and_keeps_what_ran(ask, tmp_path):
    done = ask("small", "-p", "arms", "13")
    assert done.returncode == 1
    assert (
        "small raised ZeroDivisionError: division by zero in cell [4], 'record(\"gap\", 1 / (arms - 13), key=True)'"
        in done.stderr
    )
    assert "Traceback" not in done.stderr
    notebook = nbformat.read(tmp_path / "small.ipynb", as_version=4)
    assert recorded(notebook) == {"double": 26.0, "arms": 13.0}
    assert printed(notebook) == "folder: book log: \n"


def test_a_bad_log_given_to_a_chapter_is_the_users_to_mend(book, tmp_path):
    (tmp_path / "bad.csv").write_text("arm,reward\na,oops\n", encoding="utf-8")
    done = command(book, tmp_path, "small", "-p", "log", "bad.csv")
    assert done.returncode == 2
    assert "column 'reward' on line 2 is 'oops', which is not a finite number" in done.stderr
    assert "OfflineData.from_csv(log, sigma=1.0)" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["smal"], "there is no chapter 'smal' (did you mean 'small'?); there is small"),
        (["about"], "there is no chapter 'about'; there is small"),
        (["../book/small"], "there is no chapter '../book/small'"),
        (["small", "-p", "arms"], "argument -p: expected 2 arguments"),
        (["small", "-o", "none/out.ipynb"], "none does not exist"),
        (["small", "-o", "out.txt"], "must end in .ipynb"),
        (["small", "-o", "taken.ipynb"], "cannot be written"),
        (["small", "-o", "taken/out.ipynb"], "cannot be written: Not a directory"),
        (["small", "-o", "page.ipynb", "--html"], "page.html cannot be written"),
        (["small", "--sweep", "arms=1,x"], "arms = 'x' is not a whole number"),
        (["small", "--sweep", "arms=1,2", "-p", "arms", "3"], "arms is both set and swept"),
        (["small", "--sweep", "arms=1,2", "-o", "out.ipynb"], "a sweep is a folder"),
        (["small", "--sweep", "arms=1,2", "-o", "no/such"], "such cannot be made: No such file or directory"),
        (["small", "--sweep", "arms=1,2", "-o", "taken"], "taken cannot be made"),
        (["small", "--sweep", "arms=1,2", "--jobs", "0"], "--jobs 0"),
        (["small", "--swep", "arms=1,2"], "unrecognized arguments: --swep"),
    ],
)
def test_a_request_that_makes_no_sense_costs_one_line(book, tmp_path, monkeypatch, capsys, arguments, complaint):
    (tmp_path / "taken.ipynb").mkdir()
    (tmp_path / "page.html").mkdir()
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["run", *arguments, "--book", str(book)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "taken", "taken.ipynb"]


@pytest.mark.parametrize("missing", ["jupytext", "papermill", "nbconvert"])
def test_a_missing_library_is_said_before_any_work(book, tmp_path, monkeypatch, capsys, missing):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["run", "small", "--html", "--book", str(book)]) == 2
    assert capsys.readouterr().err == (f"trust_helpers: this needs {missing}: pip install 'trust-helpers[book]'\n")
    assert not list(tmp_path.iterdir())


def test_a_sweep_tabulates_what_was_recorded_and_survives_a_failure(book, tmp_path):
    done = command(book, tmp_path, "small", "--sweep", "arms=10,13", "-p", "delta", "0.2", "-o", "runs", "--jobs", "2")
    assert done.returncode == 1
    assert done.stdout == f"2 runs, 1 failed; the numbers are in {os.path.join('runs', 'small.csv')}\n"
    assert done.stderr.count("raised ZeroDivisionError: division by zero in cell [4]") == 1
    files = ["small.csv", "small_arms=10.ipynb", "small_arms=13.ipynb"]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == files
    with (tmp_path / "runs" / "small.csv").open(newline="") as file:
        first, second = csv.DictReader(file)
    parameters = {"delta": "0.2", "band": "paper", "log": ""}
    numbers = {"double": "20.0", "gap": "-0.3333333333", "error": ""}
    assert first == {"arms": "10", **parameters, "note": "a # b", **numbers}
    assert list(first) == ["arms", *parameters, "note", *numbers]
    assert [second[column] for column in ("arms", "double", "gap")] == ["13", "26.0", ""]
    assert "ZeroDivisionError" in second["error"]


def test_a_sweep_draws_its_key_numbers(chapter, tmp_path):
    runs = plan_sweep(chapter, {}, {"arms": [10, 20], "delta": [0.1, 0.2]}, str(tmp_path))
    draw_sweep([Outcome(one, {"double": 2.0, "word": "a"}) for one in runs], tmp_path / "small.svg")
    drawn = re.findall("<!-- (.*) -->", (tmp_path / "small.svg").read_text(encoding="utf-8"))
    assert {"double", "arms", "delta=0.1", "delta=0.2"} <= set(drawn)
    assert "word" not in drawn


@pytest.mark.parametrize("values", [{"arms": 0}, {"arms": 2.5}, {"band": "Paper"}])
def test_plain_papermill_is_stopped_by_the_ranges_too(chapter, tmp_path, values):
    papermill = pytest.importorskip("papermill")
    nbformat.write(load_notebook(chapter.path), tmp_path / "in.ipynb")
    ((name, value),) = values.items()
    with pytest.raises(TrustError) as ours:
        chapter.parameter(name).checked(value)
    with pytest.raises(papermill.PapermillExecutionError) as theirs:
        papermill.execute_notebook(tmp_path / "in.ipynb", tmp_path / "out.ipynb", values, progress_bar=False)
    assert (theirs.value.ename, theirs.value.evalue) == ("TrustError", str(ours.value))


def test_a_sweep_is_the_product_of_its_values_each_with_a_notebook_of_its_own(chapter, tmp_path):
    swept = {"arms": [10, 20], "band": ["paper", "calibrated"]}
    runs = plan_sweep(chapter, {"delta": 0.2}, swept, str(tmp_path / "new"))
    assert [run.values for run in runs] == [
        {"delta": 0.2, "arms": arms, "band": band} for arms in (10, 20) for band in ("paper", "calibrated")
    ]
    assert runs[1].notebook == tmp_path / "new" / "small_arms=10_band=calibrated.ipynb"
    runs = plan_sweep(chapter, {}, {"note": ["a/b", "a b", "c", "x" * 300, "x" * 301]}, str(tmp_path))
    names = [run.notebook.name for run in runs]
    assert names[:3] == ["small_note=a-b.ipynb", "small_note=a-b_2.ipynb", "small_note=c.ipynb"]
    assert len(set(names)) == 5
    assert max(map(len, names)) < 200


def test_a_table_holds_runs_that_recorded_different_numbers(chapter, tmp_path):
    runs = plan_sweep(chapter, {}, {"arms": [1, 2]}, str(tmp_path))
    write_table([Outcome(runs[0], {"a": 1.5}), Outcome(runs[1], {"b": "x,y"}, "oh")], tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(r["arms"], r["a"], r["b"], r["error"]) for r in rows] == [("1", "1.5", "", ""), ("2", "", "x,y", "oh")]


def test_the_output_is_named_after_the_chapter_where_the_user_stands(chapter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert plan_run(chapter, {}, None) == Run(chapter, {}, tmp_path / "small.ipynb")
