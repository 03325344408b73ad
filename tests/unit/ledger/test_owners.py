"""Who is at work is told by locks, which end with their process, and by nothing else."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.ledger import owners
from dpwilcoxon.ledger.owners import OwnersInFiles, OwnersInMemory

TEAM = 3000


@pytest.fixture
def ledger(path):
    """A file that stands for a ledger."""
    path.touch(mode=0o600)
    return path


@pytest.fixture
def team_ledger():
    """A file that a team may write, in a folder of the team."""
    folder = Path(tempfile.mkdtemp())  # the folders of pytest are for their owner only
    place = folder / "ledger.db"
    place.touch()
    for each, mode in ((folder, 0o2770), (place, 0o660)):
        os.chown(each, -1, TEAM)
        each.chmod(mode)
    yield place
    shutil.rmtree(folder)


@pytest.fixture
def as_user():
    """Be a member of the team, with a group of one's own besides."""
    groups = os.getgroups()

    @contextmanager
    def become(user):
        os.setgroups([TEAM])
        os.setegid(user)
        os.seteuid(user)
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(0)
            os.setgroups(groups)

    return become


def test_at_work_from_arriving_to_leaving(ledger):
    """Seen through other eyes, in the same process too; afterwards nothing is left behind."""
    here, there = OwnersInFiles(ledger), OwnersInFiles(ledger)
    owner = here.arrive()
    assert here.is_at_work(owner.token)
    assert there.is_at_work(owner.token)
    owner.leave()
    owner.leave()
    assert not there.is_at_work(owner.token)
    assert not list(here._folder.iterdir())


def test_forgetting_an_owner_is_leaving(ledger):
    """If an interruption comes before anybody holds the owner, it does not stay at work."""
    crowd = OwnersInFiles(ledger)
    token = crowd.arrive().token
    assert not crowd.is_at_work(token)


def test_names_are_never_paths(ledger):
    """A ledger that was edited cannot make us look elsewhere."""
    crowd = OwnersInFiles(ledger)
    crowd.arrive().leave()
    for token in ("", "../ledger.db", "0" * 31, "g" * 32):
        assert not crowd.is_at_work(token)


PARENT_AND_CHILD = """
import os, sys, time
from pathlib import Path
from dpwilcoxon.ledger.owners import OwnersInFiles
owner = OwnersInFiles(Path(sys.argv[1])).arrive()
if os.fork() == 0:
    print(owner.token, flush=True)
    sys.stdin.read()  # lives on until the test lets it go
    os._exit(0)
os.kill(os.getpid(), 9)
"""


def test_a_child_that_lives_on_does_not_hold_the_lock_of_a_killed_parent(ledger):
    """A forked child shares the file of its parent; it lets go of it at once."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", PARENT_AND_CHILD, str(ledger)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    token = process.stdout.readline().strip()
    assert process.wait(timeout=60) == -9
    crowd = OwnersInFiles(ledger)
    assert (crowd._folder / token).exists()
    assert not crowd.is_at_work(token)
    process.stdin.close()
    process.stdout.close()


def test_letting_go_in_a_child_is_complete(ledger):
    """What a child does right after a fork, done here: the owner is no longer at work."""
    crowd = OwnersInFiles(ledger)
    owner = crowd.arrive()
    owners._let_go_in_child()
    assert not crowd.is_at_work(owner.token)
    owner.leave()
    assert (crowd._folder / owner.token).exists()  # it belongs to the parent


def test_sweeping_removes_what_killed_processes_left_and_nothing_else(ledger):
    """Files of owners at work and files of others stay."""
    crowd = OwnersInFiles(ledger)
    owner = crowd.arrive()
    (crowd._folder / ("0" * 32)).touch()
    (crowd._folder / "notes.txt").touch()
    crowd.sweep()
    assert {each.name for each in crowd._folder.iterdir()} == {owner.token, "notes.txt"}
    assert crowd.is_at_work(owner.token)
    owner.leave()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two people")
def test_people_of_a_team_see_who_of_them_is_at_work(team_ledger, as_user):
    """Locks have the group of the ledger, whatever the group of who took them is."""
    crowd = OwnersInFiles(team_ledger)
    with as_user(2002):
        owner = crowd.arrive()
        owners._let_go_in_child()  # killed: its file stays
    with as_user(2001):
        assert not crowd.is_at_work(owner.token)
        other = crowd.arrive()
    with as_user(2002):
        assert crowd.is_at_work(other.token)
    other.leave()


def test_sweeping_goes_on_after_what_cannot_be_looked_at(ledger, monkeypatch):
    """Files of others are in nobody's way."""
    crowd, look = OwnersInFiles(ledger), os.open
    crowd.arrive().leave()
    for name in ("0" * 32, "1" * 32, "2" * 32):
        (crowd._folder / name).touch()

    def refuse_one(path, *words):
        if Path(path).name == "1" * 32:
            raise PermissionError
        return look(path, *words)

    monkeypatch.setattr(owners.os, "open", refuse_one)
    crowd.sweep()
    assert [each.name for each in crowd._folder.iterdir()] == ["1" * 32]


