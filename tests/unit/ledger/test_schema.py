"""Old ledgers open in new software; new ledgers are refused by old software."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.ledger import database, schema
from dpwilcoxon.ledger.ledger import Ledger

# The text of each step that was published. A new step adds a line; a line never changes.
PUBLISHED = ["88b13d7ae2e3adcd"]
FIRST_FORMAT = Path(__file__).parent / "format-1.sql"  # as sqlite3's .dump writes it
FIRST_HEAD = "d83926f1b5451f0de4cc19592a826b3e86c9c23a63a22699724b85e39fb4f544"
NEXT = ("CREATE TABLE notes (text TEXT)", "INSERT INTO notes VALUES ('migrated')")


@pytest.fixture
def newer_software(monkeypatch):
    """A dpwilcoxon that knows one step more."""

    def upgrade():
        steps = (*schema.MIGRATIONS, NEXT)
        monkeypatch.setattr(schema, "MIGRATIONS", steps)
        monkeypatch.setattr(database, "MIGRATIONS", steps)

    return upgrade


def test_published_steps_are_never_edited():
    """Ledgers in the field have taken them as they were."""
    hashes = [
        hashlib.sha256(json.dumps(step).encode()).hexdigest()[:16] for step in schema.MIGRATIONS
    ]
    assert hashes == PUBLISHED


def test_a_ledger_of_the_first_format_opens(path, ask, declared):
    """A ledger that version 0.1.0 wrote is sound, says what it said, and can be used."""
    with closing(sqlite3.connect(path)) as old:
        old.executescript(FIRST_FORMAT.read_text())
    with dpw.Budget.open(path, "study") as budget:
        assert budget.verify(FIRST_HEAD).is_sound
        states = [line.state.value for line in budget.history()]
        assert states == ["created", "released", "raised", "interrupted", "released"]
        assert (budget.total, budget.spent) == (Fraction("1.5"), Fraction(19, 30))
        again = ask(budget, **declared)
        assert again.receipt.is_repeated
        assert again.receipt.entry == 2
        assert ask(budget, epsilon="1/3").receipt.remaining == Fraction(8, 15)
        assert budget.verify(FIRST_HEAD).is_sound


def test_an_old_ledger_takes_the_missing_steps(path, ask, newer_software):
    """Whoever opens it first, for reading too; nothing that was recorded changes."""
    with dpw.Budget.create(path, "study", epsilon=1) as budget:
        ask(budget)
        head = budget.head
    newer_software()
    with Ledger.open(path, writable=False) as ledger:
        assert ledger.verify(head).is_sound
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT text FROM notes").fetchall() == [("migrated",)]
        assert raw.execute("PRAGMA user_version").fetchone() == (2,)
    with dpw.Budget.open(path, "study") as budget:
        assert ask(budget).receipt.remaining == Fraction("0.8")


def test_a_new_ledger_is_refused_by_old_software(path, newer_software, monkeypatch):
    """It says that the software is too old, and changes nothing."""
    with monkeypatch.context():
        newer_software()
        dpw.Budget.create(path, "study", epsilon=1).close()
    monkeypatch.undo()
    before = path.read_bytes()
    for attempt in (
        lambda: dpw.Budget.open(path, "study"),
        lambda: dpw.Budget.create(path, "other", epsilon=1),
        lambda: Ledger.open(path, writable=False),
    ):
        with pytest.raises(dpw.LedgerError, match=r"newer dpwilcoxon \(format 2; .* 1\); upgrade"):
            attempt()
    assert path.read_bytes() == before


def test_entries_cannot_be_changed_by_accident(path):
    """The database itself refuses to update or delete them."""
    dpw.Budget.create(path, "study", epsilon=1).close()
    with closing(sqlite3.connect(path)) as raw:
        for statement in ("UPDATE entries SET budget = 'x'", "DELETE FROM entries"):
            with pytest.raises(sqlite3.IntegrityError, match="entries of a ledger are never"):
                raw.execute(statement)
