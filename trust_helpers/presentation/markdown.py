"""A report as Markdown: the page's content where only text can be sent."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..formatting import interval_text, percent_sure, rounded_off, visible
from .intervals import arm_intervals
from .wording import About, advice, heaviest, name_of, policy_rows

if TYPE_CHECKING:
    from ..reports import Report

__all__ = ["as_markdown"]

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!-])")


def as_markdown(made: "Report", top: int = 10, about: About = About()) -> str:  # noqa: B008, it is frozen
    """The report as Markdown."""
    data, assumes = made.data, made.data.law.assumes
    parts = [
        f"# Report{' on ' + _plain(about.log) if about.log else ''}",
        f"**{_plain(advice(made))}**, if {_plain(assumes)}.",
        *(f"> **Not to be relied on:** {_plain(doubt)}." for doubt in made.doubts),
        f"{data.extent}. {_plain(made.why[:1].upper() + made.why[1:])}.",
        *([f"Nothing was said about the noise: {_plain(about.noise)}."] if about.noise else []),
        *(f"Note: {_plain(note)}." for note in about.notes),
        "## Arms",
        _arms(made, top),
        "## Methods",
        "What each method alone would have promised, chosen before looking at the log.",
        _table(
            ["method", "arms", "estimate", "at least"],
            ([r.methods, f"{r.support:,}", r.estimate, r.promise] for r in policy_rows(made)),
        ),
        *_again(about),
    ]
    return "\n\n".join(parts) + "\n"


def _arms(made: "Report", top: int) -> str:
    data, weights = made.data, made.advised.weights
    low, high = arm_intervals(data, made.delta)
    arms = heaviest(made.advised, top)
    rows = (
        [
            name_of(data, arm),
            f"{weights[arm]:.4g}",
            f"{data.counts[arm]:,}",
            rounded_off(data.means[arm]),
            interval_text(low[arm], high[arm]),
        ]
        for arm in arms
    )
    sure = f"{percent_sure(1 - made.delta)} interval, each alone"
    table = _table(["arm", "weight", "samples", "mean", sure], rows)
    rest = made.advised.support - len(arms)
    return f"{table}\n\nand {rest:,} more" if rest > 0 else table


def _again(about: About) -> list[str]:
    known = {"command": about.command, "version": about.version, "seed": about.seed, "SHA-256 of the log": about.digest}
    lines = [f"- {what}: `{visible(value, 500).replace('`', '')}`" for what, value in known.items() if value]
    return ["## The same again", "\n".join(lines)] if lines else []


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [[_plain(cell) for cell in row] for row in (head, *rows)]
    lines.insert(1, ["---"] + ["---:"] * (len(head) - 1))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", visible(text, 300))
