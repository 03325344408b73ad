"""Python values as columns: the exact number behind every int, Decimal, Fraction, date, ...

The type of a column is the narrowest that holds every value without loss, except that integers
among floats become floats, as they do in numpy: only such integers, therefore, that floats hold
and subtract without loss. What a value is worth never depends on the values beside it.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, BoolArray
from dpwilcoxon.columns import LARGEST_AMONG_FLOATS, WORD_DIGITS, Column, Kind
from dpwilcoxon.differences.units import MONTHS, unit_of
from dpwilcoxon.errors import DataError
from dpwilcoxon.sources.time_arrays import time_column, too_far

LARGEST_FLOAT_INTEGER = 2**53
LEAST, LARGEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
FIRST_DAY = date(1970, 1, 1).toordinal()
FIRST_MOMENT = datetime(1970, 1, 1)  # noqa: DTZ001  # for the times without a zone
WANTED = "numbers, true/false, dates or durations"
MICROSECOND = timedelta(microseconds=1)


class Family(enum.Enum):
    """Types that are read in the same way, by what an error message calls them."""

    MISSING = "missing values"
    INTEGER = "integers"
    FLOAT = "floats"
    EXACT = "decimals or fractions"
    DATE = "dates"
    TIME = "times"
    DURATION = "durations"
    NUMPY_TIME = "numpy times"
    NUMPY_DURATION = "numpy durations"
    TEXT = "text"
    OTHER = "values of other types"


TYPES: tuple[tuple[Family, tuple[type, ...]], ...] = (  # the first that fits
    (Family.MISSING, (type(None), type(np.ma.masked))),
    (Family.NUMPY_DURATION, (np.timedelta64,)),  # which is an integer to numpy
    (Family.NUMPY_TIME, (np.datetime64,)),
    (Family.INTEGER, (Integral, np.bool_)),
    (Family.FLOAT, (float, np.floating)),
    (Family.EXACT, (Decimal, Rational)),
    (Family.TIME, (datetime,)),
    (Family.DATE, (date,)),
    (Family.DURATION, (timedelta,)),
    (Family.TEXT, (str, bytes)),
)
FLOATS = (float, np.floating)
PANDAS_MISSING = ("NAType", "NaTType")


def values_column(values: Sequence[Any], name: str) -> Column:
    """Take Python values that go together as a column; None, NaN, NaT and NA are missing."""
    families = {each: _family(each) for each in set(map(type, values))}
    missing = np.array([_is_missing(value, families) for value in values], dtype=np.bool_)
    present = set(families.values()) - {Family.MISSING}
    for accepted, read in READERS:
        if present <= accepted:
            known = [value for value, skip in zip(values, missing, strict=True) if not skip]
            return _spread(replace(read(known, name), name=name), missing)
    raise _stranger(values, families, name)


def _family(each: type) -> Family:
    if each.__name__ in PANDAS_MISSING and each.__module__.startswith("pandas"):
        return Family.MISSING
    return next((family for family, types in TYPES if issubclass(each, types)), Family.OTHER)


def _is_missing(value: Any, families: dict[type, Family]) -> bool:
    family = families[type(value)]
    return family is Family.MISSING or (
        family is Family.EXACT and isinstance(value, Decimal) and value.is_nan()
    )


def _spread(column: Column, missing: BoolArray) -> Column:
    """Put the known values back into their rows."""
    if not missing.any():
        return column
    values = np.zeros(len(missing), dtype=column.values.dtype)
    values[~missing] = column.values
    return replace(column, values=values, missing=missing)


def wrong_type(name: str, found: str) -> DataError:
    """Say that a column holds what cannot be measured; `found` must not be a value."""
    return DataError(f"`{name}` holds {found}; a column of {WANTED} is needed.")


def _stranger(values: Sequence[Any], families: dict[type, Family], name: str) -> DataError:
    """Say which row does not belong, by its type."""
    for row, value in enumerate(values, start=1):
        if families[type(value)] is Family.TEXT:
            return wrong_type(name, f"text in row {row}")
        if families[type(value)] is Family.OTHER:
            return wrong_type(name, f"a value of type {type(value).__name__} in row {row}")
    found = sorted(family.value for family in set(families.values()) - {Family.MISSING})
    return DataError(f"`{name}` mixes {' and '.join(found)}; bring its values to one type.")


def _integers(values: list[Any], _: str) -> Column:
    whole = [int(value) for value in values]
    for dtype in (np.int64, np.uint64):
        try:
            return Column(Kind.INTEGER, np.array(whole, dtype=dtype))
        except OverflowError:
            continue
    return Column(Kind.OBJECT, _objects(whole))


def _floats(values: list[Any], name: str) -> Column:
    whole = [value for value in values if isinstance(value, Integral | np.bool_)]
    if any(abs(int(value)) > LARGEST_AMONG_FLOATS for value in whole):
        raise DataError(
            f"`{name}` mixes floats with integers beyond 2^52, of which floats do not hold every "
            "digit; pass integers or decimals alone."
        )
    long = {isinstance(value, np.longdouble) for value in values if isinstance(value, FLOATS)}
    if len(long) > 1:
        raise DataError(f"`{name}` mixes long doubles with other floats; give all one type.")
    dtype = np.longdouble if True in long else np.float64
    return Column(
        Kind.FLOAT,
        np.array(values, dtype=dtype),
        floats_among_integers=len(values) - len(whole) if whole else 0,
    )


def _exact(values: list[Any], _: str) -> Column:
    if any(isinstance(value, Decimal) and value.is_infinite() for value in values):
        return Column(Kind.OBJECT, _objects([_fraction_or_infinity(value) for value in values]))
    ratios = [_ratio(value) for value in values]
    denominator = math.lcm(*(below for _, below in ratios))
    places = next((p for p in range(WORD_DIGITS + 1) if 10**p % denominator == 0), None)
    if places is not None:
        scaled = [above * (10**places // below) for above, below in ratios]
        large = [value for value in values if _is_large_integer(value)]
        if not large and all(LEAST <= value <= LARGEST for value in scaled):
            return Column(Kind.DECIMAL, np.array(scaled, dtype=np.int64), places=places)
    return Column(
        Kind.OBJECT,
        _objects(
            [
                int(value) if _is_large_integer(value) else Fraction(*ratio)
                for value, ratio in zip(values, ratios, strict=True)
            ]
        ),
    )


def _is_large_integer(value: Any) -> bool:
    """Whether a value is an integer that is not a float64, which stays exact beside floats."""
    return isinstance(value, Integral) and abs(int(value)) > LARGEST_FLOAT_INTEGER


def _ratio(value: Any) -> tuple[int, int]:
    if isinstance(value, Decimal):
        return value.as_integer_ratio()
    if isinstance(value, Rational):
        return int(value.numerator), int(value.denominator)
    return int(value), 1


def _fraction_or_infinity(value: Any) -> Fraction | float | int:
    if isinstance(value, Decimal) and value.is_infinite():
        return float(value)
    if _is_large_integer(value):
        return int(value)
    return Fraction(*_ratio(value))


def _objects(values: Sequence[object]) -> AnyArray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _dates(values: list[Any], _: str) -> Column:
    days = [value.toordinal() - FIRST_DAY for value in values]
    return Column(Kind.TIME, np.array(days, dtype=np.int64), unit="D")


def _times(values: list[Any], name: str) -> Column:
    moments = [
        value if isinstance(value, datetime) else datetime.combine(value, time())
        for value in values
    ]
    zoned = {moment.utcoffset() is not None for moment in moments}
    if len(zoned) > 1:
        raise DataError(
            f"`{name}` mixes times with and without a time zone; give all of them one, or none."
        )
    start = FIRST_MOMENT.replace(tzinfo=UTC) if True in zoned else FIRST_MOMENT
    passed = [(moment - start) // MICROSECOND for moment in moments]
    nanoseconds = [getattr(moment, "nanosecond", 0) for moment in moments]  # of pandas
    column = _clock(Kind.TIME, passed, nanoseconds, name)
    return replace(column, zoned=True in zoned)


def _durations(values: list[Any], name: str) -> Column:
    passed = [value // MICROSECOND for value in values]
    nanoseconds = [getattr(value, "nanoseconds", 0) for value in values]  # of pandas
    return _clock(Kind.DURATION, passed, nanoseconds, name)


def _clock(kind: Kind, microseconds: list[int], nanoseconds: list[int], name: str) -> Column:
    unit, values = "us", microseconds
    if any(nanoseconds):
        unit = "ns"
        values = [1000 * us + ns for us, ns in zip(microseconds, nanoseconds, strict=True)]
    try:
        return Column(kind, np.array(values, dtype=np.int64), unit=unit)
    except OverflowError:
        raise DataError(
            f"`{name}` spans too many years to count its nanoseconds in 64 bits; round its times "
            "to microseconds."
        ) from None


def _numpy_times(values: list[Any], name: str) -> Column:
    """Times of numpy, each with a unit of its own: exactly, in the finest of these."""
    missing = np.array([bool(np.isnat(value)) for value in values], dtype=np.bool_)
    known = [value for value, gap in zip(values, missing, strict=True) if not gap]
    if len({np.datetime_data(value.dtype) for value in known}) < 2:  # noqa: PLR2004 - one unit
        return time_column(np.array(values, dtype=known[0].dtype if known else None), name)
    columns = [time_column(np.array([value]), name) for value in known]
    if len({each.unit in MONTHS for each in columns}) > 1:
        raise DataError(
            f"`{name}` mixes months with units of fixed length; convert all to days or to a "
            "shorter unit."
        )
    worth = [unit_of(each) for each in columns]
    finest = columns[worth.index(min(worth))]
    whole = [
        int(each.values[0]) * int(value / min(worth))
        for each, value in zip(columns, worth, strict=True)
    ]
    try:
        numbers = np.array(whole, dtype=np.int64)
    except OverflowError:
        raise too_far(name) from None
    return _spread(replace(finest, values=numbers), missing)


READERS: tuple[tuple[set[Family], Callable[[list[Any], str], Column]], ...] = (
    ({Family.INTEGER}, _integers),
    ({Family.INTEGER, Family.FLOAT}, _floats),
    ({Family.INTEGER, Family.EXACT}, _exact),
    ({Family.DATE}, _dates),
    ({Family.DATE, Family.TIME}, _times),
    ({Family.DURATION}, _durations),
    ({Family.NUMPY_TIME}, _numpy_times),
    ({Family.NUMPY_DURATION}, _numpy_times),
)
