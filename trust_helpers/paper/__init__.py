"""The paper itself: every number it prints, its tables made again, and one verdict for each claim."""

from .claims import CLAIMS, Claim, claim

__all__ = ["CLAIMS", "Claim", "claim"]
