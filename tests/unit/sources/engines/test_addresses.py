"""Databases by their addresses: DuckDB files here, servers in tests/engines."""

from __future__ import annotations

import json
import sys
import tempfile

import duckdb
import ibis
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.cli import main
from dpwilcoxon.errors import InvalidArgument, MissingDependency, SourceError
from dpwilcoxon.sources.engines.addresses import is_address, name_in_reports
from dpwilcoxon.sources.engines.embedded import EmbeddedSession

SENTINEL = "opensesame"


@pytest.fixture
def address(tmp_path):
    """The address of a database with two tables, one of them in a schema."""
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE study AS SELECT i AS x, i + 1 AS y FROM range(9) AS t(i)")
        connection.execute("CREATE SCHEMA ward; CREATE TABLE ward.beds AS SELECT 1 AS x, 3 AS y")
    return f"duckdb://{path}"


def test_a_database_is_read_by_its_address(address):
    """The only table need not be named; one in a schema must be."""
    assert dpw.read_pairs(address, before="x", after="y").n == 9
    assert dpw.read_pairs(address, table="study", before="x", after="y").n == 9
    assert dpw.read_pairs(address, table="ward.beds", before="x", after="y").n == 1
    with pytest.raises(SourceError, match=r"no table 'studdy'; did you mean 'study'\?"):
        dpw.read_pairs(address, table="studdy", difference="x")
    with pytest.raises(SourceError, match="'ward' has no table 'bets'"):
        dpw.read_pairs(address, table="ward.bets", difference="x")


def test_the_command_line_takes_addresses(address, capsys, tmp_path):
    """Also for several outcomes; the report says which table it was."""
    report = tmp_path / "report.html"
    words = ["test", address, "--table", "study", "--epsilon", "1", "--json"]
    assert main([*words, "--before", "x", "--after", "y", "--report", str(report)]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 9
    assert "table study of the DuckDB database clinic.duckdb" in report.read_text()
    assert main([*words, "--outcome", "x:y", "--outcome", "y:x"]) == 0
    assert [each["n"] for each in json.loads(capsys.readouterr().out)["outcomes"]] == [9, 9]


@pytest.mark.parametrize(
    "data",
    [
        f"postgers://ana:{SENTINEL}@example.org/clinic",
        f"postgres:/ana:{SENTINEL}@example.org/clinic",
        f"ana:{SENTINEL}@example.org://clinic",
    ],
)
def test_a_wrong_address_is_not_repeated(data):
    """It may hold a password."""
    with pytest.raises(InvalidArgument, match=r"must begin with one of postgres://") as refused:
        dpw.read_pairs(data, difference="x")
    assert SENTINEL not in str(refused.value)


def test_a_database_that_is_not_there(tmp_path):
    """The message of the driver is not repeated either."""
    missing = f"duckdb://{tmp_path}/{SENTINEL}/nowhere.duckdb"
    with pytest.raises(SourceError, match="There is no connection to the DuckDB") as refused:
        dpw.read_pairs(missing, difference="x")
    assert SENTINEL not in str(refused.value)
    assert refused.value.__context__ is None
    with pytest.raises(SourceError, match="There is no connection to the DuckDB"):
        dpw.read_pairs(f"duckdb://{tmp_path}/nosuch.duckdb", difference="x")
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_to_a_database(address, tmp_path):
    """Neither by us nor by an address that asks for it; all else is gone with the sample."""
    path = tmp_path / "clinic.duckdb"
    before = path.read_bytes()
    with dpw.read_pairs(f"{address}?read_only=False", table="study", difference="x") as pairs:
        assert pairs.n == 9
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_options_of_files(capsys, monkeypatch, tmp_path):
    """Memory is limited, and told of; a database has no format."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with duckdb.connect(str(tmp_path / "large.duckdb")) as connection:
        rows = "SELECT sin(i) AS x, cos(i * 1.7) AS y, repeat('z', 99) AS z FROM range(3000000)"
        connection.execute(f"CREATE TABLE large AS {rows} AS t(i)")
    words = ["test", f"duckdb://{tmp_path}/large.duckdb", "--before", "x", "--after", "y"]
    words += ["--epsilon", "1", "--verbose"]
    asked, execute = [], EmbeddedSession.rows

    def rows_of(session, sql):
        limit = execute(session, "SELECT current_setting('memory_limit')")
        asked.append((limit, len(list(tmp_path.glob("dpwilcoxon-*")))))
        return execute(session, sql)

    monkeypatch.setattr(EmbeddedSession, "rows", rows_of)
    assert main([*words, "--memory-limit", "1GB"]) == 0
    told = capsys.readouterr().err
    assert "copied: DuckDB ranks a copy of the columns that are needed, within 1.0 GB" in told
    assert {limit for ((limit,),), _ in asked} == {"190.7 MiB"}
    assert {folders for _, folders in asked} == {1}
    assert not list(tmp_path.glob("dpwilcoxon-*"))
    assert main([*words, "--format", "csv"]) == 2
    assert "A format belongs to files" in capsys.readouterr().err
    outcomes = [*words[:2], "--outcome", "x:y", "--epsilon", "1", "--format", "csv"]
    assert main(outcomes) == 2


def test_ibis_may_be_missing(monkeypatch, address):
    """Then the extra is named that brings it."""
    monkeypatch.setitem(sys.modules, "ibis", None)
    with pytest.raises(MissingDependency, match=r"dpwilcoxon\[engines\]"):
        dpw.read_pairs(address, difference="x")


@pytest.mark.parametrize(("engine", "extra"), [("postgres", "engines"), ("pyspark", "spark")])
def test_a_driver_may_be_missing(monkeypatch, engine, extra):
    """Then the extra is named that brings it."""
    monkeypatch.setitem(sys.modules, f"ibis.backends.{engine}", None)
    monkeypatch.delitem(vars(ibis), engine, raising=False)  # where it may be loaded already
    with pytest.raises(MissingDependency, match=rf"dpwilcoxon\[{extra}\]"):
        dpw.read_pairs(f"{engine}://example.org/clinic", difference="x")


def test_what_is_an_address():
    """And what a report may say of it."""
    assert is_address("postgresql://example.org/clinic")
    assert not is_address("study.csv")
    assert not is_address("C:/study.csv")
    assert not is_address(3)
    told = name_in_reports(
        f"postgres://ana:{SENTINEL}@example.org/clinic?password={SENTINEL}", None
    )
    assert told == "the PostgreSQL database clinic"
