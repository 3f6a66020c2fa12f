"""The paper from its first section to its last: what stands where, and which page of the book is about it.

The page *From the paper to the book* is made from this list, and a test holds that every page and label is there.
"""

from dataclasses import dataclass
from typing import Literal

from .claims import claim
from .errata import ErratumKind, about

__all__ = ["ITEMS", "SETTINGS", "Item", "Setting", "Sort", "page_of", "standing", "title_of"]

Sort = Literal["section", "statement", "algorithm", "table", "figure", "equation"]
Standing = Literal["holds", "false", "not proved as printed", "a slip", ""]


@dataclass(frozen=True)
class Item:
    """A section, statement, algorithm, table, figure or equation of the paper.

    Attributes
    ----------
    key : str
        As in ``theorem 5.1``; what :mod:`trust_helpers.paper.errata` calls it.
    sort : str
        What it is.
    title : str
        What it says, in our words.
    pages : tuple of str
        The pages of the book about it, most important first, without ``.md``.
    label : str
        What the book's own version of it is called in a cross-reference; empty if it has none.
    """

    key: str
    sort: Sort
    title: str
    pages: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True)
class Setting:
    """A number that the paper chose rather than found: what was taken over, and where it was not."""

    where: str
    printed: str
    meaning: str
    page: str

    @property
    def title(self) -> str:
        """What its page is called in a table."""
        return title_of(self.page)


def title_of(page: str) -> str:
    """What a page is called in a table: its number if it has one.

    >>> title_of("04_critical_radius"), title_of("errata")
    ('chapter 4', 'errata')
    """
    number = page.partition("_")[0]
    return f"chapter {int(number)}" if number.isdigit() else {"index": "landing page"}.get(page, page.replace("_", " "))


CHAPTERS = {
    1: "01_lcb_failure",
    2: "02_stochastic_policies",
    3: "03_trust_regions",
    4: "04_critical_radius",
    5: "05_bounds",
    6: "06_reinforcement_learning",
    7: "07_beyond_the_paper",
}


def _items(sort: Sort, rows: dict[str, tuple[str, tuple[int | str, ...], str]]) -> list[Item]:
    return [
        Item(key, sort, title, tuple(CHAPTERS[p] if isinstance(p, int) else p for p in pages), label)
        for key, (title, pages, label) in rows.items()
    ]


