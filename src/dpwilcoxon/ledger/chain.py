"""Entries of a ledger, each of which is bound to the one before it by its hash."""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Self

from dpwilcoxon.errors import LedgerDamaged
from dpwilcoxon.ledger.composition import Balance
from dpwilcoxon.ledger.events import canonical
from dpwilcoxon.ledger.files import RECOVERY

BEFORE_THE_FIRST = "0" * 64


class Kind(enum.Enum):
    """What an entry records."""

    CREATED = "created"  # a budget
    RAISED = "raised"  # the total of a budget
    RESERVED = "reserved"  # a charge, before anything is drawn for it
    RELEASED = "released"  # what came out, in answer to one reservation


@dataclass(frozen=True)
class Entry:
    """One line of a ledger; the fields are the columns of its table."""

    sequence: int
    budget: str
    kind: str
    recorded_at: str  # for people; order is that of the sequence
    request: str | None  # of a reservation: the fingerprint by which it is found again
    answers: int | None  # of a release: the sequence number of its reservation
    content: str  # canonical JSON
    hash: str

    @classmethod
    def after(
        cls,
        previous: Entry | None,
        kind: Kind,
        budget: str,
        content: dict[str, Any],
        *,
        request: str | None = None,
        answers: int | None = None,
    ) -> Self:
        """Write the entry that follows `previous`, or the first one."""
        sequence = previous.sequence + 1 if previous else 1
        written = canonical(content)
        entry = cls(sequence, budget, kind.value, _now(), request, answers, written, "")
        return replace(entry, hash=entry.link(previous.hash if previous else BEFORE_THE_FIRST))

    def link(self, previous: str) -> str:
        """The hash this entry has to carry if `previous` is the hash of the one before it."""
        fields = [
            previous,
            self.sequence,
            self.budget,
            self.kind,
            self.recorded_at,
            self.request,
            self.answers,
            self.content,
        ]
        with self._deciphered():
            return hashlib.sha256(canonical(fields).encode()).hexdigest()

    @cached_property
    def what(self) -> Kind:
        """What this entry records."""
        with self._deciphered():
            return Kind(self.kind)

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The content as plain values."""
        with self._deciphered():
            read: dict[str, Any] = json.loads(self.content)
            return read

    @cached_property
    def balance(self) -> Balance:
        """The balance of the budget after this entry; releases carry none."""
        with self._deciphered():
            return Balance.from_plain(self.plain["balance"])

    def told(self, name: str) -> str:
        """One word of the content."""
        with self._deciphered():
            return str(self.plain[name])

    @contextmanager
    def _deciphered(self) -> Iterator[None]:
        """What is no entry of ours was edited or is damaged; nothing else is called so."""
        try:
            yield
        except (ArithmeticError, KeyError, TypeError, ValueError) as error:
            raise LedgerDamaged(
                f"Entry {self.sequence} of the ledger cannot be read; 'dpwilcoxon budget verify' "
                f"finds out what else is damaged. {RECOVERY}"
            ) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
