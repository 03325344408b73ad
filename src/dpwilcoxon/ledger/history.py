"""What a ledger tells people: accounts, and the story of each budget."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpwilcoxon.ledger.chain import BEFORE_THE_FIRST, Entry, Kind
from dpwilcoxon.ledger.composition import Balance
from dpwilcoxon.ledger.journal import Journal
from dpwilcoxon.ledger.owners import Owners
from dpwilcoxon.parameters import exact_text

_TOLD = ("description", "reason", "event")


class State(enum.Enum):
    """What became of a line in the history of a budget."""

    CREATED = "created"
    RAISED = "raised"
    RELEASED = "released"
    RUNNING = "running"  # charged, and somebody is at work on it
    INTERRUPTED = "interrupted"  # charged, nothing released, and nobody is at work on it


@dataclass(frozen=True)
class Line:
    """One line in the history of a budget."""

    entry: Entry
    state: State
    answer: Entry | None = None

    @property
    def charged(self) -> Fraction:
        """What this line took from the budget."""
        charge = self.entry.plain.get("charge")
        return Fraction(charge["amount"]) if charge else Fraction(0)

    def to_dict(self) -> dict[str, Any]:
        """Return the line as plain values, ready for JSON."""
        content, balance = self.entry.plain, self.entry.balance
        told: dict[str, Any] = {name: content[name] for name in _TOLD if name in content}
        return {
            "entry": self.entry.sequence,
            "recorded_at": self.entry.recorded_at,
            "state": self.state.value,
            "charged": exact_text(self.charged),
            "total": exact_text(balance.total),
            "remaining": exact_text(balance.remaining),
            **told,
            "results": self.answer.plain["results"] if self.answer else None,
            "released_at": self.answer.recorded_at if self.answer else None,
        }


@dataclass(frozen=True)
class Account:
    """A budget as it stands."""

    name: str
    description: str
    created_at: str
    balance: Balance
    releases: int
    running: int
    interrupted: int

    def to_dict(self) -> dict[str, Any]:
        """Return the account as plain values, ready for JSON; amounts are exact text."""
        return {
            "name": self.name,
            "description": self.description,
            "created_at": self.created_at,
            "composition": self.balance.rule,
            "total": exact_text(self.balance.total),
            "spent": exact_text(self.balance.spent),
            "remaining": exact_text(self.balance.remaining),
            "releases": self.releases,
            "running": self.running,
            "interrupted": self.interrupted,
        }


@dataclass(frozen=True)
class Snapshot:
    """One state of a ledger, for everything that is to be told together."""

    journal: Journal
    owners: Owners

    def head(self) -> str:
        """The hash of the last entry."""
        newest = self.journal.newest()
        return newest.hash if newest else BEFORE_THE_FIRST

    def account(self, budget: str) -> Account:
        """How one budget stands."""
        created = self.journal.creation(budget)
        states = [self._line(entry).state for entry in self.journal.unanswered(budget)]
        return Account(
            name=budget,
            description=created.told("description"),
            created_at=created.recorded_at,
            balance=self.journal.last_balance(budget).balance,
            releases=self.journal.count_answers(budget),
            running=states.count(State.RUNNING),
            interrupted=states.count(State.INTERRUPTED),
        )

    def history(self, budget: str) -> list[Line]:
        """The story of one budget, in order."""
        self.journal.last_balance(budget)  # refuses a budget that is not there
        entries = self.journal.entries_of(budget)
        answers = {entry.answers: entry for entry in entries if entry.answers is not None}
        return [
            self._line(entry, answers.get(entry.sequence))
            for entry in entries
            if entry.what is not Kind.RELEASED
        ]

    def _line(self, entry: Entry, answer: Entry | None = None) -> Line:
        if entry.what is not Kind.RESERVED:
            return Line(entry, State(entry.kind))
        if answer is not None:
            return Line(entry, State.RELEASED, answer)
        running = self.owners.is_at_work(entry.told("owner"))
        return Line(entry, State.RUNNING if running else State.INTERRUPTED)
