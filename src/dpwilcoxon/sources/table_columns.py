"""One or two columns of a table as exact numbers: one scan, and another for what is unusual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import Column
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import fetch_arrays
from dpwilcoxon.sources.json_lines import JsonTable
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_cells import TextCells, read_cells
from dpwilcoxon.sources.text_columns import number_columns, other_column
from dpwilcoxon.sources.text_sql import first_look
from dpwilcoxon.sources.typed_columns import TypedReading, reading_of_type


def read_columns(table: Table, names: Sequence[str], *, differences_suffice: bool) -> list[Column]:
    """Read the named columns, or one column that stands for their differences.

    Parameters
    ----------
    table : Table
        An open table.
    names : sequence of str
        One or two column names.
    differences_suffice : bool
        Whether a column of integers in the order of the differences, zero and sign kept, may
        be returned for columns whose numbers have too many digits.
    """
    readings = [reading_of_type(table.type_of(name), name) for name in names]
    arrays = _first_scan(table, names, readings)
    parsed = {
        index: read_cells(table, names[index], index, arrays)
        for index, reading in enumerate(readings)
        if reading is None
    }
    _check_members(table, names, parsed)
    if len(parsed) == len(names) and all(cells.is_numeric for cells in parsed.values()):
        cells = list(parsed.values())
        columns = number_columns(table, names, cells, differences_suffice=differences_suffice)
    else:
        columns = [
            _text_column(table, names[index], parsed[index])
            if reading is None
            else reading.column(index, arrays)
            for index, reading in enumerate(readings)
        ]
    return [replace(column, name=name) for column, name in zip(columns, names, strict=False)]


def _first_scan(
    table: Table, names: Sequence[str], readings: Sequence[TypedReading | None]
) -> Mapping[str, AnyArray]:
    expressions = ", ".join(
        first_look(index) if reading is None else reading.expressions(index)
        for index, reading in enumerate(readings)
    )
    sql = f"SELECT {expressions} FROM ({table.select(names)})"
    arrays = fetch_arrays(table.source, sql, table.explain)
    if len(next(iter(arrays.values()))) == 0:
        raise SourceError(f"{table.source.label} holds no rows of data (n = 0).")
    return arrays


def _text_column(table: Table, name: str, cells: TextCells) -> Column:
    if not cells.is_numeric:
        return other_column(cells)
    return number_columns(table, [name], [cells], differences_suffice=False)[0]


def _check_members(table: Table, names: Sequence[str], parsed: Mapping[int, TextCells]) -> None:
    """In JSON a misspelt name looks like a column in which everything is missing."""
    if isinstance(table, JsonTable):
        table.check_names(
            [names[index] for index, cells in parsed.items() if not cells.kinds_present()]
        )
