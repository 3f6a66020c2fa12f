"""Optional libraries: one way to ask for them, and one sentence when they are not there."""

import importlib
from importlib.util import find_spec
from types import ModuleType

from .errors import TrustError

__all__ = ["MissingExtra", "has", "need"]


class MissingExtra(TrustError):
    """A library that is not installed; the message says how to install it.

    >>> print(MissingExtra("polars", "tables", "a workbook"))
    a workbook needs polars: pip install 'trust-helpers[tables]'
    """

    def __init__(self, name: str, extra: str, purpose: str = "this") -> None:
        super().__init__(f"{purpose} needs {name.partition('.')[0]}: pip install 'trust-helpers[{extra}]'")


def need(name: str, extra: str, purpose: str = "this") -> ModuleType:
    """Import an optional library, or say which extra brings it.

    Parameters
    ----------
    name : str
        The module to import.
    extra : str
        The extra of this package that installs it.
    purpose : str
        What it is needed for, the subject of the complaint.

    Raises
    ------
    MissingExtra
        When the library is not installed.

    Examples
    --------
    >>> need("math", "plot").pi
    3.141592653589793
    >>> need("no_such_library", "plot", "a picture")
    Traceback (most recent call last):
    trust_helpers.extras.MissingExtra: a picture needs no_such_library: pip install 'trust-helpers[plot]'
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtra(name, extra, purpose) from error


def has(name: str) -> bool:
    """Whether a library is installed, without importing it.

    >>> has("numpy"), has("no_such_library")
    (True, False)
    """
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):  # hidden, as tests hide modules
        return False
