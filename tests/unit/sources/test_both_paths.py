"""Rows subtracted here and rows aggregated in DuckDB: the same numbers, gaps and refusals."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from unit_reference import places_of

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InternalError, InvalidArgument, SourceError
from dpwilcoxon.sources import expressions
from dpwilcoxon.sources.unit_tables import _keys_of

NEVER = 2**63 - 1
ZONED = pa.timestamp("ns", "UTC")
WIDE = {"before": "a", "after": "b"}
TABLES = {
    "integers at their ends": (pa.int64(), [-(2**63), 5], pa.int64(), [2**63 - 1, 4]),
    "the least integer": (pa.int64(), [-(2**63), 5], pa.int64(), [0, 6]),
    "unsigned and signed": (pa.uint64(), [2**64 - 1, 5], pa.int64(), [-1, 6]),
    "nanoseconds": (pa.timestamp("ns"), [1, 2001], pa.timestamp("ns"), [3, 2000]),
    "zoned nanoseconds": (
        pa.timestamp("ns", "UTC"),
        [1, 2001],
        pa.timestamp("ns", "UTC"),
        [3, 2000],
    ),
    "zoned seconds": (pa.timestamp("s", "UTC"), [1, 2], pa.timestamp("us", "UTC"), [3, 9_000_000]),
    "days and seconds": (pa.date32(), [1, 2], pa.timestamp("s"), [86_401, 3 * 86_400]),
    "floats of two widths": (pa.float32(), [0.1, 0.2], pa.float64(), [0.1, 0.5]),
}


def parquet(tmp_path, first, x, second, y):
    """A file with two columns."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": pa.array(x, first), "b": pa.array(y, second)}), path)
    return path


@pytest.mark.parametrize("name", TABLES)
def test_declaring_the_cohort_changes_no_number(tmp_path, name):
    """One rule for every type, whichever way the rows go."""
    path = parquet(tmp_path, *TABLES[name])
    plain = places_of(dpw.read_pairs(path, **WIDE))
    assert sorted(plain) == sorted(places_of(dpw.read_pairs(path, public_n=2, **WIDE)))


@pytest.mark.parametrize("kind", [pa.timestamp("us"), pa.timestamp("us", "UTC"), pa.date32()])
@pytest.mark.parametrize("sign", [1, -1])
def test_times_at_infinity_are_missing(tmp_path, kind, sign):
    """Not 1970, which no pair with them has anything to do with."""
    never = sign * (2**31 - 1 if kind == pa.date32() else NEVER)
    path = parquet(tmp_path, kind, [never, 5, 7], kind, [3, 6, 5])
    for declared in ({}, {"public_n": 3}):
        with pytest.raises(DataError, match="have no difference: a value is missing"):
            dpw.read_pairs(path, **WIDE, **declared)
        found = dpw.read_pairs(path, missing="zero", **WIDE, **declared)
        assert sorted(places_of(found)) == [-2, 0, 1]


def test_no_gap_is_left_by_an_engine():
    """A difference that is NULL would be a bug, and no zero."""
    gap = np.ma.MaskedArray([1, 2], mask=[False, True])
    with pytest.raises(InternalError, match="is NULL"):
        _keys_of(gap)
    assert len(_keys_of(np.ma.MaskedArray([1, 2], mask=[False, False]))) == 2


def test_rows_that_become_several_are_noticed(tmp_path, monkeypatch):
    """Behind the list of functions there is a count, should one of them not be what it seems."""
    path = parquet(tmp_path, pa.int64(), [1, 2], pa.int64(), [3, 5])
    monkeypatch.setattr(expressions, "is_row_function", lambda *_: True)
    for layout in (
        {"difference": "unnest([a, b, a])", "public_n": 6},
        {"difference": "a", "unit": "unnest([b, a])", "public_n": 4},
        {"before": "a", "after": "b + unnest([1, 2])"},
    ):
        with pytest.raises(SourceError, match="makes several rows of one"):
            dpw.read_pairs(path, **layout)


