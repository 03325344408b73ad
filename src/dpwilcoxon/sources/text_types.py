"""The types of text columns: text that is all numbers becomes exact decimals, and so on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import quoted_text
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_cells import FAMILIES
from dpwilcoxon.sources.text_sql import BLANKS, MISSING_WORDS, Cell, kinds_in

_WORD_DIGITS, _MOST_DIGITS = 18, 38
_FAMILY_TYPES: Final = (None, "BOOLEAN", "TIMESTAMP", "TIMESTAMPTZ")

RunQuery = Callable[[str], Sequence[tuple[Any, ...]]]


def is_text_type(duckdb_type: str) -> bool:
    """Whether values of this DuckDB type are text."""
    return duckdb_type == "VARCHAR" or duckdb_type.startswith("ENUM(")


def typed_text(
    run: RunQuery, table: Table, relation: str, column: str, name: str, *, verbatim: bool
) -> str:
    """SQL for a text column with the type that all of its cells have, if there is one.

    Parameters
    ----------
    run : callable
        Runs a query.
    table : Table
        For messages.
    relation, column : str
        A query, and the column of it that holds the text.
    name : str
        How messages call it.
    verbatim : bool
        Leave it text: a name of persons or conditions, which may look like a number.
    """
    cell = f"trim(CAST({column} AS VARCHAR), {quoted_text(BLANKS)})"
    words = ", ".join(quoted_text(word) for word in MISSING_WORDS)
    present = f"CASE WHEN lower({cell}) NOT IN ({words}) THEN {cell} END"
    if verbatim:  # typed formats have NULL for what is missing
        return column if table.keeps_types else present
    kinds = {Cell(int(row[0])): row[1:] for row in run(kinds_in(relation, column))}
    kinds.pop(Cell.MISSING, None)
    if Cell.TEXT in kinds:
        return present
    return f"CAST({present} AS {_common_type(kinds, table, name)})"


def _common_type(kinds: dict[Cell, tuple[Any, ...]], table: Table, name: str) -> str:
    """The type that holds every cell."""
    families = [family for family in FAMILIES if family & kinds.keys()]
    if len(families) > 1:
        usual = max(families, key=lambda each: sum(int(kinds[k][0]) for k in each & kinds.keys()))
        first = min(int(kinds[kind][1]) for kind in kinds.keys() - usual)
        raise SourceError(
            f"Column {name!r} mixes numbers, true/false, dates or times, first in "
            f"{table.describe_row(first)}; write all of its values in one way."
        )
    if kinds.keys() == {Cell.DATE}:
        return "DATE"
    if families and families[0] is not FAMILIES[0]:
        return str(_FAMILY_TYPES[FAMILIES.index(families[0])])
    odd = kinds.keys() - {Cell.NUMBER}
    if not odd:
        return _decimal_type(kinds, name)
    first = min(int(kinds[kind][1]) for kind in odd)
    raise SourceError(
        f"Column {name!r} holds a number that is infinite or has too many digits to be computed "
        f"with, first in {table.describe_row(first)}; correct it, or leave it empty if it is "
        "missing."
    )


def _decimal_type(kinds: dict[Cell, tuple[Any, ...]], name: str) -> str:
    if not kinds:
        return "DECIMAL(18, 0)"  # nothing but missing values
    _, _, places, whole = kinds[Cell.NUMBER]
    places, digits = int(places), max(int(places) + int(whole), 1)
    if digits > _MOST_DIGITS:
        raise SourceError(
            f"Column {name!r} needs more than {_MOST_DIGITS} digits to hold all of its numbers; "
            "write them with fewer decimal places."
        )
    return f"DECIMAL({_WORD_DIGITS if digits <= _WORD_DIGITS else _MOST_DIGITS}, {places})"
