"""What every test runs under: repeatable examples, no display, no terminal."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# Continuous integration sets some of these, and the text that rich and typer print depends on
# them. Set here rather than in a fixture, so that they reach subprocesses and import time too.
for _name in ("FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS", "TTY_COMPATIBLE"):
    os.environ.pop(_name, None)
os.environ.update(COLUMNS="100", MPLBACKEND="agg", NO_COLOR="1", TERM="dumb")

# Who runs the tests in the background may let Ctrl-C be ignored, which children inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A failure must come back when the run is repeated, and compiling a kernel is not a slow example.
# To search further: pytest --hypothesis-profile=explore
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile("repeatable")
