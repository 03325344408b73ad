"""One entrance for files and data frames, and paired samples go into every function."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from unit_reference import places_of

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InvalidArgument, SourceError

VISITS = {
    "person": ["a", "a", "a", "b", "b", "c"],
    "visit": [0, 1, 1, 0, 1, 1],
    "v": [120.1, 118.3, 118.5, 121.1, 119.5, 100.0],
}
LONG = {"unit": "person", "condition": "visit", "levels": (0, 1), "value": "v"}
MEANS = {**LONG, "aggregate": "mean", "missing_condition": "zero"}
FRAMES = pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])


@FRAMES
def test_frames_are_tables(make):
    """Long and wide, whatever library they are of."""
    assert sorted(places_of(dpw.read_pairs(make(VISITS), **MEANS))) == [-2, -1, 0]
    wide = make({"x": [1, 2], "y": [4, 1]})
    assert places_of(dpw.read_pairs(wide, before="x", after="y")) == [2, -1]
    with pytest.raises(SourceError, match="the data frame has no column 'z'"):
        dpw.read_pairs(wide, before="x", after="z")
    with pytest.raises(SourceError, match="the data frame has no column 'w'"):
        dpw.read_pairs(make(VISITS), **{**MEANS, "value": "w"})


@FRAMES
def test_decimals_of_frames_keep_every_digit(make):
    """Python's decimals do not become floats on their way."""
    tiny = Decimal("1e-25")
    values = [Decimal(1), Decimal(2) + tiny, Decimal(1), Decimal(2), None, None]
    frame = make({**VISITS, "person": ["a", "a", "b", "b", "c", "c"], "v": values})
    frame = make({**{name: frame[name] for name in ("person", "v")}, "visit": [0, 1, 0, 1, 0, 1]})
    found = dpw.read_pairs(frame, **LONG, missing="zero")
    assert sorted(places_of(found)) == [0, 1, 2]
    with pytest.raises(DataError, match="1 of 3 pairs have no difference"):
        dpw.read_pairs(frame, **LONG)


def test_a_sample_goes_where_arrays_go():
    """And what makes a sample cannot be asked of it afterwards."""
    sample = dpw.read_pairs(pd.DataFrame({"d": [1, -2, 3]}), difference="d")
    assert dpw.signed_rank(sample) == dpw.signed_rank([1, -2, 3]) == 2
    assert dpw.wilcoxon(sample, epsilon=1).n == 3
    for wrong in ({"y": [1, 2, 3]}, {"resolution": 1}):
        with pytest.raises(InvalidArgument, match="`x` is a paired sample already"):
            dpw.wilcoxon(sample, epsilon=1, **wrong)


@pytest.mark.parametrize("data", [None, 3, [1, 2], {"a": [1]}])
def test_what_is_no_table(data):
    """Is named by its type."""
    with pytest.raises(InvalidArgument, match=f"got {type(data).__name__}"):
        dpw.read_pairs(data, difference="a")


def test_something_like_a_frame_is_not_one():
    """A class with the attributes of one, which DuckDB cannot read."""

    class Odd:
        columns = ("a",)
        shape = (1, 1)

    with pytest.raises(InvalidArgument, match="A Odd cannot be read as a table"):
        dpw.read_pairs(Odd(), unit="a", difference="b")


def test_columns_that_cannot_be_measured():
    """Are refused by their type."""
    frame = pd.DataFrame({"person": ["a"], "v": [pd.Timedelta("1D")]})
    with pytest.raises(SourceError, match="`v` has type INTERVAL"):
        dpw.read_pairs(frame, unit="person", difference="v")
    frame = pd.DataFrame({"person": ["a"], "v": [np.complex128(1j)]})
    with pytest.raises((SourceError, InvalidArgument)):
        dpw.read_pairs(frame, unit="person", difference="v")
