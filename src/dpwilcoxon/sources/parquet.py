"""Parquet: typed columns, of which only the needed ones are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import fetch_rows, quoted_name, quoted_paths
from dpwilcoxon.sources.inputs import Source, literal_path
from dpwilcoxon.sources.tables import PARAMETER, position_of
from dpwilcoxon.sources.typed_columns import reading_of_type

ONE_FILE = "hive_partitioning = false"
ROW_NUMBER = "file_row_number"  # DuckDB's name for the place of a row in its file
MOST_PART_ROWS = 1 << 22  # of a larger row group, pieces: each has to skip what is before it


@dataclass(frozen=True)
class Part:
    """Some rows of Parquet files, to be read at once: rows of one file, or files as a whole."""

    paths: tuple[str, ...]
    first: int
    stop: int
    whole_files: bool = field(default=False, kw_only=True)

    def __len__(self) -> int:
        return self.stop - self.first


@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file; its names, DuckDB's names for the same columns, and their types."""

    source: Source
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
        columns = [self._expression(position) for position in self._find(names)]
        return self._select(columns, self.rows(path))

    def select_typed(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """Select columns of any type as they are."""
        columns = [self._column(position) for position in self._find(names)]
        return self._select(columns, self.rows(path))

    def select_part(self, names: Sequence[str], part: Part) -> str:
        """SQL of the named columns of some rows, in their order."""
        options, only = self.options, ""
        if not part.whole_files:
            options += f", {ROW_NUMBER} = true"
            only = f" WHERE {ROW_NUMBER} >= {part.first} AND {ROW_NUMBER} < {part.stop}"
        columns = [self._expression(position) for position in self._find(names)]
        return self._select(columns, f"read_parquet({quoted_paths(part.paths)}, {options})") + only

    def parts(self, rows: int) -> list[Part]:
        """Cut the files along their row groups into parts of about so many rows, in order."""
        sql = "SELECT DISTINCT file_name, row_group_id, row_group_num_rows FROM parquet_metadata(?)"
        groups_in_order = sorted(
            (Path(name), int(group), int(group_rows))
            for name, group, group_rows in fetch_rows(self.source, sql, self.explain)
        )
        files: dict[str, list[int]] = {}
        for path, _, group_rows in groups_in_order:
            files.setdefault(literal_path(path), []).append(group_rows)
        if ROW_NUMBER in (name.lower() for name in self.names):  # it has that column already
            return [
                Part((name,), 0, sum(groups), whole_files=True) for name, groups in files.items()
            ]
        return _joined_files(
            [part for name, groups in files.items() for part in _parts_of_file(name, groups, rows)],
            rows,
        )

    def _find(self, names: Sequence[str]) -> list[int]:
        return [position_of(name, self.names, self.source.label) for name in names]

    def _select(self, columns: Sequence[str], rows: str) -> str:
        values = ", ".join(f"{column} AS v{index}" for index, column in enumerate(columns))
        return f"SELECT {values} FROM {rows}"

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


def open_parquet(source: Source, options: str = ONE_FILE) -> ParquetTable:
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


def _parts_of_file(name: str, groups: Sequence[int], rows: int) -> list[Part]:
    """Join small row groups, and cut large ones."""
    parts: list[Part] = []
    first = stop = 0
    for group in groups:
        if stop + group - first > rows and stop > first:
            parts.append(Part((name,), first, stop))
            first = stop
        stop += group
        while stop - first > max(rows, MOST_PART_ROWS):
            parts.append(Part((name,), first, first + MOST_PART_ROWS))
            first += MOST_PART_ROWS
    return [*parts, Part((name,), first, stop)] if stop > first else parts


def _joined_files(parts: Sequence[Part], rows: int) -> list[Part]:
    """Join neighbouring parts of few rows that are files as a whole."""
    whole = {name for name, n in Counter(part.paths for part in parts).items() if n == 1}
    joined: list[Part] = []
    for part in parts:
        is_whole = part.paths in whole
        last = joined[-1] if joined else None
        if is_whole and last and last.whole_files and len(last) + len(part) <= rows:
            joined[-1] = replace(last, paths=last.paths + part.paths, stop=last.stop + len(part))
        else:
            joined.append(replace(part, whole_files=is_whole))
    return joined


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
