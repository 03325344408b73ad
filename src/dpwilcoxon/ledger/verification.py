"""Checking a ledger from its first entry to its last."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpwilcoxon.errors import DPWilcoxonError
from dpwilcoxon.ledger.chain import BEFORE_THE_FIRST, Entry, Kind
from dpwilcoxon.ledger.composition import Balance
from dpwilcoxon.ledger.events import Event
from dpwilcoxon.ledger.journal import Journal

MOST_PROBLEMS = 20  # told; after that, the rest is a consequence


@dataclass(frozen=True)
class Verification:
    """What a check of a ledger found.

    Attributes
    ----------
    entries : int
        How many there are.
    head : str
        The hash of the last one.
    known_head : int or None
        The number of the entry that carries the head the auditor kept, if one was given; 0 for
        the head of a ledger that had no entries yet.
    problems : tuple of str
        What is wrong; empty if nothing is.
    """

    entries: int
    head: str
    known_head: int | None
    problems: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values, ready for JSON."""
        return {
            "sound": self.is_sound,
            "entries": self.entries,
            "head": self.head,
            "known_head": self.known_head,
            "problems": list(self.problems),
        }


def verify(connection: sqlite3.Connection, head: str | None = None) -> Verification:
    """Check the file, the chain, and every balance; and that the chain goes through `head`."""
    audit, problems = _Audit(known_head=0 if head == BEFORE_THE_FIRST else None), []
    try:
        found = [text for (text,) in connection.execute("PRAGMA quick_check(5)")]
        problems += [f"The file: {text}." for text in found if text != "ok"]
        for entry in Journal(connection).entries():
            problems += [f"Entry {entry.sequence}: {text}." for text in audit.check(entry)]
            if entry.hash == head:
                audit.known_head = entry.sequence
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        problems.append(f"The file cannot be read beyond entry {audit.entries}: {error}.")
    if head is not None and audit.known_head is None:
        problems.append(
            "The chain does not go through the head that was given: entries up to it were "
            "removed, edited or rolled back, or it is the head of another ledger."
        )
    return Verification(
        audit.entries, audit.hash, audit.known_head, tuple(problems[:MOST_PROBLEMS])
    )


@dataclass
class _Audit:
    """What has to be remembered from entry to entry."""

    entries: int = 0
    hash: str = BEFORE_THE_FIRST
    known_head: int | None = None
    balances: dict[str, Balance] = field(default_factory=dict)
    unanswered: dict[int, tuple[str, int]] = field(default_factory=dict)  # budget, outcomes

    def check(self, entry: Entry) -> Iterator[str]:
        """Say what is wrong with the entry that comes next."""
        self.entries += 1
        if entry.sequence != self.entries:
            yield f"number {self.entries} was expected here"
            self.entries = entry.sequence
        if entry.link(self.hash) != entry.hash:
            yield "its hash does not follow from its content and the entry before it"
        self.hash = entry.hash
        try:
            yield from self._check_content(entry)
        except (DPWilcoxonError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
            yield "its content cannot be read"

    def _check_content(self, entry: Entry) -> Iterator[str]:
        kind, known = entry.what, self.balances.get(entry.budget)
        if (known is None) is not (kind is Kind.CREATED):
            yield "a budget has to be created before its other entries, and only once"
        if kind is Kind.RELEASED:
            yield from self._check_answer(entry)
            return
        balance = entry.balance
        self.balances[entry.budget] = balance
        if balance.spent > balance.total:
            yield "more is spent than the budget allows"
        if known is not None and kind is Kind.RAISED:
            if balance.total <= known.total or balance.spent != known.spent:
                yield "a budget can only be raised, and nothing else"
        elif known is not None and kind is Kind.RESERVED:
            yield from self._check_charge(entry, known)
        elif balance.spent:
            yield "a new budget has nothing spent"

    def _check_charge(self, entry: Entry, known: Balance) -> Iterator[str]:
        event = Event.from_plain(entry.plain["event"])
        cost = Fraction(entry.plain["charge"]["amount"])
        if cost <= 0 or cost != known.cost(event):
            yield "the charge is not what the event costs"
        if entry.balance.spent != known.spent + cost or entry.balance.total != known.total:
            yield "the balance does not follow from the one before it"
        if entry.request != event.request:
            yield "the fingerprint is not that of the request"
        self.unanswered[entry.sequence] = entry.budget, len(event.outcomes)

    def _check_answer(self, entry: Entry) -> Iterator[str]:
        answered = (entry.budget, len(entry.plain["results"]))
        if entry.answers is None or self.unanswered.pop(entry.answers, None) != answered:
            yield "it answers no reservation of its budget"
