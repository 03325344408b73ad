"""A DuckDB database that Ibis has open in this process."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import quoted_name
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine
from dpwilcoxon.sources.engines.failures import explained
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.layout_expressions import LayoutExpressions
from dpwilcoxon.sources.levels import level_literals
from dpwilcoxon.sources.pushdown.dialects import DUCKDB, Dialect
from dpwilcoxon.sources.pushdown.measures import Measure
from dpwilcoxon.sources.pushdown.tie_ranks import TieRanks, tie_groups

if TYPE_CHECKING:
    import duckdb

_STATES = {
    "Catalog Error": "42P01",
    "Binder Error": "42",
    "Conversion Error": "22",
    "Out of Range Error": "22",
    "Invalid Input Error": "22",
}


@dataclass(frozen=True)
class EmbeddedSession:
    """A connection of the caller; what is kept in it has names of its own, and is dropped."""

    connection: duckdb.DuckDBPyConnection = field(repr=False)
    label: str
    dialect: Dialect = field(default=DUCKDB, init=False)
    prefix: str = field(default_factory=lambda: f"dpwilcoxon_{secrets.token_hex(8)}_", init=False)
    _names: list[str] = field(default_factory=list, init=False, repr=False)

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """Run a query with a small answer."""
        return self._engine.rows(sql)

    def measures(self, source: str, values: Sequence[str], names: Sequence[str]) -> list[Measure]:
        """How to read expressions over a source."""
        return self._engine.measures(source, values, names)

    def literals(
        self, source: str, expressions: LayoutExpressions, layout: Layout
    ) -> Sequence[str]:
        """The later and the earlier level as SQL; of wide tables none."""
        return level_literals(self._engine, source, expressions.condition, layout)

    def source(self, sql: str) -> str:
        """Keep the rows, which others could change."""
        return self.kept("source", sql)

    def kept(self, name: str, sql: str) -> str:
        """Keep the answer of a query in a temporary table."""
        self._names.append(f"{self.prefix}{len(self._names)}_{name}")
        return self._engine.kept(self._names[-1], sql)

    def ranks(self, differences: str) -> TieRanks:
        """One engine ranks all sizes."""
        return TieRanks(DUCKDB, self.kept("groups", tie_groups(differences)))

    def close(self) -> None:
        """Drop what was kept."""
        for name in self._names:
            with suppress(Exception):
                self.connection.execute(f"DROP TABLE IF EXISTS {quoted_name(name)}")

    @property
    def _engine(self) -> DuckDBEngine:
        return DuckDBEngine(self.connection, self.label, self._explain)

    def _explain(self, message: str) -> SourceError:
        state = _STATES.get(message.partition(":")[0], "XX")
        return explained(state, self.label)
