"""A report as one page to send: nothing is fetched, everything is escaped, and it prints.

The style and the frame of the page serve the chapters' pages too.
"""

from html import escape
from typing import TYPE_CHECKING

from ..formatting import interval_text, percent_sure, rounded_off, visible
from .drawing import as_svg, curve
from .intervals import arm_intervals
from .wording import About, advice, heaviest, name_of, policy_rows, promise

if TYPE_CHECKING:
    from ..reports import Report

__all__ = ["BOX", "as_html", "as_html_table", "notebook_report"]

ROWS = 1_000  # arms in the table: a page of more is slow to open
BOX = ".box { border-left: 0.25rem solid #0072b2; background: #f4f6f8; padding: 0.25rem 1rem; margin: 1rem 0; }"
STYLE = f"""
body {{ font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 52rem; margin: 0 auto;
  padding: 1rem; overflow-wrap: anywhere; }}
h1 {{ font-size: 1.4rem; }} h2 {{ font-size: 1.15rem; margin-top: 2rem; }}
.lead {{ font-size: 1.15rem; }}
{BOX}
.doubt {{ border-color: #b00020; background: #fdecef; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.25rem 0.6rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }}
th:first-child, td:first-child {{ text-align: left; white-space: normal; min-width: 6rem; }}
th button {{ font: inherit; font-weight: bold; border: 0; background: none; padding: 0; cursor: pointer; }}
.bar {{ display: grid; grid-template-columns: minmax(5rem, 30%) 1fr 4.5rem; gap: 0.6rem; align-items: center;
  margin: 0.2rem 0; }}
.bar span {{ background: #0072b2; height: 1rem; min-width: 1px; print-color-adjust: exact; }}
.bar small {{ color: #555; }} .bar b {{ white-space: nowrap; }}
svg {{ width: 100%; height: auto; }}
code {{ font-size: 0.9rem; }}
@media (max-width: 32rem) {{ svg text {{ font-size: 22px; }} table {{ font-size: 0.9rem; }}
  th, td {{ padding: 0.25rem; white-space: normal; }} :is(th, td):not(:first-child) {{ overflow-wrap: normal; }}
  :is(th, td):first-child {{ min-width: 3.5rem; }} }}
@media print {{ body {{ max-width: none; font-size: 11pt; }} h2 {{ break-after: avoid; }}
  tr, .bar, section {{ break-inside: avoid; }} th button {{ cursor: auto; }} }}
"""
# Sorts a table by the column whose heading was pressed, numbers by their value.
SCRIPT = """
for (const button of document.querySelectorAll("th button")) button.addEventListener("click", () => {
  const head = button.closest("th"), table = head.closest("table"), at = head.cellIndex;
  const down = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => row.cells[at].dataset.value ?? row.cells[at].textContent;
  const order = (a, b) => isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
  const rows = [...table.tBodies[0].rows].sort((a, b) => order(value(a), value(b)) * (down ? -1 : 1));
  table.tBodies[0].append(...rows);
});
"""


