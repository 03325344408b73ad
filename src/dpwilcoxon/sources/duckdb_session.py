"""DuckDB, used quietly: no network, no files unless they are private, no data in its messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.inputs import Source

if TYPE_CHECKING:
    import duckdb

# Extensions would come from the network, and spilled data would stay on a disk: whoever lets it
# spill names a private folder.
SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
}

SECONDS_BETWEEN_LOOKS = 0.2

_Fetched = TypeVar("_Fetched")
Explain = Callable[[str], SourceError]


def fetch_arrays(source: Source, sql: str, explain: Explain) -> dict[str, AnyArray]:
    """Run a query whose only parameter is the path of `source`; return its columns.

    DuckDB quotes the data in its messages. They are given to `explain`, which may look for
    the kind of mistake in them, and go no further.
    """
    return dict(_run(source, sql, explain, lambda result: result.fetchnumpy()))


def fetch_rows(source: Source, sql: str, explain: Explain) -> Sequence[tuple[Any, ...]]:
    """Run a query about the shape of a table, such as its column names; return its rows."""
    return list(_run(source, sql, explain, lambda result: result.fetchall()))


def quoted_text(text: str) -> str:
    """Write `text` as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def quoted_paths(paths: str | Sequence[str]) -> str:
    """Write a path, or a list of them, as SQL."""
    if isinstance(paths, str):
        return quoted_text(paths)
    return f"[{', '.join(quoted_text(path) for path in paths)}]"


def quoted_name(name: str) -> str:
    """Write `name` as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _run(
    source: Source,
    sql: str,
    explain: Explain,
    fetch: Callable[[duckdb.DuckDBPyConnection], _Fetched],
) -> _Fetched:
    with source.path_for_duckdb() as path, connected() as connection:
        return quietly(
            lambda: interruptibly(connection, lambda: fetch(connection.execute(sql, [path]))),
            source.label,
            explain,
        )


def table_changed(label: str) -> SourceError:
    """Build the error for a table that has other rows than a moment ago."""
    return SourceError(f"{label} changed while it was read; try again.")


@contextmanager
def connected(**settings: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database of its own in memory."""
    import duckdb

    with duckdb.connect(config={**SETTINGS, **settings}) as connection:
        connection.execute(
            "SET enable_progress_bar = true; SET enable_progress_bar_print = false; "
            "SET TimeZone = 'UTC'"
        )
        yield connection


def interruptibly(
    connection: duckdb.DuckDBPyConnection,
    work: Callable[[], _Fetched],
    tell: Callable[[int], None] | None = None,
) -> _Fetched:
    """Let a connection work in a thread of its own, so that Ctrl-C can end it at any moment.

    In the main thread, DuckDB hears of a signal only between two pieces of its work, which may be
    minutes apart while it writes to a disk.

    Parameters
    ----------
    connection : DuckDBPyConnection
        What is to be interrupted.
    work : callable
        What it is to do.
    tell : callable, optional
        Is told now and then how many per cent of the query are done.
    """
    with ThreadPoolExecutor(1) as worker:
        answer = worker.submit(work)
        try:
            while tell is not None and not wait([answer], SECONDS_BETWEEN_LOOKS).done:
                tell(max(0, int(connection.query_progress())))  # -1 while it is not known
            return answer.result()
        except KeyboardInterrupt:
            connection.interrupt()
            raise


def quietly(work: Callable[[], _Fetched], label: str, explain: Explain) -> _Fetched:
    """Do what DuckDB may fail at; what it says goes to `explain` and no further."""
    import duckdb

    try:
        return work()
    except RuntimeError as error:
        if "interrupted" in str(error):  # how DuckDB answers Ctrl-C
            raise KeyboardInterrupt from None
        raise
    except duckdb.Error as error:
        is_full, message = isinstance(error, duckdb.OutOfMemoryException), str(error)
    # Outside of the handler, so that not even a traceback holds the message.
    raise SourceError(f"{label} needs more memory than there is.") if is_full else explain(message)
