"""SQL expressions of one row, as `day(pickup_datetime)`: checked before they are used.

Whatever an expression says of a row may depend on that row alone. If it could look at other rows
(an aggregate, a window, a subquery) or at chance, replacing one person could change the values
of all the others, and the guarantee would be void.

What is checked is what is used: DuckDB parses the text, every node of the tree has to be of a kind
that is known to look at one row, and the SQL is written again from that tree. No character that
was typed gets past the parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.duckdb_session import connected, quoted_name
from dpwilcoxon.sources.row_functions import is_row_function
from dpwilcoxon.sources.tables import no_such_column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | float | bool | None"

_FORBIDDEN: Final = {
    "SUBQUERY": "holds a subquery",
    "WINDOW": "holds a window function",
    "STAR": "holds a *",
    "PARAMETER": "holds a parameter",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLASSES: Final = _words(
    "BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT OPERATOR TYPE"
)
_COMPARING: Final = _words("COMPARE_IN COMPARE_NOT_IN OPERATOR_COALESCE OPERATOR_NULLIF")
_OPERATORS: Final = _COMPARING | _words(
    "ARRAY_CONSTRUCTOR ARRAY_EXTRACT ARRAY_SLICE OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL "
    "OPERATOR_NOT STRUCT_EXTRACT"
)
_QUOTED_FUNCTION: Final = re.compile(r'"([a-z_][a-z_0-9]*)"\(')
_PLACES: Final = ("query_location", "query_location_length", "is_operator")


@dataclass(frozen=True)
class RowExpression:
    """An SQL expression, the columns of the table it names, and which of them it compares.

    A comparison is told by the columns on its sides, and None for a number.
    """

    sql: str
    columns: tuple[str, ...]
    comparisons: tuple[tuple[str | None, ...], ...] = field(default=(), compare=False)

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
        Whether these are all columns of the table, and no row can add one. Else whatever is no
        expression is a name, and so is what stands in double quotes.
    """
    stripped = text.strip()
    for name in (text, stripped):
        if name in names:
            return RowExpression(quoted_name(name), (name,))
    with connected() as parser:
        tree = _parse(parser, stripped) if stripped else None
        if tree is None:
            if alike := same_name(stripped, names):
                return RowExpression(quoted_name(alike), (alike,))
            if complete or not stripped:
                raise InvalidArgument(
                    f"`{option}` is neither the name of a column nor an SQL expression; got "
                    f"{stripped!r}."
                )
            return RowExpression(quoted_name(stripped), (stripped,))
        found = {each: _find(each, names, label) if complete else each for each in _columns(tree)}
        columns = tuple(dict.fromkeys(found.values()))
        _check_row_by_row(tree, option)
        if _is_name(tree):
            return RowExpression(quoted_name(columns[0]), columns)
        compared = tuple(tuple(each and found[each] for each in side) for side in _compared(tree))
        return RowExpression(f"({_written(parser, tree, option)})", columns, compared)


def sole_name(text: str) -> str | None:
    """The name of a column that was typed, maybe in quotes; None of an expression.

    Text that is no SQL at all can only be a name, and maybe one that is not there.

    Examples
    --------
    >>> [sole_name(text) for text in ("bp", '"bp 2"', "bp 2", "bp - 2")]
    ['bp', 'bp 2', 'bp 2', None]
    """
    if text.isidentifier() or not text.strip():
        return text
    with connected() as parser:
        tree = _parse(parser, text)
    if tree is None:
        return text
    return _name_of(cast("dict[str, Tree]", tree)) if _is_name(tree) else None


def same_name(column: str, names: Sequence[str]) -> str | None:
    """The name of a column as the table has it: to the letter, or else but for capital letters.

    Examples
    --------
    >>> [same_name(each, ["x", "y", "Y", "Z"]) for each in ("x", "X", "y", "z", "a")]
    ['x', 'x', 'y', 'Z', None]
    """
    if column in names:
        return column
    alike = [name for name in names if name.lower() == column.lower()]  # SQL ignores case
    return alike[0] if len(alike) == 1 else None


def _find(column: str, names: Sequence[str], label: str) -> str:
    found = same_name(column, names)
    if found is None:
        raise no_such_column(column, names, label)
    return found


def _answer(parser: DuckDBPyConnection, sql: str) -> dict[str, Any]:
    """What DuckDB's parser makes of a query: its tree, or an error."""
    ((answer,),) = parser.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()
    return cast("dict[str, Any]", json.loads(answer))


@cache
def _bare_statement() -> str:
    """A statement that has one expression and nothing else."""
    with connected() as parser:
        return json.dumps(_answer(parser, "SELECT (1)")["statements"][0])


def _parse(parser: DuckDBPyConnection, text: str) -> Tree:
    """Parse text that is one expression and nothing but that; give None for all other text.

    All else of the query it is put in has to be as it is where there is nothing: a clause that
    nobody has thought of is one clause too many.
    """
    answer = _answer(parser, f"SELECT ({text}\n)")
    if answer.get("error") or len(answer["statements"]) != 1:
        return None
    node = answer["statements"][0]["node"]
    bare = json.loads(_bare_statement())["node"]
    selected = node.get("select_list", ())
    is_bare = len(selected) == 1 and {**node, "select_list": bare["select_list"]} == bare
    return cast("Tree", selected[0]) if is_bare else None


