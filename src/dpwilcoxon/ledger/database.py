"""One SQLite database: durable transactions that wait their turn, and errors for people."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpwilcoxon.errors import LedgerBusy, LedgerDamaged, LedgerError
from dpwilcoxon.ledger.files import RECOVERY, connect, not_writable
from dpwilcoxon.ledger.schema import MIGRATIONS, migrate, version_of

PATIENCE = 30.0  # seconds to wait for other programs
WAIT = 0.1  # seconds that SQLite waits by itself: Ctrl-C is noticed in between

_inherited: list[sqlite3.Connection] = []  # kept, since to forget one is to close it


class Database:
    """A connection that is opened again after a fork, and guarded among threads."""

    def __init__(
        self, place: Path | None, *, writable: bool = True, patience: float = PATIENCE
    ) -> None:
        self.place = place
        self.patience = patience
        self._writable = writable
        self._turn = threading.RLock()
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = None
        with explained(place):
            self._connection = self._connect()
            try:
                self._bring_up_to_date(self._connection)
            except BaseException:
                self.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        if self.place is None:
            return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._opened = self.place.stat()
        connection = connect(self.place, writable=self._writable, wait=WAIT)
        try:
            self._patiently(lambda: version_of(connection))  # before anything is changed in it
            if self._writable:
                self._patiently(lambda: _make_durable(connection))
        except BaseException:
            connection.close()
            raise
        return connection

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        if version_of(connection) == len(MIGRATIONS):
            return
        if self._writable:
            with self.writing():
                migrate(connection)
        else:
            Database(self.place, patience=self.patience).close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this process."""
        if self._connection is None:
            raise LedgerError("This budget is closed; open it again to use it.")
        if self._process != os.getpid():
            self._leave_to_parent(self._connection)
        return self._connection

    def _leave_to_parent(self, inherited: sqlite3.Connection) -> None:
        """SQLite forbids using, and even closing, what was opened before a fork."""
        if self.place is None:
            raise LedgerError(
                "A temporary budget belongs to the process that made it: a copy in another "
                "process would spend the same budget twice. Use a budget in a file."
            )
        _inherited.append(inherited)
        self._process = os.getpid()
        self._turn = threading.RLock()  # whoever held it does not live in this process
        self._connection = self._connect()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction that no other writer can interleave; durable when it ends well."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Look at one state of the ledger, whatever is written meanwhile."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with explained(self.place):
            connection = self.connection
            with self._turn:
                self._patiently(lambda: connection.execute(begin))
                try:
                    self._check_still_there()
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    with suppress(sqlite3.Error):  # some errors have rolled back already
                        connection.execute("ROLLBACK")
                    raise

    def _check_still_there(self) -> None:
        """Spend nothing from a file that nobody who opens the ledger would see any more."""
        if self.place is None:
            return
        with suppress(OSError):
            if os.path.samestat(self.place.stat(), self._opened):
                return
        raise LedgerError(
            f"The ledger {str(self.place)!r} was moved, removed or replaced while it was open. "
            "Nothing was released; open the budget again."
        )

    def _patiently(self, work: Callable[[], object]) -> None:
        """Try again while another program is writing."""
        deadline = time.monotonic() + self.patience
        while True:
            try:
                work()
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                    raise
            else:
                return

    def close(self) -> None:
        """Close the file; nothing is lost if that is forgotten."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self._process == os.getpid():
            connection.close()
        else:
            _inherited.append(connection)

    def __del__(self) -> None:
        self.close()


def _make_durable(connection: sqlite3.Connection) -> None:
    """A commit returns when it is on the disk, not when it is on its way."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode not in ("wal", "memory"):
        raise LedgerError(
            "This file system cannot hold a ledger: programs on it cannot share memory. Keep the "
            "ledger on a local disk."
        )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: past the cache of the drive, too
    connection.execute("PRAGMA checkpoint_fullfsync = ON")
    connection.execute("PRAGMA foreign_keys = ON")


_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CONSTRAINT)


def primary_code(error: Exception) -> int:
    """SQLite's kind of error, without the details."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def explained(place: Path | None) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # what is damaged may not even be text
        raise _explanation(error, str(place) if place else "in memory") from error


def _explanation(error: sqlite3.Error | UnicodeDecodeError, place: str) -> LedgerError:
    code = primary_code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerBusy(
            f"Another program holds the ledger {place!r} and did not let go of it in time. "
            "Nothing was released; try again when it has finished."
        )
    if code == sqlite3.SQLITE_NOTADB:
        return LedgerDamaged(
            f"{place!r} is not a ledger; check the name. If it was one, it is damaged. {RECOVERY}"
        )
    if isinstance(error, UnicodeDecodeError) or code in _DAMAGE:
        return LedgerDamaged(f"The ledger {place!r} is damaged ({error}). {RECOVERY}")
    if code == sqlite3.SQLITE_READONLY:
        return not_writable(Path(place))
    if code == sqlite3.SQLITE_FULL:
        return LedgerError(
            f"There is no space left for the ledger {place!r}. Nothing was released; make space "
            "and try again."
        )
    return LedgerError(
        f"The ledger {place!r} could not be read or written ({error}). Nothing was released."
    )
