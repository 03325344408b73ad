"""datetime64 and timedelta64 in every unit."""

import warnings

import numpy as np
import pytest

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError
from dpwilcoxon.sources.time_arrays import time_column

UNITS = ["W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("letter", "kind"), [("M", Kind.TIME), ("m", Kind.DURATION)])
def test_values_are_counts_of_their_unit(letter, kind, unit):
    """Nothing is converted; NaT is missing."""
    array = np.array([5, -7, 0], dtype=f"{letter}8[{unit}]")
    array[2] = "NaT"
    column = time_column(array, "x")
    assert (column.kind, column.unit, column.name) == (kind, unit, "x")
    assert column.values.tolist() == [5, -7, 0]
    assert column.missing.tolist() == [False, False, True]


def test_months_and_years_of_dates_are_days():
    """March 1970 began 59 days after the year, 1972 two years of 365 days after it."""
    column = time_column(np.array(["1970-03", "NaT"], dtype="M8[M]"), "x")
    assert (column.unit, column.values[0], column.missing.tolist()) == ("D", 59, [False, True])
    assert time_column(np.array(["1972"], dtype="M8[Y]"), "x").values.tolist() == [730]


def test_months_of_durations_stay_months():
    """They have no length in days."""
    column = time_column(np.array([3], dtype="m8[M]"), "x")
    assert (column.unit, column.values.tolist()) == ("M", [3])


def test_multiples_of_units_are_multiplied():
    """Units of 25 seconds are 25 seconds each."""
    column = time_column(np.array([2, -3], dtype="m8[25s]"), "x")
    assert (column.unit, column.values.tolist()) == ("s", [50, -75])


@pytest.mark.parametrize(
    "array",
    [
        np.array([2**62], dtype="m8[25s]"),
        np.array([-(2**62)], dtype="m8[3D]"),
        np.array([2**60], dtype="M8[Y]"),
    ],
)
def test_what_does_not_fit_is_refused(array):
    """Rather than wrapped round."""
    with pytest.raises(DataError, match="`x` holds dates or durations that do not fit"):
        time_column(array, "x")


def test_a_unit_is_needed():
    """Five of nothing in particular cannot be compared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # numpy is giving them up, too
        unitless = np.array([5], dtype="m8")
    with pytest.raises(DataError, match="without a unit"):
        time_column(unitless, "x")


def test_columns_know_whether_they_have_a_zone():
    """Only the caller can tell: numpy's times have none."""
    array = np.array([1], dtype="M8[s]")
    assert not time_column(array, "x").zoned
    assert time_column(array, "x", zoned=True).zoned


def test_arrays_with_strides_are_read():
    """Every other value of an array is an array too."""
    array = np.arange(6).astype("M8[D]")[::2]
    assert time_column(array, "x").values.tolist() == [0, 2, 4]
