"""Files become exact differences, whatever format they are in."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit_reference import places_of, signed_places

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.files import open_table, pairs_from_file
from dpwilcoxon.sources.inputs import MemoryInput
from dpwilcoxon.sources.table_columns import read_columns


def write(path: Path, text: str) -> Path:
    """Write a small file exactly as given, line endings included."""
    path.write_bytes(text.encode())
    return path


def csv_of(tmp_path: Path, before, after) -> Path:
    """A CSV file of two columns, a and b."""
    lines = [f"{a},{b}" for a, b in zip(before, after, strict=True)]
    return write(tmp_path / "pairs.csv", "\n".join(["a,b", *lines]) + "\n")


def read(path, **options) -> Pairs:
    """Read the pairs a and b."""
    return pairs_from_file(path, before="a", after="b", **options)


def columns(path, names=("b", "a"), **options):
    """Read the columns before they are subtracted."""
    return read_columns(open_table(path), names, differences_suffice=True, **options)


def test_decimals_of_a_text_file_tie_exactly(tmp_path):
    """120.1 - 118.3, 121.1 - 119.3 and 4.1 - 2.3 are one size, though not as floats."""
    assert 120.1 - 118.3 != 4.1 - 2.3
    path = csv_of(tmp_path, ["118.3", "119.3", "2.3", "1"], ["120.1", "121.1", "4.1", "5"])
    assert places_of(read(path)) == [1, 1, 1, 2]
    after, before = columns(path)
    assert (after.kind, after.places, after.values.tolist()) == (
        Kind.DECIMAL,
        1,
        [1201, 1211, 41, 50],
    )
    assert before.values.tolist() == [1183, 1193, 23, 10]


def test_differences_are_after_minus_before(tmp_path):
    """A value that rose has a positive difference."""
    assert places_of(read(csv_of(tmp_path, [1, 5], [4, 3]))) == [2, -1]


def test_blanks_around_a_wanted_name_do_not_matter(tmp_path):
    """Names are compared without the blanks around them, in the file and in the call."""
    path = write(tmp_path / "x.csv", " a ,b\n1,2\n")
    assert pairs_from_file(path, before="a ", after=" b").n == 1


def test_one_column_of_differences(tmp_path):
    """A file may hold the differences themselves."""
    path = write(tmp_path / "d.csv", "change\n-0.5\n2\n0\n")
    assert places_of(pairs_from_file(path, difference="change")) == [-1, 2, 0]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("+12.50", "12.5"),
        (".5", "0.5"),
        ("1.", "1"),
        ("-0", "0"),
        ("007", "7"),
        ("1e3", "1000"),
        ("1.25E-2", "0.0125"),
        ("  3\t", "3"),
        ("\u00a03", "3"),
        ('"4.5"', "4.5"),
        ('" 4.5 "', "4.5"),
        ("1e-20", "1e-20"),
        ("123456789012345678901234567890.5", "123456789012345678901234567890.5"),
        ("1.234567890123456690e+00", "1.23456789012345669"),
    ],
)
def test_every_way_to_write_a_number(tmp_path, cell, value):
    """Each spelling equals the decimal it stands for, and is told from its neighbours."""
    before = ["0", value, "-1e-25", "1e-25"]
    exact = [Fraction(value) - Fraction(each) for each in before]
    assert places_of(read(csv_of(tmp_path, before, [cell] * 4))) == signed_places(exact)


@pytest.mark.parametrize(
    "word", ["", " ", '""', "NA", "n/a", "NaN", "-nan", "null", "NULL", "None"]
)
def test_missing_words(tmp_path, word):
    """Empty cells and the usual words are missing: refused, or no change."""
    path = csv_of(tmp_path, ["1", "1"], ["3", word])
    with pytest.raises(DataError, match="missing"):
        read(path)
    assert places_of(read(path, missing="zero")) == [1, 0]


def test_infinities_tie_above_everything(tmp_path):
    """An infinite difference is larger than any other, and infinity minus itself is missing."""
    path = csv_of(
        tmp_path,
        ["1", "-inf", "inf", "0", "-Infinity", "1"],
        ["inf", "INF", "+inf", "1e30", "5", "-inf"],
    )
    assert places_of(read(path, missing="zero")) == [2, 2, 0, 1, 2, -2]
    assert places_of(read(path, missing="zero", resolution=1)) == [2, 2, 0, 1, 2, -2]


def test_true_and_false_are_one_and_zero(tmp_path):
    """Words for truth values can be subtracted."""
    path = csv_of(tmp_path, ["true", "FALSE", "true"], ["False", "true", "TRUE"])
    assert places_of(read(path)) == [-1, 1, 0]


def test_dates_and_times(tmp_path):
    """A date is midnight of its day, so it can be subtracted from a time."""
    path = csv_of(
        tmp_path,
        ["2024-02-28", "2024-02-28", "1969-12-31"],
        ["2024-03-01", "2024-02-28 00:00:00.000001", "1969-12-30T23:59"],
    )
    assert places_of(read(path)) == [3, 1, -2]


def test_times_with_a_zone_are_instants(tmp_path):
    """The same instant in two time zones is no change."""
    path = csv_of(
        tmp_path,
        ["2024-01-01T12:00:00Z", "2024-01-01 12:00+01:00"],
        ["2024-01-01T13:00:00+01:00", "2024-01-01 12:00-0500"],
    )
    assert places_of(read(path)) == [0, 1]


def test_times_with_and_without_a_zone_do_not_mix(tmp_path):
    """Nobody can say what time it was without a zone."""
    path = csv_of(tmp_path, ["2024-01-01T12:00:00Z"], ["2024-01-01T13:00:00"])
    with pytest.raises(DataError, match="time zone"):
        read(path)


def test_resolution_rounds_differences(tmp_path):
    """Differences are rounded to the grid, also where their digits need Python numbers."""
    path = csv_of(tmp_path, ["0", "0", "0"], ["1.04", "0.96", "-1.5"])
    assert places_of(read(path, resolution="0.1")) == [1, 1, -2]
    wide = csv_of(tmp_path, ["0", "0"], ["1.0000000000000000000000001", "1e20"])
    assert places_of(read(wide)) == [1, 2]
    assert places_of(read(wide, resolution=1)) == [1, 2]
    same = csv_of(tmp_path, ["0", "0"], ["1.0000000000000000000000001", "1"])
    assert places_of(read(same, resolution=1)) == [1, 1]


decimals = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000, places=1),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-10, max_value=10),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(decimals, decimals), min_size=1, max_size=8))
def test_any_decimals_are_subtracted_exactly(tmp_path, rows):
    """64-bit, 128-bit or Python numbers: the order of differences is that of exact fractions."""
    before, after = zip(*rows, strict=True)
    exact = [Fraction(b) - Fraction(a) for a, b in rows]
    assert places_of(read(csv_of(tmp_path, before, after))) == signed_places(exact)


@pytest.mark.parametrize("scale", ["1", "1e-3", "1e-15", "1e-30", "1e-200"])
def test_numbers_of_any_size_take_an_exact_way(tmp_path, scale):
    """One tiny number beside usual ones must not make the others inexact."""
    values = [Decimal("120.1"), Decimal("121.1"), Decimal(scale)]
    before = [Decimal("118.3"), Decimal("119.3"), Decimal(0)]
    exact = [Fraction(b) - Fraction(a) for a, b in zip(before, values, strict=True)]
    assert places_of(read(csv_of(tmp_path, before, values))) == signed_places(exact)


def test_the_order_of_rows_is_kept_for_many_rows(tmp_path):
    """Pair i is row i, across the chunks in which DuckDB reads, odd cells included."""
    n = 300_000
    after = np.arange(n).astype(str).astype(object)
    after[::7] = [f" {each} " for each in after[::7]]
    path = csv_of(tmp_path, np.zeros(n, dtype=int), after)
    assert (read(path).keys.values >> 1).tolist() == list(range(n))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings(tmp_path, ending):
    """Files of every system are read, with or without an end to the last line."""
    path = write(tmp_path / "x.csv", ending.join(["a,b", "1,2", "5,3"]))
    assert places_of(read(path)) == [1, -2]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", " a , b \n1,2\n5,3\n"),
        ("x.csv", "\ufeffa,b\n1,2\n5,3\n"),
        ("x.csv", '\n\n"a","b"\n1,2\n\n5,3\n\n'),
        ("x.csv", 'note,a,b\n"one, ""two""\nthree",1,2\n,5,3\n'),
        ("x.csv", "a;b\n1;2\n5;3\n"),
        ("x.txt", "b,a\n2,1\n3,5\n"),
        ("x.tsv", "a\tb\n1\t2\n5\t3\n"),
        ("x.tab", '"a"\t"b"\n1\t2\n5\t3\n'),
        ("x.jsonl", '{"a": 1, "b": 2}\n\n{"b": "3", "a": 5.0, "c": [1]}\n'),
        ("x.ndjson", '{"a":1,"b":2}\r\n{"a":5,"b":3}'),
        ("x.json", '{"a": 1, "b": 2}\n{"a": 5, "b": 3}'),
    ],
)
def test_text_formats(tmp_path, name, text):
    """Each format gives the same two pairs."""
    assert places_of(read(write(tmp_path / name, text))) == [1, -2]


@pytest.mark.parametrize("name", ["x.csv.gz", "x.tsv.zst", "x.jsonl.gz", "x.json.zst"])
def test_compressed_text(tmp_path, name):
    """gzip and zstd are undone, and the format is told by the extension before."""
    plain = "a,b\n1,2\n5,3\n"
    if "json" in name:
        plain = '{"a":1,"b":2}\n{"a":5,"b":3}\n'
    if "tsv" in name:
        plain = plain.replace(",", "\t")
    path = tmp_path / name
    if name.endswith("gz"):
        path.write_bytes(gzip.compress(plain.encode()))
    else:  # the standard library of Python 3.11 cannot write zstd, but DuckDB can
        lines = duckdb.sql("SELECT unnest(?)", params=[plain.splitlines()])
        lines.write_csv(str(path), header=False, quotechar="", sep="\x1f", compression="zstd")
    assert places_of(read(path)) == [1, -2]


@pytest.mark.parametrize(
    "name",
    ["data[1].csv", "it's.csv", "star*.csv", "q?.csv", 'double".csv', "ünï cödé.csv", "{a,b}.csv"],
)
def test_a_path_is_a_path(tmp_path, name):
    """No character of a file name is a pattern or ends a string."""
    write(tmp_path / "data1.csv", "a,b\n9,9\n9,9\n")
    assert places_of(read(write(tmp_path / name, "a,b\n1,2\n5,3\n"))) == [1, -2]


def test_folder_names_do_not_become_columns(tmp_path):
    """A folder called a=7 does not replace the column a."""
    (tmp_path / "a=7").mkdir()
    assert places_of(read(write(tmp_path / "a=7" / "x.csv", "a,b\n1,2\n5,3\n"))) == [1, -2]


@pytest.mark.parametrize(
    "name", ["blood pressure", 'say "when"', "it's", "größe", "select * from x; --", "a.b", "a/b~c"]
)
@pytest.mark.parametrize("extension", ["csv", "jsonl", "parquet"])
def test_any_column_name(tmp_path, name, extension):
    """Spaces, quotes, other alphabets and SQL in a column name are only a name."""
    path = tmp_path / f"x.{extension}"
    quoted = name.replace('"', '""')
    if extension == "parquet":
        duckdb.sql(f'SELECT 1 AS a, 2 AS "{quoted}"').write_parquet(str(path))
    elif extension == "jsonl":
        write(path, json.dumps({"a": 1, name: 2}))
    else:
        write(path, f'a,"{quoted}"\n1,2\n')
    assert pairs_from_file(path, before="a", after=name).n == 1


@pytest.mark.parametrize("extension", ["csv", "jsonl", "parquet"])
def test_names_are_told_apart_by_case(tmp_path, extension):
    """Columns x and X are two columns."""
    path = tmp_path / f"x.{extension}"
    if extension == "parquet":
        pa = pytest.importorskip("pyarrow")
        pq = pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.table([[1, 1], [3, 0]], names=["x", "X"]), path)
    else:
        text = "x,X\n1,3\n1,0\n" if extension == "csv" else '{"x":1,"X":3}\n{"x":1,"X":0}\n'
        write(path, text)
    assert places_of(pairs_from_file(path, before="x", after="X")) == [2, -1]


PARQUET_TYPES = [
    ("TINYINT", ["-128", "127"], Kind.INTEGER),
    ("SMALLINT", ["-5", "7"], Kind.INTEGER),
    ("INTEGER", ["-5", "7"], Kind.INTEGER),
    ("BIGINT", ["-9223372036854775807", "9223372036854775807"], Kind.INTEGER),
    ("UTINYINT", ["0", "255"], Kind.INTEGER),
    ("USMALLINT", ["0", "7"], Kind.INTEGER),
    ("UINTEGER", ["0", "4294967295"], Kind.INTEGER),
    ("UBIGINT", ["0", "18446744073709551615"], Kind.INTEGER),
    ("BOOLEAN", ["false", "true"], Kind.INTEGER),
    ("DECIMAL(4,1)", ["-118.3", "120.1"], Kind.DECIMAL),
    ("DECIMAL(18,18)", ["-0.999999999999999999", "0.000000000000000001"], Kind.DECIMAL),
    ("DECIMAL(38,20)", ["-1.00000000000000000001", "1234567890123456"], Kind.INTEGER),
    ("FLOAT", ["-1.5", "0.1"], Kind.FLOAT),
    ("DOUBLE", ["-1.5", "0.1"], Kind.FLOAT),
    ("DATE", ["1969-12-30", "2024-02-29"], Kind.TIME),
    ("TIMESTAMP", ["1969-12-30 23:59:59.999999", "2024-02-29"], Kind.TIME),
    ("TIMESTAMP_NS", ["1969-12-30 23:59:59.999999999", "2024-02-29"], Kind.TIME),
    ("TIMESTAMP_MS", ["1969-12-30 23:59:59.999", "2024-02-29"], Kind.TIME),
    ("TIMESTAMPTZ", ["1969-12-30 23:59:59+00", "2024-02-29 00:00:00+05"], Kind.TIME),
    ("VARCHAR", ["-1.5", " 1e1 "], Kind.DECIMAL),
    ("ENUM('3', '7')", ["3", "7"], Kind.DECIMAL),
]


@pytest.mark.parametrize(("kind", "values", "expected"), PARQUET_TYPES, ids=str)
def test_parquet_types(tmp_path, kind, values, expected):
    """Each type is read exactly: equal cells give no change, unequal ones their sign."""
    path = tmp_path / "x.parquet"
    low, high = (f"'{value}'::{kind}" for value in values)
    rows = f"({low}, {high}), ({high}, {low}), ({high}, {high}), (NULL, {high})"
    duckdb.sql(f"FROM (VALUES {rows}) t(a, b)").write_parquet(str(path))
    assert places_of(read(path, missing="zero")) == [1, -1, 0, 0]
    assert columns(path)[0].kind is expected


def test_parquet_values_are_those_of_the_file(tmp_path):
    """Numbers keep every digit on their way."""
    path = tmp_path / "x.parquet"
    duckdb.sql(
        "SELECT 9007199254740993::BIGINT AS a, 18446744073709551615::UBIGINT AS b, "
        "120.1::DECIMAL(18,3) AS c, 0.1::FLOAT AS d, 0.1 ::DOUBLE AS e"
    ).write_parquet(str(path))
    read_back = columns(path, ["a", "b", "c", "d", "e"])
    assert [column.values.tolist()[0] for column in read_back] == [
        *(9007199254740993, 18446744073709551615, 120100),
        *(float(np.float32(0.1)), 0.1),
    ]


def test_parquet_reads_only_what_it_needs(tmp_path):
    """Nested columns beside the wanted ones do not matter, nor do their inner names."""
    path = tmp_path / "x.parquet"
    duckdb.sql(
        "SELECT {'a': 9, 'b': [9]} AS s, [{'a': 9}] AS t, 1 AS a, MAP {'a': 9} AS u, 3 AS b"
    ).write_parquet(str(path))
    assert [column.values.tolist() for column in columns(path)] == [[3], [1]]


def test_nan_is_missing_in_typed_files(tmp_path):
    """NaN of a float column and NULL of any column are missing."""
    path = tmp_path / "x.parquet"
    rows = duckdb.sql("FROM (VALUES (1.0::DOUBLE, 'nan'::DOUBLE), (1, NULL), (1, 2)) t(a, b)")
    rows.write_parquet(str(path))
    with pytest.raises(DataError, match="missing"):
        read(path)
    assert places_of(read(path, missing="zero")) == [0, 0, 1]


def test_json_members_may_be_absent(tmp_path):
    """An object without the member is a row with a missing value."""
    path = write(tmp_path / "x.jsonl", '{"a":1,"b":2}\n{"a":1}\n{"a":1,"b":null}\n{"a":2,"b":0}\n')
    assert places_of(read(path, missing="zero")) == [1, 0, 0, -2]


class _Typed(io.TextIOWrapper):
    """Standard input that holds the given bytes."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"a,b\n1,2\n5,3\n", {}),
        (b"a\tb\n1\t2\n5\t 3\n", {"file_format": "tsv"}),
        (b'{"a":1,"b":2}\n{"a":5,"b":3}\n', {"file_format": "json"}),
        (gzip.compress(b"a,b\n1,2\n5,3\n", mtime=0), {}),
    ],
)
def test_standard_input(monkeypatch, tmp_path, content, options):
    """Text is read from standard input, again and again if need be, and no file appears."""
    monkeypatch.setattr(sys, "stdin", _Typed(content))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert places_of(read("-", **options)) == [1, -2]
    assert list(tmp_path.iterdir()) == []


