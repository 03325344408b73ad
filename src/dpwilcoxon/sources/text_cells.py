"""Text cells as exact numbers, parsed by DuckDB column by column.

A cell is digits and a number of decimal places: ``120.1`` is 1201 with one place, ``1.5e3`` is
15 with minus two. Most cells are plain decimals and are done in one scan; the odd ones (blanks,
exponents, dates, words) are looked at again on their own. No row passes through Python.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, BoolArray, IntArray
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import fetch_arrays, quoted_text
from dpwilcoxon.sources.tables import Table

MISSING_WORDS = ("", "na", "n/a", "nan", "+nan", "-nan", "null", "none")
BLANKS = " \t\r\n\u00a0"
LONG = np.iinfo(np.int64).min  # stands for digits that are too many for `digits`
LARGEST_DIGITS = 10**18  # so that a difference of two still is a 64-bit integer
LARGEST_EXPONENT = 400  # beyond every double; larger ones would be astronomic as decimals

PLAIN = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
SCIENTIFIC = PLAIN + r"[eE][+-]?[0-9]+"
INFINITE = r"[+-]?inf(?:inity)?"
DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIMESTAMP = DATE + r"[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
ZONED = TIMESTAMP + r" ?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)"


class Cell(enum.IntEnum):
    """What a text cell holds."""

    MISSING = 0
    NUMBER = 1
    ODD = 2  # to be looked at again
    INFINITE = 3
    BOOLEAN = 4
    DATE = 5
    TIMESTAMP = 6
    ZONED = 7
    EXTREME = 8  # a number with an absurd exponent
    TEXT = 9


@dataclass(frozen=True)
class TextCells:
    """The cells of one text column."""

    kinds: AnyArray
    digits: IntArray
    places: AnyArray

    def having(self, *kinds: Cell) -> BoolArray:
        """Which cells are of one of these kinds."""
        return np.asarray(np.isin(self.kinds, kinds), dtype=np.bool_)

    def kinds_present(self) -> frozenset[Cell]:
        """The kinds that occur, other than missing."""
        counts = np.bincount(self.kinds, minlength=len(Cell))
        return frozenset(Cell(kind) for kind in np.flatnonzero(counts).tolist()) - {Cell.MISSING}


def first_look(index: int) -> str:
    """SQL for the kind, digits and places of v<index>, right wherever it is a plain decimal."""
    value = f"v{index}"
    return f"""
        (CASE WHEN {value} IS NULL THEN {Cell.MISSING}
            WHEN {_matches(value, PLAIN)} THEN {Cell.NUMBER}
            ELSE {Cell.ODD} END)::TINYINT AS kind{index},
        {_digits(value)} AS digits{index},
        coalesce({_places(value)}, 0)::INTEGER AS places{index}"""


def cells_after_first_look(index: int, arrays: Mapping[str, AnyArray]) -> TextCells:
    """Take the result of :func:`first_look` out of the fetched arrays."""
    return TextCells(arrays[f"kind{index}"], arrays[f"digits{index}"], arrays[f"places{index}"])


def second_look(table: Table, name: str, cells: TextCells) -> TextCells:
    """Look at the odd cells of a column again, and check that all is of one kind."""
    if Cell.ODD in cells.kinds_present():
        odd = np.flatnonzero(cells.kinds == Cell.ODD)
        again = fetch_arrays(table.source, _odd_cells_sql(table, name), table.explain)
        if not np.array_equal(np.sort(again["row"]), odd):
            raise SourceError(f"{table.source.label} changed while it was read; try again.")
        parts = zip(
            (cells.kinds, cells.digits, cells.places),
            (again["kind"], again["digits"], again["places"]),
            strict=True,
        )
        cells = TextCells(*(_patched(whole, again["row"], part) for whole, part in parts))
    _check_kinds(table, name, cells)
    return cells


def numbered_rows(table: Table, names: Sequence[str]) -> str:
    """SQL for the columns and the number of each row, since later steps may change the order."""
    values = ", ".join(f"v{index}" for index in range(len(names)))
    return f"SELECT row_number() OVER () - 1 AS row, {values} FROM ({table.select(names)})"


def number_parts(text: str) -> tuple[str, str]:
    """SQL for the digits, as text, and the decimal places of any number."""
    mantissa = f"split_part(lower({text}), 'e', 1)"
    exponent = f"coalesce(try_cast(split_part(lower({text}), 'e', 2) AS INTEGER), 0)"
    return f"replace({mantissa}, '.', '')", f"({_places(mantissa)} - {exponent})"


def is_number(text: str) -> str:
    """SQL that is true for any finite number."""
    return f"({_matches(text, PLAIN)} OR {_matches(text, SCIENTIFIC)})"


def is_infinite(text: str) -> str:
    """SQL that is true for an infinity of either sign."""
    return _matches(f"lower({text})", INFINITE)


def trimmed(value: str) -> str:
    """SQL for a cell without the blanks around it."""
    return f"trim({value}, {quoted_text(BLANKS)})"


def _odd_cells_sql(table: Table, name: str) -> str:
    number, places = number_parts("t")
    kind = f"""CASE
        WHEN {_matches("t", PLAIN)} THEN {Cell.NUMBER}
        WHEN lower(t) IN ({", ".join(quoted_text(word) for word in MISSING_WORDS)})
            THEN {Cell.MISSING}
        WHEN {_matches("t", SCIENTIFIC)} THEN
            CASE WHEN abs(try_cast(split_part(lower(t), 'e', 2) AS INTEGER)) <= {LARGEST_EXPONENT}
            THEN {Cell.NUMBER} ELSE {Cell.EXTREME} END
        WHEN {is_infinite("t")} THEN {Cell.INFINITE}
        WHEN lower(t) IN ('true', 'false') THEN {Cell.BOOLEAN}
        WHEN {_matches("t", DATE)} AND try_cast(t AS DATE) IS NOT NULL THEN {Cell.DATE}
        WHEN {_matches("t", TIMESTAMP)} AND try_cast(t AS TIMESTAMP) IS NOT NULL
            THEN {Cell.TIMESTAMP}
        WHEN {_matches("t", ZONED)} AND try_cast(t AS TIMESTAMPTZ) IS NOT NULL THEN {Cell.ZONED}
        ELSE {Cell.TEXT} END"""
    digits = f"""CASE kind
        WHEN {Cell.NUMBER} THEN {_digits(number)}
        WHEN {Cell.INFINITE} THEN CASE WHEN t LIKE '-%' THEN -1 ELSE 1 END
        WHEN {Cell.BOOLEAN} THEN (lower(t) = 'true')::BIGINT
        WHEN {Cell.DATE} THEN try_cast(t AS DATE) - DATE '1970-01-01'
        WHEN {Cell.TIMESTAMP} THEN epoch_us(try_cast(t AS TIMESTAMP))
        WHEN {Cell.ZONED} THEN epoch_us(try_cast(t AS TIMESTAMPTZ))
        ELSE 0 END"""
    odd = f"v0 IS NOT NULL AND NOT {_matches('v0', PLAIN)}"
    return f"""
        WITH trimmed AS MATERIALIZED (
            SELECT row, {trimmed("v0")} AS t FROM ({numbered_rows(table, [name])}) WHERE {odd}
        ), seen AS MATERIALIZED (SELECT row, t, ({kind})::TINYINT AS kind FROM trimmed)
        SELECT row, kind, ({digits})::BIGINT AS digits,
            (CASE kind WHEN {Cell.NUMBER} THEN {places} ELSE 0 END)::INTEGER AS places
        FROM seen"""


def _matches(text: str, pattern: str) -> str:
    return f"regexp_full_match({text}, {quoted_text(pattern)})"


def _digits(text: str) -> str:
    """SQL for the digits of a decimal without its point, or LONG."""
    return f"coalesce(try_cast(replace({text}, '.', '') AS BIGINT), {LONG})"


def _places(text: str) -> str:
    """SQL for the number of digits behind the point."""
    return f"CASE WHEN instr({text}, '.') = 0 THEN 0 ELSE strlen({text}) - instr({text}, '.') END"


def _patched(whole: AnyArray, where: AnyArray, part: AnyArray) -> AnyArray:
    result = whole.copy()
    result[where] = part
    return result


def _check_kinds(table: Table, name: str, cells: TextCells) -> None:
    present = cells.kinds_present()
    for kind, problem in (
        (Cell.TEXT, "text where a number is needed"),
        (Cell.EXTREME, f"a number with an exponent beyond {LARGEST_EXPONENT}"),
    ):
        if kind in present:
            row = table.describe_row(int(np.argmax(cells.kinds == kind)))
            raise SourceError(
                f"Column {name!r} holds {problem}, first in {row}; correct it, or leave the cell "
                "empty if the value is missing."
            )
    families = [family for family in _FAMILIES if present & family]
    if len(families) > 1:
        usual = max(families, key=lambda family: int(cells.having(*family).sum()))
        stranger = ~cells.having(*usual, Cell.MISSING)
        row = table.describe_row(int(np.argmax(stranger)))
        raise SourceError(
            f"Column {name!r} mixes numbers, true/false, dates or times, first in {row}; write "
            "all of its values in one way."
        )


_FAMILIES = (
    frozenset({Cell.NUMBER, Cell.INFINITE}),
    frozenset({Cell.BOOLEAN}),
    frozenset({Cell.DATE, Cell.TIMESTAMP}),
    frozenset({Cell.ZONED}),
)
