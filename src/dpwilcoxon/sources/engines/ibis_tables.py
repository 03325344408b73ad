"""Tables of Ibis: which engine they are in, and how that is asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeGuard

from dpwilcoxon.errors import InvalidArgument, MissingDependency
from dpwilcoxon.sources.engines.embedded import EmbeddedSession
from dpwilcoxon.sources.engines.postgres import PostgresSession
from dpwilcoxon.sources.engines.sessions import EngineSession
from dpwilcoxon.sources.engines.spark import ClusterSession
from dpwilcoxon.sources.memory import Resources

if TYPE_CHECKING:
    import ibis.expr.types as ir


def is_ibis_table(data: object) -> TypeGuard[ir.Table]:
    """Whether this is a table of Ibis, which is not loaded to find that out."""
    ibis = sys.modules.get("ibis")
    return ibis is not None and isinstance(data, ibis.Table)


def require_ibis() -> None:
    """Load Ibis, or say how to install it."""
    try:
        import ibis  # noqa: F401 - asking is the point
    except ImportError as error:
        raise MissingDependency(
            "Databases are asked through Ibis, which cannot be loaded; install it with "
            '`pip install "dpwilcoxon[engines]"`.'
        ) from error


def open_session(table: ir.Table, label: str | None, resources: Resources) -> EngineSession:
    """Open a session of the engine that a table is in."""
    from ibis.common.exceptions import IbisError

    try:
        backend: Any = table.get_backend()
    except IbisError:
        raise InvalidArgument(
            "The Ibis table belongs to no database; make it with the `table` method of a "
            "connection."
        ) from None
    label = label or label_of(table)
    match backend.name:
        case "postgres":
            return PostgresSession.beside(backend.con, label)
        case "pyspark":
            return ClusterSession(backend._session, label)  # noqa: SLF001 - it has no public name
        case "duckdb":
            return EmbeddedSession.beside(backend.con, label, resources)
    raise InvalidArgument(
        f"Ibis tables of {backend.name} cannot be asked; those of postgres, pyspark and duckdb "
        "can. If the table is small, pass table.to_pyarrow() instead."
    )


def label_of(table: ir.Table) -> str:
    """How messages call a table: by its name, if it has one."""
    import ibis.expr.operations as ops

    named = isinstance(table.op(), ops.PhysicalTable)
    return f"table {table.get_name()!r}" if named else "the Ibis table"
