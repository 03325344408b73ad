"""Anything array-like to a column, and two of them to pairs.

Lists, numpy, pandas, polars and pyarrow. None of these data frame libraries is imported here:
whoever passes one of their columns has imported it already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.columns import Column
from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.parameters import Missing
from dpwilcoxon.sources.frames import arrow_column, pandas_column, polars_column
from dpwilcoxon.sources.numpy_arrays import numpy_column
from dpwilcoxon.sources.python_values import values_column

LIBRARIES = {"pandas": pandas_column, "polars": polars_column, "pyarrow": arrow_column}


def pairs_from_arrays(
    x: Any, y: Any = None, *, missing: str | Missing = "raise", resolution: object = None
) -> Pairs:
    """Pair two array-likes; x alone holds differences.

    Parameters
    ----------
    x, y : array_like
        As :func:`to_column` takes them, equally long; differences are x - y.
    missing : {"raise", "zero"}
        Refuse pairs with a missing value, or count them as no change.
    resolution : number or str, optional
        Round each difference to the nearest multiple of this.

    Returns
    -------
    Pairs
        The validated sample.

    Examples
    --------
    >>> pairs_from_arrays([9, 11, 3], [18, 2, 3])
    Pairs(n=3)
    """
    rule = Missing.parse(missing)
    _check_labels(x, y)
    return Pairs.from_columns(
        to_column(x, "x"),
        None if y is None else to_column(y, "y"),
        missing=rule,
        resolution=resolution,
    )


def _check_labels(x: Any, y: Any) -> None:
    """Two pandas Series are paired by position; labels in another order are a mistake."""
    are_labelled = all(_library_of(each) == "pandas" and hasattr(each, "iloc") for each in (x, y))
    if are_labelled and not x.index.equals(y.index):
        raise DataError(
            "`x` and `y` are pandas Series with different indexes, and pairs are made by position; "
            "bring them into the same order first, or pass `x.array` and `y.array`."
        )


def to_column(values: Any, name: str) -> Column:
    """Turn an array-like of numbers, dates or durations into a column, without losing a digit.

    Parameters
    ----------
    values : array_like
        A list, tuple or other sequence of Python numbers, a numpy array, a pandas or polars
        Series, a pyarrow Array. None, NaN, NaT, NA and masked entries are missing.
    name : str
        What error messages call it.

    Returns
    -------
    Column
        Shares memory with the values where it can; never changes them.

    Privacy
    -------
    What type a column has is public, as its length is, because it decides how every row is
    subtracted. A list has the type that holds all of its values. Where one value could so change
    how others are subtracted, the list is refused: integers beyond 2^52 among floats, integers
    and floats beside decimals.
    """
    library = _library_of(values)
    if library in LIBRARIES and hasattr(values, "__len__"):
        return LIBRARIES[library](values, name)
    if _is_sequence_of_values(values):
        return _sequence_column(values, name)
    array = values if isinstance(values, np.ndarray) else _as_array(values, name)
    if array.ndim != 1:
        raise InvalidArgument(
            f"`{name}` must have one dimension, a value for each row; got {array.ndim} dimensions."
        )
    return numpy_column(array, name)


def _library_of(values: Any) -> str:
    return type(values).__module__.partition(".")[0]


def _is_sequence_of_values(values: Any) -> bool:
    return isinstance(values, Sequence) and not isinstance(values, str | bytes | bytearray)


def _sequence_column(values: Sequence[Any], name: str) -> Column:
    types = set(map(type, values))
    if types <= {float}:
        return numpy_column(np.array(values, dtype=np.float64), name)
    if any(hasattr(each, "__len__") and not issubclass(each, str | bytes) for each in types):
        raise InvalidArgument(f"`{name}` must have one dimension; got a sequence of sequences.")
    return values_column(values, name)


def _as_array(values: Any, name: str) -> AnyArray:
    """Let arrays of other libraries turn themselves into numpy arrays."""
    if hasattr(values, "__array__") and hasattr(values, "__len__"):
        return np.asarray(values)
    raise InvalidArgument(
        f"`{name}` must be a list, an array or a column of a data frame; got "
        f"{type(values).__name__}."
    )
