"""CSV and TSV: every column is text first, so that decimals can be read exactly.

The dialect is fixed, never guessed from the data: RFC 4180 with a comma (or a semicolon where
the header line has no comma) or a tab. A line with too few or too many fields is an error.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import fetch_rows, quoted_text
from dpwilcoxon.sources.formats import Format
from dpwilcoxon.sources.inputs import UNREADABLE, Input, unreadable
from dpwilcoxon.sources.tables import PARAMETER, TEXT, HeaderLine, position_of

HEADER_LINES = 100  # of a zstd file, whose header only DuckDB can read: more than any header
_LINE = re.compile(r"CSV Error on Line: (\d+)\n")


@dataclass(frozen=True)
class DelimitedTable:
    """A text file with one header line and one line per pair."""

    source: Input
    delimiter: str
    names: Sequence[str]
    skipped: int  # empty lines above the header
    is_file: bool = True  # with lines that a custodian can look at; not so the rows of SQLite

    @property
    def keeps_types(self) -> bool:
        """Everything is text."""
        return False

    @property
    def gap(self) -> str:
        """An empty cell is a missing value."""
        return "leave the cell empty" if self.is_file else "make it NULL"

    def type_of(self, name: str) -> str:  # noqa: ARG002 - every column is text
        """Text."""
        return TEXT

    def select(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """Select by position, since DuckDB's names ignore case and ours do not."""
        columns = [f"c{position_of(name, self.names, self.source.label)}" for name in names]
        values = ", ".join(f"{column} AS v{index}" for index, column in enumerate(columns))
        types = ", ".join(f"'c{index}': 'VARCHAR'" for index in range(len(self.names)))
        options = _options(self.source, self.delimiter, quote='"')
        return (
            f"SELECT {values} FROM read_csv({path}, columns = {{{types}}}, header = true, "
            f"skip = {self.skipped}, {options})"
        )

    select_typed = select

    def describe_row(self, index: int) -> str:
        """The number of the data row and, where it can be found, the line of the file."""
        row = f"data row {index + 1:,}"
        if self.source.is_zstd or not self.is_file:
            return row
        line = self._line_of(index)
        return row if line is None else f"{row} (line {line:,} of the file)"

    def explain(self, message: str) -> SourceError:
        """Tell ragged lines, bad quotes, wrong encoding and mixed line endings apart."""
        label, found = self.source.label, _LINE.search(message)
        line = f"line {int(found[1]):,}" if found else "a line"
        if "Invalid unicode" in message:
            return SourceError(f"{label} is not UTF-8 text: see {line}; save it as UTF-8.")
        if counts := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message):
            return SourceError(
                f"{label} has {counts[2]} fields in {line}, but its header line has {counts[1]}; "
                "every line needs the same number of fields."
            )
        if "unterminated quote" in message:
            return SourceError(
                f"{label} has a quoted field that does not end properly: see {line}."
            )
        if "state machine" in message:
            return SourceError(
                f"{label} mixes kinds of line endings or quotes; save it again as plain CSV."
            )
        return SourceError(
            f"{label} cannot be read as delimited text{f': see {line}' if found else ''}; check "
            "its format."
        )

    def _line_of(self, index: int) -> int | None:
        """Count lines as the csv module does; only errors need it, so it may be slow."""
        one_column = len(self.names) == 1  # where an empty line is a missing value
        records = islice(_records(self.source, self.delimiter), self.skipped, None)
        lines = (line for line, record in records if record or one_column)
        try:
            return next(islice(lines, index + 1, None), None)  # the header is the first
        except (csv.Error, *UNREADABLE):
            return None


def open_delimited(source: Input, file_format: Format) -> DelimitedTable:
    """Read the header line of a CSV or TSV file."""
    delimiter = "\t" if file_format is Format.TSV else ","
    lines = list(islice(_first_lines(source), HEADER_LINES))
    skipped = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    if file_format is Format.CSV and skipped < len(lines):
        delimiter = _comma_or_semicolon(lines[skipped])
    try:
        header = next(csv.reader(lines[skipped:], delimiter=delimiter), [])
    except csv.Error:
        header = []
    names = HeaderLine(name.strip() for name in header)
    if not any(names):
        raise SourceError(f"{source.label} has no header line with the names of its columns.")
    if not all(_is_unicode(name) for name in names):
        raise SourceError(f"{source.label} is not UTF-8 text: see line {skipped + 1}; save it so.")
    return DelimitedTable(source, delimiter, names, skipped)


def _comma_or_semicolon(header_line: str) -> str:
    return ";" if "," not in header_line and ";" in header_line else ","


def _options(source: Input, delimiter: str, *, quote: str) -> str:
    """The fixed dialect. Folder names such as ``year=2020`` must not become columns."""
    return (
        f"auto_detect = false, delim = {quoted_text(delimiter)}, quote = {quoted_text(quote)}, "
        f"escape = {quoted_text(quote)}, hive_partitioning = false, "
        f"compression = '{'zstd' if source.is_zstd else 'none'}'"
    )


def _first_lines(source: Input) -> Iterator[str]:
    if not source.is_zstd:
        try:
            with _open_text(source, newline=None) as text:
                yield from text
        except UNREADABLE as error:
            raise unreadable(error, source.label) from None
        return
    # A control character as delimiter, which no text holds, makes each line one field.
    options = _options(source, "\x1f", quote="")
    sql = (
        f"SELECT c FROM read_csv(?, columns = {{'c': 'VARCHAR'}}, header = false, {options}) "
        f"LIMIT {HEADER_LINES}"
    )
    no_text = SourceError(f"{source.label} cannot be decompressed, or is not UTF-8 text.")
    for (line,) in fetch_rows(source, sql, lambda _: no_text):
        yield (line or "").removeprefix("\ufeff") + "\n"


def _records(source: Input, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    with _open_text(source, newline="") as text:
        reader = csv.reader(text, delimiter=delimiter)
        for record in reader:
            yield reader.line_num, record


def _open_text(source: Input, *, newline: str | None) -> io.TextIOWrapper:
    """Open as UTF-8, tolerant of other bytes: columns that are not used may hold them."""
    return io.TextIOWrapper(
        source.open_binary(), encoding="utf-8-sig", errors="surrogateescape", newline=newline
    )


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
