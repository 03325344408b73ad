"""Parquet spread over files and folders is one table."""

from __future__ import annotations

import duckdb
import pytest
from unit_reference import places_of

from dpwilcoxon.errors import InvalidArgument, SourceError
from dpwilcoxon.sources.files import open_table, pairs_from_file
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.unit_tables import pairs_from_units


def write(path, query):
    """Write the answer of a query as a Parquet file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    duckdb.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


@pytest.fixture
def folder(tmp_path):
    """Two files of pairs, and what else Spark leaves in a folder."""
    folder = tmp_path / "pairs [2024]"
    write(folder / "part-1.parquet", "SELECT 1 AS a, 3 AS b")
    write(folder / "part-2.parquet", "SELECT 5 AS a, 4 AS b")
    (folder / "_SUCCESS").touch()
    (folder / ".part-1.parquet.crc").write_bytes(b"x")
    return folder


def test_a_folder_and_a_pattern_are_all_of_their_files(folder, tmp_path):
    """In the order of their names; characters of patterns in a folder's own name are literal."""
    assert places_of(pairs_from_file(folder, before="a", after="b")) == [2, -1]
    plain = folder.rename(tmp_path / "pairs")
    pattern = str(plain / "part-*.parquet")
    assert places_of(pairs_from_file(pattern, before="a", after="b")) == [2, -1]
    deep = str(tmp_path / "**" / "*.parquet")
    assert pairs_from_file(deep, before="a", after="b").n == 2


def test_names_of_partitions_are_columns(tmp_path):
    """As text: 007 is not 7."""
    folder = tmp_path / "visits"
    for visit, value in (("baseline", 1), ("week8", 4)):
        write(folder / f"visit={visit}" / "site=007" / "x.parquet", f"SELECT 'a' AS p, {value} v")
    table = open_table(folder)
    assert list(table.names) == ["p", "v", "site", "visit"]
    layout = {"unit": "p", "condition": "visit", "levels": "baseline,week8", "value": "v"}
    assert places_of(pairs_from_units(table, Layout.parse(**layout))) == [1]
    where = Layout.parse(**layout, where="site = '007'", public_n=1)
    assert pairs_from_units(table, where).n == 1


def test_files_must_agree(folder):
    """DuckDB would round what does not fit the type of the first file."""
    write(folder / "part-3.parquet", "SELECT 5.5::DOUBLE AS a, 4 AS b")
    with pytest.raises(SourceError, match="do not have the same columns of the same types"):
        open_table(folder)


def test_what_is_no_collection_of_parquet(folder, tmp_path):
    """No files, damaged files, and formats that cannot be spread."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="is a directory without Parquet files"):
        open_table(tmp_path / "empty")
    with pytest.raises(SourceError, match="no Parquet files that fit"):
        open_table(tmp_path / "x*.parquet")
    with pytest.raises(SourceError, match="which only Parquet can be"):
        open_table(folder, "csv")
    with pytest.raises(InvalidArgument, match="`format` must be one of"):
        open_table(folder, "orc")
    (folder / "part-9.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(SourceError, match="damaged or not a Parquet file"):
        open_table(folder)


@pytest.mark.parametrize(
    ("other", "name"),
    [("plain.parquet", "year"), ("year=2025/week=1/p.parquet", "week"), ("day=1/p.pq", "day")],
)
def test_partitions_that_do_not_fit_together(tmp_path, other, name):
    """Files beside the folders of partitions are not damaged; what folders say is a value."""
    write(tmp_path / "visits" / "year=2024" / "p.parquet", "SELECT 1 AS a, 2 AS b")
    write(tmp_path / "visits" / other, "SELECT 1 AS a, 2 AS b")
    with pytest.raises(SourceError, match=rf"in folders called {name}=\.\.\.") as refused:
        open_table(tmp_path / "visits")
    assert "202" not in str(refused.value)


@pytest.mark.parametrize(
    "name", ["study", "study/*.parquet", "../before=1/study", "stu*/*.parquet"]
)
def test_folders_above_what_was_named_are_no_columns(tmp_path, monkeypatch, name):
    """Where somebody keeps the data must not decide what is in it."""
    above = tmp_path / "before=1"
    write(
        above / "study" / "x.parquet", "SELECT * FROM (VALUES (0, 5), (7, 5)) AS t(before, after)"
    )
    monkeypatch.chdir(above)
    for each in (name, str(above / name)):
        table = open_table(each)
        assert list(table.names) == ["before", "after"]
        assert places_of(pairs_from_file(each, before="before", after="after")) == [2, -1]


def test_only_partitions_below_what_was_named_are_columns(tmp_path):
    """Also where there are others above it, which DuckDB would take for columns, too."""
    folder = tmp_path / "run=3" / "visits"
    write(folder / "visit=a" / "x.parquet", "SELECT 1 AS p, 2 AS v")
    for named in (folder, folder / "visit=*" / "*.parquet"):
        table = open_table(named)
        assert list(table.names) == ["p", "v", "visit"]
        assert table.type_of("visit") == "VARCHAR"
    assert list(open_table(folder / "visit=a").names) == ["p", "v"]


@pytest.mark.parametrize(
    ("above", "below"), [("x", "v=1"), ("x", "V=1"), ("v=1", "visit=a"), ("a=1", "a=2")]
)
def test_a_partition_with_the_name_of_a_column_is_refused(tmp_path, above, below):
    """One of the two would silently be all that is seen."""
    folder = tmp_path / above / "visits"
    write(folder / below / "x.parquet", "SELECT 1 AS p, 2 AS v")
    with pytest.raises(SourceError, match=r"Folders called \w=\.\.\. are a column, and the files"):
        open_table(folder)
