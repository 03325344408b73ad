"""Who is at work on a reservation: told by a lock that the system lets go when a process ends.

A process number cannot tell: numbers are used again, and mean nothing in another container.
Instead, whoever reserves holds a lock on a small file of its own, beside the ledger, from before
the reservation is committed until its result is. The system drops the lock with the process,
however that ends. So a reservation without a result whose lock is free was interrupted. SQLite
guards its own files with such locks, so this asks for no more than the ledger itself does: one
machine (containers included), and a local disk.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from dpwilcoxon.errors import LedgerError

try:
    import fcntl
except ImportError:  # pragma: no cover - Linux and macOS have it
    fcntl = None  # type: ignore[assignment]  # said when a ledger is opened

TOKEN = re.compile(r"[0-9a-f]{32}")
READ_AND_WRITE = 0o666


class Owner(Protocol):
    """Somebody at work, under a name that is never used again."""

    @property
    def token(self) -> str:
        """The name."""
        ...

    def leave(self) -> None:
        """Stop being at work."""
        ...


class Owners(Protocol):
    """Tells who is still at work."""

    def arrive(self) -> Owner:
        """Be at work under a new name."""
        ...

    def is_at_work(self, token: str) -> bool:
        """Whether whoever has this name is still at work."""
        ...


class OwnersInMemory:
    """Owners of a ledger that ends with its process."""

    def __init__(self) -> None:
        self._present: set[str] = set()

    def arrive(self) -> Owner:
        """Be at work under a new name."""
        token = secrets.token_hex(16)
        self._present.add(token)
        return _Present(token, self._present)

    def is_at_work(self, token: str) -> bool:
        """Whether whoever has this name is still at work."""
        return token in self._present


class _Present:
    def __init__(self, token: str, present: set[str]) -> None:
        self.token = token
        self._present = present

    def leave(self) -> None:
        """Stop being at work."""
        self._present.discard(self.token)


class OwnersInFiles:
    """Owners of a ledger on disk: each holds the lock of a file in the folder beside it."""

    def __init__(self, ledger: Path) -> None:
        if fcntl is None:  # pragma: no cover - Linux and macOS have it
            raise LedgerError("Ledgers on disk need the file locks of Linux or macOS.")
        self._ledger = ledger
        self._folder = Path(f"{ledger}-running")

    def arrive(self) -> Owner:
        """Be at work under a new name."""
        try:
            self._make_folder()
            while True:
                token = secrets.token_hex(16)
                descriptor = _lock_new_file(self._folder / token, self._ledger.stat())
                # Whoever sweeps the folder may have met the file before it was locked.
                if os.fstat(descriptor).st_nlink:
                    return _LockHolder(token, self._folder / token, descriptor)
                os.close(descriptor)
        except OSError as error:
            raise LedgerError(
                f"No lock could be taken in {str(self._folder)!r}: {error.strerror}. It must be "
                "writable like the ledger itself. Nothing was released."
            ) from None

    def is_at_work(self, token: str) -> bool:
        """Whether whoever has this name is still at work."""
        if not TOKEN.fullmatch(token):
            return False
        try:
            with _looking_at(self._folder / token) as is_locked:
                return is_locked
        except FileNotFoundError:
            return False
        except PermissionError:
            return True  # it cannot be told; to wait is the safe side
        except OSError as error:
            raise LedgerError(
                f"Who is at work cannot be seen in {str(self._folder)!r}: {error.strerror}. Keep "
                "the ledger on a local disk. Nothing was released."
            ) from None

    def sweep(self) -> None:
        """Remove what processes that were killed left behind."""
        found: list[Path] = []
        with suppress(OSError):  # nothing depends on it
            found = list(self._folder.iterdir())
        for path in found:
            # Removed while looking, so that its owner, if it is only arriving, will notice.
            with suppress(OSError), _looking_at(path) as is_locked:
                if not is_locked and TOKEN.fullmatch(path.name):
                    path.unlink()

    def _make_folder(self) -> None:
        if not self._folder.is_dir():
            self._folder.mkdir(exist_ok=True)
            facts = self._ledger.stat()
            mode = facts.st_mode & READ_AND_WRITE
            _share(self._folder, facts, mode | (mode & 0o444) >> 2)  # who may read may enter


class _LockHolder:
    def __init__(self, token: str, path: Path, descriptor: int) -> None:
        self.token = token
        self._path = path
        self._descriptor: int | None = descriptor
        _held.add(descriptor)

    def leave(self) -> None:
        """Stop being at work."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor in _held:  # no longer so in a child of the process
            _held.discard(descriptor)
            self._path.unlink(missing_ok=True)
            os.close(descriptor)

    def __del__(self) -> None:
        self.leave()  # for whoever was interrupted between arriving and anything else


_held: set[int] = set()


def _let_go_in_child() -> None:
    """A child shares its parent's locks, and would keep them when the parent is gone."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_in_child)


def _share(target: Path | int, ledger: os.stat_result, mode: int) -> None:
    """Whoever may write the ledger has to see who is at work on it, whatever the mask says."""
    with suppress(PermissionError):  # a group that we are not in
        os.chown(target, -1, ledger.st_gid)
    os.chmod(target, mode)  # noqa: PTH101 - of a descriptor, too


def _lock_new_file(path: Path, ledger: os.stat_result) -> int:
    mode = ledger.st_mode & READ_AND_WRITE
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        _share(descriptor, ledger, mode)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except BaseException:
        path.unlink(missing_ok=True)
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def _looking_at(path: Path) -> Iterator[bool]:
    """Say whether another holds the lock; looking is shared, so that lookers do not meet."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            locked = False
        except BlockingIOError:
            locked = True
        yield locked
    finally:
        os.close(descriptor)