def test_an_owner_whose_file_was_swept_while_arriving_arrives_again(ledger, monkeypatch):
    """Between making its file and locking it, a sweep may come by."""
    crowd, lock, tokens = OwnersInFiles(ledger), fcntl.flock, []

    def sweep_first(descriptor, operation):
        if operation == fcntl.LOCK_EX and not tokens:
            tokens.extend(each.name for each in crowd._folder.iterdir())
            crowd.sweep()
        lock(descriptor, operation)

    monkeypatch.setattr(owners.fcntl, "flock", sweep_first)
    owner = crowd.arrive()
    assert tokens
    assert owner.token not in tokens
    assert crowd.is_at_work(owner.token)
    owner.leave()


@pytest.mark.parametrize(("mode", "folder"), [(0o600, 0o700), (0o660, 0o770), (0o664, 0o775)])
def test_whoever_shares_the_ledger_sees_who_is_at_work(ledger, mode, folder):
    """The locks have the permissions of the ledger, whatever the mask for new files says."""
    ledger.chmod(mode)
    before = os.umask(0o077)
    try:
        crowd = OwnersInFiles(ledger)
        owner = crowd.arrive()
    finally:
        os.umask(before)
    assert stat.S_IMODE(crowd._folder.stat().st_mode) == folder
    assert stat.S_IMODE((crowd._folder / owner.token).stat().st_mode) == mode
    owner.leave()


def test_who_cannot_look_waits(ledger, monkeypatch):
    """If the lock may not be looked at, the safe answer is that somebody is at work."""
    crowd = OwnersInFiles(ledger)
    owner = crowd.arrive()

    def refuse(*_args):
        raise PermissionError

    monkeypatch.setattr(owners.os, "open", refuse)
    assert crowd.is_at_work(owner.token)


def test_locks_that_cannot_be_had_are_a_clear_error_and_leave_nothing_behind(ledger, monkeypatch):
    """On some network disks, say: neither a file nor a descriptor stays, in arriving or looking."""
    crowd = OwnersInFiles(ledger)
    owner = crowd.arrive()
    refusal = OSError(errno.ENOLCK, "No locks available")
    monkeypatch.setattr(owners.fcntl, "flock", Mock(side_effect=refusal))
    opened = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(dpw.LedgerError, match=r"No lock could be taken.*No locks available"):
        crowd.arrive()
    with pytest.raises(dpw.LedgerError, match=r"Who is at work.*No locks available"):
        crowd.is_at_work(owner.token)
    crowd.sweep()
    assert [each.name for each in crowd._folder.iterdir()] == [owner.token]
    assert len(list(Path("/dev/fd").iterdir())) == opened
    owner.leave()


def test_a_folder_that_cannot_be_written_is_a_clear_error(ledger):
    """Nothing can be reserved without a lock."""
    (ledger.parent / "ledger.db-running").write_text("in the way")
    with pytest.raises(dpw.LedgerError, match="No lock could be taken"):
        OwnersInFiles(ledger).arrive()


def test_in_memory_the_same_holds():
    """Arriving, being at work, leaving."""
    crowd = OwnersInMemory()
    owner = crowd.arrive()
    assert crowd.is_at_work(owner.token)
    owner.leave()
    assert not crowd.is_at_work(owner.token)
