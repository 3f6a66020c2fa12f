"""The errors this package raises on purpose, all of them ``ValueError`` to a caller who does not care which."""

__all__ = ["DataError", "NotEnoughDraws", "SolverFailed", "TrustError"]


class TrustError(ValueError):
    """Something asked of the package cannot be done; the message names the culprit."""


class DataError(TrustError):
    """A log, a design or a reward vector that no method could use."""


class NotEnoughDraws(TrustError):
    """Too few Monte Carlo draws for the asked confidence; ``least`` says how many would do."""

    def __init__(self, draws: int, least: int, purpose: str) -> None:
        super().__init__(f"{draws} draws are too few {purpose}: at least {least} are needed")
        self.least = least


class SolverFailed(TrustError):
    """A general-purpose solver stopped without an optimum; the message carries its status."""
