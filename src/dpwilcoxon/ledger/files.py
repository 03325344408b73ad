"""Finding, making and opening the file of a ledger."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from pathlib import Path
from urllib.parse import quote

from dpwilcoxon.errors import LedgerDamaged, LedgerError, UnknownBudget

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
SETTLING, POLL = 1.0, 0.01  # seconds until a file that another program is making has content

RECOVERY = (
    "Nothing was released. Keep this file, and put back the last good copy; what was released "
    "after that copy was made is missing from it and counts all the same. docs/budgets.md tells "
    "how to account for it."
)


def existing_ledger(path: Path) -> Path:
    """Return where the ledger called `path` really is, or say why it cannot be used.

    A link is followed, so that a ledger has one place however it is called.
    """
    place = path.resolve()
    try:
        facts = place.stat()
    except FileNotFoundError:
        raise UnknownBudget(
            f"There is no ledger {str(path)!r}. If it is kept elsewhere, name it with --ledger or "
            "DPWILCOXON_LEDGER; a new one ('dpwilcoxon budget create') knows nothing of what was "
            "spent before."
        ) from None
    except OSError as error:
        raise LedgerError(
            f"The ledger {str(path)!r} cannot be reached: {error.strerror}."
        ) from None
    if not stat.S_ISREG(facts.st_mode):
        raise LedgerError(f"The ledger {str(path)!r} is not a file; name one.")
    if facts.st_nlink > 1:
        raise LedgerError(
            f"The ledger {str(path)!r} has {facts.st_nlink} names (hard links), and SQLite cannot "
            "keep two names of one file apart from two files; leave one name, or use symbolic "
            "links."
        )
    _check_not_emptied(place)
    return place


def _check_not_emptied(place: Path) -> None:
    """A ledger without a byte has lost all it knew; one that is just being made soon has some."""
    deadline = time.monotonic() + SETTLING
    while place.stat().st_size == 0:
        if time.monotonic() >= deadline:
            raise LedgerDamaged(
                f"The ledger {str(place)!r} is an empty file: whatever was in it is lost. "
                f"{RECOVERY} If nothing was ever in it, delete it."
            )
        time.sleep(POLL)


def new_ledger(path: Path) -> Path:
    """Return the place of a ledger that may be new; a new one is for its owner's eyes only."""
    place = path.resolve()
    try:
        place.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        os.close(os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE))
    except FileExistsError:
        return existing_ledger(path)
    except OSError as error:
        raise LedgerError(f"A ledger cannot be made at {str(path)!r}: {error.strerror}.") from None
    return place


def connect(place: Path, *, writable: bool, wait: float) -> sqlite3.Connection:
    """Open the file, which exists.

    Whatever SQLite makes beside a ledger is read-only if that is, and would be in the way of every
    charge when it no longer is; so nothing is made beside one that is read-only.
    """
    blocked = _read_only(place)
    if writable:
        if str(place) in blocked:
            raise not_writable(place)
        return _connect(f"file:{quote(os.fsencode(place))}?mode=rw", wait)
    if blocked and not Path(f"{place}-wal").exists():
        return _connect(f"file:{quote(os.fsencode(place))}?immutable=1", wait)
    return _connect(f"file:{quote(os.fsencode(place))}?mode=ro", wait)


def not_writable(place: Path) -> LedgerError:
    """Say what has to be made writable."""
    blocked = " and ".join(map(repr, _read_only(place))) or "it"
    return LedgerError(
        f"The ledger {str(place)!r} cannot be written: {blocked} is read-only for you. Nothing was "
        "released."
    )


def _read_only(place: Path) -> list[str]:
    """What we cannot write of a ledger: its file, its folder, or what SQLite keeps beside it."""
    effective = os.access in os.supports_effective_ids
    parts = (place, place.parent, Path(f"{place}-wal"), Path(f"{place}-shm"))
    return [
        str(each)
        for each in parts
        if each.exists() and not os.access(each, os.W_OK, effective_ids=effective)
    ]


def _connect(address: str, wait: float) -> sqlite3.Connection:
    return sqlite3.connect(
        address, uri=True, timeout=wait, isolation_level=None, check_same_thread=False
    )