COHORT = {"unit": "p", "where": "site = 'A'", "public_n": 17}


@pytest.fixture
def visits(tmp_path):
    """23 persons of site A, of whom one has no value and one no second visit."""
    path = tmp_path / "visits.csv"
    rows = [
        f"p{i},{'A' if i < 23 else 'B'},{visit},{'' if i == 3 else i}"
        for i in range(40)
        for visit in ("first", "last")
        if (i, visit) != (5, "last")
    ]
    path.write_text("\n".join(["p,site,visit,v", *rows]) + "\n")
    return path


@pytest.mark.parametrize(
    "options",
    [
        {"difference": "v", "aggregate": "max"},
        {"condition": "visit", "levels": "first,last", "value": "v"},
        {"condition": "visit", "levels": "first,other", "value": "v"},
        {"difference": "v"},
        {"difference": "v", "aggregate": "max", "where": "site = 'none'"},
    ],
)
def test_no_count_is_told_before_the_declared_one_is_right(visits, options):
    """Whatever else is wrong with the table, and also if there is nothing in it."""
    with pytest.raises(DataError, match=r"`public_n` = 17 pairs, .* has another") as refused:
        dpw.read_pairs(visits, **{**COHORT, **options})
    shown = str(refused.value).replace(str(visits), "")
    assert not any(number in shown for number in ("23", "40", "22", "n = 0"))


@pytest.mark.parametrize("cohort", [{**COHORT, "public_n": 23}, {"unit": "p"}])
def test_no_other_count_is_told_either(visits, cohort):
    """An expression could make of "5 of 40 have no value" any count that somebody asks for."""
    with pytest.raises(DataError, match=r"^Some of the pairs have no difference"):
        dpw.read_pairs(visits, difference="v", aggregate="max", **cohort)
    long = {"condition": "visit", "levels": "first,last", "value": "v"}
    with pytest.raises(DataError, match=r"^Some of the units of `p` have no row for"):
        dpw.read_pairs(visits, **long, **cohort)


@pytest.mark.parametrize("unit", ["CASE WHEN v > '1' THEN p END", "v IS NULL", "upper(p)", "'x'"])
def test_a_unit_that_is_computed_needs_a_declared_size(visits, unit):
    """Else the number of pairs would be any count of persons, told by every check, for nothing."""
    layout = {"unit": unit, "difference": "v", "aggregate": "max", "missing": "zero"}
    with pytest.raises(InvalidArgument, match=r"computed lets the data decide .* `public_n`"):
        dpw.read_pairs(visits, **layout)
    with pytest.raises(InvalidArgument, match="computed lets the data decide"):
        dpw.read_pairs(pa.table({"p": ["a"], "v": ["2"], "d": [1]}), **layout | {"difference": "d"})


@pytest.mark.parametrize("unit", ["p", " p ", '"p"', "P"])
def test_a_unit_may_be_named_as_any_column(visits, unit):
    """In quotes, in capital letters or with blanks around it, it is no expression."""
    layout = {"unit": unit, "difference": "v", "aggregate": "max", "missing": "zero"}
    assert dpw.read_pairs(visits, **layout).n == 40


def test_an_enumeration_is_text(tmp_path):
    """Its values have an order that other rows may have chosen; text has the one of letters."""
    path = tmp_path / "t.parquet"
    kind = "ENUM('low', 'high')"
    rows = f"(1, 'low'::{kind}, 0, 1), (1, 'high'::{kind}, 0, -2), (2, 'low'::{kind}, 0, 3)"
    values = f"SELECT * FROM (VALUES {rows}) AS t(p, dose, a, b)"
    duckdb.execute(f"COPY ({values}) TO '{path}' (FORMAT parquet)")
    with pytest.raises((SourceError, InvalidArgument)):
        dpw.read_pairs(path, difference="enum_code(dose)", public_n=3)
    found = dpw.read_pairs(path, unit="p", aggregate="last", order_by="dose", **WIDE)
    assert sorted(places_of(found)) == [1, 2]
