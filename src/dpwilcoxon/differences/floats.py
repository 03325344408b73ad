"""Differences beside floats: exact, then rounded once."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, BoolArray, IntArray, KeyArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences.compiled import subtract_compiled
from dpwilcoxon.differences.exact import exact_difference, exact_number, nearest_float
from dpwilcoxon.differences.result import Differences
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.statistics.chunks import CHUNK_ROWS, chunks
from dpwilcoxon.statistics.keys import ranked_keys, write_float_keys

LARGEST_EXACT = 2**53  # up to here every integer is a float64, so hardware rounds only once
FLOAT64 = np.dtype(np.float64)
LONG_DOUBLE = np.dtype(np.longdouble)  # on some machines no longer than a float64


def subtract_floats(
    columns: Sequence[Column], missing: BoolArray | None, step: Fraction | None
) -> Differences:
    """Subtract columns of which at least one holds floats."""
    divisor = None if step is None else _float_step(step)
    if any(column.values.dtype == LONG_DOUBLE != FLOAT64 for column in columns):
        return _subtract_long_doubles(columns, missing, divisor)
    arrays = [_nearest_floats(column) for column in columns]
    keys = np.empty(len(columns[0]), dtype=np.uint64)
    if missing is None and divisor is None and subtract_compiled(arrays, keys):
        return Differences(keys)
    workspace = np.empty(min(len(keys), CHUNK_ROWS), dtype=FLOAT64)
    n_missing, first_missing = 0, 0
    for rows in chunks(len(keys)):
        differences = workspace[: rows.stop - rows.start]
        _write_differences([array[rows] for array in arrays], divisor, differences)
        absent = np.isnan(differences)
        if missing is not None:
            absent |= missing[rows]
        if absent.any():
            first_missing = first_missing if n_missing else rows.start + int(np.argmax(absent))
            n_missing += int(np.count_nonzero(absent))
            differences[absent] = 0.0
        write_float_keys(differences, keys[rows])
    _correct_large_integers(columns, missing, divisor, keys)
    return Differences(keys, n_missing, first_missing)


def _write_differences(arrays: Sequence[AnyArray], divisor: float | None, out: AnyArray) -> None:
    """Subtract, and count in steps: the nearest whole number, halves to even."""
    with np.errstate(all="ignore"):  # an overflow is infinity, and NaN is looked for afterwards
        if len(arrays) == 1:
            np.copyto(out, arrays[0])
        else:
            np.subtract(arrays[0], arrays[1], out=out, dtype=out.dtype)
        if divisor is not None:
            np.divide(out, divisor, out=out)
            np.rint(out, out=out)


def _float_step(step: Fraction) -> float:
    divisor = nearest_float(step)
    if divisor in (0.0, sys.float_info.max):
        raise InvalidArgument(
            "`resolution` must lie in the range of floating-point numbers, like the differences."
        )
    return divisor


def _nearest_floats(column: Column) -> AnyArray:
    """Return numbers that are float64 already, or that numpy rounds to float64 by itself."""
    if column.kind is Kind.DECIMAL:
        one = 10**column.places  # Python rounds the quotient of two integers once
        return np.array([value / one for value in column.values.tolist()], dtype=FLOAT64)
    if column.kind is Kind.OBJECT:
        return np.array([nearest_float(value) for value in column.values], dtype=FLOAT64)
    return column.values


def _correct_large_integers(
    columns: Sequence[Column], missing: BoolArray | None, divisor: float | None, keys: KeyArray
) -> None:
    """Replace the keys of rows with integers that are no float64, from the exact differences."""
    rows = np.unique(np.concatenate([_large_integers(column, missing) for column in columns]))
    if len(rows) == 0:
        return
    exact = [_difference_rounded_once(columns, row) for row in rows]
    differences = np.empty(len(rows), dtype=FLOAT64)
    _write_differences([np.array(exact, dtype=FLOAT64)], divisor, differences)
    corrected = np.empty(len(rows), dtype=np.uint64)
    write_float_keys(differences, corrected)
    keys[rows] = corrected


def _large_integers(column: Column, missing: BoolArray | None) -> IntArray:
    """Return the rows whose integer float64 would round."""
    values = column.values
    if column.kind is Kind.INTEGER and values.dtype.itemsize == FLOAT64.itemsize:
        large = values > LARGEST_EXACT
        if values.dtype.kind == "i":
            large |= values < -LARGEST_EXACT
    elif column.kind is Kind.OBJECT:
        large = np.array([_is_large_integer(value) for value in values], dtype=np.bool_)
    else:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(large if missing is None else large & ~missing)


def _is_large_integer(value: object) -> bool:
    return isinstance(value, int) and abs(value) > LARGEST_EXACT


def _difference_rounded_once(columns: Sequence[Column], row: int) -> float:
    values = [column.values[row] for column in columns]
    if any(isinstance(value, np.floating) and math.isnan(value) for value in values):
        return 0.0  # counted as missing before
    difference = exact_difference(*(exact_number(value) for value in values))
    return 0.0 if difference is None else nearest_float(difference)


def _subtract_long_doubles(
    columns: Sequence[Column], missing: BoolArray | None, divisor: float | None
) -> Differences:
    differences = np.empty(len(columns[0]), dtype=LONG_DOUBLE)
    _write_differences([_long_doubles(column) for column in columns], divisor, differences)
    absent = np.isnan(differences)
    if missing is not None:
        absent |= missing
    differences[absent] = 0
    keys = ranked_keys(np.abs(differences), differences < 0)
    return Differences.of(keys, absent, comparable=False)


def _long_doubles(column: Column) -> AnyArray:
    """Return numbers for subtraction in long double, which holds every 64-bit integer."""
    if column.kind is not Kind.OBJECT:
        return _nearest_floats(column)
    return np.array(
        [
            np.longdouble(str(value)) if isinstance(value, int) else nearest_float(value)
            for value in column.values
        ],
        dtype=LONG_DOUBLE,
    )
