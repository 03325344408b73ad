"""One entrance for files and data frames, and paired samples go into every function."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from unit_reference import places_of

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InvalidArgument, SourceError
from dpwilcoxon.sources.memory import Resources

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
    with pytest.raises(DataError, match="Some of the pairs have no difference"):
        dpw.read_pairs(frame, **LONG)


def test_a_sample_goes_where_arrays_go():
    """And what makes a sample cannot be asked of it afterwards."""
    sample = dpw.read_pairs(pd.DataFrame({"d": [1, -2, 3]}), difference="d")
    assert dpw.signed_rank(sample) == dpw.signed_rank([1, -2, 3]) == 2
    assert dpw.wilcoxon(sample, epsilon=1).n == 3
    for wrong in ({"y": [1, 2, 3]}, {"resolution": 1}, {"missing": "zero"}):
        with pytest.raises(InvalidArgument, match="`x` is a paired sample already"):
            dpw.wilcoxon(sample, epsilon=1, **wrong)
    with pytest.raises(InvalidArgument, match="`missing` must be one of"):
        dpw.signed_rank(sample, missing="typo")


@FRAMES
def test_names_that_are_numbers_are_written_as_text(make):
    """As a frame without names has them; text is what the ledger and every file knows."""
    frame = make({"0": [1, 2], "1": [4, 1]})
    with pytest.raises(InvalidArgument, match="`before` must be text; got 0"):
        dpw.read_pairs(frame, before=0, after=1)
    assert places_of(dpw.read_pairs(frame, before="0", after="1")) == [2, -1]
    unnamed = pd.DataFrame([[1, 4], [2, 1]])
    assert places_of(dpw.read_pairs(unnamed, before="0", after="1")) == [2, -1]


def test_a_sample_can_be_closed():
    """What it holds goes then, at the end of its context, or with the last that knows it."""
    frame = pd.DataFrame({"d": [1, -2, 3]})
    with dpw.read_pairs(frame, difference="d") as sample:
        assert dpw.signed_rank(sample) == 2
    assert sample.n == 3
    with pytest.raises(InvalidArgument, match="The sample is closed"):
        dpw.signed_rank(sample)
    sample.close()


@pytest.mark.parametrize("close", [True, False])
def test_closing_a_sample_removes_its_private_folder(tmp_path, monkeypatch, close):
    """Where rows are in temporary files, they are there no longer than asked for."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("dpwilcoxon.sources.samples.Resources.parse", lambda _: Resources(0))
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,1\n")
    sample = dpw.read_pairs(tmp_path / "x.csv", before="a", after="b")
    assert dpw.signed_rank(sample) == -1
    assert len(list(tmp_path.iterdir())) == 2
    if close:
        sample.close()
    else:
        del sample
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]


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
    """Are refused by their type, with units as without."""
    for wrong in (np.complex128(1j), "1", pd.Period("2020", freq="Y")):
        frame = pd.DataFrame({"person": ["a"], "v": [wrong]})
        for unit in (None, "person"):
            with pytest.raises(DataError, match="`v` holds"):
                dpw.read_pairs(frame, unit=unit, difference="v")


BOTH_WAYS = {
    "floats as objects": pd.DataFrame(
        {"x": pd.Series([0.1, 0.3, 7], dtype=object), "y": pd.Series([0.2, 0.2, 1], dtype=object)}
    ),
    "decimals as objects": pd.DataFrame(
        {"x": [Decimal("0.1"), Decimal("0.3")], "y": [Decimal("0.2"), Decimal("0.2")]}
    ),
    "durations of pandas": pd.DataFrame(
        {"x": pd.to_timedelta([1, 5, None], unit="ns"), "y": pd.to_timedelta([2, 1, 1], unit="s")}
    ),
    "durations of polars": pl.DataFrame(
        {"x": [timedelta(1), timedelta(5)], "y": [timedelta(3), timedelta(1)]}
    ),
    "256 bits": pa.table(
        {
            "x": pa.array([Decimal("1.5"), Decimal(-2)], pa.decimal256(60, 2)),
            "y": pa.array([Decimal("9.5"), Decimal(-3)], pa.decimal256(60, 3)),
        }
    ),
    "hundreds": pa.table(
        {
            "x": pa.array([Decimal(500), Decimal(300)], pa.decimal128(5, -2)),
            "y": pa.array([Decimal(100), Decimal(900)], pa.decimal128(5, -2)),
        }
    ),
    "128 bits": pl.DataFrame(
        {
            "x": pl.Series([2**100, 5], dtype=pl.Int128),
            "y": pl.Series([2**100 + 1, 3], dtype=pl.Int128),
        }
    ),
    "instants of pandas": pd.DataFrame(
        {
            "x": np.array([1, 2001], dtype="M8[ns]"),
            "y": np.array([3, 2000], dtype="M8[ns]"),
        }
    ).apply(lambda column: column.dt.tz_localize("Asia/Tokyo")),
    "integers at their ends": pd.DataFrame({"x": [-(2**63), 5], "y": [2**63 - 1, 4]}),
    "truth": pd.DataFrame(
        {
            "x": pd.Series([True, None, False], dtype=object),
            "y": pd.Series([False, True, True], dtype=object),
        }
    ),
}


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_a_frame_gives_one_answer_whatever_else_is_said_of_it(name):
    """Declaring the cohort sends the rows another way, and must not change a number."""
    frame = BOTH_WAYS[name]
    wide = {"before": "x", "after": "y", "missing": "zero"}
    plain = dpw.read_pairs(frame, **wide)
    declared = dpw.read_pairs(frame, public_n=len(frame), **wide)
    assert sorted(places_of(plain)) == sorted(places_of(declared))


