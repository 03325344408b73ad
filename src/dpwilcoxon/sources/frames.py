"""Columns of data frames: pandas, polars and pyarrow, told by their types, never imported.

Integers with gaps are read with the gaps filled, beside a mask: turning them into floats, as
these libraries do by default, would round them.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from dpwilcoxon.arraytypes import IntArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.numpy_arrays import numpy_column
from dpwilcoxon.sources.python_values import values_column, wrong_type
from dpwilcoxon.sources.time_arrays import time_column

LEAST, LARGEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
DECIMAL_WORDS = 2  # of the most common width, 128 bits
ARROW_INTEGERS = {"bool", *(f"{sign}int{2**power}" for sign in ("", "u") for power in range(3, 7))}
ARROW_FLOATS = {"halffloat", "float", "double"}
ARROW_TIMES = {"date32", "date64", "timestamp", "duration"}


def pandas_column(series: Any, name: str) -> Column:
    """Take a pandas Series, Index or extension array as a column."""
    _check_one_column(series, "dtype", name)
    dtype = series.dtype
    match type(dtype).__name__:
        case "ArrowDtype":
            return arrow_column(getattr(series, "array", series).__arrow_array__(), name)
        case "CategoricalDtype":
            raise wrong_type(name, "categories")
        case "DatetimeTZDtype":
            instants = series.to_numpy(dtype=f"datetime64[{dtype.unit}]")
            return time_column(instants, name, zoned=True)
        case "StringDtype":
            raise wrong_type(name, "text")
    if not hasattr(dtype, "numpy_dtype"):
        return numpy_column(series.to_numpy(), name)
    values = series.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
    return numpy_column(values, name).with_missing(np.asarray(series.isna(), dtype=np.bool_))


def polars_column(series: Any, name: str) -> Column:
    """Take a polars Series as a column."""
    _check_one_column(series, "dtype", name)
    dtype = series.dtype
    base = dtype.base_type().__name__
    missing = series.is_null().to_numpy()
    if base in ("Int128", "UInt128", "Null", "Object"):
        return values_column(series.to_list(), name)
    if base == "Decimal":
        return _polars_decimals(series, name)
    if base == "Boolean" or dtype.is_integer():
        filled = series.fill_null(False if base == "Boolean" else 0)
        return numpy_column(filled.to_numpy(), name).with_missing(missing)
    if dtype.is_float():
        return numpy_column(series.to_numpy(), name)
    if base in ("Date", "Datetime", "Duration"):
        zoned = getattr(dtype, "time_zone", None) is not None
        return time_column(series.to_numpy(), name, zoned=zoned)
    raise wrong_type(name, "text" if base == "String" else f"type {base}")


def _polars_decimals(series: Any, name: str) -> Column:
    units = series.to_physical()
    least, largest = units.min() or 0, units.max() or 0
    if least < LEAST or largest > LARGEST:
        return values_column(series.to_list(), name)
    values = units.fill_null(0).cast(int).to_numpy()
    column = Column(Kind.DECIMAL, values, places=series.dtype.scale, name=name)
    return column.with_missing(series.is_null().to_numpy())


def arrow_column(array: Any, name: str) -> Column:
    """Take a pyarrow Array or ChunkedArray as a column."""
    _check_one_column(array, "type", name)
    written = str(array.type)
    base = re.split(r"[\[(<]", written)[0]
    if base == "null":
        return values_column(array.to_pylist(), name)
    if base.startswith("decimal"):
        return _arrow_decimals(array, name)
    if base in ARROW_INTEGERS:
        missing = array.is_null().to_numpy(zero_copy_only=False)
        filled = array.fill_null(False if base == "bool" else 0)
        return numpy_column(filled.to_numpy(zero_copy_only=False), name).with_missing(missing)
    if base in ARROW_FLOATS:
        return numpy_column(array.to_numpy(zero_copy_only=False), name)
    if base in ARROW_TIMES:
        times = array.to_numpy(zero_copy_only=False)
        return time_column(times, name, zoned="tz=" in written)
    if base == "dictionary":
        raise wrong_type(name, "categories")
    raise wrong_type(name, "text" if "string" in base else f"type {base}")


def _arrow_decimals(array: Any, name: str) -> Column:
    if array.type.scale < 0:  # whole hundreds, thousands, ...
        return values_column(array.to_pylist(), name)
    missing = array.is_null().to_numpy(zero_copy_only=False)
    if array.type.bit_width == DECIMAL_WORDS * 64:
        chunks = [_decimal_words(chunk) for chunk in getattr(array, "chunks", [array])]
        words = np.concatenate([np.zeros((0, DECIMAL_WORDS), dtype=np.int64), *chunks])
        low, high = words.T
        if np.all((high == low >> 63) | missing):  # the upper word only continues the sign
            column = Column(Kind.DECIMAL, low, places=array.type.scale, name=name)
            return column.with_missing(missing)
    return values_column(array.to_pylist(), name)


def _decimal_words(chunk: Any) -> IntArray:
    """The 128-bit integers of a decimal array, as pairs of a low and a high word."""
    data = np.frombuffer(chunk.buffers()[1], dtype=np.int64).reshape(-1, DECIMAL_WORDS)
    return data[chunk.offset : chunk.offset + len(chunk)]


def _check_one_column(values: Any, attribute: str, name: str) -> None:
    """Refuse whole data frames."""
    if not hasattr(values, attribute) or len(getattr(values, "shape", (0,))) != 1:
        raise InvalidArgument(
            f"`{name}` must be a single column; got {type(values).__name__}: pick one of its "
            "columns."
        )
