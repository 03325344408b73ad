"""Addresses of databases, as postgres://user@host/clinic: whose passwords are never repeated."""

from __future__ import annotations

import os
from contextlib import suppress
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from dpwilcoxon.errors import InvalidArgument, MissingDependency, SourceError
from dpwilcoxon.sources.engines.ibis_tables import require_ibis
from dpwilcoxon.sources.sqlite_tables import choose_table

if TYPE_CHECKING:
    import ibis.expr.types as ir

ENGINES: Final = {
    "postgres": "PostgreSQL",
    "postgresql": "PostgreSQL",
    "pyspark": "Spark",
    "duckdb": "DuckDB",
}
_BACKENDS: Final = {"postgresql": "postgres"}
_MARK: Final = "://"


def is_address(data: object) -> bool:
    """Whether this names a database rather than a file."""
    return isinstance(data, str | os.PathLike) and _MARK in os.fspath(data)


def public_name(data: str, table: str | None) -> str:
    """What a report may call the data: nothing of an address but engine, database and table."""
    parts = urlsplit(data)
    database = parts.path.strip("/").rpartition("/")[2] if parts.path.strip("/") else ""
    engine = ENGINES.get(parts.scheme, "a")
    of_table = f"table {table} of " if table else ""
    return f"{of_table}{engine} database {database}".strip()


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
    engine = data.partition(_MARK)[0].lower()
    if engine not in ENGINES:
        words = ", ".join(f"{each}{_MARK}" for each in ENGINES)
        raise InvalidArgument(
            f"{engine + _MARK!r} is no database that can be asked; an address begins with one of "
            f"{words}."
        )
    return engine


def _connected(data: str, backend: str, label: str) -> Any:
    require_ibis()
    import ibis

    try:
        connect = getattr(ibis, backend)  # loads the driver
        del connect
    except (AttributeError, ImportError):
        extra = "spark" if backend == "pyspark" else "engines"
        raise MissingDependency(
            f"The driver for {label} is missing; install it with "
            f'`pip install "dpwilcoxon[{extra}]"`.'
        ) from None
    try:
        return ibis.connect(data)
    except Exception:  # noqa: BLE001 - whatever a driver raises, its message may hold the password
        pass
    raise SourceError(
        f"There is no connection to {label}: check that it is there, and user, password, host and "
        "name in the address."
    )


def _table(backend: Any, wanted: str | None, label: str) -> tuple[ir.Table, str]:
    """Find a table, of a schema if its name has one in front."""
    names = _names(backend, None, label)
    schema, dot, name = (wanted or "").rpartition(".")
    if wanted in names or not dot:
        chosen, schema = choose_table(sorted(names), wanted, label), ""
    else:
        chosen = choose_table(sorted(_names(backend, schema, label)), name, f"{label}'s {schema!r}")
    try:
        return backend.table(chosen, database=schema or None), f"table {chosen!r}"
    except Exception:  # noqa: BLE001 - drivers raise what they like
        pass
    raise SourceError(f"Table {chosen!r} of {label} cannot be read.")


def _names(backend: Any, schema: str | None, label: str) -> list[str]:
    try:
        return list(backend.list_tables(database=schema))
    except Exception:  # noqa: BLE001 - drivers raise what they like
        pass
    raise SourceError(f"The tables of {label} cannot be listed; check schema and permissions.")
