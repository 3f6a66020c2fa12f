"""The forms of a report: text for a terminal, Markdown, a page to send that fetches nothing, and JSON."""

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..formatting import percent_sure, visible
from . import words as said
from .plots import as_svg, curve
from .words import About, Words

if TYPE_CHECKING:
    from . import Report

__all__ = ["KEYS", "as_dict", "as_html", "as_markdown", "as_text"]

ROWS = 1_000  # arms in the table: a page of more is slow to open
NOBODY = About()
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!-])")
METHODS = (
    "The first row is the recommended policy, whose promise allows for having chosen it; every other promise is alone, "
    "for a method named before looking at the log. Expect is an estimate that having chosen has not flattered."
)
KEYS = """\
  log, skipped_rows, notices, command, version, seed, sha256, arms, samples, samples_per_arm {least, most},
  sigma {least, most}, delta, band {method, draws, seed} or null, radius {critical, largest} or null,
  methods [{method, estimate, expected, lower_bound, confidence, support}], lower_bound null where nothing is promised,
  stein {value, standard_error, exact, nearly_normal} or null, recommended {method, why}, headline,
  one {arm, lower_bound, useful}, try_again [names of the arms not ruled out],
  gain {baseline, lower_bound, confidence, earned, support} over --baseline, or null,
  top [{arm, weight, samples, mean}], assumes, doubts [...], reliable"""


def as_text(made: "Report", top: int = 10, about: About = NOBODY) -> str:
    """The report as a person reads it in a terminal."""
    words, doubts = Words.of(made.data, about), [f"NOT TO BE RELIED ON: {doubt}." for doubt in made.doubts]
    answers = [f"{text}." for text in list(said.answers(made, about).values())[1:]]
    parts = [
        "\n".join([*doubts, f"{said.headline(made, about)}.", *answers, _why(made, about)]),
        "\n".join([f"{made.data.extent}. Assumed: {made.data.assumes}.", *_read(about)]),
    ]
    if made.data.n_arms > 1:
        arms, more = _leading(made, about, top)
        head = [words.arm, "share", "mean", f"{percent_sure(1 - made.delta)} interval", "tries"]
        parts += ["\n".join([_columns(head, [[row.name, *row.texts] for row in arms]), *more])]
        rows = said.policy_rows(made, words)
        glosses = [f"{row.methods}: {row.gloss}." for row in rows]
        parts += ["\n".join([_columns(_method_head(words), _cells(rows)), METHODS, *glosses])]
    return "\n\n".join(parts)


def as_markdown(made: "Report", top: int = 10, about: About = NOBODY) -> str:
    """The report as Markdown: the page's content where only text can be sent."""
    words, rows = Words.of(made.data, about), said.policy_rows(made, Words.of(made.data, about))
    arms, more = _leading(made, about, top)
    again = [f"- {what}: `{value.replace('`', '')}`" for what, value in about.again.items()]
    parts = [
        f"# Report{' on ' + _plain(about.log) if about.log else ''}",
        *(f"> **Not to be relied on:** {_plain(doubt)}." for doubt in made.doubts),
        f"**{_plain(said.headline(made, about))}**.",
        *(f"- {_plain(text)}." for text in list(said.answers(made, about).values())[1:]),
        _plain(_why(made, about), 600),
        f"{made.data.extent}. All of it rests on this: {_plain(made.data.assumes, 2_000)}.",
        *(_plain(line) for line in _read(about)),
        f"## {words.plural.capitalize()}",
        _table(
            [words.arm, "share", "mean", f"{percent_sure(1 - made.delta)} interval, each alone", "tries"],
            ([row.name, *row.texts] for row in arms),
        ),
        *more,
        "## Methods",
        METHODS,
        _table(_method_head(words), _cells(rows)),
        *(f"- **{_plain(row.methods)}**: {_plain(row.gloss)}." for row in rows),
        *(["## The same again", "\n".join(again)] if again else []),
    ]
    return "\n\n".join(parts) + "\n"


