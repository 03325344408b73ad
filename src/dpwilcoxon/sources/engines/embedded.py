"""A DuckDB database that Ibis has open in this process.

Its rows are copied to a database of our own before anything is computed with them. In the caller's
database words can have other meanings: a macro may be called as a function of DuckDB is, and
settings change how integers are divided, which day it is, and the order of an ORDER BY.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Self

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import connected, interruptibly, quietly
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine
from dpwilcoxon.sources.engines.failures import failure_of
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.layout_expressions import LayoutExpressions
from dpwilcoxon.sources.levels import level_literals
from dpwilcoxon.sources.memory import LEAST_FOR_DUCKDB, Resources, gigabytes
from dpwilcoxon.sources.private_files import private_folder
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
_BATCH_ROWS = 1 << 17


@dataclass(frozen=True)
class EmbeddedSession:
    """A database of our own, beside the connection of the caller that rows are copied from."""

    connection: duckdb.DuckDBPyConnection = field(repr=False)
    label: str
    engine: DuckDBEngine = field(repr=False)
    held: ExitStack = field(repr=False)
    way: str = ""
    dialect: Dialect = field(default=DUCKDB, init=False)
    numbers: Iterator[int] = field(default_factory=count, init=False, repr=False)

    @classmethod
    def beside(
        cls, connection: duckdb.DuckDBPyConnection, label: str, resources: Resources
    ) -> Self:
        """Open a database of our own, which writes to private files what outgrows the memory."""
        with ExitStack() as unfinished:
            limit = f"{resources.for_duckdb(LEAST_FOR_DUCKDB)}B"
            folder = unfinished.enter_context(private_folder())
            own = unfinished.enter_context(connected(memory_limit=limit, temp_directory=folder))
            held = unfinished.pop_all()
        return cls(
            connection,
            label,
            DuckDBEngine(own, label, lambda text: _why(text, label)),
            held,
            "copied: DuckDB ranks a copy of the columns that are needed, within "
            f"{gigabytes(resources.limit)} and in temporary files",
        )

    def relation(self, sql: str) -> str:
        """Copy the rows that the caller's database answers with."""
        own = self.engine.connection

        def copy() -> None:
            answer: Any = self.connection.sql(sql)
            read = getattr(answer, "to_arrow_reader", None) or answer.fetch_record_batch
            own.register("batches", read(_BATCH_ROWS))
            own.execute("CREATE TEMP TABLE source AS SELECT * FROM batches")
            own.unregister("batches")

        quietly(lambda: interruptibly(self.connection, copy), self.label, self.engine.explain)
        return "SELECT * FROM source"

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """Run a query with a small answer."""
        return self.engine.rows(sql)

    def measures(self, source: str, values: Sequence[str], names: Sequence[str]) -> list[Measure]:
        """How to read expressions over a source."""
        return self.engine.measures(source, values, names)

    def literals(
        self, source: str, expressions: LayoutExpressions, layout: Layout
    ) -> Sequence[str]:
        """The later and the earlier level as SQL; of wide tables none."""
        return level_literals(self.engine, source, expressions.condition, layout)

    def source(self, sql: str) -> str:
        """Nobody else can change the rows."""
        return sql

    def kept(self, name: str, sql: str) -> str:
        """Keep the answer of a query in a temporary table."""
        return self.engine.kept(f"{next(self.numbers)}_{name}", sql)

    def ranks(self, differences: str) -> TieRanks:
        """One engine ranks all sizes."""
        return TieRanks(DUCKDB, self.kept("groups", tie_groups(differences)))

    def close(self) -> None:
        """Forget the rows."""
        self.held.close()


def _why(message: str, label: str) -> SourceError:
    return failure_of(_STATES.get(message.partition(":")[0], "XX"), label)
