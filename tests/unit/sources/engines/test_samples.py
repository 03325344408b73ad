"""Tables of Ibis become samples that are ranked in the engine; DuckDB stands for all of them."""

from __future__ import annotations

import ibis
import numpy as np
import pytest
from engine_samples import cases

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InvalidArgument, SourceError
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.registry import get_private_procedure
from dpwilcoxon.sources.engines.embedded import EmbeddedSession
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.signed_rank import ordered_total
from dpwilcoxon.statistics.tie_groups import ZeroMethod

CAPPED = get_private_procedure("capped:3").score
WIDE = {"before": "x", "after": "y"}
SENTINEL = "987654.321"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_engine_ranks_as_memory_does(case, put):
    """T and n are the same, whatever is in the table; other engines are in tests/engines."""
    keys = dpw.read_pairs(case.rows, **case.layout).sample.keys
    sample = dpw.read_pairs(put(case.rows), **case.layout)
    assert sample.n == len(keys)
    for score in (RANKS, CAPPED(Design.parse(sample.n, 1))):
        for zeros in ZeroMethod:
            expected = ordered_total(np.sort(keys.values), score, zeros)
            assert sample.signed_rank_total(score, zeros) == expected


def test_a_sample_goes_through_the_door(put):
    """And tells nothing of itself but its size."""
    table = put("SELECT i % 7 AS x, i % 5 AS y FROM range(50) AS t(i)")
    sample = dpw.read_pairs(table, **WIDE)
    assert dpw.wilcoxon(sample, epsilon=1).n == 50
    assert repr(sample) == "EngineSample(n=50)"


def test_nothing_is_left_in_the_engine(put, backend):
    """Nothing is ever written into the database of the caller, also if making a sample fails."""
    table = put("SELECT i % 4 AS u, i % 2 AS c, i * 0.5::DOUBLE AS v FROM range(40) AS t(i)")
    layout = {"unit": "u", "condition": "c", "levels": "0,1", "value": "v", "aggregate": "mean"}
    sample = dpw.read_pairs(table, missing_condition="zero", **layout)
    kept = backend.con.execute("SELECT count(*) FROM duckdb_tables() WHERE temporary").fetchone()
    assert kept == (0,)
    assert sample.n == 4
    with pytest.raises(DataError):
        dpw.read_pairs(table, **layout)
    assert backend.con.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("study",)]


def test_several_samples_do_not_get_in_each_others_way(put):
    """Each keeps its own differences."""
    table = put("SELECT i % 7 AS x, i % 5 AS y FROM range(50) AS t(i)")
    first, second = dpw.read_pairs(table, **WIDE), dpw.read_pairs(table, difference="x + 1")
    assert dpw.signed_rank(second) == 50 * 51 / 2
    assert dpw.signed_rank(first) != dpw.signed_rank(second)


def test_a_table_that_changes_is_noticed(put, monkeypatch):
    """The number of pairs that are ranked is the number that was counted."""
    table = put("SELECT i AS x, 2 * i AS y FROM range(9) AS t(i)")
    kept = EmbeddedSession.kept

    def lossy(session, name, sql):
        return kept(session, name, f"SELECT * FROM ({sql}) LIMIT 5" if name == "groups" else sql)

    monkeypatch.setattr(EmbeddedSession, "kept", lossy)
    with pytest.raises(SourceError, match="The table changed while it was read"):
        dpw.read_pairs(table, **WIDE)


