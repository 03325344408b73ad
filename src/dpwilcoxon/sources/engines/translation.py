"""Expressions of one row, typed in DuckDB's SQL and translated for the engine by sqlglot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.engines.meanings import check_meaning, rewrite
from dpwilcoxon.sources.expressions import RowExpression, row_expression
from dpwilcoxon.sources.pushdown.dialects import DUCKDB, Dialect

if TYPE_CHECKING:
    from sqlglot import exp

INTERVALS = {
    f"to_{unit}s": unit.upper()
    for unit in ("second", "minute", "hour", "day", "week", "month", "year")
}

PARTS = {name.capitalize(): name for name in ("HOUR", "MINUTE", "QUARTER", "WEEK")}


def translated_expression(
    text: str, names: Sequence[str], label: str, option: str, dialect: Dialect
) -> RowExpression:
    """Read what a caller typed, as SQL of the engine.

    Parameters
    ----------
    text : str
        The name of a column, or an expression in DuckDB's SQL.
    names : sequence of str
        The columns of the table.
    label, option : str
        How messages call the table, and what was typed.
    dialect : Dialect
        The engine's SQL.

    Privacy
    -------
    What looks at other rows is refused in both languages, and so is every function that either
    of them does not know: in a database it could do anything.
    """
    expression = row_expression(text, names, label, option)
    if dialect is DUCKDB:
        return expression
    if expression.is_column:
        return RowExpression(dialect.quoted(expression.columns[0]), expression.columns)
    return replace(expression, sql=_translated(expression, option, dialect))


def _translated(expression: RowExpression, option: str, dialect: Dialect) -> str:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(expression.sql, read="duckdb").transform(_as_it_is_written)
        known = _functions_that_mean_the_same()
        foreign = next((each for each in tree.find_all(exp.Func) if type(each) not in known), None)
        if foreign is not None:
            raise InvalidArgument(
                f"`{option}` uses {_name_of(foreign)}(), which cannot be translated for this "
                "engine; use other words for it."
            )
        if tree.find(exp.Query, exp.Window, exp.AggFunc) is not None:
            raise InvalidArgument(f"`{option}` must be an expression of one row.")
        check_meaning(tree, option, dialect)
        for column in tree.find_all(exp.Column):
            _quote(column, expression.columns)
        rewrite(tree, dialect)
        return str(
            tree.sql(
                dialect=dialect.name, comments=False, unsupported_level=sqlglot.ErrorLevel.RAISE
            )
        )
    except SqlglotError:
        pass
    raise InvalidArgument(f"`{option}` cannot be translated for this engine; use other words.")


@cache
def _functions_that_mean_the_same() -> frozenset[object]:
    """What every engine has, under some name, with the meaning that it has in DuckDB."""
    from sqlglot import exp

    names = """
        Abs And Between Case Cast Ceil Coalesce Concat Day Exp Extract Floor Greatest If In
        IntDiv Least Left Length Ln Lower Month Nullif Or Pow Right Round Sign Sqrt StrPosition
        Substring TimestampTrunc DateTrunc Trim TryCast Upper Year"""
    found = (getattr(exp, name, None) for name in names.split())
    return frozenset(each for each in found if each is not None)


def _name_of(function: exp.Func) -> str:
    from sqlglot import exp

    if isinstance(function, exp.Anonymous | exp.AnonymousAggFunc):
        return function.name.lower()
    return str(function.sql_name()).lower()


def _as_it_is_written(node: exp.Expression) -> exp.Expression:
    """Give intervals and parts of dates, which DuckDB reads as functions, their own words again."""
    from sqlglot import exp

    part = PARTS.get(type(node).__name__)
    if part is not None:
        return exp.Extract(this=exp.var(part), expression=node.this)
    if isinstance(node, exp.ToDays):
        name, arguments = "to_days", [node.this]
    elif isinstance(node, exp.Anonymous):
        name, arguments = node.name.lower(), node.expressions
    else:
        return node
    if name == "date_part" and len(arguments) == len(("part", "date")) and arguments[0].is_string:
        return exp.Extract(this=exp.var(arguments[0].name.upper()), expression=arguments[1])
    numbers = [each for argument in arguments for each in argument.find_all(exp.Literal)]
    is_constant = len(numbers) == 1 and not arguments[0].find(exp.Column, exp.Neg, exp.Binary)
    if name not in INTERVALS or not is_constant:
        return node
    return exp.Interval(this=exp.Literal.string(numbers[0].name), unit=exp.var(INTERVALS[name]))


def _quote(column: object, names: Sequence[str]) -> None:
    """Write the name of a column as the table does: engines disagree on capital letters."""
    from sqlglot import exp

    assert isinstance(column, exp.Column)  # noqa: S101 - the caller has looked
    first = column.parts[0]
    alike = [name for name in names if name.lower() == first.name.lower()]
    first.set("this", first.name if first.name in names else alike[0])
    first.set("quoted", True)  # noqa: FBT003 - sqlglot's own signature
