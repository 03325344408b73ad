"""PostgreSQL: one transaction of its own, read-only, that sees one state of the database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from dpwilcoxon.errors import DataError
from dpwilcoxon.sources.engines.failures import NO_TABLE, failure_of, in_our_words
from dpwilcoxon.sources.engines.meanings import names_the_clock
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
from dpwilcoxon.sources.levels import no_such_level
from dpwilcoxon.sources.pushdown.dialects import POSTGRES, Dialect
from dpwilcoxon.sources.pushdown.measures import Measure
from dpwilcoxon.sources.pushdown.tie_ranks import TieRanks, tie_groups

if TYPE_CHECKING:
    import psycopg

_MICROSECONDS: Final = "CAST(extract(epoch FROM {0}) * 1000000 AS BIGINT)"
_FLOAT: Final = floating(POSTGRES)
_NUMERIC: Final = "numeric"
_SETTINGS_OF_CALLER: Final = "SELECT current_setting('role'), current_setting('search_path')"
_PINNED: Final = {  # what changes how values are read and written
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "TimeZone": "UTC",
    "extra_float_digits": "1",
    "standard_conforming_strings": "on",
    "timezone_abbreviations": "Default",
    "transform_null_equals": "off",
}
_SETTINGS: Final = (
    "SELECT set_config('role', %s, true), set_config('search_path', %s, true), "
    + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in _PINNED.items())
)
_OWN_WORDS: Final = "SELECT set_config('search_path', 'pg_catalog, pg_temp', true)"
_TEXTS: Final = ("bpchar", "name", "text", "varchar")
_ENDLESS: Final = "NOT isfinite({0})"
READINGS: Final = {
    "bool": TRUTH,
    "int2": WHOLE,
    "int4": WHOLE,
    "int8": WHOLE,
    "float4": _FLOAT,
    "float8": _FLOAT,
    "date": replace(days("({0} - DATE '1970-01-01')"), is_none=_ENDLESS),
    "timestamp": replace(microseconds(_MICROSECONDS), is_none=_ENDLESS),
    "timestamptz": replace(microseconds(_MICROSECONDS, zoned=True), is_none=_ENDLESS),
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
    way: str = field(default="translated: all is computed in PostgreSQL", init=False)

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
        """They stay where they are.

        Tables are looked up as the caller would. From then on words mean what PostgreSQL says they
        mean: a function of the same name, in a schema of the caller, could look at other rows.
        """
        return self._in_plain_order(self._in_own_words(sql))

    def literals(
        self, source: str, expressions: LayoutExpressions, layout: Layout
    ) -> Sequence[str]:
        """The later and the earlier level as SQL; of wide tables none."""
        if expressions.condition is None:
            return []
        (kind,) = self._types(source, [expressions.condition.sql])
        measure = decimal(0, POSTGRES) if kind == _NUMERIC else READINGS.get(kind)
        if measure is None and kind not in _TEXTS:  # times of a day
            for level in filter(names_the_clock, layout.levels or ()):
                raise no_such_level(level, layout, kind)
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

    def _in_own_words(self, sql: str) -> str:
        """Give tables their schemas, and leave the search path of the caller."""
        import sqlglot
        from sqlglot import exp
        from sqlglot.optimizer.scope import traverse_scope

        tree = sqlglot.parse_one(sql, read="postgres")
        tables = [
            each
            for scope in traverse_scope(tree)
            for each in scope.sources.values()
            if isinstance(each, exp.Table) and isinstance(each.this, exp.Identifier) and not each.db
        ]
        names = [exp.Table(this=each.this.copy()).sql("postgres") for each in tables]
        found = [self._asked("SELECT pg_catalog.to_regclass(%s)::oid", name) for name in names]
        self._asked(_OWN_WORDS)
        for each, ((oid,),) in zip(tables, found, strict=True):
            if oid is None:
                raise failure_of(NO_TABLE, self.label)
            ((full,),) = self._asked("SELECT CAST(CAST(%s AS oid) AS regclass)::text", oid)
            named = exp.to_table(full, dialect="postgres")  # it is in the search path no more
            each.set("this", named.this)
            each.set("db", named.args.get("db"))
        return tree.sql("postgres") if tables else sql

    def _in_plain_order(self, sql: str) -> str:
        """Let text be ordered and told apart as it is elsewhere, whatever the language."""
        columns = []
        for name, kind in self._described(sql):
            quoted = self.dialect.quoted(name)
            columns.append(f'{quoted} COLLATE "C" AS {quoted}' if kind in _TEXTS else quoted)
        return f"SELECT {', '.join(columns)} FROM ({sql}) AS ordered"

    def _asked(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        return in_our_words(
            lambda: self.connection.execute(sql.encode(), values).fetchall(), self.label, state_of
        )

    def _types(self, source: str, values: Sequence[str]) -> list[str]:
        sql = f"SELECT {', '.join(values)} FROM ({source}) AS source"
        return [kind for _, kind in self._described(sql)]

    def _described(self, sql: str) -> list[tuple[str, str]]:
        """The names and types of the columns of a query."""

        def described() -> list[tuple[str, str]]:
            cursor = self.connection.execute(f"{sql} LIMIT 0".encode())
            known = self.connection.adapters.types
            columns = cursor.description or ()
            kinds = [known.get(column.type_code) for column in columns]
            return [
                (column.name, kind.name if kind else "unknown")
                for column, kind in zip(columns, kinds, strict=True)
            ]

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
