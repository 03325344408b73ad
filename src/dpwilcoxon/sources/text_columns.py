"""Columns of exact numbers out of parsed text cells.

Every way through here is exact. That is a matter of privacy, not only of taste: if one unusual
value made the others be computed differently, replacing one row could change many ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from dpwilcoxon.arraytypes import BoolArray
from dpwilcoxon.columns import WORD_DIGITS, Column, Kind
from dpwilcoxon.sources.duckdb_session import fetch_arrays
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_cells import TextCells
from dpwilcoxon.sources.text_sql import BLANKS, MISSING_WORDS, WORD, Cell
from dpwilcoxon.sources.wide_decimals import POWERS_OF_TEN, wide_difference_column

MICROSECONDS_PER_DAY = 86_400_000_000


def number_columns(
    table: Table,
    names: Sequence[str],
    parsed: Sequence[TextCells],
    *,
    differences_suffice: bool,
) -> list[Column]:
    """Make columns of numbers: of one word each, else of two, else of Python numbers."""
    places = _common_places(parsed)
    columns = [_decimal_column(cells, places) for cells in parsed]
    fitting = [column for column in columns if column is not None]
    if len(fitting) == len(columns):
        return fitting
    wide = wide_difference_column(parsed, places) if differences_suffice else None
    return _unlimited_columns(table, names) if wide is None else [wide]


def other_column(cells: TextCells) -> Column:
    """Make a column of true/false, dates or times."""
    present, missing = cells.kinds_present(), _missing(cells)
    if Cell.BOOLEAN in present:
        return Column(Kind.INTEGER, cells.digits, missing)
    if present == {Cell.DATE}:
        return Column(Kind.TIME, cells.digits, missing, unit="D")
    values = cells.digits.copy()
    values[cells.kinds == Cell.DATE] *= MICROSECONDS_PER_DAY
    return Column(Kind.TIME, values, missing, unit="us", zoned=Cell.ZONED in present)


def _common_places(parsed: Sequence[TextCells]) -> int:
    """The number of decimal places that holds every number of the columns; at least 0."""
    return int(max(cells.places.max(initial=0) for cells in parsed))


def _decimal_column(cells: TextCells, places: int) -> Column | None:
    """Make a column of one word per number, or return None if one does not fit."""
    if cells.upper is not None or cells.having(Cell.INFINITE, Cell.LONG).any():
        return None
    own_places = cells.places
    if (own_places == own_places[0]).all():
        own_places = own_places[:1]  # one factor for all, which is what most files need
    shift = places - own_places
    if shift.max() > WORD_DIGITS:
        return None
    factors = POWERS_OF_TEN[shift]
    limits = (WORD - 1) // factors
    if (cells.digits > limits).any() or (cells.digits < -limits).any():
        return None
    values = cells.digits if (factors == 1).all() else cells.digits * factors
    return Column(Kind.DECIMAL, values, _missing(cells), places=places)


def _missing(cells: TextCells) -> BoolArray | None:
    missing: BoolArray = cells.kinds == Cell.MISSING
    return missing if missing.any() else None


def _unlimited_columns(table: Table, names: Sequence[str]) -> list[Column]:
    """Make columns of Python numbers, for digits without limits. Slow, and rarely needed."""
    texts = ", ".join(f"coalesce(v{index}, '') AS t{index}" for index in range(len(names)))
    sql = f"SELECT {texts} FROM ({table.select(names)})"
    arrays = fetch_arrays(table.source, sql, table.explain)
    return [_unlimited_column(arrays[f"t{index}"].tolist()) for index in range(len(names))]


def _unlimited_column(texts: Sequence[str]) -> Column:
    words = [text.strip(BLANKS) for text in texts]
    missing = np.array([word.lower() in MISSING_WORDS for word in words], dtype=np.bool_)
    values = np.zeros(len(words), dtype=object)
    values[~missing] = [Decimal(words[index]) for index in np.flatnonzero(~missing)]
    return Column(Kind.OBJECT, values, missing)
