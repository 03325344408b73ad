"""Measurements in data frames, brought into a form in which DuckDB reads what arrays would read.

A frame has two ways to go: its columns are subtracted here, or DuckDB makes one pair for each unit
of it. Both have to find the same numbers. So a column of measurements is read as an array first,
with every refusal that comes with it, and handed on in another form where DuckDB would round it,
take floats for decimals, or not know its type.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences.units import SECONDS
from dpwilcoxon.errors import SourceError
from dpwilcoxon.pairs import check_rounding
from dpwilcoxon.sources.arrays import to_column
from dpwilcoxon.sources.pushdown.measures import Measure

# 256-bit decimals, 128-bit integers and decimals in thousands: exact as text
_AS_TEXT = re.compile(r"decimal256.*|u?int128|decimal\d+\(\d+, ?-\d+\).*", re.IGNORECASE)
MICROSECOND = SECONDS["us"]


@dataclass(frozen=True)
class ReadMeasure:
    """A column of measurements that stands in a frame once more, as DuckDB is to read it.

    Once more, and not instead: what an expression sees of a column must not depend on the values
    in it, as the form of an object column of measurements does.
    """

    name: str
    clock: Measure | None = None  # what its whole numbers are, if they count time


def with_measures(
    frame: Any, own_names: Sequence[Any], taken: Collection[str], step: Fraction | None
) -> tuple[Any, Mapping[str, ReadMeasure]]:
    """Add columns where DuckDB would read measurements in another way than an array is read.

    Columns of types that DuckDB does not know at all are replaced by their text.

    Parameters
    ----------
    frame : data frame
        Of pandas, polars or pyarrow. It is not changed.
    own_names : sequence
        Its columns of measurements, by the names that the frame has for them.
    taken : collection of str
        All names of columns.
    step : Fraction, optional
        What differences are to be rounded to.

    Returns
    -------
    data frame, mapping
        The frame, and the additional columns by what they are instead of.
    """
    measures = {}
    for name in own_names:
        series = frame[name]
        column = to_column(series, str(name))
        check_rounding([column], step)
        values = _values(series, column)
        if values is None:
            continue
        clock = None
        if _is_counted(column):
            clock = Measure(column.kind, unit=SECONDS[column.unit], zoned=column.zoned)
        if _AS_TEXT.fullmatch(_written_type(series)):  # which no expression can look at anyhow
            frame = _with_column(frame, name, values)
            continue
        measures[str(name)] = ReadMeasure(_free_name(str(name), taken), clock)
        frame = _with_column(frame, measures[str(name)].name, values)
    return frame, measures


def _free_name(name: str, taken: Collection[str]) -> str:
    """A name that no column has; messages may show it."""
    free = f"{name} (measured)"
    while free.lower() in {each.lower() for each in taken}:
        free += "*"
    return free


def _is_counted(column: Column) -> bool:
    """Whether times are handed on as whole numbers: DuckDB has no type for them that holds all."""
    if column.kind is Kind.DURATION:
        return column.unit in SECONDS
    is_fine = SECONDS.get(column.unit, MICROSECOND) < MICROSECOND
    return column.kind is Kind.TIME and column.zoned and is_fine


def _values(series: Any, column: Column) -> AnyArray | list[str | None] | None:
    """Other values for a column, or None if DuckDB reads the column as it is."""
    written = _written_type(series)
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


def _written_type(series: Any) -> str:
    return str(getattr(series, "dtype", getattr(series, "type", "")))


def _floats(column: Column) -> AnyArray:
    if column.values.dtype.itemsize > np.dtype(np.float64).itemsize:
        raise SourceError(f"`{column.name}` holds long doubles; convert them to float64.")
    values = column.values.astype(np.float64)
    if column.missing is not None:
        values[column.missing] = np.nan
    return values


def _text(value: Any) -> str | None:
    return None if value is None else format(Decimal(value), "f")


def _with_column(frame: Any, name: Any, values: Any) -> Any:
    """The frame with one more column, or with other values in one."""
    library = type(frame).__module__.partition(".")[0]
    if library == "polars":
        return frame.with_columns(sys.modules[library].Series(name, values))
    if library == "pyarrow":
        array = sys.modules[library].array(values)
        if name not in frame.column_names:
            return frame.append_column(name, array)
        return frame.set_column(frame.column_names.index(name), name, array)
    frame = frame.copy(deep=False)
    frame[name] = np.array(values, dtype=object) if isinstance(values, list) else values
    return frame
