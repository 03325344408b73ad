"""Files and standard input to pairs: CSV, TSV, Parquet and JSON lines."""

from __future__ import annotations

import os
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.parameters import Missing
from dpwilcoxon.sources.delimited import open_delimited
from dpwilcoxon.sources.formats import Format, check_content, format_of_path
from dpwilcoxon.sources.inputs import open_input
from dpwilcoxon.sources.json_lines import open_json
from dpwilcoxon.sources.parquet import open_parquet
from dpwilcoxon.sources.parquet_folders import is_many_files, open_parquet_files
from dpwilcoxon.sources.sqlite_tables import open_sqlite
from dpwilcoxon.sources.table_columns import read_columns
from dpwilcoxon.sources.tables import Table

Resolution: TypeAlias = "int | float | str | Decimal | Fraction"


def pairs_from_file(
    path: str | os.PathLike[str],
    *,
    before: str | None = None,
    after: str | None = None,
    difference: str | None = None,
    missing: str | Missing = Missing.RAISE,
    resolution: Resolution | None = None,
    file_format: str | Format | None = None,
    table: str | None = None,
) -> Pairs:
    """Read a paired sample from a file, one row per protected person.

    Parameters
    ----------
    path : str or path-like
        A CSV, TSV, Parquet, JSON-lines or SQLite file; text may be compressed with gzip or zstd.
        "-" reads text from standard input and keeps it in memory. Parquet may also be a folder,
        or a pattern such as "2024-*.parquet".
    before, after : str
        The names of the two columns; differences are after - before.
    difference : str
        Or the name of the one column that holds the differences.
    missing : {"raise", "zero"}
        What to do with a pair of which a value is missing: refuse, or count it as no change.
        Empty cells, NA, N/A, NaN, null and None are missing.
    resolution : number or str, optional
        Round each difference to a multiple of this.
    file_format : {"csv", "tsv", "parquet", "json", "sqlite"}, optional
        What the file is, if its name does not tell.
    table : str, optional
        Which table of a SQLite file, if it has several.

    Returns
    -------
    Pairs
        The paired sample. Its differences are exact: decimals in text never become floats.

    Examples
    --------
    >>> from dpwilcoxon.sources.files import pairs_from_file
    >>> pairs_from_file("/dev/null", before="a", after="b", file_format="csv")
    Traceback (most recent call last):
        ...
    dpwilcoxon.errors.SourceError: '/dev/null' is empty; a table with a header line is needed.
    """
    rule = Missing.parse(missing)
    names = wanted_columns(before, after, difference)
    columns = read_columns(
        open_table(path, file_format, table), names, differences_suffice=resolution is None
    )
    x, y = columns[0], columns[1] if len(columns) > 1 else None
    return Pairs.from_columns(x, y, missing=rule, resolution=resolution)


def wanted_columns(
    before: str | None, after: str | None, difference: str | None
) -> tuple[str, ...]:
    """Check the column names of a call; return (after, before) or (difference,)."""
    if difference is not None and before is None and after is None:
        return (difference,)
    if difference is not None or before is None or after is None:
        raise InvalidArgument(
            "Name both a `before` and an `after` column, or one `difference` column alone."
        )
    if before == after:
        raise InvalidArgument(f"`before` and `after` are the same column, {before!r}; name two.")
    return (after, before)


def open_table(
    path: str | os.PathLike[str], file_format: str | Format | None = None, table: str | None = None
) -> Table:
    """Find out what a file is and which columns it has; `table` is one of a SQLite file."""
    if is_many_files(path):
        return open_parquet_files(path, file_format)
    kind = format_of_path(path, file_format)
    if table is not None and kind is not Format.SQLITE:
        raise InvalidArgument(
            f"`table` belongs to databases and SQLite files; {str(path)!r} holds one table."
        )
    source = open_input(path)
    check_content(source, kind)
    if kind is Format.SQLITE:
        return open_sqlite(path, table)
    if kind is Format.PARQUET:
        return open_parquet(source)
    return open_json(source) if kind is Format.JSON else open_delimited(source, kind)
