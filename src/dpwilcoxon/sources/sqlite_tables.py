"""SQLite files: a table or view, read as the text that its values print as.

SQLite has no decimals: 120.1 is stored as the nearest double, and printed as 120.1 again. It is
read as that decimal, so differences that are equal on paper are equal here. The rows reach DuckDB
through a pipe: nothing is written anywhere, and the file is opened read-only. (Of a database in WAL
mode SQLite itself may leave -wal and -shm files without rows beside it, as for every reader.)
"""

from __future__ import annotations

import csv
import io
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast
from urllib.parse import quote

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.delimited import DelimitedTable
from dpwilcoxon.sources.duckdb_session import quoted_name
from dpwilcoxon.sources.inputs import content_pipe
from dpwilcoxon.sources.tables import choose_table

ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class SqliteInput:
    """The rows of one table, as CSV."""

    label: str
    path: Path
    table: str
    head: bytes = field(default=b"", repr=False)
    is_zstd: bool = False

    def open_binary(self) -> BinaryIO:
        """Open the rows as a stream of CSV."""
        return cast("BinaryIO", io.BufferedReader(_Rows(self.path, self.table), 1 << 18))

    def path_for_duckdb(self) -> AbstractContextManager[str]:
        """Give the path of a pipe that the rows come out of."""
        return content_pipe(self.open_binary, self.label)


class _Rows(io.RawIOBase):
    """Text of a query, line by line."""

    def __init__(self, path: Path, table: str) -> None:
        super().__init__()
        self._rest = b""
        self._blocks = _blocks(path, table)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]  # whatever BufferedReader passes
        if not self._rest:
            self._rest = next(self._blocks, b"")
        n = min(len(view), len(self._rest))
        view[:n], self._rest = self._rest[:n], self._rest[n:]
        return n

    def close(self) -> None:
        self._blocks.close()  # type: ignore[attr-defined]  # a generator
        super().close()


def _blocks(path: Path, table: str) -> Iterator[bytes]:
    try:
        with closing(_connected(path)) as connection:
            cursor = connection.execute(f"SELECT * FROM {quoted_name(table)}")
            yield _csv([[column[0] for column in cursor.description]])
            while rows := cursor.fetchmany(ROWS_AT_ONCE):
                yield _csv(rows)
    except sqlite3.Error:
        raise _unreadable(repr(str(path))) from None


def _csv(rows: list[list[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def _connected(path: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    connection = sqlite3.connect(address, uri=True)
    connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    return connection


def open_sqlite(path: str | os.PathLike[str], table: str | None) -> DelimitedTable:
    """Find a table or view of a SQLite file, and its columns."""
    label, location = repr(os.fspath(path)), Path(path)
    try:
        with closing(_connected(location)) as connection:
            listed = connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name"
            )
            chosen = choose_table([str(name) for (name,) in listed], table, label)
            found = connection.execute(f"SELECT * FROM {quoted_name(chosen)} LIMIT 0")
            names = tuple(str(column[0]) for column in found.description)
    except sqlite3.Error:
        raise _unreadable(label) from None
    source = SqliteInput(f"table {chosen!r} of {label}", location, chosen)
    return DelimitedTable(source, ",", names, skipped=0, is_file=False)


def _unreadable(label: str) -> SourceError:
    return SourceError(
        f"{label} cannot be read as a SQLite file: it is damaged, locked, encrypted or gone."
    )
