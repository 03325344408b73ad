"""Python values, alone and mixed."""

import math
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.python_values import values_column

PARIS = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, True, np.int8(-3), np.bool_(1)], np.int64),
        ([-(2**63), 2**63 - 1], np.int64),
        ([0, 2**63, 2**64 - 1], np.uint64),
        ([-1, 2**63], object),
        ([2**64], object),
    ],
)
def test_integers_of_any_size(values, dtype):
    """In 64 bits where they fit, and never as floats."""
    column = values_column(values, "x")
    assert column.kind is (Kind.OBJECT if dtype is object else Kind.INTEGER)
    assert column.values.dtype == dtype
    assert column.values.tolist() == values


def test_integers_among_floats_are_floats():
    """As in numpy; NaN and None are missing."""
    column = values_column([1, 2.5, np.float32(0.5), math.nan, None, math.inf], "x")
    assert (column.kind, column.values.dtype) == (Kind.FLOAT, np.float64)
    assert np.array_equal(column.values, [1, 2.5, 0.5, math.nan, 0, math.inf], equal_nan=True)
    assert column.missing.tolist() == [False] * 4 + [True, False]


def test_long_doubles_are_kept():
    """A list of long doubles loses no digit."""
    value = np.longdouble(1) + np.finfo(np.longdouble).eps
    assert values_column([value, 2], "x").values[0] == value
    with pytest.raises(DataError, match="mixes long doubles with other floats"):
        values_column([value, 2.0], "x")


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False), min_size=1))
def test_decimals_are_exact(values):
    """As 64-bit multiples of a power of ten or, where that cannot be, as fractions."""
    column = values_column(values, "x")
    if column.kind is Kind.DECIMAL:
        found = [Fraction(value, 10**column.places) for value in column.values.tolist()]
    else:
        found = column.values.tolist()
    assert found == [Fraction(value) for value in values]


@pytest.mark.parametrize(
    ("values", "places", "expected"),
    [
        ([Decimal("120.1"), 118, Decimal("-0.25")], 2, [12010, 11800, -25]),
        ([Fraction(1, 4), Fraction(-3, 5)], 2, [25, -60]),
        ([Decimal("0.5"), np.bool_(1), np.int8(-3), True], 1, [5, 10, -30, 10]),
        ([Decimal("1E+3"), Decimal("1.50")], 1, [10000, 15]),
        ([Decimal("0.000000000000000001")], 18, [1]),
    ],
)
def test_decimals_have_as_many_places_as_they_need(values, places, expected):
    """Integers and decimal fractions among them."""
    column = values_column(values, "x")
    assert (column.kind, column.places) == (Kind.DECIMAL, places)
    assert column.values.tolist() == expected


@pytest.mark.parametrize(
    "values",
    [
        [Fraction(1, 3), 2],
        [Decimal("1e-19"), 2],
        [Decimal(2**63), 2],
        [Decimal("1e30"), Decimal("1e-30")],
    ],
)
def test_other_fractions_are_kept_as_they_are(values):
    """Among them an integer is a fraction too: all values of the column are of one type."""
    column = values_column(values, "x")
    assert column.kind is Kind.OBJECT
    assert column.values.tolist() == [Fraction(value) for value in values]
    assert all(isinstance(value, Fraction) for value in column.values)


def test_decimals_may_be_infinite_or_missing():
    """Decimal("NaN"), quiet or signalling, is missing."""
    values = [Decimal("Infinity"), Decimal("-Infinity"), Decimal("NaN"), Decimal("sNaN"), 5]
    column = values_column(values, "x")
    assert column.kind is Kind.OBJECT
    assert column.values.tolist() == [math.inf, -math.inf, 0, 0, Fraction(5)]
    assert column.missing.tolist() == [False, False, True, True, False]


def test_dates_are_days():
    """Counted from 1970, from the first year to the last."""
    column = values_column([date(1970, 1, 2), date(1, 1, 1), None, date(9999, 12, 31)], "x")
    assert (column.kind, column.unit, column.zoned) == (Kind.TIME, "D", False)
    assert column.values.tolist() == [1, -719162, 0, 2932896]
    assert column.missing.tolist() == [False, False, True, False]


def test_times_are_microseconds():
    """A date among them is its midnight."""
    column = values_column([datetime(1970, 1, 1, 0, 0, 0, 7), date(1970, 1, 2)], "x")  # noqa: DTZ001
    assert (column.kind, column.unit, column.zoned) == (Kind.TIME, "us", False)
    assert column.values.tolist() == [7, 86_400_000_000]


def test_times_with_a_zone_are_instants():
    """Noon in Paris was eleven in Greenwich, up to both ends of the calendar."""
    noon = [datetime(2020, 1, 1, 12, tzinfo=PARIS), datetime(2020, 1, 1, 11, tzinfo=UTC)]
    ends = [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=PARIS)]
    column = values_column(noon + ends, "x")
    assert column.zoned
    assert column.values[0] == column.values[1]
    assert column.values[2] > column.values[0] > column.values[3]


