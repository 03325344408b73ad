"""The entries of a ledger in its database: the only module that speaks SQL about them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from dpwilcoxon.errors import LedgerDamaged, UnknownBudget
from dpwilcoxon.ledger.chain import BEFORE_THE_FIRST, Entry, Kind
from dpwilcoxon.ledger.files import RECOVERY

_COLUMNS = "sequence, budget, kind, recorded_at, request, answers, content, hash"
_SELECT = f"SELECT {_COLUMNS} FROM entries"  # noqa: S608 - our own text
_INSERT = f"INSERT INTO entries ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - same
_UNANSWERED = "sequence NOT IN (SELECT answers FROM entries WHERE answers IS NOT NULL)"


class Journal:
    """The entries as one transaction sees them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def entries(self) -> Iterator[Entry]:
        """All entries, in order."""
        return (Entry(*row) for row in self._connection.execute(f"{_SELECT} ORDER BY sequence"))

    def entries_of(self, budget: str) -> list[Entry]:
        """The entries of one budget, in order."""
        rows = self._connection.execute(f"{_SELECT} WHERE budget = ? ORDER BY sequence", (budget,))
        return [Entry(*row) for row in rows]

    def budgets(self) -> list[str]:
        """The names of the budgets, in the order in which they were created."""
        rows = self._connection.execute(
            "SELECT budget FROM entries WHERE kind = 'created' ORDER BY sequence"
        )
        return [name for (name,) in rows]

    def creation(self, budget: str) -> Entry:
        """The entry that created a budget."""
        entry = self._one(f"{_SELECT} WHERE budget = ? AND kind = 'created'", (budget,))
        if entry is None:
            raise UnknownBudget(self._unknown(budget))
        return entry

    def unanswered(self, budget: str) -> list[Entry]:
        """The reservations of a budget for which nothing was released."""
        rows = self._connection.execute(
            f"{_SELECT} WHERE budget = ? AND kind = 'reserved' AND {_UNANSWERED}",
            (budget,),
        )
        return [Entry(*row) for row in rows]

    def count_answers(self, budget: str) -> int:
        """How many releases a budget has paid for."""
        (count,) = self._connection.execute(
            "SELECT count(*) FROM entries WHERE budget = ? AND kind = 'released'", (budget,)
        ).fetchone()
        return int(count)

    def newest(self) -> Entry | None:
        """The last entry."""
        return self._one(f"{_SELECT} ORDER BY sequence DESC LIMIT 1", ())

    def last_balance(self, budget: str) -> Entry:
        """The entry that tells the present balance of a budget."""
        entry = self._one(
            f"{_SELECT} WHERE budget = ? AND kind <> 'released' ORDER BY sequence DESC LIMIT 1",
            (budget,),
        )
        if entry is None:
            raise UnknownBudget(self._unknown(budget))
        self.check_link(entry)
        return entry

    def reservations(self, budget: str, *requests: str | None) -> list[Entry]:
        """The charges for one request, by its fingerprints, newest first."""
        marks = ", ".join("?" * len(requests))
        rows = self._connection.execute(
            f"{_SELECT} WHERE budget = ? AND request IN ({marks}) ORDER BY sequence DESC",
            (budget, *requests),
        )
        return [Entry(*row) for row in rows]

    def answer_to(self, reservation: Entry) -> Entry | None:
        """What was released for a reservation."""
        return self._one(f"{_SELECT} WHERE answers = ?", (reservation.sequence,))

    def append(
        self,
        kind: Kind,
        budget: str,
        content: dict[str, Any],
        *,
        request: str | None = None,
        answers: int | None = None,
    ) -> Entry:
        """Add an entry, bound to the last one."""
        newest = self.newest()
        if newest is not None:
            self.check_link(newest)
        entry = Entry.after(newest, kind, budget, content, request=request, answers=answers)
        row = tuple(getattr(entry, name) for name in _COLUMNS.split(", "))
        self._connection.execute(_INSERT, row)
        return entry

    def _one(self, query: str, values: tuple[object, ...]) -> Entry | None:
        row = self._connection.execute(query, values).fetchone()
        return row and Entry(*row)

    def check_link(self, entry: Entry) -> None:
        """Decide nothing upon an entry that was damaged or edited."""
        row = self._connection.execute(
            "SELECT hash FROM entries WHERE sequence = ?", (entry.sequence - 1,)
        ).fetchone()
        first = entry.sequence == 1
        if (row is None) is not first or entry.link(
            BEFORE_THE_FIRST if first else row[0]
        ) != entry.hash:
            raise LedgerDamaged(
                f"Entry {entry.sequence} of the ledger is not what was written. {RECOVERY}"
            )

    def _unknown(self, budget: str) -> str:
        names = ", ".join(repr(name) for name in self.budgets()) or "none yet"
        return f"There is no budget {budget!r} in this ledger; there are: {names}."
