"""The counterexamples of the errata page as rows of its tables."""

from typing import Any

from .. import bounds
from . import counterexamples as tried

__all__ = [
    "broken_fine_grained_rows",
    "failing_lcb_rows",
    "two_arm_loss_rows",
    "worse_than_the_reference_rows",
]

Row = dict[str, Any]


def failing_lcb_rows(deltas: tuple[float, ...] = (0.1, 0.05, 0.01, 0.001)) -> list[Row]:
    """Theorem 3.1, claim 2: how often it may fail, and how often it does with 4 (printed), 8 and 16 in it."""
    from ..book.table import number

    return [
        {
            "delta": f"{delta:g}",
            "allowed": number(2 * delta, ".1%"),
            "fails with 4": number(tried.lcb_claim_fails(delta, 4), ".2%"),
            "with 8": number(tried.lcb_claim_fails(delta, 8), ".2%"),
            "with 16": number(tried.lcb_claim_fails(delta, 16), ".0e"),
        }
        for delta in deltas
    ]


def broken_fine_grained_rows(delta: float, logs: int, seed: int) -> list[Row]:
    """Theorem C.1, claim 1, on three instances: what TRUST falls short by, and what bounds it."""
    from ..book.table import number, plus_minus

    rows: list[Row] = []
    for arms, sigma in ((1_000, 1.5), (2_000, 2.0), (4_000, 2.0)):
        made = tried.fine_grained_bound_broken(arms, sigma, delta, logs, seed)
        row = {"arms": arms, "noise": number(sigma, ".1f")}
        row |= {"short by": plus_minus(made.short.mean(), made.short.std(), ".3f"), "printed": made.printed}
        rows.append(row | {"broken in": str(made.broken), "mended": made.mended, "twice the band": made.doubled_band})
    return rows


def worse_than_the_reference_rows(delta: float, logs: int, seed: int) -> list[Row]:
    """How often TRUST is worse than the reference, and by how much, on a fine grid and on a single radius."""
    from ..book.table import number

    rows = []
    for radii, spread in ((40, 0.02), (1, 0.15)):
        made = tried.worse_than_the_reference(radii, spread, delta, logs, seed)
        worse = made.loss[made.loss > 0]
        found = (worse.mean() if worse.size else 0.0, made.loss.max(), made.allowed)
        names = ("by, on average", "at most", "allowed by 2 G(min E)")
        sizes = {name: number(size, ".2g") for name, size in zip(names, found, strict=True)}
        rows.append({"radii": radii, "worse than the reference": str(made.worse)} | sizes)
    return rows


def two_arm_loss_rows(samples: tuple[int, ...] = (20, 200, 2_000)) -> list[Row]:
    r"""Corollary C.2: the higher mean's loss over the rate :math:`\sqrt{C^*/N}`, at a fixed gap and a falling one."""
    from ..book.table import number

    rows = []
    for n in samples:
        losses = (tried.loss_of_the_higher_mean(gap, n // 2) for gap in (0.25, n**-0.5))
        fixed, falling = (loss / bounds.minimax_rate(2, n) for loss in losses)
        rows.append({"samples": n, "at gap 1/4": number(fixed, ".1e"), "at gap 1 / root of N": number(falling, ".3f")})
    return rows
