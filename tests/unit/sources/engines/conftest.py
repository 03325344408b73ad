"""Tables of Ibis in a DuckDB of this process, which stands for all engines here."""

from __future__ import annotations

import ibis
import pytest


@pytest.fixture
def backend():
    """A database of its own."""
    found = ibis.duckdb.connect()
    yield found
    found.disconnect()


@pytest.fixture
def put(backend):
    """Make a table of arrow rows, or of a query, and give it as a table of Ibis."""

    def make(rows, name="study"):
        if isinstance(rows, str):
            backend.con.execute(f"CREATE TABLE {name} AS {rows}")
        else:
            backend.con.register("arrow_rows", rows)
            backend.con.execute(f"CREATE TABLE {name} AS SELECT * FROM arrow_rows")
        return backend.table(name)

    return make