def test_zones_are_not_mixed_with_none():
    """Neither instants with clock times, nor instants with dates."""
    instant = datetime(2020, 1, 1, tzinfo=UTC)
    for other in (datetime(2020, 1, 1), date(2020, 1, 1)):  # noqa: DTZ001
        with pytest.raises(DataError, match="mixes times with and without a time zone"):
            values_column([instant, other], "x")


def test_pandas_times_keep_their_nanoseconds():
    """Timestamps and Timedeltas in a list, before and after 1970."""
    column = values_column([pd.Timestamp(1), pd.Timestamp(-1), pd.NaT], "x")
    assert (column.kind, column.unit, column.values.tolist()) == (Kind.TIME, "ns", [1, -1, 0])
    assert column.missing.tolist() == [False, False, True]
    column = values_column([pd.Timedelta(-1), pd.Timedelta(1001), timedelta(0)], "x")
    assert (column.kind, column.unit, column.values.tolist()) == (
        Kind.DURATION,
        "ns",
        [-1, 1001, 0],
    )
    zoned = values_column([pd.Timestamp(5, tz="UTC")], "x")
    assert zoned.zoned
    assert zoned.values.tolist() == [5]


def test_nanoseconds_of_far_years_are_refused():
    """292 years of nanoseconds fit 64 bits, and no more."""
    with pytest.raises(DataError, match="too many years"):
        values_column([pd.Timestamp(1), datetime(9999, 1, 1)], "x")  # noqa: DTZ001


def test_numpy_times_in_a_list():
    """In the finest of their units."""
    column = values_column([np.datetime64(1, "D"), np.datetime64(5, "s"), None], "x")
    assert (column.unit, column.values.tolist()) == ("s", [86_400, 5, 0])
    column = values_column([np.timedelta64(1, "m"), np.timedelta64("NaT", "m")], "x")
    assert (column.kind, column.values.tolist()) == (Kind.DURATION, [1, 0])
    assert column.missing.tolist() == [False, True]


def test_numpy_times_of_several_units_do_not_wrap_around():
    """numpy counts 1600 in nanoseconds as a date of 2184; here that is an error, or exact."""
    fine = np.datetime64("2020-01-01T00:00:00.000000001")
    with pytest.raises(DataError, match="do not fit 64 bits"):
        values_column([np.datetime64("1600-01-01"), fine], "x")
    with pytest.raises(DataError, match="do not fit 64 bits"):
        values_column([np.timedelta64(10**6, "W"), np.timedelta64(-1, "ns")], "x")
    with pytest.raises(DataError, match="mixes months with units of fixed length"):
        values_column([np.timedelta64(1, "M"), np.timedelta64(-31, "D")], "x")
    column = values_column([np.datetime64("1970-02"), fine, np.datetime64("NaT", "as")], "x")
    assert (column.unit, column.values[0]) == ("ns", 31 * 86_400 * 10**9)
    assert column.missing.tolist() == [False, False, True]


def test_a_large_integer_among_decimals_stays_one():
    """Beside floats integers are not rounded, whatever stands in the other rows."""
    for other in (1, Decimal(1), Decimal("0.5"), Fraction(1, 3)):
        found = Pairs.from_columns(
            values_column([2**53 + 1, other], "x"), values_column([2.0**53, 1.0], "y")
        )
        assert found.keys.values[0] != 0


@pytest.mark.parametrize("nothing", [None, pd.NA, pd.NaT, np.ma.masked])
def test_words_for_missing(nothing):
    """They are missing among values of every type."""
    for value in (1, 2.5, Decimal(1), date(1970, 1, 1), timedelta(1)):
        assert values_column([value, nothing], "x").missing.tolist() == [False, True]


def test_columns_of_nothing():
    """No values at all, or none that is known."""
    assert len(values_column([], "x")) == 0
    assert values_column([None, None], "x").missing.tolist() == [True, True]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([1, "2", 3], "text in row 2"),
        ([None, b"2"], "text in row 2"),
        ([1, 2, 3j], "a value of type complex in row 3"),
        ([object()], "a value of type object in row 1"),
    ],
)
def test_what_is_no_measurement_is_refused_by_row_and_type(values, found):
    """The row number and the type, never the value."""
    with pytest.raises(DataError, match=f"`x` holds {found};"):
        values_column(values, "x")


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([Decimal("0.1"), 0.1], "decimals or fractions and floats"),
        ([date(2020, 1, 1), 5], "dates and integers"),
        ([timedelta(1), datetime(2020, 1, 1, tzinfo=UTC)], "durations and times"),
        ([np.datetime64(1, "D"), timedelta(1)], "durations and numpy times"),
    ],
)
def test_types_that_do_not_go_together_are_refused(values, found):
    """One type for a column, so that one value cannot change how others are read."""
    with pytest.raises(DataError, match=f"`x` mixes {found};"):
        values_column(values, "x")


def test_the_largest_float_is_not_infinite():
    """Integers that floats do not hold are refused among them."""
    assert values_column([sys.float_info.max, 1], "x").values[0] == sys.float_info.max
    with pytest.raises(DataError, match="integers beyond 2"):
        values_column([1.5, 10**400], "x")
    with pytest.raises(DataError, match="integers beyond 2"):
        values_column([1.5, -(2**52) - 1], "x")
    assert values_column([1.5, 2**52], "x").floats_among_integers == 1
