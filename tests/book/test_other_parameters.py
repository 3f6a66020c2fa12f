"""Every chapter runs, through papermill, on instances it was not written for: nothing works only at the default.

The values follow from what a chapter declares: another seed, a larger delta, and sizes a twentieth of the default or
the least that its range allows.
"""

import nbformat
import pytest
from kept_kernel import one_group
from make_golden import GOLDEN
from tiny_book import HEADER

from trust_helpers import OfflineData, report
from trust_helpers.book.chapters import Chapter, book_folder, find_chapters, values_for
from trust_helpers.book.notebook import recorded
from trust_helpers.book.runner import execute, plan_run

pytestmark = one_group
CHAPTERS = {chapter.name: chapter for chapter in find_chapters(book_folder())}
WORDS = {"06_reinforcement_learning": {"env": "Walker2d"}}  # of what is not a number
# Words that a chapter chooses by its numbers, and what they are on the small instances too.
SAID = {
    "05_bounds": {"first-known": "LCB", "earns-more": "LCB's arm", "verdict.table2.lcb_mean": "differs"},
    "closed_forms": {"refuted": "false"},
}


def other(parameter):
    """A value that the parameter takes and that is not its default; None if there is no telling."""
    allowed, default = parameter.allowed, parameter.default
    if "seed" in parameter.name:
        return default + 1 if allowed is None or default + 1 in allowed else default - 1
    if parameter.name == "delta":
        return 0.2
    return max(default // 20, int(allowed.low)) if parameter.type_name == "int" and allowed else None


def run(chapter, values, folder):
    """Execute with values given as text, as the command line does; the numbers recorded."""
    given = values_for(chapter, [(name, str(value)) for name, value in values.items()])
    return execute(plan_run(chapter, given, str(folder / "out.ipynb")))


@pytest.mark.parametrize("name", CHAPTERS)
def test_runs_with_other_parameters(tmp_path, one_kernel, name):
    chapter = CHAPTERS[name]
    values = {p.name: value for p in chapter.parameters if (value := other(p)) is not None} | WORDS.get(name, {})
    assert all(values[p.name] != p.default for p in chapter.parameters if p.name in values)
    numbers = run(chapter, values, tmp_path)
    usual = recorded(nbformat.read(GOLDEN / f"{name}.ipynb", as_version=4))
    assert len(numbers) >= 3
    assert numbers.keys() & usual.keys()
    assert numbers != usual, "the values did not reach the chapter"
    assert {key: numbers[key] for key in SAID.get(name, {})} == SAID.get(name, {})
    judged = [key for key in numbers.keys() & usual.keys() if key.startswith(("verdict.", "ours."))]
    assert {key: numbers[key] for key in judged} == {key: usual[key] for key in judged}  # whatever the parameters


def test_somebodys_own_log(tmp_path):
    log = tmp_path / "mine.csv"
    rows = [f"option {i % 40},{(i * 7919) % 11 / 10 + i % 40 / 80}" for i in range(90)]
    log.write_text("which,gain\n" + "\n".join(rows) + "\n")
    chapter = next(chapter for name, chapter in CHAPTERS.items() if name.endswith("your_own_log"))
    values = {"log": log, "arm": "which", "reward": "gain", "noise": "0.5", "rows": 2_000, "splits": 10, "trials": 100}
    numbers = run(chapter, values, tmp_path)
    made = report(OfflineData.from_csv(log, "which", "gain", sigma="0.5"), 0.1, seed=2024)
    assert (numbers["arms"], numbers["samples"]) == (40, 90)
    assert numbers["best-bound"] == pytest.approx(made.recommended.lower_bound, rel=1e-9)
    assert numbers["stein"].startswith(f"{made.stein.value:.3g}")


def test_a_kernel_that_is_kept_keeps_no_names(tmp_path, one_kernel):
    """Chapters that share a kernel find it as it was when it started, and it is one kernel."""
    told = []
    for line in ("left = 1", "record('left', 'left' in globals())"):
        page = tmp_path / "page.md"
        text = f"from trust_helpers.book.notebook import record\nimport os\nrecord('pid', os.getpid())\n{line}"
        page.write_text(f"{HEADER}\n```{{code-cell}} ipython3\n{text}\n```\n")
        told.append(execute(plan_run(Chapter("page", "page", page, ()), {}, str(tmp_path / "out.ipynb"))))
    assert told[0]["pid"] == told[1]["pid"]
    assert not told[1]["left"]
