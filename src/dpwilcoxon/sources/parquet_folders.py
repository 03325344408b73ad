"""Parquet spread over many files: patterns as `2024-*.parquet`, and folders of partitions."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
    _check_partitions(source)
    _check_schemas(source)
    return open_parquet(source, PARTITIONS)


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


def _check_partitions(source: FileSet) -> None:
    """Refuse files of which some have columns by the names of their folders, and others not."""
    columns = [
        {part.partition("=")[0] for part in path.parent.parts if "=" in part}
        for path in source.paths
    ]
    if some := sorted(columns[0].union(*columns) - columns[0].intersection(*columns)):
        raise SourceError(
            f"Only some files of {source.label} are in folders called {some[0]}=..., which are a "
            "column that all of them need; name the files that agree."
        )


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
