"""What is wrong in the paper, what only looks wrong, and how sure that is: the table of the errata page.

*False*: a statement that an experiment or a formula refutes. *Not proved as printed*: a step of a proof, or a
hypothesis, is missing; what is proved instead is said. *A slip*: the symbols are wrong, and what was meant is clear and
right. *Right*: it looked wrong to us, and is not.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = ["ERRATA", "KINDS", "Erratum", "about", "erratum"]

ErratumKind = Literal["false", "not proved as printed", "a slip", "right"]
KINDS: tuple[ErratumKind, ...] = ("false", "not proved as printed", "a slip", "right")


@dataclass(frozen=True)
class Erratum:
    """One row of the table.

    Attributes
    ----------
    key : str
        The anchor of its section on the page, after ``erratum-``.
    where : str
        Section, statement or table of the paper.
    items : tuple of str
        The keys of :mod:`trust_helpers.paper.contents` it is about.
    printed, meant : str
        In MyST Markdown: what stands there, and what should.
    kind : str
        How it is wrong.
    effect : str
        What follows for a reader who uses the result.
    """

    key: str
    where: str
    items: tuple[str, ...]
    printed: str
    meant: str
    kind: ErratumKind
    effect: str


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "lcb",
        "Theorem 3.1, claim 2",
        ("theorem 3.1", "equation 5"),
        "$4\\,C^*/N$",
        "$16\\,C^*/N$",
        "false",
        "twice the bound",
    ),
    Erratum(
        "fine-grained",
        "Theorem C.1, claim 1",
        ("theorem C.1",),
        "no $d$, and $\\alpha$, $\\varepsilon$",
        "$d$, and $\\alpha^2$, $\\varepsilon^2$",
        "false",
        "a much larger bound",
    ),
    Erratum(
        "rounding",
        "Theorem C.1, proof",
        ("theorem C.1",),
        "$\\lceil\\varepsilon\\rceil\\le\\alpha\\varepsilon$",
        "$\\max(\\alpha\\varepsilon,\\min E)$",
        "false",
        "near the reference only",
    ),
    Erratum(
        "combined",
        "Appendix E",
        ("appendix E",),
        '"at least as well as LCB"',
        "as LCB's *lower bound*",
        "false",
        "another promise",
    ),
    Erratum("table1", "Table 1", ("table 1",), "LCB's bound", "its own formula", "false", "none: vacuous either way"),
    Erratum(
        "sign",
        "Theorem 5.1, claims 1, 2",
        ("theorem 5.1", "section 5.2", "equation 15", "equation 16"),
        "$1-\\delta$",
        "$1-\\delta-\\delta'$",
        "not proved as printed",
        "next to none",
    ),
    Erratum(
        "bounded",
        "Sections 1 and 3.2",
        ("section 1", "section 3.2"),
        "coins, $\\sigma=1/2$",
        "Gaussian noise",
        "not proved as printed",
        "the promise breaks",
    ),
    Erratum(
        "smallest",
        "Definition 4.2, Lemma C.3",
        ("definition 4.2", "equation 12", "lemma C.3"),
        '"the smallest"',
        "*a* bound",
        "not proved as printed",
        "none, and an opportunity",
    ),
    Erratum(
        "diameter",
        "Theorem C.1, $D$",
        ("theorem C.1", "lemma C.3"),
        "for $N_i/N$",
        "$\\varepsilon_0$",
        "not proved as printed",
        "at most a factor 2",
    ),
    Erratum(
        "tail",
        "Proposition A.1, proof",
        ("proposition A.1",),
        "a chi-square tail",
        "Gaussian concentration",
        "not proved as printed",
        "none",
    ),
    Erratum(
        "two-arms",
        "Corollary C.2, claim 1",
        ("corollary C.2",),
        "any gap",
        "a gap near $\\sqrt{C^*/N}$",
        "a slip",
        "none",
    ),
    Erratum(
        "chernoff",
        "Lemma C.7 and its proof",
        ("lemma C.7", "lemma C.6"),
        "$\\le$, upper tail, $M$",
        "$\\ge$, lower tail, $N$",
        "a slip",
        "none",
    ),
    Erratum("width", "Equation (18)", ("equation 18",), "$\\log(d\\varepsilon^2)$", "its $\\log_+$", "a slip", "none"),
    Erratum(
        "simplex",
        "before (18), Figure 2",
        ("equation 18", "figure 2"),
        "simplex, hyperplane",
        "shifted simplex",
        "a slip",
        "none",
    ),
    Erratum("variance", "Table 2", ("table 2",), '"variance"', "standard deviation", "a slip", "none"),
    Erratum(
        "arms",
        "Appendix A",
        ("appendix A", "proposition A.1"),
        "$2d$ arms, $d$ used",
        "$d$ arms, half good",
        "a slip",
        "none",
    ),
    Erratum(
        "constants",
        "Theorem C.1, claim 2, proof",
        ("theorem C.1",),
        "$4D$, $\\alpha$",
        "$8D$, $\\alpha^2$",
        "a slip",
        "none, up to constants",
    ),
    Erratum("true-sigma", "Section 3.4", ("section 3.4",), '"true" $\\sigma=1/2$', "a valid bound", "a slip", "none"),
    Erratum(
        "typing",
        "(1), Sections 3.1, 5.2, D, F",
        ("equation 1", "section 3.1", "section 5.2", "appendix D", "appendix F"),
        "typing slips",
        "five, listed below",
        "a slip",
        "none",
    ),
    Erratum(
        "right",
        "Sections 3.3, 3.4, 4, B, C",
        ("section 3.3", "section 3.4", "section 4", "appendix B", "lemma C.3"),
        "five formulas",
        "the same",
        "right",
        "none",
    ),
)

_BY_KEY = {one.key: one for one in ERRATA}


def erratum(key: str) -> Erratum:
    """The erratum called ``key``; a KeyError lists the keys there are.

    >>> erratum("lcb").kind
    'false'
    """
    if key not in _BY_KEY:
        raise KeyError(f"no erratum {key!r}; there are {', '.join(_BY_KEY)}")
    return _BY_KEY[key]


def about(item: str) -> tuple[Erratum, ...]:
    """The errata about one item of the paper, the gravest first.

    >>> [one.key for one in about("theorem C.1")]
    ['fine-grained', 'rounding', 'diameter', 'constants']
    """
    return tuple(sorted((one for one in ERRATA if item in one.items), key=lambda one: KINDS.index(one.kind)))
