"""Optional libraries: one way to ask for them, and one sentence when they are not there."""

import importlib
from importlib.util import find_spec
from types import ModuleType

from .errors import TrustError

__all__ = ["MissingExtra", "has", "need"]


class MissingExtra(TrustError):
    """A library that is not installed; the message says how to install it.

    >>> print(MissingExtra("cvxpy", "cvxpy", "the cone program"))
    the cone program needs cvxpy: pip install 'trust-helpers[cvxpy]'
    """

    def __init__(self, name: str, extra: str, purpose: str = "this") -> None:
        super().__init__(f"{purpose} needs {name.partition('.')[0]}: pip install 'trust-helpers[{extra}]'")


def need(name: str, extra: str, purpose: str = "this") -> ModuleType:
    """Import an optional library, or say which extra brings it; ``purpose`` is the subject of the complaint.

    >>> need("math", "book").pi
    3.141592653589793
    >>> need("no_such_library", "book", "a chapter")
    Traceback (most recent call last):
    trust_helpers.extras.MissingExtra: a chapter needs no_such_library: pip install 'trust-helpers[book]'
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
