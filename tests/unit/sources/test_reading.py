"""Streamed, whole and ordered: three ways through a file, and one integer."""

from __future__ import annotations

import re
import tempfile
import threading
from itertools import product

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpwilcoxon.errors import DataError, SourceError
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources import duckdb_session, reading
from dpwilcoxon.sources import parquet as parquet_module
from dpwilcoxon.sources.files import open_table, pairs_from_file
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.memory import FIXED_BYTES, Resources
from dpwilcoxon.sources.ordering import OrderedInDuckDB
from dpwilcoxon.sources.reading import open_pairs
from dpwilcoxon.sources.typed_columns import whole_decimal
from dpwilcoxon.statistics.scores import RANKS, SIGNS, capped_ranks
from dpwilcoxon.statistics.tie_groups import ZeroMethod

SENTINEL = 987654.321
TESTS = list(product([RANKS, SIGNS, capped_ranks(5, 3), capped_ranks(40)], ZeroMethod))
PART = 7  # rows
GIGABYTE = 10**9
TABLES = {
    "ties and zeros": "SELECT (i % 5)::DOUBLE AS b, (i * i % 7)::DOUBLE AS a FROM range(60) t(i)",
    "continuous": "SELECT sin(i) AS b, cos(i * 1.7) AS a FROM range(60) t(i)",
    "negative zeros": "SELECT 0.0::DOUBLE AS b, -0.0::DOUBLE * i AS a FROM range(9) t(i)",
    "infinities": "SELECT 'inf'::DOUBLE * CASE i % 3 WHEN 0 THEN 1 ELSE -1 END AS b, "
    "i::DOUBLE AS a FROM range(30) t(i)",
    "huge floats": "SELECT 1.5e308 * (1 - 2 * (i % 2)) AS b, 1.5e308 * (i % 3 - 1) AS a "
    "FROM range(12) t(i)",
    "float32": "SELECT (0.1 * i)::FLOAT AS b, (0.1 * (i % 9))::FLOAT AS a FROM range(40) t(i)",
    "floats beside float32": "SELECT (0.1 * i)::FLOAT AS b, 0.1 * i::DOUBLE AS a "
    "FROM range(40) t(i)",
    "integers": "SELECT i::TINYINT AS b, (i * 31 % 17)::SMALLINT AS a FROM range(60) t(i)",
    "beyond 2^53": "SELECT 9007199254740992 + i AS b, 9007199254740993 + i * i % 5 AS a "
    "FROM range(40) t(i)",
    "beyond 2^63": "SELECT (CASE i % 2 WHEN 0 THEN 1 ELSE -1 END) * (9223372036854775807 - i % 4) "
    "AS b, (CASE i % 3 WHEN 0 THEN 1 ELSE -1 END) * (9223372036854775807 - i % 5) AS a "
    "FROM range(40) t(i)",
    "unsigned": "SELECT 18446744073709551615::UBIGINT - (i % 3)::UBIGINT AS b, "
    "(i * i)::UBIGINT AS a FROM range(20) t(i)",
    "decimals": "SELECT (i / 10)::DECIMAL(9, 1) AS b, (i % 7 / 100)::DECIMAL(18, 2) AS a "
    "FROM range(50) t(i)",
    "wide decimals": "SELECT (i / 7)::DECIMAL(38, 20) AS b, (i % 5 / 3)::DECIMAL(38, 20) AS a "
    "FROM range(30) t(i)",
    "text": "SELECT (i / 10)::DECIMAL(9, 1)::VARCHAR AS b, (i % 4)::VARCHAR AS a "
    "FROM range(30) t(i)",
    "booleans": "SELECT i % 2 = 0 AS b, i % 3 = 0 AS a FROM range(30) t(i)",
    "dates": "SELECT DATE '2024-01-01' + i::INTEGER AS b, "
    "DATE '2024-01-09' + (i % 6)::INTEGER AS a FROM range(30) t(i)",
    "times": "SELECT TIMESTAMP '2024-01-01' + to_seconds(i * 7) AS b, "
    "TIMESTAMP '2024-01-01 00:01' + to_seconds(i % 9) AS a FROM range(30) t(i)",
    "skew": "SELECT 0.25::DOUBLE AS b, CASE WHEN i % 10 = 3 THEN i ELSE 1.25 END::DOUBLE AS a "
    "FROM range(200) t(i)",
    "no change": "SELECT 1.5::DOUBLE AS b, 1.5::DOUBLE AS a FROM range(20) t(i)",
    "one row": "SELECT 1.5::DOUBLE AS b, 2.5::DOUBLE AS a",
}


