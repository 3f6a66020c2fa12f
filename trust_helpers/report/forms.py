"""The forms of a report: text for a terminal, Markdown, a page to send that fetches nothing, and JSON."""

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from ..formatting import percent_sure, visible
from ..planning import shortlist
from . import words as said
from .plots import as_svg
from .words import About, Words

if TYPE_CHECKING:
    from ..decision import Decision
    from . import Report

__all__ = ["KEYS", "as_dict", "as_html", "as_markdown", "as_text"]

NOBODY = About()
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!-])")
METHODS = (
    "So far is the log's own mean of what was chosen, which flatters whoever chose freely; expect is an estimate that "
    "does not; at least is what is promised. The promise of the first row, the recommended policy, allows for having "
    "chosen it; every other is for a method named before looking at the log."
)
KEYS = """\
  log, notices, command, version, seed, sha256, arms, samples, samples_per_arm {least, most},
  sigma {least, most}, delta, band {method, draws, seed} or null, radius {critical, largest} or null,
  methods [{method, estimate, expected, lower_bound, confidence, support}], lower_bound null where nothing is promised,
  stein {value, standard_error, exact, nearly_normal} or null, recommended {method, why}, headline,
  one {arm, lower_bound, useful}, try_again [names of the arms not ruled out],
  gain {baseline, lower_bound, confidence, earned, support} over --baseline, or null,
  top [{arm, weight, samples, mean}], assumes, doubts [...], reliable"""


def as_text(made: "Report", top: int = 10, about: About = NOBODY) -> str:
    """The report as a person reads it in a terminal."""
    return "\n\n".join("\n".join(block) for block in _blocks(made, top, about, mark=False))


def as_markdown(made: "Report", top: int = 10, about: About = NOBODY) -> str:
    """The report as Markdown: the page's content where only text can be sent."""
    again = [f"- {what}: `{value.replace('`', '')}`" for what, value in about.again.items()]
    blocks = [[f"# Report{' on ' + _plain(about.log) if about.log else ''}"], *_blocks(made, top, about, mark=True)]
    return "\n\n".join(line for block in [*blocks, ["\n".join(again)]] for line in block).rstrip() + "\n"


def _blocks(made: "Report", top: int, about: About, mark: bool) -> list[list[str]]:
    """What is said, as lines that belong together; with the marks of Markdown, or without."""
    words, bold, item = Words.of(made.data, about), "**" if mark else "", "- " if mark else ""
    text, table = (_plain, _piped) if mark else (str, _columns)
    why = said.why(made, words)
    lead = [f"{bold}NOT TO BE RELIED ON{bold}: {text(doubt)}." for doubt in made.doubts]
    lead += [f"{bold}{text(said.headline(made, about))}{bold}."]
    lead += [f"{item}{text(answer)}." for answer in said.answers(made, about)] + [text(f"{why[:1].upper()}{why[1:]}.")]
    log = f"{words.extent(made.data)}. {text(said.assumption(made, words))}"
    blocks = [lead, [log, *(f"{text(line)}." for line in about.read)]]
    if made.data.n_arms > 1:
        rows, head = said.method_rows(made, words), [words.arm, "share", "mean", _interval(made), "tries"]
        arms = [row for row in said.arm_rows(made, about, top)[: max(top, 0)] if row.values[0] > 0]
        left = [f"and {more:,} more"] if (more := made.advised.support - len(arms)) > 0 else []
        blocks += [[table(head, [[row.name, *row.texts] for row in arms]), *left]]
        does = [f"{item}{bold}{text(row[0])}{bold}: {text(gloss)}." for row, gloss in rows]
        blocks += [[table(_method_head(words), [row for row, _ in rows]), METHODS, *does]]
    return blocks


def _interval(made: "Report") -> str:
    return f"{percent_sure(1 - made.delta)} interval, each alone"


def as_html(made: "Report", top: int = said.PLAYED, about: About = NOBODY, notebook: bool = False) -> str:
    """The report as a page of its own, or as much of it as a notebook shows; every name in it is escaped."""
    from jinja2 import Environment
    from markupsafe import Markup

    words, several = Words.of(made.data, about), made.data.n_arms > 1
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        files(__package__).joinpath("page.html.j2").read_text(encoding="utf-8")
    )
    return template.render(
        made=made, about=about, words=words, notebook=notebook, said=said, explained=METHODS, several=several,
        title=f"Report on {visible(about.log)}" if about.log else "Report", interval=_interval(made),
        arms=said.arm_rows(made, about, top), heaviest=float(made.advised.weights.max()),
        rows=said.method_rows(made, words), head=_method_head(words), svg=several and Markup(as_svg(made, words)),
    )  # fmt: skip


def _method_head(words: Words) -> list[str]:
    return ["method", said.plural(words.arm), "so far", "expect", "at least"]


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of text: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in (head, *rows)]
    return "\n".join("  ".join(line) for line in lines)


def _piped(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [[_plain(cell) for cell in row] for row in (head, *rows)]
    lines.insert(1, ["---"] + ["---:"] * (len(head) - 1))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", visible(text, 2_000))


def as_dict(made: "Report", top: int = 10) -> dict[str, Any]:
    """The report for machines; minus infinity, which JSON does not have, is None."""
    data, band, gain, weights = made.data, made.mixture and made.mixture.band, made.gain, made.advised.weights
    counts, means, sigma, names = data.counts, data.means, data.sigma, [*map(str, data.columns()["arm"])]
    took_part = (*made.decisions[:-1], *filter(None, [made.split]), made.recommended)
    heaviest = [arm for arm in np.argsort(-weights, kind="stable")[: max(top, 0)] if weights[arm] > 0]
    alone, beaten = made.one, gain and {"baseline": names[gain.baseline]}

    def promise(one: "Decision") -> float | None:
        return one.lower_bound if said.promised(one) else None

    return {
        "arms": data.n_arms,
        "samples": data.n_samples,
        "samples_per_arm": {"least": int(counts.min()), "most": int(counts.max())},
        "sigma": {"least": float(sigma.min()), "most": float(sigma.max())},
        "delta": made.delta,
        "band": band and _fields(band, "method", "draws", "seed"),
        "radius": made.mixture and {"critical": made.mixture.radius, "largest": data.region.largest_radius},
        "methods": [
            _fields(one, "method", "estimate", "confidence", "support")
            | {"lower_bound": promise(one), "expected": made.expected(one)}
            for one in took_part
        ],
        "stein": made.stein and _fields(made.stein, "value", "standard_error", "exact", "nearly_normal"),
        "recommended": {"method": made.recommended.method, "why": made.why},
        "headline": said.headline(made, NOBODY),
        "one": {
            "arm": names[int(alone.weights.argmax())],
            "lower_bound": promise(alone),
            "useful": alone.lower_bound > made.own.lower_bound,
        },
        "try_again": [names[arm] for arm in shortlist(data, made.delta)],
        "gain": beaten and beaten | _fields(gain, "lower_bound", "confidence", "earned", "support"),
        "top": [
            {"arm": names[i], "weight": float(weights[i]), "samples": int(counts[i]), "mean": float(means[i])}
            for i in heaviest
        ],
        "assumes": made.assumes,
        "doubts": list(made.doubts),
        "reliable": not made.doubts,
    }


def _fields(made: object, *names: str) -> dict[str, Any]:
    return {name: getattr(made, name) for name in names}
