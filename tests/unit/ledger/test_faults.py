"""What can happen to a disk and a clock: clear refusals, and never a draw without a charge."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

import dpwilcoxon as dpw
from dpwilcoxon import release as door
from dpwilcoxon.ledger import chain
from dpwilcoxon.ledger.ledger import Ledger

NOBODY = 65534
FLIPS = 150


@pytest.fixture
def budget(path, ask):
    """A budget in a file, with one release."""
    with dpw.Budget.create(path, "study", epsilon=100) as made:
        ask(made)
        yield made


@pytest.fixture
def draws(monkeypatch):
    """Count the draws of private noise."""
    counted, draw = [], door.release_integer

    def count(*args, **options):
        counted.append(1)
        return draw(*args, **options)

    monkeypatch.setattr(door, "release_integer", count)
    return counted


def fill_disk(budget):
    """Let the file grow no further: SQLite answers as it does when a disk is full."""
    connection = budget._ledger._database.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")


def release_until_refused(budget, ask):
    """Release until the ledger has no space; at most 100 entries fit what is left of a page."""
    for _ in range(100):
        ask(budget)
    pytest.fail("the disk was not full")


def test_a_full_disk_refuses_before_the_draw(budget, ask, draws):
    """Charged, drawn, recorded: as many of each as before; with space again, work goes on."""
    fill_disk(budget)
    with pytest.raises(dpw.LedgerError, match=r"no space left.*make space"):
        release_until_refused(budget, ask)
    states = [line.state.value for line in budget.history()[1:]]
    assert len(states) == len(draws) + 1  # one was released before they were counted
    assert states.count("interrupted") <= 1
    budget._ledger._database.connection.execute("PRAGMA max_page_count = 100000")
    assert ask(budget).receipt.charged
    assert budget.verify().is_sound


def test_a_disk_that_fills_up_during_the_draw_withholds_the_result(budget, ask, monkeypatch):
    """What cannot be recorded is not shown; the charge stands, as interrupted."""
    draw = door.release_integer

    def fill_then_draw(*args, **options):
        connection = budget._ledger._database.connection
        connection.execute("PRAGMA query_only = ON")  # the next write fails
        return draw(*args, **options)

    monkeypatch.setattr(door, "release_integer", fill_then_draw)
    with pytest.raises(dpw.LedgerError, match=r"withheld; its charge stands \(entry 4"):
        ask(budget)
    budget._ledger._database.connection.execute("PRAGMA query_only = OFF")
    assert [line.state.value for line in budget.history()][-1] == "interrupted"
    assert budget.verify().is_sound


def test_a_write_that_fails_is_no_charge(budget, ask, draws):
    """Beyond the largest size of a file (a quota, say) writing fails; nothing is drawn."""
    wal = Path(f"{budget.path}-wal")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = budget.spent
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size, hard))
    try:
        with pytest.raises(dpw.LedgerError, match="Nothing was released"):
            ask(budget)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (len(draws), budget.spent) == (0, before)
    ask(budget)
    assert budget.verify().is_sound


@pytest.fixture
def own_ledger(path, budget):
    """A ledger of an ordinary user; we are that user."""
    budget.close()
    folder = Path(tempfile.mkdtemp())  # the folders of pytest are for their owner only
    copy = folder / "ledger.db"
    shutil.copy(path, copy)
    user = os.geteuid()
    if user == 0:
        os.chown(folder, NOBODY, -1)
        os.chown(copy, NOBODY, -1)
        os.seteuid(NOBODY)
    try:
        yield copy
    finally:
        os.seteuid(user)
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.fixture
def read_only_ledger(own_ledger):
    """A ledger that can be read, in a folder that cannot be written."""
    own_ledger.chmod(0o444)
    own_ledger.parent.chmod(0o555)
    return own_ledger


def test_a_read_only_ledger_can_be_looked_at_and_not_charged(read_only_ledger, ask, draws):
    """Charging is refused with the reason; looking and verifying work, on a copy for an auditor."""
    with pytest.raises(dpw.LedgerError, match="read-only for you"):
        ask(dpw.Budget.open(read_only_ledger, "study"))
    assert not draws
    with Ledger.open(read_only_ledger, writable=False) as ledger:
        assert ledger.verify().is_sound
        assert ledger.account("study").releases == 1


def test_using_a_ledger_while_it_is_read_only_leaves_nothing_in_its_way(own_ledger, ask):
    """Looking or trying to charge; once it can be written again, it can be charged again."""
    own_ledger.chmod(0o400)
    with pytest.raises(dpw.LedgerError, match=r"ledger\.db' is read-only for you"):
        dpw.Budget.open(own_ledger, "study")
    with Ledger.open(own_ledger, writable=False) as ledger:
        assert ledger.account("study").releases == 1
    own_ledger.chmod(0o600)
    with dpw.Budget.open(own_ledger, "study") as again:
        assert ask(again).receipt.charged


def test_what_is_in_the_way_of_a_charge_is_named(own_ledger, ask):
    """It may be a file that another program of SQLite left beside the ledger."""
    own_ledger.chmod(0o400)
    with closing(sqlite3.connect(f"file:{own_ledger}?mode=ro", uri=True)) as other:
        other.execute("SELECT count(*) FROM entries").fetchone()
    own_ledger.chmod(0o600)
    with pytest.raises(dpw.LedgerError, match=r"ledger\.db-shm' is read-only for you"):
        ask(dpw.Budget.open(own_ledger, "study"))


def test_a_locked_ledger_is_waited_for(path, budget, ask):
    """Another program writes for a while; the release comes through when it has finished."""
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.5, lambda: other.execute("COMMIT"))
    timer.start()
    assert ask(budget).receipt.charged
    assert not timer.is_alive()
    timer.join()
    other.close()


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
@pytest.mark.usefixtures("budget")
def test_a_ledger_that_stays_locked_is_a_clear_error(path, ask, draws, lock):
    """After the timeout: who, what, and what to do; nothing was drawn or charged."""
    with dpw.Budget.open(path, "study", timeout=0.2) as impatient:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute(lock)
            draws.clear()
            with pytest.raises(dpw.LedgerBusy, match="Another program holds the ledger"):
                ask(impatient)
        assert not draws
        assert ask(impatient).receipt.charged


def damage(path, place, content):
    """Overwrite bytes of a file."""
    with path.open("r+b") as file:
        file.seek(place)
        file.write(content)


@pytest.mark.parametrize("how", ["header", "middle", "cut short", "text"])
def test_a_corrupted_ledger_is_refused_with_the_way_back(path, budget, ask, draws, how):
    """It is not opened, or not written to; the message says how to recover."""
    budget.close()
    size = path.stat().st_size
    if how == "header":
        damage(path, 0, b"\xff" * 40)
    elif how == "middle":
        damage(path, 4096, b"\xff" * (size - 4096))
    elif how == "cut short":
        os.truncate(path, size // 2 + 100)
    else:
        path.write_text("budget,epsilon\nstudy,100\n" * 100)
    draws.clear()
    with pytest.raises(dpw.LedgerDamaged, match=r"put back the last good copy.*docs/budgets\.md"):
        ask(dpw.Budget.open(path, "study"))
    assert not draws


def entries_of(ledger):
    """Every entry, as it was written."""
    with ledger.snapshot() as seen:
        return list(seen.journal.entries())


def test_every_flipped_byte_is_noticed_or_harmless(path, budget, ask):
    """Of 150 random bytes of the file, none can be changed so that the ledger tells another story.

    Each is either refused, found by `verify`, or changes nothing that is read (unused space).
    """
    for _ in range(10):
        ask(budget)
    story = entries_of(budget._ledger)
    budget.close()
    good, choice = path.read_bytes(), random.Random(11)
    noticed = 0
    for _ in range(FLIPS):
        place = choice.randrange(len(good))
        path.write_bytes(good)
        damage(path, place, bytes([good[place] ^ 1 << choice.randrange(8)]))
        try:
            with Ledger.open(path, writable=False) as ledger:
                sound, read = ledger.verify().is_sound, entries_of(ledger)
        except dpw.LedgerError:
            sound, read = False, story
        assert not sound or read == story
        noticed += not sound
    assert noticed > FLIPS / 4


@pytest.mark.parametrize("change", ["moved", "replaced"])
def test_a_ledger_that_was_replaced_while_open_is_not_charged(path, budget, ask, draws, change):
    """What is charged would be missing from the file that everybody else sees."""
    path.rename(f"{path}-gone")
    if change == "replaced":
        dpw.Budget.create(path, "study", epsilon=1).close()
    draws.clear()
    for use in (ask, dpw.Budget.head.fget):
        with pytest.raises(dpw.LedgerError, match=r"replaced while it was open.*open the budget"):
            use(budget)
    assert not draws
    if change == "replaced":
        with dpw.Budget.open(path, "study") as again:
            assert ask(again).receipt.charged


def test_a_ledger_that_is_replaced_during_the_draw_withholds_the_result(
    path, budget, ask, monkeypatch
):
    """It cannot be recorded where anybody would find it."""
    draw = door.release_integer

    def draw_then_move(*args, **options):
        drawn = draw(*args, **options)
        path.rename(f"{path}-gone")
        return drawn

    monkeypatch.setattr(door, "release_integer", draw_then_move)
    with pytest.raises(dpw.LedgerError, match=r"withheld; its charge stands.*replaced"):
        ask(budget)


def test_a_clock_that_goes_backwards_changes_nothing_but_the_times(budget, ask, monkeypatch):
    """Order, balances and chain follow the sequence; the times are written as the clock said."""
    times = iter(["2031-01-01T00:00:00.000Z", "1999-12-31T23:59:59.999Z"] * 10)
    monkeypatch.setattr(chain, "_now", lambda: next(times))
    receipts = [ask(budget).receipt for _ in range(3)]
    assert [receipt.entry for receipt in receipts] == [4, 6, 8]
    assert [line.entry.sequence for line in budget.history()] == [1, 2, 4, 6, 8]
    assert budget.history()[-1].entry.recorded_at.startswith("2031")
    assert budget.history()[-1].answer.recorded_at.startswith("1999")
    assert budget.verify().is_sound