@pytest.fixture(autouse=True)
def small_parts(tmp_path, monkeypatch):
    """Cut files of few rows, and keep an eye on temporary files."""
    monkeypatch.setattr(parquet_module, "MOST_PART_ROWS", PART)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    yield
    assert list((tmp_path / "temporary").iterdir()) == []


class Ways:
    """Remembers which way the rows went."""

    def __init__(self):
        self.told = []

    def resources(self, limit, part_rows=PART):
        """Resources with this limit."""
        return Resources(limit, tell=self.told.append, part_rows=part_rows)


def totals(sample):
    """The statistics of every test."""
    return [sample.signed_rank_total(*each) for each in TESTS]


def way(path, resources, **layout):
    """The statistics by one way, the number of pairs, and what the sample is."""
    columns = {} if "difference" in layout else {"before": "b", "after": "a"}
    with open_pairs(open_table(path), Layout.parse(**columns, **layout), resources) as sample:
        assert repr(sample) in (f"Pairs(n={sample.n})", f"OrderedInDuckDB(n={sample.n})")
        return totals(sample), sample.n, type(sample)


def write(path, query):
    """Write the answer of a query as a file."""
    path.unlink(missing_ok=True)
    duckdb.execute(f"COPY ({query}) TO '{path}'")
    return path


def check_ways(path, **layout):
    """All ways give the integers of the rows in memory; return what was told."""
    columns = {} if "difference" in layout else {"before": "b", "after": "a"}
    expected = pairs_from_file(path, **columns, **layout)
    ways = Ways()
    for limit in (GIGABYTE, 0):
        found, n, kind = way(path, ways.resources(limit), **layout)
        assert (found, n) == (totals(expected), expected.n)
        if limit == 0:
            assert kind is OrderedInDuckDB
    return ways.told


@pytest.mark.parametrize("name", TABLES)
def test_every_way_gives_the_same_integers(tmp_path, name):
    """Ties, zeros, infinities and every type, beyond 64 bits too, for every score and zero rule."""
    told = check_ways(write(tmp_path / "x.parquet", TABLES[name]))
    through_text = name in ("wide decimals", "text")
    assert told[0].startswith("whole: " if through_text else "streamed: ")
    assert told[-1].startswith("ordered: ")


@pytest.mark.parametrize("step", ["0.5", "0.03", "2"])
@pytest.mark.parametrize("name", ["decimals", "continuous", "integers", "beyond 2^63", "skew"])
def test_rounding_is_the_same(tmp_path, name, step):
    """Halves to even on every way, exactly where differences are exact."""
    check_ways(write(tmp_path / "x.parquet", TABLES[name]), resolution=step)


GAPS = """SELECT * FROM (VALUES (1.0::DOUBLE, 2.0::DOUBLE), (NULL, 5), (3, 'nan'), ('inf', 'inf'),
    ('-inf', 'inf'), (7, 3), (NULL, NULL), (0, -1)) t(b, a)"""


def test_missing_values_may_count_as_no_change(tmp_path):
    """NULL, NaN and infinity minus infinity are zeros on every way."""
    check_ways(write(tmp_path / "x.parquet", GAPS), missing="zero")
    exact = GAPS.replace("DOUBLE", "INTEGER").replace("'nan'", "NULL").replace("'inf'", "2")
    check_ways(write(tmp_path / "x.parquet", exact.replace("'-inf'", "1")), missing="zero")


def test_missing_values_are_refused(tmp_path):
    """With how many there are; where rows are in memory, with the first of them."""
    path = write(tmp_path / "x.parquet", GAPS)
    for part_rows in (1, PART, 100):
        with pytest.raises(DataError, match=r"^Some of the pairs .* row 2\)"):
            way(path, Ways().resources(GIGABYTE, part_rows))
    with pytest.raises(DataError, match=r"^Some of the pairs have no difference"):
        way(path, Ways().resources(0))


