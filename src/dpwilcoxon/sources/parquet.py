"""Parquet: typed columns, of which only the needed ones are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import fetch_rows, quoted_name
from dpwilcoxon.sources.inputs import Input
from dpwilcoxon.sources.tables import PARAMETER, position_of
from dpwilcoxon.sources.typed_columns import reading_of_type

ONE_FILE = "hive_partitioning = false"


@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file; its names, DuckDB's names for the same columns, and their types."""

    source: Input
    names: Sequence[str]
    duckdb_names: Sequence[str]
    types: Sequence[str]
    options: str = ONE_FILE

    @property
    def keeps_types(self) -> bool:
        """The columns have types."""
        return True

    @property
    def gap(self) -> str:
        """A missing value."""
        return "make it null"

    def type_of(self, name: str) -> str:
        """The DuckDB type of a column."""
        return self.types[position_of(name, self.names, self.source.label)]

    def select(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """Select by DuckDB's own names, in which those that differ only in case are numbered."""
        return self._select([self._expression(position) for position in self._find(names)], path)

    def select_typed(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """Select columns of any type as they are."""
        return self._select([self._column(position) for position in self._find(names)], path)

    def _find(self, names: Sequence[str]) -> list[int]:
        return [position_of(name, self.names, self.source.label) for name in names]

    def _select(self, columns: Sequence[str], path: str) -> str:
        values = ", ".join(f"{column} AS v{index}" for index, column in enumerate(columns))
        return f"SELECT {values} FROM {self.rows(path)}"

    def rows(self, path: str = PARAMETER) -> str:
        """SQL for all rows."""
        return f"read_parquet({path}, {self.options})"

    def _column(self, position: int) -> str:
        return quoted_name(self.duckdb_names[position])

    def _expression(self, position: int) -> str:
        column = self._column(position)
        goes_through_text = reading_of_type(self.types[position], self.names[position]) is None
        return f"{column}::VARCHAR" if goes_through_text else column

    def describe_row(self, index: int) -> str:
        """The number of the row."""
        return f"data row {index + 1:,}"

    def explain(self, message: str) -> SourceError:  # noqa: ARG002 - it may hold data
        """Parquet is written by programs; there is one thing to say when it is damaged."""
        return SourceError(f"{self.source.label} is damaged or not a Parquet file.")


def open_parquet(source: Input, options: str = ONE_FILE) -> ParquetTable:
    """Read the names and types of the columns of Parquet files with one schema."""
    table = ParquetTable(source, (), (), (), options)
    described = fetch_rows(source, f"DESCRIBE SELECT * FROM {table.rows()}", table.explain)
    schema = fetch_rows(
        source, "SELECT name, num_children, file_name FROM parquet_schema(?)", table.explain
    )
    own_names = _top_level_names([row[:2] for row in schema if row[2] == schema[0][2]])
    duckdb_names = tuple(str(row[0]) for row in described)
    return ParquetTable(
        source,
        own_names + duckdb_names[len(own_names) :],  # and the names of the partitions
        duckdb_names,
        tuple(str(row[1]) for row in described),
        options,
    )


def _top_level_names(schema: Sequence[tuple[Any, ...]]) -> tuple[str, ...]:
    """Walk the depth-first schema past its root, and skip what is inside of nested columns."""
    names, inside = [], 0
    for name, children in schema[1:]:
        if inside == 0:
            names.append(str(name))
        else:
            inside -= 1
        inside += children or 0
    return tuple(names)
