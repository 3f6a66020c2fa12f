"""Execute every chapter and keep its text outputs as the golden notebooks: ``make golden``.

A golden notebook is what the chapter printed and recorded, and nothing that changes from run to run: no images, no
times, no random cell ids. Generated twice, it comes out byte for byte the same.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jupytext
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def chapters():
    """The executable chapters: those whose source has a notebook header."""
    return sorted(p for p in (ROOT / "book").glob("*.md") if p.read_text().startswith("---\njupytext:"))


def skeleton(chapter):
    """The chapter as a notebook with cell ids that depend on nothing but their order."""
    notebook = jupytext.read(chapter)
    notebook.metadata = {"kernelspec": KERNEL}
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:03d}"
    return notebook


def execute(chapter):
    """The chapter's skeleton with its text outputs."""
    notebook = skeleton(chapter)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT / "book")}}).execute()
    notebook.metadata = {"kernelspec": KERNEL}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            ignored = "nbval-ignore-output" in cell.metadata.get("tags", [])
            cell.outputs = [] if ignored else merged([text_only(output) for output in cell.outputs])
    return notebook


def text_only(output):
    """An output without its images."""
    if "data" in output:
        output["data"] = {kind: data for kind, data in output["data"].items() if not kind.startswith("image/")}
    return output


def merged(outputs):
    """The outputs with all that was printed in a row as one, however slowly it was printed."""
    kept = []
    for output in outputs:
        if kept and output.output_type == "stream" == kept[-1].output_type and output.name == kept[-1].name:
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def as_text(notebook):
    """The notebook as it is stored: sorted keys, so that a difference is a difference in content."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main(names):
    """Write the golden notebook of every chapter, or of those named."""
    wanted = [c for c in chapters() if not names or c.stem in names]
    GOLDEN.mkdir(exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        for chapter, notebook in zip(wanted, pool.map(execute, wanted), strict=True):
            (GOLDEN / f"{chapter.stem}.ipynb").write_text(as_text(notebook))
            print(f"tests/golden/{chapter.stem}.ipynb")
    if not names:
        for stale in {p.stem for p in GOLDEN.glob("*.ipynb")} - {c.stem for c in wanted}:
            (GOLDEN / f"{stale}.ipynb").unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
