"""Where ledgers are, who may read them, and what is no ledger."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.ledger import files, places
from dpwilcoxon.ledger.database import Database
from dpwilcoxon.ledger.ledger import Ledger
from dpwilcoxon.ledger.places import ledger_path


def test_a_new_ledger_is_for_its_owner_only(tmp_path, ask):
    """Also with a generous mask for new files, and also what SQLite and the locks put beside it."""
    before = os.umask(0)
    try:
        path = tmp_path / "new" / "folder" / "ledger.db"
        with dpw.Budget.create(path, "a", epsilon=1) as budget:
            ask(budget)
            modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert modes == {
        "ledger.db": 0o600,
        "ledger.db-wal": 0o600,
        "ledger.db-shm": 0o600,
        "ledger.db-running": 0o700,
    }


def test_a_symbolic_link_is_the_ledger_it_points_to(path, tmp_path, ask, declared):
    """By whichever name it is opened, there is one ledger, one log and one set of locks."""
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with dpw.Budget.create(link, "a", epsilon=1) as budget:
        ask(budget, **declared)
        with dpw.Budget.open(path, "a") as same:
            assert ask(same, **declared).receipt.is_repeated
    assert link.is_symlink()
    assert not Path(f"{link}-running").exists()


def test_hard_links_are_refused(path, tmp_path):
    """SQLite would keep two logs for one file, and lose one of them."""
    dpw.Budget.create(path, "a", epsilon=1).close()
    (tmp_path / "second.db").hardlink_to(path)
    with pytest.raises(dpw.LedgerError, match="2 names"):
        dpw.Budget.open(path, "a")


@pytest.mark.parametrize("place", ["none.db", "no/folder/ledger.db"])
def test_there_is_no_ledger_until_it_is_created(tmp_path, place):
    """Opening makes nothing, and says what does."""
    with pytest.raises(dpw.UnknownBudget, match="budget create"):
        dpw.Budget.open(tmp_path / place, "a")
    assert not list(tmp_path.iterdir())


def test_no_ledger_is_made_for_a_budget_that_cannot_be(path):
    """Names and amounts are checked first."""
    for options in ({"epsilon": 0}, {"epsilon": 1, "description": "two\nlines"}):
        with pytest.raises(dpw.InvalidArgument):
            dpw.Budget.create(path, "a", **options)
    assert not path.exists()


def test_a_ledger_may_have_any_name(tmp_path):
    """Characters with a meaning in addresses, and bytes that are no text."""
    for name in (b"50% of #1?.db", b"\xff\xfe.db"):
        path = os.path.join(os.fsencode(tmp_path), name)  # noqa: PTH118 - bytes
        with dpw.Budget.create(os.fsdecode(path), "a", epsilon=1) as budget:
            assert budget.remaining == 1
        assert os.path.exists(path)  # noqa: PTH110 - bytes


def test_what_is_no_file_is_no_ledger(tmp_path):
    """Folders, devices, and files where a folder should be."""
    with pytest.raises(dpw.LedgerError, match="not a file"):
        dpw.Budget.open(tmp_path, "a")
    with pytest.raises(dpw.LedgerError, match="not a file"):
        dpw.Budget.create(os.devnull, "a", epsilon=1)
    (tmp_path / "file").touch()
    with pytest.raises(dpw.LedgerError, match="cannot be made"):
        dpw.Budget.create(tmp_path / "file" / "folder" / "ledger.db", "a", epsilon=1)
    with pytest.raises(dpw.LedgerError, match="cannot be reached"):
        dpw.Budget.open(tmp_path / "file" / "ledger.db", "a")


@pytest.mark.parametrize("version", [0, 1, 7])
def test_a_database_of_another_program_is_left_alone(path, version):
    """Whatever its version number, nothing is added to it, not even a mode."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE patients (name TEXT)")
        other.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    for attempt in (
        lambda: dpw.Budget.open(path, "a"),
        lambda: dpw.Budget.create(path, "a", epsilon=1),
    ):
        with pytest.raises(dpw.LedgerError, match="another program"):
            attempt()
    assert path.read_bytes() == before


def test_a_ledger_that_was_emptied_is_not_a_new_one(path, monkeypatch):
    """Its budgets would start again from nothing; whoever made the file may still be at work."""
    monkeypatch.setattr(files, "SETTLING", 0.05)
    path.touch()
    Path(f"{path}-wal").write_bytes(b"what a crash leaves")
    for use in (lambda: dpw.Budget.create(path, "a", epsilon=1), lambda: Ledger.open(path)):
        with pytest.raises(dpw.LedgerDamaged, match="empty file"):
            use()
    Path(f"{path}-wal").unlink()
    monkeypatch.setattr(files, "SETTLING", 60.0)
    maker = threading.Timer(0.05, lambda: Database(path).close())
    maker.start()
    with dpw.Budget.create(path, "a", epsilon=1) as budget:
        assert budget.remaining == 1
    maker.join()


def test_a_place_where_programs_cannot_share_memory_is_refused(path, monkeypatch):
    """SQLite says so by keeping its old journal, as on some network drives."""

    class Stubborn(sqlite3.Connection):
        def execute(self, statement, *values):
            asked = statement == "PRAGMA journal_mode = WAL"
            return super().execute("SELECT 'delete'" if asked else statement, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(
        files.sqlite3, "connect", lambda *args, **kw: connect(*args, factory=Stubborn, **kw)
    )
    with pytest.raises(dpw.LedgerError, match="local disk"):
        dpw.Budget.create(path, "a", epsilon=1)


def test_places_by_convention(monkeypatch, tmp_path):
    """What was named; the environment variable; the platform's place for a person's data."""
    for name in (places.LEDGER_VARIABLE, "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(places.sys, "platform", "linux")
    assert ledger_path() == tmp_path / ".local/share/dpwilcoxon/ledger.db"
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    assert ledger_path() == tmp_path / ".local/share/dpwilcoxon/ledger.db"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert ledger_path() == tmp_path / "data/dpwilcoxon/ledger.db"
    monkeypatch.setattr(places.sys, "platform", "darwin")
    assert ledger_path() == tmp_path / "Library/Application Support/dpwilcoxon/ledger.db"
    monkeypatch.setenv(places.LEDGER_VARIABLE, "~/mine.db")
    assert ledger_path() == tmp_path / "mine.db"
    assert ledger_path("other.db") == Path("other.db")


@pytest.mark.parametrize("empty", ["", "  "])
def test_a_ledger_without_a_name_is_refused(monkeypatch, empty):
    """A variable of a shell that is not set must not lead to another ledger."""
    with pytest.raises(dpw.InvalidArgument, match="`ledger` must be the path"):
        ledger_path(empty)
    monkeypatch.setenv("DPWILCOXON_LEDGER", empty)
    with pytest.raises(dpw.InvalidArgument, match="DPWILCOXON_LEDGER must be the path"):
        ledger_path()
