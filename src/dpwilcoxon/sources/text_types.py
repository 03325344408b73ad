"""Text as what it stands for: where a measurement or an order is read, and nowhere else.

The cells of a column never choose what the cell of somebody else means. Names, conditions,
filters and expressions get text as text. Only where a column by itself is a measurement, or the
order of rows, its cells are numbers, true/false, dates or times: each by itself, exactly, and all
of one kind, or the table is refused. The type that is chosen here is wide enough for every cell,
and no cell has another value, or another place in the order, in a wider one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from dpwilcoxon.columns import WORD_DIGITS
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import quoted_text
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.text_cells import FAMILIES, advice
from dpwilcoxon.sources.text_sql import BLANKS, MISSING_WORDS, Cell, kinds_in

_MOST_DIGITS: Final = 38
_FAMILY_TYPES: Final = (None, "BOOLEAN", "TIMESTAMP", "TIMESTAMPTZ")

RunQuery = Callable[[str], Sequence[tuple[Any, ...]]]
Place = Callable[[int], str]


def is_text_type(duckdb_type: str) -> bool:
    """Whether values of this DuckDB type are text."""
    return duckdb_type == "VARCHAR" or duckdb_type.startswith("ENUM(")


def text_cell(column: str, *, keeps_types: bool) -> str:
    """SQL for the text of a cell: without blanks around it, and missing if nothing is left.

    Formats that keep types know what is missing and what is text, to the letter.
    """
    text = f"CAST({column} AS VARCHAR)"
    return text if keeps_types else f"nullif(trim({text}, {quoted_text(BLANKS)}), '')"


def typed_text(
    run: RunQuery, table: Table, relation: str, column: str, name: str, *, place: Place
) -> str:
    """SQL for a text column of measurements, with a type that holds all of its cells.

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
    place : callable
        Words for the first row of a kind, by its index.
    """
    kinds = _kinds(run, relation, column)
    if Cell.TEXT in kinds:
        raise SourceError(
            f"Column {name!r} holds text where a number is needed"
            f"{place(int(kinds[Cell.TEXT][1]))}; {advice(table)}"
        )
    return f"CAST({_present(column)} AS {_common_type(kinds, table, name, place)})"


def ordered_text(
    run: RunQuery, table: Table, relation: str, column: str, name: str, *, place: Place
) -> str:
    """SQL for a text column by which rows are put in order: all numbers, times, or words.

    Parameters are those of `typed_text`.
    """
    kinds = _kinds(run, relation, column)
    if Cell.TEXT not in kinds:
        return typed_text(run, table, relation, column, name, place=place)
    if len(kinds) > 1:
        first = max(int(kinds[kind][1]) for kind in kinds)
        raise SourceError(
            f"Column {name!r} cannot tell the order of the rows: it holds words beside numbers, "
            f"dates or true/false{place(first)}. Write all of it in one way, or say how it is "
            "meant, as in CAST(... AS VARCHAR)."
        )
    return _present(column)


def _kinds(run: RunQuery, relation: str, column: str) -> dict[Cell, tuple[Any, ...]]:
    """Which kinds of cells there are, but missing ones, and what `kinds_in` says of them."""
    kinds = {Cell(int(row[0])): tuple(row[1:]) for row in run(kinds_in(relation, column))}
    kinds.pop(Cell.MISSING, None)
    return kinds


def _present(column: str) -> str:
    cell = f"trim({column}, {quoted_text(BLANKS)})"
    words = ", ".join(quoted_text(word) for word in MISSING_WORDS)
    return f"CASE WHEN lower({cell}) NOT IN ({words}) THEN {cell} END"


def _common_type(kinds: dict[Cell, tuple[Any, ...]], table: Table, name: str, place: Place) -> str:
    """The type that holds every cell."""
    families = [family for family in FAMILIES if family & kinds.keys()]
    if len(families) > 1:
        usual = max(families, key=lambda each: sum(int(kinds[k][0]) for k in each & kinds.keys()))
        first = min(int(kinds[kind][1]) for kind in kinds.keys() - usual)
        raise SourceError(
            f"Column {name!r} mixes numbers, true/false, dates or times{place(first)}; "
            f"{advice(table)}"
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
        f"with{place(first)}; correct it, or {table.gap} if it is missing."
    )


def _decimal_type(kinds: dict[Cell, tuple[Any, ...]], name: str) -> str:
    if not kinds:
        return "DECIMAL(18, 0)"  # nothing but missing values
    _, _, places, whole = kinds[Cell.NUMBER]
    places, digits = int(places), max(int(places) + max(int(whole), 0), 1)
    if digits > _MOST_DIGITS:
        raise SourceError(
            f"Column {name!r} needs more than {_MOST_DIGITS} digits to hold all of its numbers; "
            "write them with fewer decimal places."
        )
    return f"DECIMAL({WORD_DIGITS if digits <= WORD_DIGITS else _MOST_DIGITS}, {places})"
