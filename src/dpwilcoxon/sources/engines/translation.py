"""Expressions of one row, typed in DuckDB's SQL and translated for the engine by sqlglot."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.expressions import RowExpression, check_known_functions, row_expression
from dpwilcoxon.sources.pushdown.dialects import Dialect


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
    if expression.is_column:
        return RowExpression(dialect.quoted(expression.columns[0]), expression.columns)
    check_known_functions(text, option)
    return RowExpression(_translated(expression, option, dialect), expression.columns)


def _translated(expression: RowExpression, option: str, dialect: Dialect) -> str:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(expression.sql, read="duckdb")
        foreign = tree.find(exp.Anonymous, exp.AnonymousAggFunc)
        if foreign is not None:
            raise InvalidArgument(
                f"`{option}` uses {str(foreign.name).lower()}(), which cannot be translated for "
                "this engine; use other words for it."
            )
        if tree.find(exp.Query, exp.Window, exp.AggFunc) is not None:
            raise InvalidArgument(f"`{option}` must be an expression of one row.")
        for column in tree.find_all(exp.Column):
            _quote(column, expression.columns)
        return str(
            tree.sql(
                dialect=dialect.name, comments=False, unsupported_level=sqlglot.ErrorLevel.RAISE
            )
        )
    except SqlglotError:
        pass
    raise InvalidArgument(f"`{option}` cannot be translated for this engine; use other words.")


def _quote(column: object, names: Sequence[str]) -> None:
    """Write the name of a column as the table does: engines disagree on capital letters."""
    from sqlglot import exp

    assert isinstance(column, exp.Column)  # noqa: S101 - the caller has looked
    first = column.parts[0]
    alike = [name for name in names if name.lower() == first.name.lower()]
    first.set("this", first.name if first.name in names else alike[0])
    first.set("quoted", True)  # noqa: FBT003 - sqlglot's own signature
