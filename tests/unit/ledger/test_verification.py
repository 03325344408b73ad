"""What `verify` finds, with and without a head that was kept elsewhere."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.ledger.chain import BEFORE_THE_FIRST, Entry
from dpwilcoxon.ledger.history import Line
from dpwilcoxon.ledger.journal import Journal
from dpwilcoxon.ledger.ledger import Ledger

COLUMNS = ("sequence", "budget", "kind", "recorded_at", "request", "answers", "content", "hash")


@pytest.fixture
def ledger(path, ask, declared):
    """A ledger with two budgets, a raise, and five releases; the path and its head."""
    with dpw.Budget.create(path, "one", epsilon=1) as one:
        with dpw.Budget.create(path, "two", epsilon="0.5") as two:
            ask(one, **declared)
            ask(two, **declared)
            one.raise_total(2, reason="more")
            for _ in range(3):
                ask(one)
        head = one.head
    return path, head


def edit(path, statement, *values):
    """Change what the database would not let anybody change."""
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DROP TRIGGER IF EXISTS entries_are_not_changed")
        raw.execute("DROP TRIGGER IF EXISTS entries_are_not_removed")
        raw.execute(statement, values)


def relink(path):
    """Compute the chain anew, as a forger would who can write the file."""
    with closing(sqlite3.connect(path)) as raw, raw:
        rows = raw.execute("SELECT * FROM entries ORDER BY sequence").fetchall()
        previous = BEFORE_THE_FIRST
        for row in rows:
            previous = Entry(*row).link(previous)
            raw.execute("UPDATE entries SET hash = ? WHERE sequence = ?", (previous, row[0]))


def problems(path, head=None):
    """What `verify` says of a file."""
    with Ledger.open(path, writable=False) as ledger:
        return " ".join(ledger.verify(head).problems)


def test_a_sound_ledger_is_sound_and_goes_through_its_heads(ledger, ask):
    """Also when more was recorded after the head was kept."""
    path, head = ledger
    with dpw.Budget.open(path, "one") as budget:
        assert budget.verify(head).known_head == 13
        ask(budget)
        found = budget.verify(head)
    assert found.is_sound
    assert (found.entries, found.known_head) == (15, 13)
    assert found.to_dict()["sound"] is True


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE entries SET content = replace(content, '0.1', '0.2') WHERE sequence = 3", "hash"),
        ("UPDATE entries SET recorded_at = '2020' WHERE sequence = 4", "Entry 4: its hash"),
        ("UPDATE entries SET content = 'x' WHERE sequence = 5", "cannot be read"),
        ("UPDATE entries SET kind = 'gift' WHERE sequence = 5", "cannot be read"),
        ("UPDATE entries SET hash = replace(hash, 'a', 'b') WHERE sequence = 6", "hash"),
        ("DELETE FROM entries WHERE sequence = 6", "Entry 7: number 6 was expected"),
        ("UPDATE entries SET budget = 'one' WHERE sequence = 5", "hash"),
    ],
)
def test_clumsy_edits_break_the_chain(ledger, statement, message):
    """Any change of any field, anywhere, without a head."""
    path, _ = ledger
    edit(path, statement)
    assert message in problems(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET recorded_at = '2020-02-02T00:00:00.000Z' WHERE sequence = 4",
        "DELETE FROM entries WHERE sequence > 11",
        "DELETE FROM entries WHERE sequence = 13",
        "UPDATE entries SET content = replace(content, '\"more\"', '\"less\"') WHERE sequence = 7",
    ],
)
def test_a_forged_chain_is_found_by_a_head_that_was_kept(ledger, statement):
    """Edits and rollbacks after which the chain was computed anew are sound by themselves."""
    path, head = ledger
    edit(path, statement)
    relink(path)
    assert problems(path) == ""
    assert "does not go through the head" in problems(path, head)


def test_a_ledger_put_back_from_an_old_copy_is_found(ledger, tmp_path, ask):
    """The rollback an analyst might try: copy, spend, put the copy back."""
    path, _ = ledger
    copy = shutil.copy(path, tmp_path / "copy.db")
    with dpw.Budget.open(path, "one") as budget:
        ask(budget)
        head = budget.head
    shutil.copy(copy, path)
    assert problems(path) == ""
    assert "rolled back" in problems(path, head)


@pytest.mark.parametrize(
    ("old", "new", "sequence", "message"),
    [
        ('"spent":"0.1"', '"spent":"0.05"', 3, "balance does not follow"),
        ('"amount":"0.1"', '"amount":"0.01"', 3, "charge is not what the event costs"),
        ('"epsilon":"0.1"', '"epsilon":"0.01"', 3, "charge is not what the event costs"),
        ('"total":"2"', '"total":"1"', 7, "only be raised"),
        ('"total":"0.5"', '"total":"0.05"', 5, "more is spent"),
        ('"version":"1"', '"version":"2"', 3, "fingerprint"),
        ('"spent":"0"', '"spent":"0.1"', 1, "nothing spent"),
    ],
)
def test_sums_are_checked_beside_the_chain(ledger, old, new, sequence, message):
    """A forger who computes the chain anew has to keep every sum right, too."""
    path, _ = ledger
    edit(
        path,
        "UPDATE entries SET content = replace(content, ?, ?) WHERE sequence = ?",
        old,
        new,
        sequence,
    )
    relink(path)
    assert message in problems(path)


def test_answers_need_their_reservation(ledger):
    """A result without a charge is what must never be."""
    path, _ = ledger
    edit(path, "UPDATE entries SET answers = 1 WHERE sequence = 4")
    relink(path)
    assert "Entry 4: it answers no reservation" in problems(path)
    edit(path, "UPDATE entries SET budget = 'three' WHERE sequence = 2")
    relink(path)
    assert "created before" in problems(path)


def test_nothing_is_decided_upon_an_edited_entry(ledger, ask):
    """The balance that a charge starts from, and the end of the chain, are checked each time."""
    path, _ = ledger
    edit(path, "UPDATE entries SET content = replace(content, '0.4', '0.0') WHERE sequence = 12")
    with dpw.Budget.open(path, "two") as budget:
        ask(budget)
    with pytest.raises(dpw.LedgerDamaged, match=r"Entry 12 .* not what was written"):
        dpw.Budget.open(path, "one")
    edit(
        path,
        "UPDATE entries SET content = replace(content, '\"n\":5', '\"n\":6') WHERE sequence = 15",
    )
    with dpw.Budget.open(path, "two") as budget, pytest.raises(dpw.LedgerDamaged, match="Entry 15"):
        ask(budget)


def test_an_unknown_rule_or_noise_is_said(ledger, ask, declared):
    """What this software does not know it does not guess."""
    path, _ = ledger
    new_noise = "replace(content, 'discrete-laplace', 'gumbel')"
    edit(path, f"UPDATE entries SET content = {new_noise} WHERE kind = 'released'")
    relink(path)
    unknown = pytest.raises(dpw.LedgerDamaged, match="noise is called 'gumbel'")
    with dpw.Budget.open(path, "one") as budget, unknown:
        ask(budget, **declared)
    edit(path, "UPDATE entries SET content = replace(content, '\"basic\"', '\"rho\"')")
    relink(path)
    with pytest.raises(dpw.LedgerDamaged, match="rule is called 'rho'"):
        dpw.Budget.open(path, "one")


def test_a_procedure_that_changed_is_not_answered_from_the_ledger(ledger, ask, declared):
    """A recorded number of another lattice is another statistic: it is refused, or drawn anew."""
    path, _ = ledger
    another = "replace(content, '\"lattice\":2', '\"lattice\":4')"
    edit(path, f"UPDATE entries SET content = {another} WHERE kind = 'released'")
    relink(path)
    with dpw.Budget.open(path, "one") as budget:
        with pytest.raises(dpw.InvalidArgument, match="ask for a fresh release"):
            ask(budget, **declared)
        assert ask(budget, fresh=True, **declared).lattice == 2


def test_an_auditor_needs_ten_lines_of_any_language(ledger, run_json):
    """The recipe of docs/budgets.md, applied to an export, gives the head."""
    path, head = ledger
    exported = run_json("budget", "export", "--ledger", path)
    previous = "0" * 64
    for entry in exported["entries"]:
        content = json.dumps(entry["content"], sort_keys=True, separators=(",", ":"))
        fields = [entry[name] for name in COLUMNS[:6]]
        text = json.dumps([previous, *fields, content], separators=(",", ":"))
        previous = hashlib.sha256(text.encode()).hexdigest()
        assert previous == entry["hash"]
    assert previous == head == exported["head"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET content = 'x' WHERE sequence = 1",
        "UPDATE entries SET content = '[]' WHERE sequence = 1",
        "UPDATE entries SET kind = 'gift' WHERE sequence = 3",
        "UPDATE entries SET request = CAST('x' AS BLOB) WHERE sequence = 12",
    ],
)
def test_what_cannot_be_deciphered_is_damage(ledger, statement):
    """It is said of which entry, whatever the ledger is asked."""
    path, _ = ledger
    edit(path, statement)
    number = statement.split()[-1]
    damage = pytest.raises(dpw.LedgerDamaged, match=rf"Entry {number} .* (cannot be read|not what)")
    with Ledger.open(path, writable=False) as opened, damage:
        [opened.account("one"), *map(Line.to_dict, opened.history("one"))]


def test_a_bug_of_ours_is_not_called_damage(ledger, monkeypatch):
    """Nobody should put back an old copy of a sound ledger because of it."""
    path, _ = ledger
    monkeypatch.setattr(Journal, "count_answers", lambda *_: {}["slip"])
    with Ledger.open(path, writable=False) as opened, pytest.raises(KeyError, match="slip"):
        opened.account("one")
