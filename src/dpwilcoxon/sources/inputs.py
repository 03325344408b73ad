"""Where the bytes of a table come from: a file on disk, or standard input kept in memory.

DuckDB opens paths. A plain file is a path already. Everything else is fed to it through a pipe,
so sensitive data given on standard input is never written to a temporary file, and the checksum
of gzip is verified, which DuckDB does not do.
"""

from __future__ import annotations

import gzip
import io
import os
import select
import stat
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from dpwilcoxon.errors import DataError, SourceError
from dpwilcoxon.sources.zstd_frames import ZSTD_MAGIC, is_complete

STANDARD_INPUT = "-"
GZIP_MAGIC = b"\x1f\x8b"
HEAD_BYTES = 4096
CHUNK_BYTES = 1 << 18
POLL_SECONDS = 0.05
DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error)
UNREADABLE = (OSError, *DAMAGE)


class Source(Protocol):
    """What DuckDB can read as often as needed."""

    @property
    def label(self) -> str:
        """How messages call it."""

    def path_for_duckdb(self) -> AbstractContextManager[str | list[str]]:
        """Give a path, or several, that DuckDB can read once, from beginning to end."""


class Input(Source, Protocol):
    """Bytes that Python can read, too."""

    @property
    def head(self) -> bytes:
        """The first bytes; of a zstd file, as they are stored."""

    @property
    def is_zstd(self) -> bool:
        """Whether only DuckDB can decompress it."""

    def open_binary(self) -> BinaryIO:
        """Open the content without its compression; not possible for zstd."""


@dataclass(frozen=True)
class FileInput:
    """A regular file, plain or compressed with zstd."""

    label: str
    path: Path
    head: bytes = field(repr=False)

    @property
    def is_zstd(self) -> bool:
        """The first bytes tell; the name of the file does not matter."""
        return self.head.startswith(ZSTD_MAGIC)

    def open_binary(self) -> BinaryIO:
        """Open the file."""
        return self.path.open("rb")

    @contextmanager
    def path_for_duckdb(self) -> Iterator[str]:
        """Give the absolute path, with the characters that DuckDB expands made literal.

        An absolute path also keeps a file called ``s3:`` from being taken for an address.
        """
        yield literal_path(self.path)


@dataclass(frozen=True)
class GzipInput:
    """A regular file compressed with gzip."""

    label: str
    path: Path
    head: bytes = field(repr=False)
    is_zstd: bool = False

    def open_binary(self) -> BinaryIO:
        """Open the content."""
        return cast("BinaryIO", gzip.open(self.path, "rb"))

    def path_for_duckdb(self) -> AbstractContextManager[str]:
        """Give the path of a pipe that the decompressed content comes out of."""
        return content_pipe(self.open_binary, self.label)


@dataclass(frozen=True)
class MemoryInput:
    """Bytes in memory, without compression."""

    label: str
    content: bytes = field(repr=False)
    is_zstd: bool = False

    @property
    def head(self) -> bytes:
        """The first bytes."""
        return self.content[:HEAD_BYTES]

    def open_binary(self) -> BinaryIO:
        """Open the bytes as a stream."""
        return io.BytesIO(self.content)

    def path_for_duckdb(self) -> AbstractContextManager[str]:
        """Give the path of a pipe that the bytes come out of."""
        return content_pipe(self.open_binary, self.label)


def literal_path(path: Path) -> str:
    """Write a path so that DuckDB takes no character in it for a pattern."""
    text = str(path.absolute())
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)


def open_input(path: str | os.PathLike[str]) -> Input:
    """Find the file or standard input called `path`, and read its first bytes."""
    if os.fspath(path) == STANDARD_INPUT:
        return _not_empty(_in_memory("standard input", _standard_input()))
    if not os.fspath(path):
        raise SourceError("The name of the file is empty; name a file, or - for standard input.")
    location, label = Path(path), repr(os.fspath(path))
    if "\0" in os.fspath(path):
        raise SourceError(f"There is no file {label}; no name holds a zero byte.")
    try:
        return _not_empty(_open_file(location, label))
    except FileNotFoundError:
        raise SourceError(f"There is no file {label}; check the name.") from None
    except UNREADABLE as error:
        raise unreadable(error, label) from None


