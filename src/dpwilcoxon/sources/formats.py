"""Which format a table is in: what the caller says, else what its name says."""

from __future__ import annotations

import os
from pathlib import PurePath

from dpwilcoxon.errors import SourceError
from dpwilcoxon.parameters import Choice
from dpwilcoxon.sources.inputs import STANDARD_INPUT, FileInput, Input

PARQUET_MAGIC = b"PAR1"
SQLITE_MAGIC = b"SQLite format 3\x00"
DUCKDB_FILES = (".duckdb", ".ddb")
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods")
FOREIGN_BEGINNINGS = {
    PARQUET_MAGIC: "a Parquet file",
    SQLITE_MAGIC: "a SQLite file",
    b"PK\x03\x04": "a ZIP archive or a spreadsheet",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet",
    b"%PDF": "a PDF document",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
}


class Format(Choice):
    """The formats a table can be read from."""

    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    JSON = "json"
    SQLITE = "sqlite"


EXTENSIONS = {
    ".csv": Format.CSV,
    ".txt": Format.CSV,
    ".tsv": Format.TSV,
    ".tab": Format.TSV,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".json": Format.JSON,
    ".jsonl": Format.JSON,
    ".ndjson": Format.JSON,
    ".sqlite": Format.SQLITE,
    ".sqlite3": Format.SQLITE,
    ".db": Format.SQLITE,
}


def format_of_path(path: str | os.PathLike[str], stated: str | Format | None) -> Format:
    """Return the stated format, or the one that the extension of `path` stands for.

    Standard input has no extension and is CSV unless another format is stated. ``.gz`` and
    ``.zst`` behind the extension do not matter.
    """
    if stated is not None:
        return Format.parse(stated)
    if os.fspath(path) == STANDARD_INPUT:
        return Format.CSV
    if not os.fspath(path):
        raise SourceError("The name of the file is empty; name a file, or - for standard input.")
    name = PurePath(path)
    if name.suffix.lower() in (".gz", ".zst"):
        name = name.with_suffix("")
    extension = name.suffix.lower()
    if extension in SPREADSHEETS:
        raise SourceError(
            f"{str(path)!r} is a spreadsheet; save the sheet as CSV and name that file instead."
        )
    if extension in DUCKDB_FILES:
        raise SourceError(
            f"{str(path)!r} is a DuckDB database; name it by its address, 'duckdb://{path}', and "
            "one of its tables with `table`."
        )
    if extension not in EXTENSIONS:
        words = ", ".join(str(each) for each in Format)
        raise SourceError(
            f"The format of {str(path)!r} cannot be told from its name; say which it is with "
            f"the format option: {words}."
        )
    return EXTENSIONS[extension]


def check_content(source: Input, file_format: Format) -> None:
    """Refuse content whose first bytes contradict the format."""
    if file_format is Format.PARQUET:
        if not isinstance(source, FileInput):
            raise SourceError(
                f"{source.label} cannot be read as Parquet: that needs a file, not compressed as a "
                "whole."
            )
        if not source.head.startswith(PARQUET_MAGIC):
            raise SourceError(
                f"{source.label} is not a Parquet file; say what it is with the format option."
            )
        return
    if file_format is Format.SQLITE:
        if not (isinstance(source, FileInput) and source.head.startswith(SQLITE_MAGIC)):
            raise SourceError(f"{source.label} is not a SQLite file.")
        return
    for beginning, description in FOREIGN_BEGINNINGS.items():
        if source.head.startswith(beginning):
            raise SourceError(
                f"{source.label} is {description}, which cannot be read as {file_format}; "
                f"{_advice(beginning)}."
            )
    if b"\x00" in source.head and not source.is_zstd:
        raise SourceError(
            f"{source.label} holds binary data, which cannot be read as {file_format}."
        )


def _advice(beginning: bytes) -> str:
    if beginning == PARQUET_MAGIC:
        return "say so with the format option: parquet"
    if beginning == SQLITE_MAGIC:
        return "say so with the format option: sqlite"
    return "save it as UTF-8 text, plain or compressed with gzip or zstd"
