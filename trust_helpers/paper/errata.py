"""What is wrong in the paper, what only looks wrong, and how sure that is: the table of the errata page.

*False*: a statement that an experiment or a formula refutes. *Not proved as printed*: a step of a proof, or a
hypothesis, is missing; what is proved instead is said. *A slip*: the symbols are wrong, and what was meant is clear and
right. *Right*: it looked wrong to us, and is not. The rows are in ``errata.yml``.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from ..extras import need

ErratumKind = Literal["false", "not proved as printed", "a slip", "right"]
KINDS: tuple[ErratumKind, ...] = ("false", "not proved as printed", "a slip", "right")


@dataclass(frozen=True)
class Erratum:
    """One row of the table: where in the paper, what is printed and what was meant (in MyST), and what follows of it.

    ``key`` is the anchor of its section, after ``erratum-``; ``items`` are names of the page *From the paper to the
    book*.
    """

    key: str
    where: str
    items: tuple[str, ...]
    printed: str
    meant: str
    kind: ErratumKind
    effect: str


@cache
def errata() -> tuple[Erratum, ...]:
    """All of them, the gravest first.

    >>> errata()[0].key, errata()[0].kind
    ('lcb', 'false')
    """
    rows = need("yaml", "book").safe_load((files(__package__) / "errata.yml").read_text(encoding="utf-8"))
    return tuple(Erratum(**(row | {"items": tuple(row["items"])})) for row in rows)
