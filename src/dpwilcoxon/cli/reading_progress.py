"""What is said on standard error while data is read and ranked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dpwilcoxon.cli import output

if TYPE_CHECKING:
    from rich.progress import Progress

    from dpwilcoxon.sources.memory import Resources

READING = "Reading the data"


@dataclass(frozen=True)
class Watch:
    """What reading may use, and the bar that shows how far it is."""

    resources: Resources
    bar: Progress | None = None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Show that data is read, even where nobody knows how long that takes."""
        if self.bar is not None:
            self.bar.start()
        try:
            yield
        finally:
            if self.bar is not None:
                self.bar.stop()


@contextmanager
def watched(memory_limit: str | None, *, verbose: bool, quiet: bool) -> Iterator[Watch]:
    """Give what reading may use, with a bar if somebody sits there, and words if they are wanted.

    Ranking may show the bar again after it was read: it is taken away in the end.
    """
    from dpwilcoxon.sources.memory import Resources

    resources = Resources.parse(memory_limit)
    if verbose:
        resources = replace(resources, tell=lambda way: output.note(way, quiet=quiet))
    if quiet or not sys.stderr.isatty():
        yield Watch(resources)
        return
    bar = _bar()

    def show(label: str, done: int, total: int) -> None:
        bar.start()
        bar.update(bar.task_ids[0], description=label, completed=done, total=total)
        if done >= total:
            bar.stop()

    try:
        yield Watch(replace(resources, progress=show), bar)
    finally:
        bar.stop()


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task(READING, total=None)
    return bar
