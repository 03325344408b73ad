"""How much memory reading and ranking may take, and what is known of that beforehand.

Every choice between ways of reading is made from what is here and from the number of rows, which
is public: never from a value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self, TypeAlias

from dpwilcoxon.errors import InvalidArgument

UNITS: Final[dict[str, int]] = {
    letter + ending: int(base**power)
    for power, letter in enumerate("KMGT", start=1)
    for ending, base in (("B", 1000), ("iB", 1024))
}
LEAST_LIMIT: Final = UNITS["GB"]
DEFAULT_SHARE: Final = 2  # of the memory of the machine, or of its container: a half
UNKNOWN_MEMORY: Final = 4 * UNITS["GB"]

FIXED_BYTES: Final = 600 * UNITS["MB"]  # libraries, and rows that are on their way
KEY_BYTES: Final = 16  # a row's key, and its place in the copy that is put in order
TEXT_BYTES: Final = 100  # a row of each text column while its cells are parsed
LEAST_FOR_DUCKDB: Final = 200 * UNITS["MB"]

CGROUP_FILES: Final = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)

Progress: TypeAlias = Callable[[str, int, int], None]  # of what; how much is done, out of how much
Tell: TypeAlias = Callable[[str], None]

_LIMIT = re.compile(rf"(\d+(?:\.\d+)?)\s*({'|'.join(UNITS)})", re.IGNORECASE)


def unwatched(label: str, done: int, total: int) -> None:
    """Take no notice of progress."""


def unheard(sentence: str) -> None:
    """Take no notice of an explanation."""


def _default_limit() -> int:
    """Half of the memory of this machine, or of the container, but at least 1 GB."""
    return max(machine_memory() // DEFAULT_SHARE, LEAST_LIMIT)


@dataclass(frozen=True)
class Resources:
    """What reading and ranking may use, and whom they keep informed.

    Parameters
    ----------
    limit
        Bytes of memory.
    progress
        Is told how far the work is.
    tell
        Is told, in public words, which way the rows go.
    part_rows
        How many rows of a large file are read at a time.
    """

    limit: int = field(default_factory=_default_limit)
    progress: Progress = unwatched
    tell: Tell = unheard
    part_rows: int = 1 << 20

    @classmethod
    def parse(cls, memory_limit: str | None) -> Self:
        """Read a limit such as "4GB", or take the default."""
        return cls() if memory_limit is None else cls(parse_limit(memory_limit))

    def hold(self, rows: int, bytes_per_row: int) -> bool:
        """Whether so many rows fit the limit, beside all else."""
        return rows * bytes_per_row + FIXED_BYTES <= self.limit

    def for_duckdb(self, taken: int = 0) -> int:
        """Bytes that DuckDB may use while so many are taken."""
        return max(self.limit - FIXED_BYTES - taken, LEAST_FOR_DUCKDB)

    def shared_by(self, samples: int) -> Self:
        """The share of each of several samples that are in memory at the same time."""
        return replace(self, limit=(self.limit - FIXED_BYTES) // samples + FIXED_BYTES)


def parse_limit(text: str) -> int:
    """Read bytes from text such as "4GB" or "1.5GiB".

    Examples
    --------
    >>> parse_limit("4GB")
    4000000000
    >>> parse_limit("1.5 GiB")
    1610612736
    """
    found = _LIMIT.fullmatch(text.strip())
    if found is None:
        raise InvalidArgument(
            f"`memory_limit` must be a number with its unit, as in 4GB or 1.5GiB; got {text!r}."
        )
    unit = next(value for name, value in UNITS.items() if name.lower() == found[2].lower())
    limit = int(float(found[1]) * unit)
    if limit < LEAST_LIMIT:
        raise InvalidArgument(f"`memory_limit` must be at least 1GB; got {text}.")
    return limit


def machine_memory() -> int:
    """Bytes of physical memory, or what a container may use of it."""
    known = []
    with suppress(OSError, ValueError, AttributeError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for name in CGROUP_FILES:
        with suppress(OSError, ValueError):  # without a limit it says "max"
            known.append(int(Path(name).read_text(encoding="ascii")))
    return min(known, default=UNKNOWN_MEMORY)


def gigabytes(size: int) -> str:
    """Write a number of bytes for people.

    Examples
    --------
    >>> gigabytes(1_600_000_000)
    '1.6 GB'
    """
    return f"{size / UNITS['GB']:.1f} GB"
