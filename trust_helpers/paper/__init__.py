"""The paper itself: every number it prints, its tables made again, and one verdict for each number."""

from .verdicts import WORDS, Claim, Verdict, claim, claims, count, verdict, verdicts

__all__ = ["WORDS", "Claim", "Verdict", "claim", "claims", "count", "verdict", "verdicts"]