def test_durations_stay_durations_with_units():
    """They are not subtracted from numbers, nor rounded like them."""
    frame = pd.DataFrame({"x": pd.to_timedelta([1], unit="s"), "y": [3]})
    with pytest.raises(DataError, match="`y` holds numbers and `x` holds durations"):
        dpw.read_pairs(frame, before="x", after="y", public_n=1)
    with pytest.raises(InvalidArgument, match="these differences are durations"):
        dpw.read_pairs(frame, difference="x", public_n=1, resolution=1)


@FRAMES
def test_expressions_need_no_unit(make):
    """They are computed row by row, and nothing has to be declared for it."""
    frame = make({"x": [1, 2, 3], "y z": [4, 1, 3]})
    found = dpw.read_pairs(frame, difference='"y z" - x')
    assert sorted(places_of(found)) == [-1, 0, 2]
    assert places_of(dpw.read_pairs(frame, before="x", after='"y z"')) == [2, -1, 0]
    assert sorted(places_of(dpw.read_pairs(frame, before="x * 2", after="x"))) == [-3, -2, -1]
    with pytest.raises(InvalidArgument, match="are the same column"):
        dpw.read_pairs(frame, before="x", after='"x"')
    with pytest.raises(InvalidArgument, match="looks at many rows"):
        dpw.read_pairs(frame, difference="x - avg(x)")


def test_a_lazy_frame_is_named_as_such():
    """Asking polars for its columns would warn, and could take long."""
    with pytest.raises(InvalidArgument, match=r"LazyFrame, .* collect\(\) it first"):
        dpw.read_pairs(pl.LazyFrame({"x": [1]}), difference="x")


def test_messages_name_the_columns_of_a_frame():
    """Not x and y, which are what arrays are called."""
    frame = pd.DataFrame({"early": ["1"], "late": [2]})
    with pytest.raises(DataError, match="`early` holds text"):
        dpw.read_pairs(frame, before="early", after="late")


@pytest.mark.parametrize("other", [7, 0.5, Decimal("0.5")])
def test_an_expression_sees_an_object_column_as_text(other):
    """Whatever is in it: one float must not make 1.0 of the integers of all others."""
    values = [sign * i for i in range(1, 6) for sign in (1, -1)]
    frame = pd.DataFrame({"d": pd.Series([*values, other], dtype=object)})
    cohort = {"difference": "d", "public_n": 2, "resolution": 1}
    found = dpw.read_pairs(frame, where="d IN ('2', '3')", **cohort)
    assert sorted(places_of(found)) == [1, 2]
    with pytest.raises(DataError, match="another number"):
        dpw.read_pairs(frame, where="d IN ('2.0', '3.0')", **cohort)
    spans = pd.DataFrame({"d": pd.to_timedelta([1, 2], unit="s"), "d (MEASURED)": [1, 2]})
    assert places_of(dpw.read_pairs(spans, difference="d", public_n=2)) == [1, 2]


@pytest.mark.parametrize("more", [{}, {"unit": "who"}, {"public_n": 2}])
@pytest.mark.parametrize("kind", ["csv", "parquet", "frame"])
@pytest.mark.parametrize("names", [("x", "Y z"), ("X", "Y z"), ('"X"', '"y Z"'), (" X ", "y Z")])
def test_capital_letters_of_names_do_not_matter_where_one_column_is_meant(
    tmp_path, names, kind, more
):
    """One rule, with a unit and without, as it is in SQL."""
    table = pa.table({"who": ["a", "b"], "x": [1, 5], "Y z": [3, 4]})
    path = tmp_path / f"t.{kind}"
    if kind == "csv":
        path.write_text("who,x,Y z\na,1,3\nb,5,4\n")
    elif kind == "parquet":
        pq.write_table(table, path)
    data = table if kind == "frame" else path
    before, after = names
    found = dpw.read_pairs(data, before=before, after=after, **more)
    assert sorted(places_of(found)) == [-1, 2]
    with pytest.raises(SourceError, match="no column 'Q'"):
        dpw.read_pairs(data, before="x", after="Q", **more)
