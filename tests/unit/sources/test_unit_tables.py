"""One pair for each privacy unit: exact aggregates, and every refusal on the way to them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit_reference import places_of, signed_places, unit_differences

from dpwilcoxon.errors import DataError, InvalidArgument, SourceError
from dpwilcoxon.sources.files import open_table
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.samples import read_pairs
from dpwilcoxon.sources.unit_tables import pairs_from_units

SENTINEL = "987654.321"
LONG = {"unit": "person", "condition": "visit", "levels": "baseline,week8", "value": "sbp"}
VISITS = """person,visit,sbp,day
a,baseline,120.1,1
a,week8,118.3,9
a,week8,118.5,10
b,baseline,121.1,1
b,week8,119.5,8
c,baseline,140,2
c,baseline,130,3
c,week8,131.5,9
c,week4,99,5
"""


def write(tmp_path: Path, text: str, name: str = "visits.csv") -> Path:
    """Write a small file."""
    path = tmp_path / name
    path.write_text(text)
    return path


def parquet(tmp_path: Path, query: str) -> Path:
    """Write the answer of a query as a Parquet file."""
    path = tmp_path / "visits.parquet"
    path.unlink(missing_ok=True)
    duckdb.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    return path


def read(path: Path, **layout):
    """Read the pairs of a table."""
    return pairs_from_units(open_table(path), Layout.parse(**layout))


def places(path: Path, **layout):
    """Read pairs, and return the signed places of their differences, whose order is free."""
    return sorted(places_of(read(path, **layout)))


def expected_places(differences):
    """The signed places that these differences have."""
    return sorted(signed_places(differences))


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("mean", [Fraction("-1.7"), Fraction("-1.6"), Fraction("-3.5")]),
        ("median", [Fraction("-1.7"), Fraction("-1.6"), Fraction("-3.5")]),
        ("min", [Fraction("-1.8"), Fraction("-1.6"), Fraction("1.5")]),
        ("max", [Fraction("-1.6"), Fraction("-1.6"), Fraction("-8.5")]),
        ("first", [Fraction("-1.8"), Fraction("-1.6"), Fraction("-8.5")]),
        ("last", [Fraction("-1.6"), Fraction("-1.6"), Fraction("1.5")]),
    ],
)
def test_every_aggregate_of_a_long_table_is_exact(tmp_path, aggregate, expected):
    """-1.6 of person a and of person b are one size: decimals in text never become floats."""
    order = {"order_by": "day"} if aggregate in ("first", "last") else {}
    path = write(tmp_path, VISITS)
    assert places(path, aggregate=aggregate, **LONG, **order) == expected_places(expected)


ROWS = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.sampled_from(["x", "y", "z"]),
        st.integers(-30, 30).map(lambda tenths: Decimal(tenths) / 10),
    ),
    min_size=1,
    max_size=25,
)


@pytest.mark.parametrize("column_type", ["text", "DECIMAL(9,1)", "DECIMAL(30,4)", "DOUBLE", "REAL"])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, how=st.sampled_from(["mean", "median", "min", "max"]))
def test_aggregates_equal_those_of_fractions(tmp_path, column_type, rows, how):
    """For every type of column the order and the ties are those of exact arithmetic.

    Floats are the binary fractions that they are, so even they are added without rounding.
    """
    rows = [*rows, (0, "x", Decimal(1)), (0, "y", Decimal(2))]  # both levels occur
    if column_type == "text":
        lines = "".join(f"{unit},{condition},{value}\n" for unit, condition, value in rows)
        path = write(tmp_path, "unit,condition,value\n" + lines)
    else:
        values = ", ".join(f"({u}, '{c}', {v}::{column_type})" for u, c, v in rows)
        path = parquet(tmp_path, f"SELECT * FROM (VALUES {values}) AS t(unit, condition, value)")
        stored = duckdb.execute(f"SELECT unit, condition, value FROM '{path}'").fetchall()
        rows = [(u, c, Fraction(v)) for u, c, v in stored]
    found = places(
        path,
        unit="unit",
        condition="condition",
        levels="x,y",
        value="value",
        aggregate=how,
        missing_condition="zero",
    )
    expected = unit_differences(rows, ("x", "y"), how)
    assert found == expected_places([Fraction(each) for each in expected.values()])


def test_means_do_not_depend_on_the_order_of_the_rows(tmp_path):
    """0.1 + 0.2 + 0.3 has two values in floating point, and one here."""
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    rows = "('a', 0, 0.1::DOUBLE), ('a', 0, 0.2), ('a', 0, 0.3), ('a', 1, 0.3), ('a', 1, 0.2)"
    path = parquet(tmp_path, f"SELECT * FROM (VALUES {rows}, ('a', 1, 0.1)) AS t(u, c, v)")
    assert places(path, unit="u", condition="c", levels="0,1", value="v", aggregate="mean") == [0]


def test_means_too_fine_for_integers_are_fractions(tmp_path):
    """Thousands of rows and floats of all sizes do not fit 128 bits, and still are exact."""
    query = (
        "SELECT i % 3 AS u, i % 2 AS c, (i * 7919 % 10007) / 10007 * pow(10, -(i % 5)) AS v "
        "FROM range(30000) AS t(i)"
    )
    path = parquet(tmp_path, query)
    rows = [
        (u, str(c), Fraction(v))
        for u, c, v in duckdb.execute(f"SELECT u, c, v FROM '{path}'").fetchall()
    ]
    expected = unit_differences(rows, ("0", "1"), "mean").values()
    layout = {"unit": "u", "condition": "c", "levels": "0,1", "value": "v", "aggregate": "mean"}
    assert places(path, **layout) == expected_places(expected)
    rounded = [round(each / Fraction("0.001")) for each in expected]
    assert places(path, resolution="0.001", **layout) == expected_places(rounded)


def test_a_resolution_rounds_the_difference_of_exact_means(tmp_path):
    """Halves go to the even multiple: 0.05 and 0.15 become 0 and 0.2."""
    text = "u,c,v\na,0,1\na,1,1.05\nb,0,1\nb,1,1.10\nb,1,1.20\nd,0,1\nd,1,0.5\n"
    layout = {"unit": "u", "condition": "c", "levels": "0,1", "value": "v", "aggregate": "mean"}
    path = write(tmp_path, text)
    assert places(path, resolution="0.1", **layout) == expected_places(
        [0, Fraction("0.2"), Fraction("-0.5")]
    )
    assert places(path, **layout) == expected_places(
        [Fraction("0.05"), Fraction("0.15"), Fraction("-0.5")]
    )


def test_floats_may_be_rounded_to_a_grid(tmp_path):
    """With a resolution, floats that differ in the last bit tie, as for arrays."""
    rows = "('a', 120.1::DOUBLE, 118.3::DOUBLE), ('b', 121.1, 119.3), ('c', 1, 5)"
    path = parquet(tmp_path, f"SELECT * FROM (VALUES {rows}) AS t(u, x, y)")
    wide = {"unit": "u", "before": "x", "after": "y"}
    assert places(path, resolution="0.1", **wide) == expected_places([-1, -1, 2])
    assert places(path, **wide) == expected_places([118.3 - 120.1, 119.3 - 121.1, 4])


def test_a_wide_table_with_several_rows_per_person(tmp_path):
    """Both columns are aggregated, then subtracted."""
    text = "person,x,y\na,1,2\na,3,6\nb,5,4\n"
    path = write(tmp_path, text)
    wide = {"unit": "person", "before": "x", "after": "y"}
    assert places(path, aggregate="mean", **wide) == expected_places([2, -1])
    assert places(path, aggregate="max", **wide) == expected_places([3, -1])
    with pytest.raises(DataError, match=r"several rows in a table with one row per pair; say"):
        read(path, **wide)


def test_a_column_of_differences_per_person(tmp_path):
    """A mean of differences is a pair as well."""
    path = write(tmp_path, "person,d\na,1\na,2\nb,-1.5\nc,7\n")
    layout = {"unit": "person", "difference": "d", "aggregate": "mean"}
    assert places(path, **layout) == expected_places([Fraction("1.5"), -Fraction("1.5"), 7])


def test_dates_and_true_or_false_are_values_too(tmp_path):
    """Dates are subtracted in days, true is one more than false."""
    text = "p,c,when,ok\na,0,2024-02-28,true\na,1,2024-03-01,false\nb,0,2024-01-03,false\n"
    path = write(tmp_path, text + "b,1,2024-01-01,true\n")
    layout = {"unit": "p", "condition": "c", "levels": "0,1"}
    assert places(path, value="when", **layout) == [-1, 1]
    assert places(path, value="ok", **layout) == [-1, 1]


def test_integers_beyond_64_bits_keep_their_order(tmp_path):
    """2^100 and 2^100 + 1 are different differences."""
    rows = ", ".join(f"('{u}', {c}, {v}::HUGEINT)" for u, c, v in [
        ("a", 0, 0), ("a", 1, 2**100), ("b", 0, -1), ("b", 1, 2**100), ("d", 0, 5), ("d", 1, 0),
    ])  # fmt: skip
    path = parquet(
        tmp_path,
        f"SELECT u, c, v::DECIMAL(38,0) AS v FROM (SELECT * FROM (VALUES {rows}) AS t(u, c, v))",
    )
    assert places(path, unit="u", condition="c", levels="0,1", value="v") == [-1, 2, 3]


EXPRESSIONS = """ride,driver,pickup,miles
1,a,2013-01-01 10:00:00,1.5
2,a,2013-01-02 11:00:00,2.5
3,a,2013-01-02 12:00:00,3.5
4,b,2013-01-01 09:00:00,2
5,b,2013-01-02 09:00:00,1
6,c,2013-01-01 09:00:00,4
"""
TAXI = {
    "unit": "driver",
    "condition": "day(pickup::TIMESTAMP)",
    "levels": "1,2",
    "value": "miles",
    "aggregate": "mean",
}


def test_a_condition_may_be_an_expression_of_a_row(tmp_path):
    """The taxi study of the paper: distances by day of pickup, per driver."""
    path = write(tmp_path, EXPRESSIONS)
    found = places(path, missing_condition="zero", **TAXI)
    assert found == expected_places([Fraction("1.5"), -1, 0])


def test_persons_without_a_condition(tmp_path):
    """They are refused, counted as no change, or left out of a cohort that is declared public."""
    path = write(tmp_path, EXPRESSIONS)
    with pytest.raises(DataError, match="Some of the units of `driver` have no row for"):
        read(path, **TAXI)
    with pytest.raises(InvalidArgument, match="declare the size of the cohort with `public_n`"):
        read(path, missing_condition="exclude", **TAXI)
    assert read(path, missing_condition="exclude", public_n=2, **TAXI).n == 2


def test_a_filter_needs_a_declared_size_that_is_right(tmp_path):
    """And a wrong declaration is not corrected: the true number is not told."""
    path = write(tmp_path, EXPRESSIONS)
    where = {"where": "driver <> 'c'", **TAXI}
    with pytest.raises(InvalidArgument, match="`where` lets the data decide"):
        read(path, **where)
    assert read(path, public_n=2, **where).n == 2
    with pytest.raises(DataError, match=r"`public_n` = 17 pairs, .* has another number") as refused:
        read(path, public_n=17, **where)
    assert "2" not in str(refused.value).replace(str(path), "")


def test_a_filter_without_units(tmp_path):
    """Rows that are pairs already may be filtered as well."""
    path = write(tmp_path, "x,y,site\n1,2,A\n5,3,A\n9,9,B\n")
    layout = {"before": "x", "after": "y", "where": "site = 'A'"}
    assert places(path, public_n=2, **layout) == [-2, 1]


def test_rows_without_a_unit_are_refused(tmp_path):
    """A row that belongs to nobody could belong to anybody."""
    path = write(tmp_path, VISITS.replace("b,week8", ",week8"))
    with pytest.raises(DataError, match="have no `person`, so it is not known whom"):
        read(path, aggregate="mean", **LONG)


@pytest.mark.parametrize("gap", ["", "NA", "nan"])
def test_a_missing_value_makes_the_pair_missing(tmp_path, gap):
    """It is refused, or the pair of that person counts as no change."""
    path = write(tmp_path, VISITS.replace("118.5", gap))
    with pytest.raises(DataError, match="Some of the pairs have no difference"):
        read(path, aggregate="mean", **LONG)
    found = places(path, aggregate="mean", missing="zero", **LONG)
    assert found == expected_places([0, Fraction("-1.6"), Fraction("-3.5")])


def test_nan_in_floats_is_missing(tmp_path):
    """As everywhere; other conditions than the two do not matter."""
    rows = "('a', 0, 1::DOUBLE), ('a', 1, 'nan'::DOUBLE), ('b', 0, 1), ('b', 1, 2), ('b', 7, NULL)"
    path = parquet(tmp_path, f"SELECT * FROM (VALUES {rows}) AS t(u, c, v)")
    layout = {"unit": "u", "condition": "c", "levels": "0,1", "value": "v", "aggregate": "mean"}
    with pytest.raises(DataError, match="Some of the pairs have no difference"):
        read(path, **layout)
    assert places(path, missing="zero", **layout) == [0, 1]


def test_infinity_minus_infinity_is_missing(tmp_path):
    """Infinite floats are larger than all others; the difference of two is none."""
    rows = "('a', 'inf'::DOUBLE, 'inf'::DOUBLE), ('b', 0, '-inf'), ('c', 0, 1)"
    path = parquet(tmp_path, f"SELECT * FROM (VALUES {rows}) AS t(u, x, y)")
    with pytest.raises(DataError, match="Some of the pairs have no difference"):
        read(path, unit="u", before="x", after="y")
    assert places(path, unit="u", before="x", after="y", missing="zero") == [-2, 0, 1]
    with pytest.raises(DataError, match="cannot be added up exactly"):
        read(path, unit="u", before="x", after="y", aggregate="mean")


def test_first_needs_an_order_that_decides(tmp_path):
    """Two rows at the same time with different values have no first."""
    path = write(tmp_path, VISITS.replace("118.5,10", "118.5,9"))
    with pytest.raises(DataError, match="`day` does not decide which row is first"):
        read(path, aggregate="first", order_by="day", **LONG)
    assert read(path, aggregate="first", order_by=["day", "sbp"], **LONG).n == 3
    path = write(tmp_path, VISITS.replace("118.5,10", "118.5,"))
    with pytest.raises(DataError, match="Some rows have no `day` to order them by"):
        read(path, aggregate="last", order_by="day", **LONG)


def test_first_and_last_look_at_no_other_row(tmp_path):
    """A gap is one where the row that decides has it, or a row at the same time; no other."""
    rows = "a,0,10,1\na,0,,2\na,0,15,3\na,1,12,4\nb,0,5,1\nb,1,4,2\n"
    path = write(tmp_path, "u,c,v,t\n" + rows)
    layout = {"unit": "u", "condition": "c", "levels": "0,1", "value": "v", "order_by": "t"}
    assert places(path, aggregate="first", **layout) == expected_places([2, -1])
    assert places(path, aggregate="last", **layout) == expected_places([-3, -1])
    for how, moment in (("first", 1), ("last", 3)):
        path = write(tmp_path, f"u,c,v,t\n{rows}a,0,,{moment}\n")
        with pytest.raises(DataError, match="have no difference"):
            read(path, aggregate=how, **layout)
        assert places(path, aggregate=how, missing="zero", **layout) == [-1, 0]


@pytest.mark.parametrize("kind", ["REAL", "DOUBLE"])
@pytest.mark.parametrize("nan", ["nan", "-nan"])
def test_rows_with_nan_for_a_unit_are_refused(tmp_path, kind, nan):
    """Not-a-number is nobody, as NULL is; the word is a name where names are text."""
    values = f"(1, 1), (2, 5), ('{nan}'::{kind}, 2), ('nan'::{kind}, 3)"
    query = f"SELECT u::{kind} AS u, d FROM (VALUES {values}) AS t(u, d)"
    layout = {"unit": "u", "difference": "d", "aggregate": "mean"}
    with pytest.raises(DataError, match="have no `u`, so it is not known whom"):
        read(parquet(tmp_path, query), **layout)
    with pytest.raises(DataError, match="have no `u`, so it is not known whom"):
        read_pairs(duckdb.sql(query).arrow().read_all(), **layout)
    words = parquet(tmp_path, f"SELECT u::VARCHAR AS u, d FROM ({query})")
    assert read(words, **layout).n == 2 + len({"nan", nan})


def test_several_rows_need_an_aggregate(tmp_path):
    """The message says which words there are."""
    path = write(tmp_path, VISITS)
    with pytest.raises(DataError, match=r"several rows for one condition; say with `aggregate`"):
        read(path, **LONG)


def test_names_of_persons_and_conditions_stay_text(tmp_path):
    """007 and 7 are two persons, though one number."""
    path = write(tmp_path, "p,c,v\n007,1,1\n007,2,4\n7,1,1\n7,2,2\n")
    layout = {"unit": "p", "condition": "c", "levels": "1,2", "value": "v"}
    assert places(path, **layout) == [1, 2]


def test_json_lines_have_units_too(tmp_path):
    """And a misspelt member is an error, not a column in which everything is missing."""
    lines = ['{"p": "a", "c": 0, "v": 1.5}', '{"p": "a", "c": 1, "v": 2}'] * 2
    path = write(tmp_path, "\n".join(lines), "visits.jsonl")
    layout = {"unit": "p", "condition": "c", "levels": "0,1", "aggregate": "mean"}
    assert read(path, value="v", **layout).n == 1
    with pytest.raises(SourceError, match="no column 'w'"):
        read(path, value="w", **layout)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": "spb"}, "no column 'spb'; did you mean 'sbp'"),
        ({"levels": "baseline,week9"}, "No row of .* has the level 'week9'"),
        ({"value": "person"}, "'person' holds text where a number is needed, first in data row 1"),
        ({"value": "sbp - avg(sbp)"}, r"uses avg\(\), which looks at many rows"),
        ({"value": "sbp + 1"}, "CAST\\(... AS DECIMAL\\(18, 6\\)\\)"),
        ({"condition": "month(visit)"}, "An expression does not fit the columns it names"),
        ({"value": "CAST(visit AS INTEGER)"}, "does not fit what is computed with it"),
        (
            {"condition": "sbp::DECIMAL(9, 3) > 120", "levels": "low,high"},
            "The level .* cannot be a value",
        ),
        (
            {"value": "sbp::DOUBLE / (sbp::DOUBLE - 99)", "levels": "baseline,week4"},
            "have no row|several rows",
        ),
    ],
)
def test_what_cannot_be_read_is_one_line_without_a_value(tmp_path, change, message):
    """Names, types, levels and expressions that do not fit the table."""
    path = write(tmp_path, VISITS.replace("118.3", SENTINEL))
    with pytest.raises((DataError, InvalidArgument), match=message) as refused:
        read(path, **{**LONG, **change})
    assert SENTINEL not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet", "frame"])
@pytest.mark.parametrize(
    "computed",
    ["i::INT % 0", "1 // i::INT", "year(strptime(s, '%Y'))", "regexp_matches(s, '[')::INT"],
)
def test_an_expression_that_fails_is_not_blamed_on_the_file(tmp_path, name, computed):
    """Nothing is wrong with the file, and what DuckDB says of the value is not repeated."""
    table = duckdb.sql(f"SELECT '0' AS i, '{SENTINEL}' AS s").arrow().read_all()
    if name == "t.parquet":
        duckdb.execute(f"COPY (SELECT 0 AS i, '{SENTINEL}' AS s) TO '{tmp_path / name}'")
    rows = f"i,s\n0,{SENTINEL}\n" if name == "t.csv" else f'{{"i": 0, "s": "{SENTINEL}"}}\n'
    data = table if name == "frame" else tmp_path / name
    if name in ("t.csv", "t.jsonl"):
        write(tmp_path, rows, name)
    with pytest.raises(SourceError, match="An expression cannot be computed for some") as refused:
        read_pairs(data, difference=computed)
    assert SENTINEL not in str(refused.value)


@pytest.mark.parametrize("computed", ["1 + 1", "list_extract([1, 2], 'a')"])
def test_a_difference_of_no_column_is_refused(tmp_path, computed):
    """It would be the same for everybody."""
    with pytest.raises(InvalidArgument, match="names no column of the table"):
        read_pairs(write(tmp_path, VISITS), difference=computed)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("1\n2\ninf", "infinite or has too many digits .* data row 3"),
        ("1\n2\n1e500", "infinite or has too many digits .* data row 3"),
        ("1\n2\n2024-01-01", "mixes numbers, true/false, dates or times, first in data row 3"),
        ("1e-30\n2\n1e15", "needs more than 38 digits"),
        ("1e-50\n2e-50\n3e-50", "needs more than 38 digits"),
    ],
)
def test_text_that_cannot_be_computed_with(tmp_path, cells, message):
    """The custodian is told where, never what."""
    text = "".join(f"{i // 2},{i % 2},{cell}\n" for i, cell in enumerate(cells.split("\n")))
    path = write(tmp_path, "u,c,v\n" + text)
    layout = {"unit": "u", "condition": "c", "levels": "0,1", "aggregate": "mean"}
    with pytest.raises(DataError, match=message):
        read(path, value="v", **layout)


@pytest.mark.parametrize("cells", ["1\n2\nhalf", "1\n2\ninf", "1\n2\n2024-01-01"])
def test_of_a_declared_cohort_no_row_is_named(tmp_path, cells):
    """The row of somebody else is none of the business of whoever asks for a part of the table."""
    text = "".join(f"{i // 2},{cell},{cell}x\n" for i, cell in enumerate(cells.split("\n")))
    path = write(tmp_path, "u,d,o\n" + text)
    with pytest.raises(DataError, match="first in data row 3"):
        read(path, unit="u", difference="d", aggregate="max")
    with pytest.raises(DataError, match=r"Column 'd' (holds|mixes)") as refused:
        read(path, difference="d", where="u = '0'", public_n=2)
    assert "row" not in str(refused.value).replace(str(path), "")


def test_small_numbers_have_more_places_than_digits(tmp_path):
    """2.5e-20 has two digits in 21 places, and is the same number with a unit and without."""
    path = write(tmp_path, "u,x,y\na,2.5e-20,3.1e-20\nb,1.5e-20,1e-21\nc,2e-20,3e-20\n")
    assert places(path, unit="u", before="x", after="y") == [-3, 1, 2]
    assert sorted(places_of(read_pairs(path, before="x", after="y"))) == [-3, 1, 2]


def test_floats_and_decimals_are_not_mixed(tmp_path):
    """Beside a float a decimal would have to be rounded; the custodian decides how."""
    path = parquet(tmp_path, "SELECT 1 AS u, 1.5::DOUBLE AS x, 1.5::DECIMAL(9,1) AS y")
    with pytest.raises(DataError, match="one holds floats and the other exact numbers"):
        read(path, unit="u", before="x", after="y")
    assert read(path, unit="u", before="x", after="y::DOUBLE").n == 1


def test_columns_of_different_places_are_brought_to_one(tmp_path):
    """Integers, 1.5 and 1.25 are subtracted in hundredths."""
    path = parquet(
        tmp_path,
        "SELECT * FROM (VALUES ('a', 1::INTEGER, 1.25::DECIMAL(9,2)), ('b', 2, 2.25), "
        "('c', 3, 2.5)) AS t(u, x, y)",
    )
    assert places(path, unit="u", before="x", after="y") == [-2, 1, 1]


def test_an_empty_table_has_no_pairs(tmp_path):
    """What a filter has left of it is not told, not even that it is nothing."""
    path = write(tmp_path, VISITS)
    with pytest.raises(DataError, match="has another number of them"):
        read(path, where="sbp::DOUBLE > 1000", public_n=3, aggregate="mean", **LONG)
