"""Columns of pandas, polars and pyarrow, with gaps and at the ends of their types."""

import math
import subprocess
import sys
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError
from dpwilcoxon.sources.arrays import to_column

LARGE = 2**62 + 1  # no float64
UNSIGNED = 2**64 - 1
MOMENT = datetime(2020, 5, 17, 12, 30, 0, 123456)  # noqa: DTZ001
MICROSECONDS = 1589718600123456
CENTS = [Decimal("1.25"), None, Decimal("-99999999999999.99")]
WIDE = [Decimal("12345678901234567890.5"), None, Decimal("-0.5")]

COLUMNS = [
    # what is passed, kind, values (None for missing)
    (pd.Series([LARGE, None, -5], dtype="Int64"), Kind.INTEGER, [LARGE, None, -5]),
    (pd.Series([UNSIGNED, None], dtype="UInt64"), Kind.INTEGER, [UNSIGNED, None]),
    (pd.Series([7, None], dtype="Int8"), Kind.INTEGER, [7, None]),
    (pd.Series([True, None], dtype="boolean"), Kind.INTEGER, [1, None]),
    (pd.Series([0.5, None], dtype="Float64"), Kind.FLOAT, [0.5, None]),
    (pd.Series([0.5, None], dtype="Float32"), Kind.FLOAT, [0.5, None]),
    (pd.Series([LARGE, -5]), Kind.INTEGER, [LARGE, -5]),
    (pd.Series([LARGE, None], dtype=object), Kind.INTEGER, [LARGE, None]),
    (pd.Series(CENTS), Kind.DECIMAL, CENTS),
    (pd.Series([LARGE, None], dtype="int64[pyarrow]"), Kind.INTEGER, [LARGE, None]),
    (pd.Series([0.5, None], dtype="double[pyarrow]"), Kind.FLOAT, [0.5, None]),
    (pd.Series(CENTS, dtype=pd.ArrowDtype(pa.decimal128(20, 2))), Kind.DECIMAL, CENTS),
    (pd.array([LARGE, None], dtype="Int64"), Kind.INTEGER, [LARGE, None]),
    (pd.array([LARGE, None], dtype="int64[pyarrow]"), Kind.INTEGER, [LARGE, None]),
    (pd.Index([3, 4]), Kind.INTEGER, [3, 4]),
    (pd.Series([0, 4], dtype="Sparse[int64]"), Kind.INTEGER, [0, 4]),
    (pl.Series([LARGE, None, -5]), Kind.INTEGER, [LARGE, None, -5]),
    (pl.Series([UNSIGNED, None], dtype=pl.UInt64), Kind.INTEGER, [UNSIGNED, None]),
    (pl.Series([7, None], dtype=pl.Int8), Kind.INTEGER, [7, None]),
    (pl.Series([2**100, None], dtype=pl.Int128), Kind.OBJECT, [2**100, None]),
    (pl.Series([True, None, False]), Kind.INTEGER, [1, None, 0]),
    (pl.Series([0.5, None], dtype=pl.Float64), Kind.FLOAT, [0.5, None]),
    (pl.Series([0.5, None], dtype=pl.Float32), Kind.FLOAT, [0.5, None]),
    (pl.Series(CENTS, dtype=pl.Decimal(20, 2)), Kind.DECIMAL, CENTS),
    (pl.Series(WIDE, dtype=pl.Decimal(30, 1)), Kind.OBJECT, WIDE),
    (pl.Series([None, None], dtype=pl.Decimal(30, 1)), Kind.DECIMAL, [None, None]),
    (pl.Series([None, None]), Kind.INTEGER, [None, None]),
    (pl.Series([Decimal("0.5"), None], dtype=pl.Object), Kind.DECIMAL, [0.5, None]),
    (pa.array([LARGE, None, -5]), Kind.INTEGER, [LARGE, None, -5]),
    (pa.array([UNSIGNED, None], pa.uint64()), Kind.INTEGER, [UNSIGNED, None]),
    (pa.array([7, None], pa.int8()), Kind.INTEGER, [7, None]),
    (pa.chunked_array([[LARGE, None], [], [-5]]), Kind.INTEGER, [LARGE, None, -5]),
    (pa.chunked_array([], pa.int64()), Kind.INTEGER, []),
    (pa.array([True, None, False]), Kind.INTEGER, [1, None, 0]),
    (pa.array([0.5, None]), Kind.FLOAT, [0.5, None]),
    (pa.array([0.5, None], pa.float32()), Kind.FLOAT, [0.5, None]),
    (pa.array([np.float16(0.5), None], pa.float16()), Kind.FLOAT, [0.5, None]),
    (pa.array(CENTS, pa.decimal128(20, 2)), Kind.DECIMAL, CENTS),
    (pa.array([Decimal(9), *CENTS], pa.decimal128(20, 2))[1:], Kind.DECIMAL, CENTS),
    (pa.array(WIDE, pa.decimal128(30, 1)), Kind.OBJECT, WIDE),
    (pa.array(CENTS, pa.decimal256(50, 2)), Kind.DECIMAL, CENTS),
    (pa.chunked_array([CENTS[:1], CENTS[1:]], pa.decimal128(20, 2)), Kind.DECIMAL, CENTS),
    (pa.chunked_array([], pa.decimal128(20, 2)), Kind.DECIMAL, []),
    (pa.nulls(2), Kind.INTEGER, [None, None]),
]


def exact_values(column):
    """The values of a column of numbers as fractions, None where missing."""
    missing = np.zeros(len(column), dtype=bool) if column.missing is None else column.missing
    values = column.values.tolist()
    return [
        None if gap or math.isnan(value) else Fraction(value) / 10**column.places
        for value, gap in zip(values, missing, strict=True)
    ]


