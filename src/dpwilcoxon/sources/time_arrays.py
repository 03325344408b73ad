"""datetime64 and timedelta64 arrays as columns."""

from __future__ import annotations

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.errors import DataError

KINDS = {"M": Kind.TIME, "m": Kind.DURATION}
CALENDAR_UNITS = ("Y", "M")  # of timestamps they are whole days, of durations they are not
NOT_A_TIME = np.iinfo(np.int64).min
LARGEST = np.iinfo(np.int64).max


def time_column(array: AnyArray, name: str, *, zoned: bool = False) -> Column:
    """Take an array of datetime64 or timedelta64 as a column; NaT is missing."""
    unit, count = np.datetime_data(array.dtype)
    if unit == "generic":
        raise DataError(f"`{name}` holds dates or durations without a unit; give them one.")
    if array.dtype.kind == "M" and unit in CALENDAR_UNITS:
        return time_column(_calendar_days(array, name), name, zoned=zoned)
    values = array.view(np.int64)
    missing = values == NOT_A_TIME
    if missing.any():
        values = np.where(missing, 0, values)
    column = Column(
        KINDS[array.dtype.kind],
        _single_units(values, count, name),
        unit=unit,
        zoned=zoned,
        name=name,
    )
    return column.with_missing(missing)


def _calendar_days(array: AnyArray, name: str) -> AnyArray:
    days = array.astype("datetime64[D]")
    if np.any((days.astype(array.dtype) != array) & ~np.isnat(array)):
        raise too_far(name)
    return days


def _single_units(values: AnyArray, count: int, name: str) -> AnyArray:
    if count == 1:
        return values
    if np.any((values > LARGEST // count) | (values < -LARGEST // count)):
        raise too_far(name)
    return values * count


def too_far(name: str) -> DataError:
    """Say that 64 bits are too few, without the value."""
    return DataError(f"`{name}` holds dates or durations that do not fit 64 bits.")
