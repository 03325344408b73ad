"""Columns of exact numbers out of parsed text cells.

Every way through here is exact. That is a matter of privacy, not only of taste: if one unusual
value made the others be computed differently, replacing one row could change many ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from dpwilcoxon.arraytypes import BoolArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.sources.duckdb_session import fetch_arrays
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_cells import (
    BLANKS,
    LARGEST_DIGITS,
    LONG,
    MISSING_WORDS,
    Cell,
    TextCells,
    is_infinite,
    is_number,
    number_parts,
    numbered_rows,
    trimmed,
)

MOST_PLACES = 18
MICROSECONDS_PER_DAY = 86_400_000_000
WIDE_LIMIT = 10**37  # scaled numbers below this are subtracted as 128-bit integers
WIDE_INFINITY = 4 * WIDE_LIMIT  # far above every number and every difference of numbers
TOO_WIDE = 2 * WIDE_INFINITY  # marks a number that does not fit
LIMB = 10**19  # splits a 128-bit difference into two words


def is_numeric(cells: TextCells) -> bool:
    """Whether a column holds numbers, or nothing at all."""
    return cells.kinds_present() <= {Cell.NUMBER, Cell.INFINITE}


def decimal_columns(parsed: Sequence[TextCells]) -> list[Column] | None:
    """Bring number columns to one number of places, or return None if 18 digits do not do."""
    places = common_places(parsed)
    columns = [_decimal_column(cells, places) for cells in parsed]
    fitting = [column for column in columns if column is not None]
    return fitting if len(fitting) == len(columns) else None


def common_places(parsed: Sequence[TextCells]) -> int:
    """The number of decimal places that holds every number of the columns."""
    most = [
        cells.places.max(initial=0, where=cells.kinds == Cell.NUMBER)  # at least 0
        for cells in parsed
    ]
    return int(max(most))


def other_column(cells: TextCells) -> Column:
    """Make a column of true/false, dates or times."""
    present, missing = cells.kinds_present(), _missing(cells)
    values = np.where(cells.kinds == Cell.MISSING, 0, cells.digits)
    if Cell.BOOLEAN in present:
        return Column(Kind.INTEGER, values, missing)
    if present == {Cell.DATE}:
        return Column(Kind.TIME, values, missing, unit="D")
    values[cells.kinds == Cell.DATE] *= MICROSECONDS_PER_DAY
    return Column(Kind.TIME, values, missing, unit="us", zoned=Cell.ZONED in present)


def wide_difference_column(
    table: Table, names: Sequence[str], parsed: Sequence[TextCells]
) -> Column | None:
    """Subtract number columns as 128-bit integers, or return None if they do not fit either.

    Signed ranks need the order of the differences and nothing else, so the column holds the
    place of each difference among their sizes, with its sign, instead of the difference.
    """
    sql = _wide_sql(table, names, common_places(parsed))
    arrays = fetch_arrays(table.source, sql, table.explain)
    if not arrays["fits"].all():
        return None
    order = np.lexsort((arrays["low"], arrays["high"]))
    high, low = arrays["high"][order], arrays["low"][order]
    is_larger = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    rows = arrays["row"][order]
    values = np.empty(len(rows), dtype=np.int64)
    values[rows] = arrays["sign"][order] * np.concatenate(([1], 1 + np.cumsum(is_larger)))
    missing = np.empty(len(rows), dtype=np.bool_)
    missing[rows] = arrays["missing"][order]
    return Column(Kind.INTEGER, values, missing)


def unlimited_columns(table: Table, names: Sequence[str]) -> list[Column]:
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


def _decimal_column(cells: TextCells, places: int) -> Column | None:
    number = cells.kinds == Cell.NUMBER
    if cells.having(Cell.INFINITE).any() or (number & (cells.digits == LONG)).any():
        return None
    digits = np.where(number, cells.digits, 0)
    shift = np.where(digits == 0, 0, places - cells.places)
    if shift.max(initial=0) > MOST_PLACES:
        return None
    powers = 10 ** np.arange(MOST_PLACES + 1, dtype=np.int64)
    factor = powers[shift]
    if (np.abs(digits) > (LARGEST_DIGITS - 1) // factor).any():
        return None
    return Column(Kind.DECIMAL, digits * factor, _missing(cells), places=places)


def _missing(cells: TextCells) -> BoolArray | None:
    missing: BoolArray = cells.kinds == Cell.MISSING
    return missing if missing.any() else None


def _wide_sql(table: Table, names: Sequence[str], places: int) -> str:
    each = [f"x{index}" for index in range(len(names))]
    texts = ", ".join(f"{trimmed(f'v{index}')} AS t{index}" for index in range(len(names)))
    scaled = ", ".join(f"{_scaled(f't{index}', places)} AS x{index}" for index in range(len(names)))
    fits = " AND ".join(f"coalesce(abs({x}) <= {WIDE_INFINITY}, true)" for x in each)
    missing = " OR ".join(f"{x} IS NULL" for x in each)
    if len(each) > 1:  # infinity minus infinity
        missing += f" OR ({each[0]} = {each[1]} AND abs({each[0]}) = {WIDE_INFINITY})"
    difference = f"CASE WHEN {fits} AND NOT ({missing}) THEN {' - '.join(each)} ELSE 0 END"
    size = f"CASE WHEN abs(d) > {2 * WIDE_LIMIT} THEN {2 * WIDE_INFINITY} ELSE abs(d) END"
    return f"""
        WITH texts AS MATERIALIZED (SELECT row, {texts} FROM ({numbered_rows(table, names)})),
        scaled AS MATERIALIZED (SELECT row, {scaled} FROM texts),
        differences AS MATERIALIZED (
            SELECT row, {fits} AS fits, {missing} AS missing, {difference} AS d FROM scaled
        ),
        sizes AS MATERIALIZED (SELECT *, {size} AS size FROM differences)
        SELECT row, fits, missing, sign(d)::BIGINT AS sign,
            (size // {LIMB})::BIGINT AS high, (size % {LIMB})::UBIGINT AS low
        FROM sizes"""


def _scaled(text: str, places: int) -> str:
    """SQL for a number as a multiple of 10^-places: appending zeros cannot overflow."""
    digits, own_places = number_parts(text)
    number = f"try_cast({digits} || repeat('0', {places} - {own_places}) AS HUGEINT)"
    return f"""CASE
        WHEN {is_number(text)} THEN
            CASE WHEN abs({number}) < {WIDE_LIMIT} THEN {number} ELSE {TOO_WIDE} END
        WHEN {is_infinite(text)} THEN
            CASE WHEN {text} LIKE '-%' THEN -{WIDE_INFINITY} ELSE {WIDE_INFINITY} END
        END::HUGEINT"""
