"""``dpwilcoxon`` on a machine with too little memory, that is interrupted at a certain moment.

Called with the signal, the moment and the words of the command. The signal is sent when the
moment has come, however long that takes, so that no test depends on the clock.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpwilcoxon.cli import main
from dpwilcoxon.sources import reading
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine
from dpwilcoxon.sources.memory import Resources
from dpwilcoxon.sources.ordering import OrderedInDuckDB
from dpwilcoxon.sources.streaming import Stream

ENDLESS = "SELECT random() AS d FROM range(100000000000) ORDER BY d"


def interrupt() -> None:
    """Do what Ctrl-C does, or `kill`."""
    os.kill(os.getpid(), signal.Signals[sys.argv[1]])
    time.sleep(0.1)  # a thread must not run far ahead of the one that is told


def before(owner: Any, name: str) -> None:
    """Interrupt when this is called."""
    original: Callable[..., Any] = getattr(owner, name)

    def interrupted(*words: Any, **options: Any) -> Any:
        interrupt()
        return original(*words, **options)

    setattr(owner, name, interrupted)


def when_files_are_spilled() -> None:
    """Interrupt as soon as DuckDB has written temporary files."""
    while not any(each.stat().st_size for each in Path(tempfile.gettempdir()).rglob("*.tmp")):
        time.sleep(0.02)
    interrupt()


def arrange(moment: str) -> None:
    """See to it that the moment comes."""
    if moment == "reading":
        before(Stream, "columns")
        return
    Resources.hold = lambda *_: False  # type: ignore[method-assign]  # nothing fits
    if moment == "opening":
        before(reading, "open_unit_pairs")
    elif moment == "scoring":
        before(OrderedInDuckDB, "_chunks")
    elif moment == "sorting":
        original = DuckDBEngine.kept
        DuckDBEngine.kept = lambda engine, name, *_: original(engine, name, ENDLESS)  # type: ignore[method-assign]
        Resources.for_duckdb = lambda *_: 100_000_000  # type: ignore[method-assign]
        threading.Thread(target=when_files_are_spilled, daemon=True).start()


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup lets it be ignored
    arrange(sys.argv[2])
    sys.exit(main(sys.argv[3:]))
