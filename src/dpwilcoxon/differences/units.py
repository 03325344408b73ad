"""The unit in which the values of two columns are both whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.errors import DataError

SECONDS = {
    "W": Fraction(604_800),
    "D": Fraction(86_400),
    "h": Fraction(3_600),
    "m": Fraction(60),
    **{prefix + "s": Fraction(1, 1000**power) for power, prefix in enumerate(["", *"munpfa"])},
}
MONTHS = {"Y": Fraction(12), "M": Fraction(1)}


def unit_of(column: Column) -> Fraction:
    """Return what one unit of a column's integers is worth."""
    if column.kind is Kind.DECIMAL:
        return Fraction(1, 10**column.places)
    return {**SECONDS, **MONTHS}.get(column.unit, Fraction(1))


def common_unit(columns: Sequence[Column]) -> tuple[Fraction, list[int]]:
    """Return the finest unit, and how many of it are one unit of each column."""
    units = [column.unit for column in columns]
    if any(unit in MONTHS for unit in units) and not all(unit in MONTHS for unit in units):
        raise DataError(
            "Months cannot be compared with units of fixed length; convert both columns to days "
            "or to a shorter unit."
        )
    worth = [unit_of(column) for column in columns]
    finest = min(worth)
    return finest, [int(each / finest) for each in worth]
