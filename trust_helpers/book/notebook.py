"""What every chapter does the same way: begin, record the numbers its prose quotes, show tables, end.

Recorded numbers travel inside the executed notebook, under the ``scrapbook`` key that MyST's ``glue`` roles and
papermill's users know: :func:`recorded` collects them again.
"""

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, SupportsFloat

from .table import Cell, formula, link, number, plus_minus, span, table, verdict

__all__ = [
    "Cell",
    "begin",
    "formula",
    "link",
    "number",
    "opening",
    "plus_minus",
    "record",
    "recorded",
    "said",
    "span",
    "table",
    "verdict",
    "versions",
]

# The prefix under which MyST-NB looks for glued values that are not shown where they were made.
PREFIX = "application/papermill.record/"
ELLIPSIS = "\u2026"


class Quoted(str):
    """A text that shows itself without quotes, so that ``{eval}`` in JupyterLab shows what the page shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Said(dict[str, Quoted]):
    """What a notebook has recorded, by name; what is not recorded yet is an ellipsis, for cells run one at a time."""

    def __missing__(self, name: str) -> Quoted:
        return Quoted(ELLIPSIS)


said = Said()


def begin() -> None:
    """Set the figures' style, and have them drawn as SVG; the same figure gives the same file, byte for byte."""
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    from .style import use_style

    use_style()
    set_matplotlib_formats("svg", metadata={"Date": None})


def versions() -> None:
    """Print what a chapter ran on: its last line."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("trust-helpers", "numpy", "scipy"))
    print(f"versions: Python {platform.python_version()}, {packages}")


def record(name: str, value: SupportsFloat | str, form: str = ".3f") -> None:
    """Keep a number under ``name``, for the prose (formatted by ``form``) and for :func:`recorded` (in full)."""
    from IPython.display import display

    text = value if isinstance(value, str) else number(value, form)
    raw = value if isinstance(value, str) else float(f"{float(value):.10g}")
    said[name] = Quoted(text)
    scrap = {"name": name, "mime_prefix": PREFIX, "value": raw}
    display({PREFIX + "text/plain": repr(text)}, raw=True, metadata={"scrapbook": scrap})


def opening(picture: Any, name: str = "opening") -> None:
    """Show a figure or a dial here in a notebook, and in the page where ``{glue:figure}`` pastes it, above its code."""
    import matplotlib.pyplot as plt
    from IPython.display import display

    display(picture, metadata={"scrapbook": {"name": name, "mime_prefix": ""}})
    if isinstance(picture, plt.Figure):
        plt.close(picture)  # or it would be shown once more at the end of its cell


def recorded(notebook: Mapping[str, Any]) -> dict[str, float | str]:
    """The numbers an executed notebook recorded, by name, in the order it recorded them."""
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    scraps = (output.get("metadata", {}).get("scrapbook", {}) for output in outputs)
    return {scrap["name"]: scrap["value"] for scrap in scraps if "value" in scrap}
