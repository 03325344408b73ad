"""Every error a caller of dpwilcoxon can meet.

::

    DPWilcoxonError
    ├── InvalidArgument        the call: a parameter that cannot be (also a ValueError)
    │   └── StudyOnlyProcedure a test that is for studies only was asked to release
    ├── DataError              the data: missing values, text, unequal lengths (also a ValueError)
    │   └── SourceError        the place the data comes from: no such file, no such column
    ├── BudgetError            the privacy budget: what it does not allow, or does not know
    │   ├── InsufficientBudget a release would cost more than is left
    │   ├── UnknownBudget      there is no budget of that name
    │   └── BudgetExists       there already is one
    ├── LedgerError            the file that keeps the budgets cannot be used
    │   ├── LedgerBusy         another program held it for too long
    │   └── LedgerDamaged      it is not what was written: corrupted, edited or rolled back
    ├── MissingDependency      an optional extra that is not installed (also an ImportError)
    ├── OutputError            a result cannot be written where it was asked for
    └── InternalError          a bug of ours

The type says whose fault it is. No message ever holds a data value. Messages of
:class:`DataError` may hold row numbers, because only the custodian, who owns the data, meets
them: the privacy guarantee covers complete, well-formed data.
"""

from __future__ import annotations

from fractions import Fraction


class DPWilcoxonError(Exception):
    """Base of every error raised on purpose by dpwilcoxon."""


class InvalidArgument(DPWilcoxonError, ValueError):
    """A parameter of the call cannot be used; the message says what was found and what to do."""


class StudyOnlyProcedure(InvalidArgument):
    """A procedure that is kept for studies was asked to release a result."""

    def __init__(self, procedure: str) -> None:
        self.procedure = procedure
        super().__init__(procedure)  # so that it can be pickled

    def __str__(self) -> str:
        return (
            f"`procedure` {self.procedure!r} is for studies only: it has no release that is "
            "exactly differentially private. Use a private one, such as 'pratt'."
        )


class DataError(DPWilcoxonError, ValueError):
    """The data is not a complete, well-formed paired sample. For the custodian's eyes only."""


class SourceError(DataError):
    """The file, table or column the data should come from cannot be read."""


class BudgetError(DPWilcoxonError):
    """A privacy budget does not allow what was asked, or is not the one that was meant."""


class InsufficientBudget(BudgetError):
    """A release would cost more than is left of its budget; nothing was charged or drawn.

    Attributes
    ----------
    budget : str
        The name of the budget.
    requested, remaining, total : Fraction
        What the release would have cost, what was left, and the whole budget; exact.
    """

    def __init__(
        self, budget: str, requested: Fraction, remaining: Fraction, total: Fraction, message: str
    ) -> None:
        self.budget = budget
        self.requested = requested
        self.remaining = remaining
        self.total = total
        super().__init__(budget, requested, remaining, total, message)  # so that it can be pickled

    def __str__(self) -> str:
        return str(self.args[-1])


class UnknownBudget(BudgetError):
    """The ledger has no budget of this name, or there is no ledger yet."""


class BudgetExists(BudgetError):
    """A budget of this name is in the ledger already; names are never used twice."""


class LedgerError(DPWilcoxonError):
    """The ledger cannot be read or written where it is; nothing was released."""


class LedgerBusy(LedgerError):
    """Another program held the ledger, or an identical request, for longer than the timeout."""


class LedgerDamaged(LedgerError):
    """The ledger is not what dpwilcoxon wrote: corrupted, edited, or no ledger at all."""


class MissingDependency(DPWilcoxonError, ImportError):
    """An optional dependency is needed and not installed."""


class OutputError(DPWilcoxonError, OSError):
    """A report or file cannot be written where it was asked for."""


class InternalError(DPWilcoxonError):
    """An invariant of dpwilcoxon does not hold: a bug of ours, and nothing was released."""
