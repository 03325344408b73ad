"""Anything array-like to pairs: what each library's columns become, and what is refused."""

import array
import math
from collections import deque
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.sources.arrays import pairs_from_arrays, to_column
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.signed_rank import signed_rank_total
from dpwilcoxon.statistics.tie_groups import ZeroMethod

AFTER, BEFORE = [18, 11, 3, 10, 8], [9, 2, 3, 8, 9]
LARGE = 2**53 + 1  # no float64
EPOCH = date(1970, 1, 1)


def as_dates(values):
    """Days after 1970 began."""
    return [EPOCH + timedelta(days=value) for value in values]


def as_durations(values):
    """Days."""
    return [timedelta(days=value) for value in values]


FORMS = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "array.array": lambda values: array.array("q", values),
    "memoryview": lambda values: memoryview(array.array("d", values)),
    "list of floats": lambda values: list(map(float, values)),
    "list of decimals": lambda values: list(map(Decimal, values)),
    "list of fractions": lambda values: [Fraction(value, 7) for value in values],
    "list of large integers": lambda values: [value + 2**70 for value in values],
    "list of dates": as_dates,
    "list of durations": as_durations,
    "numpy": np.array,
    "numpy floats": lambda values: np.array(values, dtype=np.float64),
    "numpy long doubles": lambda values: np.array(values, dtype=np.longdouble),
    "numpy unsigned": lambda values: np.array(values, dtype=np.uint64) + np.uint64(2**63),
    "numpy objects": lambda values: np.array(list(map(Decimal, values)), dtype=object),
    "numpy big-endian": lambda values: np.array(values, dtype=">i4"),
    "numpy strided": lambda values: np.repeat(values, 3)[::3],
    "numpy dates": lambda values: np.array(values, dtype="M8[D]"),
    "numpy durations": lambda values: np.array(values, dtype="m8[s]"),
    "masked": np.ma.array,
    "pandas": pd.Series,
    "pandas nullable": lambda values: pd.Series([v + LARGE for v in values], dtype="Int64"),
    "pandas Arrow": lambda values: pd.Series(values, dtype="int64[pyarrow]"),
    "pandas dates": lambda values: pd.Series(as_dates(values), dtype="datetime64[ns]"),
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars decimals": lambda values: pl.Series(list(map(Decimal, values))),
    "polars dates": lambda values: pl.Series(as_dates(values)),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "pyarrow decimals": lambda values: pa.array(list(map(Decimal, values))),
    "pyarrow durations": lambda values: pa.array(as_durations(values)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_same_data_has_the_same_statistic(form):
    """The paper's example, w = 10, in every form it can be passed in."""
    pairs = pairs_from_arrays(FORMS[form](AFTER), FORMS[form](BEFORE))
    assert pairs.n == 5
    assert signed_rank_total(pairs.keys, RANKS) == 2 * 10


def test_booleans_are_one_and_zero():
    """True after False is a positive difference."""
    pairs = pairs_from_arrays([True, False, True], np.array([False, True, True]))
    assert pairs.keys.values.tolist() == [2, 3, 0]


def test_differences_alone():
    """Without y, x holds the differences."""
    pairs = pairs_from_arrays([9, 9, 0, 2, -1])
    assert signed_rank_total(pairs.keys, RANKS) == 2 * 10


def test_the_callers_arrays_are_left_alone():
    """Read-only arrays are fine, and nothing is written to others."""
    x, y = np.array([1.5, -0.0, math.inf]), np.array([1.0, 0.0, 1.0])
    x.flags.writeable = False
    before = y.copy()
    pairs_from_arrays(x, y, resolution=0.5)
    assert y.tobytes() == before.tobytes()


def test_arrays_share_their_memory():
    """A large array is not copied to become a column."""
    values = np.arange(5.0)
    assert np.shares_memory(to_column(values, "x").values, values)


def test_other_libraries_arrays_turn_themselves_into_numpy():
    """Whatever has a length and __array__ is read through it."""

    class Tensor:
        def __len__(self):
            return 2

        def __array__(self, dtype=None, copy=None):
            return np.array([1.0, -2.0])

    assert to_column(Tensor(), "x").values.tolist() == [1.0, -2.0]


@pytest.mark.parametrize(
    "values",
    [
        "12", b"12", 12, 1.5, None, {1, 2}, {1: 2}, iter([1, 2]), (v for v in [1]), object(),
        np.float64(1), Decimal(1), pd.Timestamp(0), pd.NA, pl.col("a"), pa.scalar(1),
        bytearray(b"1"),
    ],
)  # fmt: skip
def test_what_is_no_column_is_refused(values):
    """Text, single values, sets, generators: the message says what was found."""
    with pytest.raises(InvalidArgument, match="`after` must be a list, an array or a column") as e:
        to_column(values, "after")
    assert type(values).__name__ in str(e.value)


@pytest.mark.parametrize(
    "values",
    [
        np.zeros((2, 2)), np.array(1.0), np.zeros((2, 1)), [[1, 2], [3, 4]], [(1,), (2,)],
        [np.zeros(2), np.zeros(2)],
    ],
)  # fmt: skip
def test_one_dimension_is_needed(values):
    """A table is not a column, not even one with a single column."""
    with pytest.raises(InvalidArgument, match="`x` must have one dimension"):
        to_column(values, "x")


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame({"a": [1]}), pl.DataFrame({"a": [1]}), pa.table({"a": [1]})],
)
def test_whole_data_frames_are_refused(frame):
    """The message says to pick a column."""
    with pytest.raises(InvalidArgument, match=r"single column; got (DataFrame|Table): pick one"):
        to_column(frame, "x")


def test_errors_name_the_argument():
    """y is called `y`."""
    with pytest.raises(DataError, match="`y` holds text"):
        pairs_from_arrays([1, 2], ["a", "b"])


def test_an_unknown_rule_for_missing_values_is_refused():
    """Before any data is looked at."""
    with pytest.raises(InvalidArgument, match="`missing` must be one of 'raise', 'zero'"):
        pairs_from_arrays("no data", missing="drop")


def test_missing_values_count_as_no_change_if_asked():
    """From a list, with None; refused otherwise."""
    x, y = [5, None, 7], [4, 3, 9]
    assert pairs_from_arrays(x, y, missing="zero").keys.values.tolist() == [2, 0, 5]
    with pytest.raises(DataError, match="Some of the pairs"):
        pairs_from_arrays(x, y)


def test_columns_know_their_kind():
    """What decides how columns are subtracted."""
    kinds = {
        Kind.FLOAT: [1.5], Kind.INTEGER: [1], Kind.DECIMAL: [Decimal("1.5")],
        Kind.OBJECT: [2**64], Kind.TIME: [EPOCH], Kind.DURATION: [timedelta(1)],
    }  # fmt: skip
    for kind, values in kinds.items():
        assert to_column(values, "x").kind is kind


def test_series_in_different_orders_are_not_paired():
    """The same people in another order: by position, everybody would get somebody else's value."""
    before = pd.Series([1, 2, 9], index=["a", "b", "c"])
    after = before[::-1] + 1
    with pytest.raises(DataError, match="different indexes"):
        pairs_from_arrays(after, before)
    aligned = pairs_from_arrays(after.loc[before.index], before)
    assert aligned.signed_rank_total(RANKS, ZeroMethod.PRATT) == 12
    assert pairs_from_arrays(after.array, before.array).n == pairs_from_arrays(after, [1, 2, 3]).n
