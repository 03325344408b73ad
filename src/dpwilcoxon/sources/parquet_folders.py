"""Parquet spread over many files: patterns as `2024-*.parquet`, and folders of partitions."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import fetch_rows
from dpwilcoxon.sources.formats import Format
from dpwilcoxon.sources.inputs import STANDARD_INPUT, literal_path
from dpwilcoxon.sources.parquet import ParquetTable, open_parquet

# Folder names such as visit=week8 are columns, and text: 007 is not 7 in the name of a person.
PARTITIONS = "hive_partitioning = true, hive_types_autocast = false"


@dataclass(frozen=True)
class FileSet:
    """Parquet files that are one table together."""

    label: str
    paths: tuple[Path, ...]

    @contextmanager
    def path_for_duckdb(self) -> Iterator[list[str]]:
        """Give all absolute paths."""
        yield [literal_path(path) for path in self.paths]


def is_many_files(path: str | os.PathLike[str]) -> bool:
    """Whether a name stands for a folder or a pattern, and not for a file."""
    text = os.fspath(path)
    try:
        if text in ("", STANDARD_INPUT) or Path(text).is_file():
            return False
        return Path(text).is_dir() or glob.has_magic(text)
    except (OSError, ValueError):  # opening it will say what is the matter
        return False


def open_parquet_files(path: str | os.PathLike[str], stated: str | Format | None) -> ParquetTable:
    """Open the Parquet files in a folder (and the folders in it), or those that fit a pattern."""
    label = repr(os.fspath(path))
    if stated is not None and Format.parse(stated) is not Format.PARQUET:
        raise SourceError(f"{label} is more than one file, which only Parquet can be; name one.")
    try:
        paths = _find(Path(path))
    except OSError as error:
        raise SourceError(f"{label} cannot be read: {error.strerror}.") from None
    if not paths and Path(path).is_dir():
        raise SourceError(f"{label} is a directory without Parquet files; name one file in it.")
    if not paths:
        raise SourceError(f"There are no Parquet files that fit {label}; check the pattern.")
    source = FileSet(label, tuple(paths))
    root = _root(Path(path))
    partitions = _check_partitions(source, root)
    _check_schemas(source)
    plain = open_parquet(source)
    return _with_partitions(plain, partitions, _keys(root.parts)) if partitions else plain


def _root(path: Path) -> Path:
    """The folder that was named, or the fixed part of a pattern: folders below it are columns."""
    if path.is_dir():
        return path.absolute()
    return Path(*takewhile(lambda part: not glob.has_magic(part), path.parts)).absolute()


def _keys(parts: Sequence[str]) -> list[str]:
    """The columns that DuckDB finds in the names of folders."""
    return [part.partition("=")[0] for part in parts if "=" in part]


def _find(path: Path) -> list[Path]:
    """Parquet files in a fixed order. Names that begin with . or _ are no data, by convention."""
    if path.is_dir():
        found = [each for each in path.rglob("*") if each.suffix.lower() in (".parquet", ".pq")]
        inside = [each.relative_to(path).parts for each in found]
    else:
        found = [Path(each) for each in glob.glob(str(path), recursive=True)]  # noqa: PTH207 - Path.glob refuses absolute patterns
        inside = [(each.name,) for each in found]
    return sorted(
        each.absolute()
        for each, parts in zip(found, inside, strict=True)
        if each.is_file() and not any(part.startswith((".", "_")) for part in parts)
    )


def _with_partitions(
    plain: ParquetTable, partitions: Sequence[str], above: Sequence[str]
) -> ParquetTable:
    """Add the columns that folders below the root are; folders above it are none."""
    called = Counter(name.lower() for name in (*plain.names, *partitions, *above))
    for name in (*partitions, *above):
        if called[name.lower()] > 1:
            raise SourceError(
                f"Folders called {name}=... are a column, and the files of {plain.source.label} "
                "have another one of that name; rename the folders."
            )
    table = open_parquet(plain.source, PARTITIONS)
    ignored = [name.lower() for name in above]
    kept = [i for i, name in enumerate(table.duckdb_names) if name.lower() not in ignored]
    return replace(
        table,
        names=[table.names[i] for i in kept],
        duckdb_names=[table.duckdb_names[i] for i in kept],
        types=[table.types[i] for i in kept],
    )


def _check_partitions(source: FileSet, root: Path) -> list[str]:
    """Refuse files of which some have columns by the names of their folders, and others not."""
    columns = [set(_keys(path.parent.relative_to(root).parts)) for path in source.paths]
    if some := sorted(columns[0].union(*columns) - columns[0].intersection(*columns)):
        raise SourceError(
            f"Only some files of {source.label} are in folders called {some[0]}=..., which are a "
            "column that all of them need; name the files that agree."
        )
    return _keys(source.paths[0].parent.relative_to(root).parts)


def _check_schemas(source: FileSet) -> None:
    """Refuse files whose columns differ: DuckDB would convert them to those of the first."""
    sql = (
        "SELECT file_name, name, duckdb_type FROM parquet_schema(?) "
        "WHERE num_children IS NULL OR num_children = 0"
    )
    damaged = SourceError(f"Some file of {source.label} is damaged or not a Parquet file.")
    columns: dict[str, set[Sequence[str]]] = {}
    for file, *column in fetch_rows(source, sql, lambda _: damaged):
        columns.setdefault(file, set()).add(tuple(column))
    first = columns[next(iter(columns))]
    if any(each != first for each in columns.values()):
        raise SourceError(
            f"The files of {source.label} do not have the same columns of the same types; write "
            "them again with one schema, or name those that agree."
        )
