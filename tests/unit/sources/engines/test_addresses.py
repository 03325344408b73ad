"""Databases by their addresses: DuckDB files here, servers in tests/engines."""

from __future__ import annotations

import json
import sys

import duckdb
import ibis
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.cli import main
from dpwilcoxon.errors import InvalidArgument, MissingDependency, SourceError
from dpwilcoxon.sources.engines.addresses import is_address, name_in_reports

SENTINEL = "opensesame"


@pytest.fixture
def address(tmp_path):
    """The address of a database with two tables, one of them in a schema."""
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE study AS SELECT i AS x, i + 1 AS y FROM range(9) AS t(i)")
        connection.execute("CREATE SCHEMA ward; CREATE TABLE ward.beds AS SELECT 1 AS x, 3 AS y")
    return f"duckdb://{path}?read_only=True"


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
