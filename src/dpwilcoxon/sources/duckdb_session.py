"""DuckDB, used quietly: no network, no files unless they are private, no data in its messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from dpwilcoxon.arraytypes import AnyArray
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.inputs import Input

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


def fetch_arrays(source: Input, sql: str, explain: Explain) -> dict[str, AnyArray]:
    """Run a query whose only parameter is the path of `source`; return its columns.

    DuckDB quotes the data in its messages. They are given to `explain`, which may look for
    the kind of mistake in them, and go no further.
    """
    return dict(_run(source, sql, explain, lambda result: result.fetchnumpy()))


def fetch_rows(source: Input, sql: str, explain: Explain) -> Sequence[tuple[Any, ...]]:
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
    source: Input,
    sql: str,
    explain: Explain,
    fetch: Callable[[duckdb.DuckDBPyConnection], _Fetched],
) -> _Fetched:
    with source.path_for_duckdb() as path, connected() as connection:
        return quietly(lambda: fetch(connection.execute(sql, [path])), source.label, explain)


def table_changed(label: str) -> SourceError:
    """Build the error for a table that has other rows than a moment ago."""
    return SourceError(f"{label} changed while it was read; try again.")


@contextmanager
def connected(**settings: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database of its own in memory."""
    import duckdb

    with duckdb.connect(config={**SETTINGS, **settings}) as connection:
        connection.execute("SET enable_progress_bar = false; SET TimeZone = 'UTC'")
        yield connection


@contextmanager
def watched(connection: duckdb.DuckDBPyConnection, tell: Callable[[int], None]) -> Iterator[None]:
    """Tell now and then how many per cent of a query are done."""
    connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    finished = threading.Event()

    def watch() -> None:
        while not finished.wait(SECONDS_BETWEEN_LOOKS):
            tell(max(0, int(connection.query_progress())))  # -1 while it is not known

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()
        connection.execute("SET enable_progress_bar = false")


def quietly(work: Callable[[], _Fetched], label: str, explain: Explain) -> _Fetched:
    """Do what DuckDB may fail at; what it says goes to `explain` and no further."""
    import duckdb

    failure: SourceError
    try:
        return work()
    except RuntimeError as error:
        if "interrupted" in str(error):  # how DuckDB answers Ctrl-C
            raise KeyboardInterrupt from None
        raise
    except duckdb.OutOfMemoryException:
        failure = SourceError(f"{label} needs more memory than there is.")
    except duckdb.Error as error:
        failure = explain(str(error))
    raise failure  # outside of the handler, so that not even a traceback holds the message
