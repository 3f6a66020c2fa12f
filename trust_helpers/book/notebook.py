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
    """Hold the parameters to their ranges, set the figures' style, and have them drawn as SVG, always in one way."""
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    from .style import use_style

    use_style()
    check_parameters()
    set_matplotlib_formats("svg", metadata={"Date": None})


def check_parameters() -> None:
    """Raise TrustError if a parameter is not what the comment beside it allows, whether papermill set it or a hand."""
    from IPython import get_ipython

    from .chapters import declares_parameters, read_parameters

    shell = get_ipython()
    cells = [source for source in shell.user_ns["In"] if declares_parameters(source)] if shell else []
    for parameter in read_parameters(cells[-1]) if cells else ():
        parameter.checked(shell.user_ns[parameter.name])


def versions() -> None:
    """Print what a chapter ran on: its last line."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("trust-helpers", "numpy", "scipy"))
    print(f"versions: Python {platform.python_version()}, {packages}")


def record(name: str, value: SupportsFloat | str, form: str = ".3f", key: bool = False) -> None:
    """Keep a number under ``name``, for the prose (formatted by ``form``) and for :func:`recorded` (in full).

    The ``key`` numbers are the few that a sweep over other parameters shows.
    """
    from IPython.display import display

    text = value if isinstance(value, str) else number(value, form)
    raw = value if isinstance(value, str) else float(f"{float(value):.10g}")
    said[name] = Quoted(text)
    scrap = {"name": name, "mime_prefix": PREFIX, "value": raw} | ({"key": True} if key else {})
    display({PREFIX + "text/plain": repr(text)}, raw=True, metadata={"scrapbook": scrap})


def opening(picture: Any, name: str = "opening") -> None:
    """Show a figure or a dial here in a notebook, and in the page where ``{glue:figure}`` pastes it, above its code."""
    import matplotlib.pyplot as plt
    from IPython.display import display

    display(picture, metadata={"scrapbook": {"name": name, "mime_prefix": ""}})
    if isinstance(picture, plt.Figure):
        plt.close(picture)  # or it would be shown once more at the end of its cell


def recorded(notebook: Mapping[str, Any], key: bool = False) -> dict[str, float | str]:
    """The numbers an executed notebook recorded, by name, in order; the ``key`` ones only if there are any."""
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    scraps = [output.get("metadata", {}).get("scrapbook", {}) for output in outputs]
    chosen = [scrap for scrap in scraps if scrap.get("key")] if key else []
    return {scrap["name"]: scrap["value"] for scrap in chosen or scraps if "value" in scrap}
