"""Answers go to standard output; notes and progress to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from dpwilcoxon.errors import OutputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_json(fields: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    print_text(json.dumps(fields, indent=2, allow_nan=False))


def print_text(text: str) -> None:
    """Print an answer, and make sure that it got where it was sent."""
    try:
        typer.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever was reading has stopped, and knows it
        raise
    except OSError as error:
        reason = error.strerror or "writing failed"
        raise OutputError(f"Standard output could not be written: {reason}.") from None


def note(message: str, *, quiet: bool) -> None:
    """Tell the person at the keyboard something that is not the answer."""
    if not quiet:
        typer.echo(f"dpwilcoxon: {message}", err=True)


def console(widest: int = 120) -> Console:
    """A console for laid-out answers: no wider than the terminal, and plain where there is none."""
    from rich.console import Console

    terminal = Console(highlight=False, emoji=False, markup=False)
    terminal.width = min(terminal.width, widest)
    return terminal


def table_by_name(heading: str, names: Iterable[str]) -> Table:
    """A table whose first column is never cut, however narrow the window: names are to be typed."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(heading, no_wrap=True, min_width=max(map(len, names), default=0))
    return table


@contextmanager
def simulation_progress(*, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on standard error while a simulation runs, if somebody sits there."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("Simulating chance", total=None)

    def update(done: int, total: int) -> None:
        bar.start()  # only now: a test may turn out to need no simulation
        bar.update(task, completed=done, total=total)
        if done >= total:
            bar.stop()

    try:
        yield update
    finally:
        bar.stop()


@contextmanager
def working(on: str, *, quiet: bool) -> Iterator[None]:
    """Show that something takes its time, if somebody sits there."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(on):
        yield


@contextmanager
def estimating(*, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on standard error that begins anew with every estimate of a search."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    number, before = 1, 0
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Simulating", total=None)

        def update(done: int, total: int) -> None:
            nonlocal number, before
            number, before = number + (done <= before), done
            bar.update(
                task, description=f"Simulating, estimate {number}", completed=done, total=total
            )

        yield update
