"""The table of the errata page."""

import re
from html import escape
from typing import TYPE_CHECKING, Any

from .errata import ERRATA

if TYPE_CHECKING:
    from ..book.table import Cell

__all__ = ["errata_rows"]

Row = dict[str, Any]


def errata_rows() -> list[Row]:
    """The table of the errata page: number, where, how it is wrong, what is printed and meant, what follows."""
    from ..book.table import link
    from ..book.table import verdict as word

    return [
        {
            "no.": link(str(number), f"#erratum-{one.key}"),
            "in the paper": _markdown(one.where),
            "it is": word(one.kind, "good" if one.kind == "right" else None),
            "printed": _markdown(one.printed),
            "should be": _markdown(one.meant),
            "what follows": one.effect,
        }
        for number, one in enumerate(ERRATA, 1)
    ]


def _markdown(text: str) -> "Cell":
    """MyST Markdown as it is."""
    from ..book.table import Cell

    plain = re.sub(r"\*(\w[^$*]*)\*", r"\1", text)
    return Cell(text, escape(plain), plain.replace("$", ""))
