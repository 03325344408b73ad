"""Charging a request: the reservation that permits one draw, or the release that exists already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import TracebackType
from typing import Self

from dpwilcoxon.errors import LedgerError
from dpwilcoxon.ledger.chain import Entry, Kind
from dpwilcoxon.ledger.composition import Balance
from dpwilcoxon.ledger.database import Database
from dpwilcoxon.ledger.events import Event
from dpwilcoxon.ledger.journal import Journal
from dpwilcoxon.ledger.owners import Owner, Owners
from dpwilcoxon.ledger.records import from_record, to_record
from dpwilcoxon.parameters import exact_text
from dpwilcoxon.result import PrivateTestResult, Receipt


@dataclass(frozen=True)
class Recorded:
    """A release that answers a request already: to show it again costs nothing."""

    reservation: Entry
    answer: Entry
    balance: Balance  # of today
    asked: Event  # now

    @property
    def analysis(self) -> dict[str, str]:
        """Which alternative and method the recorded p-values belong to."""
        return dict(self.reservation.plain["event"]["analysis"])

    def results(self) -> list[PrivateTestResult]:
        """The results as they were released, in the order in which they were asked for now."""
        recorded = Event.from_plain(self.reservation.plain["event"])
        results = self.answer.plain["results"]
        found = dict(zip(self.asked.order, recorded.order, strict=True))
        return [from_record(results[found[place]]) for place in range(len(results))]

    def receipt(self) -> Receipt:
        """What showing it again costs."""
        return Receipt(
            budget=self.answer.budget,
            entry=self.reservation.sequence,
            recorded_at=self.answer.recorded_at,
            hash=self.answer.hash,
            charged=Fraction(0),
            remaining=self.balance.remaining,
            total=self.balance.total,
            outcomes=len(self.answer.plain["results"]),
            is_repeated=True,
        )


@dataclass(frozen=True)
class Forecast:
    """What a request would meet: its cost, the balance, and what became of identical ones."""

    cost: Fraction
    balance: Balance
    recorded: Recorded | None = None
    running: Entry | None = None
    interrupted: Entry | None = None


def forecast(
    journal: Journal, owners: Owners, budget: str, event: Event, *, fresh: bool
) -> Forecast:
    """Look up what a request would meet now; nothing is charged or refused."""
    balance = journal.last_balance(budget).balance
    cost = balance.cost(event)
    interrupted = None
    if not fresh:
        # Under its own order of outcomes, too, as earlier software wrote it.
        for reservation in journal.reservations(budget, event.in_order().request, event.request):
            answer = journal.answer_to(reservation)
            if answer is not None:
                journal.check_link(reservation)  # nothing is given out that was edited
                journal.check_link(answer)
                return Forecast(Fraction(0), balance, Recorded(reservation, answer, balance, event))
            if owners.is_at_work(reservation.told("owner")):
                return Forecast(cost, balance, running=reservation)
            interrupted = interrupted or reservation
    return Forecast(cost, balance, interrupted=interrupted)


def charge(journal: Journal, budget: str, event: Event, owner: Owner, met: Forecast) -> Entry:
    """Add the reservation of a request to the ledger, or refuse it."""
    event = event.in_order()
    content = {
        "event": event.to_plain(),
        "charge": {"amount": exact_text(met.cost)},
        "balance": met.balance.charged(budget, met.cost).to_plain(),
        "owner": owner.token,
    }
    return journal.append(Kind.RESERVED, budget, content, request=event.request)


class Reservation:
    """A charge that is on the disk: the permission to draw once, and then to record it.

    Use it as a context: on leaving it, nobody is at work on it any more, and if nothing was
    recorded by then, it counts as interrupted.
    """

    def __init__(
        self, database: Database, owner: Owner, entry: Entry, met: Forecast, order: Sequence[int]
    ) -> None:
        self._database = database
        self._owner = owner
        self._entry = entry
        self._met = met
        self._order = order

    def record(self, results: Sequence[PrivateTestResult]) -> Receipt:
        """Write down what was drawn, before anybody sees it."""
        content = {"results": [to_record(results[place]) for place in self._order]}
        entry = self._entry
        try:
            with self._database.writing() as connection:
                answer = Journal(connection).append(
                    Kind.RELEASED, entry.budget, content, answers=entry.sequence
                )
        except LedgerError as error:
            raise type(error)(
                "The result could not be recorded, so it is withheld; its charge stands (entry "
                f"{entry.sequence} of budget {entry.budget!r}). {error}"
            ) from error
        interrupted, balance = self._met.interrupted, entry.balance
        return Receipt(
            budget=entry.budget,
            entry=entry.sequence,
            recorded_at=answer.recorded_at,
            hash=answer.hash,
            charged=self._met.cost,
            remaining=balance.remaining,
            total=balance.total,
            outcomes=len(results),
            interrupted_before=interrupted.sequence if interrupted else None,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._owner.leave()
