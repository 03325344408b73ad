"""SQL expressions of one row, as `day(pickup_datetime)`: checked before they are used.

Whatever an expression says of a row may depend on that row alone. If it could look at other rows
(an aggregate, a window, a subquery) or at chance, replacing one person could change the values
of all the others, and the guarantee would be void.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias, cast

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.duckdb_session import SETTINGS, quoted_name
from dpwilcoxon.sources.tables import no_such_column

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | float | bool | None"

_FORBIDDEN = {
    "SUBQUERY": "holds a subquery",
    "WINDOW": "holds a window function",
    "STAR": "holds a *",
    "PARAMETER": "holds a parameter",
}


@dataclass(frozen=True)
class RowExpression:
    """An SQL expression and the columns of the table it names."""

    sql: str
    columns: tuple[str, ...]

    @property
    def is_column(self) -> bool:
        """Whether it is nothing but a column."""
        return len(self.columns) == 1 and self.sql == quoted_name(self.columns[0])


def row_expression(
    text: str, names: Sequence[str], label: str, option: str, *, complete: bool = True
) -> RowExpression:
    """Read what a caller typed: the name of a column, else an expression over columns.

    Parameters
    ----------
    text : str
        What was typed.
    names : sequence of str
        The columns of the table.
    label : str
        How messages call the table.
    option : str
        How messages call what was typed.
    complete : bool
        Whether the table can have no other columns.
    """
    stripped = text.strip()
    for name in (text, stripped):
        if name in names:
            return RowExpression(quoted_name(name), (name,))
    tree = _parsed(stripped, option)
    columns = tuple(dict.fromkeys(_column_names(tree)))
    if complete:
        columns = tuple(dict.fromkeys(_find(column, names, label) for column in columns))
    _check_row_by_row(tree, option)
    if columns == (stripped,):
        return RowExpression(quoted_name(stripped), columns)
    return RowExpression(
        f"({stripped}\n)", columns
    )  # a comment at the end must not hide the bracket


def _find(column: str, names: Sequence[str], label: str) -> str:
    if column in names:
        return column
    alike = [name for name in names if name.lower() == column.lower()]  # SQL ignores case
    if len(alike) != 1:
        raise no_such_column(column, names, label)
    return alike[0]


def _parsed(text: str, option: str) -> Tree:
    import duckdb

    with duckdb.connect(config=dict(SETTINGS)) as connection:
        ((answer,),) = connection.execute(
            "SELECT json_serialize_sql(?::VARCHAR)", [f"SELECT ({text}\n)"]
        ).fetchall()
    expression = _only_expression(json.loads(answer)) if text else None
    if expression is not None:
        return expression
    raise InvalidArgument(
        f"`{option}` is neither the name of a column nor an SQL expression; got {text!r}."
    )


def _only_expression(answer: dict[str, Any]) -> Tree:
    """The one expression of a query that has nothing but that, or None."""
    if answer.get("error") or len(answer["statements"]) != 1:
        return None
    node = answer["statements"][0]["node"]
    is_bare = (
        len(node.get("select_list", ())) == 1
        and node.get("where_clause") is None
        and (node.get("from_table") or {}).get("type", "EMPTY") == "EMPTY"
        and not node.get("modifiers")
    )
    return cast("Tree", node["select_list"][0]) if is_bare else None


def _nodes(tree: Tree) -> Iterator[dict[str, Tree]]:
    if isinstance(tree, dict):
        if "class" in tree:
            yield tree
        for branch in tree.values():
            yield from _nodes(branch)
    elif isinstance(tree, list):
        for branch in tree:
            yield from _nodes(branch)


def _column_names(tree: Tree) -> Iterator[str]:
    for node in _nodes(tree):
        if node["class"] == "COLUMN_REF":
            first, *_ = cast("list[str]", node["column_names"])  # the others are inside of it
            yield first


def _check_row_by_row(tree: Tree, option: str) -> None:
    for node in _nodes(tree):
        problem = _FORBIDDEN.get(str(node["class"]))
        function = str(node.get("function_name", "")).lower()
        if node["class"] == "FUNCTION" and function in _functions_of_many_rows():
            problem = f"uses {function}(), which looks at many rows"
        elif node["class"] == "FUNCTION" and function in _functions_of_chance():
            problem = f"uses {function}(), which does not depend on the row alone"
        if problem:
            raise InvalidArgument(
                f"`{option}` {problem}; it must be an expression of one row, or replacing one "
                "person could change the values of others."
            )


def check_known_functions(text: str, option: str) -> None:
    """Refuse functions that only another database than DuckDB may know.

    What they look at would be anybody's guess: there are functions that run queries.
    """
    for node in _nodes(_parsed(text.strip(), option)):
        function = str(node.get("function_name", "")).lower()
        if node["class"] == "FUNCTION" and function not in _functions_of_one_row():
            raise InvalidArgument(
                f"`{option}` uses {function}(), which DuckDB does not know; expressions are "
                "written in its SQL, and translated."
            )


@cache
def _functions_of_one_row() -> frozenset[str]:
    return _function_names("function_type IN ('scalar', 'macro')")


@cache
def _functions_of_many_rows() -> frozenset[str]:
    return _function_names("function_type IN ('aggregate', 'window', 'table', 'table_macro')")


@cache
def _functions_of_chance() -> frozenset[str]:
    return _function_names("stability = 'VOLATILE'")


def _function_names(condition: str) -> frozenset[str]:
    import duckdb

    with duckdb.connect(config=dict(SETTINGS)) as connection:
        rows = connection.execute(
            f"SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE {condition}"
        ).fetchall()
    return frozenset(str(name) for (name,) in rows)