def _written(parser: DuckDBPyConnection, tree: Tree, option: str) -> str:
    """Write a checked tree as SQL, and see that it is read as the same tree again."""
    import duckdb

    tree = _without_ambiguity(tree)
    statement = json.loads(_bare_statement())
    statement["node"]["select_list"] = [tree]
    written = json.dumps({"error": False, "statements": [statement]})
    try:
        ((sql,),) = parser.execute("SELECT json_deserialize_sql(?::JSON)", [written]).fetchall()
    except duckdb.Error:
        sql = ""
    text = str(sql).removeprefix("SELECT ")
    plain = _QUOTED_FUNCTION.sub(r"\1(", text)  # which other readers of SQL need
    for each in (plain, text):
        if text and _unplaced(_parse(parser, each)) == _unplaced(tree):
            return each
    raise InvalidArgument(f"`{option}` cannot be checked; write it in plainer SQL.")


def _without_ambiguity(tree: Tree) -> Tree:
    """Call by its other name what readers of SQL disagree about: which argument comes first."""
    if isinstance(tree, dict):
        if tree.get("function_name") == "position":
            tree = {**tree, "function_name": "strpos"}
            if "qualified_name" in tree:
                tree["qualified_name"] = {"path": ["strpos"]}
        return {name: _without_ambiguity(each) for name, each in tree.items()}
    return [_without_ambiguity(each) for each in tree] if isinstance(tree, list) else tree


def _unplaced(tree: Tree) -> Tree:
    """A tree without where in the text its nodes were, and how its functions were written."""
    if isinstance(tree, dict):
        return {name: _unplaced(each) for name, each in tree.items() if name not in _PLACES}
    return [_unplaced(each) for each in tree] if isinstance(tree, list) else tree


def _is_name(tree: Tree) -> bool:
    """Whether an expression is nothing but a column, maybe in brackets or quotes."""
    return (
        isinstance(tree, dict)
        and tree["class"] == "COLUMN_REF"
        and len(cast("list[str]", tree["column_names"])) == 1
    )


def _nodes(tree: Tree) -> Iterator[dict[str, Tree]]:
    if isinstance(tree, dict):
        if "class" in tree:
            yield tree
        for branch in tree.values():
            yield from _nodes(branch)
    elif isinstance(tree, list):
        for branch in tree:
            yield from _nodes(branch)


def _columns(tree: Tree) -> Iterator[str]:
    for node in _nodes(tree):
        if node["class"] == "COLUMN_REF":
            yield _name_of(node)


def _compared(tree: Tree) -> Iterator[list[str | None]]:
    """The columns that stand beside each other in a comparison or list, and None for a number."""
    for node in _nodes(tree):
        if node["class"] in ("BETWEEN", "COMPARISON") or node["type"] in _COMPARING:
            children = [*cast("list[Tree]", node.get("children", [])), *node.values()]
            parts = [each for each in children if isinstance(each, dict) and "class" in each]
            yield [
                _name_of(each) if _is_name(each) else None
                for each in parts
                if _is_name(each) or _is_number(each)
            ]


def _is_number(node: dict[str, Tree]) -> bool:
    literal = node.get("literal")
    kind = literal["kind"] if isinstance(literal, dict) else None
    return kind in ("INTEGER", "NUMERIC", "BOOLEAN")


def _name_of(node: dict[str, Tree]) -> str:
    return cast("list[str]", node["column_names"])[0]  # the others are inside of it


def _check_row_by_row(tree: Tree, option: str) -> None:
    for node in _nodes(tree):
        problem = _problem(node)
        if problem:
            raise InvalidArgument(
                f"`{option}` {problem}; it must be an expression of one row, or replacing one "
                "person could change the values of others."
            )


def _problem(node: dict[str, Tree]) -> str | None:
    """Why a node might look at more than one row; None if it cannot."""
    kind = str(node["class"])
    if kind == "FUNCTION":
        return _problem_of_function(node)
    if kind not in _CLASSES or (kind == "OPERATOR" and node["type"] not in _OPERATORS):
        words = str(node["type"]).lower().replace("_", " ")
        return _FORBIDDEN.get(kind, f"holds more than is known to look at one row ({words})")
    return None


def _problem_of_function(node: dict[str, Tree]) -> str | None:
    function = str(node["function_name"]).lower()
    if function in _functions_of_many_rows():
        return f"uses {function}(), which looks at many rows"
    arguments = cast("list[Tree]", node["arguments"])
    orders = cast("dict[str, Tree]", node["order_bys"])["orders"]
    is_plain = not (node["schema"] or node["catalog"] or node["filter"] or node["distinct"])
    if not (is_plain and not orders and is_row_function(function, len(arguments))):
        return f"uses {function}(), which is not known to depend on the row alone"
    return None


@cache
def _functions_of_many_rows() -> frozenset[str]:
    with connected() as parser:
        rows = parser.execute(
            "SELECT DISTINCT lower(function_name) FROM duckdb_functions() "
            "WHERE function_type IN ('aggregate', 'window', 'table_macro')"
        ).fetchall()
    return frozenset(str(name) for (name,) in rows)
