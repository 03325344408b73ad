"""The two levels of a condition as values of its type: exactly these, or refused."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Final

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import quoted_text
from dpwilcoxon.sources.duckdb_tables import DuckDBEngine
from dpwilcoxon.sources.expressions import RowExpression
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.text_types import is_text_type

# In these, DuckDB rounds or cuts off what does not fit a type; nothing of a level may get lost.
_FINER: Final = {
    "DATE": "TIMESTAMP",
    "TIMESTAMP": "TIMESTAMP_NS",
    "TIMESTAMP_S": "TIMESTAMP_NS",
    "TIMESTAMP_MS": "TIMESTAMP_NS",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ_NS",
}


def level_literals(
    engine: DuckDBEngine, source: str, condition: RowExpression | None, layout: Layout
) -> list[str]:
    """SQL of the later and of the earlier level, in the type of the condition; of none, nothing.

    Parameters
    ----------
    engine : DuckDBEngine
        Converts text as it would convert a value.
    source : str
        A query with the columns of the condition.
    condition : RowExpression, optional
        What is compared with the levels.
    layout : Layout
        Names condition and levels.
    """
    if condition is None or layout.levels is None:
        return []
    (kind,) = engine.types(source, [condition.sql])
    later, earlier = (_literal(engine, kind, level, layout) for level in reversed(layout.levels))
    ((are_equal,),) = engine.rows(f"SELECT {later} = {earlier}")
    if are_equal:
        raise same_level_twice(layout)
    return [later, earlier]


def no_such_level(level: str, layout: Layout, kind: str) -> SourceError:
    """Build the error for a level that no value of the condition can be."""
    return SourceError(
        f"The level {level!r} cannot be a value of `{layout.condition}`, which has type {kind}."
    )


def same_level_twice(layout: Layout) -> SourceError:
    """Build the error for two levels that every value is equal to both or neither of."""
    return SourceError(
        f"The two `levels` are one and the same value of `{layout.condition}`; name two."
    )


def _literal(engine: DuckDBEngine, kind: str, level: str, layout: Layout) -> str:
    literal = quoted_text(level)
    if is_text_type(kind):
        return literal
    if not _is_exact(engine, kind, level):
        raise no_such_level(level, layout, kind.partition("(")[0])
    return f"CAST({literal} AS {kind})"


def _is_exact(engine: DuckDBEngine, kind: str, level: str) -> bool:
    """Whether text is a value of a type, without a digit too many."""
    literal = quoted_text(level)
    value = f"TRY_CAST({literal} AS {kind})"
    ((text,),) = engine.rows(f"SELECT CAST({value} AS VARCHAR)")
    if text is None:
        return False
    if kind in _FINER:
        finer = _FINER[kind]
        ((is_same,),) = engine.rows(
            f"SELECT coalesce(TRY_CAST({value} AS {finer}) = TRY_CAST({literal} AS {finer}), false)"
        )
        return bool(is_same)
    meant, found = _number(level), _number(str(text))
    return meant == found if found is not None else True


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(Decimal(text.strip()))
    except (InvalidOperation, ValueError, OverflowError):
        return None
