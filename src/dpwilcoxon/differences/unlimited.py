"""Exact differences without limits, in Python numbers: slow, for the rare data that needs it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpwilcoxon.arraytypes import BoolArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences.exact import exact_difference, exact_number
from dpwilcoxon.differences.result import Differences
from dpwilcoxon.differences.units import unit_of
from dpwilcoxon.statistics.keys import ExactNumber, object_keys


def subtract_unlimited(
    columns: Sequence[Column], missing: BoolArray | None, step: Fraction | None
) -> Differences:
    """Subtract columns of any kind but floats."""
    differences: list[ExactNumber | None] = list(exact_numbers(columns[0], missing))
    if len(columns) > 1:
        pairs = zip(differences, exact_numbers(columns[1], missing), strict=True)
        differences = [None if x is None else exact_difference(x, y) for x, y in pairs]
    absent = np.array([each is None for each in differences], dtype=np.bool_)
    if missing is not None:
        absent |= missing
    keys = object_keys([0 if each is None else _rounded(each, step) for each in differences])
    return Differences.of(keys, absent, comparable=False)


def exact_numbers(column: Column, missing: BoolArray | None) -> list[ExactNumber]:
    """Return the values of a column as exact numbers, with zero where a row is missing."""
    values = column.values if missing is None else np.where(missing, 0, column.values)
    numbers = [exact_number(value) for value in values.tolist()]
    if column.kind in (Kind.INTEGER, Kind.OBJECT):
        return numbers
    unit = unit_of(column)
    return [number * unit for number in numbers]


def _rounded(difference: ExactNumber, step: Fraction | None) -> ExactNumber:
    if step is None or isinstance(difference, float):
        return difference
    return round(Fraction(difference) / step)
