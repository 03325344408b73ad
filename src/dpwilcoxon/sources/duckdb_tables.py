"""DuckDB as an engine, and a file as a relation in it whose columns can be computed with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import WORD_DIGITS, Kind
from dpwilcoxon.differences.units import SECONDS
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import (
    Explain,
    connected,
    interruptibly,
    quietly,
    quoted_name,
    quoted_paths,
)
from dpwilcoxon.sources.frame_tables import FrameTable
from dpwilcoxon.sources.pushdown.dialects import DUCKDB, Dialect
from dpwilcoxon.sources.pushdown.measures import Measure
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_types import is_text_type, text_cell
from dpwilcoxon.sources.typed_columns import READINGS, whole_decimal

if TYPE_CHECKING:
    import duckdb

_DECIMAL: Final = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class DuckDBEngine:
    """A database of its own in memory. No message of it gets out."""

    connection: duckdb.DuckDBPyConnection
    label: str
    explain: Explain
    dialect: Dialect = field(default=DUCKDB, init=False)
    clocks: dict[str, Measure] = field(default_factory=dict)  # expressions that count time

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """Run a query with a small answer."""
        return list(self._run(lambda: self.connection.execute(sql).fetchall()))

    def arrays(self, sql: str) -> dict[str, AnyArray]:
        """Run a query and return its columns."""
        return dict(self._run(lambda: self.connection.execute(sql).fetchnumpy()))

    def kept(self, name: str, sql: str, tell: Callable[[int], None] | None = None) -> str:
        """Keep the answer of a query in a temporary table; tell how many per cent are done."""
        create = f"CREATE OR REPLACE TEMP TABLE {quoted_name(name)} AS {sql}"
        self._run(lambda: self.connection.execute(create), tell)
        return f"SELECT * FROM {quoted_name(name)}"

    def types(self, source: str, values: Sequence[str]) -> list[str]:
        """The types of expressions over a source."""
        described = self.rows(f"DESCRIBE SELECT {', '.join(values)} FROM ({source}) AS source")
        return [str(row[1]) for row in described]

    def measures(self, source: str, values: Sequence[str], names: Sequence[str]) -> list[Measure]:
        """How to read expressions over a source."""
        types = self.types(source, values)
        measures = [measure_of_type(each, name) for each, name in zip(types, names, strict=True)]
        return [
            replace(self.clocks[value], number=measure.number) if value in self.clocks else measure
            for measure, value in zip(measures, values, strict=True)
        ]

    def _run(
        self, work: Callable[[], _Answer], tell: Callable[[int], None] | None = None
    ) -> _Answer:
        return quietly(lambda: interruptibly(self.connection, work, tell), self.label, self.explain)


def measure_of_type(duckdb_type: str, name: str) -> Measure:
    """Say how a value of this type becomes a number."""
    if duckdb_type in READINGS:
        reading = READINGS[duckdb_type]
        worth = SECONDS[reading.unit] if reading.unit else Fraction(1)
        number = reading.sql.replace("{}", "{0}")
        if duckdb_type == "UBIGINT":
            number = "CAST({0} AS HUGEINT)"
        return Measure(
            reading.kind,
            number,
            worth,
            zoned=reading.zoned,
            has_nan=reading.kind is Kind.FLOAT,
            is_none=reading.endless and reading.endless.replace("{}", "{0}"),
        )
    if duckdb_type == "HUGEINT":
        return Measure(Kind.INTEGER)
    if match := _DECIMAL.fullmatch(duckdb_type):
        digits, places = int(match[1]), int(match[2])
        number = "CAST(replace(CAST({0} AS VARCHAR), '.', '') AS HUGEINT)"
        if digits <= WORD_DIGITS:
            number = whole_decimal(digits, places).replace("{}", "{0}")
        return Measure(Kind.DECIMAL, number, Fraction(1, 10**places))
    written = duckdb_type.partition("(")[0]
    raise SourceError(
        f"`{name}` has type {written}, which is not a measurement; numbers, true/false, dates or "
        "timestamps are needed."
    )


@contextmanager
def table_in_duckdb(
    table: Table, columns: Sequence[str], *, is_computed: bool = False, **settings: str
) -> Iterator[tuple[DuckDBEngine, str]]:
    """Open an engine, and give a query with the columns of a table under their own names.

    Parameters
    ----------
    table : Table
        An open table.
    columns : sequence of str
        The columns that are needed, in their types; text is text, whatever it looks like.
    is_computed : bool
        Whether expressions are computed of them, which may fail at a value.
    """
    _check_names_in_sql(columns)
    with connected(**settings) as connection, ExitStack() as opened:
        path = opened.enter_context(table.source.path_for_duckdb())
        engine = DuckDBEngine(connection, table.source.label, _explain(table))
        if isinstance(table, FrameTable):
            table.attach(connection)
        source = table.select_typed(columns, quoted_paths(path))
        types = [table.type_of(name) for name in columns]
        if all(is_text_type(each) for each in types):  # the file is parsed only once
            source = engine.kept("source", source)
            opened.close()  # what is wrong with its end has to be told before anything is released
        if is_computed:
            engine = replace(engine, explain=_explain_computing(engine.explain, engine.label))
        expressions = [
            text_cell(f"v{index}", keeps_types=table.keeps_types)
            if is_text_type(types[index])
            else f"v{index}"
            for index in range(len(columns))
        ]
        listed = ", ".join(
            f"{sql} AS {quoted_name(name)}" for sql, name in zip(expressions, columns, strict=True)
        )
        yield engine, f"SELECT {listed} FROM ({source}) AS typed"


def _explain_computing(explain: Explain, label: str) -> Explain:
    """Blame expressions for what damaged files are not likely to say."""

    def explain_computing(message: str) -> SourceError:
        if not message.startswith("Invalid Input Error"):
            return explain(message)
        return SourceError(
            f"An expression cannot be computed for some row of {label}: check what it divides by, "
            "and the patterns and formats in it. (If these are right, the file may be damaged.)"
        )

    return explain_computing


def _check_names_in_sql(columns: Sequence[str]) -> None:
    if len({name.lower() for name in columns}) < len(columns):
        raise SourceError(
            "Some of the columns differ in nothing but capital letters, which SQL does not tell "
            "apart; rename one of them."
        )


def _explain(table: Table) -> Explain:
    """Tell what a custodian can correct from a damaged file; the message itself may hold data."""

    def explain(message: str) -> SourceError:
        label = table.source.label
        if "No space left" in message:
            return SourceError(
                f"{label} needs more room for temporary files than there is; set TMPDIR to a "
                "folder with more, or raise the memory limit."
            )
        if message.startswith(("Out of Range Error", "Conversion Error")) and "CSV" not in message:
            return SourceError(
                f"Some value of {label} does not fit what is computed with it: it is too large, or "
                "not what an expression or level takes it for."
            )
        if message.startswith("Binder Error"):
            text = (
                ""
                if table.keeps_types
                else " Every column of such a file is text in an expression; CAST(... AS "
                "DECIMAL(18, 6)) and CAST(... AS TIMESTAMP) make numbers and times of it."
            )
            return SourceError(
                "An expression does not fit the columns it names: their types are not what its "
                f"functions take. Check it against {label}.{text}"
            )
        return table.explain(message)

    return explain
