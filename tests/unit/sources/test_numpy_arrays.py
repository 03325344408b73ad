"""numpy arrays of every type."""

from decimal import Decimal

import numpy as np
import pytest

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError
from dpwilcoxon.sources.numpy_arrays import numpy_column

INTEGERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8", "g"]


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_numbers_are_taken_as_they_are(dtype):
    """No width is converted on the way, so nothing can be lost."""
    array = np.array([0, 1], dtype=dtype)
    column = numpy_column(array, "x")
    assert column.kind is (Kind.INTEGER if dtype in INTEGERS else Kind.FLOAT)
    assert column.values is array
    assert column.missing is None


@pytest.mark.parametrize("dtype", [">i8", ">u2", ">f4", ">f8", "<i4"])
def test_the_order_of_bytes_does_not_matter(dtype):
    """Values keep their meaning in native order."""
    column = numpy_column(np.array([1, 2, 500], dtype=dtype), "x")
    assert column.values.dtype.isnative
    assert column.values.tolist() == [1, 2, 500]


def test_objects_are_read_one_by_one():
    """An array of decimals is a column of decimals."""
    column = numpy_column(np.array([Decimal("0.5"), None], dtype=object), "x")
    assert (column.kind, column.places, column.values.tolist()) == (Kind.DECIMAL, 1, [5, 0])
    assert column.missing.tolist() == [False, True]


def test_masked_entries_are_missing():
    """Whatever is under the mask; entries that were missing before stay so."""
    numbers = np.ma.array([1, 2, 3], mask=[False, True, False])
    assert numpy_column(numbers, "x").missing.tolist() == [False, True, False]
    times = np.ma.array(np.array(["NaT", 5, 7], dtype="M8[D]"), mask=[False, True, False])
    assert numpy_column(times, "x").missing.tolist() == [True, True, False]
    objects = np.ma.array(
        np.array([1, "unreadable", None], dtype=object), mask=[False, True, False]
    )
    assert numpy_column(objects, "x").missing.tolist() == [False, True, True]
    assert numpy_column(np.ma.array([1, 2]), "x").missing is None


@pytest.mark.parametrize(
    ("array", "found"),
    [
        (np.array(["12", "x"]), "text"),
        (np.array([b"12"]), "text"),
        (np.array(["12"], dtype=np.dtypes.StringDType()), "text"),
        (np.array([1j]), "type complex128"),
        (np.zeros(2, dtype=[("secret", "i4")]), "type void32"),
    ],
)
def test_other_types_are_refused(array, found):
    """The message says what was found and what is needed."""
    with pytest.raises(DataError, match=f"`x` holds {found}; a column of numbers"):
        numpy_column(array, "x")