def as_html(made: "Report", top: int = 10, about: About = NOBODY, notebook: bool = False) -> str:
    """The report as a page of its own, or as much of it as a notebook shows; every name in it is escaped."""
    from jinja2 import Environment
    from markupsafe import Markup

    words, played = Words.of(made.data, about), made.data.n_arms > 1 and said.drawn(made)
    rows, arms = said.policy_rows(made, words), said.arm_rows(made, about, ROWS)
    bars = [] if made.untold or made.data.n_arms == 1 else [row for row in arms[: max(top, 0)] if row.values[0]]
    picture = curve(made) if played else None
    template = Environment(autoescape=True, trim_blocks=True).from_string(
        files(__package__).joinpath("page.html.j2").read_text(encoding="utf-8")
    )
    return template.render(
        made=made, about=about, words=words, rows=rows, arms=arms, bars=bars, picture=picture, notebook=notebook,
        more=made.advised.support - len(bars), svg=picture and Markup(as_svg(picture)),
        title=f"Report on {visible(about.log)}" if about.log else "Report", headline=said.headline(made, about),
        extra=list(said.answers(made, about).values())[1:], why=_why(made, about),
        notes=[visible(note, 300) for note in about.notes], sure=percent_sure(1 - made.delta),
        sure_text=said.odds(made.delta), method_rows=_cells(rows),
        listed=[[row.name, *row.texts] for row in _leading(made, about, top)[0]],
    )  # fmt: skip


def _why(made: "Report", about: About) -> str:
    return " ".join(filter(None, [f"{made.why[:1].upper()}{made.why[1:]}.", said.margin(made, about)]))


def _read(about: About) -> list[str]:
    """How the log was read."""
    noise = [f"Nothing was said about the noise: {about.noise}."] if about.noise else []
    return noise + [f"Note: {visible(note, 200)}." for note in about.notes]


def _leading(made: "Report", about: About, top: int) -> tuple[list[said.ArmRow], list[str]]:
    """The heaviest arms, or where all are taken alike the best, and how many more are played."""
    arms = [row for row in said.arm_rows(made, about, max(top, 0)) if row.values[0] > 0]
    more = made.advised.support - len(arms)
    return arms, [f"and {more:,} more"] if more > 0 else []


def _method_head(words: Words) -> list[str]:
    return ["method", words.plural, "so far", "expect", "at least"]


def _cells(rows: Iterable[said.MethodRow]) -> list[list[str]]:
    return [[row.methods, f"{row.support:,}", row.estimate, row.expected, row.promise] for row in rows]


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of text: the first column to the left, the others to the right."""
    table = [head, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in table
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [[_plain(cell) for cell in row] for row in (head, *rows)]
    lines.insert(1, ["---"] + ["---:"] * (len(head) - 1))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str, width: int = 600) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", visible(text, width))


def as_dict(made: "Report", top: int = 10) -> dict[str, Any]:
    """The report for machines; minus infinity, which JSON does not have, is None."""
    data, band, least = made.data, made.mixture and made.mixture.band, int(made.data.counts.min())
    alone, gain, stein = made.one, made.gain, made.stein
    return {
        "arms": data.n_arms,
        "samples": data.n_samples,
        "samples_per_arm": {"least": least, "most": int(data.counts.max())},
        "sigma": {"least": float(data.sigma.min()), "most": float(data.sigma.max())},
        "delta": made.delta,
        "band": band and {"method": band.method, "draws": band.draws, "seed": band.seed},
        "radius": made.mixture and {"critical": made.mixture.radius, "largest": data.region.largest_radius},
        "methods": [
            _fields(one, "method", "estimate", "confidence", "support")
            | {"lower_bound": one.lower_bound if said.promised(one) else None, "expected": said.expected(made, one)}
            for one in (*made.decisions[:-1], *([made.split] if made.split else []), made.recommended)
        ],
        "stein": stein and _fields(stein, "value", "standard_error", "exact", "nearly_normal"),
        "recommended": {"method": made.recommended.method, "why": made.why},
        "headline": said.headline(made, NOBODY),
        "one": {
            "arm": said.name_of(data, int(alone.weights.argmax())),
            "lower_bound": alone.lower_bound if said.promised(alone) else None,
            "useful": made.one_is_useful,
        },
        "try_again": [said.name_of(data, arm) for arm in said.shortlist(data, made.delta)],
        "gain": gain
        and _fields(gain, "lower_bound", "confidence", "earned", "support")
        | {"baseline": said.name_of(data, gain.baseline)},
        "top": [
            {
                "arm": said.name_of(data, arm),
                "weight": float(made.advised.weights[arm]),
                "samples": int(data.counts[arm]),
                "mean": float(data.means[arm]),
            }
            for arm in said.heaviest(made.advised, top)
        ],
        "assumes": made.assumes,
        "doubts": list(made.doubts),
        "reliable": not made.doubts,
    }


def _fields(made: object, *names: str) -> dict[str, Any]:
    return {name: getattr(made, name) for name in names}