def _standard_input() -> bytes:
    try:
        return sys.stdin.buffer.read()
    except (AttributeError, ValueError):  # there is none, or it has been closed
        raise SourceError("standard input is closed; name a file instead.") from None
    except OSError as error:
        raise SourceError(f"standard input cannot be read: {error.strerror}.") from None


def damaged(label: str) -> SourceError:
    """Build the error for data that is incomplete or altered."""
    return SourceError(f"{label} is damaged: it cannot be decompressed or read to its end.")


def unreadable(error: BaseException, label: str) -> SourceError:
    """Build the error for whatever went wrong while bytes were read, without its own words."""
    if isinstance(error, SourceError):
        return error
    if isinstance(error, DAMAGE):
        return damaged(label)
    if isinstance(error, OSError) and error.strerror:
        return SourceError(f"{label} cannot be read: {error.strerror}.")
    return SourceError(f"{label} cannot be read to its end ({type(error).__name__}).")


def _open_file(location: Path, label: str) -> Input:
    mode = location.stat().st_mode
    if stat.S_ISDIR(mode):
        raise SourceError(f"{label} is a directory; name one file in it.")
    if not stat.S_ISREG(mode):  # a pipe or a device can be read only once
        return _in_memory(label, location.read_bytes())
    with location.open("rb") as file:
        head = file.read(HEAD_BYTES)
        if head.startswith(ZSTD_MAGIC) and not is_complete(file):
            raise damaged(label)
    if head.startswith(GZIP_MAGIC):
        with gzip.open(location, "rb") as content:
            return GzipInput(label, location, content.read(HEAD_BYTES))
    return FileInput(label, location, head)


def _in_memory(label: str, content: bytes) -> MemoryInput:
    if content.startswith(ZSTD_MAGIC):
        raise SourceError(f"{label} is compressed with zstd; decompress it first (zstd -dc).")
    if content.startswith(GZIP_MAGIC):
        try:
            content = gzip.decompress(content)
        except DAMAGE:
            raise damaged(label) from None
    return MemoryInput(label, content)


def _not_empty(source: Input) -> Input:
    if not source.head:
        raise SourceError(f"{source.label} is empty; a table with a header line is needed.")
    return source


@contextmanager
def content_pipe(open_binary: Callable[[], BinaryIO], label: str) -> Iterator[str]:
    """Give the path of a pipe that a thread fills; afterwards, say what kept it from doing so.

    To DuckDB a thread that failed looks like the end of the rows. Whatever it failed at has to be
    an error, or a part of the pairs would be tested as if it were all.
    """
    if not Path("/dev/fd").exists():  # pragma: no cover - Linux and macOS have it
        raise SourceError(f"{label} cannot be read on this system; name an uncompressed file.")
    reader, writer = os.pipe()
    stop = threading.Event()
    failures: list[SourceError] = []

    def feed() -> None:
        try:
            with open_binary() as content:
                _copy(content, writer, stop)
        except BaseException as error:  # noqa: BLE001 - it is raised below, where it is waited for
            failures.append(unreadable(error, label))
        finally:
            os.close(writer)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    try:
        yield f"/dev/fd/{reader}"
    except DataError:
        if not failures:  # else it is about rows that end too early
            raise
    finally:
        stop.set()
        feeder.join()
        os.close(reader)
    for failure in failures:
        raise failure from None


def _copy(content: BinaryIO, writer: int, stop: threading.Event) -> None:
    """Copy everything into the pipe, and give up when nobody will read on.

    The descriptor must not block: DuckDB may stop in the middle, at an error of the file.
    """
    os.set_blocking(writer, False)
    while chunk := content.read(CHUNK_BYTES):
        rest = memoryview(chunk)
        while rest:
            if stop.is_set():
                return
            if select.select([], [writer], [], POLL_SECONDS)[1]:
                rest = rest[os.write(writer, rest) :]
