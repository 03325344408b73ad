"""From an open table to its pairs. The way is chosen here, for every file, from public numbers.

Streamed: typed columns of Parquet become keys part by part, if the keys fit the memory limit.
Whole: text is parsed column by column in memory, if it fits. Everything else DuckDB subtracts, and
it aggregates tables with units or filters, in private temporary files where that needs more memory
than there is. Fetched: then the keys of the pairs come to memory, if they fit; or else, ordered:
DuckDB puts the pairs in order too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from dpwilcoxon.pairs import PairedSample, Pairs
from dpwilcoxon.sources.duckdb_session import fetch_rows
from dpwilcoxon.sources.inputs import FileInput, GzipInput, MemoryInput
from dpwilcoxon.sources.json_lines import JsonTable
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.memory import KEY_BYTES, TEXT_BYTES, Resources, gigabytes
from dpwilcoxon.sources.ordering import OrderedInDuckDB
from dpwilcoxon.sources.parquet import ParquetTable
from dpwilcoxon.sources.plain_columns import plain_columns
from dpwilcoxon.sources.private_files import private_folder
from dpwilcoxon.sources.sqlite_tables import SqliteInput
from dpwilcoxon.sources.streaming import Stream
from dpwilcoxon.sources.table_columns import read_columns
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.typed_columns import reading_of_type
from dpwilcoxon.sources.unit_tables import open_unit_pairs, unit_keys

UNKNOWN = 1 << 62  # rows
MOST_EXPANSION = 1 << 10  # of text, by compression or by having hardly any


@contextmanager
def open_pairs(table: Table, layout: Layout, resources: Resources) -> Iterator[PairedSample]:
    """Open the paired sample of a table; it can be used until the context ends.

    Parameters
    ----------
    table : Table
        An open table of a file.
    layout : Layout
        Where the pairs are in it.
    resources : Resources
        The memory there is, and whom to tell.

    Yields
    ------
    PairedSample
        In memory if it fits, else in DuckDB. The statistic is the same integer.
    """
    names = plain_columns(layout, () if isinstance(table, JsonTable) else table.names)
    sample = _in_memory(table, names, layout, resources) if names is not None else None
    if sample is not None:
        yield sample
        return
    with _in_duckdb(table, layout, resources) as found:
        yield found


def _in_memory(
    table: Table, names: Sequence[str], layout: Layout, resources: Resources
) -> Pairs | None:
    """Read the pairs of a table with one row for each, or None if that needs DuckDB."""
    stream = stream_of(table, names, resources)
    rows = row_bound(table, names, resources) if stream is None else stream.rows
    row_bytes = KEY_BYTES if stream else TEXT_BYTES * len(names)
    if not resources.hold(rows, row_bytes):
        return None
    if stream is None:
        resources.tell(f"whole: text is parsed in memory, {_within(resources)}")
        return _whole(table, names, layout)
    resources.tell(
        f"streamed: the keys of {rows:,} pairs take {gigabytes(rows * row_bytes)}, "
        f"{_within(resources)}"
    )
    differences = stream.differences(layout, resources)
    return None if differences is None else Pairs.from_differences(differences, layout.missing)


def _within(resources: Resources) -> str:
    return f"within the memory limit of {gigabytes(resources.limit)}"


def stream_of(table: Table, names: Sequence[str], resources: Resources) -> Stream | None:
    """How to stream a table; None if it has no row groups, no rows, or columns that are text."""
    if not isinstance(table, ParquetTable):
        return None
    readings = [reading_of_type(table.type_of(name), name) for name in names]
    typed = [reading for reading in readings if reading is not None]
    parts = table.parts(resources.part_rows) if len(typed) == len(readings) else []
    return Stream(table, names, typed, parts) if parts else None


def row_bound(table: Table, names: Sequence[str], resources: Resources) -> int:
    """A number that the rows do not exceed: the size of the file, or their count if it matters."""
    bound = _most_rows(table)
    if resources.hold(bound, TEXT_BYTES * len(names)):
        return bound
    sql = f"SELECT count(*) FROM ({table.select(names)})"
    ((rows,),) = fetch_rows(table.source, sql, table.explain)
    return int(rows)


def _most_rows(table: Table) -> int:
    """The bytes of text, of which each row has one; of compressed text, the most there can be."""
    source = table.source
    if isinstance(source, MemoryInput):
        return len(source.content)
    if isinstance(table, ParquetTable):
        return UNKNOWN  # counting is quick, and a page may say the same of very many rows
    assert isinstance(source, FileInput | GzipInput | SqliteInput)  # noqa: S101 - all text there is
    is_plain = isinstance(source, FileInput) and not source.is_zstd
    return source.path.stat().st_size * (1 if is_plain else MOST_EXPANSION)


def _whole(table: Table, names: Sequence[str], layout: Layout) -> Pairs:
    columns = read_columns(table, names, differences_suffice=layout.resolution is None)
    return Pairs.from_columns(*columns, missing=layout.missing, resolution=layout.resolution)


@contextmanager
def _in_duckdb(table: Table, layout: Layout, resources: Resources) -> Iterator[PairedSample]:
    with ExitStack() as held:
        settings = {"memory_limit": f"{resources.for_duckdb()}B"}
        may_spill = not isinstance(table.source, MemoryInput)  # standard input touches no disk
        if may_spill:
            settings["temp_directory"] = held.enter_context(private_folder())
        engine, pairs = held.enter_context(open_unit_pairs(table, layout, **settings))
        if pairs.fits and not resources.hold(pairs.n, 2 * KEY_BYTES):
            resources.tell(
                f"ordered: DuckDB puts {pairs.n:,} pairs in order, {_within(resources)}"
                f"{' and in temporary files' if may_spill else ''}"
            )
            yield OrderedInDuckDB(engine, pairs, resources)
            return
        resources.tell(
            f"fetched: DuckDB makes the pairs, and the keys of {pairs.n:,} come to memory, "
            f"{_within(resources)}"
        )
        if may_spill:  # to make room for the keys
            engine.rows(f"SET memory_limit = '{resources.for_duckdb(pairs.n * 2 * KEY_BYTES)}B'")
        keys = unit_keys(engine, pairs)
        held.close()  # the database and its folder are not needed any more
        yield Pairs(keys)
