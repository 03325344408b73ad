"""Columns that have a type already, as in Parquet: each type has one exact reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import WORD_DIGITS, Column, Kind
from dpwilcoxon.errors import SourceError

_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
# Types without a 64-bit form go through their text, which is exact.
TEXT_TYPES = ("VARCHAR", "ENUM", "HUGEINT", "UHUGEINT", "DECIMAL")
ZONED_TYPE = "TIMESTAMP WITH TIME ZONE"


@dataclass(frozen=True)
class TypedReading:
    """How to select a column, with {} for its name, and what the selected values are."""

    sql: str
    kind: Kind
    unit: str = ""
    places: int = 0
    zoned: bool = False

    @property
    def endless(self) -> str | None:
        """SQL with {} for the column, of times at infinity, which count as missing."""
        if self.kind is not Kind.TIME:
            return None
        value = "CAST({} AS TIMESTAMPTZ)" if self.zoned else "{}"  # of nanoseconds it is not known
        return f"NOT isfinite({value})"

    @property
    def missing(self) -> str:
        """SQL with {} for the column, of what is missing."""
        return "({} IS NULL" + (f" OR {self.endless})" if self.endless else ")")

    def expressions(self, index: int) -> str:
        """SQL for the values and the missing ones among v<index>."""
        value = f"v{index}"
        missing = self.missing.replace("{}", value)
        return (
            f"CASE WHEN {missing} THEN 0 ELSE {self.sql.format(value)} END AS value{index}, "
            f"{missing} AS missing{index}"
        )

    def column(self, index: int, arrays: Mapping[str, AnyArray]) -> Column:
        """Make the column of the fetched arrays."""
        missing = arrays[f"missing{index}"].astype(np.bool_)
        return Column(
            self.kind,
            arrays[f"value{index}"],
            missing if missing.any() else None,
            places=self.places,
            unit=self.unit,
            zoned=self.zoned,
        )


_INTEGER = TypedReading("{}::BIGINT", Kind.INTEGER)
_FLOAT = TypedReading("{}::DOUBLE", Kind.FLOAT)
_MICROSECONDS = TypedReading("epoch_us({})", Kind.TIME, "us")
READINGS = {
    "BOOLEAN": _INTEGER,
    "TINYINT": _INTEGER,
    "SMALLINT": _INTEGER,
    "INTEGER": _INTEGER,
    "BIGINT": _INTEGER,
    "UTINYINT": _INTEGER,
    "USMALLINT": _INTEGER,
    "UINTEGER": _INTEGER,
    "UBIGINT": TypedReading("{}", Kind.INTEGER),
    "FLOAT": _FLOAT,
    "DOUBLE": _FLOAT,
    "DATE": TypedReading("({} - DATE '1970-01-01')::BIGINT", Kind.TIME, "D"),
    "TIMESTAMP": _MICROSECONDS,
    "TIMESTAMP_S": _MICROSECONDS,
    "TIMESTAMP_MS": _MICROSECONDS,
    "TIMESTAMP_NS": TypedReading("epoch_ns({})", Kind.TIME, "ns"),
    ZONED_TYPE: TypedReading("epoch_us({})", Kind.TIME, "us", zoned=True),
    "TIMESTAMPTZ_NS": TypedReading("epoch_ns({})", Kind.TIME, "ns", zoned=True),
}


def whole_decimal(digits: int, places: int) -> str:
    """SQL for a decimal of up to 18 digits, {}, without its point.

    Few digits are multiplied in 64 bits, fifty times faster than in the 128 that many need.
    """
    factor = f"CAST({10**places} AS DECIMAL({places + 1}, 0))"
    if digits + places + 1 <= WORD_DIGITS:
        return f"CAST({{}} * {factor} AS BIGINT)"
    return f"CAST(CAST({{}} AS DECIMAL(38, {places})) * {factor} AS BIGINT)"


def reading_of_type(duckdb_type: str, name: str) -> TypedReading | None:
    """Return how to read a column of this type; None if it must go through its text."""
    if duckdb_type in READINGS:
        return READINGS[duckdb_type]
    if match := _DECIMAL.fullmatch(duckdb_type):
        digits, places = int(match[1]), int(match[2])
        if digits <= WORD_DIGITS:
            return TypedReading(whole_decimal(digits, places), Kind.DECIMAL, places=places)
    base = duckdb_type.partition("(")[0]
    if base in TEXT_TYPES and not duckdb_type.endswith("]"):
        return None
    raise SourceError(
        f"Column {name!r} has type {base}, which is not a measurement; a column of numbers, "
        "true/false, dates or timestamps is needed (store durations as numbers)."
    )
