"""numpy arrays as columns."""

from __future__ import annotations

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.sources.python_values import values_column, wrong_type
from dpwilcoxon.sources.time_arrays import time_column

NUMBERS = {"b": Kind.INTEGER, "i": Kind.INTEGER, "u": Kind.INTEGER, "f": Kind.FLOAT}


def numpy_column(array: AnyArray, name: str) -> Column:
    """Take a one-dimensional array as a column; masked entries are missing."""
    if isinstance(array, np.ma.MaskedArray):
        return _masked_column(array, name)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    kind = array.dtype.kind
    if kind in NUMBERS:
        return Column(NUMBERS[kind], array, name=name)
    if kind in "mM":
        return time_column(array, name)
    if kind == "O":
        return values_column(array.tolist(), name)
    raise wrong_type(name, "text" if kind in "UST" else f"type {array.dtype.name}")


def _masked_column(array: np.ma.MaskedArray[tuple[int], np.dtype[np.generic]], name: str) -> Column:
    mask = np.ma.getmaskarray(array)
    data = np.ma.getdata(array)
    if data.dtype == object:
        data = data.copy()
        data[mask] = None
    return numpy_column(data, name).with_missing(mask)
