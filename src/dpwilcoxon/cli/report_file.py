"""A place for a report or picture, secured before any noise is drawn or time is spent."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dpwilcoxon.errors import OutputError
from dpwilcoxon.sources.inputs import STANDARD_INPUT

PAGE_SUFFIXES = (".html", ".htm")

_RUN = {"report": "test", "picture": "study"}


@dataclass(frozen=True)
class ReportFile:
    """A file that can certainly be written, and appears complete or not at all."""

    path: Path
    draft: Path
    what: str = "report"

    def write(self, page: str | bytes) -> None:
        """Write the page beside its place and move it there in one step."""
        try:
            self.draft.write_bytes(page.encode() if isinstance(page, str) else page)
            self.draft.replace(self.path)
        except OSError as error:
            reason = error.strerror or "writing failed"
            raise OutputError(
                f"The {self.what} {str(self.path)!r} could not be written: {reason}. The "
                f"{_RUN[self.what]} was run, and its result is on standard output."
            ) from None


@contextmanager
def reserved(
    path: str | None, *, data: str = STANDARD_INPUT, what: str = "report"
) -> Iterator[ReportFile | None]:
    """Make sure that a report can be written to `path`; clean up if it never is."""
    if path is None:
        yield None
        return
    place = Path(path).resolve()  # a link stays a link, and its target is written
    _check_place(place, data, what)
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}.draft")
    try:
        draft.touch(exist_ok=False)
    except OSError as error:
        raise OutputError(_cannot(place, error.strerror or "it is not writable", what)) from None
    try:
        yield ReportFile(place, draft, what)
    finally:
        draft.unlink(missing_ok=True)


def _check_place(place: Path, data: str, what: str) -> None:
    try:
        _check_reachable(place, data, what)
        _check_name(place, what)
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(_cannot(place, error.strerror or "it is out of reach", what)) from None


def _check_reachable(place: Path, data: str, what: str) -> None:
    if not place.parent.is_dir():
        raise OutputError(_cannot(place, "its folder does not exist", what))
    if place.is_dir():
        raise OutputError(_cannot(place, "it is a folder; name a file in it", what))
    if not place.exists():
        return
    if not place.is_file() or not os.access(place, os.W_OK):
        raise OutputError(_cannot(place, "it is not a file that may be overwritten", what))
    if data != STANDARD_INPUT and Path(data).exists() and place.samefile(data):
        raise OutputError(_cannot(place, "it is the data itself; choose another name", what))


def _check_name(place: Path, what: str) -> None:
    """A page under another name would not be opened as one."""
    if what == "report" and place.suffix.lower() not in PAGE_SUFFIXES:
        raise OutputError(_cannot(place, "its name must end in .html", what))


def _cannot(place: Path, reason: str, what: str) -> str:
    return f"The {what} {str(place)!r} cannot be written: {reason}. Nothing was drawn."
