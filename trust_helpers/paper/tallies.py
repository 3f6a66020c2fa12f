"""What the scorecard and the map of the paper count: verdicts by place, by grid, and by other logs."""

from dataclasses import dataclass
from typing import Any

from ..rl.shipped import CLEAR
from . import exact, tables
from .claims import claim
from .shapes import shapes
from .shown import map_rows
from .verdicts import Verdict, judged_again, verdicts

__all__ = [
    "Grids",
    "figure_rows",
    "judged_twice",
    "judged_twice_rows",
    "table1_on_two_grids",
    "table_and_figure_rows",
    "trust_and_cql_in_the_papers_order",
    "trust_by_reading_rows",
    "trust_outside_the_range_of_runs",
    "verdicts_by_place",
]

Row = dict[str, Any]


def verdicts_by_place() -> dict[str, tuple[Verdict, ...]]:
    """All verdicts, by where the paper prints their numbers."""
    return {
        "numbers in the text": verdicts("text."),
        "the paper's Table 1": verdicts("table1."),
        "its Table 2": verdicts("table2."),
        "its Table 3": verdicts("table3."),
        "run times": verdicts("time."),
    }


@dataclass(frozen=True)
class Grids:
    """TRUST in Table 1 on the grid of decay 1.2 and on that of decay 1.5, which has the printed radius.

    Attributes
    ----------
    decays : tuple of float
        Those that were tried.
    hits : tuple of float
        Those of them that have a radius which rounds to the printed one.
    met, asked : int
        How many means round to the printed digits on the grid of decay 1.5, and of how many.
    """

    decays: tuple[float, ...]
    hits: tuple[float, ...]
    met: int
    asked: int


def table1_on_two_grids() -> Grids:
    """Which of twenty decays have the printed critical radius, and what becomes of Table 1 with one of them.

    The numbers themselves are :func:`trust_helpers.paper.shown.grid_rows`.
    """
    printed, coarse = claim("text.critical_radius"), tables.coarse_grid()
    decays = tuple(round(1.05 + 0.05 * n, 2) for n in range(20))
    hits = tables.decays_with_the_printed_radius(decays, printed.value, printed.rounding)
    met = sum(abs(values.mean() - claim(key).value) <= claim(key).rounding for key, values in coarse.items())
    return Grids(decays, hits, int(met), len(coarse))


def trust_and_cql_in_the_papers_order() -> list[bool | None]:
    """Whether TRUST is ahead of CQL where the paper has it ahead, for each row of Table 3 with scores of both.

    None where ours are less than two standard errors apart.
    """
    found: list[bool | None] = []
    for where, (lead, error) in tables.trust_ahead_of_cql().items():
        printed = claim(f"table3.{where}.TRUST").value - claim(f"table3.{where}.CQL").value
        found.append(lead * printed > 0 if abs(lead) > CLEAR * error else None)
    return found


def trust_by_reading_rows() -> list[Row]:
    """TRUST in Table 3 where we have it with sampled and with mean actions, and which is closer to the paper."""
    sampled, mean, rows = tables.table3(), tables.table3(reading="mean"), []
    for key in (key for key in mean if key.endswith(".TRUST")):
        printed, scores = claim(key).value, {"sampled": sampled[key].mean(), "mean": mean[key].mean()}
        row = {"number": claim(key).meaning, "printed": printed, "sampled actions": scores["sampled"]}
        closer = min(scores, key=lambda reading: abs(scores[reading] - printed))
        rows.append(row | {"mean actions": scores["mean"], "closer": closer})
    return rows


def trust_outside_the_range_of_runs() -> tuple[int, float, int]:
    """Of TRUST's scores in Table 3, how many are outside the range of our runs, how many would be by chance, of all.

    By chance: if the paper's four runs and ours came from one normal law, a law for each score. See
    :func:`trust_helpers.paper.exact.chance_outside_range`.
    """
    made = {one.claim.key: one for one in verdicts("table3.") if one.claim.key.endswith(".TRUST")}
    chances = [exact.chance_outside_range(tables.table3()[key].size) for key in made]
    return sum(not one.met for one in made.values()), sum(chances), len(chances)


def judged_twice(seed: int) -> list[tuple[Verdict, Verdict]]:
    """Each verdict by simulation, and the one that the logs of another seed give."""
    return [(one, judged_again(one.claim.key, seed)) for one in verdicts() if one.judge == "simulation"]


def judged_twice_rows(pairs: list[tuple[Verdict, Verdict]]) -> list[Row]:
    """Both numbers and both words, a row for each pair."""
    from ..book.table import number, verdict

    return [
        {
            "number": one.claim.meaning,
            "paper": one.claim.printed,
            "ours": number(one.ours, ".4f"),
            "other logs": number(other.ours, ".4f"),
            "verdict": verdict(one.word),
            "by the other logs": verdict(other.word),
        }
        for one, other in pairs
    ]


def figure_rows() -> list[Row]:
    """The paper's figures: what each shows, what must be there, and whether it is."""
    from ..book.table import verdict

    return [
        {
            "figure": one.key.capitalize(),
            "shows": one.title,
            "must be there": one.wanted,
            "verdict": verdict(one.word),
        }
        for one in shapes()
    ]


def table_and_figure_rows() -> list[Row]:
    """The paper's tables with how many of their numbers are met, and its figures with their verdicts."""
    from ..book.table import verdict

    words = {one.key: one.word for one in shapes()}
    rows = []
    for row in (*map_rows("table"), *map_rows("figure")):
        key = row["paper"].lower()
        made = () if key in words else verdicts(f"{key.replace(' ', '')}.")
        tally = f"{sum(one.met for one in made)} of {len(made)} numbers met"
        found = verdict(words[key]) if key in words else tally
        about = {name: row[name] for name in ("what it says", "in the book")}
        rows.append({"paper": row["paper"], "we found": found} | about)
    return rows
