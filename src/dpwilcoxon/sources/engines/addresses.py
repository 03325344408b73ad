"""Addresses of databases, as postgres://user@host/clinic: whose passwords are never repeated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from dpwilcoxon.errors import InvalidArgument, MissingDependency, SourceError
from dpwilcoxon.sources.duckdb_session import quoted_text
from dpwilcoxon.sources.engines.ibis_tables import require_ibis
from dpwilcoxon.sources.memory import LEAST_FOR_DUCKDB
from dpwilcoxon.sources.tables import choose_table

if TYPE_CHECKING:
    import ibis.expr.types as ir
    from ibis.backends.sql import SQLBackend

ENGINES: Final = {
    "postgres": "PostgreSQL",
    "postgresql": "PostgreSQL",
    "pyspark": "Spark",
    "duckdb": "DuckDB",
}
_BACKENDS: Final = {"postgresql": "postgres"}
# A file that is not there would be made; and rows pass through, for which this is enough.
_OPTIONS: Final = {"duckdb": {"read_only": True, "memory_limit": f"{LEAST_FOR_DUCKDB}B"}}
_MARK: Final = "://"


def is_address(data: object) -> bool:
    """Whether this names a database rather than a file, even if something is amiss with it."""
    if not isinstance(data, str):
        return False
    return _MARK in data or data.partition(":")[0].lower() in ENGINES


def name_in_reports(data: str, table: str | None) -> str:
    """What a report may call the data: nothing of an address but engine, database and table.

    Examples
    --------
    >>> name_in_reports("postgres://ana:secret@db.example.org/clinic?sslmode=require", "visits")
    'table visits of the PostgreSQL database clinic'
    """
    engine = ENGINES[_engine_of(data)]
    name = PurePosixPath(urlsplit(data).path).name
    of_table = f"table {table} of " if table else ""
    return f"{of_table}the {engine} database {name}".strip()


@contextmanager
def connected_table(data: str, table: str | None) -> Iterator[tuple[ir.Table, str]]:
    """Connect to a database, and give one of its tables and how messages call that."""
    engine = _engine_of(data)
    label = f"the {ENGINES[engine]} database"
    backend = _connected(data, _BACKENDS.get(engine, engine), label)
    try:
        yield _table(backend, table, label)
    finally:
        if engine != "pyspark":  # the session may be of others, too
            with suppress(Exception):
                backend.disconnect()


def _engine_of(data: str) -> str:
    engine, mark, _ = data.partition(_MARK)
    if mark and engine.lower() in ENGINES:
        return engine.lower()
    words = ", ".join(f"{each}{_MARK}" for each in ENGINES)
    raise InvalidArgument(f"The address of a database must begin with one of {words}.")


def _connected(data: str, backend: str, label: str) -> SQLBackend:
    require_ibis()
    import ibis

    try:
        getattr(ibis, backend)  # loads the driver
    except (AttributeError, ImportError):
        extra = "spark" if backend == "pyspark" else "engines"
        raise MissingDependency(
            f"The driver for {label} is missing; install it with "
            f'`pip install "dpwilcoxon[{extra}]"`.'
        ) from None
    with suppress(Exception):  # whatever a driver raises, its message may hold the password
        return ibis.connect(data, **_OPTIONS.get(backend, {}))
    raise SourceError(
        f"There is no connection to {label}: check that it is there, and user, password, host and "
        "name in the address."
    )


def _table(backend: SQLBackend, wanted: str | None, label: str) -> tuple[ir.Table, str]:
    """Find a table, of a schema if its name has one in front."""
    names = _names(backend, None, label)
    schema, dot, name = (wanted or "").rpartition(".")
    if wanted in names or not dot:
        chosen, schema = choose_table(sorted(names), wanted, label), ""
    else:
        chosen = choose_table(sorted(_names(backend, schema, label)), name, f"{label}'s {schema!r}")
    with suppress(Exception):  # drivers raise what they like
        return backend.table(chosen, database=schema or None), f"table {chosen!r}"
    raise SourceError(f"Table {chosen!r} of {label} cannot be read.")


def _names(backend: SQLBackend, schema: str | None, label: str) -> list[str]:
    with suppress(Exception):  # drivers raise what they like
        if backend.name == "pyspark":
            return list(backend.list_tables(database=schema))
        place = quoted_text(schema) if schema else "current_schema()"
        listed = f"SELECT table_name FROM information_schema.tables WHERE table_schema = {place}"
        return [str(name) for (name,) in backend.raw_sql(listed).fetchall()]
    raise SourceError(f"The tables of {label} cannot be listed; check schema and permissions.")
