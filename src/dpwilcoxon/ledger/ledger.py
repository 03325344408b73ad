"""A ledger: budgets, what was charged to them, and what was released for it.

The order of work, which later editors must keep: an owner arrives, the reservation is committed,
the caller draws, the result is committed, the owner leaves. Whatever interrupts that leaves a
reservation that is spent, and nobody at work on it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from dpwilcoxon.errors import BudgetExists, InvalidArgument, LedgerBusy
from dpwilcoxon.ledger.chain import Kind
from dpwilcoxon.ledger.composition import Balance
from dpwilcoxon.ledger.database import PATIENCE, Database
from dpwilcoxon.ledger.events import Event, public_name
from dpwilcoxon.ledger.files import existing_ledger, new_ledger
from dpwilcoxon.ledger.history import Account, Line, Snapshot
from dpwilcoxon.ledger.journal import Journal
from dpwilcoxon.ledger.owners import Owner, Owners, OwnersInFiles, OwnersInMemory
from dpwilcoxon.ledger.places import ledger_path
from dpwilcoxon.ledger.reservations import Forecast, Recorded, Reservation, charge, forecast
from dpwilcoxon.ledger.verification import Verification, verify
from dpwilcoxon.parameters import Epsilon, exact_text

POLL = 0.01  # seconds between two looks at an identical request that somebody is at work on


def check_budget_words(name: str, description: str) -> None:
    """Refuse a name or a description that a ledger cannot hold."""
    public_name(name, "The name of a budget")
    if description:
        public_name(description, "The description of a budget")


class Ledger:
    """Budgets that survive crashes and races."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self._database = database
        self._owners = owners

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        create: bool = False,
        writable: bool = True,
        patience: float = PATIENCE,
    ) -> Self:
        """Open the ledger at a path, or at the place where ledgers are kept."""
        named = ledger_path(path)
        place = new_ledger(named) if create else existing_ledger(named)
        owners = OwnersInFiles(place)
        database = Database(place, writable=writable, patience=patience)
        if writable:
            owners.sweep()
        return cls(database, owners)

    @classmethod
    def in_memory(cls) -> Self:
        """A ledger that ends with its process."""
        return cls(Database(None), OwnersInMemory())

    @property
    def place(self) -> Path | None:
        """Where the file is; none in memory."""
        return self._database.place

    def create_budget(self, name: str, total: Epsilon, description: str = "") -> None:
        """Add a budget; its name must be new."""
        check_budget_words(name, description)
        with self._database.writing() as connection:
            journal = Journal(connection)
            if name in journal.budgets():
                raise BudgetExists(
                    f"There is a budget {name!r} in this ledger already; choose another name, or "
                    "raise the total of this one with 'dpwilcoxon budget raise'."
                )
            content = {"description": description, "balance": Balance(total.exact).to_plain()}
            journal.append(Kind.CREATED, name, content)

    def raise_budget(self, name: str, total: Epsilon, reason: str) -> None:
        """Raise the total of a budget, and record why."""
        public_name(reason, "The `reason` to raise a budget")
        with self._database.writing() as connection:
            journal = Journal(connection)
            known = journal.last_balance(name).balance
            if total.exact <= known.total:
                raise InvalidArgument(
                    f"The budget {name!r} has a total of {exact_text(known.total)} and can only "
                    f"be raised; got {total}."
                )
            raised = Balance(total.exact, known.spent, known.rule)
            journal.append(Kind.RAISED, name, {"reason": reason, "balance": raised.to_plain()})

    def balance(self, name: str) -> Balance:
        """What a budget allows, and what was spent of it."""
        with self._database.reading() as connection:
            return Journal(connection).last_balance(name).balance

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Look at one state of the ledger, whatever is written meanwhile."""
        with self._database.reading() as connection:
            yield Snapshot(Journal(connection), self._owners)

    def account(self, name: str) -> Account:
        """How one budget stands."""
        with self.snapshot() as seen:
            return seen.account(name)

    def history(self, name: str) -> list[Line]:
        """The story of one budget, in order."""
        with self.snapshot() as seen:
            return seen.history(name)

    def head(self) -> str:
        """The hash of the last entry: kept elsewhere, it proves later that nothing was undone."""
        with self.snapshot() as seen:
            return seen.head()

    def verify(self, head: str | None = None) -> Verification:
        """Check the file, the chain, and every balance; and that the chain goes through `head`."""
        with self._database.reading() as connection:
            return verify(connection, head)

    def forecast(self, budget: str, event: Event, *, fresh: bool = False) -> Forecast:
        """Say what a request would meet now, or refuse what it would be refused."""
        with self._database.reading() as connection:
            met = forecast(Journal(connection), self._owners, budget, event, fresh=fresh)
        if met.recorded is None and met.running is None:
            met.balance.charged(budget, met.cost)
        return met

    def reserve(self, budget: str, event: Event, *, fresh: bool = False) -> Reservation | Recorded:
        """Charge a request before it is drawn, or find the release that answers it already.

        If somebody is at work on an identical request, this waits for its release.
        """
        owner = self._owners.arrive()
        try:
            met = self._reserve(budget, event, owner, fresh=fresh)
        except BaseException:
            owner.leave()
            raise
        if isinstance(met, Recorded):
            owner.leave()
        return met

    def _reserve(
        self, budget: str, event: Event, owner: Owner, *, fresh: bool
    ) -> Reservation | Recorded:
        deadline = time.monotonic() + self._database.patience
        while True:
            with self._database.writing() as connection:
                journal = Journal(connection)
                met = forecast(journal, self._owners, budget, event, fresh=fresh)
                if met.recorded is not None:
                    return met.recorded
                if met.running is None:
                    entry = charge(journal, budget, event, owner, met)
            if met.running is None:
                return Reservation(self._database, owner, entry, met, event.order)
            if time.monotonic() >= deadline:
                raise LedgerBusy(
                    f"Another process has been at work on an identical request (entry "
                    f"{met.running.sequence}) for too long. Nothing was charged; try again when "
                    "it has finished."
                )
            time.sleep(POLL)

    def close(self) -> None:
        """Close the file; nothing is lost if that is forgotten."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
