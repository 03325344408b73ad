"""Where a ledger is kept when nobody says where."""

from __future__ import annotations

import os
import sys
from pathlib import Path

LEDGER_VARIABLE = "DPWILCOXON_LEDGER"
FILE_NAME = "ledger.db"


def ledger_path(path: str | os.PathLike[str] | None = None) -> Path:
    """Return the place that was named, or the one in the environment, or the platform's.

    Examples
    --------
    >>> ledger_path("study/ledger.db").name
    'ledger.db'
    """
    named = path or os.environ.get(LEDGER_VARIABLE)
    return Path(named).expanduser() if named else _user_data() / "dpwilcoxon" / FILE_NAME


def _user_data() -> Path:
    """Where programs keep a person's data on this platform."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    # The XDG base directory specification asks to ignore relative paths.
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"
