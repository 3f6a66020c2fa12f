"""Verdicts as the book's pages show them: one row format, and a record that a test can collect.

A page that shows a verdict records it as ``verdict.KEY`` (the word) and ``ours.KEY`` (the number). A test reads these
from all executed pages and fails if two disagree.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from math import isnan
from typing import TYPE_CHECKING, Any

from . import tables
from .claims import claim
from .contents import ITEMS, Item, Sort, page_of, standing, title_of
from .errata import about, errata
from .verdicts import WORDS, Verdict, count, verdict, verdicts

if TYPE_CHECKING:
    from ..book.table import Cell

__all__ = [
    "count_rows",
    "decimals",
    "errata_rows",
    "grid_rows",
    "map_rows",
    "number_rows",
    "record_verdicts",
    "shown_verdicts",
    "verdict_rows",
    "verdict_table",
]

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

    The cells are those of :func:`trust_helpers.book.table.table`; with ``links`` a number leads to its page.
    """
    from ..book.table import link
    from ..book.table import verdict as word

    rows = []
    for one in map(verdict, keys):
        said = one.claim.meaning
        number = link(said, f"{page_of(one.claim.key)}.md") if links else said
        row: Row = {"in the paper": one.claim.where} if where else {}
        row |= {"number": number, "printed": printed(one), **_ours(one), "verdict": word(*_tone(one))}
        rows.append(row | ({"why": one.reason} if reasons else {}))
    return rows


def verdict_table(
    keys: Iterable[str], caption: str, name: str, reasons: bool = True, where: bool = True, links: bool = False
) -> Any:
    """The rows as a captioned table, recorded."""
    from ..book.table import table

    listed = list(keys)
    record_verdicts(listed)
    return table(verdict_rows(listed, reasons, where, links), caption=caption, name=name, key="verdict")


def count_rows(groups: Mapping[str, Iterable[Verdict]]) -> list[Row]:
    """How many verdicts of each word there are in each group, and in all."""
    counted = {name: count(given) for name, given in groups.items()}
    total: dict[str, int] = {word: sum(each[word] for each in counted.values()) for word in WORDS}
    return [{"of": name, **each, "all": sum(each.values())} for name, each in (counted | {"all": total}).items()]


def grid_rows() -> list[Row]:
    """TRUST's numbers of Table 1 and the critical radius: as printed, and on the grids of decay 1.2 and 1.5.

    Ours are means and standard deviations over the logs of :func:`trust_helpers.paper.tables.table1`.
    """
    from ..book.table import plus_minus

    fine, rows = tables.table1(), []
    for key, coarse in tables.coarse_grid().items():
        form = ".4f" if "radius" in key else ".3f"
        ours = {f"decay {a}": plus_minus(x.mean(), x.std(), form) for a, x in ((1.2, fine[key]), (1.5, coarse))}
        rows.append({"number": claim(key).meaning, "paper": claim(key).printed} | ours)
    return rows


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
        for number, one in enumerate(errata(), 1)
    ]


def map_rows(sort: Sort) -> list[Row]:
    """The paper's items of one sort, in its order: what we found, what each says, and where the book treats it.

    What one looks for stands next to the item's name, where a phone shows it.
    """
    from ..book.table import verdict as word

    rows: list[Row] = []
    for item in (item for item in ITEMS if item.sort == sort):
        name, says, where = item.key[0].upper() + item.key[1:], item.title, _places(item)
        found = standing(item)
        rows.append(
            {"paper": name, "we found": word(found), "what it says": says, "in the book": where}
            if found
            else {"paper": name, "in the book": where, "what it says": says, "errata": _errata(item)}
        )
    return rows


def number_rows() -> list[Row]:
    """Every printed number of the paper with the page about it and its verdict."""
    from ..book.table import link
    from ..book.table import verdict as word

    return [
        {
            "in the paper": one.claim.where,
            "number": one.claim.meaning,
            "printed": printed(one),
            "page": link(title_of(page_of(one.claim.key)), f"{page_of(one.claim.key)}.md"),
            "verdict": word(*_tone(one)),
        }
        for one in verdicts()
    ]


def record_verdicts(keys: Iterable[str]) -> None:
    """Record words and numbers, for the prose (``verdict.KEY``, ``ours.KEY``, ``paper.KEY``) and for the test."""
    from ..book.notebook import record

    for one in map(verdict, keys):
        record(f"verdict.{one.claim.key}", one.word)
        record(f"paper.{one.claim.key}", printed(one))
        if not isnan(one.ours):
            record(f"ours.{one.claim.key}", one.ours, decimals(one))


def shown_verdicts(recorded: Mapping[str, float | str]) -> dict[str, tuple[str, float | str | None]]:
    """What an executed page recorded: for each claim its word, and our number where there is one.

    >>> shown_verdicts({"verdict.table1.trust": "differs", "ours.table1.trust": 0.9, "arms": 10.0})
    {'table1.trust': ('differs', 0.9)}
    """
    words = {name.removeprefix("verdict."): word for name, word in recorded.items() if name.startswith("verdict.")}
    return {key: (str(word), recorded.get(f"ours.{key}")) for key, word in words.items()}


def printed(one: Verdict) -> str:
    """The paper's digits with a true minus sign, and commas in thousands."""
    text = one.claim.printed
    whole = f"{int(text):,}" if text.isdigit() else text
    return whole.replace("-", "\N{MINUS SIGN}")


def _ours(one: Verdict) -> Row:
    """Our number and its spread."""
    from ..book.table import number

    form = decimals(one)
    low, high = number(one.low, form), number(one.high, form)
    spread = "" if low == high else f"{low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high}"
    return {"ours": number(one.ours, form), "spread": spread}


def _tone(one: Verdict) -> tuple[str, str | None]:
    """The word and, where the style sheet does not know it, its tone."""
    return one.word, "fair" if one.word == "not comparable" else None


def _markdown(text: str) -> "Cell":
    """MyST Markdown as it is."""
    from ..book.table import Cell

    plain = re.sub(r"\*(\w[^$*]*)\*", r"\1", text)
    return Cell(text, escape(plain), plain.replace("$", ""))


def _places(item: Item) -> "Cell":
    """Links to the pages about an item, and to the book's own statement of it."""
    links = [f"[{title_of(page)}]({page}.md)" for page in item.pages]
    role = "eq" if item.label.startswith("eq-") else "prf:ref"
    links += [f"{{{role}}}`{item.label}`"] if item.label else []
    plain = ", ".join(map(title_of, item.pages))
    from ..book.table import Cell

    return Cell(", ".join(links), plain, plain)


def _errata(item: Item) -> "Cell":
    """Links to what the errata page says about an item."""
    from ..book.table import Cell

    numbers = [(errata().index(one) + 1, one.key) for one in about(item.key)]
    plain = ", ".join(str(number) for number, _ in numbers)
    return Cell(", ".join(f"[{number}](#erratum-{key})" for number, key in numbers), plain, plain)