def test_differences_with_too_many_digits_are_refused(put):
    """Elsewhere they would be fractions; an engine is told to round."""
    query = (
        "SELECT i % 3 AS u, i % 2 AS c, (i * 7919 % 10007) / 10007 AS v FROM range(30000) AS t(i)"
    )
    layout = {"unit": "u", "condition": "c", "levels": "0,1", "value": "v", "aggregate": "mean"}
    table = put(query)
    with pytest.raises(DataError, match="more digits than its database can compute with"):
        dpw.read_pairs(table, **layout)
    assert dpw.read_pairs(table, resolution="0.001", **layout).n == 3


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"after": "z"}, SourceError, "table 'study' has no column 'z'"),
        ({"after": "note"}, SourceError, "`note` has type VARCHAR"),
        ({"after": "CAST(note || 'x' AS INTEGER)"}, SourceError, "does not fit what is computed"),
        ({"after": "day(note)"}, SourceError, "An expression does not fit the columns"),
        ({"after": "avg(y)"}, InvalidArgument, "looks at many rows"),
        ({"table": "study"}, InvalidArgument, "`table` belongs to databases"),
    ],
)
def test_what_goes_wrong_is_one_line(put, change, error, message):
    """No value of the data is in it, nor in what led to it."""
    table = put(f"SELECT i AS x, i AS y, '{SENTINEL}' AS note FROM range(9) AS t(i)")
    with pytest.raises(error, match=message) as refused:
        dpw.read_pairs(table, **{**WIDE, **change})
    assert SENTINEL not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_table_that_is_gone(put, backend):
    """It was there when Ibis looked."""
    table = put("SELECT 1 AS x, 2 AS y")
    backend.con.execute("DROP TABLE study")
    with pytest.raises(SourceError, match="table 'study' is not there, or not any more"):
        dpw.read_pairs(table, **WIDE)


def test_levels_have_the_type_of_their_condition(put):
    """A word cannot be a number."""
    table = put("SELECT i % 2 AS c, i // 2 AS u, i AS v FROM range(8) AS t(i)")
    layout = {"unit": "u", "condition": "c", "value": "v"}
    assert dpw.read_pairs(table, levels=(0, 1), **layout).n == 4
    with pytest.raises(SourceError, match="'high' cannot be a value of `c`, which has type BIGINT"):
        dpw.read_pairs(table, levels="low,high", **layout)


def test_expressions_of_ibis_are_tables(put):
    """Whatever the caller makes of a table is computed in the engine, too."""
    table = put("SELECT i AS x, 2 * i AS y FROM range(9) AS t(i)")
    changed = table.filter(table.x > 2).mutate(y=table.x - 1)
    assert dpw.signed_rank(dpw.read_pairs(changed, **WIDE)) == -6 * 7 / 2
    with pytest.raises(SourceError, match="the Ibis table has no column 'z'"):
        dpw.read_pairs(changed, difference="z")


def test_tables_of_no_engine_are_refused():
    """A schema alone has no rows, and some engines are not known."""
    with pytest.raises(InvalidArgument, match="belongs to no database"):
        dpw.read_pairs(ibis.table({"x": "int64"}, name="t"), difference="x")
    sqlite = ibis.sqlite.connect()
    sqlite.raw_sql("CREATE TABLE t (x INTEGER)")
    with pytest.raises(InvalidArgument, match="Ibis tables of sqlite cannot be asked"):
        dpw.read_pairs(sqlite.table("t"), difference="x")


@pytest.mark.parametrize(
    "setting",
    [
        "CREATE MACRO abs(x) AS 5",
        "CREATE MACRO month(x) AS 1000",
        "SET default_order = 'desc'",
        "SET integer_division = true",
        "SET TimeZone = 'Asia/Tokyo'",
    ],
)
def test_words_mean_what_they_mean_in_a_file(put, backend, setting):
    """Whatever the caller's database makes of them."""
    table = put(
        "SELECT i, i % 7 - 3 AS d, TIMESTAMPTZ '2024-01-31 20:00:00+00' + to_days(i::INT) AS t "
        "FROM range(40) AS r(i)"
    )
    where = {"where": "i / 7 > 2.5 AND month(t) < 3", "public_n": 12}
    expected = dpw.signed_rank(dpw.read_pairs(table.to_pyarrow(), difference="d", **where))
    backend.con.execute(setting)
    assert dpw.signed_rank(dpw.read_pairs(table, difference="d", **where)) == expected


def test_text_is_not_taken_for_a_number(put):
    """DuckDB would round it to the places of the number."""
    table = put("SELECT '1.45' AS s, 1 AS d")
    with pytest.raises(InvalidArgument, match="which is text, with a number"):
        dpw.read_pairs(table, difference="d", where="s = 1.5", public_n=1)


def test_a_place_in_a_text_is_looked_for_in_the_text(put):
    """Readers of SQL disagree about which argument of position() comes first."""
    table = put("SELECT unnest(['b', 'ab', 'bb']) AS s, unnest([1, -2, 3]) AS d")
    pairs = dpw.read_pairs(table, difference="d", where="position('b' IN s) = 1", public_n=2)
    assert dpw.signed_rank(pairs) == 3
