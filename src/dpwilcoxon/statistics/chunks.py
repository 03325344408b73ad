"""Rows in chunks that stay in cache, or in shares for two threads.

Compiled loops release Python's lock while they work, so threads are enough; a pool of its own
for each call survives a fork, which the thread layers of numba do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

CHUNK_ROWS = 1 << 15  # a few arrays of 8-byte numbers in the second-level cache of one core
THREADS = 2

Item = TypeVar("Item")
Result = TypeVar("Result")


def chunks(n: int) -> list[slice]:
    """Cut n rows into slices of CHUNK_ROWS."""
    return [slice(first, min(first + CHUNK_ROWS, n)) for first in range(0, n, CHUNK_ROWS)]


def shares(n: int, threads: int) -> list[slice]:
    """Cut n rows into one slice for each thread."""
    return [slice(n * each // threads, n * (each + 1) // threads) for each in range(threads)]


def in_threads(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int = THREADS
) -> list[Result]:
    """Do the work for every item; results come in the order of the items."""
    if threads == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))
