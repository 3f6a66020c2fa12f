"""Every chapter runs, through papermill, on instances it was not written for: nothing works only at the default.

The values follow from what a chapter declares: another seed, a larger delta, and sizes a twentieth of the default or
the least that its range allows.
"""

from contextlib import suppress

import jupytext
import nbformat
import pytest
from make_golden import GOLDEN
from papermill.clientwrap import PapermillNotebookClient
from tiny_book import HEADER

from trust_helpers import OfflineData, TrustError, report
from trust_helpers.book.chapters import RANGE, find_chapters, values_for
from trust_helpers.book.execute import book_folder, execute, load_notebook
from trust_helpers.book.notebook import recorded
from trust_helpers.paper import exact

pytestmark = pytest.mark.xdist_group("one kernel")  # they follow each other on one worker, with one kernel
CHAPTERS = {chapter.name: chapter for chapter in find_chapters(book_folder())}
WORDS = {"06_reinforcement_learning": {"env": "Walker2d"}}  # of what is not a number
# Words that a chapter chooses by its numbers, and what they are on the small instances too.
SAID = {
    "05_bounds": {"first-known": "LCB", "earns-more": "LCB's arm", "verdict.table2.lcb_mean": "differs"},
    "closed_forms": {"refuted": "false"},
}


class InKeptKernel(PapermillNotebookClient):
    """What papermill executes a notebook with: in the kernel of the notebook before, emptied, if there was one."""

    last = None

    def execute(self, **options):
        if InKeptKernel.last:
            self.km, self.kc = InKeptKernel.last.km, InKeptKernel.last.kc
            self.wait_for_reply(self.kc.execute("%reset -f", silent=True))
        InKeptKernel.last = self
        return super().execute(cleanup_kc=False, **options)


@pytest.fixture(scope="module")
def kept_kernel():
    yield
    if InKeptKernel.last:
        InKeptKernel.last._cleanup_kernel()
        InKeptKernel.last = None


@pytest.fixture
def one_kernel(kept_kernel, monkeypatch):
    """Let this test's runs share the kernel of the tests before it: what all of them import is imported once."""
    monkeypatch.setattr("papermill.engines.PapermillNotebookClient", InKeptKernel)


