"""PostgreSQL: one transaction of its own, read-only, that sees one state of the database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from dpwilcoxon.errors import DataError
from dpwilcoxon.sources.engines.failures import in_our_words
from dpwilcoxon.sources.engines.readings import (
    TRUTH,
    WHOLE,
    Literals,
    days,
    decimal,
    floating,
    measure_in,
    microseconds,
)
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.layout_expressions import LayoutExpressions
from dpwilcoxon.sources.pushdown.dialects import POSTGRES, Dialect
from dpwilcoxon.sources.pushdown.measures import Measure
from dpwilcoxon.sources.pushdown.tie_ranks import TieRanks, tie_groups

if TYPE_CHECKING:
    import psycopg

_MICROSECONDS: Final = "CAST(extract(epoch FROM {0}) * 1000000 AS BIGINT)"
_FLOAT: Final = floating(POSTGRES)
_NUMERIC: Final = "numeric"
_SETTINGS_OF_CALLER: Final = "SELECT current_setting('role'), current_setting('search_path')"
_SETTINGS: Final = (
    "SELECT set_config('role', %s, true), set_config('search_path', %s, true), "
    "set_config('TimeZone', 'UTC', true)"
)
READINGS: Final = {
    "bool": TRUTH,
    "int2": WHOLE,
    "int4": WHOLE,
    "int8": WHOLE,
    "float4": _FLOAT,
    "float8": _FLOAT,
    "date": days("({0} - DATE '1970-01-01')"),
    "timestamp": microseconds(_MICROSECONDS),
    "timestamptz": microseconds(_MICROSECONDS, zoned=True),
}


@dataclass(frozen=True)
class PostgresSession:
    """A connection in the middle of a transaction.

    Privacy
    -------
    Differences, groups, ranks and sums are computed by the server. What comes back are counts,
    how large and how fine the numbers are, and the sums that make the statistic.
    """

    connection: psycopg.Connection[Any] = field(repr=False)
    label: str
    dialect: Dialect = field(default=POSTGRES, init=False)

    @classmethod
    def beside(cls, other: psycopg.Connection[Any], label: str) -> PostgresSession:
        """Open a connection to where another one leads, with its role and its search path.

        The other one belongs to the caller, whose work a read-only transaction would disturb.
        """

        def opened() -> psycopg.Connection[Any]:
            import psycopg
            from psycopg.conninfo import make_conninfo

            with other.transaction():
                found = other.execute(_SETTINGS_OF_CALLER).fetchone()
            assert found is not None  # noqa: S101 - a SELECT without FROM has one row
            known = {**other.info.get_parameters(), "client_encoding": "utf8"}
            if other.info.password:
                known["password"] = other.info.password
            connection = psycopg.connect(make_conninfo(**known))
            with ExitStack() as unfinished:
                unfinished.callback(connection.close)
                connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
                connection.read_only = True
                connection.execute(_SETTINGS, tuple(found))
                unfinished.pop_all()
            return connection

        return cls(in_our_words(opened, label, state_of), label)

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """Run a query with a small answer."""
        return in_our_words(
            lambda: self.connection.execute(sql.encode()).fetchall(), self.label, state_of
        )

    def measures(self, source: str, values: Sequence[str], names: Sequence[str]) -> list[Measure]:
        """How to read expressions over a source."""
        return [
            self._decimal(source, value, name)
            if kind == _NUMERIC
            else measure_in(READINGS, kind, name)
            for kind, value, name in zip(self._types(source, values), values, names, strict=True)
        ]

    def relation(self, sql: str) -> str:
        """They stay where they are."""
        return sql

    def literals(
        self, source: str, expressions: LayoutExpressions, layout: Layout
    ) -> Sequence[str]:
        """The later and the earlier level as SQL; of wide tables none."""
        if expressions.condition is None:
            return []
        (kind,) = self._types(source, [expressions.condition.sql])
        measure = decimal(0, POSTGRES) if kind == _NUMERIC else READINGS.get(kind)
        return Literals(POSTGRES).of_levels(layout, kind, measure)

    def source(self, sql: str) -> str:
        """The transaction sees to it that its rows stay what they are."""
        return sql

    def kept(self, name: str, sql: str) -> str:  # noqa: ARG002 - nothing is kept
        """Ask again: a transaction that writes nothing has no place to keep an answer."""
        return sql

    def ranks(self, differences: str) -> TieRanks:
        """One server ranks all sizes."""
        return TieRanks(POSTGRES, tie_groups(differences))

    def close(self) -> None:
        """End the transaction and the connection."""
        with suppress(Exception):
            self.connection.close()

    def _types(self, source: str, values: Sequence[str]) -> list[str]:
        def described() -> list[str]:
            sql = f"SELECT {', '.join(values)} FROM ({source}) AS source LIMIT 0"
            cursor = self.connection.execute(sql.encode())
            known = self.connection.adapters.types
            kinds = [known.get(column.type_code) for column in cursor.description or ()]
            return [kind.name if kind else "unknown" for kind in kinds]

        return in_our_words(described, self.label, state_of)

    def _decimal(self, source: str, value: str, name: str) -> Measure:
        """Numbers of any length: those that are there say how many places there are."""
        is_infinite = f"{value} <> 'NaN' AND scale({value}) IS NULL"
        ((places, infinite),) = self.rows(
            f"SELECT max(scale({value})), bool_or({is_infinite}) FROM ({source}) AS source"
        )
        if infinite:
            raise DataError(
                f"`{name}` holds infinite numbers, which only floats can be: CAST(... AS DOUBLE)."
            )
        return decimal(int(places or 0), POSTGRES, has_nan=True)


def state_of(error: Exception) -> str | None:
    """The code of what went wrong in psycopg, or none if there was no answer."""
    import psycopg

    if not isinstance(error, psycopg.Error):
        raise error
    code: str | None = error.sqlstate
    return code
