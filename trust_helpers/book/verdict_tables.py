"""Verdicts as the book's pages show them: one row format, and a record that a test can collect.

A page that shows a verdict records it as ``verdict.KEY`` (the word) and ``ours.KEY`` (the number). A test reads these
from all executed pages and fails if two disagree.
"""

from collections.abc import Iterable, Mapping
from math import isnan
from typing import Any

from ..paper import Verdict, verdict
from .notebook import Cell, Table, link, number, record, table
from .notebook import verdict as coloured

__all__ = ["decimals", "record_verdicts", "shown_verdicts", "verdict_rows", "verdict_table", "verdict_word"]

Row = dict[str, Any]


def decimals(one: Verdict) -> str:
    """The format for our side of a claim: one digit more than the paper prints, and none for counts and returns.

    >>> decimals(verdict("table1.max_reward")), decimals(verdict("text.lcb_samples"))
    ('.2f', ',.0f')
    """
    if one.claim.key.startswith("time."):
        return ".2f"
    printed = one.claim.printed.partition(".")[2]
    digits = len(printed) if one.claim.decimals is None else one.claim.decimals
    return f".{digits + 1}f" if digits else ",.0f"


def verdict_rows(keys: Iterable[str], reasons: bool = True, where: bool = True, links: bool = False) -> list[Row]:
    """One row for each claim: where, what, the paper's number, ours, its spread, the verdict and why.

    With ``links`` a number leads to its page.
    """
    rows = []
    for one in map(verdict, keys):
        said = one.claim.meaning
        row: Row = {"in the paper": one.claim.where} if where else {}
        row |= {"number": link(said, f"{one.claim.page}.md") if links else said, "printed": _printed(one)}
        row |= {**_ours(one), "verdict": verdict_word(one.word)}
        rows.append(row | ({"why": one.reason} if reasons else {}))
    return rows


def verdict_table(
    keys: Iterable[str],
    caption: str = "",
    name: str = "",
    reasons: bool = True,
    where: bool = True,
    links: bool = False,
) -> Table:
    """The rows as a table, recorded."""
    listed = list(keys)
    record_verdicts(listed)
    return table(verdict_rows(listed, reasons, where, links), caption=caption, name=name, key="verdict")


def verdict_word(word: str) -> Cell:
    """A verdict's word in its colour."""
    return coloured(word, "fair" if word == "not comparable" else None)


def record_verdicts(keys: Iterable[str]) -> None:
    """Record words and numbers, for the prose (``verdict.KEY``, ``ours.KEY``, ``paper.KEY``) and for the test."""
    for one in map(verdict, keys):
        record(f"verdict.{one.claim.key}", one.word)
        record(f"paper.{one.claim.key}", _printed(one))
        if not isnan(one.ours):
            record(f"ours.{one.claim.key}", one.ours, decimals(one))


def shown_verdicts(recorded: Mapping[str, float | str]) -> dict[str, tuple[str, float | str | None]]:
    """What an executed page recorded: for each claim its word, and our number where there is one.

    >>> shown_verdicts({"verdict.table1.trust": "differs", "ours.table1.trust": 0.9, "arms": 10.0})
    {'table1.trust': ('differs', 0.9)}
    """
    words = {name.removeprefix("verdict."): word for name, word in recorded.items() if name.startswith("verdict.")}
    return {key: (str(word), recorded.get(f"ours.{key}")) for key, word in words.items()}


def _printed(one: Verdict) -> str:
    """The paper's digits with a true minus sign, and commas in thousands."""
    text = one.claim.printed
    whole = f"{int(text):,}" if text.isdigit() else text
    return whole.replace("-", "\N{MINUS SIGN}")


def _ours(one: Verdict) -> Row:
    """Our number and its spread."""
    form = decimals(one)
    low, high = number(one.low, form), number(one.high, form)
    spread = "" if low == high else f"{low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high}"
    return {"ours": number(one.ours, form), "spread": spread}
