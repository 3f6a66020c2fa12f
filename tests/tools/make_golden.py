"""Keep the text outputs of the executed chapters as the golden notebooks: ``make golden``.

A golden notebook is what the chapter printed and recorded, and nothing that changes from run to run: no images, no
times, no random cell ids. Generated twice, it comes out byte for byte the same.
"""

import sys
from pathlib import Path

import nbformat

from trust_helpers.book.execute import book_folder, find_pages_with_code, notebook_of

sys.path.append(str(Path(__file__).parents[2] / "book" / "_ext"))
from make_book import as_text, refresh

BOOK = book_folder()
ROOT = BOOK.parent
GOLDEN = ROOT / "tests" / "golden"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def pages():
    """The pages that are executed, by name."""
    return {page.stem: page for page in find_pages_with_code(BOOK)}


def stripped(notebook):
    """An executed notebook reduced to its code and the text that this showed: prose may change with no number moved."""
    notebook.metadata = {"kernelspec": KERNEL}
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:03d}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
        ignored = "nbval-ignore-output" in cell.metadata.get("tags", [])
        cell.outputs = [] if ignored else [text_only(output) for output in cell.outputs]
    return notebook


def text_only(output):
    """An output without its images."""
    if "data" in output:
        output["data"] = {kind: data for kind, data in output["data"].items() if not kind.startswith("image/")}
    return output


def main(names):
    """Write the golden notebook of every executed page, or of those named, executing what has changed."""
    refresh(BOOK, only=names)
    for name, page in pages().items():
        if not names or name in names:
            executed = nbformat.read(notebook_of(page, BOOK), as_version=4)
            (GOLDEN / f"{name}.ipynb").write_text(as_text(stripped(executed)), encoding="utf-8")
            print(f"tests/golden/{name}.ipynb")
    for stale in {path.stem for path in GOLDEN.glob("*.ipynb")} - pages().keys():
        (GOLDEN / f"{stale}.ipynb").unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
