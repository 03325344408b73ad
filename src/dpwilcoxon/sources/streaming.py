"""Large Parquet files to keys, part by part: what is in memory are the keys of all rows.

DuckDB answers with whole arrays, so it is asked for the rows of a few row groups at a time, by
two threads in turn. Parts are subtracted as all rows at once would be: what becomes of a row
depends on that row alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import accumulate
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from dpwilcoxon.arraytypes import KeyArray
from dpwilcoxon.columns import Column
from dpwilcoxon.differences import Differences
from dpwilcoxon.pairs import differences_of
from dpwilcoxon.sources.duckdb_session import connected, quietly, table_changed
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.memory import KEY_BYTES, Resources
from dpwilcoxon.sources.parquet import ParquetTable, Part
from dpwilcoxon.sources.typed_columns import TypedReading
from dpwilcoxon.statistics.chunks import THREADS

if TYPE_CHECKING:
    import duckdb

READING = "Reading the data"


@dataclass(frozen=True)
class Stream:
    """The parts of a table and how the columns of each are read."""

    table: ParquetTable
    names: Sequence[str]
    readings: Sequence[TypedReading]
    parts: Sequence[Part]

    @property
    def rows(self) -> int:
        """How many rows there are, by the files' own account."""
        return sum(len(part) for part in self.parts)

    def columns(self, connection: duckdb.DuckDBPyConnection, part: Part) -> list[Column]:
        """Read the columns of a part."""
        expressions = ", ".join(
            reading.expressions(index) for index, reading in enumerate(self.readings)
        )
        sql = f"SELECT {expressions} FROM ({self.table.select_part(self.names, part)})"
        arrays = quietly(
            lambda: connection.execute(sql).fetchnumpy(),
            self.table.source.label,
            self.table.explain,
        )
        columns = [
            replace(reading.column(index, arrays), name=name)
            for index, (reading, name) in enumerate(zip(self.readings, self.names, strict=True))
        ]
        if len(columns[0]) != len(part):
            raise table_changed(self.table.source.label)
        return columns

    def differences(self, layout: Layout, resources: Resources) -> Differences | None:
        """Subtract all rows; None if some difference is too large for a key of its own.

        Parameters
        ----------
        layout : Layout
            What becomes of the columns.
        resources : Resources
            Who is told how far the work is.
        """
        keys = np.empty(self.rows, dtype=np.uint64)
        free: SimpleQueue[duckdb.DuckDBPyConnection] = SimpleQueue()

        def read(part: Part, first: int) -> Differences:
            connection = free.get()
            try:
                columns = self.columns(connection, part)
            finally:
                free.put(connection)
            found = differences_of(
                columns[0], columns[1] if len(columns) > 1 else None, layout.resolution
            )
            keys[first : first + len(part)] = found.keys
            return replace(found, keys=found.keys[:0], first_missing=first + found.first_missing)

        limit = f"{resources.for_duckdb(self.rows * KEY_BYTES)}B"
        with connected(memory_limit=limit) as connection, ExitStack() as held:
            for _ in range(THREADS):
                free.put(held.enter_context(connection.cursor()))
            found = self._in_turn(read, resources)
        return _together(keys, found)

    def _in_turn(
        self, read: Callable[[Part, int], Differences], resources: Resources
    ) -> list[Differences]:
        """Read all parts in threads, up to the first that has no keys of its own."""
        firsts = accumulate((len(part) for part in self.parts), initial=0)
        found: list[Differences] = []
        with ThreadPoolExecutor(THREADS) as pool:
            waiting: list[Future[Differences]] = [
                pool.submit(read, part, first)
                for part, first in zip(self.parts, firsts, strict=False)
            ]
            done = 0
            try:
                for future, part in zip(waiting, self.parts, strict=True):
                    found.append(future.result())
                    if not found[-1].comparable:
                        break
                    done += len(part)
                    resources.progress(READING, done, self.rows)
            finally:  # after an error or an interruption nothing more is begun
                pool.shutdown(wait=False, cancel_futures=True)
        return found


def _together(keys: KeyArray, found: Sequence[Differences]) -> Differences | None:
    if not all(each.comparable for each in found):
        return None
    missing = [each for each in found if each.n_missing]
    first = missing[0].first_missing if missing else 0
    return Differences(keys, sum(each.n_missing for each in missing), first)
