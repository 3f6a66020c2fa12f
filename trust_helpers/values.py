"""What the package's objects share: equal if their content is, pickled as read-only as they were, short to print."""

import importlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any

import numpy as np

from .extras import has

__all__ = ["Value", "axes", "make_frame"]


class Value:
    """A frozen dataclass, arrays included: two are equal if all their fields are.

    >>> from trust_helpers import TrustRegion
    >>> TrustRegion([1.0, 4.0]) == TrustRegion([1.0, 4.0]), TrustRegion([1.0, 4.0]) == TrustRegion([1.0, 3.0])
    (True, False)
    """

    def __eq__(self, other: object) -> bool:
        return _key(self) == _key(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(_key(self))

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self).strip('<>'))}</p>"

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Arrays come out of a pickle writable: they are frozen again."""
        _freeze(state)
        self.__dict__.update(state)


def _freeze(state: dict[str, Any]) -> None:
    for value in state.values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        elif is_dataclass(value):
            _freeze(vars(value))


def _key(value: Any) -> object:
    """What makes two values one: of an array its type, shape and entries, of tuples and dataclasses their parts."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, (value + 0).tobytes()  # no zero has a sign
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    if is_dataclass(value):
        return type(value), *(_key(getattr(value, one.name)) for one in fields(value))
    return value


def make_frame(columns: Mapping[str, Any]) -> Any:
    """A frame of pandas where that is installed, otherwise of polars.

    >>> make_frame({"arm": ["a", "b"], "weight": np.array([0.25, 0.75])}).shape
    (2, 2)
    """
    library = importlib.import_module("pandas" if has("pandas") else "polars")
    return library.DataFrame({k: v.copy() if isinstance(v, np.ndarray) else v for k, v in columns.items()})


def axes(ax: Any = None) -> Any:
    """The axes given, or new ones.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> axes(figure.gca()) is figure.gca()
    True
    """
    if ax is None:
        import matplotlib.pyplot as plt

        return plt.gca()
    return ax