@pytest.mark.parametrize(("passed", "kind", "values"), COLUMNS)
def test_numbers_lose_no_digit(passed, kind, values):
    """Integers beyond 2^53 with gaps, decimals of any width: exact, and with the same gaps."""
    column = to_column(passed, "x")
    assert column.kind is kind
    assert exact_values(column) == [None if value is None else Fraction(value) for value in values]


ZONE = "Europe/Paris"
TIMES = [
    # what is passed (the second of two values is missing), kind, unit, value, zoned
    (pd.Series([MOMENT, None], dtype="M8[us]"), Kind.TIME, "us", MICROSECONDS, False),
    (pd.Series([MOMENT, None], dtype="M8[ns]"), Kind.TIME, "ns", MICROSECONDS * 1000, False),
    (
        pd.Series([MOMENT, None], dtype="M8[us]").dt.tz_localize("UTC"),
        *(Kind.TIME, "us", MICROSECONDS, True),
    ),
    (
        pd.Series([MOMENT, None], dtype="M8[us]").dt.tz_localize("UTC").dt.tz_convert(ZONE),
        *(Kind.TIME, "us", MICROSECONDS, True),
    ),
    (
        pd.Series([MOMENT, None], dtype="timestamp[us, tz=UTC][pyarrow]"),
        *(Kind.TIME, "us", MICROSECONDS, True),
    ),
    (pd.Series([timedelta(1), None], dtype="m8[us]"), Kind.DURATION, "us", 86_400 * 10**6, False),
    (pd.Series([date(1970, 1, 3), None], dtype=object), Kind.TIME, "D", 2, False),
    (pl.Series([MOMENT, None]), Kind.TIME, "us", MICROSECONDS, False),
    (
        pl.Series([MOMENT, None], dtype=pl.Datetime("ns")),
        Kind.TIME,
        "ns",
        MICROSECONDS * 1000,
        False,
    ),
    (
        pl.Series([MOMENT, None]).dt.replace_time_zone("UTC").dt.convert_time_zone(ZONE),
        *(Kind.TIME, "us", MICROSECONDS, True),
    ),
    (pl.Series([date(1970, 1, 3), None]), Kind.TIME, "D", 2, False),
    (
        pl.Series([timedelta(1), None], dtype=pl.Duration("ms")),
        Kind.DURATION,
        "ms",
        86_400_000,
        False,
    ),
    (pa.array([MOMENT, None]), Kind.TIME, "us", MICROSECONDS, False),
    (pa.array([MOMENT, None], pa.timestamp("us", ZONE)), Kind.TIME, "us", MICROSECONDS, True),
    (pa.chunked_array([[MOMENT], [None]]), Kind.TIME, "us", MICROSECONDS, False),
    (pa.array([date(1970, 1, 3), None]), Kind.TIME, "D", 2, False),
    (pa.array([date(1970, 1, 3), None], pa.date64()), Kind.TIME, "ms", 2 * 86_400_000, False),
    (pa.array([timedelta(1), None], pa.duration("s")), Kind.DURATION, "s", 86_400, False),
]


@pytest.mark.parametrize(("passed", "kind", "unit", "value", "zoned"), TIMES)
def test_dates_and_durations(passed, kind, unit, value, zoned):
    """In their own units, with their gaps, and as instants where they have a zone."""
    column = to_column(passed, "x")
    assert (column.kind, column.unit, column.zoned) == (kind, unit, zoned)
    assert column.values.tolist() == [value, 0]
    assert column.missing.tolist() == [False, True]


@pytest.mark.parametrize(
    ("passed", "found"),
    [
        (pd.Series(["1", "2"], dtype="string"), "text"),
        (pd.Series(["1", "2"], dtype=object), "text in row 1"),
        (pd.Series(["1"], dtype="string[pyarrow]"), "text"),
        (pd.Series([1, 2], dtype="category"), "categories"),
        (pd.Series(pd.period_range("2020", periods=2)), "a value of type Period in row 1"),
        (pl.Series(["1", "2"]), "text"),
        (pl.Series(["1", "2"], dtype=pl.Categorical), "type Categorical"),
        (pl.Series(["secret"], dtype=pl.Enum(["secret"])), "type Enum"),
        (pl.Series([time(1)]), "type Time"),
        (pl.Series([[1], [2]]), "type List"),
        (pa.array(["1", "2"]), "text"),
        (pa.array(["1"], pa.large_string()), "text"),
        (pa.array(["1", "2"]).dictionary_encode(), "categories"),
        (pa.array([1, 2]).dictionary_encode(), "categories"),
        (pa.array([time(1)]), "type time64"),
        (pa.array([[1], [2]]), "type list"),
        (pa.array([{"secret": 1}]), "type struct"),
    ],
)
def test_what_is_no_measurement_is_refused(passed, found):
    """By its type; categories and field names, which are data, are not shown."""
    with pytest.raises(DataError, match=f"`x` holds {found}; a column of numbers") as error:
        to_column(passed, "x")
    assert "secret" not in str(error.value)


def test_no_data_frame_library_is_imported():
    """Lists and arrays are read without pandas, polars and pyarrow."""
    code = (
        "import sys; from dpwilcoxon.sources.arrays import pairs_from_arrays;"
        "pairs_from_arrays([1, 2.5, None], [1, 2, 3], missing='zero');"
        "print(*({'pandas', 'polars', 'pyarrow', 'numba'} & set(sys.modules)))"
    )
    run = subprocess.run(  # our own command
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == ""