def test_large_standard_input(monkeypatch):
    """More than fits a pipe, and numbers that need a second scan."""
    rows = "".join(f"0,{each}.00000000000000000001\n" for each in range(50_000))
    monkeypatch.setattr(sys, "stdin", _Typed(f"a,b\n{rows}".encode()))
    assert (read("-").keys.values >> 1).tolist() == list(range(1, 50_001))


def test_a_bad_row_in_large_standard_input_does_not_hang(monkeypatch):
    """DuckDB stops in the middle, and whoever feeds it notices."""
    rows = "0,1\n" * 500_000
    monkeypatch.setattr(sys, "stdin", _Typed(f"a,b\n1\n{rows}".encode()))
    with pytest.raises(DataError, match="line 2"):
        read("-")
    assert threading.active_count() == 1


def test_a_pipe_that_nobody_reads_is_given_up():
    """Whoever feeds a pipe stops when it is closed, though most of it was never read."""
    with (
        MemoryInput("x", bytes(1_000_000)).path_for_duckdb() as path,
        Path(path).open("rb") as file,
    ):
        assert file.read(10) == bytes(10)
    assert threading.active_count() == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_a_named_pipe_is_read_once(tmp_path):
    """What can be read only once is kept in memory, as with <(command) in a shell."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("a,b\n1,2\n5, 3\n",))
    writer.start()
    assert places_of(read(path, file_format="csv")) == [1, -2]
    writer.join()


@pytest.mark.parametrize(
    "names",
    [
        {},
        {"before": "a"},
        {"after": "b"},
        {"before": "a", "difference": "d"},
        {"before": "a", "after": "b", "difference": "d"},
    ],
)
def test_columns_must_be_named_one_way(names):
    """Either two measurements or one difference."""
    with pytest.raises(InvalidArgument, match="`before`"):
        pairs_from_file("x.csv", **names)


def test_one_column_twice_is_a_mistake():
    """Subtracting a column from itself would spend privacy on nothing."""
    with pytest.raises(InvalidArgument, match="same column"):
        pairs_from_file("x.csv", before="a", after="a")
