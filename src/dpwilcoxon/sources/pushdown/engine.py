"""What an engine that can be asked in SQL has to offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dpwilcoxon.sources.pushdown.dialects import Dialect
from dpwilcoxon.sources.pushdown.measures import Measure


class Engine(Protocol):
    """A place where rows are, and where they stay."""

    @property
    def dialect(self) -> Dialect:
        """How SQL is written for it."""

    @property
    def label(self) -> str:
        """How messages call the table."""

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """Run a query with a small answer. What goes wrong is a DataError without a value."""

    def measures(self, source: str, values: Sequence[str], names: Sequence[str]) -> list[Measure]:
        """How to read expressions over a source; `names` is how messages call them."""

    def kept(self, name: str, sql: str) -> str:
        """Return a query with the answer of `sql`, kept for several uses if the engine can."""
