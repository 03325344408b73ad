"""Where a ledger is kept when nobody says where."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dpwilcoxon.errors import InvalidArgument

LEDGER_VARIABLE = "DPWILCOXON_LEDGER"
FILE_NAME = "ledger.db"


def ledger_path(path: str | os.PathLike[str] | None = None) -> Path:
    """Return the place that was named, or the one in the environment, or the platform's.

    Examples
    --------
    >>> ledger_path("study/ledger.db").name
    'ledger.db'
    """
    named = os.environ.get(LEDGER_VARIABLE) if path is None else os.fspath(path)
    if named is None:
        return _user_data() / "dpwilcoxon" / FILE_NAME
    if not named.strip():
        where = LEDGER_VARIABLE if path is None else "`ledger`"
        raise InvalidArgument(f"{where} must be the path of a ledger; it is empty.")
    return Path(named).expanduser()


def _user_data() -> Path:
    """Where programs keep a person's data on this platform."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    # The XDG base directory specification asks to ignore relative paths.
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"