def test_the_first_missing_row_is_counted_over_all_parts(tmp_path):
    """Also where it is not in the part that is read first."""
    rows = f"SELECT i::DOUBLE AS b, CASE WHEN i >= {5 * PART + 3} THEN NULL ELSE 1 END AS a"
    path = write(tmp_path / "x.parquet", f"{rows} FROM range({9 * PART}) t(i)")
    with pytest.raises(DataError, match=rf"row {5 * PART + 4}\)"):
        way(path, Ways().resources(GIGABYTE))


def test_one_column_of_differences(tmp_path):
    """It needs no subtraction."""
    query = "SELECT (i - 20)::DOUBLE AS d FROM range(45) t(i)"
    check_ways(write(tmp_path / "x.parquet", query), difference="d")


def test_text_files_are_read_whole_or_put_in_order(tmp_path):
    """Decimals keep every digit on both ways."""
    path = tmp_path / "x.csv"
    path.write_text("b,a\n120.1,118.3\n121.1,119.3\n 7 ,4.1\n,3\n1e2,98.2\n5,5\n")
    told = check_ways(path, missing="zero")
    assert told[0].startswith("whole: text is parsed in memory")
    with pytest.raises(DataError, match="Some of the pairs"):
        way(path, Ways().resources(0))


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "x.csv.zst", "x.jsonl"])
def test_rows_of_text_are_counted_where_their_number_matters(tmp_path, monkeypatch, name):
    """The size of a file is a bound; only what is beyond the limit is counted."""
    path = tmp_path / name
    rows = "SELECT (i % 7)::VARCHAR AS b, 'a' || i AS other, (i % 5)::VARCHAR AS a"
    duckdb.execute(f"COPY ({rows} FROM range(100) t(i)) TO '{path}'")
    counted = []
    monkeypatch.setattr(reading, "fetch_rows", lambda *_: counted.append(1) or [(100,)])
    assert way(path, Ways().resources(FIXED_BYTES + 200 * 100))[1:] == (100, Pairs)
    assert counted == [1]
    assert way(path, Ways().resources(1 << 50))[1:] == (100, Pairs)
    assert counted == [1]
    ways = Ways()
    assert way(path, ways.resources(FIXED_BYTES + 200 * 100 - 1))[1:] == (100, Pairs)
    assert ways.told[0].startswith("fetched: ")
    assert way(path, ways.resources(FIXED_BYTES + 100 * 32 - 1))[1:] == (100, OrderedInDuckDB)
    assert counted == [1, 1, 1]


def test_text_in_parquet_is_counted_by_its_metadata(tmp_path):
    """A few bytes can stand for any number of rows."""
    path = write(tmp_path / "x.parquet", "SELECT '1' AS b, '2' AS a FROM range(9000)")
    assert path.stat().st_size < 9000
    ways = Ways()
    for rows in (9000, 8999):
        assert way(path, ways.resources(FIXED_BYTES + 200 * rows))[1] == 9000
    assert [told.partition(":")[0] for told in ways.told] == ["whole", "fetched"]


def test_the_way_depends_on_rows_and_limit_alone(tmp_path):
    """Sixteen bytes a row, beside what is always there."""
    path = write(tmp_path / "x.parquet", TABLES["skew"])
    ways = Ways()
    way(path, ways.resources(FIXED_BYTES + 200 * 16))
    way(path, ways.resources(FIXED_BYTES + 200 * 16 - 1))
    assert [told.partition(":")[0] for told in ways.told[:2]] == ["streamed", "ordered"]
    assert not re.search(r"\d{3}", "".join(ways.told).replace("200 pairs", ""))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.floats(width=32)), st.one_of(st.none(), st.floats())),
        min_size=1,
        max_size=30,
    ),
    st.integers(1, 9),
)
def test_any_floats(tmp_path, rows, group):
    """Whatever floats there are, in row groups of any size."""
    path = tmp_path / "x.parquet"
    b, a = (pa.array(column, pa.float64()) for column in zip(*rows, strict=True))
    pq.write_table(pa.table({"b": b, "a": a}), path, row_group_size=group)
    check_ways(path, missing="zero")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.lists(st.tuples(*[st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)] * 2), min_size=1)
)
def test_any_integers(tmp_path, rows):
    """Differences of up to 65 bits."""
    path = tmp_path / "x.parquet"
    b, a = (pa.array(column, pa.int64()) for column in zip(*rows, strict=True))
    pq.write_table(pa.table({"b": b, "a": a}), path)
    check_ways(path)


