"""What engines understand otherwise than DuckDB: written so that they agree, or refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.pushdown.dialects import POSTGRES, SPARK, Dialect

if TYPE_CHECKING:
    from sqlglot import exp

PARTS: Final = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOY", "HOUR", "MINUTE")
_CLOCK: Final = re.compile(r"(?<![a-z])(now|today|tomorrow|yesterday)(?![a-z])", re.IGNORECASE)
# A text that names the clock becomes one that is no time at all, which is an error.
_TIME: Final = """
    CASE WHEN CAST(:value AS TEXT) ~* 'now|today|tomorrow|yesterday' THEN :refused ELSE :cast END"""


def names_the_clock(text: str) -> bool:
    """Whether an engine may take text for a time that depends on when it is read.

    Examples
    --------
    >>> [names_the_clock(text) for text in ("2024-02-29", " Today 10:00", "unknown")]
    [False, True, False]
    """
    return _CLOCK.search(text) is not None


def check_meaning(tree: exp.Expr, option: str, dialect: Dialect) -> None:
    """Refuse what would silently be something else in the engine, or depend on the clock."""
    for node in tree.walk():
        problem = _problem(node) or (_problem_in_spark(node) if dialect is SPARK else None)
        if problem:
            raise InvalidArgument(f"`{option}` {problem}.")


def _problem(node: exp.Expr) -> str | None:
    from sqlglot import exp

    problem = None
    match node:
        case exp.Literal() if node.is_string and names_the_clock(node.name):
            problem = "holds a word that a database may take for the time at which it is asked"
        case exp.Cast() if not node.is_type(*_plain_types()):
            problem = "casts to what is no number, text, truth or time"
        case exp.Substring() | exp.Left() | exp.Right() if not _is_inside(node):
            problem = f"uses {node.key}() with a place that is no constant, or outside of the text"
        case exp.Concat() | exp.DPipe() | exp.Trim() | exp.Substring() | exp.Left() | exp.Right():
            if node.find(exp.Column) is None:
                problem = "makes text of constants alone; write the text itself"
        case exp.Extract() if node.name.upper() not in PARTS:
            problem = f"asks for the {node.name.lower()} of a time, which engines count differently"
        case exp.Like() | exp.ILike() if not _is_plain_pattern(node.expression.unnest()):
            problem = "uses LIKE with a backslash, or a pattern that is no constant"
    return problem


def _problem_in_spark(node: exp.Expr) -> str | None:
    from sqlglot import exp

    is_rounded = isinstance(node, exp.Round) and node.args.get("decimals") is not None
    if not is_rounded or (isinstance(node.this, exp.Cast) and node.this.is_type("decimal")):
        return None
    return "rounds to places what may be a float; cast it: CAST(... AS DECIMAL(18, 6))"


@cache
def _plain_types() -> tuple[exp.DType, ...]:
    from sqlglot import exp

    kinds = exp.DataType
    known = kinds.NUMERIC_TYPES | kinds.TEXT_TYPES | kinds.TEMPORAL_TYPES
    return (*known, kinds.Type.BOOLEAN, kinds.Type.INTERVAL)


def _is_inside(node: exp.Expr) -> bool:
    """Whether a part of a text begins in it, and has a length."""
    lengths = (node.args.get("length"), node.args.get("expression"))
    return _is_count(node.args.get("start"), 1) and all(_is_count(each, 0) for each in lengths)


def _is_count(node: exp.Expr | None, least: int) -> bool:
    return node is None or (node.unnest().is_int and int(node.unnest().to_py()) >= least)


def _is_plain_pattern(node: exp.Expr) -> bool:
    return node.is_string and "\\" not in node.name


def rewrite(tree: exp.Expr, dialect: Dialect) -> None:
    """Change what is in brackets, so that the engine makes of it what DuckDB does."""
    rules: list[Callable[[exp.Expr], exp.Expr]] = [_of_whole_numbers]
    rules += [_in_postgres] if dialect is POSTGRES else [_in_spark]
    for node in reversed(list(tree.bfs())):  # the innermost first
        changed = node
        for rule in rules:
            changed = rule(changed)
        if changed is not node:
            node.replace(changed)


def _of_whole_numbers(node: exp.Expr) -> exp.Expr:
    """Only whole numbers have bits, so decimals, which are divided otherwise, become an error."""
    from sqlglot import exp

    if not isinstance(node, exp.IntDiv):
        return node
    sides = [
        exp.paren(exp.BitwiseAnd(this=exp.paren(each.copy()), expression=exp.Literal.number(-1)))
        for each in (node.this, node.expression)
    ]
    return exp.IntDiv(this=sides[0], expression=sides[1])


def _in_spark(node: exp.Expr) -> exp.Expr:
    """Quotients are floats, also of decimals."""
    from sqlglot import exp

    if not isinstance(node, exp.Div):
        return node
    return exp.Div(this=exp.cast(node.this.copy(), "double"), expression=node.expression.copy())


def _in_postgres(node: exp.Expr) -> exp.Expr:
    """Text is ordered by the numbers of its letters, floats are not rounded, nor texts a clock."""
    from sqlglot import exp

    written = node
    match node:
        case exp.Round() if node.args.get("decimals") is None:  # with places, floats have none
            written = exp.Round(this=node.this.copy(), decimals=exp.Literal.number(0))
        case exp.Lower() | exp.Upper():
            written = _collated(type(node)(this=_collated(node.this, "default")), "C")
        case exp.ILike():
            written = exp.ILike(this=_collated(node.this, "default"), expression=node.expression)
        case exp.Case() | exp.If() if not _is_of_texts(node) or isinstance(node.parent, exp.Case):
            pass
        case exp.Concat() | exp.DPipe() | exp.Case() | exp.If():
            written = _collated(node, "C")
        case exp.Cast() if node.is_type(*exp.DataType.TEXT_TYPES):
            written = _collated(node, "C")
        case exp.Cast() if node.is_type(*exp.DataType.TEMPORAL_TYPES) and not node.this.is_string:
            written = _without_clock(node)
    return written


def _collated(node: exp.Expr, collation: str) -> exp.Expr:
    from sqlglot import exp

    name = exp.to_identifier(collation, quoted=True)
    return exp.paren(exp.Collate(this=exp.paren(node.copy()), expression=name))


def _is_of_texts(node: exp.Expr) -> bool:
    """Whether a case chooses between constants of text alone."""
    from sqlglot import exp

    chosen = [each.args["true"] for each in node.args.get("ifs", [node])]
    last = node.args.get("default") or node.args.get("false")
    found = [each.unnest() for each in (*chosen, last) if each]
    return all(each.is_string or isinstance(each, exp.Null) for each in found)


def _without_clock(cast: exp.Expr) -> exp.Expr:
    import sqlglot
    from sqlglot import exp

    refused = cast.copy()
    refused.set("this", sqlglot.parse_one("'refused ' || CAST(:value AS TEXT)", read="postgres"))
    found = sqlglot.parse_one(_TIME, read="postgres")
    found = exp.replace_placeholders(found, refused=refused, cast=cast.copy())
    return exp.paren(exp.replace_placeholders(found, value=cast.this.copy()))
