"""The paper itself: every number it prints, its tables made again, and one verdict for each claim."""

from .claims import CLAIMS, Claim, claim
from .shown import record_verdicts, verdict_rows, verdict_table
from .verdicts import Verdict, verdict, verdicts

__all__ = [
    "CLAIMS",
    "Claim",
    "Verdict",
    "claim",
    "record_verdicts",
    "verdict",
    "verdict_rows",
    "verdict_table",
    "verdicts",
]