def test_folders_of_files_are_streamed_in_order(tmp_path):
    """Small files are joined, large ones cut, and names are never taken for patterns."""
    folder = tmp_path / "parts[1]"
    folder.mkdir()
    whole = (
        "SELECT sin(i) AS b, CASE WHEN i = 52 THEN NULL ELSE cos(i) END AS a FROM range(60) t(i)"
    )
    for index, (first, stop) in enumerate([(0, 3), (3, 5), (5, 45), (45, 47), (47, 60)]):
        rows = f"SELECT * FROM ({whole}) LIMIT {stop - first} OFFSET {first}"
        duckdb.execute(f"COPY ({rows}) TO '{folder}/part*{index}.parquet'")
    parts = open_table(folder).parts(PART)
    assert [len(part) for part in parts] == [5, 7, 7, 7, 7, 7, 5, 2, 7, 6]
    assert [len(part.paths) for part in parts] == [2, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    single = pairs_from_file(
        write(tmp_path / "x.parquet", whole), before="b", after="a", missing="zero"
    )
    for limit in (GIGABYTE, 0):
        found, n, _ = way(folder, Ways().resources(limit), missing="zero")
        assert (found, n) == (totals(single), 60)
    with pytest.raises(DataError, match=r"row 53\)"):
        way(folder, Ways().resources(GIGABYTE))


def test_row_groups_are_joined(tmp_path):
    """Row groups of any size become parts of about as many rows."""
    path = tmp_path / "x.parquet"
    table = pa.table({"b": np.arange(20.0), "a": np.zeros(20)})
    pq.write_table(table, path, row_group_size=2)
    assert [len(part) for part in open_table(path).parts(5)] == [4] * 5
    assert [len(part) for part in open_table(path).parts(1)] == [2] * 10
    check_ways(path)


def test_a_column_of_the_name_that_duckdb_gives_to_row_numbers(tmp_path):
    """Such a file is read as a whole."""
    path = write(
        tmp_path / "x.parquet", "SELECT i AS b, 3 AS a, i AS File_Row_Number FROM range(30) t(i)"
    )
    assert len(open_table(path).parts(PART)) == 1
    check_ways(path)


def test_a_file_without_rows(tmp_path):
    """The same message on every way."""
    path = write(tmp_path / "x.parquet", "SELECT 1.0::DOUBLE AS b, 2.0::DOUBLE AS a WHERE false")
    for limit in (GIGABYTE, 0):
        with pytest.raises(DataError, match="holds no rows of data"):
            way(path, Ways().resources(limit))


def test_a_file_that_changes_while_it_is_read(tmp_path, monkeypatch):
    """Fewer rows than its metadata told are not a smaller sample."""
    path = write(tmp_path / "x.parquet", TABLES["skew"])
    parts = [parquet_module.Part((str(path),), 0, 300)]
    monkeypatch.setattr(parquet_module.ParquetTable, "parts", lambda *_: parts)
    with pytest.raises(SourceError, match="changed while it was read"):
        way(path, Ways().resources(GIGABYTE))


def test_pairs_that_change_while_they_are_put_in_order(tmp_path):
    """As many have to be ranked as were counted."""
    path = write(tmp_path / "x.parquet", TABLES["skew"])
    layout = Layout.parse(before="b", after="a")
    with open_pairs(open_table(path), layout, Resources(0)) as sample:
        write(path, TABLES["ties and zeros"])
        with pytest.raises(SourceError, match="changed while it was read"):
            sample.signed_rank_total(RANKS, ZeroMethod.PRATT)


def test_damage_in_the_middle_is_said_without_data(tmp_path):
    """A part that cannot be read ends the reading, by one line."""
    path = tmp_path / "x.parquet"
    rows = np.random.default_rng(1).normal(size=(2, 5000))
    pq.write_table(
        pa.table({"b": rows[0], "a": rows[1]}), path, row_group_size=500, compression="gzip"
    )
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 400] = b"\xff" * 400
    path.write_bytes(content)
    for limit in (GIGABYTE, 0):
        with pytest.raises(SourceError, match=r"is damaged or not a Parquet file\.$"):
            way(path, Ways().resources(limit, 500))


