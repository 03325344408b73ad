"""JSON lines: one object per line.

Members are taken out as text and parsed by us, so ``120.1`` is an exact decimal here as well.
(Numbers of more than 17 digits are doubles to every JSON reader, and to this one.)
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import fetch_rows, quoted_text
from dpwilcoxon.sources.inputs import UNREADABLE, Input, unreadable
from dpwilcoxon.sources.tables import PARAMETER, TEXT, no_such_column

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
NAMES_SHOWN = 1000  # rows looked at to tell which columns there are


@dataclass(frozen=True)
class JsonTable:
    """Objects whose members are the columns."""

    source: Input

    @property
    def names(self) -> Sequence[str]:
        """The names found in the first objects."""
        sql = (
            "SELECT DISTINCT unnest(json_keys(json)) FROM "
            f"(SELECT json FROM {self._objects()} LIMIT {NAMES_SHOWN})"
        )
        return sorted(str(name) for (name,) in fetch_rows(self.source, sql, self.explain))

    @property
    def keeps_types(self) -> bool:
        """Everything is text."""
        return False

    @property
    def gap(self) -> str:
        """A missing value."""
        return "make it null"

    def type_of(self, name: str) -> str:  # noqa: ARG002 - every column is text
        """Text."""
        return TEXT

    def select(self, names: Sequence[str], path: str = PARAMETER) -> str:
        """Take each member out as text; an absent member is missing."""
        pointers = [quoted_text(_pointer(name)) for name in names]
        values = ", ".join(
            f"CASE WHEN json_type(json) = 'OBJECT' THEN json ->> {each} "
            f"ELSE error('not an object') END AS v{index}"
            for index, each in enumerate(pointers)
        )
        return f"SELECT {values} FROM {self._objects(path)}"

    select_typed = select

    def check_names(self, names: Sequence[str]) -> None:
        """Refuse a column that no object has: one scan, so only asked when all is missing."""
        for name in names:
            sql = f"SELECT bool_or(json_exists(json, {quoted_text(_pointer(name))})) "
            ((found,),) = fetch_rows(self.source, sql + f"FROM {self._objects()}", self.explain)
            if not found:
                raise no_such_column(name, self.names, self.source.label)

    def describe_row(self, index: int) -> str:
        """The number of the object."""
        return f"data row {index + 1:,}"

    def explain(self, message: str) -> SourceError:
        """Find the first line that is not JSON: DuckDB's own count is not reliable."""
        label = self.source.label
        if "UTF-8" in message:
            return SourceError(f"{label} is not UTF-8 text; save it as UTF-8.")
        line = self._first_bad_line()
        where = f": see line {line:,}" if line else ""
        return SourceError(f"{label} cannot be read as JSON{where}; one object per line is needed.")

    def _objects(self, path: str = PARAMETER) -> str:
        return (
            f"read_json_objects({path}, format = 'newline_delimited', hive_partitioning = false, "
            f"compression = '{'zstd' if self.source.is_zstd else 'none'}')"
        )

    def _first_bad_line(self) -> int | None:
        if self.source.is_zstd:
            return None
        try:
            with io.TextIOWrapper(self.source.open_binary(), "utf-8", errors="replace") as text:
                bad = (n for n, line in enumerate(text, 1) if line.strip() and not _is_object(line))
                return next(bad, None)
        except UNREADABLE as error:
            raise unreadable(error, self.source.label) from None


def open_json(source: Input) -> JsonTable:
    """Check that the file begins with an object.

    An array of objects is refused: if it is cut short, DuckDB reads what is there as if it were
    all, and the number of pairs is public.
    """
    if source.head.startswith(BYTE_ORDER_MARK):  # which DuckDB does not know in JSON
        raise SourceError(
            f"{source.label} begins with a byte-order mark; save it as UTF-8 without one "
            "(tail -c +4 leaves it out)."
        )
    head = source.head.lstrip()[:1]
    if head == b"[":
        raise SourceError(
            f"{source.label} is a JSON array; one object per line is needed (jq -c '.[]' makes it)."
        )
    if head not in (b"{", b"") and not source.is_zstd:
        raise SourceError(f"{source.label} is not JSON; say what it is with the format option.")
    return JsonTable(source)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _pointer(name: str) -> str:
    """Write a member name as a JSON pointer, in which no character is special but two."""
    return "/" + name.replace("~", "~0").replace("/", "~1")
