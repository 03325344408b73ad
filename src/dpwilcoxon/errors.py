"""Every error a caller of dpwilcoxon can meet.

::

    DPWilcoxonError
    ├── InvalidArgument        the call: a parameter that cannot be (also a ValueError)
    │   └── StudyOnlyProcedure a test that is not private was asked to release
    ├── DataError              the data: missing values, text, unequal lengths (also a ValueError)
    │   └── SourceError        the place the data comes from: no such file, no such column
    ├── MissingDependency      an optional extra that is not installed (also an ImportError)
    ├── OutputError            a result cannot be written where it was asked for
    └── InternalError          a bug of ours

The type says whose fault it is. No message ever holds a data value. Messages of
:class:`DataError` may hold row numbers, because only the custodian, who owns the data, meets
them: the privacy guarantee covers complete, well-formed data.
"""

from __future__ import annotations


class DPWilcoxonError(Exception):
    """Base of every error raised on purpose by dpwilcoxon."""


class InvalidArgument(DPWilcoxonError, ValueError):
    """A parameter of the call cannot be used; the message says what was found and what to do."""


class StudyOnlyProcedure(InvalidArgument):
    """A procedure that is not differentially private was asked to release a result."""

    def __init__(self, procedure: str) -> None:
        self.procedure = procedure
        super().__init__(
            f"`procedure` {procedure!r} is for studies only: it is not differentially private, so "
            "nothing can be released with it; use a private one such as 'pratt'."
        )


class DataError(DPWilcoxonError, ValueError):
    """The data is not a complete, well-formed paired sample. For the custodian's eyes only."""


class SourceError(DataError):
    """The file, table or column the data should come from cannot be read."""


class MissingDependency(DPWilcoxonError, ImportError):
    """An optional dependency is needed and not installed."""


class OutputError(DPWilcoxonError, OSError):
    """A report or file cannot be written where it was asked for."""


class InternalError(DPWilcoxonError):
    """An invariant of dpwilcoxon does not hold: a bug of ours, and nothing was released."""
