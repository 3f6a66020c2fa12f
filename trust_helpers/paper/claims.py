"""Every number the paper prints, and where it stands.

Digits are kept as text, because how many were printed says how far the number was rounded.
"""

import re
from dataclasses import dataclass

__all__ = ["CLAIMS", "Claim", "claim"]


@dataclass(frozen=True)
class Claim:
    """One printed number.

    Attributes
    ----------
    key : str
        What the chapters call it, such as ``table1.trust``.
    printed : str
        The digits as printed.
    where : str
        The table, section or appendix it stands in.
    meaning : str
        What it is a number of.
    decimals : int, optional
        To how many decimals the number is given, where the digits do not say: a bare 0 in a table of decimals.
    """

    key: str
    printed: str
    where: str
    meaning: str
    decimals: int | None = None

    @property
    def value(self) -> float:
        """The printed digits as a number."""
        return float(self.printed)

    @property
    def about_trust(self) -> bool:
        """Whether it is about TRUST on the simulated bandits, its policy, its bound or its radius."""
        return self.key in ("table1.improvement", "text.critical_radius") or bool(
            re.match(r"table[12]\.trust", self.key)
        )

    @property
    def rounding(self) -> float:
        """Half a unit of the last printed digit."""
        decimals = len(self.printed.partition(".")[2]) if self.decimals is None else self.decimals
        return 0.5 * 10.0**-decimals


def _table(name: str, where: str, rows: dict[str, tuple[str, str]]) -> list[Claim]:
    return [Claim(f"{name}.{key}", printed, where, meaning) for key, (printed, meaning) in rows.items()]


def _table3() -> list[Claim]:
    scores = {
        ("Hopper", "low"): ("499", "999"),
        ("Hopper", "high"): ("2606", "3437"),
        ("Ant", "low"): ("748", "763"),
        ("Ant", "high"): ("4115", "4488"),
        ("Walker2d", "low"): ("311", "346"),
        ("Walker2d", "high"): ("4093", "4097"),
        ("HalfCheetah", "low"): ("5775", "5473"),
        ("HalfCheetah", "high"): ("9067", "10380"),
    }
    return [
        Claim(f"table3.{env}.{setting}.{method}", printed, "Table 3", f"{method}, {env} {setting}")
        for (env, setting), pair in scores.items()
        for method, printed in zip(("CQL", "TRUST"), pair, strict=True)
    ]


CLAIMS: tuple[Claim, ...] = (
    *_table(
        "text",
        "Section 3.3",
        {
            "lcb_width": ("2.5", "half width of LCB's interval"),
            "lcb_samples": ("24", "samples per arm that LCB's theorem needs"),
        },
    ),
    *_table("text", "Section 3.4", {"bc_bound": ("0.488", "guaranteed value of behaviour cloning")}),
    Claim("table1.behaviour", "0.5", "Table 1", "value of the behaviour policy"),
    Claim("table1.greedy", "0", "Table 1", "value of the greedy arm", decimals=1),
    Claim("table1.lcb", "0", "Table 1", "value of LCB's arm", decimals=1),
    *_table(
        "table1",
        "Table 1",
        {
            "lcb_bound": ("-1.5", "LCB's lower bound"),
            "max_reward": ("1.0", "the best arm's mean"),
            "improvement": ("0.42", "TRUST's gain on the behaviour policy"),
            "trust": ("0.92", "value of TRUST's policy"),
            "trust_bound": ("0.6", "TRUST's lower bound"),
        },
    ),
    *_table("text", "Section 6.1", {"critical_radius": ("0.0116", "critical radius, of the largest")}),
    *_table(
        "table2",
        "Table 2",
        {
            "lcb_mean": ("0.718", "LCB: mean value"),
            "trust_mean": ("0.725", "TRUST: mean value"),
            "lcb_bound": ("0.156", "LCB: mean lower bound"),
            "trust_bound": ("0.544", "TRUST: mean lower bound"),
            "lcb_variance": ("0.265", "LCB: 'variance'"),
            "trust_variance": ("0.038", "TRUST: 'variance'"),
            "lcb_min": ("0.239", "LCB: smallest value"),
            "trust_min": ("0.658", "TRUST: smallest value"),
        },
    ),
    *_table3(),
    *_table(
        "time",
        "Section 6.2",
        {
            "cql_least": ("16", "CQL on one GPU, hours at least"),
            "cql_most": ("24", "CQL on one GPU, hours at most"),
            "trust_least": ("0.5", "TRUST on ten CPUs, hours at least"),
            "trust_most": ("1", "TRUST on ten CPUs, hours at most"),
        },
    ),
)

_BY_KEY = {c.key: c for c in CLAIMS}


def claim(key: str) -> Claim:
    """The printed number called ``key``; a KeyError lists the keys there are."""
    if key not in _BY_KEY:
        raise KeyError(f"no claim {key!r}; there are {', '.join(_BY_KEY)}")
    return _BY_KEY[key]
