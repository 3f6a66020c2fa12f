"""Style and types of the chapters' code: ``make lint``.

``ruff check chapter.md`` looks at nothing and says that all is well, so the chapters are read as notebooks first.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import jupytext
from nbformat.v4 import new_code_cell

from trust_helpers.book.execute import book_folder, find_pages_with_code
from trust_helpers.book.prose import expressions

ROOT = Path(__file__).parents[2]

BIN = Path(sys.executable).parent
RULES = ["--ignore", "D,E402,E501,B018,N,RUF001"]  # a notebook's cells are no module, its captions no code


def check(command):
    """Run one checker; whether it was content."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main():
    """Lint, format-check and type-check every chapter; exit 1 if any is not clean."""
    with TemporaryDirectory(dir=ROOT / "tests") as folder:
        for chapter in find_pages_with_code(book_folder()):
            notebook = jupytext.read(chapter)
            notebook.cells.append(new_code_cell("\n".join(expressions(notebook))))
            jupytext.write(notebook, Path(folder) / f"{chapter.stem}.ipynb")
            jupytext.write(notebook, Path(folder) / f"c{chapter.stem}.py", fmt="py:percent")
        config = ["--config", str(ROOT / "pyproject.toml"), "--no-respect-gitignore"]
        books, scripts = (sorted(map(str, Path(folder).glob(f"*.{kind}"))) for kind in ("ipynb", "py"))
        clean = [
            check([BIN / "ruff", "check", "--quiet", *config, *RULES, *books]),
            check([BIN / "ruff", "format", "--check", "--quiet", "--line-length", "88", *config, *books]),
            check([BIN / "mypy", "--allow-untyped-defs", "--allow-redefinition", *scripts]),
        ]
    sys.exit(0 if all(clean) else 1)


if __name__ == "__main__":
    main()
