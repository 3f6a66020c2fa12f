"""The errors this package raises on purpose, all of them ``ValueError`` to a caller who does not care which."""

__all__ = ["DataError", "NotEnoughDraws", "SolverFailed", "TrustError"]


class TrustError(ValueError):
    """Something asked of the package cannot be done; the message names the culprit.

    >>> from trust_helpers import order_statistic
    >>> order_statistic(100, 1.5)
    Traceback (most recent call last):
    trust_helpers.errors.TrustError: delta is 1.5: it must lie strictly between 0 and 1
    """


class DataError(TrustError):
    """A log, a design or a reward vector that no method could use.

    >>> from trust_helpers import OfflineData
    >>> OfflineData([0.5, float("nan")], [1, 1], 0.5)
    Traceback (most recent call last):
    trust_helpers.errors.DataError: mean of arm 1 is nan: every value must be finite
    """


class NotEnoughDraws(TrustError):
    """Too few Monte Carlo draws for the asked confidence; ``least`` says how many would do.

    >>> from trust_helpers import order_statistic
    >>> try:
    ...     order_statistic(10, 0.1)
    ... except NotEnoughDraws as error:
    ...     print(error.least)
    22
    """

    def __init__(self, draws: int, least: int, purpose: str) -> None:
        super().__init__(f"{draws} draws are too few {purpose}: at least {least} are needed")
        self.least = least


class SolverFailed(TrustError):
    """A general-purpose solver stopped without an optimum; the message carries its status.

    >>> raise SolverFailed("SCS stopped with status 'user_limit' at radius 0.1")
    Traceback (most recent call last):
    trust_helpers.errors.SolverFailed: SCS stopped with status 'user_limit' at radius 0.1
    """
