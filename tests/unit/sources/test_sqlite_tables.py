"""SQLite files are read through a pipe, as the decimals that their numbers print as."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from unit_reference import places_of

from dpwilcoxon.errors import InvalidArgument, SourceError
from dpwilcoxon.sources.files import open_table, pairs_from_file
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.table_columns import read_columns
from dpwilcoxon.sources.unit_tables import pairs_from_units


@pytest.fixture
def clinic(tmp_path):
    """A file with two tables and a view."""
    path = tmp_path / "clinic.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE pairs (a REAL, b REAL, note TEXT)")
        rows = [(118.3, 120.1, "x\ny"), (119.3, 121.1, 'a "quoted", word'), (1, 5, None)]
        connection.executemany("INSERT INTO pairs VALUES (?, ?, ?)", rows)
        connection.execute("CREATE TABLE visits (person TEXT, visit INTEGER, v REAL)")
        visits = [(f"p{i % 500}", i % 2, i / 10) for i in range(25_000)]
        connection.executemany("INSERT INTO visits VALUES (?, ?, ?)", visits)
        connection.execute("CREATE VIEW steps AS SELECT b - a AS d FROM pairs")
    return path


def test_numbers_are_the_decimals_they_print_as(clinic):
    """120.1 - 118.3 and 121.1 - 119.3 tie, though they are stored as doubles."""
    pairs = pairs_from_file(clinic, before="a", after="b", table="pairs")
    assert places_of(pairs) == [1, 1, 2]
    assert pairs_from_file(clinic, difference="d", table="steps").n == 3


def test_long_tables_too(clinic):
    """Several blocks of rows arrive whole."""
    layout = {"unit": "person", "condition": "visit", "levels": "0,1", "value": "v"}
    table = open_table(clinic, table="visits")
    pairs = pairs_from_units(
        table, Layout.parse(**layout, aggregate="mean", missing_condition="zero")
    )
    assert pairs.n == 500


def test_tables_have_to_be_named(clinic, tmp_path):
    """Unless there is only one."""
    with pytest.raises(SourceError, match=r"several tables; name one .*: 'pairs', 'steps', 'visi"):
        open_table(clinic)
    with pytest.raises(SourceError, match="no table 'pair'; did you mean 'pairs'"):
        open_table(clinic, table="pair")
    single = tmp_path / "single.db"
    with closing(sqlite3.connect(single)) as connection, connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.execute("INSERT INTO t VALUES (1, 2)")
    assert pairs_from_file(single, before="a", after="b").n == 1
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InvalidArgument, match="`table` belongs to databases"):
        open_table(tmp_path / "t.csv", table="t")


def test_what_is_no_sqlite_file(clinic, tmp_path):
    """Other content, damaged pages, no tables."""
    wrong = tmp_path / "wrong.sqlite"
    wrong.write_text("a,b\n1,2\n")
    with pytest.raises(SourceError, match="is not a SQLite file"):
        open_table(wrong)
    with pytest.raises(SourceError, match="say so with the format option: sqlite"):
        pairs_from_file(clinic, before="a", after="b", file_format="csv")
    content = clinic.read_bytes()
    wrong.write_bytes(content[:100] + b"\xff" * 4000)
    with pytest.raises(SourceError, match="cannot be read as a SQLite file"):
        open_table(wrong, table="pairs")
    wrong.write_bytes(content[: len(content) // 2])
    with pytest.raises(SourceError, match=r"cannot be|damaged"):
        pairs_from_file(wrong, difference="v", table="visits")
    empty = tmp_path / "empty.sqlite"
    with closing(sqlite3.connect(empty)) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("DROP TABLE t")
    with pytest.raises(SourceError, match="holds no table"):
        open_table(empty)


def test_a_file_that_goes_while_it_is_read(clinic):
    """A file that is gone is not a table without rows."""
    table = open_table(clinic, table="pairs")
    clinic.unlink()
    with pytest.raises(SourceError, match=r"clinic.sqlite' cannot be read .* or gone"):
        pairs_from_units(table, Layout.parse(before="a", after="b", public_n=3))
    with pytest.raises(SourceError, match=r"clinic.sqlite' cannot be read .* or gone"):
        read_columns(table, ["a", "b"], differences_suffice=True)
