"""The tables of a ledger, as numbered steps that are only ever added to.

A ledger remembers how many steps it has taken (``user_version``). New software takes the
missing ones when it opens an old ledger; old software refuses a ledger that knows more steps
than it does. A step that was published is never edited: a test holds its text to a hash.
"""

from __future__ import annotations

import sqlite3

from dpwilcoxon.errors import LedgerError

APPLICATION_ID = 0x64707763  # "dpwc": tells ledgers from other SQLite files

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE entries (
            sequence    INTEGER PRIMARY KEY CHECK (sequence > 0),
            budget      TEXT NOT NULL,
            kind        TEXT NOT NULL,
            recorded_at TEXT NOT NULL,
            request     TEXT,
            answers     INTEGER UNIQUE REFERENCES entries (sequence),
            content     TEXT NOT NULL,
            hash        TEXT NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX budgets ON entries (budget) WHERE kind = 'created'",
        "CREATE INDEX balances ON entries (budget, sequence) WHERE kind <> 'released'",
        "CREATE INDEX requests ON entries (budget, request) WHERE request IS NOT NULL",
        """
        CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries of a ledger are never changed'); END
        """,
        """
        CREATE TRIGGER entries_are_not_removed BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries of a ledger are never removed'); END
        """,
    ),
)


def version_of(connection: sqlite3.Connection) -> int:
    """How many steps a ledger has taken; refuse other files, and ledgers ahead of this software."""
    (identity,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if identity != APPLICATION_ID and (identity or version or tables):
        _, _, place = connection.execute("PRAGMA database_list").fetchone()
        raise LedgerError(f"{place!r} is a database of another program, and not a ledger.")
    if version > len(MIGRATIONS):
        raise LedgerError(
            f"The ledger was written by a newer dpwilcoxon (format {version}; this one knows "
            f"{len(MIGRATIONS)}); upgrade dpwilcoxon to use it. Nothing was changed."
        )
    return int(version)


def migrate(connection: sqlite3.Connection) -> None:
    """Take the steps that are missing, inside the caller's transaction."""
    taken = version_of(connection)
    for number, statements in enumerate(MIGRATIONS[taken:], start=taken + 1):
        for statement in statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