def test_units_are_put_in_order_where_they_do_not_fit(tmp_path):
    """Aggregated floats and exact means, and more than 64 bits of them."""
    rows = (
        "SELECT i % 40 AS person, i % 2 = i // 40 % 2 AS visit, sin(i) AS f, "
        "(i * i % 97)::DECIMAL(9, 2) AS e, i AS h FROM range(200) t(i)"
    )
    path = write(tmp_path / "x.parquet", rows)
    base = {"unit": "person", "condition": "visit", "levels": "false,true"}
    for value, aggregate in product(["f", "e"], ["mean", "median", "max"]):
        layout = Layout.parse(
            **base, value=value, aggregate=aggregate, missing="zero", missing_condition="zero"
        )
        found = []
        for limit in (GIGABYTE, 0):
            with open_pairs(open_table(path), layout, Resources(limit, part_rows=PART)) as sample:
                assert isinstance(sample, OrderedInDuckDB) == (limit == 0)
                found.append((sample.n, totals(sample)))
        assert found[0] == found[1]


def test_a_sample_is_sorted_once_for_all_tests(tmp_path):
    """And tells how far it is: first sorting, then scoring."""
    path = write(tmp_path / "x.parquet", TABLES["skew"])
    seen = []
    resources = Resources(0, progress=lambda *each: seen.append(each), part_rows=50)
    with open_pairs(open_table(path), Layout.parse(before="b", after="a"), resources) as sample:
        first = sample.signed_rank_total(RANKS, ZeroMethod.PRATT)
        sample.engine.rows(
            "CREATE OR REPLACE TEMP TABLE ordered AS SELECT 1.0 AS d FROM range(200)"
        )
        assert sample.signed_rank_total(SIGNS, ZeroMethod.PRATT) == 200
    assert first != 200
    assert [each for each in seen if each[1] >= 100][:4] == [
        ("Ranking the pairs", done, 200) for done in (125, 150, 175, 200)
    ]


def test_a_query_tells_how_far_it_is(monkeypatch):
    """While it runs, in per cent, from 0 on; its answer is not touched by that."""
    monkeypatch.setattr(duckdb_session, "SECONDS_BETWEEN_LOOKS", 0.001)
    told = threading.Event()
    seen = []

    def tell(percent):
        seen.append(percent)
        told.set()

    def work():
        assert told.wait(60)
        return connection.execute("SELECT 7").fetchall()

    with duckdb_session.connected() as connection:
        assert duckdb_session.interruptibly(connection, work, tell) == [(7,)]
    assert seen
    assert all(0 <= percent <= 100 for percent in seen)


def test_streaming_tells_how_far_it_is(tmp_path):
    """In rows, up to all of them."""
    path = write(tmp_path / "x.parquet", TABLES["skew"])
    seen = []
    resources = Resources(GIGABYTE, progress=lambda *each: seen.append(each), part_rows=PART)
    with open_pairs(open_table(path), Layout.parse(before="b", after="a"), resources):
        pass
    assert seen[0] == ("Reading the data", PART, 200)
    assert seen[-1] == ("Reading the data", 200, 200)


def test_an_interruption_begins_no_further_part(tmp_path, monkeypatch):
    """Ctrl-C while others read: what waits is given up."""
    path = write(tmp_path / "x.parquet", TABLES["skew"])
    read = []

    def interrupt(*_):
        raise KeyboardInterrupt

    columns = reading.Stream.columns
    monkeypatch.setattr(
        reading.Stream, "columns", lambda *each: (read.append(1), columns(*each))[1]
    )
    resources = Resources(GIGABYTE, progress=interrupt, part_rows=PART)
    layout = Layout.parse(before="b", after="a")
    with pytest.raises(KeyboardInterrupt), open_pairs(open_table(path), layout, resources):
        pytest.fail("it was interrupted")
    assert len(read) <= len(open_table(path).parts(PART))


@pytest.mark.parametrize("digits", [1, 2, 9, 10, 17, 18])
def test_decimals_lose_their_point_and_nothing_else(digits):
    """Every decimal of up to 18 digits fits a word, and no product on the way overflows."""
    for places in range(digits + 1):
        for number in (10**digits - 1, 1 - 10**digits, 1, 0):
            sql = whole_decimal(digits, places).format("v")
            text = f"{abs(number):0{places + 1}}"
            sign = "-" if number < 0 else ""
            value = f"'{sign}{text[: len(text) - places]}.{text[len(text) - places :]}'"
            text = f"CAST({value} AS DECIMAL({digits}, {places}))"
            assert duckdb.execute(f"SELECT {sql} FROM (SELECT {text} AS v)").fetchone() == (number,)
