"""The command line: one file per command, each of which parses, makes one call and prints.

Commands import numpy, DuckDB and the rest of the library when they run, so that help is instant.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; nothing is raised.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed after the program's name; by default, that of this process.

    Returns
    -------
    int
        0 done, 1 expected failure, 2 wrong usage, 3 a bug of ours, 130 interrupted.
    """
    try:
        from dpwilcoxon.cli.application import application
        from dpwilcoxon.cli.exits import exit_code_of

        return exit_code_of(lambda: application(arguments))
    except KeyboardInterrupt:  # while the command line itself was being loaded, or while leaving
        return 130
