"""What every chapter does the same way: print its parameters, and record the numbers its prose quotes.

Recorded numbers travel inside the executed notebook, under the ``scrapbook`` key that MyST's ``glue`` roles and
papermill's users know: :func:`recorded` collects them again.
"""

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, SupportsFloat

__all__ = ["begin", "record", "recorded", "table"]

# The prefix under which MyST-NB looks for glued values that are not shown where they were made.
PREFIX = "application/papermill.record/"


def begin(**parameters: object) -> None:
    """Print the parameters a chapter runs with, and the versions it runs on; set the figures' style."""
    from .figures import use_style

    use_style()
    lines = [f"  {name} = {value!r}" for name, value in parameters.items()]
    packages = ", ".join(f"{name} {version(name)}" for name in ("trust-helpers", "numpy", "scipy"))
    print("parameters:", *lines, f"versions: Python {platform.python_version()}, {packages}", sep="\n")


def record(name: str, value: SupportsFloat | str, form: str = ".3f") -> None:
    """Keep a number under ``name``, for the prose (formatted by ``form``) and for :func:`recorded` (in full)."""
    from IPython.display import display

    text = value if isinstance(value, str) else format(value, form)
    raw = value if isinstance(value, str) else float(f"{float(value):.10g}")
    scrap = {"name": name, "mime_prefix": PREFIX, "value": raw}
    display({PREFIX + "text/plain": repr(text)}, raw=True, metadata={"scrapbook": scrap})


def recorded(notebook: Mapping[str, Any]) -> dict[str, float | str]:
    """The numbers an executed notebook recorded, by name, in the order it recorded them."""
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    scraps = (output.get("metadata", {}).get("scrapbook", {}) for output in outputs)
    return {scrap["name"]: scrap["value"] for scrap in scraps if "value" in scrap}


def table(rows: Sequence[Mapping[str, object]]) -> Any:
    """Rows of text as a table: Markdown, which reads well in the page and in a golden notebook."""
    from IPython.display import Markdown

    head = list(rows[0])
    lines = [head, ["---"] * len(head), *([str(row[name]) for name in head] for row in rows)]
    return Markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
