"""A report for a terminal."""

from typing import TYPE_CHECKING

from ..formatting import percent_sure, rounded_off, visible
from .wording import DOUBTED, About, advice, heaviest, name_of, policy_rows, promise

if TYPE_CHECKING:
    from ..reports import Report

__all__ = ["report_as_text"]

WIDEST = 40
NOBODY = About()


def report_as_text(made: "Report", top: int = 10, about: About = NOBODY) -> str:
    """The report as a person reads it: what is assumed, what to play, what each method alone would have promised."""
    parts = [_assumed(made, about), f"{made.data.extent}.", _recommended(made)]
    if made.data.n_arms > 1:
        parts += [_weights(made, top), _methods(made)]
    if made.stein is not None:
        parts.append(_stein(made))
    return "\n\n".join(parts)


def _assumed(made: "Report", about: About) -> str:
    lines = [f"Assumed: {made.data.law.assumes}."]
    if about.noise:
        lines.append(f"Nothing was said about the noise: {about.noise}.")
    lines += [f"Note: {visible(note, 200)}." for note in about.notes]
    lines += [f"NOT TO BE RELIED ON: {doubt}." for doubt in made.doubts]
    return "\n".join(lines)


def _recommended(made: "Report") -> str:
    if made.gain is not None:
        return f"{advice(made)}:\n{made.why}."
    chosen, data = made.recommended, made.data
    what = f"a mixture of {chosen.support:,} of {data.n_arms:,} arms"
    if chosen.support == 1:
        what = f"the arm {visible(name_of(data, heaviest(chosen, 1)[0]), WIDEST)}"
    estimate, worth = float(chosen.weights @ data.means), "with no promise"
    if promise(chosen) != "none":
        worth = f"worth at least {promise(chosen)} per try with {percent_sure(chosen.confidence)} confidence"
        worth += f", {DOUBTED}" if made.doubts else ""
    return f"Recommended: {what}, {worth} (estimate {rounded_off(estimate)}; {chosen.method}):\n{made.why}."


def _weights(made: "Report", top: int) -> str:
    data, weights = made.data, made.advised.weights
    arms = heaviest(made.advised, top)
    names = [visible(name_of(data, arm), WIDEST) for arm in arms]
    width = max([len("arm"), *map(len, names)])
    lines = [f"{'arm':<{width}} {'weight':>10} {'samples':>8} {'mean':>10}"] if arms else []
    lines += [
        f"{name:<{width}} {weights[arm]:10.4g} {data.counts[arm]:8,d} {rounded_off(data.means[arm]):>10}"
        for arm, name in zip(arms, names, strict=True)
    ]
    rest = made.advised.support - len(arms)
    return "\n".join([*lines, f"and {rest:,} more"] if rest > 0 else lines)


def _methods(made: "Report") -> str:
    rows = policy_rows(made)
    width = max(len("method alone"), *(len(row.methods) for row in rows))
    lines = [f"{'method alone':<{width}} {'arms':>8} {'estimate':>10} {'at least':>10}"]
    for row in rows:
        mark = "  the recommended policy" if row.recommended else ""
        lines.append(f"{row.methods:<{width}} {row.support:8,d} {row.estimate:>10} {row.promise:>10}{mark}")
    sure = percent_sure(1 - made.delta)
    return "\n".join(
        [*lines, f"Each promise alone has {sure} confidence, for a method chosen before looking at the log."]
    )


def _stein(made: "Report") -> str:
    stein = made.stein
    assert stein is not None  # for mypy
    shaky = "" if stein.nearly_normal and stein.exact else ", roughly: few arms are mixed"
    return (
        f"TRUST's estimate, corrected for optimism (Stein): {rounded_off(stein.value)}, standard error "
        f"{stein.standard_error:.2g}{shaky}; a plug-in estimate, not a promise."
    )