def other(parameter):
    """A value that the parameter takes and that is not its default; None if there is no telling."""
    found, default = RANGE.search(parameter.help), parameter.default
    if "seed" in parameter.name:
        with suppress(TrustError):
            return parameter.checked(default + 1)
        return default - 1
    if parameter.name == "delta":
        return 0.2
    return max(default // 20, int(found[3])) if parameter.kind == "int" and found else None


def run(chapter, values, folder):
    """Execute with values given as text, as the command line does; the numbers recorded."""
    given = values_for(chapter, [(name, str(value)) for name, value in values.items()])
    return recorded(execute(chapter.path, folder / "out.ipynb", given))


def small(chapter):
    """Values for a quick run, none of them the default."""
    values = {p.name: value for p in chapter.parameters if (value := other(p)) is not None} | WORDS.get(
        chapter.name, {}
    )
    assert all(values[p.name] != p.default for p in chapter.parameters if p.name in values)
    return values_for(chapter, [(name, str(value)) for name, value in values.items()])


def is_open(cell):
    """Whether a reader sees the code of a cell without unfolding it, or it is the fold of the imports."""
    hidden = {"hide-input", "hide-cell", "remove-input", "remove-cell"} & set(cell.metadata.get("tags", []))
    return not hidden or cell.metadata.get("mystnb", {}).get("code_prompt_show") == "Imports"


def printed(notebook):
    """What each open cell printed."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and is_open(cell)]
    return [(c.source, "".join(o.text for o in c.outputs if o.output_type == "stream")) for c in cells]


@pytest.mark.parametrize("name", CHAPTERS)
def test_runs_with_other_parameters(tmp_path, one_kernel, name):
    chapter = CHAPTERS[name]
    done = execute(chapter.path, tmp_path / "out.ipynb", small(chapter))
    numbers = recorded(done)
    usual = recorded(nbformat.read(GOLDEN / f"{name}.ipynb", as_version=4))
    assert len(numbers) >= 3
    assert numbers.keys() & usual.keys()
    assert numbers != usual, "the values did not reach the chapter"
    assert {key: numbers[key] for key in SAID.get(name, {})} == SAID.get(name, {})
    judged = [key for key in numbers.keys() & usual.keys() if key.startswith(("verdict.", "ours."))]
    assert {key: numbers[key] for key in judged} == {key: usual[key] for key in judged}  # whatever the parameters

    notebook = load_notebook(chapter.path)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code" and is_open(cell)]
    jupytext.write(notebook, tmp_path / f"{name}.md", fmt="md:myst")
    alone = execute(tmp_path / f"{name}.md", tmp_path / "alone.ipynb", small(chapter))
    assert printed(alone) == printed(done), "the open cells are no program of their own"


def test_few_arms_in_chapter_1(tmp_path, one_kernel):
    said = run(CHAPTERS["01_lcb_failure"], {"arms": 20, "replications": 40, "delta": 0.49}, tmp_path)
    assert said["greedy"] == pytest.approx(exact.greedy_value(20))
    assert said["top-kind"] == ("a good arm's" if said["lcb-truth"] == 1 else "a bad arm's")
    assert said["lcb-word"] == ("nothing" if said["lcb-bound"] < 0 else "little")
    assert said["lcb-kept"] == ("kept" if said["lcb-bound"] <= said["lcb-truth"] else "broken")
    assert said["verdict.table1.lcb_bound"] == "differs"
    assert said["shown"] == 20  # not forty of twenty
    assert said["cloning-bound"] == pytest.approx(exact.cloning_bound(20, 0.49))
    assert said["half-promise"] <= 8  # eight samples: half width 0.52, best mean about 1.25


def test_few_arms_in_chapter_2(tmp_path, one_kernel):
    values = {"arms": 100, "replications": 20, "draws": 100, "delta": 0.2}
    said = run(CHAPTERS["02_stochastic_policies"], values, tmp_path)
    assert said["verdict.text.bc_bound"] == "reproduced"
    for key in ("fixed", "ellipsoid", "all"):
        assert said[f"{key}-word"] == ("more" if said[f"{key}-bound"] > said["bc-bound"] else "less")
    assert said["top-real"] > said["bc-truth"]
    assert said["top-k"] > 10


def test_somebodys_own_log(tmp_path):
    log = tmp_path / "mine.csv"
    rows = [f"option {i % 40},{(i * 7919) % 11 / 10 + i % 40 / 80}" for i in range(90)]
    log.write_text("which,gain\n" + "\n".join(rows) + "\n", encoding="utf-8")
    values = {"log": log, "arm": "which", "reward": "gain", "noise": "0.5", "rows": 2_000, "logs": 10}
    numbers = run(CHAPTERS["09_your_own_log"], values, tmp_path)
    made = report(OfflineData.from_csv(log, "which", "gain", sigma="0.5"), 0.1, seed=2024)
    assert (numbers["arms"], numbers["samples"]) == (40, 90)
    assert numbers["best-bound"] == pytest.approx(made.recommended.lower_bound, rel=1e-9)


def test_a_kernel_that_is_kept_keeps_no_names(tmp_path, one_kernel):
    """Chapters that share a kernel find it as it was when it started, and it is one kernel."""
    told = []
    for line in ("left = 1", "record('left', 'left' in globals())"):
        page = tmp_path / "page.md"
        text = f"from trust_helpers.book.notebook import record\nimport os\nrecord('pid', os.getpid())\n{line}"
        page.write_text(f"{HEADER}\n```{{code-cell}} ipython3\n{text}\n```\n", encoding="utf-8")
        told.append(recorded(execute(page, tmp_path / "out.ipynb")))
    assert told[0]["pid"] == told[1]["pid"]
    assert not told[1]["left"]