def as_html(made: "Report", top: int = 10, about: About = About()) -> str:  # noqa: B008, it is frozen
    """The report as a page of its own."""
    title = f"Report on {visible(about.log)}" if about.log else "Report"
    parts = [f"<h1>{escape(title)}</h1>", _lead(made), _assumed(made, about), _bars(made, top), _picture(made)]
    body = "\n".join([*parts, _methods(made), _again(about), _arms(made)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def as_html_table(head: list[str], rows: list[list[str]]) -> str:
    """A small table, for notebooks."""
    cells = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def notebook_report(made: "Report") -> str:
    """The report as a notebook shows it: the sentence, the heaviest arms and the methods."""
    data, weights = made.data, made.advised.weights
    rows = [
        [visible(name_of(data, arm)), f"{weights[arm]:.4g}", rounded_off(data.means[arm]), f"{data.counts[arm]:,}"]
        for arm in heaviest(made.advised, 10)
    ]
    methods = [[row.methods, f"{row.support:,}", row.estimate, row.promise] for row in policy_rows(made)]
    return (
        _lead(made)
        + as_html_table(["arm", "weight", "mean", "samples"], rows)
        + as_html_table(["method alone", "arms", "estimate", "at least"], methods)
    )


def _lead(made: "Report") -> str:
    doubts = "".join(
        f'<p class="box doubt"><strong>Not to be relied on:</strong> {escape(doubt)}.</p>' for doubt in made.doubts
    )
    text = f"<strong>{escape(advice(made))}</strong>, if {escape(made.data.law.assumes)}."
    return f'{doubts}<p class="lead">{text}</p><p>{escape(made.why[:1].upper() + made.why[1:])}.</p>'


def _assumed(made: "Report", about: About) -> str:
    said = "Whatever a log can show against the assumption above was looked for, and nothing was found."
    if made.doubts:
        said = "The log speaks against the assumption: see the top of this page."
    noise = f"Nothing was said about the noise: {about.noise}. " if about.noise else ""
    notes = "".join(f"<li>{escape(visible(note, 300))}</li>" for note in about.notes)
    return (
        f"<h2>The log, and what it says about the assumption</h2><p>{escape(made.data.extent)}. {escape(noise)}"
        f"{said}</p>" + (f"<ul>{notes}</ul>" if notes else "")
    )


def _bars(made: "Report", top: int) -> str:
    data, weights = made.data, made.advised.weights
    arms = heaviest(made.advised, top)
    largest = max((float(weights[arm]) for arm in arms), default=1.0)
    rows = [
        f'<div class="bar"><div>{escape(visible(name_of(data, arm)))}<br>'
        f"<small>mean {rounded_off(data.means[arm])}, {_tries(int(data.counts[arm]))}</small></div>"
        f'<span style="width: {100 * weights[arm] / largest:.2f}%"></span><b>{100 * weights[arm]:.3g} %</b></div>'
        for arm in arms
    ]
    rest = made.advised.support - len(arms)
    more = f"<p>and {rest:,} more arms, none with more weight.</p>" if rest > 0 else ""
    return f"<h2>What to play</h2>{''.join(rows)}{more}"


def _tries(count: int) -> str:
    return "1 try" if count == 1 else f"{count:,} tries"


def _allowed_for(made: "Report") -> str:
    """What choosing after looking at the log leaves of the recommended policy's promise."""
    said = promise(made.recommended)
    return "which leaves it no promise" if said == "none" else f"and its promise, at least {said}, allows for it"


def _picture(made: "Report") -> str:
    drawn = curve(made) if made.data.n_arms > 1 else None
    if drawn is None:
        return ""
    return f"<section><h2>How far to go</h2><p>{_kept(escape(drawn.title))}.</p>{as_svg(drawn)}</section>"


def _kept(text: str) -> str:
    """Text in which no number loses its per cent sign to the next line."""
    return text.replace(" %", "&nbsp;%")


def _arms(made: "Report") -> str:
    data = made.data
    low, high = arm_intervals(data, made.delta)
    order = (-made.advised.weights).argsort(kind="stable")[:ROWS].tolist()
    rows = "".join(_arm_row(made, arm, float(low[arm]), float(high[arm])) for arm in order)
    sure = _kept(f"{percent_sure(1 - made.delta)} interval")
    head = "".join(f"<th><button>{text}</button></th>" for text in ("arm", "weight", "mean", sure, "samples"))
    cut = f" The {ROWS:,} with the largest weights of {data.n_arms:,}." if data.n_arms > ROWS else ""
    return (
        f"<h2>Every arm</h2><p>The interval of an arm holds for that arm looked at alone; the promise above allows for "
        f'having chosen.{cut}</p><div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _arm_row(made: "Report", arm: int, low: float, high: float) -> str:
    weight, mean, count = (float(v[arm]) for v in (made.advised.weights, made.data.means, made.data.counts))
    shown = escape(visible(name_of(made.data, arm)))
    values = (weight, mean, low, count)
    texts = (f"{100 * weight:.3g} %", rounded_off(mean), interval_text(low, high), f"{count:,.0f}")
    cells = [f'<td data-value="{value!r}">{text}</td>' for value, text in zip(values, texts, strict=True)]
    return f'<tr><td data-value="{shown}">{shown}</td>{"".join(cells)}</tr>'


def _methods(made: "Report") -> str:
    rows = [
        f"<tr><td>{escape(row.methods)}{' (the recommended policy)' if row.recommended else ''}</td><td>{row.support:,}"
        f"</td><td>{row.estimate}</td><td>{escape(row.promise)}</td></tr>"
        for row in policy_rows(made)
    ]
    sure = _kept(percent_sure(1 - made.delta))
    return (
        "<h2>Every method</h2><p>What each method alone would have promised, had it been chosen before looking at the "
        f"log, with {sure} confidence. The recommended policy, {escape(made.recommended.method)}, was chosen after "
        f"looking, {_allowed_for(made)}."
        '</p><div class="scroll"><table><thead><tr><th>method</th><th>arms</th><th>estimate</th><th>at least</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _again(about: About) -> str:
    known = {"command": about.command, "version": about.version, "seed": about.seed, "SHA-256 of the log": about.digest}
    items = [f"<li>{what}: <code>{escape(visible(value, 500))}</code></li>" for what, value in known.items() if value]
    return f"<h2>The same again</h2><ul>{''.join(items)}</ul>" if items else ""