ITEMS: tuple[Item, ...] = (
    *_items(
        "section",
        {
            "section 1": ("Introduction: one sample per arm", ("index",), ""),
            "section 2": ("Related work", ("references",), ""),
            "section 3": ("Data-starved bandits", (1,), ""),
            "section 3.1": ("The offline bandit", (1,), ""),
            "section 3.2": ("Lower confidence bounds", (1,), ""),
            "section 3.3": ("Ten thousand arms, where LCB says nothing", (1,), ""),
            "section 3.4": ("Mixtures, and the price of searching them all", (2,), ""),
            "section 4": ("TRUST", (3, 4), ""),
            "section 4.1": ("Reference policy, improvement, relative pessimism", (3,), ""),
            "section 4.2": ("Trust region, critical radius, the grid", (3, 4), ""),
            "section 5": ("Guarantees", (5,), ""),
            "section 5.1": ("The main theorem and the Gaussian width", (5, "closed_forms"), ""),
            "section 5.2": ("Its proof", (5, "errata"), ""),
            "section 6": ("Experiments", ("scorecard",), ""),
            "section 6.1": ("Two simulated bandits", (4, 5), ""),
            "section 6.2": ("Policies as arms", (6,), ""),
            "section 7": ("Conclusion", ("index",), ""),
            "section 8": ("Impact statement", (), ""),
            "appendix A": ("Strong signals", ("closed_forms",), ""),
            "appendix B": ("Monte Carlo and order statistics", (4,), ""),
            "appendix C": ("The fine-grained bound", ("closed_forms",), ""),
            "appendix D": ("Proof that the grid is enough", (5,), ""),
            "appendix E": ("The better of LCB and TRUST", (5,), ""),
            "appendix F": ("How the robots' data were made", (6,), ""),
        },
    ),
    *_items(
        "statement",
        {
            "theorem 3.1": ("What LCB guarantees", (1,), "thm-lcb"),
            "definition 3.2": ("Stochastic policies", (2,), "def-stochastic-policy"),
            "definition 4.1": ("Critical radius", (4,), "def-critical-radius"),
            "definition 4.2": ("Quantile of the supremum", (4,), "def-complexity"),
            "theorem 5.1": ("What TRUST guarantees", (5,), "thm-main"),
            "lemma 5.2": ("The grid is enough", (5,), "lem-equivalent"),
            "proposition A.1": ("Strong signals", ("closed_forms",), "prop-strong-signal"),
            "theorem C.1": ("Suboptimality in closed form", ("closed_forms",), "thm-fine-grained"),
            "corollary C.2": ("Two arms, and the best possible rate", ("closed_forms",), "cor-two-arms"),
            "lemma C.3": ("The band in closed form", ("closed_forms",), "lem-complexity-bound"),
            "lemma C.4": ("Concentration of Gaussian suprema", ("closed_forms",), ""),
            "lemma C.5": ("Width of a ball cut with a hull", ("closed_forms",), "eq-width-bound"),
            "lemma C.6": ("Chernoff's bound", ("errata",), ""),
            "lemma C.7": ("Every arm is drawn half as often as expected", ("closed_forms", "errata"), ""),
            "corollary E.1": ("The better of two", (5,), "cor-combined"),
        },
    ),
    *_items(
        "algorithm",
        {
            "algorithm 1": ("TRUST", (4,), "alg-trust"),
            "algorithm 2": ("Monte Carlo band", (4,), "alg-monte-carlo"),
        },
    ),
    *_items(
        "table",
        {
            "table 1": ("The ten-thousand-arm bandit", (4, "scorecard"), ""),
            "table 2": ("A general bandit of a thousand arms", (5, "scorecard"), ""),
            "table 3": ("TRUST and CQL on robots", (6, "scorecard"), ""),
        },
    ),
    *_items(
        "figure",
        {
            "figure 1": ("Trust regions on a 3-simplex", (3,), ""),
            "figure 2": ("The localised Gaussian width", ("closed_forms",), ""),
            "figure 3": ("Value and lower bound against the radius", (4,), ""),
        },
    ),
    *_items(
        "equation",
        {
            "equation 1": ("Empirical mean and half width", (1,), "eq-empirical-mean"),
            "equation 2": ("All intervals at once", (1,), "eq-lcb-width"),
            "equation 3": ("LCB's rule", (1,), "eq-lcb-width"),
            "equation 4": ("LCB against any arm", (1,), "thm-lcb"),
            "equation 5": ("LCB against the best arm", (1,), "thm-lcb"),
            "equation 6": ("One margin for all mixtures", (2,), ""),
            "equation 7": ("Reference policy", (3,), "eq-reference"),
            "equation 8": ("Improvement", (3,), ""),
            "equation 9": ("Trust region", (3,), "eq-trust-region"),
            "equation 10": ("Best improvement in a region", (3,), "eq-best-improvement"),
            "equation 11": ("Critical radius", (4,), "eq-critical-radius"),
            "equation 12": ("What the band bounds", (4,), "def-complexity"),
            "equation 13": ("TRUST's improvement", (4,), "alg-trust"),
            "equation 14": ("The grid", (4,), "eq-grid"),
            "equation 15": ("Claim 1", (5,), "eq-claim1"),
            "equation 16": ("Claim 2", (5,), "eq-claim2"),
            "equation 17": ("Claim 3", (5,), "eq-claim3"),
            "equation 18": ("Bound on the Gaussian width", ("closed_forms",), "eq-width-bound"),
            "equation 19": ("The rate against the best arm", ("closed_forms",), "thm-fine-grained"),
        },
    ),
)

SETTINGS: tuple[Setting, ...] = (
    Setting("Section 3.3", "10,000", "arms of the data-starved bandit, one sample each", CHAPTERS[1]),
    Setting("Section 3.3", "0.1", "failure probability of each bound", CHAPTERS[1]),
    Setting("Section 3.3", "1/2", "noise level that the methods are told", CHAPTERS[1]),
    Setting("Section 6.1", "1,000", "arms of the general bandit, one sample each", CHAPTERS[5]),
    Setting("Section 6.1", "8", "seeds behind Table 2", CHAPTERS[5]),
    Setting("Section 6.2", "1,000", "episodes of SAC", CHAPTERS[6]),
    Setting("Section 6.2", "100", "logging policies, one trajectory each", CHAPTERS[6]),
    Setting("Section 6.2", "4", "random seeds, 2023 to 2026", CHAPTERS[6]),
    Setting("Section 6.2", "10", "CPUs on which TRUST ran", CHAPTERS[6]),
    Setting("Appendix F", "2,000", "episodes of CQL", CHAPTERS[6]),
    Setting("Appendix F", "150", "noise level for every robot", CHAPTERS[6]),
)

_PAGES = {
    "Section 3.3": CHAPTERS[1],
    "Section 3.4": CHAPTERS[2],
    "Section 6.1": CHAPTERS[4],
    "Section 6.2": CHAPTERS[6],
    "Table 1": CHAPTERS[4],
    "Table 2": CHAPTERS[5],
    "Table 3": CHAPTERS[6],
}


def page_of(key: str) -> str:
    """The page about a printed number.

    >>> page_of("table1.trust")
    '04_critical_radius'
    """
    return _PAGES[claim(key).where]


def standing(item: Item) -> Standing:
    """What we found of a statement, an algorithm or an equation: the gravest erratum about it, or that it holds.

    >>> standing(ITEMS[0]), standing(next(item for item in ITEMS if item.key == "lemma 5.2"))
    ('', 'holds')
    """
    if item.sort in ("section", "table", "figure"):
        return ""
    found: list[ErratumKind] = [one.kind for one in about(item.key) if one.kind != "right"]
    return found[0] if found and found[0] != "right" else "holds"
