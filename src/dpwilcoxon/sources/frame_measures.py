"""Measurements in data frames, brought into a form in which DuckDB reads what arrays would read.

A frame has two ways to go: its columns are subtracted here, or DuckDB makes one pair for each unit
of it. Both have to find the same numbers. So a column of measurements is read as an array first,
with every refusal that comes with it, and handed on in another form where DuckDB would round it,
take floats for decimals, or not know its type.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences.units import SECONDS
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.arrays import to_column
from dpwilcoxon.sources.pushdown.measures import Measure

# 256-bit decimals, 128-bit integers and decimals in thousands: exact as text
_AS_TEXT = re.compile(r"decimal256.*|u?int128|decimal\d+\(\d+, ?-\d+\).*", re.IGNORECASE)
MICROSECOND = SECONDS["us"]


def with_measures(frame: Any, own_names: Sequence[Any]) -> tuple[Any, Mapping[str, Measure]]:
    """Replace columns of measurements where DuckDB would read them in another way.

    Parameters
    ----------
    frame : data frame
        Of pandas, polars or pyarrow. It is not changed.
    own_names : sequence
        Its columns of measurements, by the names that the frame has for them.

    Returns
    -------
    data frame, mapping
        The frame, and of which columns whole numbers are durations or instants, and in what unit.
    """
    clocks = {}
    for name in own_names:
        series = frame[name]
        column = to_column(series, str(name))
        values = _values(series, column)
        if values is not None:
            frame = _replaced(frame, name, values)
        if _is_counted(column):
            clocks[str(name)] = Measure(column.kind, unit=SECONDS[column.unit], zoned=column.zoned)
    return frame, clocks


def _is_counted(column: Column) -> bool:
    """Whether times are handed on as whole numbers: DuckDB has no type for them that holds all."""
    if column.kind is Kind.DURATION:
        return column.unit in SECONDS
    is_fine = SECONDS.get(column.unit, MICROSECOND) < MICROSECOND
    return column.kind is Kind.TIME and column.zoned and is_fine


def _values(series: Any, column: Column) -> AnyArray | list[str | None] | None:
    """Other values for a column, or None if DuckDB reads the column as it is."""
    written = str(getattr(series, "dtype", getattr(series, "type", "")))
    if column.kind is Kind.FLOAT:
        return _floats(column) if written == "object" else None
    if _is_counted(column):
        known = column.values.tolist()
        missing = [False] * len(known) if column.missing is None else column.missing.tolist()
        return [None if gap else str(each) for each, gap in zip(known, missing, strict=True)]
    if _AS_TEXT.fullmatch(written):
        known = series.to_pylist() if hasattr(series, "to_pylist") else series.to_list()
        return [_text(each) for each in known]
    return None


def _floats(column: Column) -> AnyArray:
    if column.values.dtype.itemsize > np.dtype(np.float64).itemsize:
        raise SourceError(f"`{column.name}` holds long doubles; convert them to float64.")
    values = column.values.astype(np.float64)
    if column.missing is not None:
        values[column.missing] = np.nan
    return values


def _text(value: Any) -> str | None:
    return None if value is None else format(Decimal(value), "f")


def _replaced(frame: Any, name: Any, values: Any) -> Any:
    """The frame with other values in one column."""
    library = type(frame).__module__.partition(".")[0]
    if library == "polars":
        return frame.with_columns(sys.modules[library].Series(name, values))
    if library == "pyarrow":
        array = sys.modules[library].array(values)
        return frame.set_column(frame.column_names.index(name), name, array)
    frame = frame.copy(deep=False)
    frame[name] = np.array(values, dtype=object) if isinstance(values, list) else values
    return frame
