"""Text cells as exact numbers, parsed by DuckDB column by column.

A cell is digits and a number of decimal places: ``120.1`` is 1201 with one place, ``1.5e3`` is
15 with minus two. Most cells are plain decimals and are done in one scan; the odd ones (blanks,
exponents, many digits, dates, words) are looked at again. No row passes through Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, BoolArray, IntArray
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources import text_sql
from dpwilcoxon.sources.duckdb_session import fetch_arrays, table_changed
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_sql import LARGEST_EXPONENT, WORD, Cell

FAMILIES = (
    frozenset({Cell.NUMBER, Cell.INFINITE, Cell.LONG}),
    frozenset({Cell.BOOLEAN}),
    frozenset({Cell.DATE, Cell.TIMESTAMP}),
    frozenset({Cell.ZONED}),
)


def advice(table: Table) -> str:
    """What to do about a cell that cannot be read: the same whatever is in it."""
    return (
        f"correct it, or {table.gap} if the value is missing. Numbers need a decimal point and no "
        "unit, percent sign or thousands separator; dates look like 2024-02-29; all values of a "
        "column are of one kind."
    )


@dataclass(frozen=True, eq=False, repr=False)
class TextCells:
    """The cells of one text column."""

    kinds: AnyArray
    digits: IntArray  # below WORD in size; the sign of an infinity; days or microseconds
    places: AnyArray
    upper: IntArray | None = None  # multiples of WORD, where a cell has more digits

    def having(self, *kinds: Cell) -> BoolArray:
        """Which cells are of one of these kinds."""
        return np.asarray(np.isin(self.kinds, kinds), dtype=np.bool_)

    def kinds_present(self) -> frozenset[Cell]:
        """The kinds that occur, other than missing."""
        counts = np.bincount(self.kinds, minlength=len(Cell))
        return frozenset(Cell(kind) for kind in np.flatnonzero(counts).tolist()) - {Cell.MISSING}

    @property
    def is_numeric(self) -> bool:
        """Whether the column holds numbers, or nothing at all."""
        return self.kinds_present() <= FAMILIES[0]


def read_cells(table: Table, name: str, index: int, arrays: Mapping[str, AnyArray]) -> TextCells:
    """Make the cells of a column of what the first look has found, and look again if need be."""
    digits = arrays[f"digits{index}"]
    does_not_fit = (digits >= WORD) | (digits <= -WORD)
    kinds = arrays[f"kind{index}"].copy()
    kinds[does_not_fit & (kinds == Cell.NUMBER)] = Cell.ODD
    cells = TextCells(kinds, digits, arrays[f"places{index}"])
    if not (kinds == Cell.NUMBER).all():
        cells = _second_look(table, name, cells)
    _check_kinds(table, name, cells)
    return cells


def _second_look(table: Table, name: str, cells: TextCells) -> TextCells:
    is_number, odd = cells.kinds == Cell.NUMBER, np.flatnonzero(cells.kinds == Cell.ODD)
    kinds, upper = cells.kinds.copy(), None
    digits, places = (np.where(is_number, each, 0) for each in (cells.digits, cells.places))
    if len(odd):
        again = fetch_arrays(table.source, text_sql.second_look(table, name), table.explain)
        rows = again["row"]
        if not np.array_equal(np.sort(rows), odd):
            raise table_changed(table.source.label)
        kinds[rows], digits[rows], places[rows] = again["kind"], again["digits"], again["places"]
        if again["upper"].any():
            upper = np.zeros_like(digits)
            upper[rows] = again["upper"]
    return TextCells(kinds, digits, places, upper)


def _check_kinds(table: Table, name: str, cells: TextCells) -> None:
    present = cells.kinds_present()
    for kind, problem in (
        (Cell.TEXT, "text where a number is needed"),
        (Cell.EXTREME, f"a number with an exponent beyond {LARGEST_EXPONENT}"),
    ):
        if kind in present:
            row = table.describe_row(int(np.argmax(cells.kinds == kind)))
            raise SourceError(f"Column {name!r} holds {problem}, first in {row}; {advice(table)}")
    families = [family for family in FAMILIES if present & family]
    if len(families) > 1:
        usual = max(families, key=lambda family: int(cells.having(*family).sum()))
        stranger = ~cells.having(*usual, Cell.MISSING)
        row = table.describe_row(int(np.argmax(stranger)))
        raise SourceError(
            f"Column {name!r} mixes numbers, true/false, dates or times, first in {row}; "
            f"{advice(table)}"
        )
